"""The step of a difference quotient: a slider over powers of ten, and a field."""

from __future__ import annotations

import math
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSlider, QWidget

from app.controls.keys import ARROWS, KeyClaim
from app.controls.layouts import in_row, plain_label
from app.controls.number_edit import NumberEdit
from app.style.current import Style

SMALLEST: Final = 15
"""The slider reaches from 1 to 10 to the minus this."""
NOT_ABOVE_0: Final = "h has to be above 0, such as 0.001."
_FIELD_WIDTH: Final = 76


class StepRow(QWidget):
    """Edits h, which is above 0."""

    changed = Signal(float)
    refused = Signal(str)

    def __init__(self, style: Style, h: float, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, SMALLEST)
        self.slider.setPageStep(3)
        self.slider.setTickPosition(QSlider.TickPosition.NoTicks)
        self.slider.setToolTip("From 1 to 10⁻¹⁵")
        self.slider.setAccessibleName("h")
        KeyClaim(self.slider, *ARROWS)
        self.field = NumberEdit(style, h)
        self.field.setAccessibleName("h")
        in_row(plain_label("h", "strong"), (self.slider, 1), self.field, parent=self, edges=0)
        self.slider.valueChanged.connect(self._take_tick)
        self.field.committed.connect(self._commit_step)
        self.field.refused.connect(self.refused)
        style.changed.connect(self._restyle)
        self.show_step(h)
        self._restyle()

    @property
    def h(self) -> float:
        """Return the step shown."""
        return self.field.value()

    def show_step(self, h: float) -> None:
        """Show a step; emits nothing."""
        self.field.set_value(h)
        blocked = self.slider.blockSignals(True)
        self.slider.setValue(round(-math.log10(h)))
        self.slider.blockSignals(blocked)

    def _take_tick(self, place: int) -> None:
        h = float(f"1e-{place}")
        self.field.set_value(h)
        self.changed.emit(h)

    def _commit_step(self, h: float) -> None:
        if math.isfinite(h) and h > 0:
            self.show_step(h)
            self.changed.emit(h)
        else:
            self.refused.emit(NOT_ABOVE_0)
            self.field.set_value(float(f"1e-{self.slider.value()}"))

    def _restyle(self) -> None:
        self.field.fit_width(_FIELD_WIDTH)
