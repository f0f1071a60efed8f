"""The badge below the root: what the last check said, if it was one of exactly this graph.

`checked` where every gradient is right; dashed where the check can't tell.
"""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from app.canvas.appearance.detail import Detail
from app.canvas.context.canvas_context import CanvasContext
from app.style import sizes
from app.style.icons import paint_icon
from app.style.strokes import pen, put, rounded, width
from app.workbench.study.checks import Checks

TEXTS = {"agrees": "checked", "can't tell": "can't tell"}
DASH = (4.0, 3.0)
BELOW = 8.0
"""Space between the root and the badge, in sheet px."""
EDGE, MARK, GAP = 8.0, 12.0, 4.0
"""Space beside mark and text, side of the mark, and space between them, in sheet px."""
LINE = 1.4


class CheckedBadge:
    """Paints the badge, and repaints where it appears, moves or vanishes."""

    def __init__(self, canvas: CanvasContext, checks: Checks) -> None:
        self._canvas = canvas
        self._checks = checks
        self._painted = QRectF()
        self._said = ""
        checks.changed.connect(self._follow)

    @property
    def text(self) -> str:
        """Return what the badge says, or "" while there is none."""
        return TEXTS.get(self._checks.verdict or "", "")

    @property
    def area(self) -> QRectF:
        """Return the sheet rectangle of the badge; empty while there is none."""
        canvas, text = self._canvas, self.text
        root = canvas.playback.frame.graph.active_root
        if not text or root not in canvas.scene.boxes:
            return QRectF()
        if canvas.detail < Detail.RESULTS:
            return QRectF()
        below = canvas.scene.boxes[root].rect
        wide = 2 * EDGE + MARK + GAP + width(text, "caption strong")
        return QRectF(below.center().x() - wide / 2, below.bottom() + BELOW, wide, sizes.PILL)

    def paint(self, painter: QPainter) -> None:
        """Paint the badge, in sheet coordinates."""
        area, theme = self.area, self._canvas.theme
        if area != self._painted:  # the root has moved since
            self._repaint(area)
        if area.isEmpty():
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        path = rounded(area, area.height() / 2, area.height() / 2)
        painter.fillPath(path, theme.node)
        doubtful = self._checks.verdict != "agrees"
        painter.strokePath(path, pen(theme.text, LINE, DASH if doubtful else ()))
        mark = QRectF(area.left() + EDGE, area.center().y() - MARK / 2, MARK, MARK)
        if doubtful:
            middle = (mark.center().x(), mark.center().y())
            put(painter, "?", "caption strong", theme.text, middle, "middle")
        else:
            paint_icon(painter, mark, "check", theme.text)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        at = (mark.right() + GAP, area.center().y())
        put(painter, self.text, "caption strong", theme.text, at)

    def _follow(self) -> None:
        if self.area != self._painted or self.text != self._said:
            self._repaint(self.area)

    def _repaint(self, area: QRectF) -> None:
        for rect in (self._painted, area):
            if not rect.isEmpty():
                self._canvas.repaint.on_sheet(rect.adjusted(-LINE, -LINE, LINE, LINE))
        self._painted, self._said = area, self.text
