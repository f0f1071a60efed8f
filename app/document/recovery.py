"""Recovery: copies of unsaved work in the state folder, offered after a crash.

Each running window owns one copy and its lock file. A copy whose lock is free was left behind by a
window that crashed: `RecoveredFiles`.
"""

from __future__ import annotations

import contextlib
import os
import threading
import uuid
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from msgspec import Struct
from PySide6.QtCore import QLockFile, QObject, QStandardPaths, QTimer, Signal

from app.collector import CollectorPausingThread
from app.document.change import Change
from app.document.document import Document
from app.document.document_file import OnDisk, state_on_disk, whole_text
from app.document.sheet import Sheet
from engine.errors import FormatError
from engine.formats.files import (
    read_content,
    read_text,
    remove_orphaned_temporary_files,
    write_atomically,
)
from engine.formats.native import Drawing, read_drawing

COPY_DELAY = 600
"""Delay in milliseconds from an edit until its copy is begun.

A crash may lose two seconds of edits; the remaining time is for writing, and for a timer and a
thread that are late on a busy machine.
"""
_WRITER_PAUSE = 0.005
"""Seconds that the writer thread sleeps first, so as not to slow down the window."""
_NO_COPY = "No copy of unsaved work can be kept. {why} Save often."
_POLL = 20
"""Milliseconds between two checks whether the copy is written."""


class Writing:
    """One copy, written by a thread, which accesses the sheet and no Qt object."""

    def __init__(self, file: Path, origin: bytes, sheet: Sheet) -> None:
        self._cancelled, self._done = threading.Event(), threading.Event()
        self.errors: list[FormatError | OSError] = []
        """Why there is no copy; empty while writing, after success and after `cancel`."""
        arguments = (file, origin, sheet, self._cancelled, self._done, self.errors)
        self._thread = CollectorPausingThread(_write, *arguments)
        self.wait = self._thread.wait
        """Waits until writing ends."""

    @property
    def finished(self) -> bool:
        """Return whether the thread has ended, with a copy or without."""
        return self._thread.finished

    @property
    def written(self) -> bool:
        """Return whether the whole copy is on the disk."""
        return self._done.is_set()

    def cancel(self) -> None:
        """Cancel, unless writing has already begun."""
        self._cancelled.set()


def _write(
    file: Path,
    origin: bytes,
    sheet: Sheet,
    cancelled: threading.Event,
    done: threading.Event,
    errors: list[FormatError | OSError],
) -> None:
    cancelled.wait(_WRITER_PAUSE)
    try:
        text = whole_text(sheet)
        if not cancelled.is_set():
            write_atomically(origin_file(file), origin)
            write_atomically(file, text)
            done.set()
    except (FormatError, OSError) as error:
        errors.append(error)


class Recovery(QObject):
    """Keeps a copy of the document while it differs from its file.

    `failed` carries why no copy can be kept; once, until a copy has been written again.
    """

    failed = Signal(str)

    def __init__(
        self,
        document: Document,
        folder: Path | None = None,
        parent: QObject | None = None,
        known_hash: Callable[[], str] = str,
    ) -> None:
        """`known_hash` returns that of the document's file when last read or saved, or ""."""
        super().__init__(parent)
        self._document = document
        self._known_hash = known_hash
        self._folder = folder or state_folder() / "unsaved"
        self._file = self._folder / f"{uuid.uuid4().hex}.backwire"
        self._lock: QLockFile | None = None
        self._claimed: list[RecoveredFiles] = []
        self._timer = copy_timer(self, self._copy_in_background)
        self._writing: Writing | None = None
        self._is_due = self._warned = False
        self._poll_timer = QTimer(self, interval=_POLL)
        self._poll_timer.timeout.connect(self._advance)
        document.changed.connect(self._follow)

    @property
    def folder(self) -> Path:
        return self._folder

    def left_behind(self) -> list[RecoveredFiles]:
        """Return the copies left by crashed windows, newest first."""
        remove_orphaned_temporary_files(self._folder)
        self._remove_leftovers()
        copies = [
            recovered_in(file) for file in self._folder.glob("*.backwire") if file != self._file
        ]
        return sorted((r for r in copies if r is not None), key=lambda r: r.when, reverse=True)

    def claim(self, recovered: RecoveredFiles) -> bool:
        """Lock a copy until this window ends; see `RecoveredFiles.claim`."""
        if not recovered.claim():
            return False
        self._claimed.append(recovered)  # or its lock would end with the dialog
        return True

    def keep(self) -> bool:
        """Write the copy and wait for it, if anything is unsaved; return whether it is complete."""
        self._end_writing()
        self._begin_writing()
        writing = self._writing
        self._end_writing()
        return writing.written if writing is not None else not self._document.modified

    def drop(self) -> None:
        """Delete the copy, because the work is saved or not wanted."""
        self._timer.stop()
        self._is_due = False
        if self._writing is not None:
            self._writing.cancel()
        self._end_writing()
        if self._lock is None:
            return
        delete_copy(self._file)
        self._lock.unlock()
        self._lock = None

    def _copy_in_background(self) -> None:
        """Write the copy in the background; one at a time."""
        self._is_due = True
        self._advance()

    def _begin_writing(self) -> None:
        self._timer.stop()
        self._is_due = False
        if self._document.lent_to_lecture:
            return
        if not self._document.modified:
            self.drop()
            return
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # readable only by the user
        except OSError as error:
            self._warn(error)
            return
        self._lock_copy()
        origin = _origin_text(self._document.path, self._known_hash())
        self._writing = Writing(self._file, origin, self._document.sheet)
        self._poll_timer.start()

    def _remove_leftovers(self) -> None:
        """Remove locks and origins of copies that were never written or are gone."""
        for leftover in (*self._folder.glob("*.lock"), *self._folder.glob("*.origin")):
            copy = leftover.with_suffix(".backwire")
            has_copy = copy.exists() or copy.with_suffix(UNREADABLE_SUFFIX).exists()
            if copy != self._file and not has_copy and is_abandoned(copy):
                with contextlib.suppress(OSError):
                    leftover.unlink(missing_ok=True)

    def _advance(self) -> None:
        """Begin the next copy if it is due and none is being written."""
        if self._writing is not None and not self._writing.finished:
            return
        self._end_writing()
        if self._is_due:
            self._begin_writing()

    def _end_writing(self) -> None:
        """Wait for the copy that is being written, if any."""
        self._poll_timer.stop()
        writing, self._writing = self._writing, None
        if writing is not None:
            writing.wait()
            if writing.errors:
                self._warn(writing.errors[0])
            elif writing.written:
                self._warned = False

    def _warn(self, error: FormatError | OSError) -> None:
        """Say once why no copy can be kept."""
        if not self._warned:
            self._warned = True
            why = str(error)
            if isinstance(error, OSError):
                why = f"{self._folder} can't be written: {error.strerror}."
            self.failed.emit(_NO_COPY.format(why=why))

    def _lock_copy(self) -> None:
        """Lock the copy, so that no other window takes it for one that was left behind."""
        if self._lock is None:
            self._lock = new_lock(self._file)
            self._lock.tryLock(0)

    def _follow(self, change: Change) -> None:
        """Schedule a copy, or delete it if nothing is unsaved; a lecture leaves it as it is."""
        if self._document.lent_to_lecture:
            return
        if change.file and not self._document.modified:  # saved, or undone to the saved state
            self.drop()
        elif not self._timer.isActive():  # `_begin_writing` finds whether anything is unsaved
            self._timer.start()


def state_folder() -> Path:
    """Return the folder for the log and for copies of unsaved work."""
    location = QStandardPaths.StandardLocation.GenericStateLocation
    return Path(QStandardPaths.writableLocation(location)) / "backwire"


def _origin_text(path: Path | None, known_hash: str) -> bytes:
    """Return the origin file's content: the hash of the document's file, and its path."""
    return os.fsencode(f"{known_hash}\n{path.absolute() if path else ''}")


UNREADABLE_SUFFIX = ".broken"
"""Suffix of a copy that could not be read."""


class RecoveredFiles(Struct, frozen=True, eq=False):
    """Work that a crashed window left behind: its copy and the file it belongs to.

    `known_hash` is the hash of that file when the work began; "" if it is not known.
    """

    file: Path
    origin: Path | None
    known_hash: str
    when: datetime
    lock: QLockFile

    @property
    def name(self) -> str:
        return self.origin.name if self.origin else "a graph that was never saved"

    @property
    def is_file_newer(self) -> bool:
        """Return whether another program has written its file since the work began."""
        state = state_on_disk(self.origin, self.known_hash) if self.origin else OnDisk.SAME
        return state is OnDisk.CHANGED

    def drawing(self) -> Drawing:
        """Return the copy's content; raises FormatError if it can't be read."""
        return read_drawing(read_text(self.file))

    def claim(self) -> bool:
        """Lock it for this window; return False if another window has locked or removed it.

        No other window finds it until it is released, discarded or set aside.
        """
        if not self.lock.tryLock(0):
            return False
        if self.file.exists():
            return True
        self.lock.unlock()
        return False

    def release(self) -> None:
        """Unlock it for another window or the next start."""
        self.lock.unlock()

    def set_aside(self) -> Path:
        """Keep the copy, but never offer it again; returns its new file."""
        renamed = self.file.with_suffix(UNREADABLE_SUFFIX)
        with contextlib.suppress(OSError):
            self.file.replace(renamed)
        self._remove_lock()
        return renamed

    def discard(self) -> None:
        delete_copy(self.file)
        self._remove_lock()

    def _remove_lock(self) -> None:
        self.lock.unlock()
        with contextlib.suppress(OSError):  # a stale lock
            lock_file(self.file).unlink(missing_ok=True)


def recovered_in(file: Path) -> RecoveredFiles | None:
    """Return the copy in a file, or None while a running window has it locked."""
    if not is_abandoned(file):
        return None
    try:
        when = datetime.fromtimestamp(file.stat().st_mtime)
    except (OSError, ValueError):
        return None
    with contextlib.suppress(FormatError):
        known_hash, _, path = os.fsdecode(read_content(origin_file(file))).partition("\n")
        origin = Path(path) if path else None
        return RecoveredFiles(
            file, origin=origin, known_hash=known_hash, when=when, lock=new_lock(file)
        )
    return RecoveredFiles(file, origin=None, known_hash="", when=when, lock=new_lock(file))


def is_abandoned(file: Path) -> bool:
    """Return whether no running window holds the lock of a copy."""
    lock = new_lock(file)
    if not lock.tryLock(0):
        return False
    lock.unlock()
    return True


def new_lock(file: Path) -> QLockFile:
    """Return the lock of a copy, which ends with its process."""
    lock = QLockFile(str(lock_file(file)))
    lock.setStaleLockTime(0)  # no age ends a lock: a window may be open for days
    return lock


def origin_file(file: Path) -> Path:
    """Return the file that records whose copy it is: path and hash of the document's file."""
    return file.with_suffix(".origin")


def delete_copy(file: Path) -> None:
    """Delete a copy and the record of whose it is, as far as that is possible."""
    for path in (file, origin_file(file)):
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)


def copy_timer(parent: QObject, copy: Callable[[], object]) -> QTimer:
    """Return a timer that calls `copy` once, COPY_DELAY after its start."""
    timer = QTimer(parent, singleShot=True, interval=COPY_DELAY)
    timer.timeout.connect(copy)
    return timer


def lock_file(file: Path) -> Path:
    return file.with_suffix(".lock")
