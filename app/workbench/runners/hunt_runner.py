"""HuntRunner: the learner's actions in a hunt for a mistake; its state belongs to the playback."""

from __future__ import annotations

import random
from collections.abc import Collection
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.workbench.modes.mode import STEPPING
from app.workbench.playback.playback import Playback
from app.workbench.selection import Selection
from engine.asking.question import MOST_STEPS
from engine.graph import Graph
from engine.numbers import DIGITS_SHOWN, Digits
from engine.rules import CORRECT, MISTAKES, Rules
from engine.schedule import schedule_of
from engine.trace import Trace

if TYPE_CHECKING:
    from app.workbench.modes.hunt import Hunt
    from engine.asking.micrograd_program import Line

_NONE_SHOWS = "No mistake shows on this graph: under each of them the gradients are right here."
_TOO_LONG = "Hunt takes passes of up to {most:,} steps; this one has {steps:,}."


class HuntRunner(QObject):
    """Begins a hunt, judges the learner's choices, and ends it."""

    def __init__(
        self, playback: Playback, selection: Selection, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._playback = playback
        self._selection = selection
        selection.changed.connect(self._follow_selection)

    @property
    def now(self) -> Hunt | None:
        return self._playback.now.hunt

    @property
    def cursor(self) -> int:
        """Return the step that is shown; 0 outside of a backward pass."""
        return self._playback.cursor if self._playback.phase == "backward" else 0

    def begin(self, seed: int | None = None, among: Collection[Rules] = MISTAKES) -> None:
        """Draw a mistake of `among` that changes a gradient of this graph, and hide its name."""
        from app.workbench.modes.hunt import Hunt
        from engine.asking.diagnose import draw_mistake

        chosen_seed = random.randrange(2**31) if seed is None else seed
        playback = self._playback
        playback.pause()
        if not self._can_begin():
            return
        rules = draw_mistake(playback.frame.graph, chosen_seed, among)
        if rules is None:
            playback.said.emit(_NONE_SHOWS)
            return
        self._start(Hunt(rules, "name", chosen_seed, among=tuple(among)))

    def begin_to_mend(self) -> None:
        """Ask where the mistake that is on shows first, why, and which line is to be mended."""
        from app.workbench.modes.hunt import Hunt

        rules = self._playback.rules
        if rules is not CORRECT and self.now is None and self._can_begin():
            self._start(Hunt(rules, "find"))

    def leave(self) -> None:
        self._playback.set_mode(STEPPING)

    # what the learner says

    def name(self, guess: Rules, digits: Digits = DIGITS_SHOWN) -> None:
        """Claim which mistake is on."""
        hunt, trace = self.now, self._trace
        if hunt is not None and trace is not None and hunt.stage == "name":
            self._set_hunt(hunt.judge_name(guess, trace, digits))

    def show(self) -> None:
        """Give up: show the mistake."""
        if self.now is not None and self.now.stage == "name":
            self._set_hunt(self.now.reveal())

    def point(self) -> None:
        """Claim that the current step is the first wrong one."""
        hunt, trace = self.now, self._trace
        if hunt is not None and trace is not None and hunt.stage == "find" and self.cursor:
            self._set_hunt(hunt.judge_step(self.cursor, trace))

    def explain(self, choice: Rules, digits: Digits = DIGITS_SHOWN) -> None:
        """Claim the reason for the first wrong step."""
        hunt, trace = self.now, self._trace
        if hunt is not None and trace is not None and hunt.stage == "explain":
            self._set_hunt(hunt.judge_reason(choice, trace, digits))

    def mend(self, line: Line) -> None:
        """Claim which line is wrong; if that is right, the correct pass is shown to its end."""
        hunt = self.now
        if hunt is None or hunt.stage != "fix":
            return
        after = hunt.judge_line(line)
        self._set_hunt(after)
        if after.stage == "done":
            self._playback.backward(cursor=0)
            self._playback.to_end()

    # private

    @property
    def _trace(self) -> Trace | None:
        return self._playback.now.unhidden_trace

    def _set_hunt(self, hunt: Hunt) -> None:
        self._playback.set_mode(hunt)

    def _start(self, hunt: Hunt) -> None:
        playback = self._playback
        with playback.at_once():
            playback.set_mode(hunt)
            playback.backward(cursor=0)

    def _can_begin(self) -> bool:
        """Return whether a short enough pass can run; if not, the playback says why."""
        return self._playback.can_begin(self._playback.frame.graph, "backward", self._obstacle)

    def _obstacle(self, graph: Graph) -> str:
        assert graph.root is not None
        steps = len(schedule_of(graph, graph.root, "backward", self._playback.rules))
        return _TOO_LONG.format(most=MOST_STEPS, steps=steps) if steps > MOST_STEPS else ""

    def _follow_selection(self) -> None:
        """Go to the step of a selected wire, in the stage that looks for the first wrong step."""
        hunt, trace = self.now, self._trace
        wires = self._selection.wires
        if hunt is None or hunt.stage != "find" or trace is None or len(wires) != 1:
            return
        steps = [k for k, event in enumerate(trace.events, 1) if event.wire in wires]
        if steps and self._playback.phase == "backward":
            self._playback.go(steps[0], pause=True)
