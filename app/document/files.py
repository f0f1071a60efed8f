"""DocumentFile: the document's file, opened whole, saved whole, and watched for other writers."""

from __future__ import annotations

import stat
from pathlib import Path

from app.document.document import Document
from app.document.sheet import Sheet, same_sheet, sheet_of
from engine.errors import FormatError
from engine.files import load_drawing, load_with_content, write_whole
from engine.formats.native import SIZE_LIMIT, Drawing, read_drawing, write_drawing

SUFFIX = ".backwire"


class DocumentFile:
    """Reads and writes one document; every refusal is a FormatError that changes nothing."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._known: bytes | None = None

    def open(self, path: Path) -> None:
        """Put what a file holds in place of the document.

        A file of another format gives a document without a path, so that saving asks for one.
        """
        drawing, content = load_with_content(path)
        native = path.suffix.lower() == SUFFIX
        self._known = content if native else None
        self._document.start(drawing, path if native else None)

    def open_copy(self, path: Path) -> None:
        """Put what a file holds in place of the document, which belongs to no file then."""
        drawing = load_drawing(path)
        self._known = None
        self._document.start(drawing)

    def new(self) -> None:
        """Begin an empty document without a file."""
        self._known = None
        self._document.start()

    def rescue(self, drawing: Drawing, path: Path | None, title: str = "") -> None:
        """Show work that stands in no file as it is; it counts as not saved, even with a path."""
        self._known = _content(path) if path is not None else None
        self._document.start(drawing, path, title)
        self._document.stack.resetClean()

    @property
    def changed_on_disk(self) -> bool:
        """Whether somebody else has written the file since it was opened or saved."""
        path = self._document.path
        if path is None or self._known is None:
            return False
        found = _content(path)
        return found is not None and found != self._known

    def save(self, path: Path) -> None:
        """Write the document; the old file stays whole until the new one is."""
        text = whole_text(self._document.sheet)
        write_whole(path, text)
        self._known = text
        self._document.saved(path)


def whole_text(sheet: Sheet) -> bytes:
    """What a file of this sheet holds, read back and compared before it is given out."""
    text = write_drawing(sheet.drawing())
    if not same_sheet(sheet_of(read_drawing(text)), sheet):
        raise FormatError("The graph can't be written without loss, so nothing was written.")
    return text.encode("utf-8")


def _content(path: Path) -> bytes | None:
    """What a file holds; None if it is gone, nothing if it can't be one of ours."""
    try:
        state = path.stat()
        if not stat.S_ISREG(state.st_mode) or state.st_size > SIZE_LIMIT:
            return b""
        return path.read_bytes()
    except (OSError, ValueError):
        return None
