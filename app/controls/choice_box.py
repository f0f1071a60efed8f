"""ChoiceBox: a combo box in which Space chooses, as Return and Enter do; `choice_box` fills one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox

from app.guard import guarded

_MOST_ROWS: Final = 16
"""Number of rows beyond which the open list scrolls."""


@guarded
class ChoiceBox(QComboBox):
    """A combo box in whose open list Space chooses the current row, too."""

    def __init__(self, name: str = "") -> None:
        """Make an empty box; `name` is its accessible name where it has no label."""
        super().__init__()
        self.setAccessibleName(name)
        self.setMaxVisibleItems(_MOST_ROWS)
        self.view().installEventFilter(self)  # the keys of an open list go to its view

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        pressed = watched is self.view() and event.type() == QEvent.Type.KeyPress
        if pressed and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Space:
            self._choose(self.view().currentIndex().row())
            return True
        return super().eventFilter(watched, event)

    def _choose(self, row: int) -> None:
        enabled = self.model().index(row, 0).flags() & Qt.ItemFlag.ItemIsEnabled
        if row < 0 or not enabled:
            return
        self.hidePopup()
        self.setCurrentIndex(row)
        self.activated.emit(row)  # as Qt does after Enter; `setCurrentIndex` does not


def choice_box(texts: Mapping[str, str], chosen: str) -> ChoiceBox:
    """Return a box of texts with their keys as item data; without a `chosen` key the first."""
    box = ChoiceBox()
    for key, text in texts.items():
        box.addItem(text, key)
    box.setCurrentIndex(max(box.findData(chosen), 0))
    return box
