"""ExercisePart: the task of the sheet as an exercise, and the button that leads to its mode."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton

from app.controls.layouts import plain_label
from app.controls.panel import Block
from app.guard import guarded
from app.style.current import Style
from app.workbench.playback.view_state import ViewState
from engine.study.task import TITLES

_PAGES: Final = {"hunt": "mistakes", "descent": "train"}
"""The pages on which a mode goes on; others need none."""
ONLY_VALUES = "The wiring stays as it is; only values may change."


@guarded
class ExercisePart(Block):
    """Hidden where the sheet is no exercise."""

    begin_wanted = Signal()
    page_wanted = Signal(str)
    """Emitted with the name of the page on which the mode goes on."""

    def __init__(self, style: Style) -> None:
        self.text = plain_label(wraps=True)
        self.lock = plain_label(ONLY_VALUES, "caption", wraps=True)
        self.button = QPushButton()
        left = Qt.AlignmentFlag.AlignLeft
        super().__init__(style, "Exercise", self.text, self.lock, (self.button, left))
        self._page = ""
        self.button.clicked.connect(self._go)
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
        self._page = _PAGES.get(task.start, "") if now.does_task else ""
        opens = f"Open {self._page.capitalize()}"
        self.button.setText(opens if self._page else f"Begin: {TITLES[task.start]}")
        self.button.setVisible(bool(self._page if now.does_task else task.start))

    def _go(self) -> None:
        if self._page:
            self.page_wanted.emit(self._page)
        else:
            self.begin_wanted.emit()
