"""The four steps of a training loop as buttons, in the order of the loop."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from app.controls.kind import plain_tooltip
from app.controls.painted_button import PaintedButton
from app.guard import guarded
from app.style import sizes
from app.style.current import Style
from app.style.icons import paint_icon
from app.style.theme import mixed
from app.workbench.modes.loop import STEPS, LoopState, Step
from app.workbench.words.descent import NAMES

_TIPS: dict[Step, str] = {
    "zero_grad": "Set every gradient to 0, since backward adds to what is there",
    "forward": "Compute all values from the leaves, and so the loss",
    "backward": "Compute the gradients of the loss, and add them to those of the leaves",
    "update": "Move each leaf that learns against its gradient, times the rate",
}
_GAP = 6
"""Space between the buttons, in px at 100 %."""
_WIDE: Final = 133
_PADDING, _CHECK = 13, 16
"""Space at both ends of a button, and the size of its check, in px at 100 %."""


@guarded
class StepButton(PaintedButton):
    """A step with its number; filled where it is the next one, with a check where it is done."""

    def __init__(self, style: Style, number: int, name: str, parent: QWidget) -> None:
        super().__init__(style, parent)
        self._number = f"{number}"
        self.is_next = self.is_done = False
        self.setText(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.show_state(is_next=False, is_done=False)

    def show_state(self, *, is_next: bool, is_done: bool) -> None:
        """Mark the step as the next one, or as done."""
        self.is_next, self.is_done = is_next, is_done
        state = "next" if is_next else "done" if is_done else ""
        self.setAccessibleName(f"{self.text()}, {state}" if state else self.text())
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(_WIDE), self._style.px(sizes.CONTROL))

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, px = self._style.theme, self._style.px
        fill = theme.text if self.is_next else theme.header_op if self.is_done else theme.node
        ink = theme.panel if self.is_next else theme.text
        if self.underMouse():
            fill = mixed(fill, ink, 0.10)
        number = ink if self.is_next else theme.secondary
        if not self.isEnabled():
            ink = number = mixed(theme.secondary, theme.panel, 0.45)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self.paint_box(painter, fill, theme.line, sizes.RADIUS_BUTTON)
            row = QRectF(self.rect()).adjusted(px(_PADDING), 0, -px(_PADDING), 0)
            middle = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
            painter.setFont(self._style.font("caption"))
            painter.setPen(number)
            painter.drawText(row, middle, self._number)
            beside = QFontMetricsF(painter.font()).horizontalAdvance(self._number)
            painter.setFont(self._style.font("interface strong"))
            painter.setPen(ink)
            painter.drawText(row.adjusted(beside + px(8), 0, 0, 0), middle, self.text())
            if self.is_done:
                side = px(_CHECK)
                top = row.center().y() - side / 2
                paint_icon(painter, QRectF(row.right() - side, top, side, side), "check", ink)


class StepButtons(QWidget):
    """Two by two."""

    chosen = Signal(str)
    """Emitted with one of `STEPS`."""

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self.buttons: dict[Step, StepButton] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        for place, step in enumerate(STEPS):
            button = StepButton(style, place + 1, NAMES[step], self)
            button.setObjectName(step)
            button.setToolTip(plain_tooltip(_TIPS[step]))
            button.clicked.connect(self._choose)
            self.buttons[step] = button
            self._grid.addWidget(button, place // 2, place % 2)
        style.changed.connect(self._restyle)
        self._restyle()

    def show_loop(self, loop: LoopState) -> None:
        """Mark what is done and what comes next."""
        for step, button in self.buttons.items():
            is_next = loop.next == step
            button.show_state(is_next=is_next, is_done=step in loop.done and not is_next)

    def _choose(self) -> None:
        self.chosen.emit(self.sender().objectName())

    def _restyle(self) -> None:
        self._grid.setSpacing(self._style.px(_GAP))
