"""Places for nodes that come without one: plain columns from the leaves to the root."""

from collections.abc import Iterable

from app.document.sheet import Point
from app.style import sizes
from engine.graph import Graph, OpNode, Root

COLUMN = 312.0
ROW = 144.0


def snapped(point: Point) -> Point:
    """The nearest point of the grid."""
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
