"""HiddenMistake: the steps so far of a pass whose mistake a room is to name."""

from __future__ import annotations

from typing import ClassVar

from app.workbench.modes.hunt import reserved_trace
from app.workbench.modes.mode import Mode
from engine.frame import Frame
from engine.rules import UNKNOWN, Rules
from engine.study.question import hide_unseen_steps


class HiddenMistake(Mode, frozen=True):
    """A pass that stands at one of its steps, with nothing that tells its rules.

    Unlike in a hunt the rules are those of the playback, and nobody steps on to find them.
    """

    name: ClassVar[str] = "hidden mistake"

    @property
    def asks(self) -> bool:
        return True

    @property
    def survives_pass(self) -> bool:
        return False

    @property
    def allows_comparison(self) -> bool:
        return False

    def known_rules(self, chosen: Rules) -> Rules:
        return UNKNOWN

    def hide(self, frame: Frame) -> Frame:
        """Return the frame without the steps after its cursor, and without its rules."""
        if frame.trace is None or frame.phase != "backward":
            return frame
        return hide_unseen_steps(frame, frame.cursor, reserved_trace(frame.graph, frame.trace.root))
