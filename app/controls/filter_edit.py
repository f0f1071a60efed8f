"""A field that filters a list while one types."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from app.controls.keys import KeyClaim
from app.style.current import Style
from app.style.icons import icon


class FilterEdit(QLineEdit):
    """A search field with its icon; Esc clears it, Down asks for the list."""

    filter_changed = Signal(str)
    list_wanted = Signal()

    def __init__(
        self, style: Style, placeholder: str = "Filter", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._style = style
        self._search = QAction(self)
        self._clear = QAction("Clear", self)
        self.addAction(self._search, QLineEdit.ActionPosition.LeadingPosition)
        self.addAction(self._clear, QLineEdit.ActionPosition.TrailingPosition)
        self.setPlaceholderText(placeholder)
        self.setAccessibleName(placeholder)
        self.setMaxLength(200)
        self._clear.triggered.connect(self.clear)
        self.textChanged.connect(self._changed)
        KeyClaim(self, Qt.Key.Key_Escape, Qt.Key.Key_Down)
        style.changed.connect(self._restyle)
        self._restyle()
        self._clear.setVisible(False)

    def filter(self) -> str:
        """What to look for: without outer spaces, in small letters."""
        return self.text().strip().casefold()

    def _changed(self) -> None:
        self._clear.setVisible(bool(self.text()))
        self.filter_changed.emit(self.filter())

    def _restyle(self) -> None:
        theme = self._style.theme
        self._search.setIcon(icon("search", theme, theme.secondary))
        self._clear.setIcon(icon("close", theme, theme.secondary))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        elif event.key() == Qt.Key.Key_Down:
            self.list_wanted.emit()
        else:
            super().keyPressEvent(event)
