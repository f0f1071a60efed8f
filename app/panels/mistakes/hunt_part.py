"""HuntPart: name the hidden mistake, find the first wrong step, explain it, mend the line."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QPushButton, QWidget

from app.controls.keys import ENTER, KeyClaim
from app.controls.layouts import PANEL_EDGES, in_column, in_row, plain_label
from app.controls.rich_line import RichLine
from app.controls.rich_text import Span
from app.panels.mistakes.choices import Choices
from app.style.current import Style
from app.workbench.modes.hunt import Hunt
from app.workbench.runners.hunt_runner import HuntRunner
from app.workbench.study.lab import guessed
from engine.rules import MISTAKES, Rules
from engine.study.program import program
from engine.trace import Trace

_HEADS = {
    "name": "Hunt: which mistake is on?",
    "find": "1  Find the first wrong step",
    "explain": "2  Explain why it goes wrong",
    "fix": "3  Fix the line",
    "done": "Mended",
}
_WHAT = {
    "name": "Step through the pass, compare it with your own, change values. Then say which.",
    "find": "Go to it by the timeline, by keys, or by a click on its wire.",
    "explain": "What would make the pass go wrong like this?",
    "fix": "Choose the line that must be changed.",
    "done": "The pass was run again with the line mended.",
}
_MARKS = {True: ("✓ ", "text"), False: ("✗ ", "error"), None: ("", "text")}
_UNKNOWN = "No mistake of the list is called that; choose one, or type a part of its name."


class HuntPart(QWidget):
    """Shows the stage of the hunt, and what was said of the last choice."""

    left = Signal()
    """Emitted when the keyboard may go back to the canvas."""

    def __init__(self, style: Style, hunting: HuntRunner) -> None:
        super().__init__()
        self._style, self._hunting = style, hunting
        self._reasons: tuple[Rules, ...] = ()
        self._stage = ""
        self.heading = plain_label(kind="strong")
        self.what = plain_label(kind="secondary", wraps=True)
        self.told = RichLine(style, font_role="interface")
        self.guess = _guess_box()
        self.check = QPushButton("Check")
        self.check.setProperty("kind", "question")
        self.show_it = QPushButton("Show me")
        self.point = QPushButton()
        self.point.setProperty("kind", "question")
        self.reasons = Choices(style, "Reasons")
        self.lines = Choices(style, "Lines of the program", code=True)
        self.again = QPushButton("Another hunt")
        self.again.setProperty("kind", "question")
        self.close_it = QPushButton("Leave")
        self._naming = QWidget()
        left = Qt.AlignmentFlag.AlignLeft
        buttons = in_row(self.check, self.show_it, 1, gap=6)
        in_column(self.guess, buttons, parent=self._naming, style=style, edges=0, gap=8)
        parts = (self.heading, self.what, self._naming, (self.point, left), self.reasons)
        below = (self.lines, self.told, in_row(self.again, self.close_it, 1, gap=6))
        in_column(*parts, *below, parent=self, style=style, edges=PANEL_EDGES, gap=8)
        self._connect()

    def _connect(self) -> None:
        hunting = self._hunting
        self.check.clicked.connect(self._name)
        field = self.guess.lineEdit()
        assert field is not None
        field.returnPressed.connect(self._name)
        self.show_it.clicked.connect(hunting.show)
        self.point.clicked.connect(hunting.point)
        self.reasons.chosen.connect(self._explain)
        self.lines.chosen.connect(self._mend)
        self.again.clicked.connect(self._begin_again)
        self.close_it.clicked.connect(self._leave)

    def show_hunt(self, hunt: Hunt, trace: Trace | None) -> None:
        """Show the stage; `trace` is the pass with the mistake."""
        stage, cursor = hunt.stage, self._hunting.cursor
        self.heading.setText(_HEADS[stage])
        self.what.setText(_WHAT[stage])
        self._naming.setVisible(stage == "name")
        self.point.setVisible(stage == "find")
        self.point.setText(f"It is step {cursor:,}" if cursor else "It is the step shown")
        self.point.setEnabled(cursor > 0)
        self.reasons.setVisible(stage == "explain")
        self.lines.setVisible(stage == "fix")
        self.again.setVisible(stage == "done")
        if stage == "explain" and trace is not None and stage != self._stage:
            self._reasons = tuple(hunt.reasons(trace))
            self.reasons.show_texts([rules.sentence for rules in self._reasons])
        if stage == "fix":
            self.lines.show_texts([line.text for line in program(hunt.mistake)])
        if hunt.told:
            mark, role = _MARKS[hunt.right]
            self.told.set_spans((Span(mark, role, bold=True), Span(hunt.told)))
        self.told.setVisible(bool(hunt.told))
        if stage != self._stage:
            self._turn_to(stage)
        self._stage = stage

    def end(self) -> None:
        """Forget the stage; the next hunt starts again."""
        self._stage = ""
        self.guess.setCurrentIndex(-1)
        self.guess.setEditText("")

    def _turn_to(self, stage: str) -> None:
        """Give the keyboard to what a later stage asks for, if this part has it already."""
        wanted = {"explain": self.reasons, "fix": self.lines, "done": self.again}.get(stage)
        if wanted is not None and (self.isAncestorOf(self.focusWidget() or self)):
            wanted.setFocus()

    def _name(self) -> None:
        found = guessed(self.guess.currentText(), MISTAKES)
        if found is None:
            self.told.set_spans((Span(_UNKNOWN),))
            self.told.show()
        else:
            self._hunting.name(found, self._style.digits)

    def _explain(self, place: int) -> None:
        self._hunting.explain(self._reasons[place], self._style.digits)

    def _mend(self, place: int) -> None:
        hunt = self._hunting.now
        if hunt is not None:
            self._hunting.mend(program(hunt.mistake)[place])

    def _begin_again(self) -> None:
        self._hunting.leave()
        self._hunting.begin()
        self.left.emit()

    def _leave(self) -> None:
        self._hunting.leave()
        self.left.emit()


def _guess_box() -> QComboBox:
    box = QComboBox()
    box.setEditable(True)
    box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
    box.setAccessibleName("The mistake that is on")
    box.setMaxVisibleItems(len(MISTAKES))
    box.setMinimumContentsLength(8)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    for rules in MISTAKES:
        box.addItem(rules.title)
    box.setCurrentIndex(-1)
    field = box.lineEdit()
    assert field is not None
    field.setPlaceholderText("choose, or type its name")
    KeyClaim(field, *ENTER)
    KeyClaim(box, *ENTER)
    return box
