"""Offer cards of the start page: Daily five and the final test, below the lessons."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from app.controls.focus import PressedByEnter
from app.controls.layouts import in_column, in_row, plain_label, set_kind
from app.style.current import Style


class OfferCard(QFrame):
    """A card with a title, one line of text and a button, which is hidden while it is locked."""

    chosen = Signal()
    """Emitted by the button."""

    def __init__(self, style: Style, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = title
        self._title = plain_label(title, "heading")
        self.text = plain_label(kind="caption", wraps=True)
        self.button = QPushButton()
        PressedByEnter(self.button)
        self.button.clicked.connect(self.chosen)
        texts = in_column(self._title, self.text, style=style, edges=0, gap=4)
        in_row((texts, 1), self.button, parent=self, style=style, edges=(16, 10, 12, 10), gap=12)

    def show_offer(self, text: str, button: str, *, enabled: bool, is_open: bool) -> None:
        """Show an offer, `enabled` or with nothing to begin now.

        One that is not open yet has an outline alone and no button.
        """
        set_kind(self, "code" if is_open else "empty")
        set_kind(self._title, "heading" if is_open else "name")
        self.text.setText(text)
        self.button.setText(button)
        self.button.setAccessibleName(f"{self._name}: {button}")
        self.button.setAccessibleDescription(text)
        self.button.setEnabled(enabled)
        self.button.setVisible(is_open)
