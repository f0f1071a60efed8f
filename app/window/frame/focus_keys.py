"""Keys that a focused control claims before shortcuts do, and F6 between parts of the window.

Qt asks the focused widget (ShortcutOverride) before it runs a shortcut. Text fields claim every
plain key, lists the vertical arrows; all other widgets leave the keys to the shortcuts of the
window, and all of them Page Up and Page Down. Sliders have a rule of their own, `OnPurpose`.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from app.controls.focus import PAGE_KEYS
from app.guard import exception_safe

# classes of widgets, by name so that the start need not import them
_TEXT_FIELDS = ("QLineEdit", "QTextEdit", "QPlainTextEdit", "QAbstractSpinBox")
_LISTS = ("QAbstractItemView", "QComboBox")
_KEYS_OF_LISTS = {
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_Home,
    Qt.Key.Key_End,
    Qt.Key.Key_Return,
    Qt.Key.Key_Enter,
    Qt.Key.Key_Delete,
    Qt.Key.Key_Backspace,
}
_FUNCTION_KEYS = range(Qt.Key.Key_F1, Qt.Key.Key_F35 + 1)


@exception_safe
class FocusKeys(QObject):
    """Claims keys for the focused widget, by an event filter that is on that widget only."""

    def __init__(self, application: QApplication, parent: QObject) -> None:
        super().__init__(parent)
        self._watched: QWidget | None = None
        application.focusChanged.connect(self._watch_focused)

    def _watch_focused(self, _old: QWidget | None, new: QWidget | None) -> None:
        if self._watched is not None and isValid(self._watched):
            self._watched.removeEventFilter(self)
        self._watched = None
        if new is not None and _inherits_any(new, (*_TEXT_FIELDS, *_LISTS)) and not _in_popup(new):
            self._watched = new
            new.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return False
        claimed = _claims(watched, event)
        event.setAccepted(claimed)
        return claimed or event.key() in PAGE_KEYS


def _inherits_any(widget: QObject, kinds: tuple[str, ...]) -> bool:
    return any(map(widget.inherits, kinds))


def _in_popup(widget: QWidget) -> bool:
    """Return whether a widget is in a popup, such as the list of a combo box.

    It needs no claim: shortcuts are off in popups, and Qt's list handles ShortcutOverride itself.
    """
    return widget.window().windowType() == Qt.WindowType.Popup


def _claims(widget: QObject, event: QKeyEvent) -> bool:
    """Return whether a widget claims the key."""
    modifier = Qt.KeyboardModifier
    shortcut_modifiers = modifier.ControlModifier | modifier.MetaModifier | modifier.AltModifier
    if event.modifiers() & shortcut_modifiers:
        return False
    key = event.key()
    # "editable": of a combo box into which one can type
    if _inherits_any(widget, _TEXT_FIELDS) or widget.property("editable"):
        return key not in PAGE_KEYS and key not in _FUNCTION_KEYS
    return key in _KEYS_OF_LISTS


def focus_next(parts: Sequence[QWidget], steps: int) -> None:
    """Move the focus by `steps` visible parts, cyclically, to one with a focusable widget."""
    visible = [part for part in parts if part.isVisible()]
    focused = QApplication.focusWidget()
    current = next((k for k, p in enumerate(visible) if focused and p.isAncestorOf(focused)), 0)
    if focused in visible:  # no widget is its own ancestor
        current = visible.index(focused)
    for tries in range(1, len(visible) + 1):  # a part behind a stage may have nothing to focus
        target = _first_focusable(visible[(current + tries * steps) % len(visible)])
        if target is not None:
            target.setFocus(Qt.FocusReason.TabFocusReason)
            return


def _first_focusable(part: QWidget) -> QWidget | None:
    """Return the first focusable widget of a part: the part itself, or one inside."""
    for widget in (part, *part.findChildren(QWidget)):
        takes_tab = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        if takes_tab and widget.isVisible() and widget.isEnabled():
            return widget
    return None
