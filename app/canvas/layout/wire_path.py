"""Wire paths: the path of one wire from an output to a slot, around what is in between."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence

from PySide6.QtCore import QPointF, QRectF

from app.canvas.layout.course import Course, Leg, Place, covers
from app.canvas.layout.spatial_index import Sides, sides_of
from app.style import sizes
from app.style.strokes import is_presented

CLOSE = 10.0
"""Minimum distance, in sheet px, in which a wire can bend towards a slot on the right."""

LEAST_BEND = 26.0
"""Distance below which a bend would be too steep to follow with the eye, in sheet px."""
TO_LABEL = 5.0
"""Distance from the end of a bend to the widest label of its column, in sheet px."""

FALLS, RISES = (0.08, 0.6), (0.45, 0.97)
"""The part of the bend in which a wire changes its height, as shares: falling wires do so first and
rising ones last, so that they cross at a right angle on a level run."""

BACK, TURN = 170.0, 36.0
"""For a wire that runs back: the level run left of its slot, where its label is, and how far its
turns reach out, in sheet px."""

REACH = 0.75
"""How far a turn really reaches out, as a share of the reach of its control points."""
LEAST_TURN, LEAST_RUN, CLEARANCE = 12.0, 12.0, sizes.CAPSULE_WIDTH / 2 + 5.0
"""For a wire that turns into its slot right of a node: the tightest turn, the shortest level run
left of the slot, and its least distance from that node and its capsule, in sheet px."""

MOST_OUTWARD = 12.0
"""How far a wire that runs back may leave its level for others beside it, in sheet px."""

LANE = 20.0
"""Clearance between a wire and an obstacle, in sheet px."""


def bend_length() -> float:
    """Return the length of a bend behind the capsule; in a presentation every px counts."""
    whole = sizes.BEND_PRESENTED if is_presented() else sizes.BEND
    return whole - sizes.CAPSULE_WIDTH / 2 - TO_LABEL


def course(start: QPointF, end: QPointF, obstacles: Sequence[QRectF] = ()) -> Course:
    """Return the course from an output to a slot: bend early, then run level into the slot."""
    return course_past(start.toTuple(), end.toTuple(), [sides_of(r) for r in obstacles])


def course_past(
    start: Place,
    end: Place,
    obstacles: Sequence[Sides] = (),
    back: float = BACK,
    outward: float = 0.0,
) -> Course:
    """Return the same as `course`, with points and rectangles as plain numbers.

    `back` is the level run left of the slot where the wire runs back, `outward` how far around
    others that run back with it.
    """
    (x, y), (end_x, end_y) = start, end
    gap = end_x - x
    if gap < LEAST_BEND:
        close = gap >= CLOSE or (gap > 0 and y == end_y)
        return _close_by(start, end) if close else _back(start, end, obstacles, back, outward)
    bend = min(bend_length(), gap)
    blocked = [r for r in obstacles if _blocks_run(r, x + bend, end_x, end_y)]
    if not blocked:
        return _straight(start, end, bend, x)
    later = max(r[2] for r in blocked) + 16.0
    if end_x - later >= bend and not any(_blocks_run(r, x, later, y) for r in obstacles):
        found = _straight(start, end, bend, later)
    else:
        lane = _lane(start, end, obstacles)
        through = lane is not None
        found = _through_lane(start, end, lane) if through else _straight(start, end, bend, x)
        found.influence = _detour(lane, start, end) + LANE + 4.0 if through else math.inf
    found.crowded = True
    return found


def _straight(start: Place, end: Place, bend: float, turn: float) -> Course:
    (_x, y), (end_x, end_y) = start, end
    bend = min(bend, end_x - turn)
    begin, done = FALLS if end_y > y else RISES
    first, last = (turn + begin * bend, y), (turn + done * bend, end_y)
    return Course(start, (first, _curve(first, last), end), (last[0], end_x), end_y)


def _curve(a: Place, b: Place) -> Leg:
    middle = (a[0] + b[0]) / 2
    return (middle, a[1], middle, b[1], b[0], b[1])


def _blocks_run(sides: Sides, left: float, right: float, y: float) -> bool:
    return covers(sides, y) and sides[0] - 4 < right and sides[2] + 4 > left


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
    above = next((y for y in reversed(levels[:middle]) if is_free(y)), None)
    below = next((y for y in levels[middle:] if is_free(y)), None)
    if above is None or below is None:
        return below if above is None else above
    return above if _detour(above, start, end) <= _detour(below, start, end) else below


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


def _through_lane(start: Place, end: Place, y: float) -> Course:
    near, first = (start[0] + 4, start[1]), (start[0] + 50, y)
    last = (max(first[0], end[0] - 50), y)
    legs = (near, _curve(near, first), last, _curve(last, (end[0] - 4, end[1])), end)
    return Course(start, legs, (first[0], last[0]), y)


def _close_by(start: Place, end: Place) -> Course:
    """Route between two nodes that almost touch, with no space for a level run."""
    last = (end[0] - 4, end[1])
    return Course(start, (_curve(start, last), end), (last[0], end[0]), end[1])


def _back(
    start: Place, end: Place, obstacles: Sequence[Sides], back: float, outward: float
) -> Course:
    """Route to a slot left of the source: along a free level back, then into it from the left.

    Where nodes are in its way there, it turns into the slot right of them.
    """
    (x, y), (end_x, end_y) = start, end
    wanted = first = end_x - back - outward
    turn = TURN
    level = _level_back(start, end, obstacles, first, outward)
    for _ in obstacles:
        behind = [r[2] for r in obstacles if _blocks_turn(r, first, turn, level, end)]
        if not behind:
            break
        turn = min(TURN, (end_x - LEAST_RUN - max(behind) - CLEARANCE) / REACH)
        if turn < LEAST_TURN:  # there is no room between them and the slot
            first, turn = wanted, TURN
            level = _level_back(start, end, obstacles, first, outward)
            break
        first = max(behind) + CLEARANCE + REACH * turn
        level = _level_back(start, end, obstacles, first, outward)
    legs: tuple[Leg, ...] = (
        (x + TURN, y, x + TURN, level, x, level),
        (first, level),
        (first - turn, level, first - turn, end_y, first, end_y),
        end,
    )
    found = Course(start, legs, (first, end_x), end_y)
    found.crowded, found.influence = True, math.inf  # anything near may take its level
    return found


def _level_back(
    start: Place, end: Place, obstacles: Sequence[Sides], first: float, outward: float
) -> float:
    """Return the y at which a wire runs back to `first`: a free one, with few detours."""
    (x, y), (_end_x, end_y) = start, end
    levels = sorted(
        {(y + end_y) / 2, *(r[1] - LANE for r in obstacles), *(r[3] + LANE for r in obstacles)}
    )
    free = [at for at in levels if not any(_blocks_run(r, first, x, at) for r in obstacles)]
    level = min(free or levels[:1], key=lambda at: abs(at - y) + abs(at - end_y))
    beside = level - min(outward, MOST_OUTWARD)
    return level if any(_blocks_run(r, first, x, beside) for r in obstacles) else beside


def _blocks_turn(sides: Sides, first: float, turn: float, level: float, end: Place) -> bool:
    """Return whether a rectangle left of a slot is in the way of the turn into it."""
    left, top, right, bottom = sides
    if right > end[0] - LEAST_RUN:
        return False
    between = min(level, end[1]) < bottom and max(level, end[1]) > top
    turns_there = between and left < first and right > first - REACH * turn
    return turns_there or (covers(sides, end[1]) and right > first)
