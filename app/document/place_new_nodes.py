"""Positions of new nodes between their inputs and their targets."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from msgspec import Struct

from app.document.node_sizes import RESERVED_WIDTH, reserved_size
from app.document.placement import COLUMN, ROOT_COLUMN, ROW, columns, overlap, snapped
from app.document.sheet import Point, Rect
from app.style import sizes
from engine.edits import part
from engine.graph import Graph

GAP = 24.0
ASIDE = 144.0
"""Maximum distance by which a node is shifted to align with others."""
CELL = 240.0


def place_new_nodes(
    graph: Graph, known: Mapping[int, Point], fresh: Collection[int]
) -> dict[int, Point]:
    """Return positions for `fresh` nodes between their inputs and targets; no other node moves.

    Only a Root that a node would cover or that would be left of it moves to the right.
    """
    fixed = {n: place for n, place in known.items() if n in graph.nodes and n not in fresh}
    room = _FreeSpace(graph, fixed)
    waiting = [n for n in graph.structure.whole_order if n in fresh]
    while waiting:
        there = {**fixed, **room.places}
        left = _from_inputs(graph, there, waiting)
        right = _from_targets(graph, there, waiting)
        if not left and not right:
            break
        for node in (n for n in waiting if n in left or n in right):
            room.place(node, _in_column(fixed, left.get(node), right.get(node)))
        waiting = [n for n in waiting if n not in room.places]
    lowest = max((y for _x, y in fixed.values()), default=-ROW) + ROW
    corner = (min((x for x, _y in fixed.values()), default=0.0), lowest)
    for node, place in columns(part(graph, waiting), corner).items():
        room.place(node, place)
    marker, root = graph.active_root, graph.root
    if marker is not None and marker in fixed and root is not None and root in room.places:
        x, y = room.places[root]
        if fixed[marker][0] < x + reserved_size(graph, root)[0] + GAP:
            room.place(marker, (x + ROOT_COLUMN, y))
    return room.places


class _Anchor(Struct, frozen=True):
    """The nearest known position on one side of a node, and its distance in steps."""

    place: Point
    steps: int = 1


def _from_inputs(
    graph: Graph, fixed: Mapping[int, Point], order: Iterable[int]
) -> dict[int, _Anchor]:
    """Return each new node's rightmost known position before it, at its inputs' mean height."""
    found: dict[int, _Anchor] = {}
    for node in order:
        anchors = [_anchor(fixed, found, s) for s in graph.inputs(node) if s is not None]
        near = [anchor for anchor in anchors if anchor is not None]
        if near:
            far = max(near, key=lambda a: a.place[0] + a.steps * COLUMN)
            height = sum(a.place[1] for a in near) / len(near)
            found[node] = _Anchor((far.place[0], height), far.steps)
    return found


def _from_targets(graph: Graph, fixed: Mapping[int, Point], order: list[int]) -> dict[int, _Anchor]:
    """Return for each new node the leftmost known position after it, at the height of its slots."""
    found: dict[int, _Anchor] = {}
    for node in reversed(order):
        near: list[_Anchor] = []
        for target, slot in graph.outgoing[node]:
            anchor = None if target == graph.active_root else _anchor(fixed, found, target)
            if anchor is not None:
                aside = (slot - (len(graph.inputs(target)) - 1) / 2) * ROW
                near.append(_Anchor((anchor.place[0], anchor.place[1] + aside), anchor.steps))
        if near:
            far = min(near, key=lambda a: a.place[0] - a.steps * COLUMN)
            height = sum(a.place[1] for a in near) / len(near)
            found[node] = _Anchor((far.place[0], height), far.steps)
    return found


def _anchor(fixed: Mapping[int, Point], found: Mapping[int, _Anchor], node: int) -> _Anchor | None:
    """Return a known position as one step away, a new node as one more than its own anchor."""
    if node in fixed:
        return _Anchor(fixed[node])
    anchor = found.get(node)
    return None if anchor is None else _Anchor(anchor.place, anchor.steps + 1)


def _in_column(fixed: Mapping[int, Point], left: _Anchor | None, right: _Anchor | None) -> Point:
    """Return a position in between, aligned with nodes near by if that leaves enough space."""
    x, y = _between(left, right)
    first = left.place[0] + RESERVED_WIDTH if left else -math.inf
    last = right.place[0] - RESERVED_WIDTH if right else math.inf
    columns = [c for c, _y in fixed.values() if first <= c <= last and abs(c - x) <= ASIDE]
    return (min(columns, key=lambda c: abs(c - x), default=x), y)


def _between(left: _Anchor | None, right: _Anchor | None) -> Point:
    if left is None:
        assert right is not None
        return (right.place[0] - right.steps * COLUMN, right.place[1])
    if right is None:
        return (left.place[0] + left.steps * COLUMN, left.place[1])
    share = left.steps / (left.steps + right.steps)
    return (
        left.place[0] + (right.place[0] - left.place[0]) * share,
        left.place[1] + (right.place[1] - left.place[1]) * share,
    )


@dataclass(slots=True)
class _FreeSpace:
    """Node positions sorted into cells, for finding free ones."""

    graph: Graph
    fixed: Mapping[int, Point]
    places: dict[int, Point] = field(default_factory=dict[int, Point])
    _cells: dict[tuple[int, int], list[int]] = field(
        default_factory=dict[tuple[int, int], list[int]]
    )

    def __post_init__(self) -> None:
        for node, place in self.fixed.items():
            self._cells.setdefault(_cell(place), []).append(node)

    def place(self, node: int, wanted: Point) -> None:
        """Place a node on the free grid point nearest above or below the wanted one."""
        x, y = snapped(wanted)
        for away in range(10_000):
            step = (away + 1) // 2 * sizes.GRID * (1 if away % 2 else -1)
            if self._is_free(node, (x, y + step)):
                y += step
                break
        self.places[node] = (x, y)
        self._cells.setdefault(_cell((x, y)), []).append(node)

    def _is_free(self, node: int, place: Point) -> bool:
        rect = (*place, *reserved_size(self.graph, node))
        column, row = _cell(place)
        near = (
            other
            for i in (column - 1, column, column + 1)
            for j in (row - 1, row, row + 1)
            for other in self._cells.get((i, j), ())
        )
        return not any(overlap(rect, self._rect(other), GAP) for other in near if other != node)

    def _rect(self, node: int) -> Rect:
        place = self.places.get(node) or self.fixed[node]
        return (*place, *reserved_size(self.graph, node))


def _cell(place: Point) -> tuple[int, int]:
    return int(place[0] // CELL), int(place[1] // CELL)
