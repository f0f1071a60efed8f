"""Break marks: a red disc on the upper left corner of each node at which a pass stops."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from app.canvas.context.canvas_context import CanvasContext
from app.style.strokes import pen
from app.workbench.playback.time_machine import TimeMachine

RADIUS = 6.5
EDGE = 1.8
"""Radius of the disc and width of its edge, in sheet px."""


class BreakMarks:
    """Paints the marks, and repaints the canvas when one comes or goes."""

    def __init__(self, canvas: CanvasContext, machine: TimeMachine) -> None:
        self._canvas = canvas
        self._machine = machine
        machine.changed.connect(canvas.repaint.everything)

    def places(self) -> list[QPointF]:
        """Return the middles of the marks, in sheet px."""
        boxes = self._canvas.scene.boxes
        nodes = sorted(self._machine.breakpoints & boxes.keys())
        return [boxes[node].rect.topLeft() + QPointF(2, 2) for node in nodes]

    def paint(self, painter: QPainter) -> None:
        """Paint the marks, in sheet coordinates."""
        places = self.places()
        if not places:
            return
        theme = self._canvas.theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(theme.error)
        painter.setPen(pen(theme.canvas, EDGE))
        for at in places:
            painter.drawEllipse(QRectF(at.x() - RADIUS, at.y() - RADIUS, 2 * RADIUS, 2 * RADIUS))
        painter.setBrush(Qt.BrushStyle.NoBrush)
