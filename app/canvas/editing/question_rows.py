"""Rows of the question card: the questions of a step, and the field of the one put now."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QWidget

from app.canvas.editing.question_row import BOX, QuestionRow, RowText, answered, columns, coming
from app.controls.keys import ENTER, KeyClaim
from app.controls.kind import set_kind
from app.controls.row_visibility import show_only
from app.guard import guarded
from app.style.current import Style
from app.workbench.asking import Given
from engine.study.question import Question
from engine.trace import Trace

MOST_ROWS, MOST_PRESENTED = 4, 2
"""Questions of one step that are shown at a time: a step has three, a whole pass may have many. A
presentation, whose letters are large, shows the one put now and the one before it.
"""
_BETWEEN = 8
"""Space between rows, in px at 100 %."""


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


@guarded
class StepQuestions(QWidget):
    """The questions of one step, one of which has the field."""

    def __init__(self, style: Style, parent: QWidget) -> None:
        super().__init__(parent)
        self._style = style
        self._rows = [QuestionRow(style, self) for _ in range(MOST_ROWS)]
        self._shown: list[QuestionRow] = []
        self.field = AnswerField(self)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.restyle()

    @property
    def most(self) -> int:
        """Return how many questions are shown at most."""
        return MOST_PRESENTED if self._style.presented else MOST_ROWS

    def texts(self) -> list[str]:
        """Return the rows as they are read aloud."""
        return [row.content.spoken for row in self._shown]

    def restyle(self) -> None:
        """Follow the scale."""
        self.field.setFont(self._style.font("number"))
        self._lay_out([row.content for row in self._shown])

    def show_questions(
        self,
        questions: Sequence[Question],
        given: Sequence[Given],
        now: Question | None,
        trace: Trace,
    ) -> None:
        """Show answers, the question that is put now, and those that follow it."""
        answers, style = {answer.question: answer for answer in given}, self._style
        self._lay_out(
            [
                answered(answers[question], trace, style)
                if question in answers
                else coming(question, question == now, trace, style)
                for question in _around(questions, now, self.most)
            ]
        )

    def _lay_out(self, texts: Sequence[RowText]) -> None:
        widths, asks = columns(texts, self._style), any(not text.number for text in texts)
        self._shown = self._rows[: len(texts)]
        for row, text in zip(self._shown, texts, strict=True):
            row.show_text(text, widths)
        shown = {*self._shown, self.field} if asks else set(self._shown)
        show_only((*self._rows, self.field), shown)
        self._place()
        self.updateGeometry()

    def _place(self) -> None:
        """Put the rows below one another, and the field into the one that has it."""
        top, wide = 0, self.width()
        for row in self._shown:
            row.setGeometry(0, top, wide, row.high(wide))
            if not row.content.number:
                self.field.setGeometry(row.box().translated(row.pos()))
            top += row.height() + self._style.px(_BETWEEN)

    def heightForWidth(self, width: int) -> int:
        between = self._style.px(_BETWEEN) * max(len(self._shown) - 1, 0)
        return sum(row.high(width) for row in self._shown) + between

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(BOX[0]), self.heightForWidth(self.width()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()


def _around(questions: Sequence[Question], now: Question | None, most: int) -> Sequence[Question]:
    """Return the questions that are shown: the one put now, and those before and after it."""
    place = len(questions) - 1 if now is None else questions.index(now)
    after = 1 if most > MOST_PRESENTED else 0
    first = max(0, min(place - most + 1 + after, len(questions) - most))
    return questions[first : first + most]
