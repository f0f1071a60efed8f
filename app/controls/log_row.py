"""LogRow: a number above 0, edited by a slider that is even in its logarithm, or in a field."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QSlider, QWidget

from app.controls.keys import ARROWS, KeyClaim
from app.controls.number_edit import NumberEdit
from app.style.current import Style


class LogRow(QWidget):
    """Slider and field, which a subclass lays out; `refusal` is said of a number not above 0."""

    changed = Signal(float)
    refused = Signal(str)

    def __init__(
        self, style: Style, name: str, ticks: Sequence[float], number: float, refusal: str
    ) -> None:
        """`ticks` are the numbers of the slider, from its left end."""
        super().__init__()
        self._style, self._ticks, self._refusal = style, ticks, refusal
        self._number = math.nan
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, len(ticks) - 1)
        self.slider.setPageStep(3)
        self.slider.setAccessibleName(name)
        KeyClaim(self.slider, *ARROWS)
        self.field = NumberEdit(style, number)
        self.field.setAccessibleName(name)
        self.show_number(number)
        self.slider.valueChanged.connect(self._take_tick)
        self.field.committed.connect(self._commit)
        self.field.refused.connect(self.refused)

    def show_number(self, number: float) -> None:
        """Show the number that is used, unless another one is being typed; emits nothing."""
        if number == self._number == self.field.value():
            return
        self._number = number
        self.field.set_value(number)
        apart = [abs(math.log(number) - math.log(tick)) for tick in self._ticks]
        with QSignalBlocker(self.slider):
            self.slider.setValue(apart.index(min(apart)))

    def _take_tick(self, place: int) -> None:
        self._number = self._ticks[place]
        self.field.set_value(self._number)
        self.changed.emit(self._number)

    def _commit(self, number: float) -> None:
        if math.isfinite(number) and number > 0:
            self.show_number(number)
            self.changed.emit(number)
        else:
            self.refused.emit(self._refusal)
            self.field.set_value(self._number)
