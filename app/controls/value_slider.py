"""ValueSlider: a slider with a number field, whose range grows when the number needs it;
SweepSlider: one with a range that can be set, and a button that sweeps through it.

The pages Why and Numeric and a lesson's player change the numbers of leaves with it.
"""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Final

from msgspec import Struct
from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QLabel, QSlider, QWidget

from app.controls.focus import NAVIGATION_KEYS, OnPurpose, claim_keys
from app.controls.layouts import ElidedLabel, in_column, in_row
from app.controls.painted_buttons import IconButton
from app.controls.scrub import Scrub, step_for
from app.controls.text_fields import NumberEdit
from app.guard import exception_safe
from app.style import sizes
from app.style.current import Style
from engine.numbers import plain, short

SMALLEST_REACH: Final = Decimal(5)
"""Upper end of the range that a slider begins with."""
TICKS: Final = 100
"""Number of steps from zero to either end."""

_LARGEST: Final = Decimal("1e308")
"""Largest reach: the last power of ten that is a finite float."""
_LEADING_DIGITS: Final = (1, 2, 5, 10)
"""Leading digits of a reach; 10 is the 1 of the next power of ten."""


class ValueRange(Struct, frozen=True):
    """A range from -reach to reach in 200 even steps."""

    reach: Decimal = SMALLEST_REACH

    @property
    def low(self) -> float:
        return -float(self.reach)

    @property
    def high(self) -> float:
        return float(self.reach)

    @property
    def step(self) -> Decimal:
        """Return the distance of two ticks."""
        return self.reach / TICKS

    def value_at(self, tick: int) -> float:
        """Return the number at a tick, with no more digits than the step."""
        return float(self.step * tick)

    def tick_of(self, value: float) -> int:
        """Return the tick nearest to a number, clamped to the range; the middle for nan."""
        if math.isnan(value):
            return 0
        if math.isinf(value):
            return int(math.copysign(TICKS, value))
        return max(-TICKS, min(TICKS, round(Decimal(value) / self.step)))

    def around(self, value: float) -> ValueRange:
        """Return this range, or a larger one that contains the number."""
        if not math.isfinite(value) or abs(Decimal(value)) <= self.reach:
            return self
        return ValueRange(_next_round_number(abs(Decimal(value))))

    def grown(self) -> ValueRange:
        """Return the next larger range, for a slider dragged to its end."""
        return ValueRange(_next_round_number(self.reach))


class UserRange(Struct, frozen=True):
    """A range between two ends that the user has set, in 200 even steps.

    With a `step` its numbers are multiples of it.
    """

    low: float
    high: float
    step: float = 0.0

    def value_at(self, tick: int) -> float:
        """Return the number at a tick, with no more digits than the ends and the step."""
        low, high = Decimal(plain(self.low)), Decimal(plain(self.high))
        value = float(low + (high - low) * (tick + TICKS) / (2 * TICKS))
        return round(value / self.step) * self.step if self.step else value

    @property
    def ticks_per_step(self) -> int:
        """Return how many ticks an arrow key moves by."""
        return max(1, math.ceil(2 * TICKS * self.step / (self.high - self.low)))

    def tick_of(self, value: float) -> int:
        """Return the tick nearest to a number, clamped to the range; the middle for nan."""
        if math.isnan(value):
            return 0
        low, high = self.low / 2, self.high / 2  # halved, or their distance may overflow
        share = (min(max(value / 2, low), high) - low) / (high - low)
        return round(share * 2 * TICKS) - TICKS

    def around(self, value: float) -> UserRange:
        """Return this range, extended to the number if it lies outside."""
        if not math.isfinite(value) or self.low <= value <= self.high:
            return self
        return UserRange(min(self.low, value), max(self.high, value), self.step)

    def grown(self) -> UserRange:
        """Return this range: its ends stay where the user has set them."""
        return self


def _next_round_number(number: Decimal) -> Decimal:
    """Return the smallest of 1, 2, 5 times a power of ten above a number."""
    unit = Decimal(1).scaleb(number.adjusted())
    return min(_LARGEST, next(unit * digit for digit in _LEADING_DIGITS if unit * digit > number))


_WHEEL_PAUSE: int = 600
"""Milliseconds without a turn of the wheel that end its gesture."""
_FIELD_WIDTH: int = 94
"""Width of the number field, in px at 100 %."""


@exception_safe
class ValueSlider(QWidget):
    """Edits a number by mouse, wheel, keys or typing.

    Every change carries a token of its gesture, an object of no further use: all changes during
    one press have the same one, so that they can merge into one undo step. Esc during a press
    restores the number before it and emits `cancelled`.
    """

    value_changed = Signal(float, object)
    """Emitted with the number that the user has set, and the token of the gesture."""
    gesture_ended = Signal(object)
    """Emitted with the token of a gesture that was not cancelled."""
    cancelled = Signal(object)
    """Emitted with the token of the gesture, after the number before it is shown again."""
    refused = Signal(str)
    """Emitted with an error sentence when the typed text is no number."""

    def __init__(self, style: Style, name: str = "", value: float = 0.0) -> None:
        super().__init__()
        self._style = style
        self._value = float(value)
        self._value_before = self._value
        self._range: ValueRange | UserRange = ValueRange()
        self._gesture: object | None = None
        """The gesture under way."""
        self._is_cancelled = False
        """Whether Esc has ended it, though the mouse button is still held."""
        self._slider = QSlider(Qt.Orientation.Horizontal, self)
        self._slider.setRange(-TICKS, TICKS)
        self._slider.setPageStep(TICKS // 10)  # by a click on the groove
        self._field = NumberEdit(style, value, parent=self)
        self._wheel_timer = QTimer(self)
        self._wheel_timer.setSingleShot(True)
        self._wheel_timer.setInterval(_WHEEL_PAUSE)
        self._lay_out()
        self.setFocusProxy(self._slider)
        self.set_name(name)
        self._connect()
        self._restyle()
        self.set_value(value)

    def value(self) -> float:
        """Return the number shown."""
        return self._value

    def set_value(self, value: float) -> None:
        """Show a number, for example after undo; emits nothing."""
        self._value = float(value)
        self._range = self._range.around(self._value)
        self._field.set_value(self._value)
        self._show_tick()

    def set_name(self, name: str) -> None:
        """Set the accessible name, such as that of the leaf whose value it is."""
        self._slider.setAccessibleName(name)
        self._field.setAccessibleName(name)

    def set_range(self, new: ValueRange | UserRange) -> None:
        """Set the range, which is extended where the number lies outside."""
        self._range = new.around(self._value)
        self._slider.setSingleStep(new.ticks_per_step if isinstance(new, UserRange) else 1)
        self._show_tick()

    def _lay_out(self) -> None:
        parts, gap = ((self._slider, 1), self._field), sizes.SPACES[1]
        in_row(*parts, parent=self, style=self._style, gap=gap)

    def _connect(self) -> None:
        self._slider.valueChanged.connect(self._moved)
        self._slider.sliderPressed.connect(self._begin_gesture)
        self._slider.sliderReleased.connect(self._end_gesture)
        self._slider.installEventFilter(self)
        OnPurpose(self._slider, *NAVIGATION_KEYS)
        claim_keys(self._slider, Qt.Key.Key_Escape)
        self._wheel_timer.timeout.connect(self._end_gesture)
        self._field.committed.connect(self._apply_typed)
        self._field.refused.connect(self.refused)
        self._style.changed.connect(self._restyle)

    def _begin_gesture(self) -> None:
        if self._gesture is None:
            self._gesture = object()
            self._value_before = self._value
            self._is_cancelled = False

    def _end_gesture(self) -> None:
        """End the gesture; a slider at its end gets a larger range."""
        gesture, self._gesture = self._gesture, None
        if gesture is None:
            return
        if abs(self._slider.value()) == TICKS and not self._is_cancelled:
            self._range = self._range.grown()
        self._show_tick()
        if not self._is_cancelled:
            self.gesture_ended.emit(gesture)
        self._is_cancelled = False

    def _cancel(self) -> None:
        gesture = self._gesture
        self._is_cancelled = True
        self.set_value(self._value_before)
        self.cancelled.emit(gesture)

    def _moved(self, tick: int) -> None:
        if self._is_cancelled:  # the handle may still be held after Esc
            self._show_tick()
            return
        is_single_step = self._gesture is None  # by assistive technology, without a press
        self._begin_gesture()
        self._value = self._range.value_at(tick)
        self._field.set_value(self._value)
        self.value_changed.emit(self._value, self._gesture)
        if is_single_step:
            self._end_gesture()

    def _apply_typed(self, value: float) -> None:
        self._begin_gesture()
        self.set_value(value)
        self.value_changed.emit(value, self._gesture)
        self._end_gesture()

    def _show_tick(self) -> None:
        blocked = self._slider.blockSignals(True)
        self._slider.setValue(self._range.tick_of(self._value))
        self._slider.blockSignals(blocked)

    def _restyle(self) -> None:
        self._field.setFixedWidth(self._style.px(_FIELD_WIDTH))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.MouseButtonPress:
            self._begin_gesture()  # also on the groove, where holding the button repeats steps
        elif event.type() == QEvent.Type.MouseButtonRelease:
            self._end_gesture()
        elif event.type() == QEvent.Type.Wheel:
            self._begin_gesture()
            self._wheel_timer.start()
        elif isinstance(event, QKeyEvent) and event.type() != QEvent.Type.ShortcutOverride:
            return self._key(event)
        return False

    def _key(self, event: QKeyEvent) -> bool:
        """Handle a key: repeats while held are one gesture; Esc cancels it."""
        pressed = event.type() == QEvent.Type.KeyPress
        moves = event.key() in NAVIGATION_KEYS and not self._slider.isSliderDown()
        if event.key() == Qt.Key.Key_Escape and self._gesture is not None:
            if pressed and not self._is_cancelled:
                self._cancel()
            return True
        if moves and pressed:
            self._begin_gesture()
        elif moves and event.type() == QEvent.Type.KeyRelease and not event.isAutoRepeat():
            self._end_gesture()
        return False


_KEY_DIRECTIONS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Down: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: 1}
_TIP = "Drag to change this end of the range. Double-click for the usual range."


@exception_safe
class RangeEnd(QLabel):
    """An end of the range, changed by dragging and arrow keys, reset by a double-click and Home."""

    moved = Signal(float)
    """Emitted with the wanted end of the range; the label shows it after `set_value`."""
    reset = Signal()
    """Emitted when the usual range is wanted."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name, self._value = name, 0.0
        self._scrub: Scrub | None = None
        self._press_x = 0.0
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("kind", "end")
        self.setToolTip(_TIP)
        self.setCursor(Qt.CursorShape.SizeHorCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        claim_keys(self, *_KEY_DIRECTIONS, Qt.Key.Key_Home)

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


@exception_safe
class SweepSlider(ValueSlider):
    """Name, number and a play button over a slider between its two ends.

    A sweep runs up and down until it is stopped, and is one gesture, like a drag.
    """

    def __init__(self, style: Style) -> None:
        # before the base class, which lays them out
        self.title = ElidedLabel(style, kind="strong")
        self.play = IconButton(style, "play", "Sweep through the range")
        self.low, self.high = RangeEnd("from"), RangeEnd("to")
        self._direction, self._sweep_timer = 1, QTimer()  # ticks to move by: 1 or −1
        super().__init__(style)
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
        if self.sweeping:
            self._sweep_timer.stop()
            self.play.set_icon("play")
            self._end_gesture()

    def _lay_out(self) -> None:
        above = in_row((self.title, 1), self._field, self.play, gap=6)
        below = in_row(self.low, (self._slider, 1), self.high, gap=6)
        in_column(above, below, parent=self, style=self._style, gap=2)

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
