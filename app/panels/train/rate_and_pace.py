"""The rows that both faces have: the learning rate, and the speed of a run.

The rate is a slider over 1, 2 and 5 times powers of ten, and a field; the speed is 5, 50 or as many
epochs a second as there is time for.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.controls.layouts import in_row, plain_label
from app.controls.log_row import LogRow
from app.controls.segmented import Segmented
from app.style.current import Style
from app.workbench.modes.loop import PACES

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


class PaceRow(QWidget):
    """Chooses one of `PACES`."""

    chosen = Signal(str)

    def __init__(self, style: Style, caption_width: int = 0, parent: QWidget | None = None) -> None:
        """`caption_width` is that of the captions above it, in px at 100 %."""
        super().__init__(parent)
        self._style, self._caption_width = style, caption_width
        self._caption = plain_label("speed", "secondary")
        choices = [(name, name) for name in PACES]
        self.paces = Segmented(style, choices, "Epochs a second", low=True)
        self.paces.setToolTip("Epochs a second, so that you can watch")
        parts = (self._caption, (self.paces, 1), plain_label("/ s", "secondary"))
        in_row(*parts, parent=self, style=style, edges=0, gap=8)
        self.paces.chosen.connect(self.chosen)
        style.changed.connect(self._restyle)
        self._restyle()

    def show_pace(self, pace: str) -> None:
        """Show the pace that is used; emits nothing."""
        self.paces.set_choice(pace)

    def _restyle(self) -> None:
        self._caption.setMinimumWidth(self._style.px(self._caption_width))
