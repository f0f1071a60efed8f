"""ExercisePart: the task of the sheet as an exercise, and the button that leads to its mode."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from app.controls.layouts import plain_label
from app.controls.panel import Block
from app.guard import guarded
from app.style.current import Style
from app.workbench.playback.view_state import ViewState
from engine.study.task import TITLES

PAGES: Final = {"hunt": "Mistakes", "descent": "Train"}
"""The titles of the pages on which a mode goes on; others need none."""
ONLY_VALUES = "The wiring stays as it is; only values may change."


@guarded
class ExercisePart(Block):
    """Hidden where the sheet is no exercise."""

    def __init__(self, style: Style) -> None:
        self.text = plain_label(wraps=True)
        self.lock = plain_label(ONLY_VALUES, "caption", wraps=True)
        self.button = QPushButton()
        left = Qt.AlignmentFlag.AlignLeft
        super().__init__(style, "Exercise", self.text, self.lock, (self.button, left))
        self.hide()

    def show_task(self, now: ViewState) -> None:
        """Show the task of a view state; the button begins its mode, or opens the page of it."""
        task = now.sheet.task
        self.setVisible(task is not None)
        if task is None:
            return
        self.text.setText(task.text)
        self.text.setVisible(bool(task.text))
        self.lock.setVisible(task.locked)
        page = PAGES.get(task.start, "")
        self.button.setText(f"Open {page}" if now.does_task else f"Begin: {TITLES[task.start]}")
        self.button.setVisible(bool(page if now.does_task else task.start))
