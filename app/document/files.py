"""DocumentFile: the document's file, opened whole, saved whole, and watched for other writers."""

from __future__ import annotations

import hashlib
import os
import stat
from enum import Enum
from pathlib import Path

from app.document.document import Document
from app.document.sheet import Sheet, same_sheet, sheet_of
from engine.errors import FormatError
from engine.files import load_drawing, load_with_content, write_whole
from engine.formats.native import SIZE_LIMIT, Drawing, read_drawing, write_drawing

SUFFIX = ".backwire"


class OnDisk(Enum):
    """What has become of the document's file since it was opened or saved."""

    SAME = "same"
    CHANGED = "changed"
    GONE = "gone"


class DocumentFile:
    """Reads and writes one document; every refusal is a FormatError that changes nothing."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._base = ""

    @property
    def base(self) -> str:
        """The hash of the file as the document knows it; empty where it knows none."""
        return self._base

    def open(self, path: Path) -> str:
        """Put what a file holds in place of the document; returns a remark to show, if any.

        A file of another format gives a document without a path, so that saving asks for one.
        """
        drawing, content = load_with_content(path)
        native = path.suffix.lower() == SUFFIX
        self._base = _hash(content) if native else ""
        self._document.start(drawing, path if native else None)
        return drawing.remark

    def open_copy(self, path: Path) -> None:
        """Put what a file holds in place of the document, which belongs to no file then."""
        drawing = load_drawing(path)
        self._base = ""
        self._document.start(drawing)

    def new(self) -> None:
        """Begin an empty document without a file."""
        self._base = ""
        self._document.start()

    def rescue(self, drawing: Drawing, path: Path | None, base: str = "", title: str = "") -> None:
        """Show work that stands in no file as it is; it counts as not saved, even with a path.

        `base` is the hash of the file that the work began with. Without it the file counts as
        changed, since nobody knows. `title` is what work without a path is called.
        """
        self._base = base
        self._document.start(drawing, path, title)
        self._document.stack.resetClean()

    @property
    def on_disk(self) -> OnDisk:
        """Whether somebody else has written or removed the file since it was opened or saved."""
        path = self._document.path
        return OnDisk.SAME if path is None else compared(path, self._base)

    @property
    def gone(self) -> bool:
        """Whether the document's file is no longer there; quicker than `on_disk`."""
        path = self._document.path
        return path is not None and not os.path.exists(path)  # no rights to look: gone for us

    def save(self, path: Path, replace_protected: bool = False) -> None:
        """Write the document; the old file stays whole until the new one is.

        A file whose mode forbids writing is refused, unless the user was asked.
        """
        text = whole_text(self._document.sheet)
        write_whole(path, text, replace_protected)
        self._base = _hash(text)
        self._document.saved(path)


def compared(path: Path, base: str) -> OnDisk:
    """A file as it is now, beside the hash of what it held."""
    found = _content(path)
    if found is None:
        return OnDisk.GONE
    return OnDisk.SAME if _hash(found) == base else OnDisk.CHANGED


def whole_text(sheet: Sheet) -> bytes:
    """What a file of this sheet holds, read back and compared before it is given out."""
    text = write_drawing(sheet.drawing())
    if not same_sheet(sheet_of(read_drawing(text)), sheet):
        raise FormatError("The graph can't be written without loss, so nothing was written.")
    return text.encode("utf-8")


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _content(path: Path) -> bytes | None:
    """What a file holds; None if it is gone, nothing if it can't be one of ours."""
    try:
        state = path.stat()
        if not stat.S_ISREG(state.st_mode) or state.st_size > SIZE_LIMIT:
            return b""
        return path.read_bytes()
    except (OSError, ValueError):
        return None
