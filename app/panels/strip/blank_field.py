"""A blank of the sentence: a field for one number."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLineEdit, QWidget

from app.controls.keys import ENTER, KeyClaim
from app.guard import guarded
from app.style.current import Style
from engine.numbers import ASKED

LONGEST: Final = 80
"""Characters of an answer."""
_RADIUS, _EMPTY_LINE, _CARET_LINE, _ASKED_LINE = 6.0, 1.5, 2.2, 1.1
"""Radius and widths of the line in px at 100 %; the last is the width in a presentation, whose
scale is that of the sentence: 3 px at 1080."""
_DASHES: Final = (3.0, 2.4)
_TINT: Final = 0.06


@guarded
class BlankField(QLineEdit):
    """One field; Enter, Esc and the page keys belong to the strip while the caret is here."""

    entered = Signal()
    left = Signal()
    paged = Signal(int)
    """Emitted with 1 for PageDown, −1 for PageUp."""

    def __init__(self, style: Style, parent: QWidget) -> None:
        super().__init__(parent)
        self._style = style
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

    def set_chosen(self, chosen: bool) -> None:
        """Show what is chosen below, so that nothing is typed here; or take a text again."""
        self.setReadOnly(chosen)
        policy = Qt.FocusPolicy.NoFocus if chosen else Qt.FocusPolicy.StrongFocus
        self.setFocusPolicy(policy)

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

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the box, dashed while it is empty, and the text of the field above it."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            pen, tint = self._line(), QColor(self._style.theme.selection)
            tint.setAlphaF(_TINT)
            filled = self.hasFocus() or bool(self.text())
            painter.setPen(pen)
            painter.setBrush(self._style.theme.node if filled else tint)
            inset = pen.widthF() / 2
            radius = _RADIUS * self._style.scale
            box = QRectF(self.rect()).adjusted(inset, inset, -inset, -inset)
            painter.drawRoundedRect(box, radius, radius)
        super().paintEvent(event)

    def _line(self) -> QPen:
        """Return the pen of the box: solid with the caret or a text, else dashed."""
        style = self._style
        wide = _CARET_LINE if self.hasFocus() else _EMPTY_LINE
        if style.presented:
            wide = _ASKED_LINE
        pen = QPen(style.theme.selection, wide * style.scale)
        if not self.hasFocus() and not self.text():
            pen.setDashPattern(_DASHES)
        return pen
