"""Playback: the one owner of the trace and the place in it.

Phases and what may happen in each:

    live       values only; `forward` and `backward` start a pass, a step starts backward;
               while a training loop is on, what its last step has computed
    forward    cursor 0..n, one op node a step
    backward   cursor 0..n, 0 nothing yet, 1 the seed, then one contribution a step

A change of a value keeps the phase and the cursor; a change of the wiring, the active root or
the mistake returns to 0 and says so, or to live when the graph can't run.

Views listen to `shown` alone: it follows every change of the document too, once the numbers
belong to the new graph, and carries that change. So each view is refreshed once, whatever was done.
"""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject

from app.document.change import Change
from app.document.document import Document
from app.workbench.asking import (
    TITLES,
    Asking,
    ends_with_pass,
    hunts,
    predicts,
    running_rules,
    waits,
)
from app.workbench.descending import Descending
from app.workbench.folded import next_stop, previous_stop
from app.workbench.playback_state import PlaybackState
from app.workbench.restart import restarted
from engine.errors import EngineError
from engine.frame import frame_at, live_frame
from engine.problems import pass_obstacle
from engine.rules import Rules
from engine.schedule import Pass
from engine.trace import run_again, run_to_step


class Playback(PlaybackState):
    """The pass that is shown, and the position in it."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(document, parent)
        self._timer.timeout.connect(self.step)
        document.changed.connect(self._follow)

    # starting and leaving a pass

    def backward(self, *, cursor: int = 1) -> bool:
        """Start the backward pass at the seed or at a cursor; return whether it could start."""
        once = self._asking is not None and self._asking.level.once  # before the seed
        return self._begin("backward", 0 if once and cursor == 1 else cursor)

    def forward(self, *, cursor: int = 0) -> bool:
        """Start the forward pass with only leaves and constants known; False if it can't start."""
        return self._begin("forward", cursor)

    def leave(self) -> None:
        """Leave the pass: show all values and no gradients; Predict and Hunt end."""
        self._timer.stop()
        if ends_with_pass(self._asking):
            self._asking = None
        self._descending = None
        self._frame = live_frame(self._document.graph)
        self._tell()

    # moving in it

    def step(self, *, whole_node: bool = False) -> None:
        """Go one step on, or to the end of the node; outside a pass, or at its end, start backward.

        In Predict an open question is answered first: playing waits, a step shows the answer.
        """
        before = self.cursor
        if waits(self._asking, self._frame):
            self.reveal()
        elif self.frame.trace is None or (self.phase == "forward" and before == self.frame.total):
            self.backward()
        else:
            by_node = self._by_node and not predicts(self._asking)  # it asks about each step
            self.go(next_stop(replace(self._now, frame=self._frame), whole_node or by_node))
        if not whole_node and self.frame.trace is not None and self.cursor == before + 1:
            self.stepped.emit()

    def step_back(self, *, whole_node: bool = False) -> None:
        """Go one step back, or to the start of the node."""
        self.go(previous_stop(replace(self._now, frame=self._frame), whole_node or self._by_node))

    def to_end(self) -> None:
        """Go to the end of the pass; outside one, of the backward pass."""
        if self.frame.trace is None:
            self._begin("backward", None)
        else:
            self.go(self._frame.total)

    def go(self, cursor: int, *, pause: bool = False) -> None:
        """Go to any cursor of the pass; playing stops at the end, and with `pause` in any case."""
        if self.frame.trace is None:
            return
        place = max(0, min(cursor, self._frame.total))
        if ends := self.playing and (pause or place == self._frame.total):
            self._timer.stop()
        if moves := place != self.cursor:
            self._show_at(place)
        if ends or moves:
            self._tell()

    # playing

    def play(self) -> None:
        """Start playing, from the beginning if the pass is at its end."""
        if self.frame.trace is None:
            self._begin("backward", 1, play=True)
            return
        if self.cursor >= self._frame.total:
            self._show_at(0)
        self._timer.start()
        self._tell()

    def pause(self) -> None:
        """Pause playback."""
        if self.playing:
            self._timer.stop()
            self._tell()

    def toggle_play(self) -> None:
        """Play or pause."""
        (self.pause if self.playing else self.play)()

    # asking, descending, rules

    def ask(self, asking: Asking | None) -> None:
        """Set the mode in which the learner is asked, and how far it is; None ends it.

        When all about the next step has been answered right, the step is taken.
        """
        before, rules = running_rules(self._asking, self._rules), running_rules(asking, self._rules)
        self._asking = asking
        if asking is not None:
            self._end_descent()
        if rules is not before and self.phase == "backward":
            self._frame, _said = restarted(self._document.graph, self._frame, rules, "")
        if asking is not None and asking.goes_on(self._frame):
            self.step()
        else:
            self._tell()

    def descend(self, descending: Descending) -> None:
        """Show a training loop in place of a pass and of a mode.

        One whose graph is not the document's is shown once the document has that graph.
        """
        self._timer.stop()
        self._asking, self._descending = None, descending
        if descending.graph is self._document.graph:
            self._frame = descending.frame
            self._tell()

    def reveal(self) -> None:
        """Show what is asked for without stepping; while Predict is playing, pause instead."""
        if self.playing and waits(self._asking, self._frame):
            self.pause()
        elif self.frame.finals and not predicts(self._asking):
            self.to_end()
        elif self._asking is not None:
            self.ask(self._asking.revealed(self._frame))

    def set_rules(self, rules: Rules) -> None:
        """Set the rules of the backward pass, and go back to its start."""
        if rules == self._rules and not hunts(self._asking):
            return
        self._rules, said = rules, ""
        self._end_descent()
        if self.phase == "backward":
            said = self._restart("The rules changed: the backward pass is back at its start.")
        self._tell()
        if said:
            self.said.emit(said)

    # private

    def _begin(self, phase: Pass, cursor: int | None, play: bool = False) -> bool:
        """Run a pass and show it at a cursor (None: its end); report a problem that prevents it."""
        problem = pass_obstacle(self._document.graph)
        if problem is not None:
            self.stuck.emit(problem, phase)
            return False
        try:
            rules = running_rules(self._asking, self._rules)
            trace = run_to_step(self._document.graph, phase, rules)
        except EngineError as error:
            self.said.emit(str(error))
            return False
        self._asking = self._asking and self._asking.anew(self._frame)
        self._descending = None
        self._frame = frame_at(trace, len(trace) if cursor is None else cursor)
        self._timer.stop()
        if play:
            self._timer.start()
        self._tell()
        return True

    def _follow(self, change: Change) -> None:
        """Recompute after an edit, so that numbers always belong to the graph."""
        said, graph, trace = "", self._document.graph, self._frame.trace
        keeps = self._descending is not None and not (change.wiring or change.whole)
        if change.graph and self._descending is not None and keeps:
            self._descending = self._descending.on(graph)
            self._frame = self._descending.frame
        elif change.graph and (trace is None or change.whole):
            self._timer.stop()
            self._frame, self._descending = live_frame(graph), None
            self._asking = None if change.whole else self._asking
        elif change.graph and change.wiring:
            said = self._restart("The wiring changed: the pass is back at its start.")
        elif change.graph and trace is not None:
            self._frame = frame_at(run_again(trace, graph), self.cursor)
            self._asking = self._asking and self._asking.after_edit()
        self._tell(change)
        if said:
            self.said.emit(said)

    def _end_descent(self) -> None:
        """Show all values again, if a training loop is shown."""
        if self._descending is not None:
            self._descending = None
            self._frame = live_frame(self._document.graph)

    def _show_at(self, cursor: int) -> None:
        """Show another place of the pass; what was revealed for this one is not kept."""
        assert self._frame.trace is not None
        self._frame = frame_at(self._frame.trace, cursor)
        self._asking = self._asking and self._asking.at_step()

    def _restart(self, sentence: str) -> str:
        """Go back to the start of the pass, or leave it; return what is said of that, or ""."""
        self._timer.stop()
        asking, self._asking = self._asking, None
        self._frame, said = restarted(self._document.graph, self.frame, self._rules, sentence)
        return said if asking is None else f"{said} {TITLES[asking.mode]} has ended.".lstrip()
