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

from collections.abc import Callable

from msgspec.structs import replace
from PySide6.QtCore import QObject

from app.document.change import Change, Reordered
from app.document.document import Document
from app.workbench.modes.mode import STEPPING, Mode
from app.workbench.playback.collapsed_steps import next_stop, previous_stop
from app.workbench.playback.playback_state import PlaybackState
from engine.errors import EngineError
from engine.frame import Frame, frame_at, live_frame
from engine.graph import Graph
from engine.problems import pass_obstacle
from engine.rules import CORRECT, Rules
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
        early = self._mode.begins_before_seed and cursor == 1
        return self._begin("backward", 0 if early else cursor)

    def forward(self, *, cursor: int = 0) -> bool:
        """Start the forward pass with only leaves and constants known; False if it can't start."""
        return self._begin("forward", cursor)

    def leave(self) -> None:
        """Leave the pass: show all values and no gradients."""
        self._timer.stop()
        if not self._mode.survives_pass:
            self._mode = STEPPING
        self._frame = live_frame(self._document.graph)
        self._tell()

    # moving in it

    def step(self, *, whole_node: bool = False) -> None:
        """Go one step on, or to the end of the node; outside a pass, or at its end, start backward.

        An open question is answered first: playing pauses, and `held` is emitted.
        """
        if self._mode.shows_answer:
            self.set_mode(self._mode.at_cursor())
            if self._mode.is_open(self._frame) or self.cursor == self._frame.total:
                return
        before = self.cursor
        if self._mode.is_open(self._frame):
            self.pause()
            self.held.emit()
        elif self._frame.trace is None or (self.phase == "forward" and before == self.frame.total):
            self.backward()
        else:
            by_node = self._by_node and not self._mode.asks_each_step
            self.go(next_stop(replace(self._now, frame=self._frame), whole_node or by_node))
        if not whole_node and self.frame.trace is not None and self.cursor == before + 1:
            self.stepped.emit()

    def step_back(self, *, whole_node: bool = False) -> None:
        """Go one step back, or to the start of the node."""
        self.go(previous_stop(replace(self._now, frame=self._frame), whole_node or self._by_node))

    def to_end(self) -> None:
        """Go to the end of the pass; outside one, of the backward pass."""
        if self._frame.trace is None:
            self._begin("backward", None)
        else:
            self.go(self._frame.total)

    def go(self, cursor: int, *, pause: bool = False) -> None:
        """Go to any cursor of the pass; playing stops at the end, and with `pause` in any case."""
        if self._frame.trace is None:
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
        if self._frame.trace is None:
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

    # mode and rules

    def set_mode(self, mode: Mode) -> None:
        """Set the mode, or how far it is; STEPPING ends it.

        A mode whose graph is not the document's is shown once the document has that graph.
        """
        if mode.owns_position:
            self._timer.stop()
            self._frame = live_frame(self._document.graph)
        before, self._mode = self._mode.rules(self._rules), mode
        if mode.mends:
            self._rules = CORRECT
        rules = mode.rules(self._rules)
        if rules is not before and self._frame.phase == "backward":
            self._frame, _said = restarted(self._document.graph, self._frame, rules, "")
        if mode.is_shown_with(self._document.graph):
            self._tell()

    def advance(self, mode: Mode) -> None:
        """Take the next step and set the mode there: the one in which that step was answered."""
        assert self._frame.trace is not None
        self._timer.stop()
        self._frame = frame_at(self._frame.trace, self.cursor + 1)
        self._mode = mode
        self._tell()
        self.stepped.emit()

    def set_rules(self, rules: Rules) -> None:
        """Set the rules of the backward pass, and go back to its start."""
        if rules == self._rules and not self._mode.sets_rules:
            return
        self._rules, said = rules, ""
        sentence = "The rules changed: the backward pass is back at its start."
        if self.phase == "backward":
            said = self._restart(sentence)
        elif self._mode.owns_position or self._mode.sets_rules:
            said, self._mode = ended("", self._mode), STEPPING
        self._tell(said=said)

    def can_begin(self, graph: Graph, phase: Pass, obstacle: Callable[[Graph], str]) -> bool:
        """Return whether a mode can begin on a graph, or say why not.

        `obstacle` returns what else than an unfinished graph prevents it, or "".
        """
        problem = pass_obstacle(graph)
        if problem is not None:
            self.stuck.emit(problem, phase)
            return False
        try:
            why = obstacle(graph)
        except EngineError as error:
            why = str(error)
        if why:
            self.said.emit(why)
        return not why

    # private

    def _begin(self, phase: Pass, cursor: int | None, play: bool = False) -> bool:
        """Run a pass and show it at a cursor (None: its end); report a problem that prevents it."""
        problem = pass_obstacle(self._document.graph)
        if problem is not None:
            self.stuck.emit(problem, phase)
            return False
        try:
            rules = self._mode.rules(self._rules)
            trace = run_to_step(self._document.graph, phase, rules)
        except EngineError as error:
            self.said.emit(str(error))
            return False
        self._mode = STEPPING if self._mode.owns_position else self._mode.restarted(self._frame)
        self._frame = frame_at(trace, len(trace) if cursor is None else cursor)
        self._timer.stop()
        if play:
            self._timer.start()
        self._tell()
        return True

    def _follow(self, change: Change) -> None:
        """Recompute after an edit, so that numbers always belong to the graph."""
        said, graph, trace = "", self._document.graph, self._frame.trace
        if change.graph and (trace is None or change.whole):
            self._timer.stop()
            self._frame = live_frame(graph)
            said = self._mode_after(change)
        elif change.graph and change.wiring:
            said = self._restart(f"{restart_reason(change)}: the pass is back at its start.")
        elif change.graph and trace is not None:
            self._frame = frame_at(run_again(trace, graph), self.cursor)
            self._mode = self._mode.with_values_edited()
        self._tell(change, said)

    def _show_at(self, cursor: int) -> None:
        """Show another place of the pass; what was revealed for the last is forgotten."""
        assert self._frame.trace is not None
        self._frame = frame_at(self._frame.trace, cursor)
        self._mode = self._mode.at_cursor()

    def _restart(self, sentence: str) -> str:
        """Go back to the start of the pass, or leave it; return what is said of that, or ""."""
        self._timer.stop()
        mode, self._mode = self._mode, STEPPING
        self._frame, said = restarted(self._document.graph, self.frame, self._rules, sentence)
        return ended(said, mode)

    def _mode_after(self, change: Change) -> str:
        """Let a mode outside a pass go on with the document, or end it and return a sentence."""
        before, self._mode = self._mode, self._mode.after(change, self._document.graph)
        if before.owns_position and self._mode is STEPPING:
            return ended(f"{restart_reason(change)}.", before) if before.title else ""
        return ""


_BECAUSE: dict[Reordered, str] = {
    "": "Everything was built again",
    "wiring": "The wiring changed",
    "root": "The root changed",
    "operation": "An operation changed",
    "to constant": "A leaf became a constant",
    "to leaf": "A constant became a leaf",
}


def restart_reason(change: Change) -> str:
    """Return why a pass restarts after a change of `wiring`, as the beginning of a sentence."""
    return "Another document was opened" if change.opened else _BECAUSE[change.reordered]


def restarted(graph: Graph, before: Frame, rules: Rules, sentence: str) -> tuple[Frame, str]:
    """Return the pass of a frame at its beginning, or live values if it can't run any more.

    The text says what happened: `sentence`, why it can't run, or "" if nothing is lost, because
    the pass was at 0.
    """
    assert before.phase != "live"
    if (problem := pass_obstacle(graph)) is not None:
        return live_frame(graph), f"The pass has ended. {problem.sentence}"
    try:
        frame = frame_at(run_to_step(graph, before.phase, rules), 0)
    except EngineError as error:
        return live_frame(graph), str(error)
    return frame, sentence if before.cursor else ""


def ended(said: str, mode: Mode) -> str:
    """Return a sentence, and that a mode has ended if it asked something."""
    return f"{said} {mode.title} has ended.".lstrip() if mode.title else said
