"""Overlay: what lies over the sheet: the map, the zoom buttons, the legend.

It is painted last, in screen pixels, and asked first what lies under the pointer.
"""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, QRectF
from PySide6.QtGui import QPainter

from app.canvas.context.canvas_context import CanvasContext
from app.canvas.overlay.legend import Legend
from app.canvas.overlay.zoom_buttons import MapAndZoom
from app.document.change import Change
from engine.frame import Frame

GAP = 8.0


class Overlay:
    """The map, the zoom buttons and the legend of one canvas."""

    def __init__(self, canvas: CanvasContext) -> None:
        self._canvas = canvas
        self.tip = ""
        """What the button under the pointer would do."""
        self._phase = canvas.playback.phase
        self.corner = MapAndZoom(canvas)
        self.legend = Legend(canvas)

    def covers(self, at: QPointF) -> bool:
        """Whether a press at a point of the screen is for the overlay."""
        return self.corner.covers(at)

    def point(self, at: QPointF | None) -> bool:
        """The pointer is here, or nowhere; whether it points at another button than before."""
        self.legend.point(at)
        tip = self.corner.point(at)
        differs, self.tip = tip != self.tip, tip
        return differs

    def clearance(self, rect: QRectF) -> QPointF:
        """The least shift by which a rectangle on the screen comes out from under the map."""
        self.corner.refresh()
        taken = self.corner.area.adjusted(-GAP, -GAP, GAP, GAP)
        if not taken.intersects(rect):
            return QPointF()
        up, left = taken.top() - rect.bottom(), taken.left() - rect.right()
        ways = [QPointF(0, up)] if rect.top() + up >= 0 else []
        ways += [QPointF(left, 0)] if rect.left() + left >= 0 else []
        return min(ways, key=QPointF.manhattanLength, default=QPointF())

    def moved_by(self, shift: QPoint) -> None:
        """The picture was scrolled with the overlay on it: repaint both places."""
        for area in (self.corner.area, self.legend.area):
            if not area.isEmpty():
                self._canvas.repaint.on_screen(area.united(area.translated(shift)))

    def redraw(self) -> None:
        """Schedule a repaint: what it shows of the sheet may differ."""
        self._canvas.repaint.on_screen(self.corner.area)

    def refresh(self) -> None:
        """Decide what is shown; called before painting, when all else is settled."""
        before = self.corner.area
        if self.corner.refresh():
            self._canvas.repaint.on_screen(before.united(self.corner.area))
        self.legend.refresh(self.corner.area)

    def paint(self, painter: QPainter, exposed: QRectF) -> None:
        """Draw what is exposed of it."""
        self.legend.paint(painter, exposed)
        self.corner.paint(painter, exposed)

    def follow_document(self, change: Change) -> None:
        """The document has changed."""
        came_or_went = change.added or change.removed or change.whole
        self.corner.follow(bool(came_or_went or change.moved or change.boxes))

    def follow_frame(self, frame: Frame) -> None:
        """Another frame is shown."""
        moved, self._phase = frame.phase != self._phase, frame.phase
        self.corner.follow(moved)  # nodes have another height in a pass

    def follow_style(self) -> None:
        """Everything has another size."""
        self.corner.follow(moved=True)
