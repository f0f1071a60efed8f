"""NewNode: where a node that is added goes, and what it is wired to.

A leaf or a constant goes into a free slot of the selected node, left of it; any other node stands
right of the selected one and is fed by it. Nodes on the sheet stay where they are.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF

from app.canvas.appearance.detail import Detail
from app.canvas.context.canvas_context import CanvasContext
from app.canvas.context.framing import MARGINS
from app.canvas.layout.group_layout import as_rect
from app.canvas.layout.node_box import Box
from app.canvas.layout.text_sizes import USUAL_LABEL
from app.document.node_sizes import node_size, row_middle
from app.document.placement import ROOT_GAP, ROW, VERTICAL, free_block, gap_for, snapped
from app.document.sheet import Point
from app.style import sizes
from engine.graph import Constant, Leaf, Node, OpNode, Root, Wire, kind_of

ROW_GAP = 24.0
"""Least distance of a new node from others, in sheet px."""
ASIDE = 72.0
"""Distance in sheet px by which a new node is shifted at most to begin where others begin."""


class NewNode(NamedTuple):
    """A node with its upper left corner, fed by `source` or feeding `wire`; both if inserted there.

    `chosen` tells whether it is selected once it is added.
    """

    node: Node
    place: Point
    source: int | None = None
    wire: Wire | None = None
    chosen: bool = True

    @property
    def rect(self) -> QRectF:
        """Return its rectangle on the sheet, without a ledger."""
        return QRectF(*self.place, *node_size(self.node)[:2])

    def slot(self, slot: int = 0) -> QPointF:
        """Return the middle of one of its slots."""
        x, y = self.place
        return QPointF(x, y + row_middle(kind_of(self.node), slot))

    @property
    def output(self) -> QPointF:
        """Return the middle of its right edge."""
        rect = self.rect
        return QPointF(rect.right(), rect.center().y())


def next_to_selected(canvas: CanvasContext, node: Node, at: QPointF, wired: bool = True) -> NewNode:
    """Return where a node goes: to the selected node, or to the point where none is selected."""
    graph, selected = canvas.document.graph, canvas.selection.only
    box = None if selected is None else canvas.scene.boxes.get(selected)
    if selected is None or box is None:
        return at_point(canvas, node, at)
    slots = graph.inputs(selected)
    before_root = isinstance(graph.nodes[selected], Root) and isinstance(node, OpNode)
    if wired and None in slots and (isinstance(node, Leaf | Constant) or before_root):
        wire = (selected, slots.index(None))
        place = _free(canvas, node, _before(canvas, node, box, wire))
        return NewNode(node, place, wire=wire, chosen=before_root)
    fed = wired and node.inputs and not isinstance(graph.nodes[selected], Root)
    place = _free(canvas, node, _after(canvas, node, box))
    return NewNode(node, place, selected if fed else None)


def at_point(canvas: CanvasContext, node: Node, at: QPointF) -> NewNode:
    """Return where a node goes that is added at a sheet point, where it covers nothing."""
    return NewNode(node, _free(canvas, node, corner_for(node, at), upright=False))


def at_wire_end(
    canvas: CanvasContext, node: Node, at: QPointF, source: int | None, wire: Wire | None
) -> NewNode:
    """Return where a node goes that is added at the free end of a wire."""
    wide, high, _left = node_size(node)
    corner = (at.x() if source is not None else at.x() - wide, at.y() - high / 2)
    return NewNode(node, _free(canvas, node, corner), source, wire)


def corner_for(node: Node, middle: QPointF) -> Point:
    """Return the upper left corner of a new node that is centred on a sheet point."""
    return snapped((middle.x() - node_size(node)[0] / 2, middle.y() - sizes.NODE_HEIGHT / 2))


def free_corner(
    canvas: CanvasContext, corner: Point, size: tuple[float, float], past_sections: bool = True
) -> Point:
    """Return the free position nearest to a corner for a block of this size."""
    layout = canvas.scene.node_layout
    taken = [*layout.extents, *(layout.sections.rects.values() if past_sections else ())]
    return snapped(free_block([as_rect(rect) for rect in taken], (*corner, *size), ROW_GAP))


def bring_into_view(canvas: CanvasContext, added: QRectF, beside: float = 0.0) -> None:
    """Scroll so that a new node is in view, and all others too if they fit and can be read.

    If it fits as well, `beside` is kept free right of the new node, in sheet px.
    """
    camera, scene = canvas.camera, canvas.scene
    margins = MARGINS / camera.scale
    area, everything = camera.visible_area, scene.bounds().united(added)
    wider = everything.united(added.adjusted(0.0, 0.0, beside, 0.0)).marginsAdded(margins)
    wanted = wider if wider.width() <= area.width() else everything.marginsAdded(margins)
    if added.isEmpty() or area.contains(wanted):
        return
    shrunk = min(area.width() / wanted.width(), area.height() / wanted.height())
    if shrunk >= 1.0:
        camera.bring_in(wanted, QPointF)
    elif scene.detail(camera.scale * shrunk) == Detail.WHOLE:
        camera.fit(everything, MARGINS, camera.zoom)
    elif not area.marginsRemoved(margins).contains(added):
        camera.bring_in(added.marginsAdded(margins), QPointF)


def _after(canvas: CanvasContext, node: Node, box: Box) -> Point:
    """Return the position right of a node, beyond the label of the wire between them."""
    gap = ROOT_GAP if isinstance(node, Root) else gap_for(USUAL_LABEL)
    x = _up_to_grid(box.rect.right() + gap)
    return (_in_column(canvas, x, x, x + ASIDE), box.y)


def _before(canvas: CanvasContext, node: Node, box: Box, wire: Wire) -> Point:
    """Return the position left of a node, at the height of its slot."""
    gap = ROOT_GAP if box.kind == "root" else gap_for(USUAL_LABEL)
    slots = len(canvas.document.graph.inputs(wire[0]))
    last = -_up_to_grid(gap + node_size(node)[0] - box.x)
    y = box.y + (wire[1] - (slots - 1) / 2) * ROW
    return (_in_column(canvas, last, last - ASIDE, last), y)


def _in_column(canvas: CanvasContext, wanted: float, first: float, last: float) -> float:
    """Return the x nearest to the wanted one at which other nodes begin, else the wanted one."""
    lefts = [box.x for box in canvas.scene.boxes.values() if box.kind != "pill"]
    near = [x for x in lefts if first <= x <= last]
    return min(near, key=lambda x: abs(x - wanted), default=wanted)


def _free(canvas: CanvasContext, node: Node, corner: Point, upright: bool = True) -> Point:
    """Return the nearest position that covers nothing; `upright` keeps it in its column."""
    taken = [as_rect(rect) for rect in canvas.scene.node_layout.extents]
    wanted = (*snapped(corner), *node_size(node)[:2])
    place = free_block(taken, wanted, ROW_GAP, VERTICAL) if upright else None
    return snapped(place or free_block(taken, wanted, ROW_GAP))


def _up_to_grid(x: float) -> float:
    return math.ceil(x / sizes.GRID) * float(sizes.GRID)
