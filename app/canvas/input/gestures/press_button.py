"""PressButton: a button of the canvas does its work when it is let go where it was pressed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, Qt

from app.canvas.context.canvas_context import CanvasContext
from app.canvas.input.gestures.gesture import Gesture, Pointer


class PressButton(Gesture):
    """Press, and let go on the same button."""

    def __init__(
        self, canvas: CanvasContext, start: Pointer, rect: QRectF, act: Callable[[], object]
    ) -> None:
        super().__init__(canvas, start)
        self._rect = rect
        self._act = act

    def release(self, pointer: Pointer) -> None:
        """Do it, if the hand is still there."""
        if self._rect.contains(pointer.screen):
            self._act()

    @property
    def cursor(self) -> Qt.CursorShape:
        """The shape of the pointer over the button."""
        return Qt.CursorShape.ArrowCursor
