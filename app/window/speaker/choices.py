"""Hands: a card for each choice of the question, and after the last step a chart of all hands.

A card adds a hand when it is clicked, takes a typed count, and names the belief behind its choice.
The speaker alone sees which one is right.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QFrame, QGridLayout, QLineEdit, QProgressBar, QWidget

from app.controls.focus import ENTER, claim_keys
from app.controls.layouts import ElidedLabel, in_column, in_row, plain_label, set_kind
from app.controls.painted_buttons import push_button
from app.guard import exception_safe
from app.guide.play.hands import HandsChoice, HandsQuestion, HandsRecord
from app.guide.play.poll import HANDS_LIMIT, PollChoice
from app.style.current import Style
from engine.asking.judging import MOST_CHOICES, read_answer
from engine.numbers import counted, is_short_whole
from engine.rules import BY_NAME

HANDS_REFUSAL: Final = f"Hands are a whole number from 0 to {HANDS_LIMIT:,}."
_NUMBER_FIELD: Final = "Enter adds it, Esc leaves"
_FIELD_WIDTH: Final = 50.0
"""Width of the field of a count, of at most four digits, in px at 100 %."""
_VERDICT_HEIGHT: Final = 34.0
"""Height of two lines of the name of a slip, in px at 100 %: so the picture above keeps its size
from step to step."""
_SHIFT: Final = Qt.KeyboardModifier.ShiftModifier


@exception_safe
class TypedField(QLineEdit):
    """A field that Enter or Esc leaves, so that the keys of the lecture work again."""

    entered = Signal(str)
    """Emitted with the text at Enter."""
    focus_changed = Signal()
    """Emitted after the field got or lost the caret."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._shown = ""
        self.counts = True
        """Whether the text is a count of hands, else a called-out number that may have a point."""
        self.setProperty("kind", "count")
        self.setMaxLength(40)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
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

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if not self.hasSelectedText():  # what is typed replaces the count
            self.selectAll()

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
class HandCard(QFrame):
    """A choice with digit, hands and slip; without a choice a field for a called-out number."""

    def __init__(self, style: Style, index: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._style, self._digit = style, str(index + 1)
        self.button = push_button(kind="choice", parent=self)
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.field = TypedField(self)
        self.bar = hands_bar()
        self.verdict = plain_label(wraps=True)
        self.verdict.setAlignment(Qt.AlignmentFlag.AlignTop)
        row = in_row((self.bar, 1), self.field, style=style, gap=8)
        column = in_column(parent=self, style=style, edges=(10, 8, 10, 6), gap=4)
        for part in (self.button, row, (self.verdict, 1)):
            column.add(part)
        style.run_now_and_on_change(self._restyle)

    @property
    def caption(self) -> str:
        """Return the verdict below the choice: "right", or the name of its slip."""
        return self.verdict.text()

    def show_choice(self, choice: PollChoice, hands: int, most: int, is_open: bool) -> None:
        """Show a choice with its hands; `most` is the most that any choice has."""
        # a mistake is in its label; its slip is the name that files have
        slip = "" if choice.slip in BY_NAME else choice.slip
        verdict = "right" if choice.right else slip or choice.say
        in_words = choice.number is None
        self._show(counts=True, right=choice.right)
        self.button.setText(self._digit if in_words else f"{self._digit}   {choice.label}")
        self.button.setAccessibleName(f"One hand for {self._digit}, {choice.label}")
        self.button.setToolTip(f"Adds a hand ({self._digit}); with Shift takes one back")
        self.button.setEnabled(is_open)
        words = f"{choice.label} ({verdict})" if verdict else choice.label
        self.verdict.setText(words if in_words else verdict)
        self.field.setReadOnly(not is_open)
        self.field.setAccessibleName(f"Hands for {self._digit}, {choice.label}, {verdict}")
        self.field.show_text(str(hands))
        self.bar.setRange(0, max(most, 1))
        self.bar.setValue(hands)

    def ask_number(self) -> None:
        """Show a field for a called-out number."""
        self._show(counts=False, right=False)
        self.verdict.setText(_NUMBER_FIELD)
        self.field.setReadOnly(False)
        self.field.setAccessibleName("Number that was called out")
        self.field.show_text("")

    def _show(self, *, counts: bool, right: bool) -> None:
        self.button.setVisible(counts)
        self.bar.setVisible(counts)
        self.field.counts = counts
        self.field.setPlaceholderText("" if counts else "called out")
        set_kind(self, "hero" if right else "card")
        self._restyle()

    def _restyle(self) -> None:
        wide = self._style.px(_FIELD_WIDTH)
        self.field.setMinimumWidth(wide)
        self.field.setMaximumWidth(wide if self.field.counts else 16 * wide)
        self.verdict.setMinimumSize(1, self._style.px(_VERDICT_HEIGHT))


def hands_bar(hands: int = 0, most: int = 1) -> QProgressBar:
    """Return a bar of the hands of one choice, as a share of the most hands of any."""
    bar = QProgressBar()
    bar.setTextVisible(False)
    bar.setRange(0, max(most, 1))
    bar.setValue(hands)
    return bar


@exception_safe
class HandCards(QWidget):
    """The cards of a question in a row."""

    hand_raised = Signal(int, int)
    """Emitted with the index of a clicked choice and the hands to add: 1, or −1 with Shift."""
    hands_typed = Signal(int, int)
    """Emitted with the index of a choice and the typed count of its hands."""
    number_called = Signal(float)
    """Emitted with a called-out number."""
    refused = Signal(str)
    """Emitted with the reason why a typed text is invalid."""
    focus_changed = Signal()
    """Emitted after a field got or lost the caret."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._choices: tuple[PollChoice, ...] = ()
        self._is_showing = False
        """Whether a poll is being shown, which moves the caret to the next field by itself."""
        self.cards = [HandCard(style, index, self) for index in range(MOST_CHOICES)]
        in_row(*((card, 1) for card in self.cards), parent=self, style=style, gap=8)
        for index, card in enumerate(self.cards):
            card.button.clicked.connect(partial(self._raise_hand, index))
            card.field.entered.connect(partial(self._enter, index))
            card.field.focus_changed.connect(self._on_focus_changed)
            card.hide()
        for part in (self.cards[0], self.cards[0].button):  # the row keeps its height
            policy = part.sizePolicy()
            policy.setRetainSizeWhenHidden(True)
            part.setSizePolicy(policy)

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
                card.show_choice(choices[index], hands[index], max(hands), is_open)
            elif card.isVisibleTo(self):
                card.ask_number()
        if was_calling_out and has_number_field:
            self.focus_field(len(choices))
        self._is_showing = False

    @property
    def typed_field(self) -> TypedField | None:
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

    def _raise_hand(self, index: int) -> None:
        takes_back = QApplication.keyboardModifiers() & _SHIFT
        self.hand_raised.emit(index, -1 if takes_back else 1)

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


# the chart

_JUDGED: Final = "{label} ({verdict})"
_AGAIN: Final = "{title}, count {count}"
_NO_HANDS: Final = "No hands yet."


def question_text(question: HandsQuestion) -> str:
    """Return the hands of a question as a sentence, for screen readers."""
    choices = "; ".join(f"{_label(choice)}: {choice.hands}" for choice in question.choices)
    return f"Step {question.step}, {_title(question)}: {choices}."


def total_text(question: HandsQuestion) -> str:
    """Return the sum of the hands of a count as a text."""
    hands = sum(choice.hands for choice in question.choices)
    return counted(hands, "{count} hand", "{count:,} hands")


def _title(question: HandsQuestion) -> str:
    """Return the title of the step, with the number of a second or later count."""
    title, count = question.title, question.count
    return title if count == 1 else _AGAIN.format(title=title, count=count)


def _label(choice: HandsChoice) -> str:
    """Return the label of a choice, a number with the slip by which counts are compared."""
    is_number = any(map(str.isdigit, choice.label))
    verdict = "right" if choice.right else choice.slip if is_number else ""
    return _JUDGED.format(label=choice.label, verdict=verdict) if verdict else choice.label


class HandsChart(QFrame):
    """The counts of all questions one below the other, each with a bar for every choice."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._style = style
        self._record: HandsRecord | None = None
        self._page = QWidget()
        self.setProperty("kind", "card")
        self._column = in_column(self._page, parent=self, style=style, edges=12)
        self.show_record(None)

    def show_record(self, record: HandsRecord | None) -> None:
        """Show the hands of a lecture, or for None that there are none."""
        if record is not None and record == self._record:
            return
        self._record = record
        found = () if record is None else record.questions
        questions = [question for question in found if question.choices]
        self.setAccessibleName(" ".join(map(question_text, questions)) or _NO_HANDS)
        self._page.deleteLater()
        self._page = QWidget()
        grid = QGridLayout(self._page)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        for question in questions:
            self._add_question(grid, question)
        if not questions:
            grid.addWidget(plain_label(_NO_HANDS, "secondary"), 0, 0)
        grid.setRowStretch(grid.rowCount(), 1)
        self._column.add(self._page)

    def _add_question(self, grid: QGridLayout, question: HandsQuestion) -> None:
        row, right = grid.rowCount(), Qt.AlignmentFlag.AlignRight
        title = ElidedLabel(self._style, f"{question.step}  {_title(question)}", "strong")
        grid.addWidget(title, row, 0, 1, 2)
        grid.addWidget(plain_label(total_text(question), "caption"), row, 2, right)
        most = max(each.hands for each in question.choices)
        for line, each in enumerate(question.choices, row + 1):
            label = ElidedLabel(self._style, _label(each), "strong" if each.right else "secondary")
            grid.addWidget(label, line, 0)
            grid.addWidget(hands_bar(each.hands, most), line, 1)
            grid.addWidget(plain_label(str(each.hands)), line, 2, right)
