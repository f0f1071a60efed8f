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
from app.controls.focus import NAVIGATION_KEYS, KeyClaim
from app.controls.layouts import plain_tooltip
from app.guard import guarded
from app.style.current import Style
from app.style.theme import mixed
from engine.numbers import full

SEVERAL: Final = 10
"""Least epochs of the axis, and the stride of a page key."""
TITLE: Final = "Epochs"
_EDGE: Final = 26
"""Space left of the first and right of the last tick, in px at 100 %."""
_DOTS: Final = 9.0
"""Px between two ticks below which they are not drawn one by one."""
_LABEL_GAP: Final = 10.0
_MEASURED: Final = 12
"""Losses from either end that are measured: those of a long run are as wide between."""


@guarded
class EpochLine(QAbstractSlider):
    """Ticks with their losses; `chosen` carries the epoch to go to."""

    chosen = Signal(int)

    def __init__(
        self, style: Style, text: Callable[[float | None], str], parent: QWidget | None = None
    ) -> None:
        """`text` writes a loss, or that there is none yet."""
        super().__init__(parent)
        self._style, self._text = style, text
        self._losses: Sequence[float | None] = ()
        self._last = 0
        self._line, self._height = 39, 89
        self._title_width = 0.0
        self.setOrientation(Qt.Orientation.Horizontal)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(TITLE)
        KeyClaim(self, *NAVIGATION_KEYS)
        self.valueChanged.connect(self.chosen)  # as assistive technology sets it
        style.changed.connect(self._restyle)

    def show_epochs(self, losses: Sequence[float | None], at: int, last: int = 0) -> None:
        """Show the losses of a run, the current epoch, and the end of the axis."""
        self._losses, self._last = losses, last
        blocked = self.blockSignals(True)
        self.setRange(0, len(losses) - 1)
        self.setValue(at)
        self.blockSignals(blocked)
        self.setAccessibleDescription(f"Epoch {at:,}, loss {self._text(losses[at])}")
        self.update()

    def set_rows(self, line: int, height: int) -> None:
        """Set where the line is and how high the whole is, in px at 100 %."""
        self._line, self._height = line, height
        self._restyle()

    def x_of(self, epoch: int) -> float:
        """Return the x of an epoch's tick."""
        left, right = self._ends()
        return left + (right - left) * epoch / self._count()

    def epoch_at(self, x: float) -> int:
        """Return the epoch of this run that is nearest to x."""
        left, right = self._ends()
        found = round((x - left) / max(right - left, 1.0) * self._count())
        return max(0, min(found, self.maximum()))

    def texts(self) -> list[tuple[str, str]]:
        """Return the epochs that are written, each with its loss."""
        if not self._losses:
            return []
        return [(f"{k:,}", self._under(k)) for k in self.written()]

    def _ends(self) -> tuple[float, float]:
        px, title = self._style.px, self._title_width
        return title + px(_EDGE), max(float(self.width()) - px(_EDGE), title + 2 * px(_EDGE))

    def _count(self) -> int:
        return max(SEVERAL, self.maximum(), self._last)

    def _under(self, epoch: int) -> str:
        return self._text(self._losses[epoch]) if epoch < len(self._losses) else ""

    def written(self) -> list[int]:
        """Return the epochs to label, whose texts do not overlap."""
        metrics, at = QFontMetricsF(self._style.font("caption")), self.value()
        some = [*self._losses[:_MEASURED], *self._losses[-_MEASURED:]]
        texts = [*(self._text(loss) for loss in some), f"{self._count():,}"]
        apart = (self.x_of(1) - self.x_of(0)) or 1.0
        widest = max(metrics.horizontalAdvance(text) for text in texts)
        stride = round_up((widest + _LABEL_GAP) / apart)
        found = [k for k in range(0, self._count() + 1, stride) if abs(k - at) >= stride]
        return sorted([*found, at])

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
        """Return an epoch with all digits of its loss."""
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
            Qt.Key.Key_PageUp: at - SEVERAL,
            Qt.Key.Key_Right: at + 1,
            Qt.Key.Key_Up: at + 1,
            Qt.Key.Key_PageDown: at + SEVERAL,
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
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_line(painter)
            for k in self.written():
                self._paint_texts(painter, k)

    def _paint_line(self, painter: QPainter) -> None:
        """Paint the title, the line, and its ticks."""
        theme, px, count = self._style.theme, self._style.px, self._count()
        y, now, wide = px(self._line), self.x_of(self.value()), px(3.4)
        painter.setFont(self._style.font("caption strong"))
        painter.setPen(theme.value)
        metrics = QFontMetricsF(painter.font())
        painter.drawText(QPointF(0, y + (metrics.ascent() - metrics.descent()) / 2), TITLE)
        painter.setPen(QPen(mixed(theme.line, theme.wire, 0.25), wide))
        painter.drawLine(QLineF(self.x_of(0), y, self.x_of(count), y))
        painter.setPen(QPen(theme.value, wide))
        painter.drawLine(QLineF(self.x_of(0), y, now, y))
        if self.x_of(1) - self.x_of(0) >= px(_DOTS):
            for k in range(count + 1):
                done = k <= self.value()
                painter.setBrush(theme.value if done else theme.panel)
                painter.setPen(QPen(theme.value if done else theme.outline, 1.4))
                painter.drawEllipse(QPointF(self.x_of(k), y), px(4.2), px(4.2))
        painter.setBrush(theme.value)
        painter.setPen(QPen(theme.panel, 2.0))
        painter.drawEllipse(QPointF(now, y), px(7), px(7))

    def _paint_texts(self, painter: QPainter, epoch: int) -> None:
        """Paint the number of an epoch above the line, and its loss below."""
        theme, px, at = self._style.theme, self._style.px, self.value()
        y, now = px(self._line), epoch == at
        known = epoch <= at and self._losses[epoch] is not None
        rows = (
            (f"{epoch:,}", y - px(17), theme.text if now else theme.secondary, now),
            (
                self._under(epoch),
                y + px(17),
                theme.value if known else theme.secondary,
                now and known,
            ),
        )
        for text, middle, color, strong in rows:
            painter.setFont(self._style.font("caption strong" if strong else "caption"))
            painter.setPen(color)
            metrics = QFontMetricsF(painter.font())
            half = metrics.horizontalAdvance(text) / 2
            x = min(max(self.x_of(epoch), half), self.width() - half)
            down = (metrics.ascent() - metrics.descent()) / 2
            painter.drawText(QPointF(x - half, middle + down), text)
