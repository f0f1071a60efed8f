"""The dialogs that ask for a file to open, or for a place to save."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLineEdit

from app.guard import guarded
from app.window.dialogs.ask import tell
from engine.errors import FormatError
from engine.files import check_target
from engine.formats import FORMATS

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


@guarded
class FileDialog(QFileDialog):
    """A file dialog that never blocks, and stays open when no file can have the name."""

    def __init__(self, parent: QWidget, title: str, folder: str, saves: bool = False) -> None:
        super().__init__(parent, title, folder)
        self._saves = saves
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        mode = QFileDialog.AcceptMode
        self.setAcceptMode(mode.AcceptSave if saves else mode.AcceptOpen)
        self.setFileMode(QFileDialog.FileMode.AnyFile)  # we say ourselves what is not there
        self.setOption(QFileDialog.Option.DontConfirmOverwrite)  # and ask, without blocking

    def accept(self) -> None:
        """Close with the file that is chosen, unless no file can be written there.

        Qt's own dialog would do nothing, and say nothing, about a name that is too long. The
        dialogs of other systems are closed by now: whoever gets their file asks again.
        """
        qts_own = self.findChild(QLineEdit, "fileNameEdit") is not None
        chosen = [Path(name) for name in self.selectedFiles()]
        if self._saves and qts_own and chosen and not os.path.isdir(chosen[0]):
            try:
                check_target(chosen[0])
            except FormatError as error:
                tell(self, "No file can be saved there.", str(error))
                return
        super().accept()


def open_filters() -> list[str]:
    """All readable formats at once, then each alone."""
    readable = [found for found in FORMATS if found.read]
    everything = " ".join(f"*{suffix}" for found in readable for suffix in found.suffixes)
    each = [f"{f.title} ({' '.join(f'*{s}' for s in f.suffixes)})" for f in readable]
    return [f"Graphs ({everything})", *each]
