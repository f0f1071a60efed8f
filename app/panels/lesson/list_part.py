"""ListPart: the lessons of the course, unit by unit, with how far each is."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.controls.layouts import in_column
from app.controls.row_list import Column, ListRow, RowList
from app.style.current import Style


class ListPart(QWidget):
    """A row for each lesson; a click or Enter begins it, or goes on where it was left."""

    chosen = Signal(str)

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._names: tuple[str, ...] = ()
        columns = (Column(20), Column(takes_rest=True), Column(right=True))
        self.rows = RowList(style, "Lessons", columns, row_height=28)
        in_column(self.rows, parent=self, edges=0)
        self.rows.chosen.connect(self._choose)

    def show_lessons(self, names: Sequence[str], rows: Sequence[ListRow]) -> None:
        """Show these lessons."""
        self._names = tuple(names)
        self.rows.show_rows(rows)

    def _choose(self, place: int) -> None:
        if 0 <= place < len(self._names):
            self.chosen.emit(self._names[place])
