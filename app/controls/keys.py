"""Keys that belong to the focused widget before they belong to the window's shortcuts."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from app.guard import guarded

ARROWS = (
    Qt.Key.Key_Left,
    Qt.Key.Key_Right,
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_PageUp,
    Qt.Key.Key_PageDown,
    Qt.Key.Key_Home,
    Qt.Key.Key_End,
)
"""Keys that move within a widget; in the window they step through a pass."""
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


@guarded
class KeyClaim(QObject):
    """Claims keys without Ctrl or Alt for one widget while it has the focus.

    It filters the events of the widget only then: a window has many, and each event costs time.
    """

    def __init__(self, widget: QWidget, *keys: Qt.Key) -> None:
        super().__init__(widget)
        self._widget = widget
        self._keys = frozenset(keys)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._follow_focus)

    def _follow_focus(self, old: QWidget | None, new: QWidget | None) -> None:
        if new is self._widget:
            self._widget.installEventFilter(self)
        elif old is self._widget:
            self._widget.removeEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return False
        others = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
        if event.key() in self._keys and not event.modifiers() & others:
            event.accept()
            return True
        return False


@guarded
class PressedByEnter(KeyClaim):
    """Lets Enter press a button that has the focus, as Space does."""

    def __init__(self, button: QAbstractButton) -> None:
        super().__init__(button, *ENTER)
        self._button = button

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() not in self._keys:
                return False
            if not event.isAutoRepeat():
                self._button.click()
            return True
        return super().eventFilter(watched, event)
