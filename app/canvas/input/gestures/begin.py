"""Chooses the gesture that a press of the left button begins."""

from __future__ import annotations

from PySide6.QtCore import Qt

from app.canvas.context.canvas_context import CanvasContext
from app.canvas.input.gestures.click import Click
from app.canvas.input.gestures.drag import Drag, Held
from app.canvas.input.gestures.draw_wire import AddAtEnd, DrawWire, LooseEnd
from app.canvas.input.gestures.fire_node import FireNode
from app.canvas.input.gestures.gesture import Gesture, Pointer
from app.canvas.input.gestures.pan import Pan
from app.canvas.input.gestures.refuse_drag import RefuseDrag
from app.canvas.input.gestures.rubber_band import RubberBand
from app.canvas.input.gestures.scrub_value import ScrubValue
from app.canvas.scene.hit_test import Hit
from app.document.grouping import members_of
from engine.graph import Wire


def begin(canvas: CanvasContext, pointer: Pointer, hit: Hit, add: AddAtEnd) -> Gesture:
    """Return the gesture that starts here; `add` asks what to add where a wire ends on nothing."""
    if hit.wire is not None and hit.part != "slot":
        return _on_wire(canvas, pointer, hit, hit.wire)
    if canvas.document.locked:
        on_number = hit.part == "number" and not canvas.playback.now.takes_clicks
        return RefuseDrag(canvas, pointer) if on_number else Pan(canvas, pointer)
    if hit.node is None:
        return _beside_nodes(canvas, pointer, hit)
    if hit.wire is not None:
        return _on_slot(canvas, pointer, hit, hit.wire, add)
    if hit.part == "output":
        if pointer.held(Qt.KeyboardModifier.ControlModifier):
            return DrawWire(canvas, pointer, LooseEnd(all_of=hit.node), add)
        return DrawWire(canvas, pointer, LooseEnd(source=hit.node), add)
    return _on_node(canvas, pointer, hit, hit.node)


def _on_node(canvas: CanvasContext, pointer: Pointer, hit: Hit, node: int) -> Gesture:
    if hit.part == "number":
        return ScrubValue(canvas, pointer, node)
    if canvas.playback.now.takes_clicks:
        return FireNode(canvas, pointer, Held(node))
    return Drag(canvas, pointer, Held(node))


def _beside_nodes(canvas: CanvasContext, pointer: Pointer, hit: Hit) -> Gesture:
    if hit.group is not None:
        return _on_group(canvas, pointer, hit)
    if hit.section is None:
        return RubberBand(canvas, pointer)
    return Drag(canvas, pointer, Held(section=hit.section, edges=hit.edges))


def _on_group(canvas: CanvasContext, pointer: Pointer, hit: Hit) -> Gesture:
    group = hit.group
    assert group is not None
    if hit.part == "opener":
        return Click(canvas, pointer, hit, lambda: _open_or_close(canvas, group))
    members = members_of(canvas.document.sheet.groups, group)
    return Drag(canvas, pointer, Held(group=members))


def _open_or_close(canvas: CanvasContext, group: int) -> None:
    canvas.document.groups.collapse(group, group in canvas.scene.visible.opened)


def _on_wire(canvas: CanvasContext, pointer: Pointer, hit: Hit, wire: Wire) -> Gesture:
    if _cuts(pointer):
        return _cut(canvas, pointer, hit, wire)
    return Click(canvas, pointer, hit, lambda: _click_wire(canvas, wire))


def _cuts(pointer: Pointer) -> bool:
    """Return whether a click unplugs: with Alt, or with Ctrl and Shift where Alt moves windows."""
    ctrl_shift = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    return pointer.held(Qt.KeyboardModifier.AltModifier) or (
        pointer.modifiers & ctrl_shift == ctrl_shift
    )


def _cut(canvas: CanvasContext, pointer: Pointer, hit: Hit, wire: Wire) -> Gesture:
    return Click(canvas, pointer, hit, lambda: canvas.document.wires.disconnect(*wire))


def _click_wire(canvas: CanvasContext, wire: Wire) -> None:
    """Select the clicked wire; if its number is asked for, reveal it or go to its blank."""
    following, modes = canvas.playback.frame.next_event, canvas.modes
    if modes.question is None or following is None or following.wire != wire:
        canvas.selection.choose((), (wire,))
    else:
        modes.reveal()


def _on_slot(
    canvas: CanvasContext, pointer: Pointer, hit: Hit, wire: Wire, add: AddAtEnd
) -> Gesture:
    source = canvas.document.graph.source(wire)
    if source is None:
        return DrawWire(canvas, pointer, LooseEnd(wire=wire), add)
    if _cuts(pointer):
        return _cut(canvas, pointer, hit, wire)
    return DrawWire(canvas, pointer, LooseEnd(source=source, old=wire), add)
