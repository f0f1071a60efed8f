"""An end of a slider's range: a number that is dragged, or moved by the arrow keys."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QLabel, QWidget

from app.controls.keys import KeyClaim
from app.controls.scrub import Scrub, step_for
from app.guard import guarded
from engine.numbers import short

MOVES = {Qt.Key.Key_Left: -1, Qt.Key.Key_Down: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: 1}
_TIP = "Drag to change this end of the range. Double-click for the usual range."


@guarded
class RangeEnd(QLabel):
    """Shows a number; `moved` carries the one it is dragged to, `reset` a double-click."""

    moved = Signal(float)
    reset = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name, self._value = name, 0.0
        self._scrub: Scrub | None = None
        self._pressed = 0.0
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("kind", "end")
        self.setToolTip(_TIP)
        self.setCursor(Qt.CursorShape.SizeHorCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        KeyClaim(self, *MOVES, Qt.Key.Key_Home)

    def set_value(self, value: float) -> None:
        """Show another end; emits nothing."""
        self._value = value
        self.setText(short(value))
        self.setAccessibleName(f"{self._name} {short(value)}")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._scrub, self._pressed = Scrub(self._value), event.globalPosition().x()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._scrub is not None:
            value = self._scrub.moved(event.globalPosition().x() - self._pressed, event.modifiers())
            if value != self._value:
                self.moved.emit(value)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._scrub = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.reset.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = MOVES.get(Qt.Key(event.key()))
        if steps is not None:
            self.moved.emit(float(step_for(self._value, event.modifiers()) * steps) + self._value)
        elif event.key() == Qt.Key.Key_Home:
            self.reset.emit()
        else:
            super().keyPressEvent(event)
