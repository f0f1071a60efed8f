"""HandsChart: after the last mark, the hands of all questions, also those of the first count."""

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
"""Side of the tick behind the right label, and the space around it and before the counts."""

_RIGHT: Final = "{label} (right)"
_ONCE: Final = "{label}: {hands}"
_TWICE: Final = "{label}: {hands}, then {again}"
_NONE: Final = "No hands yet."


def question_text(question: HandsQuestion) -> str:
    """Return the hands of a question as a sentence, for screen readers."""
    told = "; ".join(_choice_text(choice) for choice in question.choices)
    return f"Mark {question.mark}, {question.title}: {told}."


def _choice_text(choice: HandsChoice) -> str:
    label = _label(choice)
    label = _RIGHT.format(label=label) if choice.right else label
    counts = _ONCE if choice.again is None else _TWICE
    return counts.format(label=label, hands=choice.hands, again=choice.again)


def total_text(question: HandsQuestion) -> str:
    """Return how many hands were raised, the first time and the second."""
    first = sum(choice.hands for choice in question.choices)
    again = [choice.again for choice in question.choices if choice.again is not None]
    if again:
        return f"{first:,} → {sum(again):,} hands"
    return counted(first, "{count} hand", "{count:,} hands")


def _elided(painter: QPainter, text: str, room: float) -> str:
    """Return as much of a text as has room in the painter's font, with dots behind it."""
    return painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, int(room))


def _label(choice: HandsChoice) -> str:
    """Return the label of a choice, or the slip of one that only the first count had."""
    return choice.label or choice.slip


def _hands(choice: HandsChoice) -> str:
    """Return the hands of a choice, of both counts if it was asked for again."""
    return f"{choice.hands}" if choice.again is None else f"{choice.hands} → {choice.again}"


@guarded
class HandsChart(QWidget):
    """Draws the questions one below the other, each with a bar for every choice.

    Choices whose labels are too long to stand in one row take two rows, or one row each.
    """

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self._questions: tuple[HandsQuestion, ...] = ()

    def show_record(self, record: HandsRecord | None) -> None:
        """Show the hands of a lecture; None if there are none."""
        found = () if record is None else record.questions
        self._questions = tuple(question for question in found if question.choices)
        self.setAccessibleName(" ".join(map(question_text, self._questions)) or _NONE)
        self._take_height()
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        px, found = self._style.px, self._questions
        high = sum(map(self._height, found)) if found else px(_TITLE + _CHOICE)
        return QSize(px(240), high + px(2 * _EDGE))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._take_height()

    def paintEvent(self, _event: QPaintEvent) -> None:
        px, theme = self._style.px, self._style.theme
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            paint_box(painter, QRectF(self.rect()), theme.node, theme.line, px(RADIUS_BUTTON))
            if not self._questions:
                painter.setFont(self._style.font("interface"))
                painter.setPen(theme.secondary)
                painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, _NONE)
                return
            top = px(_EDGE)
            for question in self._questions:
                high = self._height(question)
                self._paint_question(painter, question, QRectF(px(_EDGE), top, self._room, high))
                top += high

    def _take_height(self) -> None:
        self.setMinimumHeight(self.sizeHint().height())

    @property
    def _room(self) -> int:
        """Return the width of a question."""
        return self.width() - self._style.px(2 * _EDGE)

    def _height(self, question: HandsQuestion) -> int:
        rows = -(-len(question.choices) // self._across(question))
        return self._style.px(_TITLE) + rows * self._style.px(_CHOICE)

    def _across(self, question: HandsQuestion) -> int:
        """Return how many choices stand in a row."""
        needed = max(map(self._needed, question.choices))
        counts = (max(len(question.choices), 2), 2)
        return next((count for count in counts if self._wide(count) >= needed), 1)

    def _wide(self, across: int) -> float:
        """Return the width of a choice where so many stand in a row."""
        return (self._room - self._style.px(_GAP) * (across - 1)) / across

    def _needed(self, choice: HandsChoice) -> float:
        """Return the width of a choice with its whole label."""
        px, font = self._style.px, "interface strong" if choice.right else "interface"
        metrics = QFontMetricsF(self._style.font(font))
        tick = px(_TICK) + px(_TICK_GAP) if choice.right else 0
        label, hands = _label(choice), _hands(choice)
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
        room = title.width() - painter.fontMetrics().horizontalAdvance(total) - px(_TICK_GAP)
        painter.drawText(title, right, total)
        painter.setFont(style.font("interface strong"))
        painter.setPen(theme.text)
        painter.drawText(title, int(middle), _elided(painter, named, room))
        across = self._across(question)
        wide = self._wide(across)
        for k, each in enumerate(question.choices):
            row, column = divmod(k, across)
            left, top = rect.x() + column * (wide + px(_GAP)), title.bottom() + row * px(_CHOICE)
            self._paint_count(painter, each, QRectF(left, top, wide, px(_LABEL)), most)

    def _paint_count(self, painter: QPainter, count: HandsChoice, box: QRectF, most: int) -> None:
        px, style, theme = self._style.px, self._style, self._style.theme
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setFont(style.font("interface strong" if count.right else "interface"))
        painter.setPen(theme.text if count.right else theme.secondary)
        hands = _hands(count)
        right = int(middle | Qt.AlignmentFlag.AlignRight)
        painter.drawText(box, right, hands)
        metrics, tick = painter.fontMetrics(), px(_TICK) + px(_TICK_GAP) if count.right else 0
        room = box.width() - metrics.horizontalAdvance(hands) - px(_TICK_GAP) - tick
        label = _elided(painter, _label(count), room)
        painter.drawText(box, int(middle), label)
        if count.right:
            x, side = box.x() + metrics.horizontalAdvance(label) + px(_TICK_GAP), px(_TICK)
            at = QRectF(x, box.center().y() - side / 2, side, side)
            paint_icon(painter, at, "check", theme.text)
        strong = theme.text if count.right else theme.secondary
        bars = [(count.hands, strong)]
        if count.again is not None:
            bars = [(count.hands, mixed(theme.node, strong, 0.35)), (count.again, strong)]
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
