"""Wire paths: the path of one wire from an output to a slot, around what is in between."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import pairwise

from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QColor, QPainterPath, QPainterPathStroker, QPolygonF

from app.canvas.layout.spatial_index import Sides, sides_of
from app.style import sizes
from app.style.strokes import pen

Place = tuple[float, float]
"""x and y."""
Leg = tuple[float, ...]
"""A segment of a course: a straight line to a point, or a cubic curve with two control points."""

CLOSE = 10.0
"""Minimum distance, in sheet px, in which a wire can bend towards a slot on the right."""

LANE = 18.0
"""Clearance between a wire and an obstacle, in sheet px."""


def course(start: QPointF, end: QPointF, obstacles: Sequence[QRectF] = ()) -> Course:
    """Return the course from an output to a slot: bend early, then run level into the slot."""
    return course_past(start.toTuple(), end.toTuple(), [sides_of(r) for r in obstacles])


def course_past(start: Place, end: Place, obstacles: Sequence[Sides] = ()) -> Course:
    """Return the same as `course`, with points and rectangles as plain numbers."""
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
        found.influence = _detour(lane, start, end) + LANE + 4.0 if through else math.inf
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

    levels = sorted([r[1] - LANE for r in inside] + [r[3] + LANE for r in inside])
    middle = bisect_left(levels, end[1])
    above = next((y for y in reversed(levels[:middle]) if is_free(y)), None)
    below = next((y for y in levels[middle:] if is_free(y)), None)
    if above is None or below is None:
        return below if above is None else above
    return above if _detour(above, start, end) <= _detour(below, start, end) else below


def _detour(y: float, start: Place, end: Place) -> float:
    """Return the routing cost of running along this y."""
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


def _round_about(start: Place, end: Place) -> Course:
    """Route to a node left of the source, around both."""
    (x, y), (end_x, end_y) = start, end
    reach = max(60.0, min(160.0, abs(end_x - x) * 0.5 + abs(end_y - y) * 0.25))
    curve = (x + reach, y, end_x - reach, end_y, end_x - 8, end_y)
    return Course(start, (curve, end), (end_x - 8, end_x), end_y)


def covers(sides: Sides, y: float) -> bool:
    """Return whether a horizontal line at y would touch a rectangle or its clearance."""
    return sides[1] - 4 < y < sides[3] + 4


class Course:
    """The course of a wire: its path, and the horizontal run into the slot that holds its label.

    The path and everything derived from it is computed on first use, since most wires of a large
    graph are out of view.
    """

    __slots__ = (
        "_chords",
        "_corners",
        "_legs",
        "_outlines",
        "_path",
        "_polyline",
        "bounds",
        "crowded",
        "influence",
        "run_end",
        "run_start",
        "start",
        "y",
    )

    def __init__(self, start: Place, legs: tuple[Leg, ...], run: Place, y: float) -> None:
        self.start = QPointF(*start)
        self.run_start, self.run_end = run
        self.y = y
        xs = [start[0], *(x for leg in legs for x in leg[::2])]
        ys = [start[1], *(y for leg in legs for y in leg[1::2])]
        self.bounds: Sides = (min(xs), min(ys), max(xs), max(ys))
        """Bounds of the path and its control points."""
        self.crowded = False
        """Whether an obstacle blocks the straight course."""
        self.influence = 4.0
        """Vertical distance to its end, in sheet px, within which a node affects the routing."""
        self._legs = legs
        self._path: QPainterPath | None = None
        self._outlines: dict[tuple[float, tuple[float, ...]], QPainterPath] | None = None
        self._chords: list[QLineF] | None = None
        self._polyline: QPolygonF | None = None
        self._corners: list[Place] | None = None

    @property
    def path(self) -> QPainterPath:
        """Return the path, for painting a single wire."""
        if self._path is None:
            self._path = QPainterPath(self.start)
            for leg in self._legs:
                if len(leg) == 2:
                    self._path.lineTo(*leg)
                else:
                    self._path.cubicTo(*leg)
        return self._path

    @property
    def polyline(self) -> QPolygonF:
        """Return the path as a polygon, for painting many wires at once."""
        if self._polyline is None:
            self._polyline = QPolygonF(self.path.toSubpathPolygons()[0])
        return self._polyline

    @property
    def chords(self) -> list[QLineF]:
        """Return the course as one or two straight lines, for the zoomed-out view."""
        if self._chords is None:
            (x, y), (end_x, end_y) = (self.start.x(), self.start.y()), self._legs[-1][-2:]
            knee = self.run_start
            if x < knee < end_x:
                self._chords = [QLineF(x, y, knee, self.y), QLineF(knee, self.y, end_x, end_y)]
            else:
                self._chords = [QLineF(x, y, end_x, end_y)]
        return self._chords

    def is_like(self, other: Course) -> bool:
        """Return whether another wire has the same path."""
        return self.start == other.start and self._legs == other._legs

    def depends_on(self, sides: Sides) -> bool:
        """Whether something that comes there, or goes from there, may make it run otherwise."""
        level = self._legs[-1][-1]
        if sides[1] - self.influence < level < sides[3] + self.influence:
            return True
        return self.crowded and covers(sides, self.start.y())

    def touches(self, sides: Sides) -> bool:
        """Return whether the bounds of any segment touch a rectangle."""
        left, top, right, bottom = sides
        if self.run_start < right and self.run_end > left and top < self.y < bottom:
            return True
        begin, high, end, low = self.bounds
        if len(self._legs) == 2:  # all round
            return begin < right and end > left and high < bottom and low > top
        if begin < right and self.run_start > left:  # the bend before the run
            level = self.start.y()
            if min(level, self.y) < bottom and max(level, self.y) > top:
                return True
        if len(self._legs) == 3 or not (self.run_end < right and end > left):
            return False
        level = self._legs[-1][1]  # the bend after it
        return min(level, self.y) < bottom and max(level, self.y) > top

    def outline(self, wide: float, dash: tuple[float, ...] = ()) -> QPainterPath:
        """Return the outline of the stroked path, cached: filling is faster than stroking."""
        if self._outlines is None:
            self._outlines = {}
        found = self._outlines.get((wide, dash))
        if found is None:
            stroker = QPainterPathStroker(pen(QColor(), wide, dash))
            stroker.setCurveThreshold(0.4)
            found = self._outlines[wide, dash] = stroker.createStroke(self.path)
        return found

    def stretch(self, start: float, end: float) -> QPolygonF:
        """Return the piece between two shares of its length, measured from the slot."""
        line = self.polyline
        pairs = list(pairwise(line.at(k) for k in range(line.count() - 1, -1, -1)))
        steps = [math.hypot(b.x() - a.x(), b.y() - a.y()) for a, b in pairs]
        low, high = start * sum(steps), end * sum(steps)
        found = QPolygonF()
        gone = 0.0
        for (a, b), step in zip(pairs, steps, strict=True):
            if step and gone + step >= low and gone <= high:
                if found.isEmpty():
                    found.append(a + (b - a) * max(0.0, (low - gone) / step))
                found.append(a + (b - a) * min(1.0, (high - gone) / step))
            gone += step
        return found

    def distance(self, point: QPointF, reach: float) -> float:
        """Return the distance from a point to the path; infinite if certainly more than `reach`."""
        x, y = point.x(), point.y()
        if not self.touches((x - reach, y - reach, x + reach, y + reach)):
            return math.inf
        if x > self.run_start + reach and len(self._legs) == 3:  # beside the run alone
            return math.hypot(max(0.0, x - self.run_end), y - self.y)
        if self._corners is None:
            self._corners = [at.toTuple() for at in self.polyline.toList()]
        return min(
            (
                _distance_to_segment(ax - x, ay - y, bx - x, by - y)
                for (ax, ay), (bx, by) in pairwise(self._corners)
                if (ax <= x + reach or bx <= x + reach) and (ax >= x - reach or bx >= x - reach)
            ),
            default=math.inf,
        )


def _distance_to_segment(ax: float, ay: float, bx: float, by: float) -> float:
    """Return the distance from the origin to a segment."""
    dx, dy = bx - ax, by - ay
    length = dx * dx + dy * dy
    t = 0.0 if not length else min(max(-(ax * dx + ay * dy) / length, 0.0), 1.0)
    return math.hypot(ax + t * dx, ay + t * dy)
