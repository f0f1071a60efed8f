"""The ring of a lesson: its number, an arc of the steps finished, or a tick at the end."""

from __future__ import annotations

from typing import Literal, Protocol

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from app.style.current import Style
from app.style.icons import paint_icon

_ARC_WIDTH = 0.1
"""Width of the arc, as a share of the ring's diameter."""
_TICK_SIZE = 0.57
"""Side of the tick, as a share of the ring's diameter."""
_FULL_TURN = 360 * 16
"""A full turn in the units of Qt's arcs, sixteenths of a degree."""


class RingLesson(Protocol):
    """What a ring shows of a lesson: its number, state, and share of finished steps."""

    @property
    def number(self) -> int: ...
    @property
    def state(self) -> Literal["new", "begun", "done", "shown"]:
        """Return `done` if the learner did every step, `shown` if some were shown instead."""
        ...

    @property
    def share(self) -> float: ...


def paint_ring(painter: QPainter, rect: QRectF, lesson: RingLesson, style: Style) -> None:
    """Paint the ring of a lesson into a square: filled when done, half filled when shown."""
    theme = style.theme
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.text)
    if lesson.state == "done":
        painter.drawEllipse(rect)
        margin = rect.width() * (1 - _TICK_SIZE) / 2
        paint_icon(painter, rect.adjusted(margin, margin, -margin, -margin), "check", theme.panel)
        return
    width = rect.width() * _ARC_WIDTH
    inner = rect.adjusted(width / 2, width / 2, -width / 2, -width / 2)
    if lesson.state == "shown":
        painter.drawPie(inner, _FULL_TURN // 4, _FULL_TURN // 2)
    begun = lesson.state == "begun"
    line = theme.text if lesson.state == "shown" else theme.line if begun else theme.outline
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(line, width if begun else width / 2))
    painter.drawEllipse(inner)
    if lesson.state == "shown":
        return
    if lesson.share:
        painter.setPen(QPen(theme.text, width, c=Qt.PenCapStyle.FlatCap))
        painter.drawArc(inner, _FULL_TURN // 4, -round(_FULL_TURN * lesson.share))
    font = style.font("contribution")
    font.setPixelSize(round(rect.width() * 0.42))
    painter.setFont(font)
    painter.setPen(theme.text)
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, str(lesson.number))
