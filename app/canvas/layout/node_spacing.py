"""NodeSpacing: the widths that columns share, and how far nodes are drawn off their positions.

A mistake makes numbers and ledgers longer than the layout on the sheet has space for, and a person
may place nodes closer than the labels of a pass need. Columns and rows are then moved apart in the
drawing; the positions on the sheet stay. A column is of nodes that stand below one another, not
exactly at the same x. A band is a row of columns: a graph too wide for the view is wrapped into
several, as a text is into lines.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from app.canvas.layout.node_box import Box
from app.canvas.layout.text_sizes import TextSizes
from app.document.placement import ROOT_GAP, Viewport, column_gap, columns_of, wrap_into_bands
from app.document.sheet import Point, Sheet
from app.style import sizes
from engine.graph import Graph

MIN_BAND_GAP = 16.0
"""Least distance of two bands, in sheet px, on a sheet where nodes have no ledgers yet."""
ROW_GAP = 16.0
"""Least distance of two nodes of a column, in sheet px; the flag of a mistake has room in it."""

ROOT_GAP_REDUCTION = 4.0
"""By how much the gap before a Root is smaller where columns are moved together, in sheet px."""


def shifts_for_room(
    boxes: Mapping[int, Box],
    places: Mapping[int, Point],
    before_slots: Mapping[int, float],
    graph: Graph,
    closes_gaps: bool = False,
) -> dict[int, Point]:
    """Return the shift (right, down) of each node with which all texts have room.

    `places` are the positions on the sheet, `before_slots` the widest label before a slot of each
    op. Roots stay level with their inputs. With `closes_gaps` columns are also moved together where
    they have more space than they need.
    """
    sources = {root: graph.inputs(root)[0] for root in graph.roots()}
    widths = {node: box.w for node, box in boxes.items()}
    found: dict[int, Point] = {}
    extra_height = 0.0
    for band in bands_of(boxes, places, graph):
        columns = columns_of({node: places[node] for node in band}, widths, graph)
        right = _column_shifts(columns, boxes, places, before_slots, sources, closes_gaps)
        down = _shifts_down(columns, boxes, places)
        for root, source in sources.items():
            if root in down and source in down and places[root][1] == places[source][1]:
                down[root] = down[source]
        found |= {node: (right[node], down[node] + extra_height) for node in band}
        extra_height += max(down.values())
    return found


def shifts_into_bands(
    boxes: Mapping[int, Box],
    places: Mapping[int, Point],
    shifts: Mapping[int, Point],
    graph: Graph,
    viewport: Viewport,
) -> dict[int, Point]:
    """Return shifts that wrap one band into several, where that allows a larger scale."""
    if len(bands_of(boxes, places, graph)) > 1:
        return dict(shifts)
    spread_out = {n: (x + shifts[n][0], y + shifts[n][1]) for n, (x, y) in places.items()}
    wires = [(source, wire[0]) for source, wire in graph.wires()]
    size = {node: (box.w, box.h) for node, box in boxes.items()}.__getitem__
    found = wrap_into_bands(spread_out, size, wires, viewport)
    return {n: (x - places[n][0], y - places[n][1]) for n, (x, y) in found.items()}


def bands_of(
    boxes: Mapping[int, Box], places: Mapping[int, Point], graph: Graph
) -> list[list[int]]:
    """Return the nodes of each band from top to bottom; one band where no wire runs back."""
    ends = ((places.get(source), places.get(wire[0])) for source, wire in graph.wires())
    if not any(a is not None and b is not None and b[0] < a[0] for a, b in ends):
        return [list(boxes)] if boxes else []
    found: list[list[int]] = []
    bottom = -math.inf
    for node in sorted(boxes, key=lambda n: (places[n][1], n)):
        top = places[node][1]
        if not found or top - bottom >= MIN_BAND_GAP:
            found.append([])
        found[-1].append(node)
        # without its ledger: positions on the sheet need not leave space for that
        bottom = max(bottom, top + min(boxes[node].h, float(sizes.NODE_HEIGHT)))
    return found


def _column_shifts(
    columns: Iterable[list[int]],
    boxes: Mapping[int, Box],
    places: Mapping[int, Point],
    before_slots: Mapping[int, float],
    sources: Mapping[int, int | None],
    closes_gaps: bool,
) -> dict[int, float]:
    """Return how far each node is moved right: the space missing left of its column, summed up."""
    shifts: dict[int, float] = {}
    shift, right = 0.0, -math.inf
    for nodes in columns:
        gap = column_gap(max(before_slots.get(node, 0.0) for node in nodes))
        if closes_gaps:  # wires bend within less space
            gap -= sizes.BEND - sizes.BEND_PRESENTED
        if all(node in sources for node in nodes):  # a column of Roots
            gap = ROOT_GAP - ROOT_GAP_REDUCTION if closes_gaps else ROOT_GAP
        missing = right + gap - min(places[node][0] for node in nodes)
        if shifts:
            shift += missing if closes_gaps else max(missing, 0.0)
        shifts |= dict.fromkeys(nodes, shift)
        right = max(places[node][0] + boxes[node].w for node in nodes)
    return shifts


def _shifts_down(
    columns: Iterable[list[int]], boxes: Mapping[int, Box], places: Mapping[int, Point]
) -> dict[int, float]:
    """Return how far each node is moved down to clear those above it in its column."""
    found: dict[int, float] = {}
    for nodes in columns:
        bottom = None
        for node in sorted(nodes, key=lambda n: (places[n][1], n)):
            y = places[node][1]
            found[node] = 0.0 if bottom is None else max(bottom + ROW_GAP - y, 0.0)
            bottom = y + found[node] + boxes[node].h
    return found


def shared_column_widths(
    columns: Mapping[int, object], widths: Mapping[int, float]
) -> dict[int, float]:
    """Return for each node the largest width in its column; `columns` maps node to column."""
    found: dict[object, float] = {}
    for node, column in columns.items():
        found[column] = max(found.get(column, 0.0), widths[node])
    return {node: found[column] for node, column in columns.items()}


ORIGIN: Point = (0.0, 0.0)
MIN_NODE_GAP = 24.0
"""Least distance to the next node, in sheet px, of one as wide as its column."""


class SpacingInputs(NamedTuple):
    """The inputs of NodeSpacing besides the sizes of nodes: equal inputs give equal shifts."""

    positions: Mapping[int, Point]
    text_sizes: TextSizes
    moves_apart: bool
    """Whether columns and rows are moved apart where texts need it."""
    keeps_columns: bool
    """Whether nodes stay in their columns."""
    viewport: Viewport | None


class NodeSpacing:
    """Fits the nodes of one sheet to one another; the positions on the sheet stay."""

    def __init__(self) -> None:
        self.viewport: Viewport | None = None
        """The space to fill while nodes are drawn off their positions; None for any width."""
        self.inputs: SpacingInputs | None = None
        """The inputs of the current widths and shifts; None while shifts are deferred."""
        self._widths: dict[int, float] = {}
        """Nodes of a column are as wide as its widest; a node without an entry as it needs."""
        self._shifts: dict[int, Point] = {}
        self._shifted_from: Mapping[int, Point] = {}
        """The positions on the sheet for which the shifts were found."""

    def width(self, node: int, needed: float) -> float:
        """Return the width of a node that needs this width."""
        return self._widths.get(node, needed)

    def shift(self, node: int) -> Point:
        """Return how far a node is drawn right of its position, and below it."""
        return self._shifts.get(node, ORIGIN)

    def fit(
        self, needed: Mapping[int, Box], graph: Graph, inputs: SpacingInputs, complete: bool
    ) -> set[int]:
        """Update the shared widths and the shifts; return the nodes whose own have changed.

        Unless `complete`, nodes that have been moved apart stay so, while their positions do.
        """
        widths, shifts = self._widths, self._shifts
        boxes = _without_pills(needed)
        # numbers of a large graph have a fixed width, and so have its nodes
        self._widths = (
            {}
            if inputs.text_sizes.whole_pass.graph_is_large
            else _shared_widths(boxes, inputs.positions)
        )
        self.inputs = None  # widths change now, and shifts later unless complete
        stay = self._shifts and inputs.moves_apart and inputs.positions == self._shifted_from
        if complete or not stay:
            self._shifts, self._shifted_from = {}, inputs.positions
            if inputs.moves_apart:  # never in a large graph
                wide = {n: replace(box, w=self._widths[n]) for n, box in boxes.items()}
                self._shifts = _shifts(wide, graph, inputs)
            self.inputs = inputs
        return changed_keys(widths, self._widths) | changed_keys(shifts, self._shifts)

    def moves_for_room(
        self, boxes: Mapping[int, Box], sheet: Sheet, text_sizes: TextSizes
    ) -> dict[int, Point]:
        """Return new positions of the nodes that must move for everything to have room."""
        if text_sizes.whole_pass.graph_is_large or text_sizes.needs_more_room:
            return {}  # texts of a mistake, a loop or a presentation pass: positions stay
        found: dict[int, Point] = {}
        inputs = SpacingInputs(
            sheet.positions,
            text_sizes,
            moves_apart=True,
            keeps_columns=False,
            viewport=None,  # bands stay as they are
        )
        for node, (right, down) in _shifts(_without_pills(boxes), sheet.graph, inputs).items():
            if max(right, down) >= 1.0:  # less than a pixel need not be moved
                x, y = sheet.positions.get(node, ORIGIN)
                found[node] = (x + right, y + down)
        return found


def _without_pills(boxes: Mapping[int, Box]) -> dict[int, Box]:
    """Return the boxes but those of constants seated at a slot, which move with its node."""
    return {node: box for node, box in boxes.items() if box.kind != "pill"}


def _shared_widths(boxes: Mapping[int, Box], positions: Mapping[int, Point]) -> dict[int, float]:
    """Return the widths of nodes: those that begin at the same x are equally wide.

    No node covers another one on its right: it has the width that it needs itself where another
    column begins within the width of its own.
    """
    places = {node: positions.get(node, ORIGIN) for node in boxes}
    # Roots at the same x are a column of their own
    columns = {node: (x, boxes[node].kind == "root") for node, (x, _y) in places.items()}
    wide = shared_column_widths(columns, {node: box.w for node, box in boxes.items()})
    columns_by_left: dict[float, list[int]] = {}
    for node, (x, _y) in places.items():
        columns_by_left.setdefault(x, []).append(node)
    lefts = sorted(columns_by_left)
    for node, (x, y) in places.items():
        if wide[node] <= boxes[node].w:
            continue
        first, last = bisect_right(lefts, x), bisect_left(lefts, x + wide[node] + MIN_NODE_GAP)
        near = (other for left in lefts[first:last] for other in columns_by_left[left])
        low = y + boxes[node].h
        if any(places[n][1] < low and y < places[n][1] + boxes[n].h for n in near):
            wide[node] = boxes[node].w
    return wide


def _shifts(boxes: Mapping[int, Box], graph: Graph, inputs: SpacingInputs) -> dict[int, Point]:
    """Return the shift (right, down) of each node for these inputs."""
    places = {node: inputs.positions.get(node, ORIGIN) for node in boxes}
    if inputs.keeps_columns:
        columns = columns_of(places, {node: box.w for node, box in boxes.items()}, graph)
        return {n: (0.0, down) for n, down in _shifts_down(columns, boxes, places).items()}
    labels = inputs.text_sizes.before_slots(frozenset(boxes))
    found = shifts_for_room(boxes, places, labels, graph, inputs.text_sizes.closes_gaps)
    if not inputs.text_sizes.needs_more_room and all(max(by) < 1.0 for by in found.values()):
        return dict.fromkeys(found, ORIGIN)  # less than a pixel need not be moved
    if inputs.viewport is None:
        return found
    return shifts_into_bands(boxes, places, found, graph, inputs.viewport)


def changed_keys(old: Mapping[int, object], new: Mapping[int, object]) -> set[int]:
    """Return the keys of the entries that differ."""
    return {key for key in old.keys() | new.keys() if old.get(key) != new.get(key)}
