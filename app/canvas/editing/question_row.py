"""A row of the question card: what is asked, its number, and what is said of an answer."""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QLabel, QWidget

from app.controls.kind import plain_tooltip
from app.controls.rich_text import (
    ENDLESS,
    Span,
    Spans,
    TextLine,
    elided,
    filled,
    height,
    lay_out,
    paint_lines,
    plain_text,
    role_color,
)
from app.guard import guarded
from app.style import sizes
from app.style.current import Style
from app.style.strokes import paint_box
from app.workbench.asking import Given
from app.workbench.question_words import ROLES, known, part, right_number
from engine.numbers import ASKED
from engine.study.question import Question
from engine.trace import Trace

BOX = 68, 32
"""Least width and height of a number's box, in px at 100 %; its field is as wide."""

_GAP, _AFTER_PILL = 12, 8
"""Space between columns, and after a wrong answer, in px at 100 %."""
_BELOW, _MOST_BESIDE = 4, 2
"""Space above what is said below a wrong answer, in px at 100 %, and most lines of it beside it."""
_PAD = 9, 4
"""Space left and right of a wrong answer, and above and below it or beside a number, in px."""

_WRONG = "✗ you said {written}"


class RowText(Struct, frozen=True):
    """One row: what is asked, the number in its box, a wrong answer, what is said of it."""

    name: Spans = ()
    number: str = ""
    """Empty where the field is."""
    role: str = "later"
    wrong: Spans = ()
    said: Spans = ()

    @property
    def spoken(self) -> str:
        """Return the row as it is read aloud."""
        wrong = "".join(span.text for span in self.wrong)  # not "overwritten", as in a mistake
        parts = f"{plain_text(self.name)} {self.number}".strip(), wrong, plain_text(self.said)
        return ", ".join(part for part in parts if part)


def answered(given: Given, trace: Trace, style: Style) -> RowText:
    """Return the row of an answer: the right number, and a wrong one struck beside it."""
    question = given.question
    number, said = right_number(question, trace, style.digits), Span("shown", "secondary")
    wrong: Spans = ()
    if given.skipped:
        said = Span("skipped", "secondary")
    elif given.verdict is not None and given.right:
        said = Span(f"✓ {given.verdict.sentence}".rstrip(), "secondary")
    elif given.verdict is not None:
        written = Span(given.text.strip(), "error", bold=True, strike=True)
        wrong, said = filled(_WRONG, "error", written=written), Span(given.verdict.sentence)
    name, role = part(question, trace, style.notation), ROLES.get(question.kind, "gradient")
    return RowText(name, number, role, wrong, (said,))


def coming(question: Question, is_now: bool, trace: Trace, style: Style) -> RowText:
    """Return the row of a question without an answer: it has the field, or waits."""
    name = part(question, trace, style.notation)
    said = known(question, trace, is_now, style.digits)
    return RowText(name, "" if is_now else ASKED, "later", (), said)


@guarded
class QuestionRow(QLabel):
    """Paints one row, which is static text to assistive technology; all have the same columns."""

    def __init__(self, style: Style, parent: QWidget) -> None:
        super().__init__(parent)
        self._style = style
        self.content = RowText()
        self.columns = 0, 0
        """Widths of what is asked and of the number, in px."""
        self.hide()

    def show_text(self, text: RowText, columns: tuple[int, int]) -> None:
        """Show another text, in columns of these widths in px."""
        if (text, columns) != (self.content, self.columns):
            self.content, self.columns = text, columns
            self.setAccessibleName(text.spoken)
            self._explain()
            self.update()

    def high(self, width: int) -> int:
        """Return the height that the row needs at a width in px."""
        number, (_left, lines, below) = self._style.px(BOX[1]), self._said(width)
        said = math.ceil(height(lines))
        return number + self._style.px(_BELOW) + said if below else max(number, said)

    def box(self) -> QRect:
        """Return where the number or its field is, in px of the row."""
        high, left = self._style.px(BOX[1]), self.columns[0] + self._style.px(_GAP)
        return QRect(left, round(self._middle() - high / 2), self.columns[1], high)

    def wrong_box(self, width: int) -> QRectF:
        """Return the box around a wrong answer, as if at the top of a row of a width in px."""
        px, lines = self._style.px, self._wrong(width)
        high = height(lines) + 2 * px(_PAD[1])
        return QRectF(self._after_number(), 0, _wide(lines) + 2 * px(_PAD[0]), high)

    def paintEvent(self, _event: QPaintEvent) -> None:
        style, theme, middle = self._style, self._style.theme, self._middle()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_text(painter, 0, middle, self._lines(self.content.name), "interface")
            if self.content.number:
                self._paint_box(painter)
            if self.content.wrong:
                rect, lines = self.wrong_box(self.width()), self._wrong(self.width())
                rect.moveTop(middle - rect.height() / 2)
                paint_box(
                    painter, rect, theme.error_tint, theme.error, style.px(sizes.RADIUS_BUTTON)
                )
                left = rect.left() + style.px(_PAD[0])
                self._paint_text(painter, left, middle, lines, "interface")
            left, lines, below = self._said(self.width())
            middle = self.height() - height(lines) / 2 if below else middle
            self._paint_text(painter, left, middle, lines, "caption")

    def _paint_box(self, painter: QPainter) -> None:
        theme, rect, later = self._style.theme, self.box(), self.content.role == "later"
        line, role = (theme.selection, "selection") if later else (theme.line, self.content.role)
        fill = QColor(Qt.GlobalColor.transparent) if later else theme.quiet
        pen = QPen(line, 1.0, Qt.PenStyle.DashLine if later else Qt.PenStyle.SolidLine)
        painter.setPen(pen)
        painter.setBrush(fill)
        radius = self._style.px(sizes.RADIUS_BUTTON)
        painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        painter.setFont(self._style.font("number"))
        painter.setPen(role_color(role, theme))
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, self.content.number)

    def _paint_text(
        self,
        painter: QPainter,
        left: float,
        middle: float,
        lines: tuple[TextLine, ...],
        role: str,
    ) -> None:
        at = QPointF(left, middle - height(lines) / 2)
        paint_lines(painter, at, lines, self._style.font(role), self._style.theme)

    def _middle(self) -> float:
        """Return the middle line of the number, in px from the top."""
        below = self._said(self.width())[2]
        return self._style.px(BOX[1]) / 2 if below else self.height() / 2

    def _lines(self, spans: Spans) -> tuple[TextLine, ...]:
        return lay_out(spans, self._style.font("interface"), ENDLESS)

    def _said(self, width: int) -> tuple[float, tuple[TextLine, ...], bool]:
        """Return the left edge and the lines of what is said, and whether they are below."""
        font, px, said = self._style.font("caption"), self._style.px, self.content.said
        left, least = self._after_number(), px(BOX[0])
        if not self.content.wrong:
            return left, lay_out(said, font, max(width - left, least)), False
        left = self.wrong_box(width).right() + px(_AFTER_PILL)
        if width - left >= least:
            lines = lay_out(said, font, width - left)
            if len(lines) <= _MOST_BESIDE:
                return left, lines, False
        under = self.columns[0] + px(_GAP)
        return under, lay_out(said, font, max(width - under, least)), True

    def _wrong(self, width: int) -> tuple[TextLine, ...]:
        """Return a wrong answer on one line, elided to the room in a row of a width in px."""
        font, room = self._style.font("interface"), width - self._after_number()
        return self._lines(elided(self.content.wrong, font, room - 2 * self._style.px(_PAD[0])))

    def _after_number(self) -> int:
        """Return the left edge of what follows the number, in px."""
        return sum(self.columns) + 2 * self._style.px(_GAP)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._explain()

    def _explain(self) -> None:
        """Set the tooltip: the wrong answer where it is elided."""
        wrong = self.content.wrong
        is_cut = bool(wrong) and self._wrong(self.width()) != self._lines(wrong)
        self.setToolTip(plain_tooltip(wrong[-1].text if is_cut else ""))


def columns(texts: Sequence[RowText], style: Style) -> tuple[int, int]:
    """Return the widths of what is asked and of the numbers, in px."""
    font, metrics = style.font("interface"), QFontMetricsF(style.font("number"))
    names = [math.ceil(_wide(lay_out(text.name, font, ENDLESS))) for text in texts]
    numbers = [math.ceil(metrics.horizontalAdvance(text.number)) for text in texts]
    least, pad = style.px(BOX[0]), 2 * style.px(_PAD[1])
    return max(names, default=0), max([least, *(number + pad for number in numbers)])


def _wide(lines: tuple[TextLine, ...]) -> float:
    return max((line.width for line in lines), default=0.0)
