"""The ring of a lesson: its number, an arc of the steps finished, or a tick at the end."""

from __future__ import annotations

from typing import Literal, Protocol

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from app.style.current import Style
from app.style.icons import paint_icon

_LINE = 0.1
"""Width of the arc, as a share of the ring's diameter."""
_TICK = 0.57
_FULL = 360 * 16
"""A whole turn in the units of Qt's arcs."""


class Taken(Protocol):
    """The lesson of a ring: its number, state, and share of finished steps."""

    @property
    def number(self) -> int: ...
    @property
    def state(self) -> Literal["new", "begun", "done", "shown"]: ...
    @property
    def share(self) -> float: ...


def paint_ring(painter: QPainter, rect: QRectF, lesson: Taken, style: Style) -> None:
    """Paint the ring of a lesson into a square: filled when done, half filled when shown."""
    theme = style.theme
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.text)
    if lesson.state == "done":
        painter.drawEllipse(rect)
        edge = rect.width() * (1 - _TICK) / 2
        paint_icon(painter, rect.adjusted(edge, edge, -edge, -edge), "check", theme.panel)
        return
    wide = rect.width() * _LINE
    inner = rect.adjusted(wide / 2, wide / 2, -wide / 2, -wide / 2)
    if lesson.state == "shown":
        painter.drawPie(inner, _FULL // 4, _FULL // 2)
    begun = lesson.state == "begun"
    line = theme.text if lesson.state == "shown" else theme.line if begun else theme.outline
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(line, wide if begun else wide / 2))
    painter.drawEllipse(inner)
    if lesson.state == "shown":
        return
    if lesson.share:
        painter.setPen(QPen(theme.text, wide, c=Qt.PenCapStyle.FlatCap))
        painter.drawArc(inner, _FULL // 4, -round(_FULL * lesson.share))
    font = style.font("contribution")
    font.setPixelSize(round(rect.width() * 0.42))
    painter.setFont(font)
    painter.setPen(theme.text)
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, str(lesson.number))
