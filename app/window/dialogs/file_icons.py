"""Our own icons in Qt's file dialog, which brings those of its style."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize, QUrl
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QFileSystemModel,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
)

from app.guard import guarded
from app.style import sizes
from app.style.current import Style
from app.style.icons import icon

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
