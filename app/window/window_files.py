"""Files of a window: its document, recent files, the recovery copy, and the log of errors."""

from __future__ import annotations

import contextlib
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QDir, QMimeData, QObject, QSettings, QStandardPaths

from app.document.document import Document
from app.document.document_file import DocumentFile, Recent
from app.document.recovery import Recovery, state_folder
from engine.formats import FORMATS


class Files:
    """The file, the recent files and the recovery copy of a window's document.

    `store` has the user's settings, and with them the recent files.
    """

    def __init__(self, document: Document, store: QSettings, parent: QObject) -> None:
        self._document = document
        self.document_file = DocumentFile(document)
        self.recent = Recent(store, parent)
        self.recovery = Recovery(
            document, parent=parent, known_hash=lambda: self.document_file.known_hash
        )

    @property
    def unsaved(self) -> bool:
        """Return whether closing would lose work."""
        return self._document.unsaved

    @property
    def folder(self) -> Path:
        """Return the folder of the last file opened or saved, or the user's documents."""
        last = self._document.path or next(iter(self.recent.paths), None)
        if last is not None:
            return last.parent
        documents = QStandardPaths.StandardLocation.DocumentsLocation
        return Path(QStandardPaths.writableLocation(documents) or QDir.homePath())


def data_folder() -> Path:
    """Return the folder of the learner's own data, such as progress in lessons."""
    user_data = QStandardPaths.StandardLocation.GenericDataLocation
    return Path(QStandardPaths.writableLocation(user_data)) / "backwire"


def graph_file(mime: QMimeData, *more_suffixes: str) -> Path | None:
    """Return the path in dropped or copied data, if it is a single file that can be opened.

    Accepted are the suffixes of the formats that are read, and `more_suffixes`.
    """
    urls = mime.urls()
    if len(urls) != 1 or not urls[0].isLocalFile():
        return None
    path = Path(urls[0].toLocalFile())
    readable = tuple(suffix for each in FORMATS if each.read for suffix in each.suffixes)
    is_graph = path.name.lower().endswith((*readable, *more_suffixes))
    return path if is_graph and not path.is_dir() else None


_MAX_LOG_SIZE = 1_000_000
"""In bytes; a larger log is overwritten."""


def log_file() -> Path:
    return state_folder() / "errors.log"


def write_log(text: str) -> None:
    """Append a text to the log, or overwrite it when it is too large."""
    path = log_file()
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        mode = "w" if path.exists() and path.stat().st_size > _MAX_LOG_SIZE else "a"
        with path.open(mode, encoding="utf-8", errors="replace") as file:
            file.write(f"--- {datetime.now().isoformat(timespec='seconds')}\n{text.rstrip()}\n")
