"""The four steps of a training loop as buttons, in the order of the loop."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QGridLayout, QPushButton, QWidget

from app.controls.keys import PressedByEnter
from app.controls.kind import plain_tooltip, set_kind
from app.style.current import Style
from app.workbench.modes.loop import STEPS, LoopState, Step
from app.workbench.words.descent import NAMES

_TIPS: dict[Step, str] = {
    "zero_grad": "Set every gradient to 0, since backward adds to what is there",
    "forward": "Compute all values from the leaves, and so the loss",
    "backward": "Compute the gradients of the loss, and add them to those of the leaves",
    "update": "Move each leaf that learns against its gradient, times the rate",
}
_GAP = 8
"""Space between the buttons, in px at 100 %."""


class StepButtons(QWidget):
    """Two by two: steps that are done carry a check, the next step is filled."""

    chosen = Signal(str)
    """Emitted with one of `STEPS`."""

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self.buttons: dict[Step, QPushButton] = {}
        self._group = QButtonGroup(self)
        self._group.setExclusive(False)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        for place, step in enumerate(STEPS):
            button = QPushButton(NAMES[step], self)
            button.setToolTip(plain_tooltip(_TIPS[step]))
            button.setAccessibleName(NAMES[step])
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            PressedByEnter(button)
            self.buttons[step] = button
            self._group.addButton(button, place)
            self._grid.addWidget(button, place // 2, place % 2)
        self._group.idClicked.connect(self._clicked)
        style.changed.connect(self._restyle)
        self._restyle()

    def show_loop(self, loop: LoopState | None) -> None:
        """Mark what is done and what comes next; without a loop nothing can be pressed."""
        for place, (step, button) in enumerate(self.buttons.items()):
            button.setEnabled(loop is not None)
            is_next = loop is not None and loop.next == step
            is_done = loop is not None and step in loop.done and not is_next
            set_kind(button, "primary" if is_next else "done" if is_done else "")
            button.setText(f"{place + 1}   {NAMES[step]}{'   ✓' if is_done else ''}")
            button.setAccessibleDescription("next" if is_next else "done" if is_done else "")

    def _clicked(self, place: int) -> None:
        self.chosen.emit(STEPS[place])

    def _restyle(self) -> None:
        self._grid.setSpacing(self._style.px(_GAP))
