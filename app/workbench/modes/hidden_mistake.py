"""HiddenMistake: a pass whose mistake a room is to name, and the same pass once it is named."""

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
    """A pass at one of its steps, with nothing that tells its rules until they are `revealed`.

    Unlike in a hunt the rules are those of the playback, and nobody steps on to find them. Both
    before and after the answer, nodes have the sizes that numbers under any mistake need, so that
    nothing moves: wrong gradients get their flags, but no correct ledger beside the wrong one.
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
        """Return the frame without the steps after its cursor and without its rules; once they are
        revealed, the frame with the space of the hidden one."""
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
