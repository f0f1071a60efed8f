"""Brackets of the timeline: `Σ a: −2 + 6` connects the ticks of contributions to one node."""

from __future__ import annotations

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen, QPolygonF

from app.panels.strip.lane import Lane
from app.style.current import Style
from app.workbench.gradients.chain_rule import added
from app.workbench.playback.ticks import TICK_NAME
from engine.frame import Frame
from engine.rules import UNKNOWN
from engine.trace import Event

_DROP = 9
_PILL = 16
_MOST_SHOWN = 3
_LOOK_BACK = 400
"""Number of steps before the current one that are searched for receivers."""


class Bracket(Struct, frozen=True):
    """What one node has received so far in this sweep, from one tick to another."""

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


def paint_brackets(
    painter: QPainter,
    lane: Lane,
    frame: Frame,
    style: Style,
) -> None:
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
        _paint(painter, (left, middle, right), lane.rows.brackets, bracket, style)


def _bracket(frame: Frame, node: int, sweep: int, asked: bool, style: Style) -> Bracket | None:
    trace = frame.trace
    assert trace is not None
    places = [k for k in trace.schedule.arrivals.get(node, ()) if trace.events[k].sweep == sweep]
    landed = [k for k in places if k < frame.cursor]
    ends = landed + places[len(landed) : len(landed) + 1] if asked else landed
    if len(ends) < 2 or trace.rules is UNKNOWN:
        return None
    name = frame.graph.called(node, TICK_NAME)
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
    more = [added(event.contribution, style.digits) for event in rest]
    if head:
        return " ".join([style.short(start), *more])
    if start:
        return " ".join([f"{style.short(start)} left over", *more])
    return " ".join([style.short(rest[0].contribution), *more[1:]])


def _paint(
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
