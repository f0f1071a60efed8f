"""The step h of a difference quotient: a logarithmic slider from 1 to 10⁻¹⁵, and a field."""

from __future__ import annotations

import math
from typing import Final

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSlider, QWidget

from app.controls.keys import ARROWS, KeyClaim
from app.controls.layouts import in_column, in_row, plain_label
from app.controls.number_edit import NumberEdit
from app.guard import guarded
from app.style.current import Style

SMALLEST: Final = 15
"""The slider reaches from 1 to 10 to the minus this."""
NOT_ABOVE_0: Final = "h has to be above 0, such as 0.001."
_FIELD_WIDTH: Final = 64
_SCALE: Final = {0: "1", 5: "10⁻⁵", 10: "10⁻¹⁰", 15: "10⁻¹⁵"}
_SCALE_HEIGHT, _HANDLE = 14, 16
"""Height of the numbers below the slider, and width of its handle, in px at 100 %."""


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
        top = Qt.AlignmentFlag.AlignTop
        scaled = in_column(self.slider, _Scale(style), edges=0, gap=0)
        name = plain_label("h", "strong")
        parts = ((name, top), (scaled, 1), (self.field, top))
        in_row(*parts, parent=self, style=style, edges=0, gap=8)
        self._name = name
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
        self._name.setFixedHeight(self.slider.sizeHint().height())


@guarded
class _Scale(QWidget):
    """Some places of the slider in numbers."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._style = style
        style.changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        self.setFixedHeight(self._style.px(_SCALE_HEIGHT))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, px = self._style.theme, self._style.px
        handle = px(_HANDLE)
        with QPainter(self) as painter:
            painter.setFont(self._style.font("small"))
            painter.setPen(theme.secondary if self.isEnabled() else theme.wire)
            metrics = painter.fontMetrics()
            for place, text in _SCALE.items():
                middle = handle / 2 + (self.width() - handle) * place / SMALLEST
                wide = metrics.horizontalAdvance(text)
                left = min(max(middle - wide / 2, 0.0), self.width() - wide)
                box = QRectF(left, 0, wide + 1, self.height())
                painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, text)
