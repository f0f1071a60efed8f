"""Pan: the sheet follows the hand."""

from __future__ import annotations

from PySide6.QtCore import Qt

from app.canvas.gestures.gesture import Gesture, Pointer
from app.canvas.surface import Surface


class Pan(Gesture):
    """Drag with the middle button, or with Space held."""

    def __init__(self, view: Surface, start: Pointer) -> None:
        super().__init__(view, start)
        self._last = start.screen
        self._home = start.screen

    def move(self, pointer: Pointer) -> None:
        """Shift the sheet by what the pointer went."""
        self.view.pan_by(pointer.screen - self._last)
        self._last = pointer.screen

    def cancel(self) -> None:
        """Put the sheet back."""
        self.view.pan_by(self._home - self._last)

    @property
    def cursor(self) -> Qt.CursorShape:
        """A closed hand."""
        return Qt.CursorShape.ClosedHandCursor
