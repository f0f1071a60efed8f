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

from app.controls.drawn_range import Range, axis_range, is_drawable, is_wide
from app.controls.slices import Slices, Work
from app.workbench.modes.loop import LoopState
from engine.graph import Graph

Point = tuple[float, float]
GRID_SIZE: Final = 33
"""Points of the grid along each leaf: 33² losses take a few slices."""
LEVELS: Final = 8
"""Rings of a contour."""
REST_MS: Final = 80
"""Time without a change of the loop before a grid is begun."""
TRAIL_MARGIN: Final = 0.45
"""Margin around the trail, as a share of its extent."""
ASPECT: Final = 1.38
"""Aspect ratio of the plane, as in the panel."""
MAX_UNEVENNESS: Final = 8.0
"""Ratio of the extents of the trail up to which both leaves have the same scale."""
PEAK_QUANTILE: Final = 0.98
"""Share of the losses below the outermost ring: a few peaks would push all rings outwards."""
EDGE: Final = 0.06
"""Share of the plane along each edge that a trail keeps clear of, so that no point is cut."""
MIN_HALF_EXTENT: Final = 1.0
"""Half the extent of the plane around a trail of one point."""


class Rings(Struct, frozen=True):
    """Rings of equal loss over a rectangle of the plane: segments by level, outer first."""

    left: float
    right: float
    bottom: float
    top: float
    levels: tuple[float, ...]
    lines: tuple[tuple[tuple[Point, ...], ...], ...]

    def contains(self, trail: Sequence[Point]) -> bool:
        """Return whether a trail lies within the rectangle, and not at its edge."""
        wide, high = (self.right - self.left) * EDGE, (self.top - self.bottom) * EDGE
        return all(
            self.left + wide <= x <= self.right - wide
            and self.bottom + high <= y <= self.top - high
            for x, y in trail
        )


class Contour(QObject):
    """The rings of the loop that is shown, while the panel is visible."""

    changed = Signal()
    """Emitted when new rings are known."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._loop: LoopState | None = None
        self._plane_key: tuple[Graph, tuple[int, ...]] | None = None
        """A graph of the run and its two learners, for whose plane the rings are."""
        self.rings: Rings | None = None
        """The rings, or None while they are not known."""
        self._slices = Slices(self, budget=6)
        self._slices.finished.connect(self._store)

    @property
    def waits(self) -> bool:
        """Return whether rings are being computed."""
        return self._slices.active

    def show_loop(self, loop: LoopState | None) -> None:
        """Follow a loop; recompute for other leaves, or when its trail leaves the plane."""
        self._loop = loop
        if loop is None or len(loop.learners) != 2:
            self.cancel()
            self.rings, self._plane_key = None, None
            return
        known = self._plane_key is not None and _same_plane(self._plane_key, loop)
        if known and self.rings is not None and self.rings.contains(_trail(loop)):
            return
        if not known:
            self.rings = None
        if not (known and self._slices.started):
            self._slices.start(self._sample(), after=REST_MS)

    def cancel(self) -> None:
        """Cancel the computation; known rings stay."""
        self._slices.cancel()

    def _sample(self) -> Work:
        """Compute the rings of the loop as it is when the sampling begins."""
        loop = self._loop
        assert loop is not None
        self._plane_key = (loop.graph, loop.learners)
        return (yield from _sample_rings(loop))

    def _store(self, rings: Rings | None) -> None:
        if rings is not None:
            self.rings = rings
            self.changed.emit()


def _trail(loop: LoopState) -> list[Point]:
    a, b = loop.learners
    trail = [(loop.value(a, k), loop.value(b, k)) for k in range(loop.at + 1)]
    return [(x, y) for x, y in trail if is_drawable(x) and is_drawable(y)]


def _same_plane(plane_key: tuple[Graph, tuple[int, ...]], loop: LoopState) -> bool:
    """Return whether two states of a loop have the same loss over the plane of two leaves."""
    graph, learners = plane_key
    if learners != loop.learners or graph.structure is not loop.graph.structure:
        return False
    others = loop.graph.nodes.items()
    return all(node is graph.nodes[n] for n, node in others if n not in learners)


def _sample_rings(loop: LoopState) -> Generator[None, None, Rings | None]:
    """Pause after each row of the grid, and return the rings, or None without a trail or a root."""
    from engine.compiled.program import Program

    trail, graph = _trail(loop), loop.graph
    if not trail or graph.root is None:
        return None
    (left, right), (bottom, top) = _extent(trail)
    xs = [left + (right - left) * k / (GRID_SIZE - 1) for k in range(GRID_SIZE)]
    ys = [bottom + (top - bottom) * k / (GRID_SIZE - 1) for k in range(GRID_SIZE)]
    grid = list[list[float]]()
    program = Program(graph, loop.learners)
    for y in ys:
        grid.append(program.batch_values([(x, y) for x in xs]).tolist())
        yield
    levels = _levels(grid)
    lines = list[tuple[tuple[Point, ...], ...]]()
    for level in reversed(levels):
        lines.append(tuple(_segments(grid, xs, ys, level)))
        yield
    return Rings(left, right, bottom, top, levels, tuple(lines))


def _extent(trail: Sequence[Point]) -> tuple[Range, Range]:
    """Return the ranges of both leaves in which the loss is sampled.

    Both have the same scale, so that the trail crosses the rings at right angles; unless one leaf
    moves MAX_UNEVENNESS times as far.
    """
    (left, right), (bottom, top) = (_range([point[k] for point in trail]) for k in (0, 1))
    width, height = right - left, top - bottom
    if max(width, height) > MAX_UNEVENNESS * min(width, height):
        return (left, right), (bottom, top)
    margin_x, margin_y = (
        max(ASPECT * height - width, 0.0) / 2,
        max(width / ASPECT - height, 0.0) / 2,
    )
    return (left - margin_x, right + margin_x), (bottom - margin_y, top + margin_y)


def _range(numbers: Sequence[float]) -> Range:
    """Return the range around numbers in which the loss is sampled."""
    low, high = axis_range(numbers, TRAIL_MARGIN, MIN_HALF_EXTENT)
    return min(low, min(numbers) - MIN_HALF_EXTENT), max(high, max(numbers) + MIN_HALF_EXTENT)


def _levels(grid: Sequence[Sequence[float]]) -> tuple[float, ...]:
    """Return levels evenly spaced in the square root of the loss above its minimum.

    Over a quadratic bowl the rings are then evenly spaced.
    """
    values = sorted(x for row in grid for x in row if is_drawable(x))
    if not values or not is_wide(values[0], values[-1]):
        return ()
    low, high = values[0], values[int(PEAK_QUANTILE * (len(values) - 1))]
    steps = ((k + 1) / (LEVELS + 1) for k in range(LEVELS))
    return tuple(low + (high - low) * step * step for step in steps)


def _segments(
    grid: Sequence[Sequence[float]], xs: Sequence[float], ys: Sequence[float], level: float
) -> Iterator[tuple[Point, ...]]:
    """Yield the segments of one level: marching squares, each cell split into two triangles."""
    for j in range(len(ys) - 1):
        for i in range(len(xs) - 1):
            corners = ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1))
            heights = [grid[y][x] - level for x, y in corners]
            if not all(math.isfinite(h) for h in heights) or min(heights) > 0 or max(heights) < 0:
                continue
            at = [(xs[x], ys[y], h) for (x, y), h in zip(corners, heights, strict=True)]
            for triangle in ((at[0], at[1], at[2]), (at[0], at[2], at[3])):
                if (segment := _crossing(triangle)) is not None:
                    yield segment


def _crossing(corners: Sequence[tuple[float, float, float]]) -> tuple[Point, Point] | None:
    """Return the segment of height 0 across a triangle of points (x, y, height), or None."""
    ends = list[Point]()
    for k, (x0, y0, h0) in enumerate(corners):
        x1, y1, h1 = corners[(k + 1) % len(corners)]
        if (h0 < 0) != (h1 < 0):
            share = h0 / (h0 - h1)
            ends.append((x0 + share * (x1 - x0), y0 + share * (y1 - y0)))
    return (ends[0], ends[1]) if len(ends) == 2 else None
