"""Wire paths: the path of one wire from an output to a slot, around what is in between."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence

from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF

from app.canvas.layout.course import Course, Place, level_curve
from app.canvas.layout.routes import (
    BACK,
    FALLS,
    LANE,
    LANE_BEND,
    RISES,
    BendRoute,
    LaneRoute,
    Route,
    back_route,
)
from app.canvas.layout.spatial_index import Sides, sides_of
from app.style import sizes
from app.style.strokes import is_presented

CLOSE = 4.0
"""Minimum distance, in sheet px, in which a wire can bend towards a slot on the right."""

LEAST_BEND = 26.0
"""Distance below which a bend would be too steep to follow with the eye, in sheet px."""
TO_LABEL = 5.0
"""Distance from the end of a bend to the widest label of its column, in sheet px."""


def bend_length() -> float:
    """Return the length of a bend behind the capsule; in a presentation every px counts."""
    whole = sizes.BEND_PRESENTED if is_presented() else sizes.BEND
    return whole - sizes.CAPSULE_WIDTH / 2 - TO_LABEL


def course(start: QPointF, end: QPointF, obstacles: Sequence[QRectF] = ()) -> Course:
    """Return the course from an output to a slot: bend early, then run level into the slot."""
    return course_past(start.toTuple(), end.toTuple(), [sides_of(r) for r in obstacles])


def course_past(
    start: Place, end: Place, obstacles: Sequence[Sides] = (), back: float = BACK
) -> Course:
    """Return the same as `course`, with points and rectangles as plain numbers.

    `back` is the level run left of the slot where the wire runs back.
    """
    found = route_past(start, end, obstacles, back)
    return found if isinstance(found, Course) else found.course()


def route_past(
    start: Place, end: Place, obstacles: Sequence[Sides] = (), back: float = BACK
) -> Course | Route | BendRoute:
    """Return the same as `course_past`; a route where others may have to be led beside it."""
    if runs_back(start, end):
        return back_route(start, end, obstacles, back)
    (x, y), (end_x, end_y) = start, end
    gap = end_x - x
    if gap < LEAST_BEND:
        return _close_by(start, end)
    bend = min(bend_length(), gap)
    blocked = _in_the_way(obstacles, (x + bend, end_x, end_y), _bend_area(x, y, end_y))
    if not blocked:
        return _straight(start, end, bend, x)
    later = max(r[2] for r in blocked) + 16.0
    level, area = (x, later, y), _bend_area(later, y, end_y)
    if end_x - later >= bend and not _in_the_way(obstacles, level, area):
        found = _straight(start, end, bend, later)
    else:
        lane = _lane(start, end, obstacles)
        if lane is not None:
            return LaneRoute(start, end, lane, _detour(lane, start, end) + LANE + 4.0)
        found = replace(_straight(start, end, bend, x), influence=math.inf)
    return replace(found, crowded=True)


def runs_back(start: Place, end: Place) -> bool:
    """Return whether a slot is so far left that a wire must turn back to it."""
    gap = end[0] - start[0]
    return gap < CLOSE and not (gap > 0 and start[1] == end[1])


def _straight(start: Place, end: Place, bend: float, turn: float) -> BendRoute:
    lane = FALLS if end[1] > start[1] else RISES
    return BendRoute(start, end, turn, min(bend, end[0] - turn), lane)


def _bend_area(x: float, y: float, end_y: float) -> Sides:
    """Return the rectangle in which a bend that begins at x changes its height."""
    begin, done = FALLS if end_y > y else RISES
    bend = bend_length()
    return (x + begin * bend, min(y, end_y), x + done * bend, max(y, end_y))


def _in_the_way(
    obstacles: Sequence[Sides], run: tuple[float, float, float], bend: Sides
) -> list[Sides]:
    """Return what blocks a level run (its left, right and y), or the bend before or after it."""
    left, right, y = run
    low, high, begin, top, done, bottom = y - 4, y + 4, *bend
    return [
        r
        for r in obstacles
        if (r[1] < high and r[3] > low and r[0] - 4 < right and r[2] + 4 > left)
        or (r[0] < done and r[2] > begin and r[1] < bottom and r[3] > top)
    ]


def _lane(start: Place, end: Place, obstacles: Sequence[Sides]) -> float | None:
    """Return the y nearest to the slot's at which a level run is free of nodes, or None."""
    left, right = start[0] + 46.0, end[0] - 46.0
    if right <= left:
        return None
    inside = [r for r in obstacles if r[2] > left - 40 and r[0] < right + 40]
    taken = _joined((r[1] - 4, r[3] + 4) for r in inside if r[2] > left - 34 and r[0] < right + 34)
    starts = [interval[0] for interval in taken]

    def is_free(y: float) -> bool:
        before = bisect_left(starts, y) - 1
        return before < 0 or taken[before][1] <= y

    levels = sorted(_levels_beside(inside))
    middle = bisect_left(levels, end[1])
    blocks = _bend_blocks(start, end, inside)

    def is_reached(y: float) -> bool:
        return is_free(y) and not any(min(y, at) < r[3] and max(y, at) > r[1] for at, r in blocks)

    for is_good in (is_reached, is_free) if blocks else (is_free,):
        above = next(filter(is_good, reversed(levels[:middle])), None)
        below = next(filter(is_good, levels[middle:]), None)
        if above is not None and below is not None:
            return min(above, below, key=lambda y: _detour(y, start, end))
        if above is not None or below is not None:
            return below if above is None else above
    return None


def _bend_blocks(start: Place, end: Place, obstacles: Iterable[Sides]) -> list[tuple[float, Sides]]:
    """Return what the bends into a lane and out of it may meet, each with the y of that end."""
    bends = ((start[0], start[0] + LANE_BEND, start[1]), (end[0] - LANE_BEND, end[0], end[1]))
    return [(y, r) for r in obstacles for a, b, y in bends if a < r[2] and b > r[0]]


def _levels_beside(obstacles: Sequence[Sides]) -> list[float]:
    return [at for r in obstacles for at in (r[1] - LANE, r[3] + LANE)]


def _detour(y: float, start: Place, end: Place) -> float:
    """Return the routing cost of running along this y; a detour at the source looks shorter."""
    return abs(y - end[1]) + 0.3 * abs(y - start[1])


def _joined(intervals: Iterable[Place]) -> list[Place]:
    """Merge overlapping intervals; returns them in order."""
    found: list[Place] = []
    for low, high in sorted(intervals):
        if found and low < found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], high))
        else:
            found.append((low, high))
    return found


def _close_by(start: Place, end: Place) -> Course:
    """Route between two nodes that almost touch, with no space for a level run."""
    last = (end[0] - min(4.0, (end[0] - start[0]) / 2), end[1])
    return Course(start, (level_curve(start, last), end), (last[0], end[0]), end[1])
