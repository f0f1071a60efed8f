"""Files: the document's file, the list of recent files, and the recovery copy."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QDir, QMimeData, QObject, QSettings, QStandardPaths

from app.document.document import Document
from app.document.files import DocumentFile
from app.document.recent import Recent
from app.document.recovery import Recovery
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
