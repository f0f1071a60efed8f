"""Spread: moves columns and rows of a sheet apart where its nodes have become larger.

A mistake makes numbers and ledgers longer than the layout on the sheet has room for. The positions
on the sheet stay; only what is drawn moves, and back again when the mistake is switched off.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import pairwise

from app.canvas.appearance.group_look import GroupBox
from app.canvas.layout.node_box import Box
from app.document.bands import Viewport, wrapped
from app.document.placement import ROOT_GAP, gap_for
from app.document.sheet import Point
from app.style import sizes
from engine.graph import Graph

BETWEEN_BANDS = 16.0
"""Least distance of two bands, in sheet px, on a sheet where nodes have no ledgers yet."""
ROW_GAP = 16.0
"""Least distance of two nodes of a column, in sheet px; the flag of a mistake has room in it."""

CLOSER = 4.0
"""By how much a Root is closer where columns are moved together, in sheet px."""


def spread(
    boxes: Mapping[int, Box],
    places: Mapping[int, Point],
    before_slots: Mapping[int, float],
    sources: Mapping[int, int | None],
    bands: Iterable[list[int]],
    close: bool = False,
) -> dict[int, Point]:
    """Return by how much each node is moved right and down so that everything has room.

    `places` are the positions on the sheet, `before_slots` the widest label before a slot of each
    op, `sources` the inputs of the Roots, which stay level with them, `bands` as `bands_of` has
    found them. With `close` columns are also
    moved together where they have more room than they need.
    """
    found: dict[int, Point] = {}
    grown = 0.0
    for band in bands:
        columns = _columns(band, places)
        shifts = _across(columns, boxes, before_slots, sources, close)
        down = shifts_down({node: boxes[node] for node in band}, places)
        for root, source in sources.items():
            if root in down and source in down and places[root][1] == places[source][1]:
                down[root] = down[source]
        found |= {node: (shifts[places[node][0]], down[node] + grown) for node in band}
        grown += max(down.values())
    return found


def banded(
    boxes: Mapping[int, Box],
    places: Mapping[int, Point],
    shifts: Mapping[int, Point],
    graph: Graph,
    viewport: Viewport,
) -> dict[int, Point]:
    """Return shifts that wrap what is in one band into several, where that shows it larger."""
    if len(bands_of(boxes, places, graph)) > 1:
        return dict(shifts)
    spread_out = {n: (x + shifts[n][0], y + shifts[n][1]) for n, (x, y) in places.items()}
    wires = [(source, wire[0]) for source, wire in graph.wires()]
    size = {node: (box.w, box.h) for node, box in boxes.items()}.__getitem__
    found = wrapped(spread_out, size, wires, viewport)
    return {n: (x - places[n][0], y - places[n][1]) for n, (x, y) in found.items()}


def bands_of(
    boxes: Mapping[int, Box | GroupBox], places: Mapping[int, Point], graph: Graph
) -> list[list[int]]:
    """Return the nodes of each band from top to bottom; one band where no wire runs back."""
    ends = ((places.get(source), places.get(wire[0])) for source, wire in graph.wires())
    if not any(a is not None and b is not None and b[0] < a[0] for a, b in ends):
        return [list(boxes)] if boxes else []
    found: list[list[int]] = []
    bottom = -math.inf
    for node in sorted(boxes, key=lambda n: (places[n][1], n)):
        top = places[node][1]
        if not found or top - bottom >= BETWEEN_BANDS:
            found.append([])
        found[-1].append(node)
        bottom = max(bottom, top + min(boxes[node].h, float(sizes.NODE_HEIGHT)))
    return found


def _columns(nodes: Iterable[int], places: Mapping[int, Point]) -> dict[float, list[int]]:
    """Return the nodes that begin at each x."""
    found: dict[float, list[int]] = {}
    for node in nodes:
        found.setdefault(places[node][0], []).append(node)
    return found


def _across(
    columns: Mapping[float, list[int]],
    boxes: Mapping[int, Box],
    before_slots: Mapping[int, float],
    sources: Mapping[int, int | None],
    close: bool,
) -> dict[float, float]:
    """Return the shift of each column; columns that overlap on the sheet are moved alike."""
    shifts: dict[float, float] = {}
    shift = 0.0
    lefts = sorted(columns)
    if lefts:
        shifts[lefts[0]] = 0.0
    for left, following in pairwise(lefts):
        nodes = columns[following]
        gap = gap_for(max(before_slots.get(node, 0.0) for node in nodes))
        gap -= (sizes.BEND - sizes.BEND_PRESENTED) * close
        if all(node in sources for node in nodes):
            gap = ROOT_GAP - CLOSER * close
        right = left + max(boxes[node].w for node in columns[left])
        lack = right + gap - following
        shift += lack if close else max(lack, 0.0)
        shifts[following] = shift
    return shifts


def shifts_down(boxes: Mapping[int, Box], places: Mapping[int, Point]) -> dict[int, float]:
    """Return how far each node is moved down to clear those above it in its column."""
    found: dict[int, float] = {}
    columns = _columns(boxes, places)
    for nodes in columns.values():
        bottom = None
        for node in sorted(nodes, key=lambda n: (places[n][1], n)):
            y = places[node][1]
            found[node] = 0.0 if bottom is None else max(bottom + ROW_GAP - y, 0.0)
            bottom = y + found[node] + boxes[node].h
    return found


def widest(columns: Mapping[int, object], widths: Mapping[int, float]) -> dict[int, float]:
    """Return for each node the largest width in its column; `columns` tells which that is."""
    found: dict[object, float] = {}
    for node, column in columns.items():
        found[column] = max(found.get(column, 0.0), widths[node])
    return {node: found[column] for node, column in columns.items()}
