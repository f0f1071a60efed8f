"""Bands: a graph much wider than the canvas is wrapped, as text is into lines.

A wire from one band to the next runs back between them, so a graph is wrapped only where few wires
cross.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import NamedTuple

from app.document.sheet import Point

Size = Callable[[int], tuple[float, float]]
"""Returns the width and height of a node."""

BAND_GAP = 48.0
"""Distance between two bands, in scene px, in which their wires run back."""
INDENT = 170.0
"""Left of the bands below the first, for the labels of wires from the band above, in scene px."""
APART = 1.0
"""Difference of their left edges, so that columns of two bands are not taken for one."""
MOST_CROSSING = 3
"""Wires that may run from one band to the next."""
LEAST_GAIN = 1.15
"""Factor by which bands must enlarge the picture to be worth reading in lines."""
MOST = 12
"""The most bands that are tried."""


class Viewport(NamedTuple):
    """What a canvas offers: width and height in screen px, and the least readable scale."""

    width: float
    height: float
    readable: float


LAPTOP = Viewport(1226.0, 457.0, 0.75)
"""The canvas of a laptop of 1366 x 768 px without its margins; texts of 12 px have 9 px there."""


def wrapped(
    places: Mapping[int, Point], size: Size, wires: Iterable[tuple[int, int]], viewport: Viewport
) -> dict[int, Point]:
    """Return the positions in as many bands as show the graph largest in a viewport.

    `wires` are pairs of source and target. A graph that can be read in one band stays in one.
    """
    columns, found = _columns(places), dict(places)
    if len(columns) < 2:
        return found
    best = _scale(places, size, viewport)
    if best >= viewport.readable:
        return found
    best *= LEAST_GAIN
    pairs = list(wires)
    for count in range(2, min(MOST, len(columns)) + 1):
        bands = in_bands(places, size, pairs, count)
        if bands is None:
            continue
        scale = _scale(bands, size, viewport)
        if scale > best:
            best, found = scale, bands
    return found


def in_bands(
    places: Mapping[int, Point],
    size: Size,
    wires: Iterable[tuple[int, int]],
    count: int,
    space: Point = (INDENT, BAND_GAP),
    most_crossing: int = MOST_CROSSING,
) -> dict[int, Point] | None:
    """Return the positions in this number of bands; None where too many wires would cross.

    `space` is what is left free to the left of the bands below the first, and between two bands.
    """
    columns = _columns(places)
    crossings = _crossings(columns, wires)
    cuts = _cuts(columns, places, size, [n <= most_crossing for n in crossings], count)
    return None if cuts is None else _stacked(columns, cuts, places, size, space)


def _columns(places: Mapping[int, Point]) -> list[list[int]]:
    """Return the nodes of each column, from left to right."""
    by_x: dict[float, list[int]] = {}
    for node, (x, _y) in places.items():
        by_x.setdefault(x, []).append(node)
    return [by_x[x] for x in sorted(by_x)]


def _scale(places: Mapping[int, Point], size: Size, viewport: Viewport) -> float:
    """Return the scale at which everything fits into the viewport."""
    left, top, right, bottom = _sides(places, size, places)
    return min(viewport.width / (right - left), viewport.height / (bottom - top))


def _sides(
    nodes: Iterable[int], size: Size, places: Mapping[int, Point]
) -> tuple[float, float, float, float]:
    rects = [(*places[node], *size(node)) for node in nodes]
    return (
        min(x for x, _y, _w, _h in rects),
        min(y for _x, y, _w, _h in rects),
        max(x + w for x, _y, w, _h in rects),
        max(y + h for _x, y, _w, h in rects),
    )


def _crossings(columns: list[list[int]], wires: Iterable[tuple[int, int]]) -> list[int]:
    """Return for each column but the first how many wires come to it or later from before it."""
    column = {node: place for place, nodes in enumerate(columns) for node in nodes}
    counts = [0] * len(columns)
    for source, target in wires:
        if source in column and target in column:
            for place in range(column[source] + 1, column[target] + 1):
                counts[place] += 1
    return counts


def _cuts(
    columns: list[list[int]],
    places: Mapping[int, Point],
    size: Size,
    able_at: list[bool],
    count: int,
) -> list[int] | None:
    """Return the first columns of the bands after the first, about equally wide; None if none.

    `able_at` says of each column whether a band may begin with it.
    """
    lefts = [places[nodes[0]][0] for nodes in columns]
    _left, _top, right, _bottom = _sides(columns[-1], size, places)
    pitch = (right - lefts[0]) / count
    cuts: list[int] = []
    for band in range(1, count):
        wanted = lefts[0] + band * pitch
        able = [
            k
            for k in range((cuts[-1] if cuts else 0) + 1, len(columns))
            if able_at[k] and abs(lefts[k] - wanted) < pitch / 2
        ]
        if not able:
            return None
        cuts.append(min(able, key=lambda k: abs(lefts[k] - wanted)))
    return cuts


def _stacked(
    columns: list[list[int]], cuts: list[int], places: Mapping[int, Point], size: Size, space: Point
) -> dict[int, Point]:
    """Return the positions with each band below the one before, all from the same left edge.

    `space` is what is left free to the left of them and between them.
    """
    indent, gap = space
    found: dict[int, Point] = {}
    begin, bottom = places[columns[0][0]][0], None
    for band, (first, last) in enumerate(pairwise([0, *cuts, len(columns)])):
        right = indent + band * APART if band else 0.0
        nodes = [node for column in columns[first:last] for node in column]
        left, top, _right, low = _sides(nodes, size, places)
        down = 0.0 if bottom is None else bottom + gap - top
        for node in nodes:
            x, y = places[node]
            found[node] = (x - left + begin + right, y + down)
        bottom = low + down
    return found
