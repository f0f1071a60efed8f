"""Hit test: the part of the sheet under a point, and the content of drawn groups."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Literal

from msgspec import Struct
from PySide6.QtCore import QMarginsF, QPointF, QRectF

from app.canvas.appearance.detail import Detail
from app.canvas.appearance.group_look import title_growth
from app.canvas.appearance.items import GroupKey, ItemKey, painting_order
from app.canvas.layout.group_layout import grabbed_edges
from app.canvas.layout.node_box import Box
from app.canvas.layout.spatial_index import sides_of
from app.canvas.scene.scene import Scene
from app.document.boxes import drawn_inside, lies_in
from app.document.node_sizes import row_height
from app.style import sizes
from engine.graph import Constant, Leaf, Wire

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
    # slots and outputs first: they reach over the bodies of their own and of other items
    near = _near(scene, point, reach + OUTSIDE)
    for key in near:
        found = _slot_or_output_hit(scene, key, point, min(reach, MAX_REACH))
        if found is not None:
            return found
    for key in near:
        if scene.boxes[key].rect.contains(point):
            return _body_hit(scene, key, point)
    return _wire_hit(scene, point, scale) or _frame_hit(scene, point, scale) or NO_HIT


def nearest_slot(scene: Scene, point: QPointF, reach: float) -> Wire | None:
    found: tuple[float, Wire] | None = None
    for key in _near(scene, point, reach + 20):
        box = scene.boxes[key]
        for slot, wires in enumerate(scene.item(key).slots):
            distance = _distance(box.slot(slot), point)
            off = abs(box.slot(slot).y() - point.y())
            inside = _is_on_node(box, point) and off <= row_height(box.kind) / 2
            distance = min(distance, reach * INSIDE_SHARE) if inside else distance
            if distance <= reach and (found is None or distance < found[0]):
                found = (distance, wires[0])
    return found[1] if found else None


def nearest_output(scene: Scene, point: QPointF, reach: float) -> int | None:
    """Return the node whose output is nearest to a point within reach, or None."""
    found: tuple[float, int] | None = None
    for key in _near(scene, point, reach + 20):
        box = scene.boxes[key]
        for index, node in enumerate(scene.item(key).outputs):
            distance = _distance(box.output(index), point)
            if _is_on_node(box, point):
                distance = min(distance, reach * INSIDE_SHARE)
            if distance <= reach and (found is None or distance < found[0]):
                found = (distance, node)
    return found[1] if found else None


def _is_on_node(box: Box, point: QPointF) -> bool:
    """Return whether a point is on a node, where its output is near enough; a group has several."""
    return box.kind != "group" and box.rect.contains(point)


def wire_near(scene: Scene, point: QPointF, reach: float) -> Wire | None:
    """Return the wire that passes nearest to a point within reach, or None."""
    found: tuple[float, Wire] | None = None
    for wire in scene.wire_index.touching(sides_of(_square(point, reach))):
        distance = scene.courses[wire].distance(point, reach)
        if distance <= reach and (found is None or distance < found[0]):
            found = (distance, wire)
    return found[1] if found else None


def _near(scene: Scene, point: QPointF, reach: float) -> list[ItemKey]:
    """Return the items near a point, the topmost first."""
    return sorted(scene.index.within(_square(point, reach)), key=painting_order, reverse=True)


def _slot_or_output_hit(scene: Scene, key: ItemKey, point: QPointF, reach: float) -> Hit | None:
    """Return the hit on a slot or an output of an item; in a group they are those of members."""
    box, item, graph = scene.boxes[key], scene.item(key), scene.sheet.graph
    for slot, (wire, *_others) in enumerate(item.slots):
        at = box.slot(slot)
        # the reach ends 1 px before a pill, which is this far left of the slot
        left = sizes.LABEL_TO_SLOT - 1 if _is_pill(scene, graph.source(wire)) else reach
        if -left <= point.x() - at.x() <= reach and abs(point.y() - at.y()) <= reach:
            return Hit("slot", wire[0], wire)
    right = point.x() - box.x - box.w  # how far the point is right of the item
    for index, node in enumerate(item.outputs):
        off = abs(point.y() - box.output(index).y())
        if box.kind == "pill":  # its slot is close to it, and is hit up to its edge
            is_hit = box.rect.contains(point) and right >= -PILL_EDGE
        elif box.kind == "group":
            is_hit = off <= reach and sizes.CAPSULE_WIDTH / 2 - reach <= right <= reach + OUTSIDE
        else:  # half of the capsule is hit on the node up to 9 px from the edge, half as far as any
            is_hit = off <= sizes.CAPSULE_HEIGHT / 2 + OUTSIDE and -9 <= right <= reach + 2
        if is_hit:
            return Hit("output", node)
    return None


def _is_pill(scene: Scene, node: int | None) -> bool:
    return node is not None and node in scene.boxes and scene.boxes[node].kind == "pill"


def _body_hit(scene: Scene, key: ItemKey, point: QPointF) -> Hit:
    """Return the hit on an item, off its slots and outputs."""
    box = scene.boxes[key]
    if isinstance(key, GroupKey):
        return Hit("opener" if box.opener.contains(point) else "group", group=key.group)
    has_number = isinstance(scene.sheet.graph.nodes[key], Leaf | Constant)
    return Hit("number" if has_number and box.number_row.contains(point) else "node", key)


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
        for key in scene.index.within(outer):
            box = scene.boxes[key]
            high = box.h if box.kind == "group" else sizes.NODE_HEIGHT
            if lies_in((box.x, box.y, box.w, high), rect, FRAME_TOLERANCE):
                nodes |= scene.item(key).members
    return frozenset(nodes), frozenset(chosen).union(*(drawn_inside(drawn, n) for n in chosen))
