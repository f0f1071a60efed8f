"""File dialogs for opening and saving."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFileDialog, QLineEdit

from app.guard import guarded
from app.lessons.index import SUFFIX as LESSON
from app.style.current import Style
from app.window.dialogs.ask import tell
from app.window.dialogs.file_icons import draw_file_icons
from engine.errors import FormatError
from engine.formats import FORMATS
from engine.formats.files import check_target

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


@guarded
class FileDialog(QFileDialog):
    """A non-blocking file dialog that stays open while the file name is not valid."""

    def __init__(
        self, parent: QWidget, style: Style, title: str, folder: str, saves: bool = False
    ) -> None:
        super().__init__(parent, title, folder)
        self._style = style
        self._saves = saves
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        mode = QFileDialog.AcceptMode
        self.setAcceptMode(mode.AcceptSave if saves else mode.AcceptOpen)
        self.setFileMode(QFileDialog.FileMode.AnyFile)  # `accept` reports missing files
        self.setOption(QFileDialog.Option.DontConfirmOverwrite)  # `accept` asks, without blocking

    def accept(self) -> None:
        """Close with the chosen file, unless it can't be written.

        Qt's own dialog silently ignores a name that is too long. Native dialogs are closed by now;
        the caller checks their file.
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

    def showEvent(self, event: QShowEvent) -> None:
        draw_file_icons(self, self._style)
        super().showEvent(event)


def open_filters() -> list[str]:
    """Return filters for all readable formats and lessons together, then for each alone."""
    readable = [found for found in FORMATS if found.read]
    everything = " ".join(f"*{suffix}" for found in readable for suffix in found.suffixes)
    each = [f"{f.title} ({' '.join(f'*{s}' for s in f.suffixes)})" for f in readable]
    return [f"Graphs and lessons ({everything} *{LESSON})", *each, f"Lesson (*{LESSON})"]
