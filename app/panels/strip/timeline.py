"""The timeline: both passes as lanes of ticks, one for each step, for reading and scrubbing.

Above about seven px per tick each step has a dot, below that a stroke; below three px the line is
only filled, over a ruler with step numbers. Brackets such as `Σ a: −2 + 6` are over sums.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping
from itertools import accumulate
from typing import Final, NamedTuple

from msgspec import Struct, field
from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractSlider, QSizePolicy, QToolTip, QWidget

from app.controls.drawn_range import round_up
from app.controls.layouts import plain_tooltip
from app.guard import guarded
from app.style.current import Style
from app.style.theme import mixed
from app.workbench.gradients.chain_rule import summand
from app.workbench.playback.ticks import TICK_NAME_LIMIT, TickGroup, Track
from engine.frame import Frame
from engine.numbers import ASKED
from engine.rules import UNKNOWN
from engine.trace import Event

_GROUP_GAP = 1.25
"""Gap between ticks of different nodes, relative to that between ticks of one node."""
_EDGE = 20
FORWARD_TICK: Final = 46
"""Most px at 100 % between two ticks of a forward pass."""
_BACKWARD_TICK = 170


class LaneRows(NamedTuple):
    """Where the rows of a lane are, in px at 100 %."""

    heads: int
    line: int
    names: int
    brackets: int
    height: int
    thin: bool = False
    """Whether only ticks and names are shown, without heads, groups and brackets."""


STRIP_ROWS: Final = LaneRows(heads=14, line=42, names=51, brackets=67, height=86)
THIN_ROWS: Final = LaneRows(heads=3, line=10, names=19, brackets=0, height=40, thin=True)


NO_MARKS: Final[Mapping[int, bool]] = {}


class LaneLook(Struct, frozen=True):
    """Progress of a lane, whether its pass is shown, its wrong steps, and the answers."""

    frame: Frame
    cursor: int
    current: bool
    wrong: frozenset[int] = frozenset()
    marks: Mapping[int, bool] = field(default_factory=lambda: NO_MARKS)
    asked: int = 0
    """The cursor of the step that is asked about, or 0."""
    hides_order: bool = False
    """Whether the steps to come show neither sender nor receiver."""

    def is_hidden(self, cursor: int) -> bool:
        """Return whether the names of a step are left out."""
        return self.hides_order and cursor > self.cursor

    def crossed(self, cursor: int) -> bool:
        """Return whether a tick has a cross: its step is wrong, and it has been reached."""
        return cursor <= self.cursor and cursor in self.wrong


class Lane:
    """One pass between two edges; maps cursors to px and back."""

    def __init__(
        self, track: Track, left: float, right: float, style: Style, rows: LaneRows = STRIP_ROWS
    ) -> None:
        self.track = track
        self.rows = rows
        self.left = left
        self.right = right
        title = QFontMetricsF(style.font("caption strong")).horizontalAdvance(self.title)
        self.head = title + style.px(6) if track.phase == "backward" and not rows.thin else 0.0
        edge = style.px(_EDGE)
        starts = {group.first for group in track.groups[1:]}
        steps = (_GROUP_GAP if k in starts else 1.0 for k in range(2, len(track) + 1))
        offsets = list(accumulate(steps, initial=0.0))
        room = max(right - left - self.head - 2 * edge, 1.0)
        most = style.px(FORWARD_TICK if track.phase == "forward" else _BACKWARD_TICK)
        self.spacing = min(room / max(offsets[-1], 1.0), most)
        start = left + self.head + edge
        self._places = [start + offset * self.spacing for offset in offsets]

    @property
    def title(self) -> str:
        """Return Forward or Backward."""
        return self.track.phase.capitalize()

    @property
    def start(self) -> float:
        """Return the x of the first tick."""
        return self._places[0]

    @property
    def end(self) -> float:
        """Return the x of the last tick."""
        return self._places[-1]

    def x_of(self, cursor: int) -> float:
        """Return the x of a cursor's tick; cursor 0 is left of the first tick."""
        if cursor <= 0:
            return self._places[0] - min(max(self.spacing / 2, 6.0), 12.0)
        return self._places[min(cursor, len(self._places)) - 1]

    def cursor_at(self, x: float) -> int:
        """Return the cursor whose tick is nearest to x."""
        if x < (self.x_of(0) + self.x_of(1)) / 2:
            return 0
        place = bisect_left(self._places, x)
        if place == 0:
            return 1
        if place == len(self._places):
            return place
        left, right = self._places[place - 1], self._places[place]
        return place if x - left < right - x else place + 1


DOTS, STROKES = 7.0, 3.0
_HEAD = 15


def lane_color(lane: Lane, style: Style) -> QColor:
    """Return blue for a forward pass, orange for a backward pass."""
    theme = style.theme
    return theme.value if lane.track.phase == "forward" else theme.gradient


def paint_lane(painter: QPainter, lane: Lane, look: LaneLook, style: Style) -> None:
    """Paint title, groups, line, ticks, names and brackets."""
    color, px = lane_color(lane, style), style.px
    headed = not lane.rows.thin
    if headed:
        painter.setFont(style.font("caption strong"))
        painter.setPen(color)
        painter.drawText(QPointF(lane.left, px(lane.rows.heads + 12)), lane.title)
    _paint_line(painter, lane, look, style, color)
    if lane.track.phase == "backward" and headed:
        _paint_groups(painter, lane, look, style, color)
    if lane.spacing >= px(DOTS):
        _paint_dots(painter, lane, look, style, color)
        _paint_names(painter, lane, look, style)
        if look.current and lane.track.phase == "backward" and headed:
            paint_brackets(painter, lane, look.frame, style)
    else:
        _paint_strokes(painter, lane, look, style, color)
        _paint_ruler(painter, lane, style)
    if look.current and look.asked != 1:  # there the head would lie below the asked tick
        _paint_head(painter, lane, look, style, color)
    if look.asked:
        _paint_asked(painter, QPointF(lane.x_of(look.asked), px(lane.rows.line)), px(8.5), style)


def _paint_line(painter: QPainter, lane: Lane, look: LaneLook, style: Style, color: QColor) -> None:
    y, wide = style.px(lane.rows.line), style.px(3.4)
    painter.setPen(QPen(mixed(style.theme.line, style.theme.wire, 0.25), wide))
    painter.drawLine(QLineF(lane.start, y, lane.end, y))
    if look.cursor > 0:
        painter.setPen(QPen(color, wide))
        painter.drawLine(QLineF(lane.start, y, lane.x_of(look.cursor), y))


def _paint_groups(
    painter: QPainter, lane: Lane, look: LaneLook, style: Style, color: QColor
) -> None:
    """Paint a pill for each node that fires, over its ticks; narrow ones only if there is space."""
    px, theme = style.px, style.theme
    painter.setFont(style.font("small"))
    font = painter.font()
    font.setBold(True)
    painter.setFont(font)
    metrics = QFontMetricsF(font)
    free = lane.left + lane.head
    for group in _visible_groups(lane, look):
        if look.is_hidden(group.first):
            continue
        now = look.current and group.first <= look.cursor <= group.last
        wide = metrics.horizontalAdvance(group.title) + px(12)
        left, right = lane.x_of(group.first), lane.x_of(group.last)
        spread = (right - left) + px(24)
        box = QRectF(
            (left + right - max(wide, spread)) / 2,
            px(lane.rows.heads),
            max(wide, spread),
            px(_HEAD),
        )
        if now:  # it is always drawn
            box.moveLeft(max(min(box.left(), lane.right - box.width()), lane.left))
        fits = wide <= spread + px(22) and box.left() >= free
        if not fits and not now:
            continue
        free = box.right() + px(2)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color if now else theme.header_op)
        painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
        painter.setPen(theme.on_fill if now else theme.text)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, group.title)


def _visible_groups(lane: Lane, look: LaneLook) -> list[TickGroup]:
    """Return all groups if each may have space, else only the one that fires."""
    groups = lane.track.groups
    if len(groups) * 12 <= lane.right - lane.left:
        return list(groups)
    now = [g for g in groups if g.first <= look.cursor <= g.last]
    return now if look.current else []


def _paint_dots(painter: QPainter, lane: Lane, look: LaneLook, style: Style, color: QColor) -> None:
    y, px, theme = style.px(lane.rows.line), style.px, style.theme
    ends = lane.track.ends
    room = min(lane.spacing / 2 - 1, 99.0)
    big, small = min(px(5.2), room), min(px(4.0), room)
    hollow = QPen(theme.text if theme.dark else theme.secondary, 1.4 * style.control_scale)
    for cursor in range(1, len(lane.track) + 1):
        radius = big if cursor in ends else small
        done = cursor <= look.cursor
        place = QPointF(lane.x_of(cursor), y)
        if cursor == look.asked:
            continue
        if look.crossed(cursor):
            _paint_cross(painter, place, min(px(6.0), room), style)
            continue
        painter.setPen(Qt.PenStyle.NoPen if done else hollow)
        painter.setBrush(color if done else theme.panel)
        painter.drawEllipse(place, radius, radius)


def _paint_asked(painter: QPainter, place: QPointF, radius: float, style: Style) -> None:
    """Paint the tick of the step that is asked about: a violet disc with `?`."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(style.theme.selection)
    painter.drawEllipse(place, radius, radius)
    painter.setFont(style.font("caption strong"))
    painter.setPen(style.theme.on_fill)
    box = QRectF(place.x() - radius, place.y() - radius, 2 * radius, 2 * radius)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, ASKED)


def _paint_cross(painter: QPainter, place: QPointF, radius: float, style: Style) -> None:
    """Paint a wrong tick: red, with a cross if there is space for one."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(style.theme.error)
    painter.drawEllipse(place, radius, radius)
    if radius >= style.px(4):
        arm = radius * 0.42
        painter.setPen(QPen(style.theme.on_fill, 1.5 * style.control_scale))
        for way in (1.0, -1.0):
            painter.drawLine(place - QPointF(arm, arm * way), place + QPointF(arm, arm * way))


def _paint_strokes(
    painter: QPainter, lane: Lane, look: LaneLook, style: Style, color: QColor
) -> None:
    """Paint a stroke for each step, or only for the ends of nodes, or none if too dense."""
    y, px = style.px(lane.rows.line), style.px
    track = lane.track
    if lane.spacing >= px(STROKES):
        marked, tall = range(1, len(track) + 1), px(4)
    elif len(track.ends) * px(STROKES) <= lane.end - lane.start:
        marked, tall = sorted(track.ends), px(6)
    else:
        return
    idle = mixed(style.theme.line, style.theme.wire, 0.6)
    for pen, cursors in (
        (idle, [k for k in marked if k > look.cursor]),
        (color, [k for k in marked if k <= look.cursor and not look.crossed(k)]),
        (style.theme.error, [k for k in marked if look.crossed(k)]),
    ):
        painter.setPen(QPen(pen, style.control_scale))
        painter.drawLines([QLineF(lane.x_of(k), y - tall, lane.x_of(k), y + tall) for k in cursors])


def _paint_ruler(painter: QPainter, lane: Lane, style: Style) -> None:
    """Paint round step numbers under a line without names."""
    px = style.px
    painter.setFont(style.font("small"))
    painter.setPen(style.theme.secondary)
    metrics = QFontMetricsF(painter.font())
    room = metrics.horizontalAdvance(f"{len(lane.track):,}") + px(18)
    every = round_up(room / lane.spacing)
    for cursor in range(every, len(lane.track) + 1, every):
        text, x = f"{cursor:,}", lane.x_of(cursor)
        painter.drawLine(QLineF(x, px(lane.rows.names), x, px(lane.rows.names + 3)))
        left = x - metrics.horizontalAdvance(text) / 2
        painter.drawText(QPointF(left, px(lane.rows.names + 14)), text)


def _paint_names(painter: QPainter, lane: Lane, look: LaneLook, style: Style) -> None:
    """Paint the receivers' names under their ticks."""
    theme = style.theme
    normal, strong = style.font("caption"), style.font("caption strong")
    metrics = QFontMetricsF(strong)
    for cursor, left in names_in(lane, look, metrics).items():
        if look.is_hidden(cursor):
            continue
        now = look.current and cursor == look.cursor
        painter.setFont(strong if now else normal)
        painter.setPen(
            theme.text if now else theme.secondary if cursor > look.cursor else theme.text
        )
        baseline = style.px(lane.rows.names) + metrics.ascent()
        painter.drawText(QPointF(left, baseline), lane.track.name(cursor))


def names_in(lane: Lane, look: LaneLook, metrics: QFontMetricsF) -> dict[int, float]:
    """Return the cursors whose names fit, the current one first, with the x of each name."""
    taken: dict[int, tuple[float, float]] = {}
    order = list(range(1, len(lane.track) + 1))
    if look.current and look.cursor:
        order.insert(0, order.pop(look.cursor - 1))
    for cursor in order:
        wide = metrics.horizontalAdvance(lane.track.name(cursor))
        left = max(min(lane.x_of(cursor) - wide / 2, lane.right - wide), lane.left)
        right = left + wide
        if not any(left < b + 4 and a - 4 < right for a, b in taken.values()):
            taken[cursor] = left, right
    return {cursor: left for cursor, (left, _right) in taken.items()}


def _paint_head(painter: QPainter, lane: Lane, look: LaneLook, style: Style, color: QColor) -> None:
    """Paint the current position: a ring around its tick."""
    y, px = style.px(lane.rows.line), style.px
    place = QPointF(lane.x_of(look.cursor), y)
    ring = QColor(style.theme.error if look.crossed(look.cursor) else color)
    ring.setAlphaF(0.28)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(ring, px(3)))
    painter.drawEllipse(place, px(8), px(8))
    if look.crossed(look.cursor):
        _paint_cross(painter, place, px(6.0), style)
        return
    painter.setPen(QPen(color, px(1.6)))
    painter.setBrush(color if look.cursor else style.theme.panel)
    painter.drawEllipse(place, px(4.6), px(4.6))


_DROP = 9
_PILL = 16
_MOST_SHOWN = 3
_LOOK_BACK = 400
"""Number of steps before the current one that are searched for receivers."""


class Bracket(Struct, frozen=True):
    """The contributions to one node in this sweep, from one tick to another."""

    first: int
    last: int
    text: str
    lost: bool
    asked: bool


def brackets(frame: Frame, style: Style) -> list[Bracket]:
    """Return the sums with at least two parts, the one that changed last first."""
    trace, event = frame.trace, frame.event
    if trace is None or event is None:
        return []
    asked = frame.next_event.node if frame.covered and frame.next_event is not None else None
    recent = trace.events[max(0, frame.cursor - _LOOK_BACK) : frame.cursor]
    receivers = [e.node for e in reversed(recent) if e.kind == "contribution"]
    nodes = dict.fromkeys(([asked] if asked is not None else []) + receivers)
    found = (_bracket(frame, node, event.sweep, node == asked, style) for node in nodes)
    return [bracket for bracket in found if bracket is not None]


def paint_brackets(painter: QPainter, lane: Lane, frame: Frame, style: Style) -> None:
    """Paint the brackets of a lane that do not overlap, the newest first."""
    taken: list[tuple[float, float]] = []
    painter.setFont(style.font("small"))
    metrics = QFontMetricsF(painter.font())
    for bracket in brackets(frame, style):
        left, right = lane.x_of(bracket.first), lane.x_of(bracket.last)
        wide = max(metrics.horizontalAdvance(bracket.text) + style.px(14), right - left)
        half = metrics.horizontalAdvance(bracket.text) / 2 + style.px(8)
        middle = max(min((left + right) / 2, lane.right - half), lane.left + half)
        span = (middle - wide / 2 - style.px(6), middle + wide / 2 + style.px(6))
        if any(span[0] < b and a < span[1] for a, b in taken):
            continue
        taken.append(span)
        _paint_bracket(painter, (left, middle, right), lane.rows.brackets, bracket, style)


def _bracket(frame: Frame, node: int, sweep: int, asked: bool, style: Style) -> Bracket | None:
    trace = frame.trace
    assert trace is not None
    places = [k for k in trace.schedule.arrivals.get(node, ()) if trace.events[k].sweep == sweep]
    landed = [k for k in places if k < frame.cursor]
    ends = landed + places[len(landed) : len(landed) + 1] if asked else landed
    if len(ends) < 2 or trace.rules is UNKNOWN:
        return None
    name = frame.graph.short_name(node, TICK_NAME_LIMIT)
    last = trace.events[landed[-1]]
    if not trace.rules.accumulate:
        gone = sum(trace.events[k].contribution for k in landed[:-1])
        lost, held = f"{style.short(gone)} lost", f"{style.short(last.after)} → ?"
        text = f"{name}: {held if asked else lost}"
        return Bracket(ends[0] + 1, ends[-1] + 1, text, not asked, asked)
    text = f"Σ {name}: {_sum_text([trace.events[k] for k in landed], style)}"
    return Bracket(ends[0] + 1, ends[-1] + 1, f"{text} + ?" if asked else text, False, asked)


def _sum_text(events: list[Event], style: Style) -> str:
    """Return `−2 + 6`; of many contributions only the last, after the sum of the others."""
    head = events[:-_MOST_SHOWN] if len(events) > _MOST_SHOWN + 1 else []
    rest = events[len(head) :]
    start = head[-1].after if head else rest[0].before
    more = [summand(event.contribution, style.digits) for event in rest]
    if head:
        return " ".join([style.short(start), *more])
    if start:
        return " ".join([f"{style.short(start)} left over", *more])
    return " ".join([style.short(rest[0].contribution), *more[1:]])


def _paint_bracket(
    painter: QPainter,
    places: tuple[float, float, float],
    top: float,
    bracket: Bracket,
    style: Style,
) -> None:
    """Paint one bracket from its first tick to its last, with its text in a gap."""
    left, middle, right = places
    px, theme = style.px, style.theme
    color = theme.error if bracket.lost else theme.selection if bracket.asked else theme.gradient
    above, bottom = px(top), px(top + _DROP)
    painter.setPen(QPen(color, 1.4 * style.control_scale))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    course = ((left, above), (left, bottom), (right, bottom), (right, above))
    painter.drawPolyline(QPolygonF([QPointF(x, y) for x, y in course]))
    wide = QFontMetricsF(painter.font()).horizontalAdvance(bracket.text) + px(14)
    box = QRectF(middle - wide / 2, bottom - px(_PILL) / 2, wide, px(_PILL))
    painter.setBrush(theme.panel)
    painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, bracket.text)


_FORWARD_SHARE = 0.24
_NOTCH = 120
"""Wheel angle of one notch, in eighths of a degree."""
_DIVIDER = 20


@guarded
class Timeline(QAbstractSlider):
    """Shows the position in the pass; `scrubbed` carries the requested phase and cursor."""

    scrubbed = Signal(str, int)

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self._frame: Frame | None = None
        self._headed = True
        self._tracks: tuple[Track, ...] = ()
        self.lanes: tuple[Lane, ...] = ()
        self._dragged: Lane | None = None
        self._wheel = 0
        self._wrong = frozenset[int]()
        self._marks = NO_MARKS
        self._asked = 0
        self._hides = False
        self._rows = STRIP_ROWS
        self.setOrientation(Qt.Orientation.Horizontal)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Timeline")
        style.changed.connect(self._lay_out)

    def show_tracks(
        self,
        tracks: tuple[Track, ...],
        frame: Frame,
        wrong: frozenset[int] = frozenset(),
        marks: Mapping[int, bool] = NO_MARKS,
        asked: int = 0,
    ) -> None:
        """Show the passes, and the progress of the one in the frame.

        `wrong` are the cursors at which a mistake shows; those reached get a cross. `marks` say of
        the cursors whose steps a learner was asked about whether the answers were right; `asked` is
        the step that is asked about now, or 0.
        """
        same = tracks == self._tracks and len(self.lanes) == len(tracks)
        self._tracks, self._frame, self._wrong, self._marks = tracks, frame, wrong, marks
        self._asked = asked
        blocked = self.blockSignals(True)
        self.setRange(0, frame.total)
        self.setValue(frame.cursor)
        self.blockSignals(blocked)
        place = "Step {step:,} of {total:,}"
        if frame.cursor in wrong:
            place = "Step {step:,} of {total:,}, differs from the correct pass"
        if frame.hides == "end":
            place = "Step {step:,}"
        self.setAccessibleDescription(place.format(step=frame.cursor, total=frame.total))
        if not same:
            self._lay_out()
        self.update()

    def show_head(self, shown: bool) -> None:
        """Mark the place in the pass, or leave the mark out while no step of it is done."""
        if shown != self._headed:
            self._headed = shown
            self.update()

    def hide_order(self, hides: bool) -> None:
        """Leave out who fires and receives in the steps to come."""
        if hides != self._hides:
            self._hides = hides
            self.update()

    def set_rows(self, rows: LaneRows) -> None:
        """Set where the rows are."""
        if rows != self._rows:
            self._rows = rows
            self._lay_out()

    def _lay_out(self) -> None:
        """Divide the width between the passes."""
        self.setFixedHeight(self._style.px(self._rows.height))
        px, width = self._style.px, float(self.width())
        tracks = [track for track in self._tracks if len(track)]
        forward = next((track for track in tracks if track.phase == "forward"), None)
        share = 0.0
        if forward is not None and len(tracks) > 1:
            wanted = max(px(70), px(FORWARD_TICK) * len(forward))
            share = min(wanted, width * _FORWARD_SHARE)
        lanes: list[Lane] = []
        for track in tracks:
            if track is forward and share:
                lanes.append(Lane(track, 0.0, share, self._style, self._rows))
            else:
                left = share + px(_DIVIDER) if share else 0.0
                lanes.append(Lane(track, left, width, self._style, self._rows))
        self.lanes = tuple(lanes)
        self.update()

    def _look(self, lane: Lane) -> LaneLook:
        """Return the progress of a lane; live values count as a finished forward pass."""
        assert self._frame is not None
        frame, phase = self._frame, lane.track.phase
        if frame.phase == phase:
            return LaneLook(
                frame,
                frame.cursor,
                self._headed,
                self._wrong,
                self._marks,
                self._asked,
                self._hides,
            )
        done = len(lane.track) if phase == "forward" else 0
        return LaneLook(frame, done, False, hides_order=self._hides)

    def _lane_at(self, x: float) -> Lane | None:
        lanes = [lane for lane in self.lanes if x <= lane.right] or list(self.lanes[-1:])
        return lanes[0] if lanes else None

    def _scrub(self, x: float) -> None:
        lane = self._dragged
        if lane is None or self._frame is None:
            return
        cursor = lane.cursor_at(x)
        if (lane.track.phase, cursor) != (self._frame.phase, self._frame.cursor):
            self.scrubbed.emit(lane.track.phase, cursor)

    def tooltip_at(self, x: float) -> str:
        """Return the text of the step at the tick nearest to x, without its number."""
        lane = self._lane_at(x)
        if lane is None:
            return ""
        cursor = lane.cursor_at(x)
        if cursor == 0:
            return f"Start of the {lane.track.phase} pass"
        lines = [f"Step {cursor:,}: {lane.track.words(cursor)}", "Click or drag to go there"]
        look = self._look(lane)
        if look.is_hidden(cursor):
            lines[0] = f"Step {cursor:,}"
        if look.crossed(cursor):
            lines.insert(1, "✗ differs from the correct pass")
        if cursor in look.marks:
            lines.insert(1, "✓ answered right" if look.marks[cursor] else "✗ answered wrong")
        return "\n".join(lines)

    def _move_by(self, steps: int) -> None:
        if self._frame is not None and self._frame.phase != "live":
            cursor = max(0, min(self._frame.cursor + steps, self._frame.total))
            if cursor != self._frame.cursor:
                self.scrubbed.emit(self._frame.phase, cursor)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            tooltip = plain_tooltip(self.tooltip_at(event.x()))
            QToolTip.showText(event.globalPos(), tooltip, self)
            return True
        return super().event(event)

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(480), self._style.px(self._rows.height))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._style.px(120), self._style.px(self._rows.height))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._dragged = self._lane_at(event.position().x())
            self._scrub(event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._scrub(event.position().x())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._dragged = None

    def wheelEvent(self, event: QWheelEvent) -> None:
        delta = event.angleDelta()
        self._wheel += delta.y() if abs(delta.y()) >= abs(delta.x()) else delta.x()
        steps = math.trunc(self._wheel / _NOTCH)
        self._wheel -= steps * _NOTCH
        if steps:
            self._move_by(-steps)
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        total = self._frame.total if self._frame is not None else 0
        steps = {
            Qt.Key.Key_Left: -1,
            Qt.Key.Key_Down: -1,
            Qt.Key.Key_Right: 1,
            Qt.Key.Key_Up: 1,
            Qt.Key.Key_PageUp: -1,
            Qt.Key.Key_PageDown: 1,
            Qt.Key.Key_Home: -total,
            Qt.Key.Key_End: total,
        }.get(Qt.Key(event.key()))
        if steps is None:
            super().keyPressEvent(event)
        else:
            self._move_by(steps)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setClipRect(self.rect())
            if self._frame is None:
                return
            for lane in self.lanes:
                paint_lane(painter, lane, self._look(lane), self._style)
            if len(self.lanes) > 1:
                px, rows = self._style.px, self._rows
                x = round(self.lanes[0].right + px(_DIVIDER) / 2)
                painter.setPen(self._style.theme.line)
                painter.drawLine(x, px(rows.heads - 3), x, px(rows.names + 14))
