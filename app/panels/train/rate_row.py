"""The learning rate: a slider over 1, 2 and 5 times powers of ten, and a field."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSlider, QWidget

from app.controls.keys import ARROWS, KeyClaim
from app.controls.layouts import in_row, plain_label
from app.controls.number_edit import NumberEdit
from app.style.current import Style

RATES: Final = tuple(
    float(Decimal(lead).scaleb(power)) for power in range(-4, 3) for lead in (1, 2, 5)
)[:-2]
"""Rates of the slider, from 0.0001 to 100."""
NOT_ABOVE_0: Final = "The rate has to be a number above 0, such as 0.1."
_FIELD_WIDTH: Final = 52


class RateRow(QWidget):
    """Edits η, which is above 0."""

    changed = Signal(float)
    refused = Signal(str)

    def __init__(self, style: Style, rate: float, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style, self._rate = style, rate
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, len(RATES) - 1)
        self.slider.setPageStep(3)
        self.slider.setAccessibleName("Learning rate")
        self.slider.setToolTip("From 0.0001 to 100")
        KeyClaim(self.slider, *ARROWS)
        self.field = NumberEdit(style, rate)
        self.field.setProperty("low", "true")
        self.field.setAccessibleName("Learning rate")
        rate_caption = plain_label("rate", "secondary")
        parts = (plain_label("η", "heading"), (self.slider, 1), self.field, rate_caption)
        in_row(*parts, parent=self, edges=0, gap=10, style=style)
        self.slider.valueChanged.connect(self._take_tick)
        self.field.committed.connect(self._commit)
        self.field.refused.connect(self.refused)
        style.changed.connect(self._restyle)
        self._show(rate)
        self._restyle()

    @property
    def rate(self) -> float:
        """Return the rate that is used."""
        return self._rate

    def show_rate(self, rate: float) -> None:
        """Show the rate that is used, unless another one is being typed; emits nothing."""
        if rate != self._rate or rate != self.field.value():
            self._show(rate)

    def _show(self, rate: float) -> None:
        self._rate = rate
        self.field.set_value(rate)
        blocked = self.slider.blockSignals(True)
        apart = [abs(math.log(rate) - math.log(other)) for other in RATES]
        self.slider.setValue(apart.index(min(apart)))
        self.slider.blockSignals(blocked)

    def _take_tick(self, place: int) -> None:
        self._rate = RATES[place]
        self.field.set_value(self._rate)
        self.changed.emit(self._rate)

    def _commit(self, rate: float) -> None:
        if math.isfinite(rate) and rate > 0:
            self._show(rate)
            self.changed.emit(rate)
        else:
            self.refused.emit(NOT_ABOVE_0)
            self.field.set_value(self._rate)

    def _restyle(self) -> None:
        self.field.fit_width(_FIELD_WIDTH)
