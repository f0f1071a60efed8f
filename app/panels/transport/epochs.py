"""The epoch line: while a training loop is shown, it takes the place of the timeline."""

from __future__ import annotations

import math
from typing import Final

from PySide6.QtCore import QEvent, QLineF, QPointF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QAbstractSlider, QSizePolicy, QToolTip, QWidget

from app.controls.icon_button import IconButton
from app.controls.keys import ARROWS, KeyClaim
from app.controls.kind import plain_tooltip
from app.controls.layouts import in_row
from app.guard import guarded
from app.panels.transport.lane import LARGE_ROWS, Rows
from app.style.current import Style
from app.style.theme import mixed
from app.workbench.descending import Descending
from app.workbench.descent_words import loss_text
from app.workbench.descents import Descents
from engine.numbers import full

SEVERAL: Final = 10
"""Epochs of the middle button, and for which the line has room from the start."""
TITLE: Final = "Epochs"
_EDGE: Final = 26
"""Space left of the first and right of the last tick, in px at 100 %."""
_DOTS: Final = 9.0
"""Px between two ticks below which they are not drawn one by one."""
_LABEL_GAP: Final = 10.0


class EpochButtons(QWidget):
    """To the start, back, one epoch, ten, run or stop; and the backward pass in steps."""

    def __init__(self, style: Style, descents: Descents, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._descents = descents
        self.first = IconButton(style, "first", "To the start of the run")
        self.back = IconButton(style, "step_back", "One epoch back")
        self.one = IconButton(style, "step", "Do the rest of this epoch", text="1 epoch")
        self.ten = IconButton(style, "step", "Ten epochs", text=f"{SEVERAL} epochs")
        self.play = IconButton(style, "play", "Epoch after epoch, until you stop", text="Run")
        self.pass_ = IconButton(
            style, "backward", "Step through backward at these values", text="Step this backward"
        )
        self.one.set_kind("primary")
        self.one.set_icon_last()
        runs = (self.first, self.back, self.one, self.ten, self.play)
        in_row(*runs, 1, self.pass_, parent=self, style=style, edges=0, gap=6)
        self.first.clicked.connect(self._to_start)
        self.back.clicked.connect(self._go_back)
        self.one.clicked.connect(self._one)
        self.ten.clicked.connect(self._ten)
        self.play.clicked.connect(self._run_or_stop)

    def refresh(self, loop: Descending) -> None:
        """Enable what can be done, and show whether epochs are running."""
        running = self._descents.running
        self.first.setEnabled(loop.at > 0)
        self.back.setEnabled(loop.at > 0)
        self.one.setEnabled(not running)
        self.ten.setEnabled(not running)
        self.pass_.setEnabled(not running)
        if self.play.text() != ("Stop" if running else "Run"):
            self.play.setText("Stop" if running else "Run")
            self.play.set_icon("pause" if running else "play")

    def _to_start(self) -> None:
        self._descents.go(0)

    def _go_back(self) -> None:
        loop = self._descents.now
        if loop is not None:
            self._descents.go(loop.at - 1)

    def _one(self) -> None:
        self._descents.run(1)

    def _ten(self) -> None:
        self._descents.run(SEVERAL)

    def _run_or_stop(self) -> None:
        if self._descents.running:
            self._descents.stop()
        else:
            self._descents.run()


@guarded
class EpochLine(QAbstractSlider):
    """Ticks with their losses; `chosen` carries the epoch to go to."""

    chosen = Signal(int)

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self._loop: Descending | None = None
        self._rows = LARGE_ROWS
        self.setOrientation(Qt.Orientation.Horizontal)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(TITLE)
        KeyClaim(self, *ARROWS)
        style.changed.connect(self._restyle)

    def show_loop(self, loop: Descending) -> None:
        """Show the epochs of a run and the current one."""
        self._loop = loop
        blocked = self.blockSignals(True)
        self.setRange(0, len(loop.epochs) - 1)
        self.setValue(loop.at)
        self.blockSignals(blocked)
        place = "Epoch {epoch:,}, loss {loss}"
        told = place.format(epoch=loop.at, loss=loss_text(loop.epochs[loop.at].loss))
        self.setAccessibleDescription(told)
        self.update()

    def set_rows(self, rows: Rows) -> None:
        """Set where the rows are."""
        self._rows = rows
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
        loop = self._loop
        if loop is None:
            return []
        return [(f"{k:,}", self._under(loop, k)) for k in self._written(loop)]

    def _ends(self) -> tuple[float, float]:
        px = self._style.px
        title = QFontMetricsF(self._style.font("caption strong")).horizontalAdvance(TITLE)
        return title + px(_EDGE), max(float(self.width()) - px(_EDGE), title + 2 * px(_EDGE))

    def _count(self) -> int:
        return max(SEVERAL, self.maximum())

    def _under(self, loop: Descending, epoch: int) -> str:
        return loss_text(loop.epochs[epoch].loss) if epoch < len(loop.epochs) else ""

    def _written(self, loop: Descending) -> list[int]:
        """Return the epochs whose numbers and losses have room beside one another."""
        metrics = QFontMetricsF(self._style.font("caption"))
        texts = [self._under(loop, k) for k in range(len(loop.epochs))]
        some = texts if len(texts) <= 200 else texts[:100] + texts[-100:]
        widest = max(metrics.horizontalAdvance(text) for text in [*some, f"{self._count():,}"])
        apart = (self.x_of(1) - self.x_of(0)) or 1.0
        stride = max(1, math.ceil((widest + _LABEL_GAP) / apart))
        found = [k for k in range(0, self._count() + 1, stride) if abs(k - loop.at) >= stride]
        return sorted([*found, loop.at])

    def _restyle(self) -> None:
        self.setFixedHeight(self._style.px(self._rows.height))
        self.update()

    def _choose(self, epoch: int) -> None:
        epoch = max(0, min(epoch, self.maximum()))
        if self._loop is not None and epoch != self._loop.at:
            self.chosen.emit(epoch)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            tip = "" if self._loop is None else self._tip(self._loop, self.epoch_at(event.x()))
            QToolTip.showText(event.globalPos(), plain_tooltip(tip), self)
            return True
        return super().event(event)

    def _tip(self, loop: Descending, epoch: int) -> str:
        """Return an epoch with all digits of its loss."""
        loss = loop.epochs[epoch].loss
        told = "its loss is not computed yet" if loss is None else f"loss {full(loss)}"
        return f"Epoch {epoch:,}: {told}\nClick or drag to go there"

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(480), self._style.px(self._rows.height))

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
        if self._loop is None:
            return
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            _Painting(painter, self, self._style, self._rows).paint(
                self._loop, self._written(self._loop), self._count()
            )


class _Painting:
    """Paints title, line, ticks and texts."""

    def __init__(self, painter: QPainter, line: EpochLine, style: Style, rows: Rows) -> None:
        self._painter, self._line, self._style, self._rows = painter, line, style, rows

    def paint(self, loop: Descending, written: list[int], count: int) -> None:
        painter, theme, px = self._painter, self._style.theme, self._style.px
        y, at = px(self._rows.line), self._line.x_of(loop.at)
        painter.setFont(self._style.font("caption strong"))
        painter.setPen(theme.value)
        metrics = QFontMetricsF(painter.font())
        painter.drawText(QPointF(0, y + (metrics.ascent() - metrics.descent()) / 2), TITLE)
        wide = px(3.4)
        painter.setPen(QPen(mixed(theme.line, theme.wire, 0.25), wide))
        painter.drawLine(QLineF(self._line.x_of(0), y, self._line.x_of(count), y))
        painter.setPen(QPen(theme.value, wide))
        painter.drawLine(QLineF(self._line.x_of(0), y, at, y))
        if self._line.x_of(1) - self._line.x_of(0) >= px(_DOTS):
            for k in range(count + 1):
                self._tick(k, y, theme.value if k <= loop.at else None)
        painter.setBrush(theme.value)
        painter.setPen(QPen(theme.panel, 2.0))
        painter.drawEllipse(QPointF(at, y), px(7), px(7))
        for k, (head, loss) in zip(written, self._line.texts(), strict=True):
            now = k == loop.at
            self._text(head, k, y - px(17), theme.text if now else theme.secondary, now)
            known = k <= loop.at and loop.epochs[k].loss is not None
            color = theme.value if known else theme.secondary
            self._text(loss, k, y + px(17), color, now and known)

    def _tick(self, epoch: int, y: float, fill: QColor | None) -> None:
        theme, px = self._style.theme, self._style.px
        self._painter.setBrush(fill or theme.panel)
        self._painter.setPen(QPen(fill or theme.outline, 1.4))
        self._painter.drawEllipse(QPointF(self._line.x_of(epoch), y), px(4.2), px(4.2))

    def _text(self, text: str, epoch: int, y: float, color: QColor, strong: bool) -> None:
        painter = self._painter
        painter.setFont(self._style.font("caption strong" if strong else "caption"))
        painter.setPen(color)
        metrics = QFontMetricsF(painter.font())
        half = metrics.horizontalAdvance(text) / 2
        x = min(max(self._line.x_of(epoch), half), self._line.width() - half)
        painter.drawText(QPointF(x - half, y + (metrics.ascent() - metrics.descent()) / 2), text)
