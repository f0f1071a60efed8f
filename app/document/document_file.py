"""DocumentFile: opens and saves the document's file, and detects other writers; Recent files."""

from __future__ import annotations

import os
import re
import stat
from enum import Enum
from pathlib import Path

from PySide6.QtCore import QObject, QSettings, Signal

from app.document.change import same_sheet
from app.document.document import Document
from app.document.sheet import Sheet, sheet_of
from engine.errors import FormatError
from engine.formats.files import load_drawing, load_with_content, write_atomically
from engine.formats.native import Drawing, read_drawing, write_drawing
from engine.formats.strict_json import SIZE_LIMIT

SUFFIX = ".backwire"
_NOT_IN_NAMES = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|]+')
"""Characters that some file system does not allow in a file's name."""
_OPERATORS = str.maketrans({"*": "×", "/": "÷"})
"""Operators as a file name shows them; a hyphen for a forbidden character reads as a minus."""
_LONGEST_STEM = 80
"""Characters of a file name made from a title."""


class OnDisk(Enum):
    """The state of the document's file since it was opened or saved."""

    SAME = "same"
    CHANGED = "changed"
    GONE = "gone"


class DocumentFile:
    """Reads and writes one document; every refusal is a FormatError that changes nothing."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._known_hashes: dict[Path, str] = {}
        """The hash of each file as last read or saved: undo may lead back to another one."""

    @property
    def known_hash(self) -> str:
        """Return the hash of the file's content as last read or saved; "" without one."""
        path = self._document.path
        return "" if path is None else self._known_hashes.get(path, "")

    def open(self, path: Path) -> str:
        """Open a file in place of the document; returns a remark to show, if any.

        A file of another format gives a document without a path, so that saving asks for one.
        """
        drawing, content = load_with_content(path)
        native = path.suffix.lower() == SUFFIX
        self._known_hashes = {path: content_hash(content)}
        self._document.start(drawing, path if native else None)
        return drawing.remark

    def open_copy(self, path: Path, title: str) -> None:
        """Open a file's content as a document without a file, under a title of its own."""
        drawing = load_drawing(path)
        self._document.start(drawing, title=title)

    def new(self) -> None:
        """Begin an empty document without a file."""
        self._document.start()

    def rescue(
        self, drawing: Drawing, path: Path | None, known_hash: str = "", title: str = ""
    ) -> None:
        """Restore recovered work; it counts as unsaved, even with a path.

        `known_hash` is that of the file when the work began; without it the file counts as changed.
        `title` names work without a path.
        """
        self._known_hashes = {path: known_hash} if path is not None else {}
        self._document.start(drawing, path, title)
        self._document.mark_unsaved()

    @property
    def on_disk(self) -> OnDisk:
        """Return whether another program changed or removed the file since the last access."""
        path = self._document.path
        return OnDisk.SAME if path is None else state_on_disk(path, self.known_hash)

    @property
    def gone(self) -> bool:
        """Return whether the document's file was removed; faster than `on_disk`."""
        path = self._document.path
        return path is not None and not os.path.exists(path)  # also True without permission to look

    def save(self, path: Path, replace_protected: bool = False) -> None:
        """Save the document atomically.

        A file whose mode forbids writing is refused, unless `replace_protected`, for which the
        caller must have asked the user.
        """
        text = whole_text(self._document.sheet)
        write_atomically(path, text, replace_protected)
        self._known_hashes[path] = content_hash(text)
        self._document.saved(path)


def file_name(title: str) -> str:
    """Return a name for a file that holds a document of this title."""
    title = title.removesuffix(SUFFIX).replace("**", "^").translate(_OPERATORS)
    stem = _NOT_IN_NAMES.sub("-", title).strip(" .-…")[:_LONGEST_STEM]
    return f"{stem or 'graph'}{SUFFIX}"


def state_on_disk(path: Path, known_hash: str) -> OnDisk:
    """Return the state of a file whose content once had a known hash."""
    content = _content(path)
    if content is None:
        return OnDisk.GONE
    return OnDisk.SAME if content_hash(content) == known_hash else OnDisk.CHANGED


def whole_text(sheet: Sheet) -> bytes:
    """Return the content of a file for this sheet, verified by reading it back."""
    text = write_drawing(sheet.drawing())
    if not same_sheet(sheet_of(read_drawing(text)), sheet):
        raise FormatError("The graph can't be written without loss, so nothing was written.")
    return text.encode("utf-8")


def content_hash(content: bytes) -> str:
    """Return the hash by which the content of a file is known again."""
    import hashlib  # loads OpenSSL, which the start page does not need

    return hashlib.sha256(content).hexdigest()


def _content(path: Path) -> bytes | None:
    """Return a file's content; None if it is gone, b"" if it can't be one of ours."""
    try:
        state = path.stat()
        if not stat.S_ISREG(state.st_mode) or state.st_size > SIZE_LIMIT:
            return b""
        return path.read_bytes()
    except (OSError, ValueError):
        return None


RECENT_LIMIT = 10
"""Maximum number of recent files."""
_RECENT_KEY = "recent"
"""Name of their list in the settings."""


class Recent(QObject):
    """The list of recent files, kept in the settings."""

    changed = Signal()
    """Emitted after the list was written, also if it is the same."""

    def __init__(self, settings: QSettings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings

    @property
    def paths(self) -> tuple[Path, ...]:
        """Return the existing files, newest first."""
        return tuple(path for path in self._read_list() if path.is_file())

    def add(self, path: Path) -> None:
        """Move a file to the top."""
        absolute = path.absolute()
        others = [p for p in self._read_list() if p != absolute]
        self._write([absolute, *others][:RECENT_LIMIT])

    def clear(self) -> None:
        self._write([])

    def _read_list(self) -> list[Path]:
        # Qt reads a list of one text as a text
        setting = self._settings.value(_RECENT_KEY, [])
        texts: list[object] = list(setting) if isinstance(setting, list) else [setting]  # type: ignore[arg-type]
        return [Path(text) for text in texts if isinstance(text, str) and text and "\0" not in text]

    def _write(self, paths: list[Path]) -> None:
        self._settings.setValue(_RECENT_KEY, [str(path) for path in paths])
        self.changed.emit()
