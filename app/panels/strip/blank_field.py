"""A blank of the sentence: a field for one number."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from app.controls.keys import ENTER, KeyClaim
from app.guard import guarded
from engine.numbers import ASKED

LONGEST: Final = 80
"""Characters of an answer."""


@guarded
class BlankField(QLineEdit):
    """One field; Enter, Esc and the page keys belong to the strip while the caret is here."""

    entered = Signal()
    left = Signal()
    paged = Signal(int)
    """Emitted with 1 for PageDown, −1 for PageUp."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setMaxLength(LONGEST)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setProperty("kind", "blank")
        self.setPlaceholderText(ASKED)
        KeyClaim(self, *ENTER, Qt.Key.Key_Escape, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp)

    def show_text(self, text: str) -> None:
        """Show the text that the quiz keeps for this blank; the caret stays where it is."""
        if self.text() != text:
            place = self.cursorPosition()
            blocked = self.blockSignals(True)
            self.setText(text)
            self.blockSignals(blocked)
            self.setCursorPosition(min(place, len(text)))

    # Qt's events

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in ENTER:
            self.entered.emit()
        elif key == Qt.Key.Key_Escape:
            self.left.emit()
        elif key in (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp):
            self.paged.emit(1 if key == Qt.Key.Key_PageDown else -1)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.setPlaceholderText("")

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.setPlaceholderText(ASKED)
