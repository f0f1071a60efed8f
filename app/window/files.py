"""Files: the document's file, recent files, the recovery copy, and the log of errors."""

from __future__ import annotations

import contextlib
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QDir, QMimeData, QObject, QSettings, QStandardPaths

from app.document.document import Document
from app.document.files import DocumentFile, Recent
from app.document.recovery import Recovery, state_folder
from engine.formats import FORMATS


class Files:
    """Connects the document of a window with the disk."""

    def __init__(self, document: Document, store: QSettings, parent: QObject) -> None:
        self._document = document
        self.document_file = DocumentFile(document)
        self.recent = Recent(store, parent)
        self.recovery = Recovery(document, parent=parent, base=lambda: self.document_file.base)

    @property
    def unsaved(self) -> bool:
        """Return whether closing would lose work."""
        return self._document.unsaved

    @property
    def folder(self) -> Path:
        """Return the folder in which a file was opened or saved last."""
        last = self._document.path or next(iter(self.recent.paths), None)
        if last is not None:
            return last.parent
        place = QStandardPaths.StandardLocation.DocumentsLocation
        return Path(QStandardPaths.writableLocation(place) or QDir.homePath())


def data_folder() -> Path:
    """Return the folder for what a learner has done, such as progress in lessons."""
    place = QStandardPaths.StandardLocation.GenericDataLocation
    return Path(QStandardPaths.writableLocation(place)) / "backwire"


def graph_file(given: QMimeData, *others: str) -> Path | None:
    """Return the only file in dropped or copied data, if its suffix is that of a graph.

    `others` are further suffixes that will do.
    """
    urls = given.urls()
    if len(urls) != 1 or not urls[0].isLocalFile():
        return None
    path = Path(urls[0].toLocalFile())
    suffixes = tuple(suffix for found in FORMATS if found.read for suffix in found.suffixes)
    return path if path.name.lower().endswith((*suffixes, *others)) and not path.is_dir() else None


_LONGEST_LOG = 1_000_000
"""Maximum size in bytes, above which the log is overwritten."""


def log_file() -> Path:
    """Return the path of the log."""
    return state_folder() / "errors.log"


def write_log(text: str) -> None:
    """Append a text to the log, or overwrite it when it is too large."""
    path = log_file()
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        mode = "w" if path.exists() and path.stat().st_size > _LONGEST_LOG else "a"
        with path.open(mode, encoding="utf-8", errors="replace") as file:
            file.write(f"--- {datetime.now().isoformat(timespec='seconds')}\n{text.rstrip()}\n")
