"""ExercisePart: the task of the sheet as an exercise, and the button that begins its mode."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from app.controls.layouts import plain_label
from app.controls.panel import Block
from app.guard import guarded
from app.style.current import Style
from app.workbench.playback.view_state import ViewState
from engine.study.task import TITLES

ONLY_VALUES = "The wiring stays as it is; only values may change."


@guarded
class ExercisePart(Block):
    """Hidden where the sheet is no exercise."""

    def __init__(self, style: Style) -> None:
        self.text = plain_label(wraps=True)
        self.lock = plain_label(ONLY_VALUES, "caption", wraps=True)
        self.begin = QPushButton()
        left = Qt.AlignmentFlag.AlignLeft
        super().__init__(style, "Exercise", self.text, self.lock, (self.begin, left))
        self.hide()

    def show_task(self, now: ViewState) -> None:
        """Show the task of a view state; the button is there while its mode is off."""
        task = now.sheet.task
        self.setVisible(task is not None)
        if task is None:
            return
        self.text.setText(task.text)
        self.text.setVisible(bool(task.text))
        self.lock.setVisible(task.locked)
        self.begin.setText(f"Begin: {TITLES[task.start]}")
        self.begin.setVisible(bool(task.start) and not now.does_task)
