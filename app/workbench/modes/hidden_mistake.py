"""HiddenMistake: a pass whose mistake a room is asked for, before and after the reveal."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from app.workbench.modes.hunt import reserved_trace
from app.workbench.modes.mode import STEPPING, Mode
from engine.frame import Frame, Hidden
from engine.rules import UNKNOWN, Rules
from engine.study.lecture import Mark
from engine.study.question import hide_unseen_steps


class HiddenMistake(Mode, frozen=True):
    """A pass at one of its steps, without any sign of its rules until they are `revealed`.

    Unlike in a hunt the rules are those of the playback, and the pass stays at its step. Before and
    after the reveal, nodes have the sizes that numbers under any mistake need, so that nothing
    moves: wrong gradients get their flags, but there is no second, correct ledger.
    """

    name: ClassVar[str] = "hidden mistake"
    revealed: bool = False

    @property
    def asks(self) -> bool:
        return not self.revealed

    @property
    def survives_pass(self) -> bool:
        return False

    @property
    def allows_comparison(self) -> bool:
        return self.revealed

    def known_rules(self, chosen: Rules) -> Rules:
        return chosen if self.revealed else UNKNOWN

    def hide(self, frame: Frame) -> Frame:
        """Return the frame without later steps and rules; if revealed, with its space reserved."""
        if frame.trace is None or frame.phase != "backward":
            return frame
        reserved = reserved_trace(frame.graph, frame.trace.root)
        if self.revealed:
            return replace(frame, hidden=Hidden("mistake", reserved))
        return hide_unseen_steps(frame, frame.cursor, reserved)


def mode_of_answer(mark: Mark) -> Mode:
    """Return the mode in which a room sees the answer of a mark."""
    asks_mistake = mark.kind == "ask" and mark.asks == "mistake"
    return HiddenMistake(revealed=True) if asks_mistake else STEPPING
