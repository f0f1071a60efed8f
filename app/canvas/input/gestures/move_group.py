"""Move a group together with its members."""

from __future__ import annotations

from PySide6.QtCore import Qt

from app.canvas.context.canvas_context import CanvasContext
from app.canvas.input.gestures.gesture import Pointer
from app.canvas.input.gestures.move_nodes import MoveNodes
from app.document.sheet import Point
from engine.graph import Wire


class MoveGroup(MoveNodes):
    """Drag a collapsed group, or the title bar of an opened one; a click selects its members."""

    def __init__(self, canvas: CanvasContext, start: Pointer, members: frozenset[int]) -> None:
        super().__init__(canvas, start, min(members))
        self._members = members

    def _begin(self) -> None:
        self._moved = True
        selection = self.canvas.selection
        if not self._members <= selection.nodes:
            selection.choose(self._members)
        self._take_along()

    def _click(self, pointer: Pointer) -> None:
        selection = self.canvas.selection
        if pointer.held(Qt.KeyboardModifier.ControlModifier):
            selection.choose(selection.nodes ^ self._members)
        elif pointer.held(Qt.KeyboardModifier.ShiftModifier):
            selection.add(self._members)
        else:
            selection.choose(self._members)

    def _guided(self, x: float, y: float, snapped: Point) -> Point:
        return snapped

    def _wire_below(self, pointer: Pointer) -> Wire | None:
        return None
