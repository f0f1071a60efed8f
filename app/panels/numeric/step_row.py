"""The step h of a difference quotient: a logarithmic slider from 1 to 10⁻¹⁵, and a field."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSlider, QWidget

from app.controls.layouts import in_column, in_row, plain_label
from app.controls.log_row import LogRow
from app.guard import guarded
from app.style.current import Style

SMALLEST: Final = 15
"""The slider reaches from 1 to 10 to the minus this."""
_TICKS: Final = tuple(float(f"1e-{place}") for place in range(SMALLEST + 1))
NOT_ABOVE_0: Final = "h has to be above 0, such as 0.001."
_FIELD_WIDTH: Final = 64
_SCALE: Final = {0: "1", 5: "10⁻⁵", 10: "10⁻¹⁰", 15: "10⁻¹⁵"}
_SCALE_HEIGHT, _HANDLE = 14, 16
"""Height of the numbers below the slider, and width of its handle, in px at 100 %."""


class StepRow(LogRow):
    """Edits h, which is above 0."""

    def __init__(self, style: Style, h: float) -> None:
        super().__init__(style, "h", _TICKS, h, NOT_ABOVE_0)
        self.slider.setTickPosition(QSlider.TickPosition.NoTicks)
        self.slider.setToolTip("From 1 to 10⁻¹⁵")
        self.field.fit_width(_FIELD_WIDTH)
        top = Qt.AlignmentFlag.AlignTop
        scaled = in_column(self.slider, _Scale(style), edges=0, gap=0)
        self._name = plain_label("h", "strong")
        parts = ((self._name, top), (scaled, 1), (self.field, top))
        in_row(*parts, parent=self, style=style, edges=0, gap=8)
        style.changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
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
