"""Recovery: unsaved work, kept in the state folder and offered after a crash.

Each running window owns one file and a lock beside it. A file whose lock nobody holds was left
behind by a window that ended without asking.
"""

from __future__ import annotations

import contextlib
import os
import threading
import uuid
import weakref
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, QStandardPaths, QTimer

from app.collector import CollectorPause
from app.document.change import Change
from app.document.document import Document
from app.document.files import whole_text
from app.document.remains import (
    ASIDE,
    Remains,
    is_abandoned,
    new_lock,
    origin_file,
    remains_in,
)
from app.document.sheet import Sheet
from engine.errors import FormatError
from engine.files import sweep, write_whole

DELAY = 1000
"""Milliseconds from an edit until its copy is begun. A crash may cost two seconds of edits; the
rest of them is for writing, and for a timer and a thread that come late on a busy machine."""
PAUSE = 0.005
"""So many seconds the thread leaves to the window first, which has just begun it."""
LOOK = 20
"""Every so many milliseconds one looks whether the copy is written."""


class Writing:
    """One copy, written on a thread of its own, which sees the sheet and no object of Qt.

    Rubbish is not collected meanwhile: what is found there could be a widget, and those end on
    the thread of the window alone.
    """

    def __init__(self, file: Path, origin: bytes, sheet: Sheet) -> None:
        self._given_up, self._done = threading.Event(), threading.Event()
        arguments = (file, origin, sheet, self._given_up, self._done)
        self._thread = threading.Thread(target=_write, args=arguments)
        self.wait = weakref.finalize(self, _end, self._thread, CollectorPause())
        """Wait until it is over; done as well when nobody asks for it any more."""
        self._thread.start()

    @property
    def over(self) -> bool:
        """Whether it is written, or can't be."""
        return not self._thread.is_alive()

    @property
    def written(self) -> bool:
        """Whether the whole copy is on the disk."""
        return self._done.is_set()

    def give_up(self) -> None:
        """Write nothing that is not being written yet."""
        self._given_up.set()


def _write(
    file: Path, origin: bytes, sheet: Sheet, given_up: threading.Event, done: threading.Event
) -> None:
    given_up.wait(PAUSE)
    with contextlib.suppress(FormatError, OSError):
        text = whole_text(sheet)
        if not given_up.is_set():
            write_whole(origin_file(file), origin)
            write_whole(file, text)
            done.set()


def _end(thread: threading.Thread, pause: CollectorPause) -> None:
    thread.join()
    pause.end()


class Recovery(QObject):
    """Keeps a copy of the document while it differs from its file."""

    def __init__(
        self,
        document: Document,
        folder: Path | None = None,
        parent: QObject | None = None,
        base: Callable[[], str] = str,
    ) -> None:
        """`base` gives the hash of the document's file as the document knows it."""
        super().__init__(parent)
        self._document = document
        self._base = base
        self._folder = folder or state_folder() / "unsaved"
        self._file = self._folder / f"{uuid.uuid4().hex}.backwire"
        self._lock: QLockFile | None = None
        self._claimed: list[Remains] = []
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DELAY)
        self._timer.timeout.connect(self._keep_meanwhile)
        self._writing: Writing | None = None
        self._due = False
        self._look = QTimer(self)
        self._look.setInterval(LOOK)
        self._look.timeout.connect(self._look_after)
        document.changed.connect(self._follow)

    @property
    def folder(self) -> Path:
        """Where copies are kept."""
        return self._folder

    def left_behind(self) -> list[Remains]:
        """What crashed windows left, newest first."""
        sweep(self._folder)
        self._remove_stray()
        found = [remains_in(file) for file in self._folder.glob("*.backwire") if file != self._file]
        return sorted((r for r in found if r is not None), key=lambda r: r.when, reverse=True)

    def claim(self, remains: Remains) -> bool:
        """Take what a crashed window left, at most until this window ends; see `Remains.claim`."""
        if not remains.claim():
            return False
        self._claimed.append(remains)  # its lock must not end with the question
        return True

    def keep(self) -> bool:
        """Write the copy and wait for it, if there is anything unsaved; whether all of it is kept.

        A full disk or a folder that can't be written is no error, but the answer is False.
        """
        self._end_writing()
        self._begin_writing()
        writing = self._writing
        self._end_writing()
        return writing.written if writing is not None else not self._document.modified

    def drop(self) -> None:
        """Throw the copy away: the work is saved, or not wanted."""
        self._timer.stop()
        self._due = False
        if self._writing is not None:
            self._writing.give_up()
        self._end_writing()
        if self._lock is None:
            return
        for path in (self._file, origin_file(self._file)):
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)
        self._lock.unlock()
        self._lock = None

    def _keep_meanwhile(self) -> None:
        """Have the copy written while one goes on working; one at a time."""
        self._due = True
        self._look_after()

    def _begin_writing(self) -> None:
        """Begin to write the copy; a full disk is not worth a word."""
        self._timer.stop()
        self._due = False
        if not self._document.modified:
            self.drop()
            return
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # for the user alone
        except OSError:
            return
        self._hold()
        origin = _origin_text(self._document.path, self._base())
        self._writing = Writing(self._file, origin, self._document.sheet)
        self._look.start()

    def _remove_stray(self) -> None:
        """Remove what tells of copies that were never written, or are gone."""
        for stray in (*self._folder.glob("*.lock"), *self._folder.glob("*.origin")):
            copy = stray.with_suffix(".backwire")
            kept = copy.exists() or copy.with_suffix(ASIDE).exists()
            if copy != self._file and not kept and is_abandoned(copy):
                with contextlib.suppress(OSError):
                    stray.unlink(missing_ok=True)

    def _look_after(self) -> None:
        """When no copy is being written any more, begin the one that is due."""
        if self._writing is not None and not self._writing.over:
            return
        self._end_writing()
        if self._due:
            self._begin_writing()

    def _end_writing(self) -> None:
        """Wait for the copy that is being written, if one is."""
        self._look.stop()
        writing, self._writing = self._writing, None
        if writing is not None:
            writing.wait()

    def _hold(self) -> None:
        if self._lock is None:
            self._lock = new_lock(self._file)
            self._lock.tryLock(0)

    def _follow(self, change: Change) -> None:
        """Keep a copy soon; where nothing is unsaved any more there is none to keep."""
        if change.file and not self._document.modified:
            self.drop()
        elif not self._timer.isActive():
            self._timer.start()


def state_folder() -> Path:
    """Where this program keeps what is not settings: the log and unsaved work."""
    place = QStandardPaths.StandardLocation.GenericStateLocation
    return Path(QStandardPaths.writableLocation(place)) / "backwire"


def _origin_text(path: Path | None, base: str) -> bytes:
    """What stands beside a copy: the hash of the file it began with, and that file's path."""
    return os.fsencode(f"{base}\n{path.absolute() if path else ''}")
