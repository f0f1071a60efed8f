"""Pan: the sheet follows the hand."""

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
        """Shift the sheet by what the pointer went."""
        shift = (pointer.screen - self.start.screen).toPoint() - self._gone
        self.canvas.camera.pan_by(QPointF(shift))
        self._gone += shift

    def cancel(self) -> None:
        """Put the sheet back."""
        self.canvas.camera.pan_by(-QPointF(self._gone))

    @property
    def cursor(self) -> Qt.CursorShape:
        """A closed hand."""
        return Qt.CursorShape.ClosedHandCursor
