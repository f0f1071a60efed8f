"""Recorders: makes the recorder of the sheet's lesson once there is one, or one is asked for.

Most windows never need it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.guide.play.guide import Room
from app.guide.run.demonstration import Tools
from app.guide.run.guide_runner import GuideRunner
from app.workbench.playback.view_state import ViewState
from engine.graph import Graph

if TYPE_CHECKING:
    from app.guide.run.recorder import Recorder


class Recorders(QObject):
    """Holds the recorder of one window."""

    made = Signal()
    """Emitted once, when the recorder is made."""
    # the signals of the recorder, which can be connected before it is made
    changed = Signal()
    said = Signal(str)
    refused = Signal(str)
    tried = Signal(bool)
    page_requested = Signal()

    def __init__(self, tools: Tools, guides: GuideRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tools, self._guides = tools, guides
        self._recorder: Recorder | None = None
        tools.document.with_new_names = _with_new_names
        tools.playback.shown.connect(self._follow)

    @property
    def now(self) -> Recorder | None:
        """Return the recorder while there is a lesson of the sheet to be shown."""
        found = self._recorder
        return found if found is not None and found.active else None

    @property
    def away(self) -> bool:
        """Return whether the sheet of the lesson waits for that of a step or of a try."""
        return self._recorder is not None and self._recorder.away

    def come_back(self) -> None:
        """Show the sheet of the lesson, if another one is shown for it."""
        if self._recorder is not None:
            self._recorder.come_back()

    def get(self) -> Recorder:
        """Return the recorder, which is made on first access."""
        if self._recorder is None:
            from app.guide.run.recorder import Recorder

            found = self._recorder = Recorder(self._tools, self._guides, self)
            for name in ("changed", "said", "refused", "tried", "page_requested"):
                getattr(found, name).connect(getattr(self, name))
            self.made.emit()
        return self._recorder

    def for_room(self) -> Room | None:
        """Return the lesson that a room gets, at the step to begin with.

        It is the active one, or that of the sheet. None for the test, Daily five, and a sheet
        without a lesson.
        """
        learner, recorder = self._guides.learner, self.now
        if learner is not None and self._guides.active and not self.away:
            lesson = learner.lesson if learner.lesson.kind == "lesson" else None
            seed, at = learner.seed, learner.at
        else:
            lesson, seed, at = None if recorder is None else recorder.lesson, 0, 0
        return None if lesson is None else self._guides.room_for(lesson, seed, at)

    def _follow(self, _shown: ViewState) -> None:
        """Make the recorder for a sheet with a lesson."""
        if self._recorder is None and self._tools.document.sheet.lesson:
            self.get()
            self.changed.emit()


def _with_new_names(lesson: str, before: Graph, after: Graph) -> str:
    from app.lessons.renaming import renamed  # few sheets have a lesson

    return renamed(lesson, before, after)
