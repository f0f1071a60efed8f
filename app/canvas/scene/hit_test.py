"""Hit test: the part of the sheet under a point, and the content of drawn groups."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Literal

from msgspec import Struct
from PySide6.QtCore import QMarginsF, QPointF, QRectF

from app.canvas.appearance.detail import Detail
from app.canvas.appearance.group_look import title_growth
from app.canvas.layout.group_layout import grabbed_edges
from app.canvas.layout.spatial_index import sides_of
from app.canvas.scene.scene import Scene
from app.document.boxes import drawn_inside, lies_in, members_of
from app.document.node_sizes import capsule_middle, row_height
from app.style import sizes
from engine.graph import Constant, Leaf, Root, Wire

FRAME_TOLERANCE = 12.0
"""Distance in sheet px by which a node may exceed the group it lies in, since a pass widens it."""

Part = Literal[
    "canvas", "node", "number", "slot", "output", "wire", "label", "group", "opener", "frame"
]
"""A `number` is that of a leaf or constant, which a click edits; a `frame` is the title bar or an
edge of an open group, an `opener` the button that opens or closes it, a `canvas` nothing."""


class Hit(Struct, frozen=True):
    """The part under a point, with the node, wire or group that it belongs to."""

    part: Part = "canvas"
    node: int | None = None
    wire: Wire | None = None
    """The wire, or the slot (node, index) that it leads into, plugged or not."""
    group: int | None = None
    edges: str = ""
    """The edges of a group that a drag moves ("rb": right and bottom); "" on its title bar."""


NO_HIT = Hit()
MAX_REACH = sizes.NODE_ROW / 2
"""Largest reach of a slot or an output, in sheet px: half the distance to the next one."""
SCREEN_REACH, WIRE_SCREEN_REACH = 9.0, 6.0
"""Least reach of a slot or an output, and reach of a wire, in px on the screen."""
MIN_HIT_SCALE = 0.05
"""Scale below which targets do not grow any more on the sheet."""
INSIDE_SHARE = 0.9
"""Distance, as a share of the reach, that a point in the row of a slot has from it at most, or a
point on a node from the output: it is a hit, unless another one is nearer."""
PILL_EDGE = 6.0
"""Width of a pill's right edge, in sheet px, from which wires are drawn."""
FRAME_BAR_HEIGHT = 28.0
"""Height of the title bar of an opened group."""
FRAME_BUTTON_WIDTH = 30.0
"""Width of the button that closes the group, at the left end of its title bar."""
OUTSIDE = 4.0
"""By how much a capsule, with the space in which it can be hit, exceeds its node or group."""


def hit(scene: Scene, point: QPointF, scale: float) -> Hit:
    """Return the topmost part at a point; targets keep their screen size when zoomed out."""
    reach = max(sizes.CLICK_TARGET / 2, SCREEN_REACH / max(scale, MIN_HIT_SCALE))
    # slots and outputs first: they reach over the bodies of their own and of other nodes
    near = scene.node_index.within(_square(point, reach + OUTSIDE))
    for node in sorted(near, reverse=True):
        found = _slot_or_output_hit(scene, node, point, min(reach, MAX_REACH))
        if found is not None:
            return found
    for node in sorted(near, reverse=True):
        if scene.boxes[node].rect.contains(point):
            return Hit("number" if _on_number(scene, node, point) else "node", node)
    return (
        _group_hit(scene, point, min(reach, MAX_REACH))
        or _wire_hit(scene, point, scale)
        or _frame_hit(scene, point, scale)
        or NO_HIT
    )


def nearest_slot(scene: Scene, point: QPointF, reach: float) -> Wire | None:
    """Return the slot nearest to a point within reach, or None."""
    found: tuple[float, Wire] | None = None

    for node in scene.node_index.within(_square(point, reach + 20)):
        box = scene.boxes[node]
        for slot in range(len(scene.sheet.graph.inputs(node))):
            distance = _distance(box.slot(slot), point)
            off = abs(box.slot(slot).y() - point.y())
            inside = box.rect.contains(point) and off <= row_height(box.kind) / 2
            distance = min(distance, reach * INSIDE_SHARE) if inside else distance
            if distance <= reach and (found is None or distance < found[0]):
                found = (distance, (node, slot))
    for group, collapsed in scene.visible.collapsed.items():
        for index, (wire, *_others) in enumerate(collapsed.slots):
            distance = _distance(scene.group_boxes[group].slot(index), point)
            if distance <= reach and (found is None or distance < found[0]):
                found = (distance, wire)
    return found[1] if found else None


def nearest_output(scene: Scene, point: QPointF, reach: float) -> int | None:
    """Return the node whose output is nearest to a point within reach, or None."""
    found: tuple[float, int] | None = None
    for node in scene.node_index.within(_square(point, reach + 20)):
        if isinstance(scene.sheet.graph.nodes[node], Root):
            continue
        box = scene.boxes[node]
        distance = _distance(box.output(), point)
        if box.rect.contains(point):
            distance = min(distance, reach * INSIDE_SHARE)
        if distance <= reach and (found is None or distance < found[0]):
            found = (distance, node)
    for group, collapsed in scene.visible.collapsed.items():
        for index, node in enumerate(collapsed.outputs):
            distance = _distance(scene.group_boxes[group].output(index), point)
            if distance <= reach and (found is None or distance < found[0]):
                found = (distance, node)
    return found[1] if found else None


def wire_near(scene: Scene, point: QPointF, reach: float) -> Wire | None:
    """Return the wire that passes nearest to a point within reach, or None."""
    found: tuple[float, Wire] | None = None
    for wire in scene.wire_index.touching(sides_of(_square(point, reach))):
        distance = scene.courses[wire].distance(point, reach)
        if distance <= reach and (found is None or distance < found[0]):
            found = (distance, wire)
    return found[1] if found else None


def _slot_or_output_hit(scene: Scene, node: int, point: QPointF, reach: float) -> Hit | None:
    """Return the hit on a slot of a node or on its output."""
    box = scene.boxes[node]
    graph = scene.sheet.graph
    for slot, source in enumerate(graph.inputs(node)):
        at = box.slot(slot)
        # the reach ends 1 px before a pill, which is this far left of the slot
        left = sizes.LABEL_TO_SLOT - 1 if _is_pill(scene, source) else reach
        if -left <= point.x() - at.x() <= reach and abs(point.y() - at.y()) <= min(
            reach, MAX_REACH
        ):
            return Hit("slot", node, (node, slot))
    if isinstance(graph.nodes[node], Root):
        return None
    right = point.x() - box.x - box.w  # how far the point is right of the node
    if box.kind == "pill":  # its slot is close to it, and is hit up to its edge
        on_edge = box.rect.contains(point) and right >= -PILL_EDGE
        return Hit("output", node) if on_edge else None
    middle = box.y + capsule_middle(box.kind)
    on_capsule = abs(point.y() - middle) <= sizes.CAPSULE_HEIGHT / 2 + OUTSIDE
    # the capsule lies half on the node: there it is hit 9 px from the edge, outside as far as any
    if on_capsule and -9 <= right <= reach + 2:
        return Hit("output", node)
    return None


def _is_pill(scene: Scene, node: int | None) -> bool:
    return node is not None and node in scene.boxes and scene.boxes[node].kind == "pill"


def _on_number(scene: Scene, node: int, point: QPointF) -> bool:
    if not isinstance(scene.sheet.graph.nodes[node], Leaf | Constant):
        return False
    box = scene.boxes[node]
    return box.number_row.contains(point)


def _group_hit(scene: Scene, point: QPointF, reach: float) -> Hit | None:
    """Return the hit on a collapsed group, whose slots and outputs are those of its members."""
    for group, box in scene.group_boxes.items():
        if not box.rect.adjusted(-reach, 0, reach + OUTSIDE, 0).contains(point):
            continue
        hit_part = _group_slot_or_output(scene, group, point, reach)
        if hit_part is not None:
            return hit_part
        if box.opener.contains(point):
            return Hit("opener", group=group)
        if box.rect.contains(point):
            return Hit("group", group=group)
    return None


def _group_slot_or_output(scene: Scene, group: int, point: QPointF, reach: float) -> Hit | None:
    box, collapsed = scene.group_boxes[group], scene.visible.collapsed[group]
    for index, (wire, *_others) in enumerate(collapsed.slots):
        if _is_within(box.slot(index), point, reach):
            return Hit("slot", wire[0], wire)
    for index, node in enumerate(collapsed.outputs):
        if _is_within(box.output(index), point, reach):
            return Hit("output", node)
    return None


def _frame_hit(scene: Scene, point: QPointF, scale: float) -> Hit | None:
    """Return the hit on an open group: the smallest at whose title bar, or edge if drawn, it is."""
    growth = title_growth(max(scale, MIN_HIT_SCALE))
    found: tuple[float, int, QRectF] | None = None
    for group in scene.visible.opened:
        rect = scene.node_layout.groups.rect(group)
        on_bar = rect.contains(point) and point.y() - rect.top() <= FRAME_BAR_HEIGHT * growth
        if on_bar and (found is None or rect.width() < found[0]):
            found = (rect.width(), group, rect)
    if found is None:
        for group, rect in reversed(scene.node_layout.groups.drawn.items()):
            if (edges := grabbed_edges(rect, point, scale)) is not None:
                return Hit("frame", group=group, edges=edges)
        return None
    is_shown = scene.detail(scale) >= Detail.NUMBERS
    on_button = is_shown and point.x() - found[2].left() <= FRAME_BUTTON_WIDTH * growth
    return Hit("opener" if on_button else "frame", group=found[1])


def _is_within(at: QPointF, point: QPointF, reach: float) -> bool:
    return abs(point.x() - at.x()) <= reach and abs(point.y() - at.y()) <= reach


def _wire_hit(scene: Scene, point: QPointF, scale: float) -> Hit | None:
    if scene.labels.any_shown and scene.detail(scale) >= Detail.NUMBERS:
        y, half = point.y(), sizes.LABEL / 2
        for wire in scene.wire_index.within(_square(point, 4)):
            if abs(scene.courses[wire].y - y) <= half:  # else its label is not even read
                rect = scene.labels.rect(wire)
                if rect is not None and rect.contains(point):
                    return Hit("label", None, wire)
    # below a scale of 0.2 the reach on the sheet grows no further, or it would cover all of it
    wire = wire_near(scene, point, WIRE_SCREEN_REACH / max(scale, 0.2))
    return None if wire is None else Hit("wire", None, wire)


def _square(point: QPointF, reach: float) -> QRectF:
    return QRectF(point.x() - reach, point.y() - reach, 2 * reach, 2 * reach)


def _distance(a: QPointF, b: QPointF) -> float:
    return math.hypot(a.x() - b.x(), a.y() - b.y())


def content(scene: Scene, frames: Iterable[int]) -> tuple[frozenset[int], frozenset[int]]:
    """Return the nodes and drawn groups that lie in drawn groups, with those groups themselves."""
    drawn, nodes = scene.sheet.drawn, set[int]()
    chosen = drawn.keys() & frames
    for rect in map(drawn.__getitem__, chosen):
        outer = QRectF(*rect).marginsAdded(QMarginsF(*[FRAME_TOLERANCE] * 4))
        for node in scene.node_index.within(outer):
            box = scene.boxes[node]
            if lies_in((box.x, box.y, box.w, sizes.NODE_HEIGHT), rect, FRAME_TOLERANCE):
                nodes.add(node)
        for group, found in scene.group_boxes.items():
            if outer.contains(found.rect):
                nodes |= members_of(scene.sheet.groups, group)
    return frozenset(nodes), frozenset(chosen).union(*(drawn_inside(drawn, n) for n in chosen))
