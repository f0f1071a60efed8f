"""Scrub: drag on a leaf's number to change it; Shift for fine, Ctrl for coarse steps."""

from __future__ import annotations

from PySide6.QtCore import Qt

from app.canvas.context.canvas_context import CanvasContext
from app.canvas.input.gestures.gesture import Gesture, Pointer
from app.controls.scrub import Scrub
from engine.graph import Constant, Leaf


class ScrubValue(Gesture):
    """Every change is committed; all of them merge into one undo step, which Esc reverts."""

    def __init__(self, canvas: CanvasContext, start: Pointer, node: int) -> None:
        super().__init__(canvas, start)
        found = canvas.document.graph.nodes[node]
        assert isinstance(found, Leaf | Constant)
        self._node = node
        self._scrub = Scrub(found.value)
        self._gesture = canvas.document.new_gesture()
        self._chosen = canvas.selection.chosen()
        self._moved = False

    def move(self, pointer: Pointer) -> None:
        """Set the value for the pointer's position."""
        if not self._moved and not self.went_far(pointer):
            return
        if not self._moved:
            self._moved = True
            self.canvas.selection.focus_on(self._node)
            self.canvas.document.value_held.emit(self._node)
        pixels = (pointer.screen.x() - self.start.screen.x()) / self.canvas.style.scale
        value = self._scrub.moved(pixels, pointer.modifiers)
        self.canvas.document.set_value(self._node, value, self._gesture)

    def release(self, pointer: Pointer) -> None:
        """Keep the value if it differs from the old one; a click selects the node."""
        if self._moved:
            kept = self._scrub.value != self._scrub.start
            if not kept:
                self.canvas.document.abandon(self._gesture)
            self.canvas.document.value_released.emit(kept)
            return
        self.select(pointer, (self._node,))

    def cancel(self) -> None:
        """Restore the old value."""
        if self._moved:
            self.canvas.document.abandon(self._gesture)
            self.canvas.document.value_released.emit(False)
            self.canvas.selection.choose_again(self._chosen)

    def end(self) -> None:
        """Keep the value: it is in the history already."""

    @property
    def cursor(self) -> Qt.CursorShape:
        """Return the horizontal resize arrow."""
        return Qt.CursorShape.SizeHorCursor
