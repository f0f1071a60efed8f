"""Remains: a copy of unsaved work that a crashed window left, with its lock and its origin."""

from __future__ import annotations

import contextlib
import os
from datetime import datetime
from pathlib import Path

from msgspec import Struct
from PySide6.QtCore import QLockFile

from app.document.files import OnDisk, compared
from engine.errors import FormatError
from engine.formats.files import read_content, read_text
from engine.formats.native import Drawing, read_drawing

ASIDE = ".broken"
"""Suffix of a copy that could not be read."""


class Remains(Struct, frozen=True, eq=False):
    """Work that a crashed window left behind: its copy and the file it belongs to.

    `base` is the hash of that file when the work began; "" if it is not known.
    """

    file: Path
    origin: Path | None
    base: str
    when: datetime
    lock: QLockFile

    @property
    def name(self) -> str:
        """Return its name in sentences."""
        return self.origin.name if self.origin else "a graph that was never saved"

    @property
    def overtaken(self) -> bool:
        """Return whether another program has written its file since the work began."""
        found = compared(self.origin, self.base) if self.origin else OnDisk.SAME
        return found is OnDisk.CHANGED

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
        kept = self.file.with_suffix(ASIDE)
        with contextlib.suppress(OSError):
            self.file.replace(kept)
        self._remove_lock()
        return kept

    def discard(self) -> None:
        """Delete it."""
        for path in (self.file, origin_file(self.file)):
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)
        self._remove_lock()

    def _remove_lock(self) -> None:
        self.lock.unlock()
        with contextlib.suppress(OSError):  # a stale lock
            lock_file(self.file).unlink(missing_ok=True)


def remains_in(file: Path) -> Remains | None:
    """Return the copy in a file, or None while a running window has it locked."""
    if not is_abandoned(file):
        return None
    try:
        when = datetime.fromtimestamp(file.stat().st_mtime)
    except (OSError, ValueError):
        return None
    with contextlib.suppress(FormatError):
        base, _, path = os.fsdecode(read_content(origin_file(file))).partition("\n")
        return Remains(file, Path(path) if path else None, base, when, new_lock(file))
    return Remains(file, None, "", when, new_lock(file))


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
    lock.setStaleLockTime(0)
    return lock


def origin_file(file: Path) -> Path:
    """Return the file beside a copy that records the document's file."""
    return file.with_suffix(".origin")


def lock_file(file: Path) -> Path:
    """Return the lock file of a copy."""
    return file.with_suffix(".lock")
