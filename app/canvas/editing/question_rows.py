"""Rows of the question card: what is asked, the number or its field, and what is said of it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QGridLayout, QLineEdit, QWidget

from app.controls.keys import ENTER, KeyClaim
from app.controls.kind import set_kind
from app.controls.layouts import in_row, plain_label
from app.controls.rich_line import RichLine
from app.controls.rich_text import Span, Spans, filled
from app.controls.row_visibility import show_only
from app.guard import guarded
from app.style.current import Style
from app.workbench.asking import Given
from app.workbench.question_words import ROLES, known, part, right_number
from engine.numbers import ASKED
from engine.study.question import Question
from engine.trace import Trace

MOST_ROWS, MOST_PRESENTED = 4, 2
"""Questions of one step that are shown at a time: a step has three, a whole pass may have many. A
presentation, whose letters are large, shows the one put now and the one before it.
"""
BOX = 68, 32
"""Least width and height of a number's box, in px at 100 %; its field is as wide."""

_WRONG = "✗ you said {written}"


@guarded
class AnswerField(QLineEdit):
    """The field of the number that is asked for; Enter and Esc are its own."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setMaxLength(200)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        KeyClaim(self, *ENTER, Qt.Key.Key_Escape)
        self.textEdited.connect(self._typed_on)

    def _typed_on(self) -> None:
        """Clear the error mark when the text changes."""
        set_kind(self, "true", part="valid")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave Enter and Esc to the card."""
        if event.key() in (*ENTER, Qt.Key.Key_Escape):
            event.ignore()
        else:
            super().keyPressEvent(event)


class Row:
    """The widgets of one row."""

    def __init__(self, style: Style, parent: QWidget) -> None:
        self.name = RichLine(style, font_role="interface", wrap=False, parent=parent)
        self.box = plain_label(parent=parent)
        self.box.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.wrong = RichLine(style, font_role="interface", wrap=False, parent=parent)
        set_kind(self.wrong, "struck")
        self.said = RichLine(style, font_role="caption", parent=parent)

    @property
    def widgets(self) -> tuple[QWidget, ...]:
        """Return all widgets of the row."""
        return self.name, self.box, self.wrong, self.said

    def show_answer(self, given: Given, trace: Trace, style: Style) -> set[QWidget]:
        """Put in the right number, a wrong answer and what is said of it; return what is shown."""
        question = given.question
        number = right_number(question, trace, style.digits)
        self._box(number, ROLES.get(question.kind, "gradient"))
        shown: set[QWidget] = {self.name, self.box, self.said}
        if given.verdict is None:
            self.said.set_spans((Span("skipped" if given.skipped else "shown", "secondary"),))
        elif given.right:
            told = Span(given.verdict.sentence, "secondary")
            self.said.set_spans(filled("✓ {told}", told=told))
        else:
            written = Span(given.text.strip(), "error", bold=True, strike=True)
            self.wrong.set_spans(filled(_WRONG, "error", written=written))
            told = _WRONG.format(
                written=written.text
            )  # not "overwritten", as a struck number of a mistake is
            self.wrong.setText(told)
            self.wrong.setAccessibleName(told)
            self.said.set_spans((Span(given.verdict.sentence),))
            shown.add(self.wrong)
        return shown

    def show_open(self, beside: Spans) -> set[QWidget]:
        """Put in that the number is asked for later; return what is shown."""
        self._box(ASKED, "later")
        self.said.set_spans(beside)
        return {self.name, self.box, self.said}

    def _box(self, text: str, role: str) -> None:
        self.box.setText(text)
        set_kind(self.box, f"box {role}")


class Rows(QWidget):
    """The questions of one step, one of which has the field."""

    def __init__(self, style: Style, parent: QWidget) -> None:
        super().__init__(parent)
        self._style = style
        self.field = AnswerField(self)
        self._rows = [Row(style, self) for _ in range(MOST_ROWS)]
        self._grid = grid = QGridLayout(self)
        self._place = -1
        """The row that has the field."""
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setColumnStretch(2, 1)
        for place, row in enumerate(self._rows):
            beside = in_row(
                (row.wrong, Qt.AlignmentFlag.AlignVCenter), (row.said, 1), gap=8, edges=0
            )
            grid.addWidget(row.name, place, 0)
            grid.addWidget(row.box, place, 1, Qt.AlignmentFlag.AlignVCenter)
            grid.addLayout(beside, place, 2)
        self.restyle()

    @property
    def most(self) -> int:
        """Return how many questions are shown at most."""
        return MOST_PRESENTED if self._style.presented else MOST_ROWS

    def restyle(self) -> None:
        """Follow the scale."""
        px, grid = self._style.px, self._grid
        grid.setHorizontalSpacing(px(12))
        grid.setVerticalSpacing(px(8))
        for row in self._rows:
            row.box.setFont(self._style.font("number"))
            row.box.setMinimumSize(px(BOX[0]), px(BOX[1]))
        self.field.setFont(self._style.font("number"))
        self.field.setFixedWidth(px(BOX[0]))

    def remeasure(self) -> None:
        """Forget the heights of rows whose texts have changed, those of nested layouts too."""
        self._grid.invalidate()
        self._grid.activate()

    def show_questions(
        self,
        questions: Sequence[Question],
        given: Sequence[Given],
        now: Question | None,
        trace: Trace,
    ) -> None:
        """Show answers, the question that is put now, and those that follow it."""
        answers, shown = {answer.question: answer for answer in given}, set[QWidget]()
        window = _around(questions, now, self.most)
        for place, (row, question) in enumerate(zip(self._rows, window, strict=False)):
            row.name.set_spans(part(question, trace, self._style.notation))
            if question in answers:
                shown |= row.show_answer(answers[question], trace, self._style)
            elif question == now:
                shown |= {row.name, row.said, self.field}
                row.said.set_spans(known(question, trace, True, self._style.digits))
                self._put_field(place)
            else:
                shown |= row.show_open(known(question, trace, False, self._style.digits))
        show_only([*(widget for row in self._rows for widget in row.widgets), self.field], shown)

    def _put_field(self, place: int) -> None:
        """Put the field into a row, in place of its box."""
        if place != self._place:
            self._place = place
            self._grid.addWidget(self.field, place, 1)


def _around(questions: Sequence[Question], now: Question | None, most: int) -> Sequence[Question]:
    """Return the questions that are shown: the one put now, and those before and after it."""
    place = len(questions) - 1 if now is None else questions.index(now)
    after = 1 if most > MOST_PRESENTED else 0
    first = max(0, min(place - most + 1 + after, len(questions) - most))
    return questions[first : first + most]
