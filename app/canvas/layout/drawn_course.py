"""Drawn courses: the courses of wires with the shapes that are painted, and hit by the mouse."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QColor, QPainterPath, QPainterPathStroker, QPolygonF

from app.canvas.layout.spatial_index import sides_of
from app.canvas.layout.wire_path import BACK_LEGS, Course, route_past
from app.style.strokes import pen


class DrawnCourse(Course):
    """A course with its path and what is derived from it, computed on first use.

    Most wires of a large graph are out of view.
    """

    __slots__ = ("_chords", "_corners", "_outlines", "_path", "_polyline")

    def __init__(self, of: Course) -> None:
        self.start, self.legs, self.bounds = of.start, of.legs, of.bounds
        self.run_start, self.run_end, self.y = of.run_start, of.run_end, of.y
        self.is_blocked, self.influence = of.is_blocked, of.influence
        self._path: QPainterPath | None = None
        self._outlines: dict[tuple[float, tuple[float, ...]], QPainterPath] | None = None
        """By width and dash pattern of the stroke."""
        self._chords: list[QLineF] | None = None
        self._polyline: QPolygonF | None = None
        self._corners: list[tuple[float, float]] | None = None

    @property
    def path(self) -> QPainterPath:
        """Return the path, for painting a single wire."""
        if self._path is None:
            self._path = QPainterPath(QPointF(*self.start))
            for leg in self.legs:
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
        if self._chords is None and len(self.legs) in BACK_LEGS:
            ends = [self.start, *((leg[-2], leg[-1]) for leg in self.legs)]
            self._chords = [QLineF(*a, *b) for a, b in pairwise(ends)]
        elif self._chords is None:
            (x, y), (end_x, end_y) = self.start, self.legs[-1][-2:]
            knee = self.run_start  # where the bend is over
            if x < knee < end_x:
                self._chords = [QLineF(x, y, knee, self.y), QLineF(knee, self.y, end_x, end_y)]
            else:
                self._chords = [QLineF(x, y, end_x, end_y)]
        return self._chords

    def translated(self, right: float, down: float) -> DrawnCourse:
        """Return the course translated, with its cached shapes."""
        found = DrawnCourse(super().translated(right, down))
        if self._polyline is not None:
            found._polyline = self._polyline.translated(right, down)
        if self._path is not None:
            found._path = self._path.translated(right, down)
        return found

    def outline(self, wide: float, dash: tuple[float, ...] = ()) -> QPainterPath:
        """Return the outline of the stroked path, cached: filling is faster than stroking."""
        if self._outlines is None:
            self._outlines = {}
        found = self._outlines.get((wide, dash))
        if found is None:
            stroker = QPainterPathStroker(pen(QColor(), wide, dash))
            stroker.setCurveThreshold(0.4)  # a finer outline looks the same and takes longer
            found = self._outlines[wide, dash] = stroker.createStroke(self.path)
        return found

    def stretch(self, start: float, end: float) -> QPolygonF:
        """Return the piece between two shares of its length, measured from the slot."""
        line = self.polyline
        pairs = list(pairwise(line.at(k) for k in range(line.count() - 1, -1, -1)))
        steps = [math.hypot(b.x() - a.x(), b.y() - a.y()) for a, b in pairs]
        low, high = start * sum(steps), end * sum(steps)
        found = QPolygonF()
        passed = 0.0
        for (a, b), step in zip(pairs, steps, strict=True):
            if step and passed + step >= low and passed <= high:
                if found.isEmpty():
                    found.append(a + (b - a) * max(0.0, (low - passed) / step))
                found.append(a + (b - a) * min(1.0, (high - passed) / step))
            passed += step
        return found

    def distance(self, point: QPointF, reach: float) -> float:
        """Return the distance from a point to the path; infinite if certainly more than `reach`."""
        x, y = point.x(), point.y()
        if not self.touches((x - reach, y - reach, x + reach, y + reach)):
            return math.inf
        # the fast case of a single bend: right of it only the level run is within reach
        if x > self.run_start + reach and len(self.legs) == 3:
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


def course(start: QPointF, end: QPointF, obstacles: Sequence[QRectF] = ()) -> DrawnCourse:
    """Return the course from an output to a slot: bend early, then run level into the slot."""
    found = route_past(start.toTuple(), end.toTuple(), [sides_of(r) for r in obstacles])
    return DrawnCourse(found if isinstance(found, Course) else found.course())


def _distance_to_segment(ax: float, ay: float, bx: float, by: float) -> float:
    """Return the distance from the origin to a segment."""
    dx, dy = bx - ax, by - ay
    length = dx * dx + dy * dy
    t = 0.0 if not length else min(max(-(ax * dx + ay * dy) / length, 0.0), 1.0)
    return math.hypot(ax + t * dx, ay + t * dy)
