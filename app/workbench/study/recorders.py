"""Recorders: makes the recorder of lessons once one is recorded, and copies of its draft.

Most windows never need a recorder. The copies are offered after a crash; they are beside those of
graphs, `app.document.recovery`, and are locked like them.
"""

from __future__ import annotations

import os
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QLockFile, QObject, Signal

from app.document.recovery import (
    RecoveredFiles,
    copy_timer,
    delete_copy,
    new_lock,
    origin_file,
    recovered_in,
    state_folder,
)
from app.workbench.study.lesson_runner import LessonRunner, Tools
from engine.errors import FormatError
from engine.formats.files import read_text, write_atomically

if TYPE_CHECKING:
    from app.lessons.draft import Draft
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


_SUFFIX: Final = ".toml"


class DraftCopies(QObject):
    """Keeps a copy of one window's draft while it is not saved."""

    def __init__(
        self, recorders: Recorders, folder: Path | None = None, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._recorders = recorders
        self._folder = folder or state_folder() / "unsaved" / "lessons"
        self._file = self._folder / f"{uuid.uuid4().hex}{_SUFFIX}"
        self._lock: QLockFile | None = None
        self._claimed: list[RecoveredFiles] = []
        self._timer = copy_timer(self, self.keep)
        recorders.changed.connect(self._follow)

    def keep(self) -> bool:
        """Write the copy if the draft is not saved, else delete it; return whether that worked."""
        self._timer.stop()
        if not self._recorders.unsaved:
            self.drop()
            return True
        recorder = self._recorders.get()
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if self._lock is None:
                self._lock = new_lock(self._file)
                self._lock.tryLock(0)
            path = recorder.path.absolute() if recorder.path is not None else ""
            # line 1 has the hash of a graph's file, of which a lesson needs none
            write_atomically(origin_file(self._file), os.fsencode(f"\n{path}"))
            write_atomically(self._file, recorder.text.encode("utf-8"))
        except (FormatError, OSError):
            return False
        return True

    def drop(self) -> None:
        """Delete the copy, because the draft is saved or not wanted."""
        self._timer.stop()
        if self._lock is None:
            return
        delete_copy(self._file)
        self._lock.unlock()
        self._lock = None

    def claim_left_behind(self) -> tuple[RecoveredFiles, Draft] | None:
        """Return the newest readable draft of a crashed window, locked for this one, or None."""
        files = self._folder.glob(f"*{_SUFFIX}")
        found = [copy for file in files if file != self._file and (copy := recovered_in(file))]
        for copy in sorted(found, key=lambda copy: copy.when, reverse=True):
            if not copy.claim():
                continue
            from app.lessons.draft import draft_of  # only a window that crashed needs it

            try:
                draft = draft_of(read_text(copy.file))
            except FormatError:
                copy.set_aside()
                continue
            self._claimed.append(copy)  # or its lock would end with the dialog
            return copy, draft
        return None

    def _follow(self) -> None:
        if not self._recorders.unsaved:
            self.drop()
        elif not self._timer.isActive():  # not restarted, or typing would put the copy off
            self._timer.start()
