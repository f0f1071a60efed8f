"""Wire paths: the path of one wire from an output to a slot, around what is in between."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence

from PySide6.QtCore import QPointF, QRectF

from app.canvas.layout.geometry import Course, Leg, Place, Sides, covers, sides_of
from app.style import sizes

CLOSE = 10.0
"""The least room in which a wire can bend towards a slot on the right."""

LANE = 18.0
"""How far from what is in the way a wire passes it."""


def course(start: QPointF, end: QPointF, obstacles: Sequence[QRectF] = ()) -> Course:
    """The course from an output to a slot: bend early, then run level into the slot."""
    return course_past(start.toTuple(), end.toTuple(), [sides_of(r) for r in obstacles])


def course_past(start: Place, end: Place, obstacles: Sequence[Sides] = ()) -> Course:
    """The same in plain numbers."""
    (x, y), (end_x, end_y) = start, end
    gap = end_x - x
    if gap < sizes.BEND[0]:
        return _close_by(start, end) if gap >= CLOSE else _round_about(start, end)
    bend = min(max(abs(end_y - y) * 0.55, float(sizes.BEND[0])), float(sizes.BEND[1]), gap)
    blocked = [r for r in obstacles if _blocks_run(r, x + bend, end_x, end_y)]
    if not blocked:
        return _straight(start, end, bend, x + 6.0)
    later = max(r[2] for r in blocked) + 16.0
    if end_x - later >= bend and not any(_blocks_run(r, x, later, y) for r in obstacles):
        found = _straight(start, end, bend, later)
    else:
        lane = _lane(start, end, obstacles)
        through = lane is not None
        found = _through_lane(start, end, lane) if through else _straight(start, end, bend, x + 6.0)
        found.say = _detour(lane, start, end) + LANE + 4.0 if through else math.inf
    found.crowded = True
    return found


def _straight(start: Place, end: Place, bend: float, turn: float) -> Course:
    (_x, y), (end_x, end_y) = start, end
    bend = min(bend, end_x - turn)
    legs = ((turn, y), _curve((turn, y), (turn + bend, end_y)), end)
    return Course(start, legs, (turn + bend, end_x), end_y)


def _curve(a: Place, b: Place) -> Leg:
    middle = (a[0] + b[0]) / 2
    return (middle, a[1], middle, b[1], b[0], b[1])


def _blocks_run(sides: Sides, left: float, right: float, y: float) -> bool:
    return covers(sides, y) and sides[0] - 4 < right and sides[2] + 4 > left


def _lane(start: Place, end: Place, obstacles: Sequence[Sides]) -> float | None:
    """A level between start and end, free of nodes, nearest to the slot's."""
    left, right = start[0] + 46.0, end[0] - 46.0
    if right <= left:
        return None
    inside = [r for r in obstacles if r[2] > left - 40 and r[0] < right + 40]
    taken = _joined((r[1] - 4, r[3] + 4) for r in inside if r[2] > left - 34 and r[0] < right + 34)
    starts = [interval[0] for interval in taken]

    def is_free(y: float) -> bool:
        before = bisect_left(starts, y) - 1
        return before < 0 or taken[before][1] <= y

    levels = sorted([r[1] - LANE for r in inside] + [r[3] + LANE for r in inside])
    middle = bisect_left(levels, end[1])
    above = next((y for y in reversed(levels[:middle]) if is_free(y)), None)
    below = next((y for y in levels[middle:] if is_free(y)), None)
    if above is None or below is None:
        return below if above is None else above
    return above if _detour(above, start, end) <= _detour(below, start, end) else below


def _detour(y: float, start: Place, end: Place) -> float:
    """How unwelcome a level is."""
    return abs(y - end[1]) + 0.3 * abs(y - start[1])


def _joined(intervals: Iterable[Place]) -> list[Place]:
    """Intervals in order, those that overlap made one."""
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
    """A wire between two nodes that almost touch has no room for a level run."""
    last = (end[0] - 4, end[1])
    return Course(start, (_curve(start, last), end), (last[0], end[0]), end[1])


def _round_about(start: Place, end: Place) -> Course:
    """A wire to a node that stands left of its source goes round."""
    (x, y), (end_x, end_y) = start, end
    reach = max(60.0, min(160.0, abs(end_x - x) * 0.5 + abs(end_y - y) * 0.25))
    curve = (x + reach, y, end_x - reach, end_y, end_x - 8, end_y)
    return Course(start, (curve, end), (end_x - 8, end_x), end_y)
