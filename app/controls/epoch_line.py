"""The epoch line: the epochs of a run with their losses; it takes the place of the timeline."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QEvent, QLineF, QPointF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QAbstractSlider, QSizePolicy, QToolTip, QWidget

from app.controls.drawn_range import round_up
from app.controls.focus import NAVIGATION_KEYS, OnPurpose
from app.controls.layouts import plain_tooltip
from app.guard import exception_safe
from app.style.current import Style
from app.style.strokes import antialiased
from app.style.theme import mixed
from engine.numbers import full

FEWEST_EPOCHS: Final = 10
"""Epochs of the axis at least, so that a short run does not stretch."""
TITLE: Final = "Epochs"
_SIDE_MARGIN: Final = 26
"""Space left of the first and right of the last tick, in px at 100 %."""
_TICK_SPACING: Final = 9.0
"""Least distance of two ticks, in px at 100 %: one is 8.4 wide. A longer run has no ticks."""
_LABEL_GAP: Final = 10.0
"""Least space between two labels, in px."""
_SAMPLE: Final = 12
"""Losses from either end whose widths are measured: those between are as wide."""


@exception_safe
class EpochLine(QAbstractSlider):
    """A slider of epochs: ticks with their losses. The loop answers `chosen` with `show_epochs`."""

    chosen = Signal(int)
    """Emitted with the epoch to go to, 0 for the beginning of the run."""

    def __init__(
        self, style: Style, text: Callable[[float | None], str], parent: QWidget | None = None
    ) -> None:
        """`text` writes a loss, or that there is none yet."""
        super().__init__(parent)
        self._style, self._text = style, text
        self._losses: Sequence[float | None] = ()
        """The loss of each epoch; None where it is not computed yet."""
        self._last = 0
        """The epoch at which the loop will end."""
        self._line_y, self._height = 39, 89  # as the strip sets them
        self._title_width = 0.0
        self.setOrientation(Qt.Orientation.Horizontal)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(TITLE)
        OnPurpose(self, *NAVIGATION_KEYS)
        self.valueChanged.connect(self.chosen)  # as assistive technology sets it
        style.changed.connect(self._restyle)

    def show_epochs(self, losses: Sequence[float | None], at: int, last: int = 0) -> None:
        """Show the losses of a run and the current epoch; the axis reaches `last` at least."""
        self._losses, self._last = losses, last
        blocked = self.blockSignals(True)
        self.setRange(0, len(losses) - 1)
        self.setValue(at)
        self.blockSignals(blocked)
        self.setAccessibleDescription(f"Epoch {at:,}, loss {self._text(losses[at])}")
        self.update()

    def set_rows(self, line: int, height: int) -> None:
        """Set the y of the line and the height of the widget, in px at 100 %."""
        self._line_y, self._height = line, height
        self._restyle()

    def x_of(self, epoch: int) -> float:
        """Return the x of an epoch's tick."""
        left, right = self._line_ends()
        return left + (right - left) * epoch / self._axis_end()

    def epoch_at(self, x: float) -> int:
        """Return the epoch of this run that is nearest to x."""
        left, right = self._line_ends()
        nearest = round((x - left) / max(right - left, 1.0) * self._axis_end())
        return max(0, min(nearest, self.maximum()))

    def texts(self) -> list[tuple[str, str]]:
        """Return the labels: epochs, each with its loss."""
        if not self._losses:
            return []
        return [(f"{k:,}", self._loss_text(k)) for k in self.labelled_epochs()]

    def _line_ends(self) -> tuple[float, float]:
        """Return the x at which the line begins and ends."""
        px, title = self._style.px, self._title_width
        return title + px(_SIDE_MARGIN), max(
            float(self.width()) - px(_SIDE_MARGIN), title + 2 * px(_SIDE_MARGIN)
        )

    def _axis_end(self) -> int:
        return max(FEWEST_EPOCHS, self.maximum(), self._last)

    def _loss_text(self, epoch: int) -> str:
        return self._text(self._losses[epoch]) if epoch < len(self._losses) else ""

    def labelled_epochs(self) -> list[int]:
        """Return the epochs to label, whose texts do not overlap."""
        metrics, at = QFontMetricsF(self._style.font("caption")), self.value()
        sample = [*self._losses[:_SAMPLE], *self._losses[-_SAMPLE:]]
        texts = [*(self._text(loss) for loss in sample), f"{self._axis_end():,}"]
        spacing = (self.x_of(1) - self.x_of(0)) or 1.0
        widest = max(metrics.horizontalAdvance(text) for text in texts)
        stride = round_up((widest + _LABEL_GAP) / spacing)
        # the current epoch always has a label; those that would touch it give way
        others = [k for k in range(0, self._axis_end() + 1, stride) if abs(k - at) >= stride]
        return sorted([*others, at])

    def _restyle(self) -> None:
        font = self._style.font("caption strong")
        self._title_width = QFontMetricsF(font).horizontalAdvance(TITLE)
        self.setFixedHeight(self._style.px(self._height))
        self.update()

    def _choose(self, epoch: int) -> None:
        epoch = max(0, min(epoch, self.maximum()))
        if epoch != self.value():
            self.chosen.emit(epoch)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            tooltip = self._tooltip(self.epoch_at(event.x())) if self._losses else ""
            QToolTip.showText(event.globalPos(), plain_tooltip(tooltip), self)
            return True
        return super().event(event)

    def _tooltip(self, epoch: int) -> str:
        """Return the tooltip of an epoch, with all digits of its loss."""
        loss = self._losses[epoch]
        loss_text = "its loss is not computed yet" if loss is None else f"loss {full(loss)}"
        return f"Epoch {epoch:,}: {loss_text}\nClick or drag to go there"

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(480), self._style.px(self._height))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._choose(self.epoch_at(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._choose(self.epoch_at(event.position().x()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        at, last = self.value(), self.maximum()
        wanted = {
            Qt.Key.Key_Left: at - 1,
            Qt.Key.Key_Down: at - 1,
            Qt.Key.Key_Right: at + 1,
            Qt.Key.Key_Up: at + 1,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }.get(Qt.Key(event.key()))
        if wanted is None:
            super().keyPressEvent(event)
        else:
            self._choose(wanted)

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._losses:
            return
        with antialiased(self) as painter:
            self._paint_line(painter)
            for k in self.labelled_epochs():
                self._paint_texts(painter, k)

    def _paint_line(self, painter: QPainter) -> None:
        """Paint the title, the line, and its ticks."""
        theme, px, count = self._style.theme, self._style.px, self._axis_end()
        y, current_x, width = px(self._line_y), self.x_of(self.value()), px(3.4)
        painter.setFont(self._style.font("caption strong"))
        painter.setPen(theme.value)
        metrics = QFontMetricsF(painter.font())
        painter.drawText(QPointF(0, y + (metrics.ascent() - metrics.descent()) / 2), TITLE)
        painter.setPen(QPen(mixed(theme.line, theme.wire, 0.25), width))
        painter.drawLine(QLineF(self.x_of(0), y, self.x_of(count), y))
        painter.setPen(QPen(theme.value, width))
        painter.drawLine(QLineF(self.x_of(0), y, current_x, y))
        if self.x_of(1) - self.x_of(0) >= px(_TICK_SPACING):
            for k in range(count + 1):
                done = k <= self.value()
                painter.setBrush(theme.value if done else theme.panel)
                painter.setPen(QPen(theme.value if done else theme.outline, 1.4))
                painter.drawEllipse(QPointF(self.x_of(k), y), px(4.2), px(4.2))
        painter.setBrush(theme.value)
        painter.setPen(QPen(theme.panel, 2.0))
        painter.drawEllipse(QPointF(current_x, y), px(7), px(7))

    def _paint_texts(self, painter: QPainter, epoch: int) -> None:
        """Paint the number of an epoch above the line, and its loss below."""
        theme, px, at = self._style.theme, self._style.px, self.value()
        y, is_current = px(self._line_y), epoch == at
        known = epoch <= at and self._losses[epoch] is not None
        rows = (
            (f"{epoch:,}", y - px(17), theme.text if is_current else theme.secondary, is_current),
            (
                self._loss_text(epoch),
                y + px(17),
                theme.value if known else theme.secondary,
                is_current and known,
            ),
        )
        for text, middle_y, color, strong in rows:
            painter.setFont(self._style.font("caption strong" if strong else "caption"))
            painter.setPen(color)
            metrics = QFontMetricsF(painter.font())
            half_width = metrics.horizontalAdvance(text) / 2
            x = min(max(self.x_of(epoch), half_width), self.width() - half_width)
            to_baseline = (metrics.ascent() - metrics.descent()) / 2
            painter.drawText(QPointF(x - half_width, middle_y + to_baseline), text)
