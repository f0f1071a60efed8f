"""PressButton: a button of the canvas acts when it is released where it was pressed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, Qt

from app.canvas.context.canvas_context import CanvasContext
from app.canvas.input.gestures.gesture import Gesture, Pointer


class PressButton(Gesture):
    """Press, and release on the same button."""

    def __init__(
        self, canvas: CanvasContext, start: Pointer, rect: QRectF, act: Callable[[], object]
    ) -> None:
        super().__init__(canvas, start)
        self._rect = rect
        self._act = act

    def release(self, pointer: Pointer) -> None:
        """Run the button's action, if the pointer is still over it."""
        if self._rect.contains(pointer.screen):
            self._act()

    @property
    def cursor(self) -> Qt.CursorShape:
        """Return the button's cursor."""
        return Qt.CursorShape.ArrowCursor
