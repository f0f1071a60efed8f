"""Keyboard focus: keys a widget claims, presses outside a field, and the Tab order.

claim_keys(widget, *keys)             keeps the window's shortcuts from taking these keys
PressedByEnter(button)                Enter presses it, as Space does
TakenKeys(widget, *keys)              emits these keys, which the widget does not get
PressOutside(field, on_press)         accepts a text when the user clicks elsewhere
set_tab_order_after(anchor, widgets)  the Tab order of widgets that are made late
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QWidget

from app.guard import exception_safe

NAVIGATION_KEYS = (
    Qt.Key.Key_Left,
    Qt.Key.Key_Right,
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_PageUp,
    Qt.Key.Key_PageDown,
    Qt.Key.Key_Home,
    Qt.Key.Key_End,
)
"""Keys that move within a widget; the window's shortcuts step through a pass with them."""
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


@exception_safe
class KeyClaim(QObject):
    """Claims keys without Ctrl or Alt for one widget while it has the focus.

    Its event filter is installed only then: a window has many, and each slows every event.
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
        shortcut_modifiers = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
        if event.key() in self._keys and not event.modifiers() & shortcut_modifiers:
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
        application = QApplication.instance()
        if application is not None and on:
            application.installEventFilter(self)
        elif application is not None:
            application.removeEventFilter(self)


def set_tab_order_after(anchor: QWidget, widgets: Iterable[QWidget]) -> None:
    """Order focusable widgets after `anchor`; without it Qt orders widgets made late last."""
    stops = [widget for widget in widgets if widget.focusPolicy() != Qt.FocusPolicy.NoFocus]
    policy = anchor.focusPolicy()
    anchor.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # Qt ignores widgets that take no focus
    for first, second in pairwise((anchor, *stops)):
        QWidget.setTabOrder(first, second)
    anchor.setFocusPolicy(policy)
