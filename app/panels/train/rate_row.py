"""The learning rate: a slider over 1, 2 and 5 times powers of ten, and a field."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from app.controls.layouts import in_row, plain_label
from app.controls.log_row import LogRow
from app.style.current import Style

RATES: Final = tuple(
    float(Decimal(lead).scaleb(power)) for power in range(-4, 3) for lead in (1, 2, 5)
)[:-2]
"""Rates of the slider, from 0.0001 to 100."""
NOT_ABOVE_0: Final = "The rate has to be a number above 0, such as 0.1."
_FIELD_WIDTH: Final = 52


class RateRow(LogRow):
    """Edits η, which is above 0."""

    def __init__(self, style: Style, rate: float) -> None:
        super().__init__(style, "Learning rate", RATES, rate, NOT_ABOVE_0)
        self.slider.setToolTip("From 0.0001 to 100")
        self.field.setProperty("low", "true")
        self.field.fit_width(_FIELD_WIDTH)
        name, unit = plain_label("η", "heading"), plain_label("rate", "secondary")
        in_row(name, (self.slider, 1), self.field, unit, parent=self, edges=0, gap=10, style=style)
