"""Recovery: unsaved work, kept in the state folder and offered after a crash.

Each running window owns one file and a lock beside it. A file whose lock nobody holds was left
behind by a window that ended without asking.
"""

from __future__ import annotations

import contextlib
import uuid
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, QStandardPaths, QTimer

from app.document.change import Change
from app.document.document import Document
from app.document.files import whole_text
from engine.errors import FormatError
from engine.files import read_text, write_whole
from engine.formats.native import Drawing, read_drawing

DELAY = 2000
"""Milliseconds from an edit until it is kept."""


@dataclass(frozen=True)
class Remains:
    """Work that a crashed window left behind: where it is kept and which file it belongs to."""

    file: Path
    origin: Path | None
    when: datetime

    @property
    def name(self) -> str:
        """What to call it in a sentence."""
        return self.origin.name if self.origin else "a graph that was never saved"

    def drawing(self) -> Drawing:
        """What is kept; FormatError when it can't be read."""
        return read_drawing(read_text(self.file))

    def discard(self) -> None:
        """Throw it away."""
        for path in (self.file, _origin_file(self.file), _lock_file(self.file)):
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)


class Recovery(QObject):
    """Keeps a copy of the document while it differs from its file."""

    def __init__(
        self, document: Document, folder: Path | None = None, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._folder = folder or state_folder() / "unsaved"
        self._file = self._folder / f"{uuid.uuid4().hex}.backwire"
        self._lock: QLockFile | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DELAY)
        self._timer.timeout.connect(self.keep)
        document.changed.connect(self._wait)
        document.file_changed.connect(self._follow_file)

    def left_behind(self) -> list[Remains]:
        """What crashed windows left, newest first."""
        found = [_remains(file) for file in self._folder.glob("*.backwire") if file != self._file]
        return sorted((r for r in found if r is not None), key=lambda r: r.when, reverse=True)

    def keep(self) -> None:
        """Write the copy now, if there is anything unsaved; a full disk is not worth a word."""
        self._timer.stop()
        if not self._document.modified:
            self.drop()
            return
        with contextlib.suppress(FormatError, OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            self._hold()
            origin = self._document.path
            write_whole(_origin_file(self._file), str(origin or "").encode("utf-8", "replace"))
            write_whole(self._file, whole_text(self._document.sheet))

    def drop(self) -> None:
        """Throw the copy away: the work is saved, or not wanted."""
        self._timer.stop()
        if self._lock is None:
            return
        for path in (self._file, _origin_file(self._file)):
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)
        self._lock.unlock()
        self._lock = None

    def _hold(self) -> None:
        if self._lock is None:
            lock = QLockFile(str(_lock_file(self._file)))
            lock.setStaleLockTime(0)
            lock.tryLock(0)
            self._lock = lock

    def _wait(self, _change: Change) -> None:
        if not self._timer.isActive():
            self._timer.start()

    def _follow_file(self) -> None:
        if not self._document.modified:
            self.drop()


def state_folder() -> Path:
    """Where this program keeps what is not settings: the log and unsaved work."""
    place = QStandardPaths.StandardLocation.GenericStateLocation
    return Path(QStandardPaths.writableLocation(place)) / "backwire"


def _remains(file: Path) -> Remains | None:
    """What is kept in a file, or None while a living window holds it."""
    lock = QLockFile(str(_lock_file(file)))
    lock.setStaleLockTime(0)
    if not lock.tryLock(0):
        return None
    lock.unlock()
    try:
        text = _origin_file(file).read_text(encoding="utf-8") if _origin_file(file).exists() else ""
        when = datetime.fromtimestamp(file.stat().st_mtime)
    except (OSError, ValueError):
        return None
    return Remains(file, Path(text) if text else None, when)


def _origin_file(file: Path) -> Path:
    return file.with_suffix(".origin")


def _lock_file(file: Path) -> Path:
    return file.with_suffix(".lock")
