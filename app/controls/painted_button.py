"""A button that draws itself: a tile, a card, a chip. Space and Enter press it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QWidget

from app.controls.keys import KeyClaim
from app.guard import guarded
from app.style.current import Style

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


@guarded
class PaintedButton(QAbstractButton):
    """The base of such buttons: reached by Tab, answers the pointer, follows the style."""

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        KeyClaim(self, *_ENTER)
        style.changed.connect(self._restyle)

    def _restyle(self) -> None:
        self.updateGeometry()
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _ENTER:
            self.click()
        else:
            super().keyPressEvent(event)
