"""HandsChart: the hands of all questions, of first and second counts, after the last mark."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from app.guard import guarded
from app.lessons.hands import HandsChoice, HandsQuestion, HandsRecord
from app.style.current import Style
from app.style.icons import paint_icon
from app.style.sizes import RADIUS_BUTTON
from app.style.strokes import paint_box
from app.style.theme import mixed
from engine.numbers import counted

_TITLE, _CHOICE, _LABEL, _BAR, _EDGE, _GAP = 20.0, 42.0, 18.0, 5.0, 12.0, 14.0
"""Heights of the title of a question, of a row of choices, of a label and of a bar, and the spaces,
in px at 100 %."""
_TICK, _TICK_GAP = 12.0, 6.0
"""Side of the tick behind the right label, and the space around it, in px at 100 %."""

_RIGHT: Final = "{label} (right)"
_ONCE: Final = "{label}: {hands}"
_TWICE: Final = "{label}: {hands}, then {again}"
_NO_HANDS: Final = "No hands yet."


def question_text(question: HandsQuestion) -> str:
    """Return the hands of a question as a sentence, for screen readers."""
    choices = "; ".join(_choice_text(choice) for choice in question.choices)
    return f"Mark {question.mark}, {question.title}: {choices}."


def _choice_text(choice: HandsChoice) -> str:
    label = _label(choice)
    label = _RIGHT.format(label=label) if choice.right else label
    counts = _ONCE if choice.again is None else _TWICE
    return counts.format(label=label, hands=choice.hands, again=choice.again)


def total_text(question: HandsQuestion) -> str:
    """Return the sum of the hands of each count as a text."""
    first = sum(choice.hands for choice in question.choices)
    again = [choice.again for choice in question.choices if choice.again is not None]
    if again:
        return f"{first:,} → {sum(again):,} hands"
    return counted(first, "{count} hand", "{count:,} hands")


def _elided(painter: QPainter, text: str, width: float) -> str:
    """Return a text elided to a width in px in the painter's font."""
    return painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, int(width))


def _label(choice: HandsChoice) -> str:
    """Return the label of a choice, or its slip if only the first count had it."""
    return choice.label or choice.slip


def _counts_text(choice: HandsChoice) -> str:
    """Return the hands of a choice as a text, of both counts if it was asked again."""
    return f"{choice.hands}" if choice.again is None else f"{choice.hands} → {choice.again}"


@guarded
class HandsChart(QWidget):
    """Draws the questions one below the other, each with a bar for every choice.

    The choices of a question share one row, or two to a row if a label is long, or one.
    """

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self._questions: tuple[HandsQuestion, ...] = ()

    def show_record(self, record: HandsRecord | None) -> None:
        """Show the hands of a lecture, or for None that there are none."""
        found = () if record is None else record.questions
        self._questions = tuple(question for question in found if question.choices)
        self.setAccessibleName(" ".join(map(question_text, self._questions)) or _NO_HANDS)
        self._update_least_height()
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        px, found = self._style.px, self._questions
        high = sum(map(self._height, found)) if found else px(_TITLE + _CHOICE)
        return QSize(px(240), high + px(2 * _EDGE))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_least_height()

    def paintEvent(self, _event: QPaintEvent) -> None:
        px, theme = self._style.px, self._style.theme
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            paint_box(painter, QRectF(self.rect()), theme.node, theme.line, px(RADIUS_BUTTON))
            if not self._questions:
                painter.setFont(self._style.font("interface"))
                painter.setPen(theme.secondary)
                painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, _NO_HANDS)
                return
            top = px(_EDGE)
            for question in self._questions:
                high = self._height(question)
                self._paint_question(
                    painter, question, QRectF(px(_EDGE), top, self._question_width, high)
                )
                top += high

    def _update_least_height(self) -> None:
        self.setMinimumHeight(self.sizeHint().height())

    @property
    def _question_width(self) -> int:
        """Return the width of a question in px."""
        return self.width() - self._style.px(2 * _EDGE)

    def _height(self, question: HandsQuestion) -> int:
        rows = -(-len(question.choices) // self._choices_in_row(question))
        return self._style.px(_TITLE) + rows * self._style.px(_CHOICE)

    def _choices_in_row(self, question: HandsQuestion) -> int:
        """Return the number of choices in a row."""
        needed = max(map(self._full_width, question.choices))
        counts = (max(len(question.choices), 2), 2)
        return next((count for count in counts if self._choice_width(count) >= needed), 1)

    def _choice_width(self, in_row: int) -> float:
        """Return the width of each of so many choices in a row, in px."""
        return (self._question_width - self._style.px(_GAP) * (in_row - 1)) / in_row

    def _full_width(self, choice: HandsChoice) -> float:
        """Return the width of a choice with its unelided label, in px."""
        px, font = self._style.px, "interface strong" if choice.right else "interface"
        metrics = QFontMetricsF(self._style.font(font))
        tick = px(_TICK) + px(_TICK_GAP) if choice.right else 0
        label, hands = _label(choice), _counts_text(choice)
        return metrics.horizontalAdvance(label) + tick + px(_GAP) + metrics.horizontalAdvance(hands)

    def _paint_question(self, painter: QPainter, question: HandsQuestion, rect: QRectF) -> None:
        px, style, theme = self._style.px, self._style, self._style.theme
        title = QRectF(rect.x(), rect.y(), rect.width(), px(_TITLE))
        most = max(1, *(max(each.hands, each.again or 0) for each in question.choices))
        middle = Qt.AlignmentFlag.AlignVCenter
        named = f"{question.mark}  {question.title}"
        painter.setFont(style.font("caption"))
        painter.setPen(theme.secondary)
        right = int(middle | Qt.AlignmentFlag.AlignRight)
        total = total_text(question)
        title_width = title.width() - painter.fontMetrics().horizontalAdvance(total) - px(_TICK_GAP)
        painter.drawText(title, right, total)
        painter.setFont(style.font("interface strong"))
        painter.setPen(theme.text)
        painter.drawText(title, int(middle), _elided(painter, named, title_width))
        in_row = self._choices_in_row(question)
        wide = self._choice_width(in_row)
        for k, each in enumerate(question.choices):
            row, column = divmod(k, in_row)
            left, top = rect.x() + column * (wide + px(_GAP)), title.bottom() + row * px(_CHOICE)
            self._paint_choice(painter, each, QRectF(left, top, wide, px(_LABEL)), most)

    def _paint_choice(self, painter: QPainter, choice: HandsChoice, box: QRectF, most: int) -> None:
        px, style, theme = self._style.px, self._style, self._style.theme
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setFont(style.font("interface strong" if choice.right else "interface"))
        painter.setPen(theme.text if choice.right else theme.secondary)
        hands = _counts_text(choice)
        right = int(middle | Qt.AlignmentFlag.AlignRight)
        painter.drawText(box, right, hands)
        metrics, tick = painter.fontMetrics(), px(_TICK) + px(_TICK_GAP) if choice.right else 0
        label_width = box.width() - metrics.horizontalAdvance(hands) - px(_TICK_GAP) - tick
        label = _elided(painter, _label(choice), label_width)
        painter.drawText(box, int(middle), label)
        if choice.right:
            x, side = box.x() + metrics.horizontalAdvance(label) + px(_TICK_GAP), px(_TICK)
            at = QRectF(x, box.center().y() - side / 2, side, side)
            paint_icon(painter, at, "check", theme.text)
        strong = theme.text if choice.right else theme.secondary
        bars = [(choice.hands, strong)]
        if choice.again is not None:
            bars = [(choice.hands, mixed(theme.node, strong, 0.35)), (choice.again, strong)]
        painter.setPen(Qt.PenStyle.NoPen)
        y = box.bottom() + px(1)
        for number, color in bars:
            bar = QRectF(box.x(), y, box.width(), px(_BAR))
            painter.setBrush(theme.header_op)
            painter.drawRoundedRect(bar, bar.height() / 2, bar.height() / 2)
            bar.setWidth(max(box.width() * number / most, bar.height() if number else 0.0))
            painter.setBrush(color)
            painter.drawRoundedRect(bar, bar.height() / 2, bar.height() / 2)
            y += px(_BAR) + px(2)
