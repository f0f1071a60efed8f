"""Mode: the protocol of all modes, which is also plain stepping, and `ByHand`, a pass by hand.

Playback, canvas and strip read its properties, never its type: a new mode overrides those in which
it differs from stepping.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from app.document.change import Change
from engine.asking.hand_run import HandRun
from engine.asking.question import hide_order
from engine.frame import Frame
from engine.graph import Graph
from engine.rules import Rules


class Mode(Struct, frozen=True):
    """Stepping through a pass: nothing is hidden, nothing is asked, every edit is followed."""

    name: ClassVar[str] = "stepping"

    @property
    def title(self) -> str:
        """Return the name in `Cover has ended.`; "" for a silent end."""
        return ""

    @property
    def owns_position(self) -> bool:
        """Return whether the mode has a position of its own instead of the playback's cursor."""
        return False

    @property
    def survives_pass(self) -> bool:
        """Return whether the mode survives leaving the pass."""
        return True

    @property
    def begins_before_seed(self) -> bool:
        """Return whether Backward stops at cursor 0 instead of at the seed."""
        return False

    @property
    def asks(self) -> bool:
        """Return whether the learner is asked, so that parts of the pass are hidden."""
        return False

    @property
    def opens_groups(self) -> bool:
        """Return whether the folded groups of the step, or of its question, are opened."""
        return self.asks

    @property
    def asks_each_step(self) -> bool:
        """Return whether each contribution is a stop, even where whole nodes are stepped."""
        return False

    @property
    def shows_answer(self) -> bool:
        """Return whether the step just taken stays on show, answered, until Go on."""
        return False

    @property
    def allows_comparison(self) -> bool:
        """Return whether the pass may be compared with the correct one."""
        return True

    @property
    def sets_rules(self) -> bool:
        """Return whether the mode chooses the rules of the pass itself."""
        return False

    @property
    def clears_mistake(self) -> bool:
        """Return whether the mode switches the chosen mistake off for good."""
        return False

    def rules(self, chosen: Rules) -> Rules:
        """Return the rules by which the backward pass runs, where `chosen` are switched on."""
        return chosen

    def known_rules(self, chosen: Rules) -> Rules:
        """Return the rules of `rules` as far as the learner may know them."""
        return self.rules(chosen)

    def frame(self, frame: Frame, graph: Graph) -> Frame:
        """Return the frame at the mode's position, nothing hidden; `frame` is the playback's."""
        return frame

    def hide(self, frame: Frame) -> Frame:
        """Return a frame without the numbers asked for."""
        return frame

    def furthest(self, frame: Frame) -> int:
        """Return the furthest cursor of the frame's pass that may be shown."""
        return frame.total

    def is_open(self, frame: Frame) -> bool:
        """Return whether a question about the next step waits for an answer."""
        return False

    def takes_clicks(self, frame: Frame) -> bool:
        """Return whether a click on a node says which one fires."""
        return False

    def belongs_to(self, graph: Graph) -> bool:
        """Return whether the mode belongs to the document's graph as it is now."""
        return True

    def with_seen_frame(self, frame: Frame) -> Mode:
        """Return the mode with the frame, which is shown now, among the steps seen so far."""
        return self

    def after_move(self) -> Mode:
        """Return the mode after the pass moved to another cursor."""
        return self

    def restarted(self, frame: Frame) -> Mode:
        """Return the mode for a pass that begins; `frame` is where the pass before it ended."""
        return self

    def with_values_edited(self) -> Mode:
        """Return the mode after a value was edited in the middle of a pass."""
        return self

    def after_edit(self, change: Change, graph: Graph) -> Mode:
        """Return the mode after an edit outside of a pass; STEPPING if it ends."""
        return self


STEPPING = Mode()
"""The plain mode."""


class Answered(Mode, frozen=True):
    """Stepping from the answer of a question, with the groups open that the question has opened."""

    @property
    def opens_groups(self) -> bool:
        return True


HINT_LIMIT = 2
"""Hints of a turn: the first counts the ready nodes, the second names one."""


class ByHand(Mode, frozen=True):
    """A pass by hand: the learner's order, and the help used.

    `hints` counts the hints of this turn, `explains_refusal`: the reason of a refusal is shown.
    """

    name: ClassVar[str] = "by hand"
    run: HandRun
    hints: int = 0
    explains_refusal: bool = False

    @property
    def title(self) -> str:
        return "By hand"

    @property
    def owns_position(self) -> bool:
        return True

    @property
    def survives_pass(self) -> bool:
        return False

    @property
    def asks(self) -> bool:
        return True

    def frame(self, frame: Frame, graph: Graph) -> Frame:
        return self.run.frame(graph)

    def takes_clicks(self, frame: Frame) -> bool:
        return True

    def hide(self, frame: Frame) -> Frame:
        return hide_order(frame)

    def after_edit(self, change: Change, graph: Graph) -> Mode:
        return STEPPING if change.whole or change.wiring else self
