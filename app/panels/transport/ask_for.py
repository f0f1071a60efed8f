"""What a learner is asked for: the level, and every step, the last ones, or sums only."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QWidget

from app.controls.layouts import in_row
from app.controls.segmented import Segmented
from app.style.current import Style
from app.workbench.modes import Modes
from engine.study.question import LEVELS

SUMS = "sum"
"""The level that is a choice of its own here."""
_EVERY, _LAST = "every", "last"
_TEXTS = ((_EVERY, "every step"), (_LAST, "last step"), (SUMS, "sums only"))


class AskFor(QWidget):
    """Two choices of a mode, shown while it is on."""

    steps_changed = Signal()
    """Emitted after the text of a choice, and so its width, may have changed."""

    def __init__(self, style: Style, modes: Modes, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._modes = modes
        self._level = modes.level
        self.levels = QComboBox()
        self.levels.setAccessibleName("Ask for")
        self.levels.setToolTip("What is asked of each step")
        for level in LEVELS.values():
            self.levels.addItem(level.title, level.name)
        self.steps = Segmented(style, _TEXTS, "Ask for")
        in_row(self.levels, self.steps, parent=self, style=style, edges=0, gap=6)
        self.levels.activated.connect(self._choose_level)
        self.steps.chosen.connect(self._choose_steps)
        modes.changed.connect(self.refresh)
        self.refresh()

    @property
    def on(self) -> bool:
        """Return whether a mode is on, in a pass in which something can be chosen."""
        return self._modes.now is not None and self._modes.now.hunt is None

    def refresh(self) -> None:
        """Show what is chosen; the last steps grow after a clean round."""
        modes = self._modes
        if modes.level != SUMS:
            self._level = modes.level
        self.levels.setCurrentIndex(list(LEVELS).index(modes.level))
        last = modes.last
        count = "last step" if last is None or last == 1 else f"last {last:,} steps"
        self.steps.set_text(_LAST, count)
        self.steps.setEnabled(not LEVELS[modes.level].once)
        self.steps_changed.emit()
        self.steps.set_choice(
            _LAST if last is not None else SUMS if modes.level == SUMS else _EVERY
        )

    def _choose_level(self, place: int) -> None:
        self._modes.set_level(self.levels.itemData(place))
        self._modes.card_wanted.emit()  # the list has the keyboard, and the next key is an answer

    def _choose_steps(self, steps: str) -> None:
        level = SUMS if steps == SUMS else self._modes.level
        if steps == _EVERY and level == SUMS:
            level = self._level if self._level != SUMS else "contribution"
        self._modes.choose(level, 1 if steps == _LAST else None)
