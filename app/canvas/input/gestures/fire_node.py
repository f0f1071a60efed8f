"""Let a node fire with a click; a drag still moves it."""

from __future__ import annotations

from PySide6.QtCore import Qt

from app.canvas.input.gestures.gesture import Pointer
from app.canvas.input.gestures.move_nodes import MoveNodes


class FireNode(MoveNodes):
    """The gesture on a node where clicks choose which node fires."""

    def release(self, pointer: Pointer) -> None:
        """Commit the new positions; a click selects the node and lets it fire, or refuses it."""
        moved = self._moved
        super().release(pointer)
        if not moved:
            self.canvas.modes.click(self._node)

    @property
    def cursor(self) -> Qt.CursorShape:
        """Return the pointing hand until nodes move."""
        return super().cursor if self._moved else Qt.CursorShape.PointingHandCursor
