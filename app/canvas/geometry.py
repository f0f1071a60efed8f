"""Where things are: sizes of nodes, places of slots and outputs, and the courses of wires.

All in pixels at 100 %, relative to the sheet. Pure: sheets and looks in, numbers out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QColor, QPainterPath, QPainterPathStroker, QPolygonF

from app.canvas.ink import pen
from app.canvas.text import stepped, width
from app.style import sizes

LABEL_ROOM = 190.0
PAD = 12.0


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


class Course:
    """The course of a wire: its path, and the level run into the slot where its label sits."""

    __slots__ = ("_chords", "_outlines", "_polyline", "path", "run_end", "run_start", "start", "y")

    def __init__(
        self, path: QPainterPath, run_start: float, run_end: float, y: float, start: QPointF
    ) -> None:
        self.path = path
        self.run_start = run_start
        self.run_end = run_end
        self.y = y
        self.start = start
        self._outlines: dict[tuple[float, tuple[float, ...]], QPainterPath] = {}
        self._chords: list[QLineF] = []
        self._polyline: QPolygonF | None = None

    @property
    def polyline(self) -> QPolygonF:
        """The course as a polygon, for drawing many wires at once."""
        if self._polyline is None:
            self._polyline = QPolygonF(self.path.toSubpathPolygons()[0])
        return self._polyline

    @property
    def chords(self) -> list[QLineF]:
        """The course as one or two straight lines, for the view from afar."""
        if not self._chords:
            end = self.path.currentPosition()
            knee = QPointF(self.run_start, self.y)
            if self.start.x() < knee.x() < end.x():
                self._chords = [QLineF(self.start, knee), QLineF(knee, end)]
            else:
                self._chords = [QLineF(self.start, end)]
        return self._chords

    def outline(self, wide: float, dash: tuple[float, ...] = ()) -> QPainterPath:
        """The outline of the wire as a stroke, kept: filling it is faster than stroking anew."""
        found = self._outlines.get((wide, dash))
        if found is None:
            stroker = QPainterPathStroker(pen(QColor(), wide, dash))
            stroker.setCurveThreshold(0.4)
            found = self._outlines[wide, dash] = stroker.createStroke(self.path)
        return found


def course(start: QPointF, end: QPointF, obstacles: Sequence[QRectF] = ()) -> Course:
    """The course from an output to a slot: bend early, then run level into the slot."""
    gap = end.x() - start.x()
    if gap < sizes.BEND[0]:
        return _round_about(start, end)
    drop = abs(end.y() - start.y())
    bend = min(max(drop * 0.55, float(sizes.BEND[0])), float(sizes.BEND[1]), gap)
    turn = start.x() + 6.0
    blocked = [r for r in obstacles if _blocks_run(r, start.x() + bend, end.x(), end.y())]
    if blocked:
        later = max(r.right() for r in blocked) + 16.0
        clear = end.x() - later >= bend and not any(
            _blocks_run(r, start.x(), later, start.y()) for r in obstacles
        )
        if clear:
            turn = later
        else:
            lane = _lane(start, end, obstacles)
            if lane is not None:
                return _through_lane(start, end, lane)
    bend = min(bend, end.x() - turn)
    path = QPainterPath(start)
    path.lineTo(turn, start.y())
    _curve(path, QPointF(turn, start.y()), QPointF(turn + bend, end.y()))
    path.lineTo(end)
    return Course(path, turn + bend, end.x(), end.y(), start)


def _curve(path: QPainterPath, a: QPointF, b: QPointF) -> None:
    middle = (a.x() + b.x()) / 2
    path.cubicTo(middle, a.y(), middle, b.y(), b.x(), b.y())


def _blocks_run(rect: QRectF, left: float, right: float, y: float) -> bool:
    return (
        rect.left() - 4 < right
        and rect.right() + 4 > left
        and rect.top() - 4 < y < rect.bottom() + 4
    )


def _lane(start: QPointF, end: QPointF, obstacles: Sequence[QRectF]) -> float | None:
    """A level between start and end, free of nodes, nearest to the slot's."""
    left, right = start.x() + 46.0, end.x() - 46.0
    if right <= left:
        return None
    inside = [r for r in obstacles if r.right() > left - 40 and r.left() < right + 40]
    levels = [y for r in inside for y in (r.top() - 18.0, r.bottom() + 18.0)]
    levels.sort(key=lambda y: abs(y - end.y()) + 0.3 * abs(y - start.y()))
    for y in levels:
        if not any(_blocks_run(r, left - 30, right + 30, y) for r in inside):
            return y
    return None


def _through_lane(start: QPointF, end: QPointF, y: float) -> Course:
    path = QPainterPath(start)
    path.lineTo(start.x() + 4, start.y())
    first = QPointF(start.x() + 50, y)
    _curve(path, QPointF(start.x() + 4, start.y()), first)
    last = QPointF(max(first.x(), end.x() - 50), y)
    path.lineTo(last)
    _curve(path, last, QPointF(end.x() - 4, end.y()))
    path.lineTo(end)
    return Course(path, first.x(), last.x(), y, start)


def _round_about(start: QPointF, end: QPointF) -> Course:
    """A wire to a node that stands left of its source goes round."""
    reach = max(60.0, min(160.0, abs(end.x() - start.x()) * 0.5 + abs(end.y() - start.y()) * 0.25))
    path = QPainterPath(start)
    path.cubicTo(start.x() + reach, start.y(), end.x() - reach, end.y(), end.x() - 8, end.y())
    path.lineTo(end)
    return Course(path, end.x() - 8, end.x(), end.y(), start)
