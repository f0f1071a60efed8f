"""Merges a typed graph into the sheet: common parts keep their ids and positions.

    merge_into_sheet(sheet, graph)   the sheet with the typed graph, laid out
    place_new_nodes(graph, ...)      positions of new nodes between their inputs and their targets

Which nodes are common is found by `engine/matching.py`.

New nodes that adjoin known ones are placed first, in the middle between them, then those that
adjoin these, and so on. Unconnected ones are placed in columns below everything. These positions
are provisional: Graphviz lays the formula out afterwards.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec import Struct

from app.document.node_sizes import reserved_size
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
    return not others and not sheet.drawn and not is_edit(old, graph)


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
    old = sheet.graph.nodes.keys()
    new_nodes, formula = graph.nodes.keys() - old, formula_nodes(graph)
    unplaced = formula | new_nodes | {n for n in graph.roots() if n == graph.active_root}
    if formula - new_nodes and _keeps_positions(sheet.graph, graph):
        placed = sheet.with_graph(graph, place_new_nodes(graph, sheet.positions, new_nodes))
        return placed, unplaced if graph.nodes.keys() != old else frozenset()
    others = [sheet.positions[n] for n in graph.nodes.keys() - unplaced if n in sheet.positions]
    bottoms = [y for _x, y in others]
    bottoms += [rect[1] + rect[3] for rect in sheet.drawn.values()]
    left = min((x for x, _y in others), default=0.0)
    corner = (left, max(bottoms, default=-ROW_PITCH) + ROW_PITCH)
    return sheet.with_graph(graph, columns(subgraph(graph, unplaced), corner)), unplaced


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
_STRIP_WIDTH = 240.0
"""Width of the strips by which nearby nodes are found; larger than most nodes."""


def place_new_nodes(
    graph: Graph, known: Mapping[int, Point], fresh: Collection[int]
) -> dict[int, Point]:
    """Return positions for `fresh` nodes between their inputs and targets; no other node moves.

    One exception: the active Root moves to the right if it would be left of its input or covered.
    """
    places = {n: place for n, place in known.items() if n in graph.nodes and n not in fresh}
    free_space = _FreeSpace(graph, places)
    lowest = max((y for _x, y in places.values()), default=-ROW_PITCH) + ROW_PITCH
    corner = (min((x for x, _y in places.values()), default=0.0), lowest)
    waiting = [n for n in graph.structure.topological_order if n in fresh]
    before = len(waiting) + 1
    while len(waiting) < before:
        before = len(waiting)
        for node in waiting:
            wanted = _between_neighbours(graph, node, places)
            if wanted is not None:
                places[node] = free_space.take(node, wanted)
        waiting = [n for n in waiting if n not in places]
    for node, place in columns(subgraph(graph, waiting), corner).items():
        places[node] = free_space.take(node, place)
    # the active Root stays right of its input
    marker, root = graph.active_root, graph.root
    if root is not None and root in fresh and marker in places and marker not in fresh:
        x, y = places[root]
        if places[marker][0] < x + reserved_size(graph, root)[0] + _LEAST_GAP:
            places[marker] = free_space.take(marker, (x + ROOT_PITCH, y))
    return {n: place for n, place in places.items() if known.get(n) != place}


def _between_neighbours(graph: Graph, node: int, places: Mapping[int, Point]) -> Point | None:
    """Return the middle between the inputs and targets of a node that are placed, if any are."""
    inputs = [places[s] for s in graph.inputs(node) if s is not None and s in places]
    targets = {target for target, _slot in graph.outgoing[node]} - {graph.active_root}
    after = [places[target] for target in targets if target in places]
    if not inputs and not after:
        return None
    xs = [max(x for x, _y in inputs) + COLUMN_PITCH] if inputs else []
    xs += [min(x for x, _y in after) - COLUMN_PITCH] if after else []
    ys = [y for _x, y in (*inputs, *after)]
    return sum(xs) / len(xs), sum(ys) / len(ys)


class _FreeSpace:
    """Places nodes clear of all others, which are kept by strips so that few are compared."""

    def __init__(self, graph: Graph, fixed: Mapping[int, Point]) -> None:
        self._graph = graph
        self._strips: dict[int, dict[int, Rect]] = {}
        for node, place in fixed.items():
            self._note(node, place)

    def take(self, node: int, wanted: Point) -> Point:
        """Return the free position for a node that is nearest above or below the wanted one."""
        rect = (*snapped(wanted), *reserved_size(self._graph, node))
        middle = _strip(rect[0])
        others = [
            other_rect
            for strip in (middle - 1, middle, middle + 1)
            for other, other_rect in self._strips.get(strip, {}).items()
            if other != node
        ]
        place = free_block(others, rect, _LEAST_GAP, DOWN_AND_UP)
        self._note(node, place)
        return place

    def _note(self, node: int, place: Point) -> None:
        rect = (*place, *reserved_size(self._graph, node))
        self._strips.setdefault(_strip(place[0]), {})[node] = rect


def _strip(x: float) -> int:
    return int(x // _STRIP_WIDTH)
