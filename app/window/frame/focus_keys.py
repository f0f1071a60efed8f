"""F6 between parts of the window, and keys that a focused control keeps from shortcuts.

Qt asks the focused widget (ShortcutOverride) before it runs a shortcut. Text fields need every
plain key, sliders their arrows, lists those up and down; everything else leaves the keys to the
window.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from app.guard import guarded

_WRITING = ("QLineEdit", "QTextEdit", "QPlainTextEdit", "QAbstractSpinBox")
_LISTS = ("QAbstractItemView", "QComboBox")
_WALKING = (*_LISTS, "QAbstractSlider", "QTabBar")
"""Kinds of widgets, by name: the start needs few of their classes."""
_ARROWS = {
    Qt.Key.Key_Left,
    Qt.Key.Key_Right,
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_Home,
    Qt.Key.Key_End,
    Qt.Key.Key_PageUp,
    Qt.Key.Key_PageDown,
    Qt.Key.Key_Return,
    Qt.Key.Key_Enter,
    Qt.Key.Key_Delete,
    Qt.Key.Key_Backspace,
}
_ACROSS = {Qt.Key.Key_Left, Qt.Key.Key_Right}
"""Keys for which lists and choices have no use: there they step through the pass."""
_LEFT_TO_THE_WINDOW = {Qt.Key.Key_PageUp, Qt.Key.Key_PageDown}
_FUNCTION_KEYS = range(Qt.Key.Key_F1, Qt.Key.Key_F35 + 1)


@guarded
class FocusKeys(QObject):
    """Filters the events of the focused widget only."""

    def __init__(self, application: QApplication, parent: QObject) -> None:
        super().__init__(parent)
        self._watched: QWidget | None = None
        application.focusChanged.connect(self._watch)

    def _watch(self, _old: QWidget | None, new: QWidget | None) -> None:
        if self._watched is not None and isValid(self._watched):
            self._watched.removeEventFilter(self)
        self._watched = None
        if new is not None and _is_any(new, (*_WRITING, *_WALKING)) and not _in_popup(new):
            self._watched = new
            new.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return False
        if _keeps(watched, event):
            event.accept()
            return True
        return False


def _is_any(widget: QObject, kinds: tuple[str, ...]) -> bool:
    return any(map(widget.inherits, kinds))


def _in_popup(widget: QWidget) -> bool:
    """Return whether a widget is in a popup, as the list of a combo box is.

    No shortcut acts there, and Qt's list chooses and closes on ShortcutOverride itself.
    """
    return widget.window().windowType() == Qt.WindowType.Popup


def _keeps(widget: QObject, event: QKeyEvent) -> bool:
    """Return whether this key belongs to the widget."""
    command = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.MetaModifier
    if event.modifiers() & (command | Qt.KeyboardModifier.AltModifier):
        return False
    key = event.key()
    if _is_any(widget, _WRITING) or widget.property("editable"):
        return key not in _LEFT_TO_THE_WINDOW and key not in _FUNCTION_KEYS
    return key in _ARROWS and not (_is_any(widget, _LISTS) and key in _ACROSS)


def focus_next(parts: Sequence[QWidget], steps: int) -> None:
    """Move the focus by `steps` visible parts, cyclically."""
    visible = [part for part in parts if part.isVisible()]
    focused = QApplication.focusWidget()
    here = next((k for k, p in enumerate(visible) if focused and p.isAncestorOf(focused)), None)
    if focused in visible:
        here = visible.index(focused)
    for far in range(1, len(visible) + 1):  # a part behind a stage takes no keys
        target = _first_focus(visible[(far * steps + (here or 0)) % len(visible)])
        if target is not None:
            target.setFocus(Qt.FocusReason.TabFocusReason)
            return


def _first_focus(part: QWidget) -> QWidget | None:
    """Return the first focusable widget of a part: the part itself, or one inside."""
    for widget in (part, *part.findChildren(QWidget)):
        tabbed = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        if tabbed and widget.isVisible() and widget.isEnabled():
            return widget
    return None
