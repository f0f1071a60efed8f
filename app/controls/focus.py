"""Keyboard focus: keys a widget claims, presses outside a field, and the Tab order.

claim_keys(widget, *keys)             keeps the window's shortcuts from taking these keys
PressedByEnter(button)                Enter presses it, as Space does
OnPurpose(control, *keys)             the wheel and these keys change a number only on purpose
TakenKeys(widget, *keys)              emits these keys, which the widget does not get
NumberKeys(part, takes)               emits what is typed of a number where no text is typed
PressOutside(field, on_press)         accepts a text when the user clicks elsewhere
set_tab_order_after(anchor, widgets)  the Tab order of widgets that are made late
application()                         the one that says where the focus is
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QWidget
from shiboken6 import isValid

from app.guard import exception_safe

NAVIGATION_KEYS = (
    Qt.Key.Key_Left,
    Qt.Key.Key_Right,
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_Home,
    Qt.Key.Key_End,
)
"""Keys that move within a widget. Some are the window's, too, as Page Up and Down always are."""
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_OF_SHORTCUTS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier


def application() -> QApplication:
    found = QApplication.instance()
    assert isinstance(found, QApplication)
    return found


@exception_safe
class KeyClaim(QObject):
    """Claims keys without Ctrl or Alt for one widget while it has the focus.

    Its event filter is installed only then: a window has many, and each slows every event.
    """

    def __init__(self, widget: QWidget, *keys: Qt.Key) -> None:
        super().__init__(widget)
        self._widget = widget
        self._keys = frozenset(keys)
        application().focusChanged.connect(self._follow_focus)

    def _follow_focus(self, old: QWidget | None, new: QWidget | None) -> None:
        if new is self._widget:
            self._widget.installEventFilter(self)
        elif old is self._widget:
            self._widget.removeEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return False
        if event.key() in self._keys and not event.modifiers() & _OF_SHORTCUTS:
            event.accept()
            return True
        return False


def claim_keys(widget: QWidget, *keys: Qt.Key) -> None:
    """Keep the window's shortcuts from taking these keys while a widget has the focus."""
    KeyClaim(widget, *keys)


@exception_safe
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


@exception_safe
class TakenKeys(KeyClaim):
    """Claims keys of a widget, and emits each instead of letting the widget have it."""

    pressed = Signal(int)
    """Emitted with the key."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            taken = event.key() in self._keys
            if taken:
                self.pressed.emit(event.key())
            return taken
        return super().eventFilter(watched, event)


_OF_NUMBERS = frozenset("0123456789.,+-−")
_TAKE_TEXT = ("QLineEdit", "QTextEdit", "QPlainTextEdit", "QAbstractSpinBox", "QAbstractItemView",
              "QComboBox")  # fmt: skip
"""Widgets into which one types, and those that look for what is typed; by name, as they need not be
imported for this."""


@exception_safe
class NumberKeys(QObject):
    """Takes digits, minus and point from the focused widget of a window that takes no text.

    Else they would be shortcuts, while a number is asked for elsewhere: 0, − and . are.
    """

    typed = Signal(str)
    """Emitted with one character, or "" for Backspace."""

    def __init__(self, part: QWidget, takes: Callable[[str], bool]) -> None:
        """`part` is any of the window; `takes` says whether such a character is wanted now."""
        super().__init__(part)
        self._part, self._takes = part, takes
        self._watched: QWidget | None = None
        application().focusChanged.connect(self._follow_focus)

    def _follow_focus(self, _old: QWidget | None, new: QWidget | None) -> None:
        if self._watched is not None and isValid(self._watched):
            self._watched.removeEventFilter(self)
        window = self._part.window()
        widget = window if new is None else new  # then keys go to the window itself
        if widget.window() is window and not any(map(widget.inherits, _TAKE_TEXT)):
            self._watched = widget
            widget.installEventFilter(self)
        else:
            self._watched = None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind not in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress):
            return False
        if not isinstance(event, QKeyEvent) or event.modifiers() & _OF_SHORTCUTS:
            return False
        text = "" if event.key() == Qt.Key.Key_Backspace else event.text()
        if (text and text not in _OF_NUMBERS) or not (text or event.key() == Qt.Key.Key_Backspace):
            return False
        if not self._takes(text):
            return False
        event.accept()
        if kind == QEvent.Type.KeyPress:
            self.typed.emit(text)
        return True


_VERTICAL_ARROWS = (Qt.Key.Key_Up, Qt.Key.Key_Down)
PAGE_KEYS = (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
"""Keys of the window alone: they turn the steps of a lesson, whatever has the focus."""
_KEPT_BY = (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason)
"""Reasons of a focus that comes back to where it was."""
_BY_TAB = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)


@exception_safe
class OnPurpose(QObject):
    """Lets a control change its number only on purpose.

    The wheel does once it was clicked, else it scrolls what is around. `keys` do once Tab or F6 led
    to it, and ↑ and ↓ of them always, since they are nothing else; after a drag or when its page
    has been opened the others step through the pass. Page Up and Page Down always do.
    """

    def __init__(self, control: QWidget, *keys: Qt.Key) -> None:
        super().__init__(control)
        self._control, self._keys = control, keys
        self._reached_by = Qt.FocusReason.OtherFocusReason
        control.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # not by the wheel
        control.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if isinstance(event, QFocusEvent) and kind == QEvent.Type.FocusIn:
            if event.reason() not in _KEPT_BY:
                self._reached_by = event.reason()
        elif kind in _MOUSE_PRESSES:
            self._reached_by = Qt.FocusReason.MouseFocusReason
        elif kind == QEvent.Type.Wheel:
            clicked = self._reached_by == Qt.FocusReason.MouseFocusReason
            if not (clicked and self._control.hasFocus()):
                event.ignore()
                return True
        elif isinstance(event, QKeyEvent) and self._keys:
            return self._take_key(event)
        return False

    def _take_key(self, event: QKeyEvent) -> bool:
        """Claim a key for the control, or keep it from it; return whether either was done."""
        key, mine = event.key(), self._reached_by in _BY_TAB
        if key not in (*self._keys, *PAGE_KEYS):
            return False
        mine = (mine or key in _VERTICAL_ARROWS) and key not in PAGE_KEYS
        if event.type() != QEvent.Type.ShortcutOverride:
            return not mine
        event.setAccepted(mine and not event.modifiers() & _OF_SHORTCUTS)
        return True


_MOUSE_PRESSES = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)


@exception_safe
class PressOutside(QObject):
    """Calls a function before the press of a mouse button outside a field reaches its target.

    Most buttons of the window don't take the focus when they are clicked, so a field that accepts
    its text on losing the focus would miss those clicks. Presses with a popup open, such as the
    field's own menu, don't count. The application's events are filtered only while the field has
    the focus.
    """

    def __init__(self, field: QLineEdit, on_press: Callable[[], object]) -> None:
        super().__init__(field)
        self._field = field
        self._on_press = on_press
        field.installEventFilter(self)
        if field.hasFocus():
            self._filter_application(True)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if watched is self._field and kind in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self._filter_application(kind == QEvent.Type.FocusIn)
        elif kind in _MOUSE_PRESSES and isinstance(watched, QWidget) and self._is_outside(watched):
            self._on_press()
        return False

    def _is_outside(self, widget: QWidget) -> bool:
        inside = widget is self._field or self._field.isAncestorOf(widget)
        return not inside and QApplication.activePopupWidget() is None

    def _filter_application(self, on: bool) -> None:
        found = QApplication.instance()
        if found is not None and on:
            found.installEventFilter(self)
        elif found is not None:
            found.removeEventFilter(self)


def set_tab_order_after(anchor: QWidget, widgets: Iterable[QWidget]) -> None:
    """Order focusable widgets after `anchor`; without it Qt orders widgets made late last."""
    stops = [widget for widget in widgets if widget.focusPolicy() != Qt.FocusPolicy.NoFocus]
    policy = anchor.focusPolicy()
    anchor.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # Qt ignores widgets that take no focus
    for first, second in pairwise((anchor, *stops)):
        QWidget.setTabOrder(first, second)
    anchor.setFocusPolicy(policy)
