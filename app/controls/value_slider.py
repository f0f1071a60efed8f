"""A slider with a field beside it for one number; its range grows where the number needs it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QSlider, QWidget

from app.controls.keys import ARROWS, KeyClaim
from app.controls.number_edit import NumberEdit
from app.controls.value_range import TICKS, ValueRange
from app.guard import guarded
from app.style import sizes
from app.style.current import Style

_WHEEL_REST: int = 600
_FIELD_WIDTH: int = 84


@guarded
class ValueSlider(QWidget):
    """Moves a number by mouse, wheel, keys or typing.

    Each tick says to which gesture it belongs: all ticks of one press carry the same token, so
    that they can become one step of undo. Esc during a press goes back to the number before it
    and says `cancelled`.
    """

    value_changed = Signal(float, object)
    gesture_ended = Signal(object)
    cancelled = Signal(object)
    refused = Signal(str)
    """What was typed is no number: the sentence that says so."""

    def __init__(
        self, style: Style, name: str = "", value: float = 0.0, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._style = style
        self._value = float(value)
        self._before = self._value
        self._range = ValueRange()
        self._gesture: object | None = None
        self._is_cancelled = False
        self._slider = QSlider(Qt.Orientation.Horizontal, self)
        self._slider.setRange(-TICKS, TICKS)
        self._slider.setPageStep(10)
        self._field = NumberEdit(style, value, parent=self)
        self._wheel_rest = QTimer(self)
        self._wheel_rest.setSingleShot(True)
        self._wheel_rest.setInterval(_WHEEL_REST)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.addWidget(self._slider, 1)
        self._row.addWidget(self._field)
        self.setFocusProxy(self._slider)
        self.set_name(name)
        self._connect()
        self._restyle()
        self.set_value(value)

    def value(self) -> float:
        """The number shown."""
        return self._value

    def set_value(self, value: float) -> None:
        """Show a number, for example after undo; emits nothing."""
        self._value = float(value)
        self._range = self._range.around(self._value)
        self._field.set_value(self._value)
        self._show_tick()

    def set_name(self, name: str) -> None:
        """Say whose number it is, for those who cannot see it."""
        self._slider.setAccessibleName(name)
        self._field.setAccessibleName(name)

    def _connect(self) -> None:
        self._slider.valueChanged.connect(self._moved)
        self._slider.sliderPressed.connect(self._begin)
        self._slider.sliderReleased.connect(self._end)
        self._slider.installEventFilter(self)
        KeyClaim(self._slider, *ARROWS, Qt.Key.Key_Escape)
        self._wheel_rest.timeout.connect(self._end)
        self._field.committed.connect(self._take_typed)
        self._field.refused.connect(self.refused)
        self._style.changed.connect(self._restyle)

    def _begin(self) -> None:
        if self._gesture is None:
            self._gesture = object()
            self._before = self._value
            self._is_cancelled = False

    def _end(self) -> None:
        """The press is over; a slider at its end gets more range."""
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
        self.set_value(self._before)
        self.cancelled.emit(gesture)

    def _moved(self, tick: int) -> None:
        if self._is_cancelled:
            self._show_tick()
            return
        alone = self._gesture is None
        self._begin()
        self._value = self._range.value_at(tick)
        self._field.set_value(self._value)
        self.value_changed.emit(self._value, self._gesture)
        if alone:
            self._end()

    def _take_typed(self, value: float) -> None:
        self._begin()
        self.set_value(value)
        self.value_changed.emit(value, self._gesture)
        self._end()

    def _show_tick(self) -> None:
        blocked = self._slider.blockSignals(True)
        self._slider.setValue(self._range.tick_of(self._value))
        self._slider.blockSignals(blocked)

    def _restyle(self) -> None:
        self._row.setSpacing(self._style.px(sizes.SPACES[1]))
        self._field.setFixedWidth(self._style.px(_FIELD_WIDTH))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.MouseButtonPress:
            self._begin()  # beside the handle too, where the slider steps on while it is held
        elif event.type() == QEvent.Type.MouseButtonRelease:
            self._end()
        elif event.type() == QEvent.Type.Wheel:
            self._begin()
            self._wheel_rest.start()
        elif isinstance(event, QKeyEvent) and event.type() != QEvent.Type.ShortcutOverride:
            return self._key(event)
        return False

    def _key(self, event: QKeyEvent) -> bool:
        """Keep one gesture while a key is held down; Esc ends the press without a trace."""
        pressed = event.type() == QEvent.Type.KeyPress
        moves = event.key() in ARROWS and not self._slider.isSliderDown()
        if event.key() == Qt.Key.Key_Escape and self._gesture is not None:
            if pressed and not self._is_cancelled:
                self._cancel()
            return True
        if moves and pressed:
            self._begin()
        elif moves and event.type() == QEvent.Type.KeyRelease and not event.isAutoRepeat():
            self._end()
        return False
