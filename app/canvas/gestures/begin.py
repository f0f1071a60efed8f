"""Which gesture a press of the left button begins, by what lies under it and what is held."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from app.canvas.gestures.draw_wire import DrawWire
from app.canvas.gestures.gesture import Gesture, Pointer
from app.canvas.gestures.move_nodes import MoveNodes
from app.canvas.gestures.rubber_band import RubberBand
from app.canvas.gestures.scrub_value import ScrubValue
from app.canvas.hits import Hit

if TYPE_CHECKING:
    from app.canvas.view import CanvasView


def begin(view: CanvasView, pointer: Pointer, hit: Hit) -> Gesture | None:
    """The gesture that starts here, or None where a press does something at once."""
    if hit.wire is not None and pointer.held(Qt.KeyboardModifier.AltModifier):
        view.document.disconnect_slot(*hit.wire)
        return None
    if hit.part == "output":
        assert hit.node is not None
        if pointer.held(Qt.KeyboardModifier.ControlModifier):
            return DrawWire(view, pointer, all_of=hit.node)
        return DrawWire(view, pointer, source=hit.node)
    if hit.part == "slot":
        assert hit.wire is not None
        source = view.document.graph.source(hit.wire)
        if source is None:
            return DrawWire(view, pointer, wire=hit.wire)
        return DrawWire(view, pointer, source=source, old=hit.wire)
    if hit.part == "number":
        assert hit.node is not None
        return ScrubValue(view, pointer, hit.node)
    if hit.part == "node":
        assert hit.node is not None
        return MoveNodes(view, pointer, hit.node)
    if hit.wire is not None:
        view.press_wire(hit, pointer)
        return None
    return RubberBand(view, pointer)
