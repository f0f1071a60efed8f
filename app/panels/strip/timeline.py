"""Timeline: both passes as lanes of ticks, one for each step, for reading and scrubbing.

From seven px per tick on each step is a dot, from three px on a stroke; below that the line is only
filled. Without dots a ruler has step numbers. Brackets such as `Σ a: −2 + 6` are over sums.
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
from app.guard import exception_safe
from app.style.current import Style
from app.style.strokes import antialiased
from app.style.theme import mixed
from app.workbench.gradients.chain_rule import summand
from app.workbench.playback.ticks import TICK_NAME_LIMIT, TickGroup, Track
from engine.frame import Frame
from engine.numbers import ASKED
from engine.rules import UNKNOWN
from engine.trace import Event

_GROUP_GAP = 1.25
"""Gap between ticks of different nodes, relative to that between ticks of one node."""
_LANE_MARGIN = 20
"""Space before the first tick and after the last one, in px at 100 %."""
_MAX_FORWARD_PITCH, _MAX_BACKWARD_PITCH = 46, 170
"""Most px at 100 % between two ticks of a pass; a backward tick needs space for a bracket."""


class LaneRows(NamedTuple):
    """Tops of the rows of a lane, but the centre of its line, in px at 100 %.

    A pill has the name of a node that fires, over its ticks; a name is that of a receiver.
    """

    pills: int
    line: int
    names: int
    brackets: int
    height: int
    thin: bool = False
    """Whether only ticks and names are shown, without title, pills and brackets."""


STRIP_ROWS: Final = LaneRows(pills=14, line=42, names=51, brackets=67, height=86)
THIN_ROWS: Final = LaneRows(pills=3, line=10, names=19, brackets=0, height=40, thin=True)


Flags = Mapping[tuple[str, int], str]
"""The titles of the steps of a lecture, by phase and cursor."""
NO_FLAGS: Final[Mapping[int, str]] = {}
NO_ANSWERS: Final[Mapping[int, bool]] = {}
"""`right_answers` of a pass without a quiz."""


class LaneLook(Struct, frozen=True):
    """State of a lane: progress, wrong steps, and the steps with a question.

    A cursor is the number of a step, from 1; 0 is the position before the first step. `wrong`: the
    cursors of steps that differ from the correct pass. `right_answers`: whether the answers about
    the step at a cursor were right.
    """

    frame: Frame
    cursor: int
    shows_position: bool
    """Whether a ring is around the tick of `cursor`."""
    wrong: frozenset[int] = frozenset()
    right_answers: Mapping[int, bool] = field(default_factory=lambda: NO_ANSWERS)
    asked_cursor: int = 0
    """The cursor of the step that is asked about, or 0."""
    hides_order: bool = False
    """Whether later steps show neither sender nor receiver, which would answer a question."""
    flags: Mapping[int, str] = field(default_factory=lambda: NO_FLAGS)
    """The titles of the steps of a lecture, by the cursors of their steps."""

    def is_hidden(self, cursor: int) -> bool:
        """Return whether the names of a step are left out."""
        return self.hides_order and cursor > self.cursor

    def is_crossed(self, cursor: int) -> bool:
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
        self.title_width = (
            title + style.px(6) if track.phase == "backward" and not rows.thin else 0.0
        )
        margin = style.px(_LANE_MARGIN)
        # offsets of the ticks in units of the pitch, which is then chosen to fill the width
        starts = {group.first for group in track.groups[1:]}
        steps = (_GROUP_GAP if k in starts else 1.0 for k in range(2, len(track) + 1))
        offsets = list(accumulate(steps, initial=0.0))
        width = max(right - left - self.title_width - 2 * margin, 1.0)
        is_forward = track.phase == "forward"
        max_pitch = style.px(_MAX_FORWARD_PITCH if is_forward else _MAX_BACKWARD_PITCH)
        self.pitch = min(width / max(offsets[-1], 1.0), max_pitch)
        start = left + self.title_width + margin
        # x of each tick; the tick of cursor k has index k - 1
        self._xs = [start + offset * self.pitch for offset in offsets]

    @property
    def title(self) -> str:
        """Return Forward or Backward."""
        return self.track.phase.capitalize()

    @property
    def start(self) -> float:
        """Return the x of the first tick."""
        return self._xs[0]

    @property
    def end(self) -> float:
        """Return the x of the last tick."""
        return self._xs[-1]

    def x_of(self, cursor: int) -> float:
        """Return the x of a cursor's tick; cursor 0 is left of the first tick."""
        if cursor <= 0:
            # half a pitch, but apart from the first tick and within the margin
            return self._xs[0] - min(max(self.pitch / 2, 6.0), 12.0)
        return self._xs[min(cursor, len(self._xs)) - 1]

    def cursor_at(self, x: float) -> int:
        """Return the cursor whose tick is nearest to x."""
        if x < (self.x_of(0) + self.x_of(1)) / 2:
            return 0
        after = bisect_left(self._xs, x)  # number of ticks left of x
        if after == 0:
            return 1
        if after == len(self._xs):
            return after
        left, right = self._xs[after - 1], self._xs[after]
        return after if x - left < right - x else after + 1


_MIN_DOT_PITCH, _MIN_STROKE_PITCH = 7.0, 3.0
"""Least px at 100 % between two ticks that are dots, and that are strokes."""
_PILL_HEIGHT, _TITLE_BASELINE = 15, 12
"""Height of a pill, and baseline of the title below the top of the pills, in px at 100 %."""
_MIN_GROUP_WIDTH = 12
"""Width per node, in px, below which the pills of a lane would lie over each other."""
_ASKED_RADIUS = 8.5
"""Radius of the tick of the step with the open question, in px at 100 %."""


def lane_color(lane: Lane, style: Style) -> QColor:
    """Return blue for a forward pass, orange for a backward pass."""
    theme = style.theme
    return theme.value if lane.track.phase == "forward" else theme.gradient


def paint_lane(painter: QPainter, lane: Lane, look: LaneLook, style: Style) -> None:
    """Paint title, line, pills, ticks, names, brackets, and the position in the pass."""
    color, px = lane_color(lane, style), style.px
    is_full = not lane.rows.thin
    if is_full:
        painter.setFont(style.font("caption strong"))
        painter.setPen(color)
        painter.drawText(QPointF(lane.left, px(lane.rows.pills + _TITLE_BASELINE)), lane.title)
    _paint_line(painter, lane, look, style, color)
    if lane.track.phase == "backward" and is_full:
        _paint_pills(painter, lane, look, style, color)
    if lane.pitch >= px(_MIN_DOT_PITCH):
        _paint_dots(painter, lane, look, style, color)
        _paint_names(painter, lane, look, style)
        if look.shows_position and lane.track.phase == "backward" and is_full:
            paint_brackets(painter, lane, look, style)
    else:
        _paint_strokes(painter, lane, look, style, color)
        _paint_ruler(painter, lane, style)
    # while step 1 is asked about, the ring of cursor 0 would touch its large tick
    if look.shows_position and look.asked_cursor != 1:
        _paint_position(painter, lane, look, style, color)
    _paint_flags(painter, lane, look, style)
    if look.asked_cursor:
        centre = QPointF(lane.x_of(look.asked_cursor), px(lane.rows.line))
        _paint_asked(painter, centre, px(_ASKED_RADIUS), style)


def _paint_line(painter: QPainter, lane: Lane, look: LaneLook, style: Style, color: QColor) -> None:
    y, width = style.px(lane.rows.line), style.px(3.4)
    painter.setPen(QPen(mixed(style.theme.line, style.theme.wire, 0.25), width))
    painter.drawLine(QLineF(lane.start, y, lane.end, y))
    if look.cursor > 0:
        painter.setPen(QPen(color, width))
        painter.drawLine(QLineF(lane.start, y, lane.x_of(look.cursor), y))


def _paint_pills(
    painter: QPainter, lane: Lane, look: LaneLook, style: Style, color: QColor
) -> None:
    """Paint a pill with the name of each node that fires, over its ticks, where it fits."""
    px, theme = style.px, style.theme
    painter.setFont(style.font("small"))
    font = painter.font()
    font.setBold(True)
    painter.setFont(font)
    metrics = QFontMetricsF(font)
    free = lane.left + lane.title_width  # right end of what is painted so far
    for group in _visible_groups(lane, look):
        if look.is_hidden(group.first) or not group.title:
            continue
        is_firing = look.shows_position and group.first <= look.cursor <= group.last
        text_width = metrics.horizontalAdvance(group.title) + px(12)
        left, right = lane.x_of(group.first), lane.x_of(group.last)
        spread = (right - left) + px(24)
        width = max(text_width, spread)
        box = QRectF((left + right - width) / 2, px(lane.rows.pills), width, px(_PILL_HEIGHT))
        if is_firing:  # its pill is always painted: move it between the ends of the lane
            box.moveLeft(max(min(box.left(), lane.right - box.width()), lane.left))
        fits = text_width <= spread + px(22) and box.left() >= free
        if not fits and not is_firing:
            continue
        free = box.right() + px(2)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color if is_firing else theme.header_op)
        painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
        painter.setPen(theme.on_fill if is_firing else theme.text)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, group.title)


def _visible_groups(lane: Lane, look: LaneLook) -> list[TickGroup]:
    """Return all groups if there is space for their pills, else only the one that fires."""
    groups = lane.track.groups
    if len(groups) * _MIN_GROUP_WIDTH <= lane.right - lane.left:
        return list(groups)
    firing = [g for g in groups if g.first <= look.cursor <= g.last]
    return firing if look.shows_position else []


def _paint_dots(painter: QPainter, lane: Lane, look: LaneLook, style: Style, color: QColor) -> None:
    """Paint a dot per step: filled once done, and larger at the end of a node."""
    y, px, theme = style.px(lane.rows.line), style.px, style.theme
    ends = lane.track.ends
    largest = lane.pitch / 2 - 1  # neighbours stay 2 px apart
    big, small = min(px(5.2), largest), min(px(4.0), largest)
    hollow = QPen(theme.text if theme.dark else theme.secondary, 1.4 * style.control_scale)
    for cursor in range(1, len(lane.track) + 1):
        radius = big if cursor in ends else small
        done = cursor <= look.cursor
        centre = QPointF(lane.x_of(cursor), y)
        if cursor == look.asked_cursor:
            continue
        if look.is_crossed(cursor):
            _paint_cross(painter, centre, min(px(6.0), largest), style)
            continue
        painter.setPen(Qt.PenStyle.NoPen if done else hollow)
        painter.setBrush(color if done else theme.panel)
        painter.drawEllipse(centre, radius, radius)


def _paint_asked(painter: QPainter, centre: QPointF, radius: float, style: Style) -> None:
    """Paint the tick of the step with the open question: a violet disc with `?`."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(style.theme.selection)
    painter.drawEllipse(centre, radius, radius)
    painter.setFont(style.font("caption strong"))
    painter.setPen(style.theme.on_fill)
    box = QRectF(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, ASKED)


_FLAG_FOOT, _FLAG_TOP, _FLAG_LENGTH, _FLAG_HEIGHT = 4, 13, 8, 6
"""Foot and top of a flag above its tick, and size of its cloth, in px at 100 %."""


def _paint_flags(painter: QPainter, lane: Lane, look: LaneLook, style: Style) -> None:
    """Paint the flags of steps above their ticks, below the pills; none in a thin lane."""
    px, y = style.px, style.px(lane.rows.line)
    top, high = y - px(_FLAG_TOP), px(_FLAG_HEIGHT)
    for cursor in look.flags if not lane.rows.thin else ():
        x = lane.x_of(cursor)
        painter.setPen(QPen(style.theme.text, 1.4 * style.control_scale))
        painter.drawLine(QLineF(x, y - px(_FLAG_FOOT), x, top))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(style.theme.text)
        tip = QPointF(x + px(_FLAG_LENGTH), top + high / 2)
        painter.drawPolygon(QPolygonF([QPointF(x, top), tip, QPointF(x, top + high)]))


def _paint_cross(painter: QPainter, centre: QPointF, radius: float, style: Style) -> None:
    """Paint a wrong tick: red, with a cross if there is space for one."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(style.theme.error)
    painter.drawEllipse(centre, radius, radius)
    if radius >= style.px(4):
        arm = radius * 0.42
        painter.setPen(QPen(style.theme.on_fill, 1.5 * style.control_scale))
        for slope in (1.0, -1.0):
            end = QPointF(arm, arm * slope)
            painter.drawLine(centre - end, centre + end)


def _paint_strokes(
    painter: QPainter, lane: Lane, look: LaneLook, style: Style, color: QColor
) -> None:
    """Paint a stroke for each step, or only for the ends of nodes, or none if too dense."""
    y, px = style.px(lane.rows.line), style.px
    track = lane.track
    if lane.pitch >= px(_MIN_STROKE_PITCH):
        marked, half = range(1, len(track) + 1), px(4)
    elif len(track.ends) * px(_MIN_STROKE_PITCH) <= lane.end - lane.start:
        marked, half = sorted(track.ends), px(6)
    else:
        return
    idle = mixed(style.theme.line, style.theme.wire, 0.6)
    for pen, cursors in (
        (idle, [k for k in marked if k > look.cursor]),
        (color, [k for k in marked if k <= look.cursor and not look.is_crossed(k)]),
        (style.theme.error, [k for k in marked if look.is_crossed(k)]),
    ):
        painter.setPen(QPen(pen, style.control_scale))
        painter.drawLines([QLineF(lane.x_of(k), y - half, lane.x_of(k), y + half) for k in cursors])


def _paint_ruler(painter: QPainter, lane: Lane, style: Style) -> None:
    """Paint round step numbers under a line without names."""
    px = style.px
    painter.setFont(style.font("small"))
    painter.setPen(style.theme.secondary)
    metrics = QFontMetricsF(painter.font())
    label_width = metrics.horizontalAdvance(f"{len(lane.track):,}") + px(18)
    stride = round_up(label_width / lane.pitch)
    for cursor in range(stride, len(lane.track) + 1, stride):
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
        is_current = look.shows_position and cursor == look.cursor
        painter.setFont(strong if is_current else normal)
        painter.setPen(theme.secondary if cursor > look.cursor else theme.text)
        baseline = style.px(lane.rows.names) + metrics.ascent()
        painter.drawText(QPointF(left, baseline), lane.track.name(cursor))


def names_in(lane: Lane, look: LaneLook, metrics: QFontMetricsF) -> dict[int, float]:
    """Return the cursors whose names fit, the current one first, with the x of each name."""
    taken: dict[int, tuple[float, float]] = {}
    order = list(range(1, len(lane.track) + 1))
    if look.shows_position and look.cursor:
        order.insert(0, order.pop(look.cursor - 1))  # the current name gets its place first
    for cursor in order:
        width = metrics.horizontalAdvance(lane.track.name(cursor))
        left = max(min(lane.x_of(cursor) - width / 2, lane.right - width), lane.left)
        right = left + width
        # names keep 4 px between them
        if not any(left < end + 4 and start - 4 < right for start, end in taken.values()):
            taken[cursor] = left, right
    return {cursor: left for cursor, (left, _right) in taken.items()}


def _paint_position(
    painter: QPainter, lane: Lane, look: LaneLook, style: Style, color: QColor
) -> None:
    """Paint the current position: a ring around its tick."""
    y, px = style.px(lane.rows.line), style.px
    centre = QPointF(lane.x_of(look.cursor), y)
    ring = QColor(style.theme.error if look.is_crossed(look.cursor) else color)
    ring.setAlphaF(0.28)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(ring, px(3)))
    painter.drawEllipse(centre, px(8), px(8))
    if look.is_crossed(look.cursor):
        _paint_cross(painter, centre, px(6.0), style)
        return
    painter.setPen(QPen(color, px(1.6)))
    painter.setBrush(color if look.cursor else style.theme.panel)
    painter.drawEllipse(centre, px(4.6), px(4.6))


_BRACKET_HEIGHT, _BRACKET_TEXT_HEIGHT = 9, 16
"""In px at 100 %."""
_BRACKET_TEXT_EDGES = 14
"""Room beside the text of a bracket, in px at 100 %."""
_MAX_SUMMANDS = 3
"""Contributions that a bracket lists; earlier ones are one number."""
_SEARCHED_STEPS = 400
"""Number of steps before the current one that are searched for receivers."""


class Bracket(Struct, frozen=True):
    """The sum of the contributions to one node in this sweep, from cursor `first` to `last`.

    `lost`: a mistake has overwritten the sum so far. `asked`: the next contribution is a question.
    """

    first: int
    last: int
    text: str
    lost: bool
    asked: bool


def brackets(frame: Frame, style: Style) -> list[Bracket]:
    """Return the sums of at least two contributions, the one asked or changed last first."""
    trace, event = frame.trace, frame.event
    if trace is None or event is None:
        return []
    asked = frame.next_event.node if frame.hides_number and frame.next_event is not None else None
    recent = trace.events[max(0, frame.cursor - _SEARCHED_STEPS) : frame.cursor]
    receivers = [e.node for e in reversed(recent) if e.kind == "contribution"]
    nodes = dict.fromkeys(([asked] if asked is not None else []) + receivers)
    candidates = (_bracket(frame, node, event.sweep, node == asked, style) for node in nodes)
    return [bracket for bracket in candidates if bracket is not None]


def paint_brackets(painter: QPainter, lane: Lane, look: LaneLook, style: Style) -> None:
    """Paint the brackets of a lane that do not overlap, the newest first.

    What is lost is a wrong step, and so not shown while a hunt asks for one.
    """
    taken: list[tuple[float, float]] = []
    painter.setFont(style.font("small"))
    metrics = QFontMetricsF(painter.font())
    for bracket in brackets(look.frame, style):
        if bracket.lost and not look.wrong:
            continue
        left, right = lane.x_of(bracket.first), lane.x_of(bracket.last)
        box = metrics.horizontalAdvance(bracket.text) + style.px(_BRACKET_TEXT_EDGES)
        half = box / 2 + style.px(1)  # with its border
        middle = max(min((left + right) / 2, lane.right - half), lane.left + half)
        width = max(box, right - left)  # the ends of a bracket may lie beyond its text
        span = (middle - width / 2 - style.px(6), middle + width / 2 + style.px(6))
        if any(span[0] < end and start < span[1] for start, end in taken):
            continue
        taken.append(span)
        _paint_bracket(painter, (left, middle, right), lane.rows.brackets, bracket, style)


def _bracket(frame: Frame, node: int, sweep: int, asked: bool, style: Style) -> Bracket | None:
    """Return the bracket over the contributions to a node, or None for fewer than two."""
    trace = frame.trace
    assert trace is not None
    arrivals = [k for k in trace.schedule.arrivals.get(node, ()) if trace.events[k].sweep == sweep]
    arrived = [k for k in arrivals if k < frame.cursor]
    spanned = arrivals[: len(arrived) + 1] if asked else arrived  # with the one asked about
    if len(spanned) < 2 or trace.rules is UNKNOWN:
        return None
    first, last = spanned[0] + 1, spanned[-1] + 1  # cursors count from 1, events from 0
    name = frame.graph.short_name(node, TICK_NAME_LIMIT)
    if frame.asked_sum is not None:  # not even that it is a sum
        look = Bracket(first, last, f"{name}: {ASKED}", lost=False, asked=True)
        return look if frame.asked_sum == node else None
    newest = trace.events[arrived[-1]]
    last_to_replace = trace.rules.last_replacing(trace.schedule.wires[k] for k in spanned)
    if last_to_replace > 0:  # the mistake: a contribution overwrites the sum so far
        overwritten = sum(trace.events[k].contribution for k in arrived[:last_to_replace])
        lost, question = f"{style.short(overwritten)} lost", f"{style.short(newest.after)} → ?"
        text = f"{name}: {question if asked else lost}"
        return Bracket(first, last, text, lost=not asked, asked=asked)
    text = f"Σ {name}: {_sum_text([trace.events[k] for k in arrived], style)}"
    text = f"{text} + ?" if asked else text
    return Bracket(first, last, text, lost=False, asked=asked)


def _sum_text(events: list[Event], style: Style) -> str:
    """Return `−2 + 6`; of many contributions only the last, after the sum of the others."""
    summed = events[:-_MAX_SUMMANDS] if len(events) > _MAX_SUMMANDS + 1 else []
    listed = events[len(summed) :]
    start = summed[-1].after if summed else listed[0].before
    summands = [summand(event.contribution, style.digits) for event in listed]
    if summed:
        return " ".join([f"… {style.short(start)}", *summands])
    if start:  # gradients that the pass did not reset to 0
        return " ".join([f"{style.short(start)} left over", *summands])
    return " ".join([style.short(listed[0].contribution), *summands[1:]])


def _paint_bracket(
    painter: QPainter, xs: tuple[float, float, float], top: float, bracket: Bracket, style: Style
) -> None:
    """Paint one bracket from its first tick to its last, with its text in a gap."""
    left, middle, right = xs
    px, theme = style.px, style.theme
    color = theme.error if bracket.lost else theme.selection if bracket.asked else theme.gradient
    upper, lower = px(top), px(top + _BRACKET_HEIGHT)
    painter.setPen(QPen(color, 1.4 * style.control_scale))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    corners = ((left, upper), (left, lower), (right, lower), (right, upper))
    painter.drawPolyline(QPolygonF([QPointF(x, y) for x, y in corners]))
    width = QFontMetricsF(painter.font()).horizontalAdvance(bracket.text) + px(_BRACKET_TEXT_EDGES)
    height = px(_BRACKET_TEXT_HEIGHT)
    box = QRectF(middle - width / 2, lower - height / 2, width, height)
    painter.setBrush(theme.panel)
    painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, bracket.text)


_FORWARD_SHARE, _MIN_FORWARD_WIDTH = 0.24, 70
"""Greatest share of the width for the forward pass, and its least width in px at 100 %."""
_NOTCH = 120
"""Wheel angle of one notch, in eighths of a degree."""
_DIVIDER_WIDTH = 20
"""Space between the passes with a line in its middle, in px at 100 %."""


@exception_safe
class Timeline(QAbstractSlider):
    """Shows both passes and the position, which the mouse, the wheel and keys change."""

    scrubbed = Signal(str, int)
    """Emitted with the phase and the cursor to go to."""

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self._frame: Frame | None = None
        self._shows_position = True
        self._tracks: tuple[Track, ...] = ()
        self.lanes: tuple[Lane, ...] = ()
        self._dragged: Lane | None = None
        self._wheel = 0
        """Wheel angle since the last whole notch; touchpads send small parts of one."""
        self._wrong = frozenset[int]()
        self._right_answers = NO_ANSWERS
        self._asked_cursor = 0
        self._hides_order = False
        self._flags: Flags = {}
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
        right_answers: Mapping[int, bool] = NO_ANSWERS,
        asked_cursor: int = 0,
    ) -> None:
        """Show the passes, and the progress of the one in the frame.

        `wrong` are the cursors of steps that differ from the correct pass; those reached get a
        cross. `right_answers` says whether the answers about the step at a cursor were right;
        `asked_cursor` is that of the step with the open question, or 0.
        """
        is_laid_out = tracks == self._tracks and len(self.lanes) == len(tracks)
        self._tracks, self._frame, self._wrong = tracks, frame, wrong
        self._right_answers, self._asked_cursor = right_answers, asked_cursor
        blocked = self.blockSignals(True)
        self.setRange(0, frame.total)
        self.setValue(frame.cursor)
        self.blockSignals(blocked)
        position = "Step {step:,} of {total:,}"
        if frame.cursor in wrong:
            position = "Step {step:,} of {total:,}, differs from the correct pass"
        if frame.hides == "end":  # the number of steps would be an answer
            position = "Step {step:,}"
        self.setAccessibleDescription(position.format(step=frame.cursor, total=frame.total))
        if not is_laid_out:
            self._lay_out()
        self.update()

    def show_position(self, shown: bool) -> None:
        """Set whether the position in the pass is marked: not before a pass begins."""
        if shown != self._shows_position:
            self._shows_position = shown
            self.update()

    def hide_order(self, hides: bool) -> None:
        """Set whether later steps show neither sender nor receiver."""
        if hides != self._hides_order:
            self._hides_order = hides
            self.update()

    def show_flags(self, flags: Flags) -> None:
        """Show a flag at the tick of each step of a lecture."""
        if flags != self._flags:
            self._flags = flags
            self.update()

    def _flags_of(self, lane: Lane) -> dict[int, str]:
        """Return the flags of a lane; that of the values is at the end of the forward pass."""
        phase, last = lane.track.phase, len(lane.track)
        found = {cursor: title for (each, cursor), title in self._flags.items() if each == phase}
        title = self._flags.get(("live", 0)) if phase == "forward" else None
        if title is not None:
            found[last] = f"{title}\n{found[last]}" if last in found else title
        return {cursor: title for cursor, title in found.items() if 0 <= cursor <= last}

    def set_rows(self, rows: LaneRows) -> None:
        if rows != self._rows:
            self._rows = rows
            self._lay_out()

    def _lay_out(self) -> None:
        """Divide the width: the forward pass gets as much as it needs, up to its share."""
        self.setFixedHeight(self._style.px(self._rows.height))
        px, width = self._style.px, float(self.width())
        tracks = [track for track in self._tracks if len(track)]
        forward = next((track for track in tracks if track.phase == "forward"), None)
        forward_width = 0.0
        if forward is not None and len(tracks) > 1:
            needed = max(px(_MIN_FORWARD_WIDTH), px(_MAX_FORWARD_PITCH) * len(forward))
            forward_width = min(needed, width * _FORWARD_SHARE)
        lanes: list[Lane] = []
        for track in tracks:
            if track is forward and forward_width:
                lanes.append(Lane(track, 0.0, forward_width, self._style, self._rows))
            else:
                left = forward_width + px(_DIVIDER_WIDTH) if forward_width else 0.0
                lanes.append(Lane(track, left, width, self._style, self._rows))
        self.lanes = tuple(lanes)
        self.update()

    def _look(self, lane: Lane) -> LaneLook:
        """Return the state of a lane; live values count as a finished forward pass."""
        assert self._frame is not None
        frame, phase = self._frame, lane.track.phase
        if frame.phase == phase:
            return LaneLook(
                frame,
                frame.cursor,
                shows_position=self._shows_position,
                wrong=self._wrong,
                right_answers=self._right_answers,
                asked_cursor=self._asked_cursor,
                hides_order=self._hides_order,
                flags=self._flags_of(lane),
            )
        done = len(lane.track) if phase == "forward" else 0
        if frame.phase == "live" and done:  # as far as values are known
            receivers = enumerate(lane.track.schedule.receivers)
            done = next((k for k, node in receivers if node not in frame.values), done)
        return LaneLook(
            frame,
            done,
            shows_position=False,
            hides_order=self._hides_order,
            flags=self._flags_of(lane),
        )

    def _lane_at(self, x: float) -> Lane | None:
        """Return the lane at x; the divider belongs to the lane after it."""
        lanes = [lane for lane in self.lanes if x <= lane.right] or list(self.lanes[-1:])
        return lanes[0] if lanes else None

    def _scrub(self, x: float) -> None:
        """Go to the tick nearest to x in the lane where the drag began."""
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
        look = self._look(lane)
        flag = look.flags.get(cursor, "") if not lane.rows.thin else ""
        if cursor == 0:
            return "\n".join(filter(None, (f"Start of the {lane.track.phase} pass", flag)))
        lines = [f"Step {cursor:,}: {lane.track.words(cursor)}", "Click or drag to go there"]
        if look.is_hidden(cursor):
            lines[0] = f"Step {cursor:,}"
        if look.is_crossed(cursor):
            lines.insert(1, "✘ differs from the correct pass")
        if cursor in look.right_answers:
            lines.insert(
                1, "✓ answered right" if look.right_answers[cursor] else "✘ answered wrong"
            )
        return "\n".join((*lines[:-1], *filter(None, (flag,)), lines[-1]))

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
        steps = math.trunc(self._wheel / _NOTCH)  # whole notches, of either sign
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
        with antialiased(self) as painter:
            painter.setClipRect(self.rect())
            if self._frame is None:
                return
            for lane in self.lanes:
                paint_lane(painter, lane, self._look(lane), self._style)
            if len(self.lanes) > 1:
                px, rows = self._style.px, self._rows
                x = round(self.lanes[0].right + px(_DIVIDER_WIDTH) / 2)
                painter.setPen(self._style.theme.line)
                painter.drawLine(
                    x, px(rows.pills - 3), x, px(rows.names + 14)
                )  # to the baseline of the names
