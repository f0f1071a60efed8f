"""HuntPart: the panel of a hunt, in which the user names the hidden mistake, finds its first wrong
step, explains it and mends the line of the program."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QFrame, QWidget

from app.controls.focus import ENTER, claim_keys
from app.controls.layouts import in_column, in_row, plain_label, set_kind
from app.controls.painted_buttons import IconButton, push_button
from app.controls.panel import Block
from app.controls.rich_text import RichLine
from app.controls.row_list import Column, RowList
from app.controls.spans import ListRow, Span
from app.controls.text_fields import FilterEdit
from app.guard import exception_safe
from app.style.current import Style
from app.style.strokes import antialiased
from app.workbench.modes.hunt import Hunt
from app.workbench.runners.hunt_runner import HuntRunner
from app.workbench.trials.lab import matching_mistakes
from engine.asking.micrograd_program import program
from engine.frame import Frame
from engine.numbers import counted
from engine.rules import Rules
from engine.trace import Trace

# stages of a hunt, described in app/workbench/modes/hunt.py, with what the panel shows at each
STAGES = {"name": "Name", "find": "First step", "explain": "Why", "fix": "Mend"}
_HEADINGS = {
    "name": "Hunt: which mistake is on?",
    "find": "Which step goes wrong first?",
    "explain": "Why does it go wrong?",
    "fix": "Which line is to be mended?",
    "done": "Mended",
}
_PROMPTS = {
    "name": "Step through the pass, compare it with your own, change values. Then say which.",
    "find": "Go to it: click a wire or a tick.",
    "explain": "What would make the pass go wrong like this?",
    "fix": "Choose the line that must be changed.",
    "done": "The pass was run again with the line mended.",
}
_VERDICT_MARKS = {True: ("✓ ", "text"), False: ("✘ ", "error"), None: ("", "text")}
"""Mark before a verdict and the role of its colour, by `Hunt.right`; None: shown, not judged."""
_SEEN_FIRST = "seen: step 1 of {total:,}"
_SEEN_UP_TO = "seen: steps 1 to {count:,} of {total:,}"
_UNKNOWN_NAME = "No mistake of the list is called that; choose one, or type a part of its name."
_NONE_CHOSEN = "Choose a mistake first."
_ROW_HEIGHT, _LINE_HEIGHT = 26, 22
"""Heights of a mistake or reason, and of a line of the program, in px at 100 %."""
_STAGE_HEIGHT, _DISC_SIZE = 22, 17
"""Height of the row of stages, and diameter of their discs, in px at 100 %."""


class HuntPart(Block):
    """Shows the stage of the hunt, its choices, and the verdict on the last one."""

    left = Signal()
    """Emitted when the focus may return to the sheet."""
    another_wanted = Signal()
    """Emitted when the user asks for another hunt."""
    answered = Signal()
    """Emitted when another verdict on a choice is shown."""

    def __init__(self, style: Style, hunt_runner: HuntRunner) -> None:
        super().__init__(style)
        self._runner = hunt_runner
        self._hunt: Hunt | None = None
        self._choices: tuple[Rules, ...] = ()
        self._picked: Rules | None = None
        self.stages = _Stages(style)
        self.heading = plain_label(kind="strong", wraps=True)
        self.prompt = plain_label(kind="caption", wraps=True)
        self.guess = _GuessEdit(style)
        wrapping = Column(stretches=True, wraps_from=1)  # wraps at any width
        self.names = RowList(style, "Mistakes", (Column(stretches=True),), row_height=_ROW_HEIGHT)
        self.reasons = RowList(style, "Reasons", (wrapping,), row_height=_ROW_HEIGHT)
        code = (Column(stretches=True, font="code", wraps_from=1),)
        self.lines = RowList(style, "Lines of the program", code, row_height=_LINE_HEIGHT)
        self.check = IconButton(style, "check", "Check", text="Check")
        self.check.set_kind("asking")
        self.show_button, self.leave_button = push_button("Show me"), push_button("Leave")
        self.step_button = push_button(kind="question")
        self.again_button = push_button("Another hunt", "question")
        self.verdict = RichLine(style, font_role="interface")
        self.card = QFrame()
        in_column(self.verdict, parent=self.card, style=style, edges=(10, 6, 10, 6))
        self.seen_steps = plain_label(kind="caption")
        self.esc_hint = plain_label("Esc leaves", "caption")
        buttons = in_row(
            self.check, self.show_button, self.again_button, 1, self.leave_button, gap=6
        )
        below = in_row(self.seen_steps, 1, self.esc_hint)
        self.add(self.stages, self.heading, self.prompt, self.guess)
        self.add(self.names, self.step_button, self.reasons, self.lines, buttons, self.card, below)
        self._connect()

    def _connect(self) -> None:
        hunt_runner = self._runner
        self.check.clicked.connect(self._name)
        self.guess.filter_changed.connect(self._filter)
        self.guess.entered.connect(self._name)
        self.guess.list_wanted.connect(self._enter_list)
        self.names.moved.connect(self._pick)
        self.names.chosen.connect(self._pick)
        self.names.confirmed.connect(self._name)
        self.show_button.clicked.connect(hunt_runner.show)
        self.step_button.clicked.connect(hunt_runner.point)
        self.reasons.chosen.connect(self._explain)
        self.lines.chosen.connect(self._mend)
        self.again_button.clicked.connect(self.another_wanted)
        self.leave_button.clicked.connect(self.leave)

    def show_hunt(self, hunt: Hunt, frame: Frame, trace: Trace | None) -> None:
        """Show the stage; `trace` is the pass with the mistake."""
        before, self._hunt = self._hunt, hunt
        stage, is_new = hunt.stage, before is None or before.stage != hunt.stage
        had_focus = self.isAncestorOf(QApplication.focusWidget() or self)
        self.stages.show_stage(stage)
        self.heading.setText(_HEADINGS[stage])
        self.prompt.setText(_PROMPTS[stage])
        self._show_parts(stage)
        cursor = self._runner.cursor
        self.step_button.setText(f"It is step {cursor:,}" if cursor else "It is the step shown")
        self.step_button.setEnabled(cursor > 0)
        if stage == "name":
            self._filter()
        elif stage == "explain" and trace is not None:
            if is_new:
                self._choices = tuple(hunt.reasons(trace))
            self.reasons.show_rows([_choice_row(r, r.sentence, hunt) for r in self._choices])
        elif stage == "fix":
            self.lines.show_rows([_program_row(line.text) for line in program(hunt.mistake)])
        self._show_verdict(hunt.verdict_text, hunt.right)
        count, total = hunt.seen_steps, frame.total
        with_total = counted(count, _SEEN_FIRST, _SEEN_UP_TO, total=total)
        without_total = counted(count, "seen: step 1", "seen: steps 1 to {count:,}")
        hides_total = frame.hides == "end"  # the number of steps would give some mistakes away
        self.seen_steps.setText("" if not count else without_total if hides_total else with_total)
        if is_new and had_focus:
            self.field().setFocus()

    def end(self) -> None:
        """Forget the hunt and the typed name."""
        self._hunt, self._picked = None, None
        self.guess.clear()

    def leave(self) -> None:
        self._runner.leave()
        self.left.emit()

    def field(self) -> QWidget:
        """Return the widget focused first at this stage."""
        stage = "" if self._hunt is None else self._hunt.stage
        first_fields = {
            "find": self.step_button,
            "explain": self.reasons,
            "fix": self.lines,
            "done": self.again_button,
        }
        return first_fields.get(stage, self.guess)

    def _show_parts(self, stage: str) -> None:
        """Show the widgets of a stage alone."""
        for part, own_stage in (
            (self.guess, "name"),
            (self.names, "name"),
            (self.check, "name"),
            (self.show_button, "name"),
            (self.seen_steps, "name"),
            (self.step_button, "find"),
            (self.reasons, "explain"),
            (self.lines, "fix"),
            (self.again_button, "done"),
        ):
            part.setVisible(stage == own_stage)

    def _show_verdict(self, verdict: str, right: bool | None) -> None:
        mark, role = _VERDICT_MARKS[right]
        before = self.verdict.text()
        self.verdict.set_spans((Span(mark, role, bold=True), Span(verdict)) if verdict else ())
        set_kind(self.card, "mistake" if right is False else "code")
        self.card.setVisible(bool(verdict))
        if verdict and self.verdict.text() != before:
            self.answered.emit()

    # naming

    def _filter(self, _text: str = "") -> None:
        """Show the mistakes whose names contain the typed text; a single one is picked."""
        if self._hunt is None:
            return
        among = self._hunt.among
        self._choices = matching_mistakes(self.guess.text(), among)
        if self.guess.text().strip() and len(self._choices) == 1:
            self._picked = self._choices[0]
        elif self._picked not in self._choices:
            self._picked = None
        ruled_out = len(self._hunt.ruled_out)
        self.names.setAccessibleName(
            f"Which mistake is on? {len(among)} choices, {ruled_out} ruled out"
        )
        rows = [
            _choice_row(r, r.title, self._hunt, r is self._picked, bold=True) for r in self._choices
        ]
        self.names.show_rows(rows)
        index = -1 if self._picked is None else self._choices.index(self._picked)
        self.names.set_current(index)

    def _pick(self, index: int) -> None:
        if 0 <= index < len(self._choices):
            self._picked = self._choices[index]
            self._filter()

    def _enter_list(self) -> None:
        self.names.setFocus()
        if self._picked is None:
            self._pick(0)

    def _name(self) -> None:
        if self._picked is not None:
            self._runner.name(self._picked, self._style.digits)
        else:
            self._show_verdict(_UNKNOWN_NAME if self.guess.text().strip() else _NONE_CHOSEN, None)

    # later stages

    def _explain(self, index: int) -> None:
        self._runner.explain(self._choices[index], self._style.digits)

    def _mend(self, index: int) -> None:
        if self._hunt is not None:
            self._runner.mend(program(self._hunt.mistake)[index])


@exception_safe
class _GuessEdit(FilterEdit):
    """The field that filters the mistakes."""

    entered = Signal()
    """Emitted when Enter is pressed, which checks the mistake that is picked."""

    def __init__(self, style: Style) -> None:
        super().__init__(style, "choose, or type its name")
        claim_keys(self, *ENTER)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER:
            self.entered.emit()
        elif event.key() == Qt.Key.Key_Escape and not self.text():
            event.ignore()  # for the page, where Esc leaves the hunt
        else:
            super().keyPressEvent(event)


@exception_safe
class _Stages(QWidget):
    """The four stages: a disc with a number for the current one, a ring for later ones."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._style, self._current = style, 0
        style.run_now_and_on_change(self._restyle)

    def show_stage(self, stage: str) -> None:
        """Mark a stage as the current one; any other name marks all as done."""
        names = [*STAGES]
        self._current = names.index(stage) if stage in names else len(names)
        title = (
            f"{self._current + 1} of {len(names)}, {STAGES[stage]}"
            if stage in names
            else "all done"
        )
        self.setAccessibleName(f"Stage {title}")
        self.update()

    def _restyle(self) -> None:
        self.setFixedHeight(self._style.px(_STAGE_HEIGHT))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        px, side = self._style.px, self._style.px(_DISC_SIZE)
        left, gap = 0.0, px(5)
        with antialiased(self) as painter:
            for k, title in enumerate(STAGES.values()):
                box = QRectF(left, (self.height() - side) / 2, side, side)
                self._paint_disc(painter, box, k)
                role = "interface strong" if k == self._current else "interface"
                painter.setFont(self._style.font(role))
                wide = painter.fontMetrics().horizontalAdvance(title)
                text = QRectF(box.right() + gap, 0, wide + 1, self.height())
                painter.drawText(text, Qt.AlignmentFlag.AlignVCenter, title)
                left = text.right() + px(8)

    def _paint_disc(self, painter: QPainter, box: QRectF, k: int) -> None:
        """Paint a disc and leave the pen in the colour of its title."""
        theme, is_current = self._style.theme, k == self._current
        color = theme.selection if is_current else theme.secondary
        painter.setPen(QPen(color, 1.2))
        painter.setBrush(color if is_current else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(box.adjusted(0.6, 0.6, -0.6, -0.6))
        painter.setFont(self._style.font("caption strong"))
        painter.setPen(theme.on_fill if is_current else color)
        number = "✓" if k < self._current else str(k + 1)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, number)
        painter.setPen(color)


def _choice_row(
    rules: Rules, text: str, hunt: Hunt, picked: bool = False, bold: bool = False
) -> ListRow:
    """Return the row of a mistake or a reason, struck through once it is ruled out."""
    ruled_out = rules in hunt.ruled_out
    span = Span(text, "error" if ruled_out else "text", bold=bold, strike=ruled_out)
    spoken = ", ".join(
        [text, *(["ruled out"] if ruled_out else []), *(["chosen"] if picked else [])]
    )
    state = "wrong" if ruled_out else "chosen" if picked else "open"
    return ListRow(((span,),), spoken, tone="asked" if picked else "", choice=state)


def _program_row(text: str) -> ListRow:
    span = Span(text.replace(" ", "\u00a0"), "text")
    return ListRow(((span,),), text.strip(), choice="open")
