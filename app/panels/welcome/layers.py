"""Layers: places for the nodes of a typed formula, good enough for a small picture.

Columns from the leaves to the root; a wire that spans columns keeps a lane free in each, and
nodes are pulled to the middle of what they are wired to.
"""

from __future__ import annotations

from app.document.place import COLUMN, columns
from engine.graph import Graph

ROW = 160.0
_ROUNDS = 6

Spot = tuple[int, int, int]
"""A node, or a lane of one of its wires: (node, target, column); a node itself has target -1."""

Links = dict[Spot, list[tuple[Spot, float]]]
"""What each spot is joined to, and how much higher or lower than that it had better stand."""


def layered(graph: Graph) -> dict[int, tuple[float, float]]:
    """A place for every node."""
    column = {node: round(x / COLUMN) for node, (x, _y) in columns(graph).items()}
    spots, links = _spots(graph, column)
    heights = {spot: float(row) for rows in spots.values() for row, spot in enumerate(rows)}
    for turn in range(_ROUNDS):
        order = sorted(spots, reverse=turn % 2 == 1)
        for place in order:
            _settle(spots[place], links, heights)
    return {n: (column[n] * COLUMN, heights[n, -1, column[n]] * ROW) for n in graph.nodes}


def _spots(graph: Graph, column: dict[int, int]) -> tuple[dict[int, list[Spot]], Links]:
    """What stands in each column, and what is joined to what."""
    spots: dict[int, list[Spot]] = {}
    links: Links = {}
    for node in graph.structure.whole_order:
        spot = (node, -1, column[node])
        spots.setdefault(column[node], []).append(spot)
        links[spot] = []
    for source, (target, slot) in graph.wires():
        lean = (slot - (len(graph.inputs(target)) - 1) / 2) * 0.4
        before: Spot = (source, -1, column[source])
        for between in range(column[source] + 1, column[target]):
            lane = (source, target, between)
            if lane not in links:
                spots.setdefault(between, []).append(lane)
                links[lane] = []
            _join(links, before, lane, 0.0)
            before = lane
        _join(links, before, (target, -1, column[target]), lean)
    return spots, links


def _join(links: Links, a: Spot, b: Spot, lean: float) -> None:
    links[a].append((b, lean))
    links[b].append((a, -lean))


def _settle(rows: list[Spot], links: Links, heights: dict[Spot, float]) -> None:
    """Order one column by what its spots are joined to, and space them around their middle."""
    wanted = {
        spot: sum(heights[other] + lean for other, lean in links[spot]) / len(links[spot])
        if links[spot]
        else heights[spot]
        for spot in rows
    }
    rows.sort(key=lambda spot: wanted[spot])
    placed: list[float] = []
    for spot in rows:
        least = placed[-1] + 1.0 if placed else wanted[spot]
        placed.append(max(wanted[spot], least))
    drift = sum(placed) / len(placed) - sum(wanted.values()) / len(wanted)
    for spot, height in zip(rows, placed, strict=True):
        heights[spot] = height - drift
