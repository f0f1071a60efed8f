"""By hand: the learner sets the seed, then clicks the node that fires next."""

from __future__ import annotations

from typing import ClassVar

from app.document.change import Change
from app.workbench.modes.mode import STEPPING, Mode
from engine.frame import Frame
from engine.graph import Graph
from engine.study.hand_run import HandRun
from engine.study.hiding import undecided

HINTS = 2
"""First how many nodes may fire, then which one of them the program would take."""


class ByHand(Mode, frozen=True):
    """A pass by hand: the learner's order so far, and the help that was taken.

    `hints` counts those of this turn; `explains` says that the reason of a refusal was asked for.
    """

    name: ClassVar[str] = "by hand"
    run: HandRun
    hints: int = 0
    explains: bool = False

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
        return undecided(frame)

    def after(self, change: Change, graph: Graph) -> Mode:
        return STEPPING if change.whole or change.wiring else self
