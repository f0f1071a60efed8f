"""RichLine: coloured text on one or more lines, such as a step sentence or a chain-rule term."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from app.controls.rich_text import (
    ENDLESS,
    Span,
    TextLine,
    flushed_right,
    height,
    lay_out,
    paint_lines,
    plain_text,
)
from app.guard import guarded
from app.style.current import Style

_LEAST_WIDTH = 4
"""Least width of a line that wraps, in heights of a line."""


@guarded
class RichLine(QLabel):
    """Spans in the colours of the theme; wraps, and is plain text to assistive technology."""

    def __init__(
        self,
        style: Style,
        spans: Sequence[Span] = (),
        font_role: str = "step",
        wrap: bool = True,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._style = style
        self._font_role = font_role
        self._wrap = wrap
        self._spans: tuple[Span, ...] = ()
        self._laid_out: dict[float, tuple[TextLine, ...]] = {}
        """Lines by width: a layout asks for several, again and again."""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(wrap)
        self.setSizePolicy(policy)
        style.changed.connect(self._restyle)
        self._restyle()
        self.set_spans(spans)

    def spans(self) -> tuple[Span, ...]:
        """Return the shown spans."""
        return self._spans

    def set_spans(self, spans: Sequence[Span]) -> None:
        """Show other spans."""
        if tuple(spans) == self._spans:
            return
        self._spans = tuple(spans)
        self.setText(plain_text(self._spans))
        self.setAccessibleName(self.text())
        self._forget()

    def set_font_role(self, role: str) -> None:
        """Write in the font of another role."""
        if role != self._font_role:
            self._font_role = role
            self._restyle()

    def lines(self) -> tuple[TextLine, ...]:
        """Return the lines at the current width."""
        return self._lines(self.contentsRect().width() if self._wrap else ENDLESS)

    def _lines(self, width: float) -> tuple[TextLine, ...]:
        if width not in self._laid_out:
            font = self._style.font(self._font_role)
            self._laid_out[width] = lay_out(self._spans, font, width)
        return self._laid_out[width]

    def _size(self, width: float) -> QSize:
        lines = self._lines(width)
        margins = self.contentsMargins()
        wide = max(line.width for line in lines)
        return QSize(
            math.ceil(wide) + margins.left() + margins.right(),
            math.ceil(height(lines)) + margins.top() + margins.bottom(),
        )

    def _restyle(self) -> None:
        self.setFont(self._style.font(self._font_role))
        self._forget()

    def _forget(self) -> None:
        self._laid_out.clear()
        self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:
        return self._wrap

    def heightForWidth(self, width: int) -> int:
        return self._size(width).height() if self._wrap else -1

    def sizeHint(self) -> QSize:
        return self._size(ENDLESS)

    def minimumSizeHint(self) -> QSize:
        if not self._wrap:
            return QSize(0, self.sizeHint().height())
        metrics = QFontMetricsF(self._style.font(self._font_role))
        return QSize(math.ceil(metrics.height() * _LEAST_WIDTH), math.ceil(metrics.height()))

    def paintEvent(self, event: QPaintEvent) -> None:
        lines = self.lines()
        room = self.contentsRect()
        spare = room.height() - height(lines)
        centred = bool(self.alignment() & Qt.AlignmentFlag.AlignVCenter)
        top = room.top() + (spare / 2 if centred and spare > 0 else 0.0)
        if self.alignment() & Qt.AlignmentFlag.AlignRight:
            lines = flushed_right(lines, room.width())
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            font = self._style.font(self._font_role)
            place = QPointF(room.left(), top)
            paint_lines(painter, place, lines, font, self._style.theme, self.isEnabled())
