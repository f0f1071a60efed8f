"""Let a node fire with a click; a drag still moves it."""

from __future__ import annotations

from PySide6.QtCore import Qt

from app.canvas.input.gestures.drag import Drag
from app.canvas.input.gestures.gesture import Pointer


class FireNode(Drag):
    """The gesture on a node where clicks choose which node fires."""

    def release(self, pointer: Pointer) -> None:
        """Commit the new positions; a click selects the node and lets it fire, or refuses it."""
        super().release(pointer)
        if not self.moved and self.held.node is not None:
            self.canvas.modes.click(self.held.node)

    @property
    def cursor(self) -> Qt.CursorShape:
        """Return the pointing hand until nodes move."""
        return super().cursor if self.moved else Qt.CursorShape.PointingHandCursor
