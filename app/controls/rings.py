"""Rings: of a lesson, with its number and the steps finished; of a timer, with the time left."""

from __future__ import annotations

from typing import Literal, Protocol

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.guard import exception_safe
from app.style.current import Style
from app.style.icons import paint_icon
from app.style.theme import Theme

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


_LINE = 0.1
"""Thickness of the ring as a share of its diameter."""
_TOP = 90 * 16
"""The angle of twelve o'clock, in sixteenths of a degree."""


def paint_timer(painter: QPainter, rect: QRectF, share: float, theme: Theme) -> None:
    """Paint the share of the time left, 1 to 0; at 0 the whole ring in the colour of text."""
    line = rect.width() * _LINE
    circle = rect.adjusted(line / 2, line / 2, -line / 2, -line / 2)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.text if share <= 0 else theme.line, line))
    painter.drawEllipse(circle)
    if share > 0:
        pen = QPen(theme.selection, line)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(pen)
        painter.drawArc(circle, _TOP, round(min(share, 1.0) * _FULL_TURN))


@exception_safe
class TimerRing(QWidget):
    """Shows the share of the time left; only the speaker's window has the seconds."""

    def __init__(self, style: Style, parent: QWidget) -> None:
        super().__init__(parent)
        self._style = style
        self.share = 1.0
        """The share of the time left, 1 to 0."""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        style.changed.connect(self.update)

    def show_share(self, share: float) -> None:
        """Show the share of the time left, 1 to 0."""
        if share != self.share:
            self.share = share
            self.setAccessibleName("The time is over" if share <= 0 else "Timer")
            self.update()
        if self.isHidden():
            self.show()
            self.raise_()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the ring."""
        with QPainter(self) as painter:
            paint_timer(painter, QRectF(self.rect()), self.share, self._style.theme)
