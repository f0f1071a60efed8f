"""Furniture: what stands on the canvas but not on the sheet: the map, the buttons, the legend.

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
    """All of it, for one canvas."""

    def __init__(self, view: CanvasContext) -> None:
        self._view = view
        self.tip = ""
        """What the button under the pointer would do."""
        self._phase = view.playback.phase
        self.corner = MapAndZoom(view)
        self.legend = Legend(view)
        view.document.changed.connect(self._follow_document)
        view.playback.frame_changed.connect(self._follow_frame)
        view.style_in_force.changed.connect(self._follow_style)

    def covers(self, at: QPointF) -> bool:
        """Whether a press at a point of the screen is for the furniture."""
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
        """The picture was shifted with the furniture on it: paint both places anew."""
        for area in (self.corner.area, self.legend.area):
            if not area.isEmpty():
                rect = area.toAlignedRect()
                self._view.host.update(rect.united(rect.translated(shift)))

    def redraw(self) -> None:
        """Paint it anew: what it tells of the sheet may differ."""
        self._view.host.update(self.corner.area.toAlignedRect())

    def refresh(self) -> None:
        """Decide what is shown; called before painting, when all else is settled."""
        before = self.corner.area
        if self.corner.refresh():
            self._view.host.update(before.united(self.corner.area).toAlignedRect())
        self.legend.refresh(self.corner.area)

    def paint(self, painter: QPainter, exposed: QRectF) -> None:
        """Draw what is exposed of it."""
        self.legend.paint(painter, exposed)
        self.corner.paint(painter, exposed)

    def _follow_document(self, change: Change) -> None:
        came_or_went = change.added or change.removed or change.whole
        self.corner.follow(bool(came_or_went or change.moved or change.boxes))

    def _follow_frame(self, frame: Frame) -> None:
        moved, self._phase = frame.phase != self._phase, frame.phase
        self.corner.follow(moved)  # nodes have another height in a pass

    def _follow_style(self) -> None:
        self.corner.follow(moved=True)
