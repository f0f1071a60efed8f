"""Merges a typed graph into the sheet: common parts keep their ids and positions.

    merge_into_sheet(sheet, graph)   the sheet with the typed graph, laid out
    place_new_nodes(graph, ...)      positions of new nodes between their inputs and their targets

Which nodes are common is found by `engine/matching.py`.

New nodes that adjoin known ones are placed first, by linear interpolation between the nearest known
positions on both sides, then those that adjoin them, and so on. Unconnected ones are placed in
columns below everything.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from collections.abc import Set as AbstractSet

from msgspec import Struct

from app.document.node_sizes import RESERVED_WIDTH, reserved_size
from app.document.placement import (
    COLUMN_PITCH,
    DOWN_AND_UP,
    ROOT_PITCH,
    ROW_PITCH,
    columns,
    free_block,
    snapped,
)
from app.document.sheet import Point, Rect, Sheet
from engine.edits import subgraph
from engine.errors import EditError
from engine.graph import Graph
from engine.matching import formula_nodes, is_edit, merged


def replaces_whole_sheet(sheet: Sheet, graph: Graph) -> bool:
    """Return whether a typed graph is no edit of the formula, and the sheet holds nothing else."""
    old = sheet.graph
    others = old.nodes.keys() - formula_nodes(old) - {old.active_root}
    return not others and not sheet.sections and not is_edit(old, graph)


class SheetMerge(Struct, frozen=True):
    """A merged sheet, its nodes with provisional positions, and typed leaves without a value."""

    sheet: Sheet
    unplaced: frozenset[int]
    valueless: tuple[int, ...]


def merge_into_sheet(sheet: Sheet, graph: Graph, assigned: Collection[str] = ()) -> SheetMerge:
    """Return the sheet with a typed graph for its active root.

    `assigned` holds the names of leaves with a value in the text. If nodes were added or removed,
    the whole typed graph is laid out again: at the place of the old one, or below the unconnected
    parts if the two have almost nothing in common.
    """
    if graph.root is None:
        raise EditError("A typed graph needs a root.")
    merge = merged(sheet.graph, graph, assigned)
    placed, unplaced = _with_positions(sheet, merge.graph)
    return SheetMerge(placed, unplaced, merge.valueless)


def _with_positions(sheet: Sheet, graph: Graph) -> tuple[Sheet, frozenset[int]]:
    """Return the sheet with a merged graph, and the nodes with provisional positions."""
    new_nodes = graph.nodes.keys() - sheet.graph.nodes.keys()
    if formula_nodes(graph) - new_nodes and _keeps_positions(sheet.graph, graph):
        placed = sheet.with_graph(graph, place_new_nodes(graph, sheet.positions, new_nodes))
        removed = sheet.graph.nodes.keys() - graph.nodes.keys()
        return placed, _nodes_to_lay_out(graph, new_nodes) if new_nodes or removed else frozenset()
    to_lay_out = _nodes_to_lay_out(graph, new_nodes)
    others = graph.nodes.keys() - to_lay_out
    if not others and not sheet.sections:
        return sheet.with_graph(graph, columns(graph)), frozenset(graph.nodes)
    bottoms = [sheet.positions[n][1] for n in others if n in sheet.positions]
    bottoms += [section.rect[1] + section.rect[3] for section in sheet.sections.values()]
    lefts = [sheet.positions[n][0] for n in others if n in sheet.positions]
    corner = (min(lefts, default=0.0), max(bottoms, default=-ROW_PITCH) + ROW_PITCH)
    return sheet.with_graph(graph, columns(subgraph(graph, to_lay_out), corner)), frozenset(
        to_lay_out
    )


def _nodes_to_lay_out(graph: Graph, new_nodes: AbstractSet[int]) -> frozenset[int]:
    """Return the nodes to lay out after a merge: new ones, the formula and its Root."""
    return frozenset(
        new_nodes | formula_nodes(graph) | {n for n in graph.roots() if n == graph.active_root}
    )


def _keeps_positions(old: Graph, new: Graph) -> bool:
    """Return whether formulas share a quarter of the smaller one, enough to keep positions."""
    before, after = formula_nodes(old), formula_nodes(new)
    if not before:
        return True
    kept = sum(node in before for node in after)
    return 4 * kept >= min(len(before), len(after))


# positions of new nodes

_LEAST_GAP = 24.0
"""Least distance between a new node and any other."""
_ALIGN_DISTANCE = 144.0
"""Maximum distance by which a node is shifted into an existing column."""
_STRIP_WIDTH = 240.0
"""Width of the strips by which nearby nodes are found; larger than most nodes."""


def place_new_nodes(
    graph: Graph, known: Mapping[int, Point], fresh: Collection[int]
) -> dict[int, Point]:
    """Return positions for `fresh` nodes between their inputs and targets; no other node moves.

    One exception: the active Root moves to the right if it would be left of its input or covered.
    """
    fixed = {n: place for n, place in known.items() if n in graph.nodes and n not in fresh}
    free_space = _FreeSpace(graph, fixed)
    waiting = [n for n in graph.structure.topological_order if n in fresh]
    while waiting:
        positions = {**fixed, **free_space.places}
        left = _from_inputs(graph, positions, waiting)
        right = _from_targets(graph, positions, waiting)
        if not left and not right:
            break
        for node in (n for n in waiting if n in left or n in right):
            free_space.place(node, _in_column(fixed, left.get(node), right.get(node)))
        waiting = [n for n in waiting if n not in free_space.places]
    lowest = max((y for _x, y in fixed.values()), default=-ROW_PITCH) + ROW_PITCH
    corner = (min((x for x, _y in fixed.values()), default=0.0), lowest)
    for node, place in columns(subgraph(graph, waiting), corner).items():
        free_space.place(node, place)
    # the active Root stays right of its input
    marker, root = graph.active_root, graph.root
    if marker is not None and marker in fixed and root is not None and root in free_space.places:
        x, y = free_space.places[root]
        if fixed[marker][0] < x + reserved_size(graph, root)[0] + _LEAST_GAP:
            free_space.place(marker, (x + ROOT_PITCH, y))
    return free_space.places


class _Anchor(Struct, frozen=True):
    """The nearest known position on one side of a node, and its distance in wires."""

    place: Point
    steps: int = 1


def _from_inputs(
    graph: Graph, fixed: Mapping[int, Point], order: Iterable[int]
) -> dict[int, _Anchor]:
    """Return for each new node the rightmost known position before it, level with its inputs."""
    found: dict[int, _Anchor] = {}
    for node in order:
        anchors = [_anchor(fixed, found, s) for s in graph.inputs(node) if s is not None]
        near = [anchor for anchor in anchors if anchor is not None]
        if near:
            nearest = max(near, key=lambda a: a.place[0] + a.steps * COLUMN_PITCH)
            height = sum(a.place[1] for a in near) / len(near)
            found[node] = _Anchor((nearest.place[0], height), nearest.steps)
    return found


def _from_targets(graph: Graph, fixed: Mapping[int, Point], order: list[int]) -> dict[int, _Anchor]:
    """Return for each new node the leftmost known position after it, at the height of its slots."""
    found: dict[int, _Anchor] = {}
    for node in reversed(order):
        near: list[_Anchor] = []
        for target, slot in graph.outgoing[node]:
            anchor = None if target == graph.active_root else _anchor(fixed, found, target)
            if anchor is not None:
                slot_offset = (slot - (len(graph.inputs(target)) - 1) / 2) * ROW_PITCH
                near.append(_Anchor((anchor.place[0], anchor.place[1] + slot_offset), anchor.steps))
        if near:
            nearest = min(near, key=lambda a: a.place[0] - a.steps * COLUMN_PITCH)
            height = sum(a.place[1] for a in near) / len(near)
            found[node] = _Anchor((nearest.place[0], height), nearest.steps)
    return found


def _anchor(fixed: Mapping[int, Point], found: Mapping[int, _Anchor], node: int) -> _Anchor | None:
    """Return a node as the anchor of a neighbour: its position, or its own anchor a wire on."""
    if node in fixed:
        return _Anchor(fixed[node])
    anchor = found.get(node)
    return None if anchor is None else _Anchor(anchor.place, anchor.steps + 1)


def _in_column(fixed: Mapping[int, Point], left: _Anchor | None, right: _Anchor | None) -> Point:
    """Return a position between two anchors, in a nearby existing column if one is there."""
    x, y = _between(left, right)
    first = left.place[0] + RESERVED_WIDTH if left else -math.inf
    last = right.place[0] - RESERVED_WIDTH if right else math.inf
    columns = [
        c for c, _y in fixed.values() if first <= c <= last and abs(c - x) <= _ALIGN_DISTANCE
    ]
    return (min(columns, key=lambda c: abs(c - x), default=x), y)


def _between(left: _Anchor | None, right: _Anchor | None) -> Point:
    if left is None:
        assert right is not None
        return (right.place[0] - right.steps * COLUMN_PITCH, right.place[1])
    if right is None:
        return (left.place[0] + left.steps * COLUMN_PITCH, left.place[1])
    share = left.steps / (left.steps + right.steps)
    return (
        left.place[0] + (right.place[0] - left.place[0]) * share,
        left.place[1] + (right.place[1] - left.place[1]) * share,
    )


class _FreeSpace:
    """Places nodes clear of all others, which are kept by strips so that few are compared."""

    def __init__(self, graph: Graph, fixed: Mapping[int, Point]) -> None:
        self.places: dict[int, Point] = {}
        self._graph = graph
        self._strips: dict[int, dict[int, Rect]] = {}
        for node, place in fixed.items():
            self._note(node, place)

    def place(self, node: int, wanted: Point) -> None:
        """Place a node at the free position nearest above or below the wanted one."""
        rect = (*snapped(wanted), *reserved_size(self._graph, node))
        middle = _strip(rect[0])
        others = [
            other_rect
            for strip in (middle - 1, middle, middle + 1)
            for other, other_rect in self._strips.get(strip, {}).items()
            if other != node
        ]
        self.places[node] = free_block(others, rect, _LEAST_GAP, DOWN_AND_UP)
        self._note(node, self.places[node])

    def _note(self, node: int, place: Point) -> None:
        rect = (*place, *reserved_size(self._graph, node))
        self._strips.setdefault(_strip(place[0]), {})[node] = rect


def _strip(x: float) -> int:
    return int(x // _STRIP_WIDTH)
