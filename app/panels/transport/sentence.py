"""The step sentence: as large as its space allows, never cut without an ellipsis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.controls.kind import plain_tooltip
from app.controls.rich_text import Span, TextLine, height, lay_out, paint_lines, plain_text
from app.guard import guarded
from app.style.current import Style
from app.style.fonts import ROLES
from app.workbench.formulas import direct_tip

_LARGEST: Final = ROLES["step"].pixels
_ONE_LINE: Final = 13.0
"""Size in px at 100 % below which the sentence wraps instead of shrinking further."""
_SMALLEST: Final = ROLES["small"].pixels
_ENDLESS: Final = 1e9


@guarded
class Sentence(QWidget):
    """Spans on one line of 17 to 13 px if they fit, else on more and smaller lines."""

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self._spans: tuple[Span, ...] = ()
        self._centre = 0
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

    def set_centre(self, centre: int) -> None:
        """Set the centre line in px from the top, for as long as all lines fit around it."""
        self._centre = centre
        self.update()

    def least_width(self) -> int:
        """Return the width in px below which the sentence needs more than one line."""
        return round(self._length(_ONE_LINE)) + 1

    def fitted(self) -> tuple[QFont, tuple[TextLine, ...]]:
        """Return the largest font in which all lines fit, and those lines."""
        width = float(max(self.width(), 1))
        size = _LARGEST * min(1.0, width / max(self._length(_LARGEST), 1.0))
        for one_line in (size, size - 0.5, size - 1.0):
            font = self._font(one_line)
            lines = lay_out(self._spans, font, width)
            if one_line >= _ONE_LINE and len(lines) < 2:
                return font, lines
        for smaller in (_ONE_LINE, 12.0, 11.0, _SMALLEST):
            font = self._font(smaller)
            lines = lay_out(self._spans, font, width)
            if height(lines) <= self.height():
                break
        return font, lines

    def _length(self, size: float) -> float:
        """Return the width of the sentence on one line, in a size of px at 100 %."""
        lines = lay_out(self._spans, self._font(size), _ENDLESS)
        return max((line.width for line in lines), default=0.0)

    def _font(self, size: float) -> QFont:
        font = self._style.sentence_font("step")
        font.setPixelSize(max(int(size * self._style.scale), 1))
        return font

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(400), round(20 * self._style.scale))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._style.px(80), round(20 * self._style.scale))

    def paintEvent(self, _event: QPaintEvent) -> None:
        font, lines = self.fitted()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            high = height(lines)
            top = max(min(self._centre - high / 2, self.height() - high), 0.0)
            paint_lines(painter, QPointF(0, top), lines, font, self._style.theme, self.isEnabled())
