"""DrillPart: asks "Three more like this one", drill questions judged as those of the quiz are."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget

from app.controls.focus import KeyClaim
from app.controls.layouts import in_column, in_row, plain_label
from app.controls.rich_line import RichLine
from app.controls.rich_text import Span
from app.guard import guarded
from app.style.current import Style
from app.workbench.study.predictions import drill_text
from app.workbench.words.sentences import ROLES, answer_text
from engine.study.friendly import Drill
from engine.study.grading import Verdict, grade
from engine.study.judging import ANSWER_LIMIT


@guarded
class DrillField(QLineEdit):
    """A field for an answer; Enter sends it, Esc leaves the drill."""

    sent = Signal()
    """Emitted by Enter; the field keeps its text."""
    left = Signal()
    """Emitted by Esc."""

    def __init__(self) -> None:
        super().__init__()
        self.setMaxLength(ANSWER_LIMIT)
        self.setAccessibleName("Your answer")
        self.setPlaceholderText("your number, then Enter")
        # or Esc and Enter would trigger actions of the window
        KeyClaim(self, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()
            self.sent.emit()
        elif event.key() == Qt.Key.Key_Escape:
            event.accept()
            self.left.emit()
        else:
            super().keyPressEvent(event)


class DrillPart(QWidget):
    """Asks one drill after the other, without changing the document."""

    left = Signal()
    """Emitted after the last question, or by Esc; the drills are forgotten then."""
    counted = Signal(str)
    """Emitted with "2 of 3" when a question is asked."""

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self.drills: Sequence[Drill] = ()
        self._index = self._right = 0
        """Index of the question asked, and number of right answers."""
        self._graded = False
        """Whether the answer to the question asked has its verdict."""
        self.premise = plain_label(kind="secondary", wraps=True)
        self.question = plain_label(kind="strong", wraps=True)
        self.field = DrillField()
        self.check = QPushButton("Check")
        self.check.setProperty("kind", "question")
        self.verdict = RichLine(style, font_role="interface")
        row = in_row((self.field, 1), self.check)
        parts = (self.premise, self.question, row, self.verdict)
        in_column(*parts, parent=self, style=style, edges=0, gap=8)
        self.check.clicked.connect(self._grade_or_go_on)
        self.field.sent.connect(self._grade_or_go_on)
        self.field.left.connect(self._leave)
        self.hide()

    def begin(self, drills: Sequence[Drill]) -> None:
        """Ask the first of these drills."""
        self.drills, self._index, self._right = drills, 0, 0
        self.show()
        self._ask()

    def end(self) -> None:
        """Forget the drills."""
        self.drills = ()
        self.hide()

    def _ask(self) -> None:
        premise, question = drill_text(self.drills[self._index], self._style.digits)
        self._graded = False
        self.counted.emit(f"{self._index + 1} of {len(self.drills)}")
        self.premise.setText(premise)
        self.question.setText(question)
        self.field.clear()
        self.field.setReadOnly(False)
        self.check.setText("Check")
        self.verdict.set_spans(())
        self.field.setFocus()

    def _grade_or_go_on(self) -> None:
        """Grade the typed answer; if it has been graded already, ask the next question."""
        if not self.drills:
            return
        if not self._graded:
            self._grade()
        elif self._index + 1 < len(self.drills):
            self._index += 1
            self._ask()
        else:
            self._leave()

    def _grade(self) -> None:
        drill, digits = self.drills[self._index], self._style.digits
        verdict = grade(drill.question, drill.trace, self.field.text(), digits)
        if verdict.kind == "unread":  # no number: the question stays open
            self.verdict.set_spans((Span(verdict.sentence, "error"),))
            return
        self._graded = True
        self._right += verdict.right
        self.field.setReadOnly(True)
        last = self._index + 1 == len(self.drills)
        self.check.setText("Close" if last else "Next")
        spans = self._correction(drill, verdict)
        if last:
            spans += (Span(f"\n{self._right} of {len(self.drills)} right.", bold=True),)
        self.verdict.set_spans(spans)

    def _correction(self, drill: Drill, verdict: Verdict) -> tuple[Span, ...]:
        """Return the answer as it was typed, the right one, and the sentence of a slip."""
        number = answer_text(drill.question, drill.trace, self._style.digits)
        role = ROLES.get(drill.question.kind, "gradient")
        right = Span(number, role, bold=True)
        after = Span(f"\n{verdict.sentence}" if verdict.sentence else "")
        if verdict.right:
            return (right, Span(" ✓"), after)
        wrong = Span(self.field.text().strip(), "error", strike=True)
        return (Span("✗ ", "error", bold=True), wrong, Span("  "), right, after)

    def _leave(self) -> None:
        self.end()
        self.left.emit()
