"""Tells an open text field of a press on another control, which may leave it the focus."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from app.guard import guarded

_PRESSES = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)


@guarded
class PressOutside(QObject):
    """Calls a function before the press of a mouse button outside a field reaches its target.

    Most buttons of the window don't take the focus when they are clicked, so that losing the focus
    does not tell a field that its text is to be accepted. Popups, such as the field's own menu,
    don't count. The application's events are watched only while the field has the focus.
    """

    def __init__(self, field: QLineEdit, call: Callable[[], object]) -> None:
        super().__init__(field)
        self._field = field
        self._call = call
        field.installEventFilter(self)
        if field.hasFocus():
            self._watch(True)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if watched is self._field and kind in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self._watch(kind == QEvent.Type.FocusIn)
        elif kind in _PRESSES and isinstance(watched, QWidget) and self._is_outside(watched):
            self._call()
        return False

    def _is_outside(self, widget: QWidget) -> bool:
        inside = widget is self._field or self._field.isAncestorOf(widget)
        return not inside and QApplication.activePopupWidget() is None

    def _watch(self, wanted: bool) -> None:
        application = QApplication.instance()
        if application is not None and wanted:
            application.installEventFilter(self)
        elif application is not None:
            application.removeEventFilter(self)
