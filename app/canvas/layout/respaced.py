"""Respaced: other positions of a sheet's nodes, narrower ones, for a figure of little width."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product

from app.canvas.layout.node_box import Box
from app.canvas.layout.node_layout import NodeLayout
from app.canvas.layout.routes import BACK
from app.canvas.layout.spread import bands_of
from app.document.bands import MOST, MOST_CROSSING, in_bands
from app.document.placement import closed_up
from app.document.sheet import Point
from app.style import sizes

MOST_NODES = 150
"""Larger graphs stay as drawn: no width of a page makes their type readable."""


AFTER_TURN = 8.0
"""Distance between the turn of a wire that runs back and its label, in sheet px."""
BEHIND_RUN = 27.0
"""How far the turn of a wire that runs back is left of its level run, in sheet px."""


def back_run(layout: NodeLayout) -> float:
    """Return the level run that a wire running back needs before its slot, for any label."""
    widest = max(layout.text_sizes.before_slots(layout.visible.shown).values(), default=0.0)
    return min(widest + sizes.LABEL_TO_SLOT + AFTER_TURN, BACK)


CROSSING = (MOST_CROSSING, 6)
"""How many wires may run from one row to the next: on paper type must be read, so more."""
CLEAR = 10.0
"""Distance between the first row and the wires that pass it on the left, in sheet px."""
OVERLAP = 24.0
"""How far a node ends right of the beginning of its reader in a later row, in sheet px."""


def can_respace(layout: NodeLayout) -> bool:
    """Return whether nodes may be moved: frames keep theirs, and very large graphs gain nothing."""
    free = not (layout.visible.grouped or layout.sheet.sections)
    return free and 1 < len(layout.boxes) <= MOST_NODES


def respaced(layout: NodeLayout) -> Iterator[tuple[int, dict[int, Point]]]:
    """Yield positions with their number of rows: one row closed up, then more and more rows."""
    boxes = {node: box for node, box in layout.boxes.items() if box.kind != "pill"}
    graph, spacing = layout.sheet.graph, layout.spacing
    places = _in_one_row(layout, boxes)
    wide = {node: spacing.needed(node) for node in boxes}
    labels = layout.text_sizes.before_slots(frozenset(boxes))
    roots = {root: graph.inputs(root)[0] for root in graph.roots()}
    closed = closed_up(places, wide, labels, roots)
    yield 1, closed
    indent = back_run(layout) + BEHIND_RUN - CLEAR
    wires = [(source, wire[0]) for source, wire in graph.wires()]

    def size(node: int) -> tuple[float, float]:
        return (wide[node], boxes[node].h)

    for rows, crossing in product(range(2, MOST + 1), CROSSING):
        found = in_bands(closed, size, wires, rows, indent, crossing)
        if found is not None:
            yield rows, _run_back(found, closed, boxes, wires)


def _run_back(
    places: Mapping[int, Point],
    before: Mapping[int, Point],
    boxes: Mapping[int, Box],
    wires: Iterable[tuple[int, int]],
) -> dict[int, Point]:
    """Return the positions with the first row so far right that every wire out of it runs back.

    A wire that went on to the right instead would cover its own label.
    """
    first = {node for node, (_x, y) in places.items() if y == before[node][1]}
    right = 0.0
    for source, target in wires:
        if source in first and target in places and target not in first:
            end = places[source][0] + boxes[source].w
            right = max(right, places[target][0] + OVERLAP - end)
    return {n: (x + right * (n in first), y) for n, (x, y) in places.items()}


def _in_one_row(layout: NodeLayout, boxes: Mapping[int, Box]) -> dict[int, Point]:
    """Return the positions with the bands of the sheet, if it has some, beside one another."""
    places = {node: (box.x, box.y) for node, box in boxes.items()}
    found: dict[int, Point] = {}
    end: float | None = None
    top = 0.0
    for band in bands_of(boxes, places, layout.sheet.graph):
        left = min(places[node][0] for node in band)
        high = min(places[node][1] for node in band)
        right, down = (0.0, 0.0) if end is None else (end - left, top - high)
        top = high if end is None else top
        found |= {node: (places[node][0] + right, places[node][1] + down) for node in band}
        end = max(found[node][0] + boxes[node].w for node in band) + 1.0
    return found
