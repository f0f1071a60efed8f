"""The buttons of a pass by hand: take back, hint, who is ready, the direction."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QWidget

from app.controls.icon_button import IconButton
from app.controls.layouts import in_row
from app.controls.segmented import Segmented
from app.style.current import Style
from app.workbench.by_hand import ByHand
from app.workbench.shown import Shown

_PASSES = (("backward", "Backward"), ("forward", "Forward"))


class HandButtons(QWidget):
    """Shown in place of the buttons that step."""

    def __init__(self, style: Style, by_hand: ByHand, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._by_hand = by_hand
        self.take_back = IconButton(
            style, "undo", "Take back the last turn", "Backspace", text="Take back"
        )
        self.hint = IconButton(style, "hint", "How many may fire; once more: which", text="Hint")
        self.turn = IconButton(style, "step", "Take this turn for me", "PgDown", text="Show me")
        self.ready = QCheckBox("show who is ready")
        self.passes = Segmented(style, _PASSES, "Pass by hand")
        self.done = IconButton(style, "close", "End the pass by hand", "H", text="End")
        buttons = (self.take_back, self.hint, self.turn, self.ready)
        in_row(*buttons, 1, self.passes, self.done, parent=self, style=style, edges=0, gap=8)
        self.take_back.clicked.connect(by_hand.take_back)
        self.hint.clicked.connect(by_hand.hint)
        self.turn.clicked.connect(by_hand.take_turn)
        self.ready.toggled.connect(by_hand.set_shows_ready)
        self.passes.chosen.connect(self._choose_pass)
        self.done.clicked.connect(by_hand.leave)

    def refresh(self, shown: Shown) -> None:
        """Show how far the pass by hand is."""
        run = shown.by_hand
        if run is None:
            return
        over = run.is_over(shown.frame.graph)
        self.passes.set_choice(run.phase)
        self.take_back.setEnabled(bool(run.fired) or run.seed is not None)
        for button in (self.hint, self.turn):
            button.setEnabled(not over)
        blocked = self.ready.blockSignals(True)
        self.ready.setChecked(self._by_hand.shows_ready)
        self.ready.blockSignals(blocked)

    def _choose_pass(self, phase: str) -> None:
        self._by_hand.begin("forward" if phase == "forward" else "backward")
