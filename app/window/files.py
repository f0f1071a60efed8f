"""Files: the document's file, the list of recent files, and the recovery copy."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QDir, QObject, QSettings, QStandardPaths

from app.document.document import Document
from app.document.files import DocumentFile
from app.document.recent import Recent
from app.document.recovery import Recovery


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
