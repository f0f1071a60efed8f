"""Hands: a card for each choice of the question, and after the last mark a chart of all hands.

A card has the slip of its choice and an editable count. The speaker alone sees which one is right.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QLineEdit, QWidget

from app.controls.focus import ENTER, claim_keys
from app.guard import exception_safe
from app.guide.play.hands import HandsChoice, HandsQuestion, HandsRecord
from app.guide.play.poll import HANDS_LIMIT, PollChoice
from app.style import sizes
from app.style.current import Style
from app.style.fonts import with_features
from app.style.icons import paint_icon
from app.style.sizes import RADIUS_BUTTON
from app.style.strokes import paint_box
from app.style.theme import mixed
from engine.numbers import counted, is_short_whole
from engine.study.judging import MOST_CHOICES, read_answer

HANDS_REFUSAL: Final = f"Hands are a whole number from 0 to {HANDS_LIMIT:,}."
_LABEL_BELOW: Final = "{label}: {caption}"
"""Text below the digit if the label is too wide for the line of the digit."""
_WRAPS: Final = int(Qt.TextFlag.TextWordWrap)
_CARD_GAP: Final = 8.0
_FIELD_HEIGHT: Final = 30.0
_NARROW: Final = 170.0
"""Width of a card in px at 100 % below which its digit and its field are smaller."""
_FIELD_WIDTHS, _BADGES = (50.0, 49.0), (26.0, 22.0)
"""Widths of the field of a count, of at most four digits, and of the badge with the digit, in px at
100 %: in a wide card and in a narrow one."""
_NUMBER_INSET: Final = 7
"""Left margin of a called-out number in its field, in px at 100 %."""
_LABEL_SIZES: Final = (20, 18, 16, 15, 14, 13, 12, 11)
"""Font sizes to try for a label, in px at 100 %, largest first."""


@exception_safe
class TypedField(QLineEdit):
    """A field that Enter or Esc leaves, so that the keys of the lecture work again."""

    entered = Signal(str)
    """Emitted with the text at Enter."""
    focus_changed = Signal()
    """Emitted after the field got or lost the caret."""

    def __init__(self, style: Style, parent: QWidget) -> None:
        super().__init__(parent)
        self._style = style
        self._shown = ""
        self.counts = True
        """Whether the text is a count of hands, else a called-out number that may have a point."""
        self.setProperty("kind", "count")
        self.setMaxLength(40)
        claim_keys(self, *ENTER, Qt.Key.Key_Escape)

    def show_text(self, text: str) -> None:
        """Show a text, unless the user is typing another one."""
        is_typed = self.hasFocus() and self.text() != self._shown
        self._shown = text
        if not is_typed and self.text() != text:
            self.setText(text)

    def restore(self) -> None:
        """Show the text from before the typing."""
        self.setText(self._shown)

    def leave(self) -> None:
        """Focus the window itself; clearing the focus would move it to the first field."""
        self.window().setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER:
            self.entered.emit(self.text())
        elif event.key() == Qt.Key.Key_Escape:
            self.restore()
            self.leave()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.selectAll()
        self.focus_changed.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.restore()
        self.focus_changed.emit()


@exception_safe
class HandCard(QWidget):
    """A choice with digit, slip and hands; without a choice a field for a called-out number."""

    def __init__(self, style: Style, index: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._style = style
        self._digit = str(index + 1)
        self._choice: PollChoice | None = None
        self.field = TypedField(style, self)

    @property
    def caption(self) -> str:
        """Return the verdict below the choice: "right", or the name of its slip."""
        choice = self._choice
        if choice is None:
            return "Enter adds it, Esc leaves"
        return "right" if choice.right else choice.slip or choice.say

    @property
    def shows_all(self) -> bool:
        """Return whether no text is cut off."""
        label, below = self._texts()
        label_width = QFontMetricsF(self._label_font(label)).horizontalAdvance(label)
        space, metrics = self._below_space(), QFontMetricsF(self._below_font())
        fits = label_width <= self._label_space().width()
        return fits and space.contains(metrics.boundingRect(space, _WRAPS, below))

    @property
    def _is_in_words(self) -> bool:
        """Return whether its choice is in words; they are written below the digit."""
        return self._choice is not None and self._choice.number is None

    def _texts(self) -> tuple[str, str]:
        """Return the text on the line of the digit, and the text below."""
        if self._choice is None:
            return "", self.caption
        label = self._choice.label
        if self._is_in_words:
            return "", label
        font, space = self._label_font(label), self._label_space()
        if QFontMetricsF(font).horizontalAdvance(label) <= space.width():
            return label, self.caption
        return "", _LABEL_BELOW.format(label=label, caption=self.caption)

    def show_choice(self, choice: PollChoice, hands: int, is_open: bool) -> None:
        """Show a choice with its hands, editable while the question is open."""
        self._choice = choice
        self.field.counts = True
        self.field.setReadOnly(not is_open)
        self.field.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.field.setTextMargins(0, 0, 0, 0)
        self.field.setPlaceholderText("")
        self.field.setAccessibleName(f"Hands for {self._digit}, {choice.label}, {self.caption}")
        self.field.show_text(str(hands))
        self._place()
        self.update()

    def ask_number(self) -> None:
        """Show a field for a called-out number."""
        self._choice = None
        self.field.counts = False
        self.field.setReadOnly(False)
        self.field.setAlignment(Qt.AlignmentFlag.AlignLeft)
        self.field.setTextMargins(self._style.px(_NUMBER_INSET), 0, 0, 0)
        self.field.setPlaceholderText("called out")
        self.field.setAccessibleName("Number that was called out")
        self.field.show_text("")
        self._place()
        self.update()

    def _place(self) -> None:
        px, font = self._style.px, self._style.font("number")
        self.field.setFont(font)
        high, edge = px(_FIELD_HEIGHT), px(10)
        wide = px(_FIELD_WIDTHS[self.width() < px(_NARROW)])
        left = self.width() - edge - wide if self._choice is not None else px(12)
        self.field.setGeometry(left, px(8), self.width() - edge - left, high)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def paintEvent(self, _event: QPaintEvent) -> None:
        style, choice = self._style, self._choice
        theme, px = style.theme, style.px
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            is_right = choice is not None and choice.right
            line, width = (theme.text, 2.0) if is_right else (theme.outline, 1.0)
            box = QRectF(self.rect())
            paint_box(painter, box, theme.node, line, px(sizes.RADIUS_BUTTON), width)
            label, below = self._texts()
            painter.setFont(self._below_font())
            painter.setPen(theme.text if self._is_in_words else theme.secondary)
            painter.drawText(self._below_space(), _WRAPS, below)
            if choice is not None:
                self._paint_choice(painter, choice, label)

    def _below_space(self) -> QRectF:
        px = self._style.px
        return QRectF(self.rect()).adjusted(px(12), px(40), -px(8), -px(2))

    def _below_font(self) -> QFont:
        return self._style.font("caption strong" if self._is_in_words else "interface")

    def _badge(self) -> QRectF:
        px = self._style.px
        side = px(_BADGES[self.width() < px(_NARROW)])
        return QRectF(px(10), px(24) - side / 2, side, side)

    def _label_space(self) -> QRectF:
        px, left = self._style.px, self._badge().right() + self._style.px(8)
        return QRectF(left, px(8), self.field.x() - left - px(4), px(32))

    def _label_font(self, text: str) -> QFont:
        """Return the largest font in which a label fits on the line of the digit."""
        px, font = self._style.px, self._style.font("heading")
        for size in _LABEL_SIZES:
            font.setPixelSize(px(size))
            if QFontMetricsF(font).horizontalAdvance(text) <= self._label_space().width():
                break
        return with_features(font)

    def _paint_choice(self, painter: QPainter, choice: PollChoice, label: str) -> None:
        """Paint the digit, then the label, or a tick if the words below are right."""
        style, theme, px, badge = self._style, self._style.theme, self._style.px, self._badge()
        paint_box(painter, badge, theme.selection_tint, theme.selection_tint, px(5))
        painter.setFont(style.font("heading"))
        painter.setPen(theme.selection)
        painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, self._digit)
        space = self._label_space()
        painter.setFont(self._label_font(label))
        painter.setPen(theme.text)
        painter.drawText(space, int(Qt.AlignmentFlag.AlignVCenter), label)
        if self._is_in_words and choice.right:
            side = px(16)
            tick = QRectF(space.x(), space.center().y() - side / 2, side, side)
            paint_icon(painter, tick, "check", theme.text)


@exception_safe
class HandCards(QWidget):
    """The cards of a question in a row."""

    hands_typed = Signal(int, int)
    """Emitted with the index of a choice and the typed count of its hands."""
    number_called = Signal(float)
    """Emitted with a called-out number."""
    refused = Signal(str)
    """Emitted with the reason why a typed text is invalid."""
    focus_changed = Signal()
    """Emitted after a field got or lost the caret."""

    def __init__(self, style: Style, parent: QWidget) -> None:
        super().__init__(parent)
        self._style = style
        self._choices: tuple[PollChoice, ...] = ()
        self._is_showing = False
        """Whether a poll is being shown, which moves the caret to the next field by itself."""
        self.cards = [HandCard(style, index, self) for index in range(MOST_CHOICES)]
        for index, card in enumerate(self.cards):
            card.field.entered.connect(partial(self._enter, index))
            card.field.focus_changed.connect(self._on_focus_changed)
            card.hide()

    def show_poll(
        self,
        choices: tuple[PollChoice, ...],
        hands: tuple[int, ...],
        is_open: bool,
        takes_numbers: bool,
    ) -> None:
        """Show the choices; with `takes_numbers` also a field for another number, up to four."""
        typed = self.typed_field
        was_calling_out = typed is not None and not typed.counts
        self._choices, self._is_showing = choices, True
        has_number_field = takes_numbers and is_open and len(choices) < MOST_CHOICES
        if typed is not None and (was_calling_out or not is_open):
            typed.leave()  # before it is hidden, as Qt would focus the next field
        for index, card in enumerate(self.cards):
            card.setVisible(index < len(choices) + has_number_field)
            if index < len(choices):
                card.show_choice(choices[index], hands[index], is_open)
            elif card.isVisibleTo(self):
                card.ask_number()
        self._place()
        if was_calling_out and has_number_field:
            self.focus_field(len(choices))
        self._is_showing = False

    @property
    def typed_field(self) -> TypedField | None:
        """Return the focused field, or None."""
        fields = (card.field for card in self.cards)
        return next((f for f in fields if f.hasFocus() and not f.isReadOnly()), None)

    def focus_field(self, index: int) -> bool:
        """Focus the field of a card; return False if it is hidden or read-only."""
        card = self.cards[index]
        if card.isHidden() or card.field.isReadOnly():
            return False
        card.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        return True

    def _on_focus_changed(self) -> None:
        if not self._is_showing:
            self.focus_changed.emit()

    def _enter(self, index: int, text: str) -> None:
        """Emit a typed count or number, or the reason why it is invalid."""
        field = self.cards[index].field
        if index < len(self._choices):
            count = text.strip()
            if not (is_short_whole(count) and int(count) <= HANDS_LIMIT):
                self.refused.emit(HANDS_REFUSAL)
                field.selectAll()
                return
            field.leave()
            self.hands_typed.emit(index, int(count))
            return
        answer = read_answer(text)
        if answer.number is None:
            self.refused.emit(answer.advice)
            field.selectAll()
            return
        field.restore()
        self.number_called.emit(answer.number)

    def _place(self) -> None:
        gap, count = self._style.px(_CARD_GAP), max(sum(not c.isHidden() for c in self.cards), 2)
        wide = (self.width() - gap * (count - 1)) / count
        for index, card in enumerate(self.cards):
            left = round(index * (wide + gap))
            right = round(index * (wide + gap) + wide)
            card.setGeometry(left, 0, right - left, self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(500), self._style.px(64))


# the chart

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


@exception_safe
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
