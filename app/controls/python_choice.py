"""PythonChoice: which Python runs a program: ours, one near a file, or another by its path."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Final, Protocol

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from app.controls.layouts import in_column
from app.controls.row_list import Column, RowList
from app.controls.spans import ListRow, Span
from app.guard import exception_safe
from app.runner import default_python
from app.runner.run import pythons
from app.style.current import Style
from engine.formats.files import shown_name

_LONGEST_PATH: Final = 4096
"""PATH_MAX of Linux."""


class HasPython(Protocol):
    """What keeps the path of the Python that the user chose last, for all that runs by one."""

    @property
    def python(self) -> str: ...
    @python.setter
    def python(self, python: str) -> None: ...


@exception_safe
class PythonChoice(QWidget):
    """A row for each Python that is known, and a field for the path of another one."""

    chosen = Signal(str)
    """Emitted with the path of the Python that was chosen."""

    def __init__(self, style: Style, name: str) -> None:
        super().__init__()
        self._paths: tuple[str, ...] = ()
        self.rows = RowList(style, name, (Column(stretches=True),), row_height=30)
        self.other = QLineEdit(placeholderText="another: the path of a Python")
        self.other.setMaxLength(_LONGEST_PATH)
        self.other.setAccessibleName("Another Python")
        in_column(self.rows, self.other, parent=self, style=style, gap=8)
        self.rows.chosen.connect(self._choose)
        self.other.editingFinished.connect(self._choose_other)

    def show_python(self, python: str, near: Path | None) -> None:
        """Show which Python is chosen, of those in or around a folder too, and of ours."""
        frozen = getattr(sys, "frozen", False)
        rows = [(default_python(), "This computer's Python" if frozen else "Backwire's Python", "")]
        found = () if near is None else pythons(near)
        rows += [
            (each.program, f"{shown_name(each.folder)} near the file", each.about) for each in found
        ]
        self._paths = tuple(path for path, _title, _about in rows)
        self.other.setText("" if python in self._paths else python)
        self.rows.show_rows(
            [
                ListRow(
                    ((Span(title, bold=True),),),
                    f"{title}, {about}" if about else title,
                    below=(Span(about, "secondary"),) if about else (),
                    choice="chosen" if path == python else "open",
                )
                for path, title, about in rows
            ]
        )

    def _choose(self, index: int) -> None:
        self.chosen.emit(self._paths[index])

    def _choose_other(self) -> None:
        path = self.other.text().strip()
        if path and shutil.which(path) is None:
            self.other.clear()
            self.other.setPlaceholderText(f"there is no Python {path}: name another one")
        elif path:
            self.chosen.emit(path)
