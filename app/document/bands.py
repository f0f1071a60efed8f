"""Bands: a graph much wider than the canvas is wrapped, as text is into lines.

    wrap_into_bands(places, size, wires, viewport)   as many bands as show the graph largest
    in_bands(places, size, wires, count)             a given number of bands

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
BAND_INDENT = 170.0
"""Indent of the bands below the first, for the labels of wires from the band above, in scene px."""
_INDENT_STEP = 1.0
"""Further indent of each band: columns are recognized by their x, so no two may share one."""
MOST_CROSSING = 3
"""Maximum number of wires from one band to the next."""
_LEAST_ENLARGEMENT = 1.15
"""Factor by which bands must enlarge the picture to be worth the jumps between them."""
MOST_BANDS = 12
"""Maximum number of bands tried."""


class Viewport(NamedTuple):
    """Width and height of a canvas in screen px, and the least readable scale."""

    width: float
    height: float
    readable_scale: float


LAPTOP_VIEWPORT = Viewport(1226.0, 457.0, 0.75)
"""The canvas of a laptop of 1366 x 768 px without its margins; texts of 12 px have 9 px there."""


def wrap_into_bands(
    places: Mapping[int, Point], size: Size, wires: Iterable[tuple[int, int]], viewport: Viewport
) -> dict[int, Point]:
    """Return the positions in as many bands as show the graph largest in a viewport.

    `wires` are pairs of source and target. A graph that can be read in one band stays in one.
    """
    columns, found = _columns(places), dict(places)
    if len(columns) < 2:
        return found
    best = _scale(places, size, viewport)
    if best >= viewport.readable_scale:
        return found
    best *= _LEAST_ENLARGEMENT
    pairs = list(wires)
    for count in range(2, min(MOST_BANDS, len(columns)) + 1):
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
    space: Point = (BAND_INDENT, BAND_GAP),
    most_crossing: int = MOST_CROSSING,
) -> dict[int, Point] | None:
    """Return the positions in this number of bands; None where too many wires would cross.

    `space` holds the indent of the bands below the first, and the gap between two bands.
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
    left, top, right, bottom = _bounds(places, size, places)
    return min(viewport.width / (right - left), viewport.height / (bottom - top))


def _bounds(
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
    """Return for each column the number of wires that cross its left side."""
    column = {node: k for k, nodes in enumerate(columns) for node in nodes}
    counts = [0] * len(columns)
    for source, target in wires:
        if source in column and target in column:
            for k in range(column[source] + 1, column[target] + 1):
                counts[k] += 1
    return counts


def _cuts(
    columns: list[list[int]],
    places: Mapping[int, Point],
    size: Size,
    may_begin: list[bool],
    count: int,
) -> list[int] | None:
    """Return the first column of each band after the first; None if a band finds no column.

    Each is the column nearest to the edge of equally wide bands, at most half a band from it.
    `may_begin` holds for each column whether few enough wires cross its left side.
    """
    lefts = [places[nodes[0]][0] for nodes in columns]
    _left, _top, right, _bottom = _bounds(columns[-1], size, places)
    band_width = (right - lefts[0]) / count
    cuts: list[int] = []
    for band in range(1, count):
        ideal = lefts[0] + band * band_width
        candidates = [
            k
            for k in range((cuts[-1] if cuts else 0) + 1, len(columns))
            if may_begin[k] and abs(lefts[k] - ideal) < band_width / 2
        ]
        if not candidates:
            return None
        cuts.append(min(candidates, key=lambda k: abs(lefts[k] - ideal)))
    return cuts


def _stacked(
    columns: list[list[int]], cuts: list[int], places: Mapping[int, Point], size: Size, space: Point
) -> dict[int, Point]:
    """Return the positions with the bands below each other, from the left edge of the first.

    `space` holds the indent of the bands below the first, and the gap between two bands.
    """
    indent, gap = space
    found: dict[int, Point] = {}
    origin, bottom = places[columns[0][0]][0], None
    for band, (first, last) in enumerate(pairwise([0, *cuts, len(columns)])):
        shift = indent + band * _INDENT_STEP if band else 0.0
        nodes = [node for column in columns[first:last] for node in column]
        left, top, _right, low_edge = _bounds(nodes, size, places)
        dy = 0.0 if bottom is None else bottom + gap - top
        for node in nodes:
            x, y = places[node]
            found[node] = (x - left + origin + shift, y + dy)
        bottom = low_edge + dy
    return found
