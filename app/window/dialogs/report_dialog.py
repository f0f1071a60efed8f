"""ReportDialog: a file dialog for saving a report, with a field for the learner's name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFileDialog, QGridLayout, QLabel, QLineEdit

from app.guard import guarded
from app.style.current import Style
from app.window.dialogs.ask import tell
from app.window.dialogs.file_dialogs import FileDialog
from engine.formats.report import SUFFIX, TEXT_LIMIT

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


@guarded
class ReportDialog(FileDialog):
    """A file dialog that also asks for the learner's name, without which it does not close."""

    def __init__(
        self, parent: QWidget, style: Style, folder: str, student: str, suffix: str = SUFFIX
    ) -> None:
        super().__init__(parent, style, "Save the report", folder, saves=True)
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
