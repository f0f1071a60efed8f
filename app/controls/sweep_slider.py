"""A value slider with a range that can be set and a button that sweeps through it."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QLabel, QWidget

from app.controls.buttons import IconButton
from app.controls.elided_label import ElidedLabel
from app.controls.focus import KeyClaim
from app.controls.layouts import in_column, in_row
from app.controls.scrub import Scrub, step_for
from app.controls.value_slider import TICKS, UserRange, ValueRange, ValueSlider
from app.guard import guarded
from app.style.current import Style
from engine.numbers import short

_KEY_DIRECTIONS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Down: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: 1}
_TIP = "Drag to change this end of the range. Double-click for the usual range."


@guarded
class RangeEnd(QLabel):
    """An end of the range, changed by dragging and arrow keys, reset by a double-click and Home."""

    moved = Signal(float)
    """Emitted with the wanted end of the range; the label shows it after `set_value`."""
    reset = Signal()
    """Emitted when the usual range is wanted."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name, self._value = name, 0.0
        self._scrub: Scrub | None = None
        self._press_x = 0.0
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("kind", "end")
        self.setToolTip(_TIP)
        self.setCursor(Qt.CursorShape.SizeHorCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        KeyClaim(self, *_KEY_DIRECTIONS, Qt.Key.Key_Home)

    def set_value(self, value: float) -> None:
        """Show a number; emits nothing."""
        self._value = value
        self.setText(short(value))
        self.setAccessibleName(f"{self._name} {short(value)}")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._scrub, self._press_x = Scrub(self._value), event.globalPosition().x()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._scrub is not None:
            value = self._scrub.moved(event.globalPosition().x() - self._press_x, event.modifiers())
            if value != self._value:
                self.moved.emit(value)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._scrub = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.reset.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        direction = _KEY_DIRECTIONS.get(Qt.Key(event.key()))
        if direction is not None:
            step = step_for(self._value, event.modifiers())
            self.moved.emit(float(step * direction) + self._value)
        elif event.key() == Qt.Key.Key_Home:
            self.reset.emit()
        else:
            super().keyPressEvent(event)


_TICK_INTERVAL: Final = 30
"""Milliseconds between the ticks of a sweep: six seconds from end to end."""
_LEAST_WIDTH: Final = 1e-6
"""Least width of a range, as a share of its larger end."""


@guarded
class SweepSlider(ValueSlider):
    """Name, number and a play button over a slider between its two ends.

    A sweep runs up and down until it is stopped, and is one gesture, like a drag.
    """

    def __init__(
        self, style: Style, name: str = "", value: float = 0.0, parent: QWidget | None = None
    ) -> None:
        # before the base class, which lays them out
        self.title = ElidedLabel(style, kind="strong")
        self.play = IconButton(style, "play", "Sweep through the range")
        self.low, self.high = RangeEnd("from"), RangeEnd("to")
        self._direction, self._sweep_timer = 1, QTimer()  # ticks to move by: 1 or −1
        super().__init__(style, name, value, parent)
        self._sweep_timer.setParent(self)
        self._sweep_timer.setInterval(_TICK_INTERVAL)
        self._sweep_timer.timeout.connect(self._move_by_tick)
        self.play.clicked.connect(self._toggle_sweep)
        self.low.moved.connect(self._move_low)
        self.high.moved.connect(self._move_high)
        for end in (self.low, self.high):
            end.reset.connect(self.reset_range)
        self._show_ends()

    @property
    def sweeping(self) -> bool:
        """Return whether a sweep is running."""
        return self._sweep_timer.isActive()

    def set_name(self, name: str) -> None:
        """Set the name of the leaf, which is shown and read out."""
        super().set_name(name)
        self.title.setText(name)

    def set_value(self, value: float) -> None:
        """Show a number, for example after undo; emits nothing."""
        super().set_value(value)
        self._show_ends()

    def reset_range(self) -> None:
        """Restore the default range, symmetric around zero."""
        self.set_range(ValueRange())
        self._show_ends()

    def stop(self) -> None:
        """Stop a sweep where it is."""
        if self.sweeping:
            self._sweep_timer.stop()
            self.play.set_icon("play")
            self._end_gesture()

    def _lay_out(self) -> None:
        above = in_row((self.title, 1), self._field, self.play, gap=6)
        below = in_row(self.low, (self._slider, 1), self.high, gap=6)
        in_column(above, below, parent=self, style=self._style, edges=0, gap=2)

    def _end_gesture(self) -> None:
        super()._end_gesture()
        self._show_ends()

    def _show_ends(self) -> None:
        self.low.set_value(self._range.low)
        self.high.set_value(self._range.high)

    def _move_low(self, low: float) -> None:
        self._set_ends(min(low, self._value), self._range.high)

    def _move_high(self, high: float) -> None:
        self._set_ends(self._range.low, max(high, self._value))

    def _set_ends(self, low: float, high: float) -> None:
        """Set both ends, unless the range would have almost no width."""
        if high - low > _LEAST_WIDTH * max(abs(low), abs(high), _LEAST_WIDTH):
            self.set_range(UserRange(low, high))
            self._show_ends()

    def _toggle_sweep(self) -> None:
        if self.sweeping:
            self.stop()
            return
        self._begin_gesture()
        self._sweep_timer.start()
        self.play.set_icon("pause")

    def _move_by_tick(self) -> None:
        """Move by one tick, and turn round at an end."""
        tick = self._slider.value()
        if tick + self._direction not in range(-TICKS, TICKS + 1):
            self._direction = -self._direction
        self._slider.setValue(tick + self._direction)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # a press on the slider, or a key, takes over
        if self.sweeping and event.type() in (QEvent.Type.MouseButtonPress, QEvent.Type.KeyPress):
            self.stop()
        return super().eventFilter(watched, event)
