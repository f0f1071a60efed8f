"""NodeSpacing: the widths that columns share, and by how much nodes are moved apart."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping

from msgspec.structs import replace

from app.canvas.layout.node_box import Box
from app.canvas.layout.spread import banded, bands_of, shifts_down, spread, widest
from app.canvas.layout.text_sizes import TextSizes
from app.document.bands import Viewport
from app.document.sheet import Point, Sheet

HERE: Point = (0.0, 0.0)
BESIDE = 24.0
"""Least distance of a node that is wider than it needs to be from the next one, in sheet px."""


class NodeSpacing:
    """Fits the boxes of one sheet to one another; the positions on the sheet stay."""

    def __init__(self) -> None:
        self.viewport: Viewport | None = None
        """What the canvas offers while nodes are drawn off their positions; None: any width."""
        self._needed: dict[int, float] = {}
        """The width that each node needs; all nodes of a column are as wide as its widest."""
        self._shifts: dict[int, Point] = {}

    def clear(self) -> None:
        """Forget all nodes."""
        self._needed.clear()

    def forget(self, node: int) -> None:
        """Forget a node that is gone."""
        self._needed.pop(node, None)

    def needed(self, node: int) -> float:
        """Return the width that a node needs, whatever its column has."""
        return self._needed[node]

    @property
    def in_use(self) -> bool:
        """Return whether any node is drawn off its position."""
        return bool(self._shifts)

    def shift(self, node: int) -> Point:
        """Return by how much a node is drawn right of and below its position."""
        return self._shifts.get(node, HERE)

    def take(self, node: int, box: Box, before: Box | None) -> Box:
        """Note what a node needs; returns its box, as wide as its column was if that has stayed."""
        same = before is not None and self._needed.get(node) == box.w
        self._needed[node] = box.w
        return replace(box, w=before.w) if same and before is not None else box

    def fit(
        self,
        boxes: dict[int, Box],
        sheet: Sheet,
        sizes: TextSizes,
        apart: bool,
        keep: bool,
        only_down: bool = False,
    ) -> set[int]:
        """Share widths in columns, and with `apart` move nodes; returns the nodes that changed.

        With `keep` they stay moved as they are, while the user moves nodes or changes values; with
        `only_down` they stay in their columns.
        """
        changed = set[int]() if sizes.whole.many else self._share_widths(boxes, sheet)
        before = self._shifts
        if not keep:
            self._shifts = {}
        if apart and not keep:
            self._shifts = self._moved_apart(boxes, sheet, sizes, only_down)
        shifted = (self._shifts.keys() | before.keys()) & boxes.keys()
        return changed | {n for n in shifted if self.shift(n) != before.get(n, HERE)}

    def places_with_room(
        self, boxes: dict[int, Box], sheet: Sheet, sizes: TextSizes
    ) -> dict[int, Point]:
        """Return the positions of nodes that must move for everything to have room."""
        if sizes.whole.many or sizes.needs_room:
            return {}
        found: dict[int, Point] = {}
        for node, (right, down) in self._moved_apart(boxes, sheet, sizes).items():
            if max(right, down) >= 1.0:
                x, y = sheet.positions.get(node, HERE)
                found[node] = (x + right, y + down)
        return found

    def _share_widths(self, boxes: dict[int, Box], sheet: Sheet) -> set[int]:
        """Make nodes that begin at the same x equally wide; return those that changed.

        None becomes so wide that it covers a node on its right.
        """
        places = {n: sheet.positions.get(n, HERE) for n, box in boxes.items() if box.kind != "pill"}
        columns = {node: (x, boxes[node].kind == "root") for node, (x, _y) in places.items()}
        wide = self._kept_clear(boxes, places, widest(columns, self._needed))
        changed = {node for node in columns if boxes[node].w != wide[node]}
        for node in changed:
            boxes[node] = replace(boxes[node], w=wide[node])
        return changed

    def _kept_clear(
        self, boxes: dict[int, Box], places: Mapping[int, Point], wide: dict[int, float]
    ) -> dict[int, float]:
        """Return the widths, only what is needed where another column begins within one."""
        rows: dict[float, list[int]] = {}
        for node, (x, _y) in places.items():
            rows.setdefault(x, []).append(node)
        lefts = sorted(rows)
        for node, (x, y) in places.items():
            if wide[node] <= self._needed[node]:
                continue
            first, last = bisect_right(lefts, x), bisect_left(lefts, x + wide[node] + BESIDE)
            for left in lefts[first:last]:
                if any(
                    places[n][1] < y + boxes[node].h and y < places[n][1] + boxes[n].h
                    for n in rows[left]
                ):
                    wide[node] = self._needed[node]
                    break
        return wide

    def _moved_apart(
        self, boxes: dict[int, Box], sheet: Sheet, sizes: TextSizes, only_down: bool = False
    ) -> dict[int, Point]:
        graph = sheet.graph
        free = {node: box for node, box in boxes.items() if box.kind != "pill"}
        places = {node: sheet.positions.get(node, HERE) for node in free}
        if only_down:
            return {node: (0.0, down) for node, down in shifts_down(free, places).items()}
        roots = {root: graph.inputs(root)[0] for root in graph.roots()}
        labels = sizes.before_slots(frozenset(free))
        bands = bands_of(free, places, graph)
        found = spread(free, places, labels, roots, bands, sizes.close)
        if self.viewport is None:
            return found
        return banded(free, places, found, graph, self.viewport)
