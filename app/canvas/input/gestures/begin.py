"""Which gesture a press of the left button begins, by what lies under it and what is held."""

from __future__ import annotations

from PySide6.QtCore import Qt

from app.canvas.context.canvas_context import CanvasContext
from app.canvas.input.gestures.click import Click
from app.canvas.input.gestures.draw_wire import DrawWire
from app.canvas.input.gestures.gesture import Gesture, Pointer
from app.canvas.input.gestures.jump import Jump
from app.canvas.input.gestures.move_group import MoveGroup
from app.canvas.input.gestures.move_nodes import MoveNodes
from app.canvas.input.gestures.move_section import MoveSection
from app.canvas.input.gestures.press_button import PressButton
from app.canvas.input.gestures.resize_section import ResizeSection
from app.canvas.input.gestures.rubber_band import RubberBand
from app.canvas.input.gestures.scrub_value import ScrubValue
from app.canvas.overlay.zoom_buttons import MapAndZoom
from app.canvas.scene.hit_test import Hit
from app.document.grouping import members_of
from engine.graph import Wire


def begin_on_corner(view: CanvasContext, corner: MapAndZoom, pointer: Pointer) -> Gesture | None:
    """The gesture that starts on the map or a zoom button; None beside them."""
    button = corner.button_at(pointer.screen)
    if button is not None:
        return PressButton(view, pointer, corner.rect_of(button), button.act)
    found = corner.on_map(pointer.screen)
    return None if found is None else Jump(view, pointer, *found)


def begin(view: CanvasContext, pointer: Pointer, hit: Hit) -> Gesture:
    """The gesture that starts here."""
    if hit.wire is not None and hit.part != "slot":
        return _on_wire(view, pointer, hit, hit.wire)
    if hit.node is None:
        return _beside_nodes(view, pointer, hit)
    if hit.wire is not None:
        return _on_slot(view, pointer, hit, hit.wire)
    if hit.part == "output":
        if pointer.held(Qt.KeyboardModifier.ControlModifier):
            return DrawWire(view, pointer, all_of=hit.node)
        return DrawWire(view, pointer, source=hit.node)
    if hit.part == "number":
        return ScrubValue(view, pointer, hit.node)
    return MoveNodes(view, pointer, hit.node)


def _beside_nodes(view: CanvasContext, pointer: Pointer, hit: Hit) -> Gesture:
    if hit.group is not None:
        return _on_group(view, pointer, hit)
    if hit.section is None:
        return RubberBand(view, pointer)
    if hit.edges:
        return ResizeSection(view, pointer, hit.section, hit.edges)
    return MoveSection(view, pointer, hit.section)


def _on_group(view: CanvasContext, pointer: Pointer, hit: Hit) -> Gesture:
    group = hit.group
    assert group is not None
    if hit.part == "opener":
        return Click(view, pointer, hit, lambda: _open_or_close(view, group))
    return MoveGroup(view, pointer, members_of(view.document.sheet.groups, group))


def _open_or_close(view: CanvasContext, group: int) -> None:
    view.document.collapse_group(group, group in view.scene.visible.opened)


def _on_wire(view: CanvasContext, pointer: Pointer, hit: Hit, wire: Wire) -> Gesture:
    if pointer.held(Qt.KeyboardModifier.AltModifier):
        return _cut(view, pointer, hit, wire)
    return Click(view, pointer, hit, lambda: _click_wire(view, wire))


def _cut(view: CanvasContext, pointer: Pointer, hit: Hit, wire: Wire) -> Gesture:
    return Click(view, pointer, hit, lambda: view.document.disconnect_slot(*wire))


def _click_wire(view: CanvasContext, wire: Wire) -> None:
    """A click on a wire or its label chooses it; on a covered one it shows the number."""
    following = view.playback.frame.next_event
    if view.playback.covered and following is not None and following.wire == wire:
        view.playback.reveal()
    else:
        view.selection.choose((), (wire,))


def _on_slot(view: CanvasContext, pointer: Pointer, hit: Hit, wire: Wire) -> Gesture:
    source = view.document.graph.source(wire)
    if source is None:
        return DrawWire(view, pointer, wire=wire)
    if pointer.held(Qt.KeyboardModifier.AltModifier):
        return _cut(view, pointer, hit, wire)
    return DrawWire(view, pointer, source=source, old=wire)
