"""Breadcrumbs: the path to the group that is entered, and the way back out."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from app.document.sheet import Group
from app.style.current import Style


class Breadcrumbs(QFrame):
    """A row of sheet, layer, neuron ...; every part but the last is a button."""

    chosen = Signal(object)
    """Emitted with the number of the group to enter, or None for the whole sheet."""

    def __init__(self, style: Style, parent: QWidget) -> None:
        super().__init__(parent)
        self._style = style
        self.setProperty("kind", "card")
        self.setAccessibleName("Where you are")
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(6, 2, 10, 2)
        self._row.setSpacing(2)
        self.hide()

    def show_path(self, groups: Mapping[int, Group], inside: int | None) -> None:
        """Show the path from the sheet to a group; hidden on the sheet itself."""
        while self._row.count():
            item = self._row.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.deleteLater()
        if inside is None:
            self.hide()
            return
        path: list[int] = []
        at: int | None = inside
        while at is not None:
            path.insert(0, at)
            at = groups[at].parent
        self._button("Sheet", None)
        for number in path:
            self._row.addWidget(QLabel("/", self))
            title = groups[number].title or "group"
            if number == inside:
                label = QLabel(title, self)
                label.setProperty("kind", "strong")
                self._row.addWidget(label)
            else:
                self._button(title, number)
        self.move(12, 12)
        self.show()
        self.resize(self.sizeHint())
        self.raise_()

    def _button(self, text: str, number: int | None) -> None:
        button = QPushButton(text, self)
        button.setProperty("kind", "link")
        button.setProperty("group", number)
        button.clicked.connect(self._choose)
        self._row.addWidget(button)

    def _choose(self) -> None:
        self.chosen.emit(self.sender().property("group"))
