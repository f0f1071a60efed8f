"""Makes room for a new node: in a wire, and where the nodes around it become larger."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeVar

from app.canvas.context.canvas_context import CanvasContext
from app.canvas.editing.new_node import ROW_GAP, NewNode, corner_for
from app.canvas.layout.group_layout import as_rect
from app.canvas.layout.text_sizes import USUAL_LABEL
from app.document.node_sizes import node_size
from app.document.placement import ROOT_GAP, VERTICAL, free_block, gap_for
from app.document.sheet import Point
from app.document.wire_edits import AS_IT_IS, Room
from app.style import sizes
from engine.graph import Node, Root, Wire

Made = TypeVar("Made")


def keep_room(canvas: CanvasContext, edit: Callable[[int], Made]) -> Made:
    """Call `edit` with a gesture, and move nodes apart that it has made larger, in one step.

    They stay where they are if they had not all the room they need before.
    """
    layout, document = canvas.scene.node_layout, canvas.document
    had_room = not layout.places_with_room()
    result = edit(document.new_gesture())
    if had_room and result:
        document.make_way(layout.places_with_room())
    return result


def room_in_wire(
    canvas: CanvasContext, node: Node, place: Point, wire: Wire, number: int | None = None
) -> tuple[Point, Room]:
    """Return where a node goes, and how far all that is right of it moves to make room.

    It stays as near to `place` as other nodes and the labels of its wires allow. `number` is its
    id, if it is on the sheet already.
    """
    layout, graph = canvas.scene.node_layout, canvas.document.graph
    source = graph.source(wire)
    before = layout.around([] if source is None else [source])
    behind = layout.around([wire[0]])
    if before.right() > behind.left():  # the wire runs back, to the next band
        return place, AS_IT_IS
    gap = gap_for(USUAL_LABEL)
    gap_behind = ROOT_GAP if isinstance(graph.nodes[wire[0]], Root) else gap
    wide, high, _left = node_size(node)
    if number is not None and number in layout.boxes:
        wide, high = layout.boxes[number].w, layout.boxes[number].h
    x = max(min(place[0], behind.left() - gap_behind - wide), before.right() + gap)
    lack = max(x + wide + gap_behind - behind.left(), 0.0)
    shift = math.ceil(lack / sizes.GRID) * float(sizes.GRID)
    standing = [
        box.rect
        for other, box in layout.boxes.items()
        if other != number and (not shift or box.x < behind.left())
    ]
    wanted = (x, place[1], wide, high)
    corner = free_block(map(as_rect, standing), wanted, ROW_GAP, VERTICAL)
    return corner, _moved_right(canvas, behind.left(), shift, number) if shift else AS_IT_IS


def planned_in_wire(canvas: CanvasContext, node: Node, wire: Wire) -> NewNode:
    """Return where a node goes that is inserted into a wire: in its middle."""
    middle = canvas.scene.courses[wire].path.pointAtPercent(0.5)
    place, _room = room_in_wire(canvas, node, corner_for(node, middle), wire)
    return NewNode(node, place, canvas.document.graph.source(wire), wire)


def insert_new(
    canvas: CanvasContext, node: Node, place: Point, wire: Wire, slot: int = 0
) -> int | None:
    """Insert a new node into a wire, by this slot, and select it; returns its id."""
    place, room = room_in_wire(canvas, node, place, wire)
    wires = canvas.document.wires
    number = keep_room(canvas, lambda g: wires.insert_new(node, place, wire, slot, room, g))
    if number is not None:
        canvas.selection.choose((number,), made=True)
    return number


def _moved_right(canvas: CanvasContext, left: float, shift: float, number: int | None) -> Room:
    """Return where everything that begins at `left` or right of it is after a shift."""
    layout, positions = canvas.scene.node_layout, canvas.document.positions
    moved = {n for n, box in layout.boxes.items() if box.x >= left and box.kind != "pill"}
    for group, folded in canvas.scene.visible.folded.items():
        if layout.group_boxes[group].x >= left:
            moved |= folded.members
    places = {n: (positions[n][0] + shift, positions[n][1]) for n in moved - {number}}
    rects = {
        section: as_rect(rect.translated(shift, 0.0))
        for section, rect in layout.sections.rects.items()
        if rect.left() >= left
    }
    return Room(places, rects)


def selected_wire(canvas: CanvasContext) -> Wire | None:
    """Return the wire that is selected, if it is drawn and nothing else is selected."""
    selection = canvas.selection
    wires = selection.wires & canvas.scene.courses.keys()
    alone = len(selection.wires) == 1 and not selection.nodes and not selection.sections
    return next(iter(wires), None) if alone else None
