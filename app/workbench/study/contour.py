"""Contours: rings of equal loss in the plane of two leaves, computed in slices between events.

Marching squares over a grid of losses; each cell is split into two triangles, which removes the
ambiguous saddle cases.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Sequence
from typing import Final

from msgspec import Struct
from PySide6.QtCore import QObject, Signal

from app.controls.drawn_range import axis_range, is_drawable, is_wide
from app.controls.slices import Slices, Work
from app.workbench.modes.loop import LoopState
from engine.graph import Graph

Point = tuple[float, float]
SIDE: Final = 33
"""Places of the grid along each leaf."""
LEVELS: Final = 8
REST: Final = 80
"""Milliseconds for which the loop has to rest before a grid is begun."""
REACH: Final = 0.45
"""Space around the trail, as a share of its extent."""
ASPECT: Final = 1.38
"""Width of the plane to its height, as in the panel."""
MOST_UNEVEN: Final = 8.0
"""How many times as far as the other a leaf may move where both have the same scale."""
LEAST_REACH: Final = 1.0
"""Half the extent of a plane around a trail that has not moved."""


class Rings(Struct, frozen=True):
    """Rings of equal loss, outer first: a stroke per segment; and the part of the plane."""

    left: float
    right: float
    bottom: float
    top: float
    levels: tuple[float, ...]
    lines: tuple[tuple[tuple[Point, ...], ...], ...]

    def holds(self, trail: Sequence[Point]) -> bool:
        """Return whether a trail lies within the plane."""
        return all(self.left <= x <= self.right and self.bottom <= y <= self.top for x, y in trail)


class Contour(QObject):
    """The rings of the loop that is shown, while the panel is visible."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._loop: LoopState | None = None
        self._of: tuple[Graph, tuple[int, ...]] | None = None
        self._rings: Rings | None = None
        self._slices = Slices(self, budget=6)
        self._slices.finished.connect(self._take)

    @property
    def rings(self) -> Rings | None:
        """Return the rings, or None while they are not known."""
        return self._rings

    @property
    def waits(self) -> bool:
        """Return whether rings are being computed."""
        return self._slices.active

    def show_loop(self, loop: LoopState | None) -> None:
        """Follow a loop; recompute for other leaves, or when its trail leaves the plane."""
        self._loop = loop
        if loop is None or len(loop.learners) != 2:
            self.cancel()
            self._rings, self._of = None, None
            return
        known = self._of is not None and _same_plane(self._of, loop)
        if known and self._rings is not None and self._rings.holds(_trail(loop)):
            return
        if not known:
            self._rings = None
        if not (known and self._slices.started):
            self._slices.start(self._sample(), after=REST)

    def cancel(self) -> None:
        """Cancel the computation; known rings stay."""
        self._slices.cancel()

    def _sample(self) -> Work:
        """Compute the rings of the loop as it is when the sampling begins."""
        loop = self._loop
        assert loop is not None
        self._of = (loop.graph, loop.learners)
        return (yield from _sampled(loop))

    def _take(self, rings: Rings | None) -> None:
        if rings is not None:
            self._rings = rings
            self.changed.emit()


def _trail(loop: LoopState) -> list[Point]:
    a, b = loop.learners
    trail = [(loop.value(a, k), loop.value(b, k)) for k in range(loop.at + 1)]
    return [(x, y) for x, y in trail if is_drawable(x) and is_drawable(y)]


def _same_plane(of: tuple[Graph, tuple[int, ...]], loop: LoopState) -> bool:
    """Return whether two states of a loop have the same loss over the plane of two leaves."""
    graph, learners = of
    if learners != loop.learners or graph.structure is not loop.graph.structure:
        return False
    others = loop.graph.nodes.items()
    return all(found is graph.nodes[n] for n, found in others if n not in learners)


def _sampled(loop: LoopState) -> Generator[None, None, Rings | None]:
    """Pause after each row of the grid, and return the rings, or None without a trail or a root."""
    from engine.compiled.program import Program

    trail, graph = _trail(loop), loop.graph
    if not trail or graph.root is None:
        return None
    (left, right), (bottom, top) = _plane(trail)
    xs = [left + (right - left) * k / (SIDE - 1) for k in range(SIDE)]
    ys = [bottom + (top - bottom) * k / (SIDE - 1) for k in range(SIDE)]
    grid = list[list[float]]()
    program = Program(graph, loop.learners, tier="tape")
    for y in ys:
        grid.append(program.batch_values([(x, y) for x in xs]).tolist())
        yield
    levels = _levels(grid)
    lines = list[tuple[tuple[Point, ...], ...]]()
    for level in reversed(levels):
        lines.append(tuple(_ring(grid, xs, ys, level)))
        yield
    return Rings(left, right, bottom, top, levels, tuple(lines))


def _plane(trail: Sequence[Point]) -> tuple[Point, Point]:
    """Return the part of the plane in which the loss is sampled.

    A px is as much of one leaf as of the other, so that the trail crosses the rings at right
    angles; unless one leaf moves many times as far.
    """
    (left, right), (bottom, top) = (_reach([point[k] for point in trail]) for k in (0, 1))
    wide, high = right - left, top - bottom
    if max(wide, high) > MOST_UNEVEN * min(wide, high):
        return (left, right), (bottom, top)
    lacks_x, lacks_y = max(ASPECT * high - wide, 0.0) / 2, max(wide / ASPECT - high, 0.0) / 2
    return (left - lacks_x, right + lacks_x), (bottom - lacks_y, top + lacks_y)


def _reach(numbers: Sequence[float]) -> Point:
    """Return the range around numbers in which the loss is sampled."""
    low, high = axis_range(numbers, REACH, LEAST_REACH)
    return min(low, min(numbers) - LEAST_REACH), max(high, max(numbers) + LEAST_REACH)


def _levels(grid: Sequence[Sequence[float]]) -> tuple[float, ...]:
    """Return levels that are evenly spread in the root of the loss above its lowest place.

    Over a quadratic bowl the rings are then as far apart from one another.
    """
    found = sorted(x for row in grid for x in row if is_drawable(x))
    if not found or not is_wide(found[0], found[-1]):
        return ()
    low, high = found[0], found[int(0.98 * (len(found) - 1))]
    steps = ((k + 1) / (LEVELS + 1) for k in range(LEVELS))
    return tuple(low + (high - low) * step * step for step in steps)


def _ring(
    grid: Sequence[Sequence[float]], xs: Sequence[float], ys: Sequence[float], level: float
) -> Iterator[tuple[Point, ...]]:
    """Yield the segments of one level."""
    for j in range(len(ys) - 1):
        for i in range(len(xs) - 1):
            corners = ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1))
            heights = [grid[y][x] - level for x, y in corners]
            if not all(math.isfinite(h) for h in heights) or min(heights) > 0 or max(heights) < 0:
                continue
            at = [(xs[x], ys[y], h) for (x, y), h in zip(corners, heights, strict=True)]
            for three in ((at[0], at[1], at[2]), (at[0], at[2], at[3])):
                if (segment := _across(three)) is not None:
                    yield segment


def _across(corners: Sequence[tuple[float, float, float]]) -> tuple[Point, Point] | None:
    """Return where the level 0 crosses a triangle of points with heights, or None."""
    found = list[Point]()
    for k, (x0, y0, h0) in enumerate(corners):
        x1, y1, h1 = corners[(k + 1) % len(corners)]
        if (h0 < 0) != (h1 < 0):
            share = h0 / (h0 - h1)
            found.append((x0 + share * (x1 - x0), y0 + share * (y1 - y0)))
    return (found[0], found[1]) if len(found) == 2 else None
