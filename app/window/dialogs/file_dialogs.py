"""File dialogs for opening and saving, with our icons."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize, Qt, QUrl
from PySide6.QtGui import QIcon, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QFileSystemModel,
    QLineEdit,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
)

from app.guard import guarded
from app.lessons.index import SUFFIX as LESSON
from app.style import sizes
from app.style.current import Style
from app.style.icons import icon
from app.window.dialogs.ask import tell
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


_BUTTONS: Final = {
    "backButton": "left",
    "forwardButton": "right",
    "toParentButton": "up",
    "newFolderButton": "new_folder",
    "listModeButton": "tiles",
    "detailModeButton": "menu",
}
"""Icons of the buttons, by the names that Qt gives them."""
_URL: Final = 0x0101
"""The role in which the places at the side hold their URL (UrlRole of Qt's QUrlModel)."""


def draw_file_icons(dialog: QFileDialog, style: Style) -> None:
    """Replace the icons of buttons, files and places; a dialog of the desktop keeps its own."""
    side = QSize(style.px(sizes.ICON), style.px(sizes.ICON))
    for name, shape in _BUTTONS.items():
        button = dialog.findChild(QToolButton, name)
        if isinstance(button, QToolButton):
            button.setIcon(icon(shape, style.theme))
            button.setIconSize(side)
    delegate = _FileIcons(style, dialog)
    dialog.setItemDelegate(delegate)
    places = dialog.findChild(QListView, "sidebar")
    if isinstance(places, QListView):
        places.setItemDelegate(delegate)
        places.setIconSize(side)
    folders = dialog.findChild(QComboBox, "lookInCombo")
    if isinstance(folders, QComboBox):
        folders.setIconSize(QSize(0, 0))  # its entries are all folders


@guarded
class _FileIcons(QStyledItemDelegate):
    """Shows files, folders and the computer with our icons."""

    def __init__(self, style: Style, dialog: QFileDialog) -> None:
        super().__init__(dialog)
        self._style = style

    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().initStyleOption(option, index)
        shown = QStyleOptionViewItem.ViewItemFeature.HasDecoration
        if option.features & shown:  # pyright: ignore[reportAttributeAccessIssue]
            option.icon = self._icon(index)  # pyright: ignore[reportAttributeAccessIssue]

    def _icon(self, index: QModelIndex | QPersistentModelIndex) -> QIcon:
        model, url = index.model(), index.data(_URL)
        if isinstance(model, QFileSystemModel):
            shape = "folder" if model.isDir(index) else "new"
        else:
            is_computer = isinstance(url, QUrl) and not url.path()
            shape = "computer" if is_computer else "folder"
        return icon(shape, self._style.theme)
