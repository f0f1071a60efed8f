"""ExerciseDialog makes a graph an exercise: its text, its mode, and whether wires are locked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QPlainTextEdit,
    QWidget,
)

from app.controls.choices import choice_box
from app.controls.layouts import in_column, in_row, plain_label
from app.guard import exception_safe
from app.panels.strip.strip_panel import STEPS_TEXT
from app.style import sizes
from app.window.dialogs.ask import fit_screen
from engine.asking.question import (
    LEVELS,
    MODE_TITLES,
    MODES_WITH_BLANKS,
    TASK_LIMIT,
    Task,
    check_task,
)
from engine.errors import EditError

if TYPE_CHECKING:
    from app.style.current import Style

_WIDTH, _TEXT_HEIGHT = 520, 92
"""Width of the dialog and height of its text, in px at 100 %."""
NO_LOCK: Final = "This is no lock: whoever opens the file can lift it here."


@exception_safe
class ExerciseDialog(QDialog):
    """Edits a Task; accepts only what `engine.asking.question.check_task` does."""

    chosen = Signal(object)
    """Emitted with the Task after the dialog was accepted."""
    lifted = Signal()
    """Emitted when the graph is to be an exercise no longer."""

    def __init__(self, parent: QWidget, style: Style, current: Task | None) -> None:
        """`current` is the graph's task, if it is an exercise already."""
        super().__init__(parent)
        self._style = style
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Make an exercise" if current is None else "This exercise")
        task = current or Task(start="predict")
        self.text = _TextField(task.text)
        self.count = plain_label(kind="caption")
        self.start = choice_box(MODE_TITLES, task.start)
        self.level = choice_box({name: name[:1].upper() + name[1:] for name in LEVELS}, task.level)
        self.steps = choice_box({**STEPS_TEXT}, task.steps)
        self.locked = _check_box("Keep the &wiring; only values may change", task.locked)
        self.hints = _check_box("&Hints, and Show me", task.hints)
        self.note = plain_label(kind="caption", wraps=True)
        buttons = QDialogButtonBox()
        title = "Make the exercise" if current is None else "Change it"
        self.make = buttons.addButton(title, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        if current is not None:
            lift = buttons.addButton("Lift it", QDialogButtonBox.ButtonRole.DestructiveRole)
            lift.setAutoDefault(False)
            lift.clicked.connect(self._lift)
        self.make.setDefault(True)
        buttons.accepted.connect(self._accept_task)
        buttons.rejected.connect(self.reject)
        self._lay_out(buttons)
        self._connect()
        self._refresh()
        self.setFixedWidth(style.px(_WIDTH))
        fit_screen(self)

    @property
    def task(self) -> Task:
        """Return the Task of the fields; a mode without questions has default blanks and steps."""
        defaults, start = Task(), self.start.currentData()
        asks = start in MODES_WITH_BLANKS
        return Task(
            self.text.line,
            start,
            self.level.currentData() if asks else defaults.level,
            self.steps.currentData() if asks else defaults.steps,
            self.locked.isChecked(),
            self.hints.isChecked() or start != "predict",
        )

    def _lay_out(self, buttons: QDialogButtonBox) -> None:
        px, gap = self._style.px, sizes.SPACES[2]
        self.text.setFixedHeight(px(_TEXT_HEIGHT))
        self.rows = QFormLayout()
        self.rows.setHorizontalSpacing(px(sizes.SPACES[3]))
        self.rows.setVerticalSpacing(px(gap))
        for title, field in (
            ("&Mode", self.start),
            ("&Blanks", self.level),
            ("&Steps", self.steps),
        ):
            label = QLabel(title)
            label.setMinimumHeight(px(sizes.CONTROL))
            label.setBuddy(field)
            self.rows.addRow(label, field)
        for box in (self.hints, self.locked):
            self.rows.addRow("", box)
        # the task's text is above the other fields, not in their form: it has the whole width
        heading = QLabel("What the learner is &told")
        heading.setBuddy(self.text)
        head = in_row((heading, 1), self.count)
        parts = (head, self.text, self.rows, self.note, buttons)
        edge = sizes.SPACES[4]
        in_column(*parts, parent=self, style=self._style, edges=edge, gap=gap)

    def _connect(self) -> None:
        self.text.textChanged.connect(self._refresh)
        for box in (self.start, self.level, self.steps):
            box.currentIndexChanged.connect(self._refresh)
        for box in (self.hints, self.locked):
            box.toggled.connect(self._refresh)

    def _refresh(self) -> None:
        """Show the fields of the mode, and the reason if the Task is not valid."""
        task = self.task
        for field in (self.level, self.steps):
            self.rows.setRowVisible(field, task.start in MODES_WITH_BLANKS)
        self.rows.setRowVisible(self.hints, task.start == "predict")
        self.count.setText(f"{len(task.text)} of {TASK_LIMIT} characters")
        try:
            check_task(task)
        except EditError as error:
            self.note.setText(str(error))
            self.make.setEnabled(False)
        else:
            self.note.setText(NO_LOCK)
            self.make.setEnabled(True)

    def _accept_task(self) -> None:
        task = self.task
        self.accept()
        self.chosen.emit(task)

    def _lift(self) -> None:
        self.reject()
        self.lifted.emit()


def _check_box(text: str, checked: bool) -> QCheckBox:
    box = QCheckBox(text)
    box.setChecked(checked)
    return box


@exception_safe
class _TextField(QPlainTextEdit):
    """One line of text that wraps; Enter is the dialog's, and line ends count as spaces."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.setTabChangesFocus(True)
        self.setPlaceholderText("such as: Fill in each gradient, then change b until a.grad is 0.")

    @property
    def line(self) -> str:
        """Return the text on one line."""
        return " ".join(self.toPlainText().split())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.ignore()
        else:
            super().keyPressEvent(event)
