"""Where things are: sizes of nodes, places of slots and outputs, and the courses of wires.

All in pixels at 100 %, relative to the sheet. Pure: sheets and looks in, numbers out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QColor, QPainterPath, QPainterPathStroker, QPolygonF

from app.document.sheet import Rect
from app.style import sizes
from app.style.strokes import pen
from app.style.text_widths import stepped, width

LABEL_ROOM = 190.0
PAD = 12.0

Place = tuple[float, float]
"""x and y."""


@dataclass(frozen=True, slots=True)
class Box:
    """A node's rectangle, and the width of its left column (slots and local derivatives)."""

    x: float
    y: float
    w: float
    h: float
    left: float = 0.0

    @property
    def rect(self) -> QRectF:
        """The rectangle of the body, with its ledger."""
        return QRectF(self.x, self.y, self.w, self.h)

    def slot(self, slot: int) -> QPointF:
        """The middle of a slot."""
        return QPointF(self.x, self.y + slot_row(slot))

    def output(self, place: int = 0, count: int = 1) -> QPointF:
        """Where the wire at this place of `count` leaves the capsule."""
        spread = sizes.OUTPUT_SPREAD * (place / (count - 1) - 0.5) if count > 1 else 0.0
        return QPointF(
            self.x + self.w + sizes.CAPSULE_WIDTH / 2, self.y + capsule_middle() + spread
        )


def slot_row(slot: int) -> float:
    """The height of a row's middle below the top of the node."""
    return sizes.NODE_HEADER + sizes.NODE_PADDING + sizes.NODE_ROW * (slot + 0.5)


def capsule_middle() -> float:
    """The height of the capsule's middle below the top of the node."""
    return sizes.NODE_HEADER + sizes.NODE_PADDING + sizes.NODE_ROW


def body_height(slots: int) -> float:
    """The height of a node without its ledger."""
    return float(sizes.NODE_HEIGHT + max(0, slots - 2) * sizes.NODE_ROW)


@dataclass(frozen=True, slots=True)
class Room:
    """The widest texts a node may have to show during a pass."""

    value: float = 0.0
    grad: float = 0.0
    local: float = 0.0
    chips: float = 0.0


def header_width(kind: str, label: str, symbol: str) -> float:
    """The width a node's header needs; the formula beside the label gives way first."""
    box = max(float(sizes.SYMBOL), width(symbol, "done") + 8) + 8 if symbol else 0.0
    header = 10 + box + min(width(label, "label"), 180.0) + 12
    if kind != "op":
        header += width(kind, "caption") + 10 + (18 if kind == "root" else 0)
    return header


def node_size(kind: str, slots: int, header: float, room: Room) -> tuple[float, float, float]:
    """Width, height and width of the left column of a node."""
    left = 0.0
    if kind == "op":
        left = max(52.0, stepped(room.local + PAD + 6, 4.0) if room.local > 34.0 else 0.0)
    right = 12 + 34 + max(room.value, room.grad) + 14
    least = {"leaf": sizes.LEAF_WIDTH, "op": sizes.OP_WIDTH, "root": sizes.ROOT_WIDTH}
    floor = float(least.get(kind, sizes.LEAF_WIDTH))
    wide = max(floor, left + right, header, room.chips)
    if wide > floor:
        wide = floor + stepped(wide - floor)
    return wide, body_height(slots), left


Leg = tuple[float, ...]
"""A piece of a course: a straight line to a point, or a curve with two points that bend it."""

Sides = tuple[float, float, float, float]
"""Left, top, right and bottom."""


def sides_of(rect: QRectF) -> Sides:
    """The sides of a rectangle, in plain numbers."""
    return rect.left(), rect.top(), rect.right(), rect.bottom()


def covers(sides: Sides, y: float) -> bool:
    """Whether a level line would touch a rectangle, or come too close."""
    return sides[1] - 4 < y < sides[3] + 4


class Course:
    """The course of a wire: its path, and the level run into the slot where its label sits.

    Its path and all that is made from it exist only once somebody asks: most wires of a large
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
        "run_end",
        "run_start",
        "say",
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
        """The sides of a rectangle round the path and all points that bend it."""
        self.crowded = False
        """Whether something stands in its straight way."""
        self.say = 4.0
        """How close to the level of its end something must stand to have a say in its course."""
        self._legs = legs
        self._path: QPainterPath | None = None
        self._outlines: dict[tuple[float, tuple[float, ...]], QPainterPath] | None = None
        self._chords: list[QLineF] | None = None
        self._polyline: QPolygonF | None = None
        self._corners: list[Place] | None = None

    @property
    def path(self) -> QPainterPath:
        """The whole course, for drawing it by itself."""
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
        """The course as a polygon, for drawing many wires at once."""
        if self._polyline is None:
            self._polyline = QPolygonF(self.path.toSubpathPolygons()[0])
        return self._polyline

    @property
    def chords(self) -> list[QLineF]:
        """The course as one or two straight lines, for the view from afar."""
        if self._chords is None:
            (x, y), (end_x, end_y) = (self.start.x(), self.start.y()), self._legs[-1][-2:]
            knee = self.run_start
            if x < knee < end_x:
                self._chords = [QLineF(x, y, knee, self.y), QLineF(knee, self.y, end_x, end_y)]
            else:
                self._chords = [QLineF(x, y, end_x, end_y)]
        return self._chords

    def is_like(self, other: Course) -> bool:
        """Whether another wire runs the same way."""
        return self.start == other.start and self._legs == other._legs

    def minds(self, sides: Sides) -> bool:
        """Whether something that comes there, or goes from there, may make it run otherwise."""
        level = self._legs[-1][-1]
        if sides[1] - self.say < level < sides[3] + self.say:
            return True
        return self.crowded and covers(sides, self.start.y())

    def touches(self, sides: Sides) -> bool:
        """Whether the line may come into a rectangle: one of its pieces does."""
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
        """The outline of the wire as a stroke, kept: filling it is faster than stroking anew."""
        if self._outlines is None:
            self._outlines = {}
        found = self._outlines.get((wide, dash))
        if found is None:
            stroker = QPainterPathStroker(pen(QColor(), wide, dash))
            stroker.setCurveThreshold(0.4)
            found = self._outlines[wide, dash] = stroker.createStroke(self.path)
        return found

    def distance(self, point: QPointF, reach: float) -> float:
        """How far a point is from the line; infinite if certainly farther than `reach`."""
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
    """How far the origin is from a segment."""
    dx, dy = bx - ax, by - ay
    length = dx * dx + dy * dy
    t = 0.0 if not length else min(max(-(ax * dx + ay * dy) / length, 0.0), 1.0)
    return math.hypot(ax + t * dx, ay + t * dy)


def as_rect(rect: QRectF) -> Rect:
    """A rectangle as the sheet holds it."""
    return (rect.x(), rect.y(), rect.width(), rect.height())
