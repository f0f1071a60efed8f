"""NewNode: position and wires of a node to be added; insertion into a wire; its preview.

A leaf or a constant goes into a free slot of the selected node, left of it; any other node is put
right of the selected one, which feeds it. Nodes on the sheet stay where they are.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple, TypeVar

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from app.canvas.appearance.detail import Detail
from app.canvas.context.camera import MARGINS
from app.canvas.context.canvas_context import CanvasContext
from app.canvas.layout.drawn_course import course
from app.canvas.layout.group_layout import as_rect
from app.canvas.layout.node_box import Box
from app.canvas.layout.text_sizes import TYPICAL_LABEL_WIDTH
from app.document.document import NO_SHIFT, Shift
from app.document.node_sizes import node_size, row_middle
from app.document.placement import DOWN_AND_UP, ROOT_GAP, ROW_PITCH, column_gap, free_block, snapped
from app.document.sheet import Point
from app.style import sizes
from app.style.strokes import pen, rounded
from app.style.theme import faded
from engine.graph import Constant, Leaf, Node, OpNode, Root, Wire, kind_of

ROW_GAP = 24.0
"""Least distance of a new node from others, in sheet px."""
MAX_COLUMN_SHIFT = 72.0
"""Largest shift of a new node, in sheet px, that aligns its left edge with others."""


class NewNode(NamedTuple):
    """A node to be added, with its place and its wires."""

    node: Node
    position: Point
    """Its upper left corner."""
    source: int | None = None
    """The node that feeds it."""
    wire: Wire | None = None
    """The slot that it feeds; with a `source` the wire between both, which it is inserted into."""
    becomes_selected: bool = True
    """Whether it is selected once it is added.

    A leaf at a slot of the selected node is not: the node stays selected for its next slot.
    """

    @property
    def rect(self) -> QRectF:
        """Return its rectangle on the sheet, without a ledger."""
        return QRectF(*self.position, *node_size(self.node)[:2])

    def slot(self, slot: int = 0) -> QPointF:
        x, y = self.position
        return QPointF(x, y + row_middle(kind_of(self.node), slot))

    @property
    def output(self) -> QPointF:
        """Return the middle of its right edge."""
        rect = self.rect
        return QPointF(rect.right(), rect.center().y())


def next_to_selected(canvas: CanvasContext, node: Node, at: QPointF, wired: bool = True) -> NewNode:
    """Plan a node at the selected node, or at the point if none is selected."""
    graph, selected = canvas.document.graph, canvas.selection.only
    box = None if selected is None else canvas.scene.boxes.get(selected)
    if selected is None or box is None:
        return at_point(canvas, node, at)
    slots = graph.inputs(selected)
    before_root = isinstance(graph.nodes[selected], Root) and isinstance(node, OpNode)
    if wired and None in slots and (isinstance(node, Leaf | Constant) or before_root):
        wire = (selected, slots.index(None))
        position = _free_position(canvas, node, _left_of(canvas, node, box, wire))
        return NewNode(node, position, wire=wire, becomes_selected=before_root)
    feeds = wired and node.inputs and not isinstance(graph.nodes[selected], Root)
    position = _free_position(canvas, node, _right_of(canvas, node, box))
    return NewNode(node, position, selected if feeds else None)


def at_point(canvas: CanvasContext, node: Node, at: QPointF) -> NewNode:
    """Plan a node at a sheet point, moved until it covers nothing."""
    return NewNode(node, _free_position(canvas, node, corner_for(node, at), upright=False))


def at_wire_end(
    canvas: CanvasContext, node: Node, at: QPointF, source: int | None, wire: Wire | None
) -> NewNode:
    """Plan a node at the free end of a wire."""
    wide, high, _left = node_size(node)
    corner = (at.x() if source is not None else at.x() - wide, at.y() - high / 2)
    return NewNode(node, _free_position(canvas, node, corner), source, wire)


def corner_for(node: Node, middle: QPointF) -> Point:
    """Return the upper left corner of a new node that is centred on a sheet point."""
    return snapped((middle.x() - node_size(node)[0] / 2, middle.y() - sizes.NODE_HEIGHT / 2))


def free_corner(
    canvas: CanvasContext, corner: Point, size: tuple[float, float], past_frames: bool = True
) -> Point:
    """Return the free position nearest to a corner for a block of this size."""
    layout = canvas.scene.node_layout
    taken = [*layout.block_rects, *(layout.groups.drawn.values() if past_frames else ())]
    return snapped(free_block([as_rect(rect) for rect in taken], (*corner, *size), ROW_GAP))


def bring_into_view(canvas: CanvasContext, added: QRectF, margin_right: float = 0.0) -> None:
    """Scroll so that a new node is in view, and all others too if they fit and can be read.

    If it fits as well, `margin_right` is kept free right of the new node, in sheet px.
    """
    camera, scene = canvas.camera, canvas.scene
    margins, area = MARGINS / camera.scale, camera.uncovered_area
    everything = scene.bounds().united(added)
    wider = everything.united(added.adjusted(0.0, 0.0, margin_right, 0.0)).marginsAdded(margins)
    wanted = wider if wider.width() <= area.width() else everything.marginsAdded(margins)
    if added.isEmpty() or area.contains(wanted):
        return
    shrunk = min(area.width() / wanted.width(), area.height() / wanted.height())
    if shrunk >= 1.0:
        camera.bring_into_view(wanted, QPointF)
    elif scene.detail(camera.scale * shrunk) == Detail.WHOLE:  # everything can still be read
        camera.fit(everything, canvas.framing.beside_panel(MARGINS), camera.zoom)
    elif not area.marginsRemoved(margins).contains(added):
        camera.bring_into_view(added.marginsAdded(margins), QPointF)


def _right_of(canvas: CanvasContext, node: Node, box: Box) -> Point:
    """Return the position right of a node, beyond the label of the wire between them."""
    gap = ROOT_GAP if isinstance(node, Root) else column_gap(TYPICAL_LABEL_WIDTH)
    x = _up_to_grid(box.rect.right() + gap)
    return (_in_column(canvas, wanted=x, first=x, last=x + MAX_COLUMN_SHIFT), box.y)


def _left_of(canvas: CanvasContext, node: Node, box: Box, wire: Wire) -> Point:
    """Return the position left of a node, at the height of its slot."""
    gap = ROOT_GAP if box.kind == "root" else column_gap(TYPICAL_LABEL_WIDTH)
    slots = len(canvas.document.graph.inputs(wire[0]))
    # the sources of all its slots fit below one another, centred on the node
    last = -_up_to_grid(gap + node_size(node)[0] - box.x)  # down to the grid, away from the node
    y = box.y + (wire[1] - (slots - 1) / 2) * ROW_PITCH
    return (_in_column(canvas, wanted=last, first=last - MAX_COLUMN_SHIFT, last=last), y)


def _in_column(canvas: CanvasContext, wanted: float, first: float, last: float) -> float:
    """Return the x from first to last, nearest to the wanted one, at which other nodes begin.

    That is the wanted one if there is no other.
    """
    lefts = [box.x for box in canvas.scene.boxes.values() if box.kind != "pill"]
    aligned = [x for x in lefts if first <= x <= last]
    return min(aligned, key=lambda x: abs(x - wanted), default=wanted)


def _free_position(canvas: CanvasContext, node: Node, corner: Point, upright: bool = True) -> Point:
    """Return the nearest position that covers nothing; `upright` keeps it in its column."""
    taken = [as_rect(rect) for rect in canvas.scene.node_layout.block_rects]
    wanted_rect = (*snapped(corner), *node_size(node)[:2])
    position = free_block(taken, wanted_rect, ROW_GAP, DOWN_AND_UP) if upright else None
    # anywhere, if nothing in the column is free
    return snapped(position or free_block(taken, wanted_rect, ROW_GAP))


def _up_to_grid(x: float) -> float:
    return math.ceil(x / sizes.GRID) * float(sizes.GRID)


Result = TypeVar("Result")


def edit_keeping_room(canvas: CanvasContext, edit: Callable[[int], Result]) -> Result:
    """Call `edit`, and move apart the nodes that it makes larger, in one undo step.

    `edit` is called with a gesture, the number by which the document joins edits into a step, and
    returns something true if it has changed anything. Nodes stay if some overlapped before.
    """
    layout, document = canvas.scene.node_layout, canvas.document
    had_room = not layout.moves_for_room()
    result = edit(document.new_gesture())
    if had_room and result:
        document.make_way(layout.moves_for_room())
    return result


def position_in_wire(
    canvas: CanvasContext, node: Node, wanted_position: Point, wire: Wire, number: int | None = None
) -> tuple[Point, Shift]:
    """Return the position of a node in a wire, and the shift of everything right of it.

    It is as near to `wanted_position` as other nodes and the labels of its wires allow. `number`
    is its id, if it is on the sheet already.
    """
    layout, graph = canvas.scene.node_layout, canvas.document.graph
    source = graph.source(wire)
    before = layout.bounds_of([] if source is None else [source])
    behind = layout.bounds_of([wire[0]])
    if before.right() > behind.left():  # the wire runs back, to the next band
        return wanted_position, NO_SHIFT
    gap = column_gap(TYPICAL_LABEL_WIDTH)
    gap_behind = ROOT_GAP if isinstance(graph.nodes[wire[0]], Root) else gap
    wide, high, _left = node_size(node)
    if number is not None and number in layout.boxes:
        wide, high = layout.boxes[number].w, layout.boxes[number].h
    x = max(min(wanted_position[0], behind.left() - gap_behind - wide), before.right() + gap)
    missing = max(x + wide + gap_behind - behind.left(), 0.0)
    shift = math.ceil(missing / sizes.GRID) * float(sizes.GRID)
    obstacles = [
        box.rect
        for other, box in layout.boxes.items()
        if other != number and (not shift or box.x < behind.left())
    ]
    wanted_rect = (x, wanted_position[1], wide, high)
    corner = free_block(map(as_rect, obstacles), wanted_rect, ROW_GAP, DOWN_AND_UP)
    return corner, _moved_right(canvas, behind.left(), shift, number) if shift else NO_SHIFT


def planned_in_wire(canvas: CanvasContext, node: Node, wire: Wire) -> NewNode:
    """Plan a node in the middle of a wire."""
    middle = canvas.scene.courses[wire].path.pointAtPercent(0.5)
    place, _shift = position_in_wire(canvas, node, corner_for(node, middle), wire)
    return NewNode(node, place, canvas.document.graph.source(wire), wire)


def insert_new(
    canvas: CanvasContext, node: Node, place: Point, wire: Wire, slot: int = 0
) -> int | None:
    """Insert a new node into a wire, by this slot, and select it; returns its id."""
    place, shift = position_in_wire(canvas, node, place, wire)
    wires = canvas.document.wires
    number = edit_keeping_room(
        canvas, lambda g: wires.insert_new(node, place, wire, slot, shift, g)
    )
    if number is not None:
        canvas.selection.choose((number,), by_edit=True)
    return number


def _moved_right(canvas: CanvasContext, left: float, shift: float, number: int | None) -> Shift:
    """Return nodes and drawn groups from `left` on, shifted to the right."""
    layout, positions = canvas.scene.node_layout, canvas.document.positions
    right = [k for k, box in layout.boxes.items() if box.x >= left and box.kind != "pill"]
    moved = frozenset[int]().union(*(canvas.scene.item(key).members for key in right))
    places = {n: (positions[n][0] + shift, positions[n][1]) for n in moved - {number}}
    rects = {
        group: as_rect(rect.translated(shift, 0.0))
        for group, rect in layout.groups.drawn.items()
        if rect.left() >= left
    }
    return Shift(places, rects)


def selected_wire(canvas: CanvasContext) -> Wire | None:
    """Return the wire that is selected, if it is drawn and nothing else is selected."""
    selection = canvas.selection
    wires = selection.wires & canvas.scene.courses.keys()
    alone = len(selection.wires) == 1 and not selection.nodes and not selection.frames
    return next(iter(wires), None) if alone else None


DASHES = (7.0, 4.0)
"""Dash pattern of previewed nodes and wires, in line widths."""


def paint_new_node(
    painter: QPainter,
    canvas: CanvasContext,
    new: NewNode | None,
    source: int | None,
    wire: Wire | None,
    at: QPointF,
) -> None:
    """Paint the outline of a node and its wire; without a node, the wire with its end at `at`."""
    layout, color = canvas.scene.node_layout, canvas.theme.selection
    start, end = at, at
    if new is not None:
        source, wire = new.source, new.wire
        outline = rounded(new.rect, sizes.RADIUS_NODE, sizes.RADIUS_NODE)
        painter.fillPath(outline, faded(color, 0.08))
        painter.strokePath(outline, pen(color, sizes.WIRE_PREVIEW / 2, DASHES))
        start, end = new.output, new.slot()
    pairs: list[tuple[QPointF, QPointF]] = []
    if source is not None:
        pairs.append((layout.output(source) or start, end))
    if wire is not None:
        pairs.append((start, layout.slot_point(wire) or end))
    for ends in pairs:
        painter.strokePath(course(*ends).path, pen(color, sizes.WIRE_PREVIEW, DASHES))
