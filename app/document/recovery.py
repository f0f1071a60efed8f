"""Recovery: unsaved work, kept in the state folder and offered after a crash.

Each running window owns one file and a lock beside it. A file whose lock nobody holds was left
behind by a window that ended without asking.
"""

from __future__ import annotations

import contextlib
import gc
import os
import threading
import uuid
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, QStandardPaths, QTimer

from app.document.change import Change
from app.document.document import Document
from app.document.files import OnDisk, compared, whole_text
from app.document.sheet import Sheet
from engine.errors import FormatError
from engine.files import read_content, read_text, sweep, write_whole
from engine.formats.native import Drawing, read_drawing

DELAY = 1000
"""Milliseconds from an edit until its copy is begun. A crash may cost two seconds of edits; the
rest of them is for writing, and for a timer and a thread that come late on a busy machine."""
PAUSE = 0.005
"""So many seconds the thread leaves to the window first, which has just begun it."""
ASIDE = ".broken"
"""The suffix of a copy that could not be read."""
LOOK = 20
"""Every so many milliseconds one looks whether the copy is written."""


@dataclass(frozen=True)
class Remains:
    """Work that a crashed window left behind: where it is kept and which file it belongs to.

    `base` is the hash of that file as the work began; empty where it is not known.
    """

    file: Path
    origin: Path | None
    base: str
    when: datetime

    @property
    def name(self) -> str:
        """What to call it in a sentence."""
        return self.origin.name if self.origin else "a graph that was never saved"

    @property
    def overtaken(self) -> bool:
        """Whether its file was written by somebody else since the work began."""
        found = compared(self.origin, self.base) if self.origin else OnDisk.SAME
        return found is OnDisk.CHANGED

    def drawing(self) -> Drawing:
        """What is kept; FormatError when it can't be read."""
        return read_drawing(read_text(self.file))

    def set_aside(self) -> Path:
        """Offer it no more, but keep it; returns the file in which it is kept."""
        kept = self.file.with_suffix(ASIDE)
        with contextlib.suppress(OSError):
            self.file.replace(kept)
            _lock_file(self.file).unlink(missing_ok=True)
        return kept

    def discard(self) -> None:
        """Throw it away."""
        for path in (self.file, _origin_file(self.file), _lock_file(self.file)):
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)


class Writing:
    """One copy, written on a thread of its own, which sees the sheet and no object of Qt.

    Rubbish is not collected meanwhile: what is found there could be a widget, and those end on
    the thread of the window alone.
    """

    def __init__(self, file: Path, origin: bytes, sheet: Sheet) -> None:
        self._given_up, self._done = threading.Event(), threading.Event()
        arguments = (file, origin, sheet, self._given_up, self._done)
        self._thread = threading.Thread(target=_write, args=arguments)
        self.wait = weakref.finalize(self, _end, self._thread, gc.isenabled())
        """Wait until it is over; done as well when nobody asks for it any more."""
        gc.disable()
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
            write_whole(_origin_file(file), origin)
            write_whole(file, text)
            done.set()


def _end(thread: threading.Thread, collect: bool) -> None:
    thread.join()
    if collect:
        gc.enable()


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
        found = [_remains(file) for file in self._folder.glob("*.backwire") if file != self._file]
        return sorted((r for r in found if r is not None), key=lambda r: r.when, reverse=True)

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
        for path in (self._file, _origin_file(self._file)):
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
            if copy != self._file and not kept and _abandoned(copy):
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
            lock = QLockFile(str(_lock_file(self._file)))
            lock.setStaleLockTime(0)
            lock.tryLock(0)
            self._lock = lock

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


def _remains(file: Path) -> Remains | None:
    """What is kept in a file, or None while a living window holds it."""
    if not _abandoned(file):
        return None
    try:
        when = datetime.fromtimestamp(file.stat().st_mtime)
    except (OSError, ValueError):
        return None
    with contextlib.suppress(FormatError):
        base, _, path = os.fsdecode(read_content(_origin_file(file))).partition("\n")
        return Remains(file, Path(path) if path else None, base, when)
    return Remains(file, None, "", when)


def _abandoned(file: Path) -> bool:
    """Whether no living window holds the lock of a copy."""
    lock = QLockFile(str(_lock_file(file)))
    lock.setStaleLockTime(0)
    if not lock.tryLock(0):
        return False
    lock.unlock()
    return True


def _origin_text(path: Path | None, base: str) -> bytes:
    """What stands beside a copy: the hash of the file it began with, and that file's path."""
    return os.fsencode(f"{base}\n{path.absolute() if path else ''}")


def _origin_file(file: Path) -> Path:
    return file.with_suffix(".origin")


def _lock_file(file: Path) -> Path:
    return file.with_suffix(".lock")
