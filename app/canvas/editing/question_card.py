"""The question card of Predict: a question in words, its fields, and what can be done."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QWidget

from app.canvas.editing.question_rows import StepQuestions
from app.controls.icon_button import IconButton
from app.controls.keys import ENTER
from app.controls.kind import set_kind
from app.controls.layouts import in_column, in_row, plain_label
from app.guard import guarded
from app.style.current import Style
from app.workbench.asking import HINTS, Asking
from app.workbench.hints import hint
from app.workbench.modes import Modes
from app.workbench.question_words import asked
from engine.frame import Frame
from engine.numbers import ASKED
from engine.study.question import Question

WIDTH, PRESENTED_WIDTH = 475, 680
"""Width of the card, in px at 100 %; in a presentation it is a band below the sheet."""
CHECK, GO_ON = "Check the answer", "Take the step"


@guarded
class QuestionCard(QFrame):
    """Shows one step that is asked about; what the learner does goes to the modes."""

    def __init__(self, style: Style, modes: Modes, parent: QWidget) -> None:
        super().__init__(parent)
        self._style = style
        self._modes = modes
        self._question: Question | None = None
        self._owner: QWidget = parent.parentWidget() or parent
        self.setObjectName("questionCard")
        self.setProperty("kind", "question")
        self.setAutoFillBackground(True)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_NoMousePropagation)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # else a click gives the canvas the keyboard
        self._mark = plain_label(ASKED, "asked")
        self.title = plain_label(kind="heading", wraps=True)
        self.count, self.rows = plain_label(kind="caption"), StepQuestions(style, self)
        self.told = plain_label(kind="error", wraps=True)
        self.hints = plain_label(kind="secondary", wraps=True)
        self.check = IconButton(style, "check", CHECK, "Return", text="Check", parent=self)
        self.check.set_kind("question")
        self.hint = IconButton(
            style, "hint", f"Give a hint, {HINTS} at most", text="Hint", parent=self
        )
        self.show_me = IconButton(style, "eye", "Show the number", "PgDown", "Show me", self)
        self.skip = IconButton(style, "skip", "Go on without an answer", text="Skip", parent=self)
        buttons = (self.check, self.hint, self.show_me, self.skip)
        acts = (self.enter, modes.hint, modes.show_answer, modes.skip)
        for button, act in zip(buttons, acts, strict=True):
            button.clicked.connect(partial(self._act, act))
        self._lay_out()
        style.changed.connect(self._restyle)
        self._restyle()
        self.hide()

    def _act(self, act: Callable[[], object]) -> None:
        """Do what a button says, and keep the keyboard in the card."""
        self.focus_field()
        act()

    def _lay_out(self) -> None:
        style = self._style
        head = in_row(self._mark, (self.title, 1), self.count, style=style, edges=0, gap=10)
        head.setAlignment(self.count, Qt.AlignmentFlag.AlignTop)
        feet = in_row(
            *(self.check, self.hint, self.show_me, 1, self.skip), style=style, edges=0, gap=8
        )
        parts = (head, self.rows, self.told, self.hints, feet)
        in_column(*parts, parent=self, style=style, edges=(14, 10, 14, 12), gap=10)

    @property
    def field(self) -> QWidget:
        """Return the field of the answer."""
        return self.rows.field

    def show_step(self, asking: Asking, frame: Frame) -> None:
        """Show the questions about the next step: done, put now, and coming."""
        trace, now = frame.whole, asking.question(frame)
        assert trace is not None
        questions, digits = asking.questions(frame), self._style.digits
        put = now or questions[-1]
        self.title.setText(asked(put, trace, digits))
        self.count.setText(f"step {frame.cursor + 1:,} of {frame.total:,}")
        self.rows.show_questions(questions, asking.given, now, trace)
        self._show_text(asking, now)
        self.told.setText(asking.told)
        self.told.setVisible(bool(asking.told))
        given = [hint(put, trace, number, digits) for number in range(1, asking.hints + 1)]
        self.hints.setText("\n".join(given) if now is not None else "")
        self.hints.setVisible(bool(given) and now is not None)
        self._show_buttons(asking, now)
        self.setAccessibleName(self.title.text())

    def enter(self) -> None:
        """Check the answer; where all is answered, go on."""
        if self._question is None:
            self._modes.go_on()
        else:
            self._modes.check(self.rows.field.text(), self._style.digits)

    def focus_field(self) -> None:
        """Give the keyboard to the field, or to the button that goes on."""
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def has_focus(self) -> bool:
        """Return whether the keyboard is in the card."""
        focus = QApplication.focusWidget()
        return focus is not None and self.isAncestorOf(focus)

    def close_kept(self) -> None:
        """Close the card and keep the text; the keyboard goes back to the canvas."""
        self._owner.setFocus()
        self._modes.close_card(self.rows.field.text())

    # private

    def _show_text(self, asking: Asking, now: Question | None) -> None:
        """Put the kept text into the field of another question; typed text stays otherwise."""
        field = self.rows.field
        if now != self._question or not self.isVisible() or asking.told:
            if field.text() != asking.text:
                field.setText(asking.text)
            self._question = now
        set_kind(field, "false" if asking.told else "true", part="valid")
        if now is not None:
            field.setAccessibleName(self.title.text())
            field.setAccessibleDescription(asking.told)

    def _show_buttons(self, asking: Asking, now: Question | None) -> None:
        self.setFocusProxy(self.check if now is None else self.rows.field)
        for button in (self.hint, self.show_me, self.skip):
            button.setVisible(now is not None)
        self.hint.setEnabled(asking.hints < HINTS)
        self.check.setText("Check" if now is not None else "Go on")
        self.check.set_tip(CHECK if now is not None else GO_ON, "Return")

    def _restyle(self) -> None:
        self.rows.restyle()
        self._mark.setFont(self._style.font("heading"))

    def fit(self, room: int) -> None:
        """Give the card its width, as far as there is room in px, and the height it needs then."""
        wide = PRESENTED_WIDTH if self._style.presented else WIDTH
        width, layout = min(self._style.px(wide), room), self.layout()
        assert layout is not None
        self.setFixedWidth(width)
        layout.invalidate()
        layout.activate()
        self.resize(width, layout.totalHeightForWidth(width))

    # Qt's events

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Check on Enter, close on Esc; other keys stay in the card."""
        if event.key() in ENTER:
            self.enter()
        elif event.key() == Qt.Key.Key_Escape:
            self.close_kept()
        else:
            super().keyPressEvent(event)
