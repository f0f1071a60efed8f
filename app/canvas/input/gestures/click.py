"""Click: an action that runs on release, if the pointer is still over what was pressed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt

from app.canvas.context.canvas_context import CanvasContext
from app.canvas.input.gestures.gesture import Gesture, Pointer
from app.canvas.scene.hit_test import Hit, hit


class Click(Gesture):
    """Press a wire or a button on the sheet, and release on the same."""

    def __init__(
        self, canvas: CanvasContext, start: Pointer, found: Hit, act: Callable[[], object]
    ) -> None:
        super().__init__(canvas, start)
        self._found = found
        self._act = act

    def release(self, pointer: Pointer) -> None:
        """Run the action, if the pointer is still over the target."""
        now = hit(self.canvas.scene, pointer.sheet, self.canvas.camera.scale)
        if _target(now) == _target(self._found):
            self._act()

    @property
    def cursor(self) -> Qt.CursorShape:
        """Return the pointing hand."""
        return Qt.CursorShape.PointingHandCursor


def _target(found: Hit) -> object:
    """Return what a click acts on: a wire and its label count as one target."""
    return found.wire, found.group, found.part == "opener"
