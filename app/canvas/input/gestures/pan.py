"""Pan: drag the sheet."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, Qt

from app.canvas.context.canvas_context import CanvasContext
from app.canvas.input.gestures.gesture import Gesture, Pointer


class Pan(Gesture):
    """Drag with the middle button, or with Space held."""

    def __init__(self, canvas: CanvasContext, start: Pointer) -> None:
        super().__init__(canvas, start)
        self._gone = QPoint(0, 0)

    def move(self, pointer: Pointer) -> None:
        """Scroll by the pointer's movement."""
        shift = (pointer.screen - self.start.screen).toPoint() - self._gone
        self.canvas.camera.pan_by(QPointF(shift))
        self._gone += shift

    def cancel(self) -> None:
        """Restore the scroll offset."""
        self.canvas.camera.pan_by(-QPointF(self._gone))

    @property
    def cursor(self) -> Qt.CursorShape:
        """Return a closed hand."""
        return Qt.CursorShape.ClosedHandCursor
