"""NodeSpacing: the widths that columns share, and by how much nodes are moved apart."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from typing import NamedTuple

from msgspec.structs import replace

from app.canvas.layout.node_box import Box
from app.canvas.layout.spread import banded, bands_of, shifts_down, spread, widest
from app.canvas.layout.text_sizes import TextSizes
from app.document.bands import Viewport
from app.document.sheet import Point, Sheet
from engine.graph import Graph

HERE: Point = (0.0, 0.0)
BESIDE = 24.0
"""Least distance of a node that is wider than it needs to be from the next one, in sheet px."""


class Basis(NamedTuple):
    """What nodes are fitted to one another by, besides their sizes."""

    positions: Mapping[int, Point]
    text_sizes: TextSizes
    apart: bool
    """Whether columns and rows are moved apart where texts need it."""
    only_down: bool
    """Whether nodes stay in their columns."""
    viewport: Viewport | None


class NodeSpacing:
    """Fits the nodes of one sheet to one another; the positions on the sheet stay."""

    def __init__(self) -> None:
        self.viewport: Viewport | None = None
        """What the canvas offers while nodes are drawn off their positions; None: any width."""
        self.basis: Basis | None = None
        """The basis of the current widths and shifts; None while shifts wait to be settled."""
        self._widths: dict[int, float] = {}
        """Nodes of a column are as wide as its widest; a node without an entry as it needs."""
        self._shifts: dict[int, Point] = {}

    def width(self, node: int, needed: float) -> float:
        """Return the width of a node that needs this width."""
        return self._widths.get(node, needed)

    def shift(self, node: int) -> Point:
        """Return by how much a node is drawn right of and below its position."""
        return self._shifts.get(node, HERE)

    def fit(self, needed: Mapping[int, Box], graph: Graph, basis: Basis, settled: bool) -> set[int]:
        """Share widths in columns, and move nodes apart; returns those that changed.

        Unless `settled`, nodes that have been moved apart stay so.
        """
        widths, shifts = self._widths, self._shifts
        boxes = {node: box for node, box in needed.items() if box.kind != "pill"}
        self._widths = {} if basis.text_sizes.whole.many else _shared_widths(boxes, basis.positions)
        self.basis = None  # widths change now, and shifts later unless settled
        if settled or not (self._shifts and basis.apart):
            self._shifts = {}
            if basis.apart:
                wide = {n: replace(box, w=self._widths[n]) for n, box in boxes.items()}
                self._shifts = _moved_apart(wide, graph, basis)
            self.basis = basis
        return differing(widths, self._widths) | differing(shifts, self._shifts)

    def places_with_room(
        self, boxes: Mapping[int, Box], sheet: Sheet, text_sizes: TextSizes
    ) -> dict[int, Point]:
        """Return the positions of nodes that must move for everything to have room."""
        if text_sizes.whole.many or text_sizes.needs_room:
            return {}
        free = {node: box for node, box in boxes.items() if box.kind != "pill"}
        found: dict[int, Point] = {}
        basis = Basis(sheet.positions, text_sizes, True, False, None)  # rows stay as they are
        for node, (right, down) in _moved_apart(free, sheet.graph, basis).items():
            if max(right, down) >= 1.0:
                x, y = sheet.positions.get(node, HERE)
                found[node] = (x + right, y + down)
        return found


def _shared_widths(boxes: Mapping[int, Box], positions: Mapping[int, Point]) -> dict[int, float]:
    """Return the widths of nodes: those that begin at the same x are equally wide.

    None is so wide that it covers a node on its right: it has what it needs where another column
    begins within the width of its own.
    """
    places = {node: positions.get(node, HERE) for node in boxes}
    columns = {node: (x, boxes[node].kind == "root") for node, (x, _y) in places.items()}
    wide = widest(columns, {node: box.w for node, box in boxes.items()})
    rows: dict[float, list[int]] = {}
    for node, (x, _y) in places.items():
        rows.setdefault(x, []).append(node)
    lefts = sorted(rows)
    for node, (x, y) in places.items():
        if wide[node] <= boxes[node].w:
            continue
        first, last = bisect_right(lefts, x), bisect_left(lefts, x + wide[node] + BESIDE)
        near = (other for left in lefts[first:last] for other in rows[left])
        low = y + boxes[node].h
        if any(places[n][1] < low and y < places[n][1] + boxes[n].h for n in near):
            wide[node] = boxes[node].w
    return wide


def _moved_apart(boxes: Mapping[int, Box], graph: Graph, basis: Basis) -> dict[int, Point]:
    """Return by how much each node is moved right and down."""
    places = {node: basis.positions.get(node, HERE) for node in boxes}
    if basis.only_down:
        return {node: (0.0, down) for node, down in shifts_down(boxes, places).items()}
    roots = {root: graph.inputs(root)[0] for root in graph.roots()}
    labels = basis.text_sizes.before_slots(frozenset(boxes))
    bands = bands_of(boxes, places, graph)
    found = spread(boxes, places, labels, roots, bands, basis.text_sizes.close)
    if basis.viewport is None:
        return found
    return banded(boxes, places, found, graph, basis.viewport)


def differing(old: Mapping[int, object], new: Mapping[int, object]) -> set[int]:
    """Return the keys of entries that differ."""
    return {key for key in old.keys() | new.keys() if old.get(key) != new.get(key)}
