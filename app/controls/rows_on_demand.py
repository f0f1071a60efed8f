"""RowsOnDemand: widgets of one kind below one another, made when they are first needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from PySide6.QtWidgets import QWidget

Row = TypeVar("Row", bound=QWidget)


class RowsOnDemand(Generic[Row]):
    """As many widgets as were ever needed; those that are not needed now are hidden."""

    def __init__(self, make: Callable[[], Row], add: Callable[[Row], object]) -> None:
        self._make, self._add = make, add
        self._rows: list[Row] = []

    def __getitem__(self, place: int) -> Row:
        return self._rows[place]

    @property
    def shown(self) -> list[Row]:
        """Return the rows that are not hidden, from top to bottom."""
        return [row for row in self._rows if not row.isHidden()]

    def show(self, count: int) -> Sequence[Row]:
        """Show that number of rows, and return them to be filled."""
        while len(self._rows) < count:
            row = self._make()
            self._rows.append(row)
            self._add(row)
        for place, row in enumerate(self._rows):
            if row.isHidden() != (place >= count):  # a change costs a layout
                row.setHidden(place >= count)
        return self._rows[:count]
