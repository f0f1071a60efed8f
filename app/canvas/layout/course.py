"""Course: the path of one wire, and what it touches."""

from __future__ import annotations

import math
from itertools import chain, pairwise
from operator import add

from PySide6.QtCore import QLineF, QPointF
from PySide6.QtGui import QColor, QPainterPath, QPainterPathStroker, QPolygonF

from app.canvas.layout.spatial_index import Sides
from app.style import sizes
from app.style.strokes import pen

Place = tuple[float, float]
"""x and y."""
Leg = tuple[float, ...]
"""A segment of a course: a straight line to a point, or a cubic curve with two control points."""
BACK_LEGS = (4, 8)
"""Segments of a wire that runs back; no other course has as many."""


def level_curve(a: Place, b: Place) -> Leg:
    """Return a curve that leaves one point level and arrives level at another."""
    middle = (a[0] + b[0]) / 2
    return (middle, a[1], middle, b[1], b[0], b[1])


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
        xs = [start[0], *chain.from_iterable([leg[::2] for leg in legs])]
        ys = [start[1], *chain.from_iterable([leg[1::2] for leg in legs])]
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
    def end(self) -> Place:
        """Return the point where it meets its slot."""
        x, y = self._legs[-1][-2:]
        return x, y

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
        """Return the course as a few straight lines, for the zoomed-out view."""
        if self._chords is None and len(self._legs) in BACK_LEGS:
            ends = [self.start.toTuple(), *((leg[-2], leg[-1]) for leg in self._legs)]
            self._chords = [QLineF(*a, *b) for a, b in pairwise(ends)]
        elif self._chords is None:
            (x, y), (end_x, end_y) = (self.start.x(), self.start.y()), self._legs[-1][-2:]
            knee = self.run_start
            if x < knee < end_x:
                self._chords = [QLineF(x, y, knee, self.y), QLineF(knee, self.y, end_x, end_y)]
            else:
                self._chords = [QLineF(x, y, end_x, end_y)]
        return self._chords

    def moved(self, right: float, down: float) -> Course:
        """Return the same course at another place, with what was computed for it."""
        x, y = self.start.toTuple()
        by = (right, down) * 3
        legs = tuple([tuple(map(add, leg, by)) for leg in self._legs])
        run = (self.run_start + right, self.run_end + right)
        found = Course((x + right, y + down), legs, run, self.y + down)
        found.crowded, found.influence = self.crowded, self.influence
        if self._polyline is not None:
            found._polyline = self._polyline.translated(right, down)
        if self._path is not None:
            found._path = self._path.translated(right, down)
        return found

    def is_like(self, other: Course) -> bool:
        """Return whether another wire has the same path."""
        return self.start == other.start and self._legs == other._legs

    def depends_on(self, sides: Sides) -> bool:
        """Whether an obstacle appearing or vanishing here may change the path."""
        level = self._legs[-1][-1]
        if sides[1] - self.influence < level < sides[3] + self.influence:
            return True
        if self.crowded and covers(sides, self.start.y()):
            return True
        x, y = self.start.toTuple()
        if sides[1] >= max(y, level) or sides[3] <= min(y, level):
            return False
        # in its bend, or on its way in another one that it would take if nothing blocked it
        right = self._legs[-1][-2] if self.crowded else x + sizes.BEND
        return sides[0] < right and sides[2] > x

    def touches(self, sides: Sides) -> bool:
        """Return whether the bounds of any segment touch a rectangle."""
        left, top, right, bottom = sides
        if self.run_start < right and self.run_end > left and top < self.y < bottom:
            return True
        begin, high, end, low = self.bounds
        if len(self._legs) in (2, *BACK_LEGS):  # close by, or back
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
