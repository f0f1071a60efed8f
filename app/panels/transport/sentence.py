"""The step sentence: as large as its space allows, never cut without an ellipsis."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.controls.kind import plain_tooltip
from app.controls.rich_text import Span, TextLine, height, lay_out, paint_lines, plain_text
from app.guard import guarded
from app.style.current import Style
from app.workbench.formulas import direct_tip

_ROLES = ("step", "interface", "caption", "small")


@guarded
class Sentence(QWidget):
    """Spans on one line of 17 px if they fit, else on more and smaller lines."""

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self._spans: tuple[Span, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        style.changed.connect(self.update)

    def spans(self) -> tuple[Span, ...]:
        """Return the spans shown."""
        return self._spans

    def text(self) -> str:
        """Return the sentence as plain text."""
        return plain_text(self._spans)

    def set_spans(self, spans: Sequence[Span]) -> None:
        """Show another sentence."""
        if tuple(spans) != self._spans:
            self._spans = tuple(spans)
            self.setAccessibleName(self.text())
            tips = (self.text(), direct_tip(self.text()))
            self.setToolTip(plain_tooltip("\n".join(tip for tip in tips if tip)))
            self.update()

    def _fit_size(self) -> tuple[str, tuple[TextLine, ...]]:
        """Return the largest role in which all lines fit, and those lines."""
        role, lines = _ROLES[0], tuple[TextLine, ...]()
        for role in _ROLES:
            lines = lay_out(self._spans, self._style.font(role), float(max(self.width(), 1)))
            if height(lines) <= self.height() and (role != _ROLES[0] or len(lines) < 2):
                break
        return role, lines

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(400), self._style.px(36))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._style.px(80), self._style.px(36))

    def paintEvent(self, _event: QPaintEvent) -> None:
        role, lines = self._fit_size()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            top = max((self.height() - height(lines)) / 2, 0.0)
            font = self._style.font(role)
            paint_lines(painter, QPointF(0, top), lines, font, self._style.theme, self.isEnabled())
