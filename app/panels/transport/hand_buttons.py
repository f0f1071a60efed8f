"""A pass by hand in the transport: the learner's order, in place of the timeline."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QWidget

from app.controls.icon_button import IconButton
from app.controls.layouts import in_row
from app.controls.rich_text import filled
from app.controls.segmented import Segmented
from app.panels.transport.face import Said
from app.panels.transport.lane import ABOVE, LaneRows
from app.panels.transport.your_order import YourOrder
from app.style.current import Style
from app.workbench.by_hand import ByHand
from app.workbench.hand_log import boxes, counts
from app.workbench.hand_words import hint_told, turn_told
from app.workbench.shown import Shown
from engine.numbers import Digits

_PASSES = (("backward", "Backward"), ("forward", "Forward"))


class HandFace:
    """The learner's order, the last turn, and the hints of this one."""

    def __init__(self, style: Style, by_hand: ByHand) -> None:
        self._style = style
        self._by_hand = by_hand
        self.buttons = HandButtons(style, by_hand)
        self.line = YourOrder(style)

    def refresh(self, now: Shown, digits: Digits) -> Said:
        """Show how far the pass by hand is; return what is said of it."""
        run = now.by_hand
        assert run is not None
        self.buttons.refresh(now)
        self.line.show_turns(boxes(now, digits), run.phase == "forward")
        fired, total, _early = counts(now)
        hint = hint_told(run, now.frame.graph, self._by_hand.hints)
        said = turn_told(now, digits)
        return Said(f"{fired:,} of {total:,}", said, filled(hint, "secondary"))

    def set_rows(self, rows: LaneRows) -> None:
        """Give the line the height of a timeline with these rows."""
        self.line.setFixedHeight(self._style.px(rows.height - ABOVE if rows.thin else rows.height))


class HandButtons(QWidget):
    """Take back, hint, show me, who is ready, the direction, the end."""

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
