"""File dialogs for opening and saving, with our icons; ReportDialog also asks for a name."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize, Qt, QUrl
from PySide6.QtGui import QIcon, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QFileSystemModel,
    QGridLayout,
    QLabel,
    QLineEdit,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
)

from app.document.document_file import SUFFIX as DRAWING_SUFFIX
from app.document.document_file import file_name
from app.guard import exception_safe
from app.lessons.course import SUFFIX as LESSON_SUFFIX
from app.style import sizes
from app.style.current import Style
from app.style.icons import icon
from app.window.dialogs.ask import fit_screen, save_replacing, tell
from engine.errors import FormatError
from engine.formats import FORMATS
from engine.formats.files import check_target
from engine.formats.report import SUFFIX, TEXT_LIMIT

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


@exception_safe
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
        # `accept` checks a file to be written, and whoever reads a file reports a missing one
        self.setFileMode(QFileDialog.FileMode.AnyFile)
        # Qt's question would block; `save_replacing` asks instead, after the dialog is closed
        self.setOption(QFileDialog.Option.DontConfirmOverwrite)

    def accept(self) -> None:
        """Close with the chosen file, unless it can't be written.

        Qt's dialog would silently ignore a name that is too long. A native dialog is closed by now,
        so the caller checks its file.
        """
        # the name of a field in Qt's own dialog
        is_qt_dialog = self.findChild(QLineEdit, "fileNameEdit") is not None
        chosen = [Path(name) for name in self.selectedFiles()]
        if self._saves and is_qt_dialog and chosen and not os.path.isdir(chosen[0]):
            try:
                check_target(chosen[0])
            except FormatError as error:
                tell(self, "No file can be saved there.", str(error))
                return
        super().accept()

    def showEvent(self, event: QShowEvent) -> None:
        draw_file_icons(self, self._style)  # Qt makes its widgets late, so not before
        fit_screen(self)
        super().showEvent(event)


class Target(NamedTuple):
    """What a dialog asks a file for: its title, the suggested path, the filter of names."""

    title: str
    suggested: Path
    name_filter: str
    with_suffix: Callable[[Path], Path]
    """Returns a chosen path with the suffix that it needs."""
    own: Path | None = None
    """The file of what is saved, which is replaced without a question."""
    over_protected: bool = False
    """Whether a write-protected file is replaced, too."""


def ask_target(
    parent: QWidget, style: Style, target: Target, save: Callable[[Path], object]
) -> None:
    """Ask for a file to save to, and about one that is there; Cancel there asks for another one."""

    def save_chosen(name: str) -> None:
        path = target.with_suffix(Path(name))
        if path == target.own:
            save(path)
        else:
            over_protected = target.over_protected
            save_replacing(parent, path, save, ask_again, over_protected=over_protected)

    def ask_again() -> None:
        ask_target(parent, style, target, save)

    dialog = FileDialog(parent, style, target.title, str(target.suggested.parent), saves=True)
    dialog.setNameFilters([target.name_filter])
    dialog.setDefaultSuffix(target.with_suffix(Path("x")).name[2:])
    dialog.selectFile(target.suggested.name)
    dialog.fileSelected.connect(save_chosen)
    dialog.open()


def with_json_suffix(path: Path) -> Path:
    """Return a path with `.json` appended, unless it has that suffix in any case."""
    return path if path.suffix.lower() == ".json" else path.with_name(f"{path.name}.json")


def open_filters() -> list[str]:
    """Return the name filters for opening: all formats and lessons at once, then each alone."""
    readable = [found for found in FORMATS if found.read]
    everything = " ".join(f"*{suffix}" for found in readable for suffix in found.suffixes)
    each = [f"{f.title} ({' '.join(f'*{s}' for s in f.suffixes)})" for f in readable]
    return [
        f"Graphs and lessons ({everything} *{LESSON_SUFFIX})",
        *each,
        f"Lesson (*{LESSON_SUFFIX})",
    ]


_BUTTONS: Final = {
    "backButton": "left",
    "forwardButton": "right",
    "toParentButton": "up",
    "newFolderButton": "new_folder",
    "listModeButton": "tiles",
    "detailModeButton": "menu",
}
"""Icons of the buttons, by the names that Qt gives them."""
_URL_ROLE: Final = 0x0101
"""The role of the sidebar's URLs: UrlRole of Qt's private QUrlModel."""


def draw_file_icons(dialog: QFileDialog, style: Style) -> None:
    """Replace the icons of buttons, files and sidebar; a native dialog keeps its own."""
    side = QSize(style.px(sizes.ICON), style.px(sizes.ICON))
    for name, shape in _BUTTONS.items():
        button = dialog.findChild(QToolButton, name)
        if isinstance(button, QToolButton):
            button.setIcon(icon(shape, style.theme))
            button.setIconSize(side)
    delegate = _FileIcons(style, dialog)
    dialog.setItemDelegate(delegate)
    sidebar = dialog.findChild(QListView, "sidebar")
    if isinstance(sidebar, QListView):
        sidebar.setItemDelegate(delegate)
        sidebar.setIconSize(side)
    folders = dialog.findChild(QComboBox, "lookInCombo")
    if isinstance(folders, QComboBox):
        folders.setIconSize(QSize(0, 0))  # its entries are all folders


@exception_safe
class _FileIcons(QStyledItemDelegate):
    """Shows files, folders and the computer with our icons."""

    def __init__(self, style: Style, dialog: QFileDialog) -> None:
        super().__init__(dialog)
        self._style = style

    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().initStyleOption(option, index)
        has_icon = QStyleOptionViewItem.ViewItemFeature.HasDecoration
        if option.features & has_icon:  # pyright: ignore[reportAttributeAccessIssue]
            option.icon = self._icon(index)  # pyright: ignore[reportAttributeAccessIssue]

    def _icon(self, index: QModelIndex | QPersistentModelIndex) -> QIcon:
        model, url = index.model(), index.data(_URL_ROLE)
        if isinstance(model, QFileSystemModel):
            shape = "folder" if model.isDir(index) else "new"
        else:
            is_computer = isinstance(url, QUrl) and not url.path()
            shape = "computer" if is_computer else "folder"
        return icon(shape, self._style.theme)


@exception_safe
class ReportDialog(FileDialog):
    """A file dialog that also asks for the learner's name, without which it does not close."""

    def __init__(
        self, parent: QWidget, style: Style, file: Path, student: str, suffix: str = SUFFIX
    ) -> None:
        """`file` is offered, behind the learner's name."""
        super().__init__(parent, style, "Save the report", str(file.parent), saves=True)
        self._file, self._offered = file.name, ""
        # the system's own dialogs have no room for a name
        self.setOption(QFileDialog.Option.DontUseNativeDialog)
        self.setNameFilters([f"Report (*{suffix})"])
        self.name = QLineEdit(student)
        self.name.setMaxLength(TEXT_LIMIT)
        self.name.setPlaceholderText("as your teacher knows it")
        label = QLabel("Your &name:")
        label.setBuddy(self.name)
        grid = self.layout()
        assert isinstance(grid, QGridLayout)
        row = grid.rowCount()
        grid.addWidget(label, row, 0)
        grid.addWidget(self.name, row, 1)
        self.name.textChanged.connect(self._offer_file)
        self._offer_file()

    def _offer_file(self) -> None:
        """Offer a file with the learner's name, unless the learner named one."""
        if not self._offered or self.selectedFiles() == [self._offered]:
            stem = file_name(self.student).removesuffix(DRAWING_SUFFIX) if self.student else ""
            self.selectFile(f"{stem}-{self._file}".lstrip("-"))
            (self._offered,) = self.selectedFiles()

    @property
    def student(self) -> str:
        """Return the typed name, with single spaces."""
        return " ".join(self.name.text().split())

    def accept(self) -> None:
        """Close with the chosen file, unless no name was given."""
        if self.student:
            super().accept()
            return
        self.name.setFocus()
        tell(self, "Whose report is it?", "Type your name first: the report is handed in with it.")

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self.student:
            self.name.setFocus()
