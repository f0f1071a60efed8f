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
"""Least width of a label that wraps, in heights of a line."""


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
        self._lines_by_width: dict[float, tuple[TextLine, ...]] = {}
        """A cache: a Qt layout asks for the height at several widths, repeatedly."""
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
        """Replace the spans."""
        if tuple(spans) == self._spans:
            return
        self._spans = tuple(spans)
        self.setText(plain_text(self._spans))
        self.setAccessibleName(self.text())
        self._drop_layout()

    def set_font_role(self, role: str) -> None:
        """Change the font to that of another role."""
        if role != self._font_role:
            self._font_role = role
            self._restyle()

    def lines(self) -> tuple[TextLine, ...]:
        """Return the lines at the current width."""
        return self._lines_at(self.contentsRect().width() if self._wrap else ENDLESS)

    def _lines_at(self, width: float) -> tuple[TextLine, ...]:
        if width not in self._lines_by_width:
            font = self._style.font(self._font_role)
            self._lines_by_width[width] = lay_out(self._spans, font, width)
        return self._lines_by_width[width]

    def _size(self, width: float) -> QSize:
        lines = self._lines_at(width)
        margins = self.contentsMargins()
        widest = max(line.width for line in lines)
        return QSize(
            math.ceil(widest) + margins.left() + margins.right(),
            math.ceil(height(lines)) + margins.top() + margins.bottom(),
        )

    def _restyle(self) -> None:
        self.setFont(self._style.font(self._font_role))
        self._drop_layout()

    def _drop_layout(self) -> None:
        self._lines_by_width.clear()
        self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:
        return self._wrap

    def heightForWidth(self, width: int) -> int:
        return self._size(width).height() if self._wrap else -1

    def sizeHint(self) -> QSize:
        return self._size(ENDLESS)

    def minimumSizeHint(self) -> QSize:
        if not self._wrap:  # it may be cut off
            return QSize(0, self.sizeHint().height())
        metrics = QFontMetricsF(self._style.font(self._font_role))
        return QSize(math.ceil(metrics.height() * _LEAST_WIDTH), math.ceil(metrics.height()))

    def paintEvent(self, event: QPaintEvent) -> None:
        lines = self.lines()
        rect = self.contentsRect()
        free_height = rect.height() - height(lines)
        centred = bool(self.alignment() & Qt.AlignmentFlag.AlignVCenter)
        top = rect.top() + (free_height / 2 if centred and free_height > 0 else 0.0)
        if self.alignment() & Qt.AlignmentFlag.AlignRight:
            lines = flushed_right(lines, rect.width())
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            font = self._style.font(self._font_role)
            corner = QPointF(rect.left(), top)
            paint_lines(painter, corner, lines, font, self._style.theme, self.isEnabled())
