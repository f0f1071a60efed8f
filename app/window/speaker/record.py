"""HandsChart: after the last mark, the hands of all questions, also those of the first count."""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.guard import guarded
from app.lessons.lecture_state import LectureState
from app.lessons.poll import Poll
from app.style.current import Style
from app.style.icons import paint_icon
from app.style.sizes import RADIUS_BUTTON
from app.style.strokes import paint_box
from app.style.theme import mixed
from app.window.speaker.marks import mark_name
from engine.numbers import counted

_BLOCK, _TITLE, _LABEL, _BAR, _EDGE, _GAP = 62.0, 20.0, 18.0, 5.0, 12.0, 14.0
"""Heights of a question, its title, a choice and a bar, and the spaces, in px at 100 %."""


_RIGHT: Final = "{label} (right)"
_ONCE: Final = "{label}: {hands}"
_TWICE: Final = "{label}: {first}, then {hands}"


class Count(Struct, frozen=True):
    """The hands for one choice; `earlier` are those of the first count, None without one."""

    label: str
    right: bool
    hands: int
    earlier: int | None

    @property
    def text(self) -> str:
        """Return the hands as text, with those of the first count before."""
        label = _RIGHT.format(label=self.label) if self.right else self.label
        told = _ONCE if self.earlier is None else _TWICE
        return told.format(label=label, first=self.earlier, hands=self.hands)


class QuestionCount(Struct, frozen=True):
    """The hands of one question; `at` is the index of its mark."""

    at: int
    name: str
    counts: tuple[Count, ...]

    @property
    def most(self) -> int:
        """Return the most hands of a choice in either count, at least 1."""
        return max(1, *(max(each.hands, each.earlier or 0) for each in self.counts))

    @property
    def text(self) -> str:
        """Return the counts as a sentence, for screen readers."""
        words = [each.text for each in self.counts]
        return f"Mark {self.at + 1}, {self.name}: {'; '.join(words)}."


def question_counts(state: LectureState) -> tuple[QuestionCount, ...]:
    """Return the hands of all questions that were asked, in the order of the marks."""
    found: list[QuestionCount] = []
    for at, poll in sorted(state.polls.items()):
        if poll.choices:
            name = mark_name(state.slides[at].mark)
            found.append(QuestionCount(at, name, _counts(poll)))
    return tuple(found)


def _counts(poll: Poll) -> tuple[Count, ...]:
    return tuple(
        Count(choice.label, choice.right, poll.hands[index], poll.earlier_hands(index))
        for index, choice in enumerate(poll.choices)
    )


@guarded
class HandsChart(QWidget):
    """Draws the questions one below the other, each with a bar for every choice."""

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self._questions: tuple[QuestionCount, ...] = ()

    def show_questions(self, questions: tuple[QuestionCount, ...]) -> None:
        """Show the hands of these questions."""
        self._questions = questions
        self.setAccessibleName(" ".join(each.text for each in questions) or _NONE)
        self.setMinimumHeight(self.sizeHint().height())
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        px = self._style.px
        return QSize(px(240), px(_BLOCK) * max(len(self._questions), 1) + px(2 * _EDGE))

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
            for row, question in enumerate(self._questions):
                top = px(_EDGE) + row * px(_BLOCK)
                wide = self.width() - px(2 * _EDGE)
                self._paint_question(painter, question, QRectF(px(_EDGE), top, wide, px(_BLOCK)))

    def _paint_question(self, painter: QPainter, question: QuestionCount, rect: QRectF) -> None:
        px, style, theme = self._style.px, self._style, self._style.theme
        title = QRectF(rect.x(), rect.y(), rect.width(), px(_TITLE))
        total = sum(each.hands for each in question.counts)
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setFont(style.font("interface strong"))
        painter.setPen(theme.text)
        painter.drawText(title, int(middle), f"{question.at + 1}  {question.name}")
        painter.setFont(style.font("caption"))
        painter.setPen(theme.secondary)
        right = int(middle | Qt.AlignmentFlag.AlignRight)
        painter.drawText(title, right, counted(total, "{count} hand", "{count:,} hands"))
        count = max(len(question.counts), 2)
        wide = (rect.width() - px(_GAP) * (count - 1)) / count
        for column, each in enumerate(question.counts):
            left = rect.x() + column * (wide + px(_GAP))
            box = QRectF(left, title.bottom(), wide, px(_LABEL))
            self._paint_count(painter, each, box, question.most)

    def _paint_count(self, painter: QPainter, count: Count, box: QRectF, most: int) -> None:
        px, style, theme = self._style.px, self._style, self._style.theme
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setFont(style.font("interface strong" if count.right else "interface"))
        painter.setPen(theme.text if count.right else theme.secondary)
        painter.drawText(box, int(middle), count.label)
        if count.right:
            x = box.x() + painter.fontMetrics().horizontalAdvance(count.label) + px(6)
            paint_icon(
                painter, QRectF(x, box.center().y() - px(6), px(12), px(12)), "check", theme.text
            )
        hands = f"{count.hands}" if count.earlier is None else f"{count.earlier} → {count.hands}"
        right = int(middle | Qt.AlignmentFlag.AlignRight)
        painter.drawText(box, right, hands)
        strong = theme.text if count.right else theme.secondary
        bars = [(count.hands, strong)]
        if count.earlier is not None:
            bars.insert(0, (count.earlier, mixed(theme.node, strong, 0.35)))
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


_NONE: Final = "No question was asked."
