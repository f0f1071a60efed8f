"""Places for nodes that come without one: plain columns from the leaves to the root."""

import math
from collections.abc import Iterable

from app.document.sheet import NOWHERE, Point, Rect
from app.style import sizes
from engine.errors import EditError
from engine.graph import Graph, OpNode, Root

COLUMN = 312.0
ROW = 144.0


def snapped(point: Point) -> Point:
    """The nearest point of the grid; what is no place at all is refused."""
    if not (math.isfinite(point[0]) and math.isfinite(point[1])):
        raise EditError(NOWHERE)
    grid = sizes.GRID
    return (round(point[0] / grid) * float(grid), round(point[1] / grid) * float(grid))


def columns(graph: Graph, origin: Point = (0.0, 0.0)) -> dict[int, Point]:
    """A place for every node: inputs left of what uses them, each as far right as it can be."""
    order = graph.structure.whole_order
    depth: dict[int, int] = {}
    for node in order:
        depth[node] = 1 + max((depth[s] for s in graph.inputs(node) if s is not None), default=-1)
    for node in reversed(order):  # a leaf stands next to the first that uses it
        users = [depth[target] for target, _slot in graph.outgoing[node]]
        if users and not isinstance(graph.nodes[node], OpNode | Root):
            depth[node] = min(users) - 1
    rows: dict[int, int] = {}
    places: dict[int, Point] = {}
    for node in order:
        row = rows.get(depth[node], 0)
        rows[depth[node]] = row + 1
        places[node] = snapped((origin[0] + depth[node] * COLUMN, origin[1] + row * ROW))
    return places


def free_place(taken: Iterable[Point], wanted: Point) -> Point:
    """The grid point at or below `wanted` on which no node stands yet."""
    occupied = set(taken)
    place = snapped(wanted)
    while any(abs(x - place[0]) < 24 and abs(y - place[1]) < 24 for x, y in occupied):
        place = (place[0] + sizes.GRID, place[1] + sizes.GRID)
    return place


def free_block(taken: Iterable[Rect], wanted: Rect, gap: float = 48.0) -> Point:
    """The corner nearest to that of `wanted` from which so large a block covers nothing.

    It is moved straight down, up, right or left, whichever is the least far.
    """
    others = list(taken)
    moved = [_cleared(others, wanted, gap, axis, sign) for axis, sign in _WAYS]
    x, y = min(moved, key=lambda p: abs(p[0] - wanted[0]) + abs(p[1] - wanted[1]))
    return (x, y)


_WAYS = ((1, 1), (1, -1), (0, 1), (0, -1))


def _cleared(others: list[Rect], wanted: Rect, gap: float, axis: int, sign: int) -> Point:
    """The corner of a rectangle moved along one axis, one way, past everything it covers."""
    corner = [wanted[0], wanted[1]]
    while True:
        block = (corner[0] - gap, corner[1] - gap, wanted[2] + 2 * gap, wanted[3] + 2 * gap)
        covered = [rect for rect in others if _overlap(rect, block)]
        if not covered:
            return (corner[0], corner[1])
        if sign > 0:
            corner[axis] = max(rect[axis] + rect[axis + 2] for rect in covered) + gap
        else:
            corner[axis] = min(rect[axis] for rect in covered) - gap - wanted[axis + 2]


def _overlap(one: Rect, other: Rect) -> bool:
    across = one[0] < other[0] + other[2] and other[0] < one[0] + one[2]
    return across and one[1] < other[1] + other[3] and other[1] < one[1] + one[3]
