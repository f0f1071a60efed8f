"""Recorders: makes the recorder of lessons once one is recorded; most windows never need it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.workbench.study.lesson_runner import LessonRunner, Tools

if TYPE_CHECKING:
    from app.workbench.study.recorder import Recorder


class Recorders(QObject):
    """Holds the recorder of one window."""

    made = Signal()
    """Emitted once, when the recorder is made."""
    # the signals of the recorder, which can be connected before it is made
    changed = Signal()
    said = Signal(str)
    tried = Signal(bool)

    def __init__(self, tools: Tools, lessons: LessonRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tools, self._lessons = tools, lessons
        self._recorder: Recorder | None = None

    @property
    def now(self) -> Recorder | None:
        """Return the recorder while a lesson is being recorded."""
        found = self._recorder
        return found if found is not None and found.active else None

    @property
    def unsaved(self) -> bool:
        """Return whether closing would lose a draft."""
        return self._recorder is not None and self._recorder.unsaved

    def get(self) -> Recorder:
        """Return the recorder, which is made on first access."""
        if self._recorder is None:
            from app.workbench.study.recorder import Recorder

            self._recorder = Recorder(self._tools, self._lessons, self)
            self._recorder.changed.connect(self.changed)
            self._recorder.said.connect(self.said)
            self._recorder.tried.connect(self.tried)
            self.made.emit()
        return self._recorder
