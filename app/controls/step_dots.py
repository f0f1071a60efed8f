"""StepDots: a row of circles, one a step: done, shown, current, or still to come."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.guard import guarded
from app.style.current import Style
from app.style.icons import paint_icon

Dot = Literal["", "done", "shown"]
_RADIUS, _CURRENT, _PITCH = 6.0, 7.5, 26.0
"""Radii of a dot and of the current one, and the distance between two, in px at 100 %."""
_HEIGHT = 20


@guarded
class StepDots(QWidget):
    """Shows how far a list of steps is done."""

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self._dots: tuple[Dot, ...] = ()
        self._current = -1
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        style.changed.connect(self.updateGeometry)

    def show_dots(self, dots: Sequence[Dot], current: int) -> None:
        """Show these steps; `current` is the index of the one that is on, −1 for none."""
        self._dots, self._current = tuple(dots), current
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        px = self._style.px
        return QSize(px(_PITCH * max(len(self._dots) - 1, 0) + 2 * _CURRENT + 1), px(_HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self._style.px(_HEIGHT))

    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self._dots:
            return
        scale, theme = self._style.control_scale, self._style.theme
        first, middle = (_CURRENT + 0.5) * scale, self.height() / 2
        room = self.width() - 2 * first
        pitch = min(_PITCH * scale, room / max(len(self._dots) - 1, 1))
        centres = [QPointF(first + k * pitch, middle) for k in range(len(self._dots))]
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for k in range(len(centres) - 1):
                done = bool(self._dots[k])
                painter.setPen(
                    QPen(theme.text if done else theme.line, (1.6 if done else 1) * scale)
                )
                painter.drawLine(centres[k], centres[k + 1])
            for k, dot in enumerate(self._dots):
                self._paint_dot(painter, centres[k], dot, k == self._current)

    def _paint_dot(self, painter: QPainter, at: QPointF, dot: Dot, current: bool) -> None:
        scale, theme = self._style.control_scale, self._style.theme
        radius = _RADIUS * scale
        painter.setBrush(theme.panel)
        painter.setPen(QPen(theme.text if dot else theme.outline, 1.4 * scale))
        if dot == "done":
            painter.setBrush(theme.text)
            painter.drawEllipse(at, radius, radius)
            side = 9 * scale
            box = QRectF(at.x() - side / 2, at.y() - side / 2, side, side)
            paint_icon(painter, box, "check", theme.panel)
        else:
            painter.drawEllipse(at, radius, radius)
        if dot == "shown":
            painter.setBrush(theme.text)
            painter.setPen(Qt.PenStyle.NoPen)
            whole = QRectF(at.x() - radius, at.y() - radius, 2 * radius, 2 * radius)
            painter.drawPie(whole, 90 * 16, 180 * 16)
        if current:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.selection, 2.2 * scale))
            painter.drawEllipse(at, _CURRENT * scale, _CURRENT * scale)
            if not dot:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(theme.selection)
                painter.drawEllipse(at, 3 * scale, 3 * scale)
