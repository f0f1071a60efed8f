"""Playback: the one owner of the trace and the place in it.

Phases and what may happen in each:

    live       values only; `forward` and `backward` start a pass, a step starts backward
    forward    cursor 0..n, one op node a step
    backward   cursor 0..n, 0 nothing yet, 1 the seed, then one contribution a step

A change of a value keeps the phase and the cursor; a change of the wiring, the active root or
the mistake returns to 0 and says so, or to live when the graph can't run.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from PySide6.QtCore import QObject, QTimer, Signal

from app.document.change import Change
from app.document.document import Document
from app.workbench.comparison import Comparison, compared
from app.workbench.folded import run_around
from engine import quick
from engine.errors import EngineError
from engine.frame import Frame, Phase, frame_at
from engine.problems import Problem, obstacle
from engine.rules import CORRECT, Rules
from engine.trace import Trace, run_to_step

SPEEDS: tuple[float, ...] = (0.5, 1.0, 2.0, 4.0)
"""Steps per second that play offers."""


class Playback(QObject):
    """The pass that is shown, and how far."""

    frame_changed = Signal(object)
    """A Frame: all numbers there are to show, computed from the document's graph."""
    stepped = Signal()
    """A single step forward was taken, not a scrub or a jump; the frame is shown already."""
    settings_changed = Signal()
    """Playing, speed, stopping by node, cover or the mistake differ."""
    said = Signal(str)
    """Something the learner should know, as a sentence."""
    stuck = Signal(object, str)
    """A Problem that keeps a pass from starting."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._trace: Trace | None = None
        self._frame = quick.live(document.graph)
        self._by_node = False
        self._cover = False
        self._revealed = False
        self._speed = 1.0
        self._rules = CORRECT
        self._compared: tuple[Trace, Comparison | None] | None = None
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._tick)
        document.changed.connect(self._follow)

    # what there is

    @property
    def frame(self) -> Frame:
        """What is known now."""
        return self._frame

    @property
    def phase(self) -> Phase:
        """live, forward or backward."""
        return self._frame.phase

    @property
    def cursor(self) -> int:
        """How many steps have been done."""
        return self._frame.cursor

    @property
    def trace(self) -> Trace | None:
        """The pass that is shown, or None."""
        return self._trace

    @property
    def playing(self) -> bool:
        """Whether steps come by themselves."""
        return self._timer.isActive()

    @property
    def by_node(self) -> bool:
        """Whether a step goes to the end of the current node."""
        return self._by_node

    @property
    def speed(self) -> float:
        """Steps a second while playing."""
        return self._speed

    @property
    def cover(self) -> bool:
        """Whether the next contribution is hidden."""
        return self._cover

    @property
    def covered(self) -> bool:
        """Whether there is a next contribution and it is hidden now."""
        return self._cover and not self._revealed and self._frame.upcoming is not None

    @property
    def rules(self) -> Rules:
        """The rules of the backward pass."""
        return self._rules

    @property
    def comparison(self) -> Comparison | None:
        """The pass beside the correct one; None while no mistake is shown."""
        if self._trace is None:
            return None
        if self._compared is None or self._compared[0] is not self._trace:
            self._compared = (self._trace, compared(self._trace))
        return self._compared[1]

    # starting and leaving a pass

    def backward(self) -> bool:
        """Start the backward pass at the seed."""
        return self._begin("backward", 1)

    def forward(self) -> bool:
        """Start the forward pass with leaves and constants known."""
        return self._begin("forward", 0)

    def leave(self) -> None:
        """Show all values and no gradients."""
        self.pause()
        self._trace = None
        self._show(quick.live(self._document.graph))

    # moving in it

    def step(self) -> None:
        """One step on, or to the end of the node; outside a pass, start backward."""
        before = self.cursor
        if self._by_node:
            self.step_node()
        elif self._trace is None:
            self.backward()
        else:
            self.go(self._past_group(self.cursor + 1))
        if self._trace is not None and self.cursor == before + 1:
            self.stepped.emit()

    def step_back(self) -> None:
        """One step back, or to the start of the node."""
        if self._by_node:
            self.step_node_back()
        else:
            self.go(self._before_group(self.cursor - 1))

    def step_node(self) -> None:
        """To the end of the current node."""
        if self._trace is None:
            self.backward()
            return
        ends = self._trace.node_ends
        place = bisect_right(ends, self.cursor)
        self.go(self._past_group(ends[place] if place < len(ends) else len(self._trace)))

    def step_node_back(self) -> None:
        """Back to where the current node began."""
        if self._trace is not None:
            ends = self._trace.node_ends
            place = bisect_left(ends, self.cursor) - 1
            self.go(self._before_group(ends[place] if place >= 0 else 0))

    def to_start(self) -> None:
        """Back to where nothing is known yet."""
        self.go(0)

    def to_end(self) -> None:
        """To the end of the pass; outside one, of the backward pass."""
        if self._trace is None and not self.backward():
            return
        if self._trace is not None:
            self.go(len(self._trace))

    def go(self, cursor: int) -> None:
        """To any place of the pass."""
        if self._trace is None:
            return
        place = max(0, min(cursor, len(self._trace)))
        if place != self.cursor:
            self._revealed = False
            self._show(quick.frame_beside(self._frame, self._trace, place))
        if place == len(self._trace):
            self.pause()

    # playing

    def play(self) -> None:
        """Let steps come by themselves, from the start again if this is the end."""
        if self._trace is None and not self.backward():
            return
        if self._trace is not None and self.cursor >= len(self._trace):
            self.go(0)
        self._timer.start(round(1000 / self._speed))
        self.settings_changed.emit()

    def pause(self) -> None:
        """Stay here."""
        if self._timer.isActive():
            self._timer.stop()
            self.settings_changed.emit()

    def toggle_play(self) -> None:
        """Play or pause."""
        if self.playing:
            self.pause()
        else:
            self.play()

    def set_speed(self, speed: float) -> None:
        """Steps a second while playing."""
        self._speed = min(max(speed, 0.1), 20.0)
        if self._timer.isActive():
            self._timer.start(round(1000 / self._speed))
        self.settings_changed.emit()

    # settings

    def set_by_node(self, by_node: bool) -> None:
        """Stop after each node instead of each contribution."""
        self._by_node = by_node
        self.settings_changed.emit()

    def set_cover(self, cover: bool) -> None:
        """Hide the next contribution until it is clicked or stepped."""
        self._cover = cover
        self._revealed = False
        self.settings_changed.emit()
        self.frame_changed.emit(self._frame)

    def reveal(self) -> None:
        """Show the next contribution without stepping."""
        if self.covered:
            self._revealed = True
            self.settings_changed.emit()
            self.frame_changed.emit(self._frame)

    def set_rules(self, rules: Rules) -> None:
        """Run the backward pass under other rules; back to the start."""
        if rules == self._rules:
            return
        self._rules = rules
        self.settings_changed.emit()
        if self.phase == "backward":
            self._restart("The rules changed: the backward pass is back at its start.")

    # inside

    def _past_group(self, cursor: int) -> int:
        """Where a step ends: one into a collapsed group goes on while the group fires."""
        return cursor if self._trace is None else self._run(self._trace, cursor - 1).stop

    def _before_group(self, cursor: int) -> int:
        """Where a step back ends: where the collapsed group began to fire."""
        return cursor if self._trace is None else self._run(self._trace, cursor).start

    def _run(self, trace: Trace, k: int) -> range:
        return run_around(self._document.sheet.groups, trace, k, self._document.inside)

    def _begin(self, phase: Phase, cursor: int) -> bool:
        self.pause()
        problem = self._problem()
        if problem is not None:
            self.stuck.emit(problem, phase)
            return False
        try:
            self._trace = self._traced(phase)
        except EngineError as error:
            self.said.emit(str(error))
            return False
        self._revealed = False
        self._show(frame_at(self._trace, cursor))
        return True

    def _problem(self) -> Problem | None:
        graph = self._document.graph
        if graph.root is not None:
            return obstacle(graph, graph.root)
        if graph.active_root is not None:
            return Problem("The root has nothing plugged in. Plug a node in.", graph.active_root, 0)
        text = "Choose a root: the number whose gradient you want."
        return Problem(text, (graph.sinks() or [0])[-1])

    def _traced(self, phase: Phase) -> Trace:
        assert phase != "live"
        return run_to_step(self._document.graph, phase, self._rules)

    def _follow(self, change: Change) -> None:
        """Compute anew after an edit; numbers and graph never part."""
        if not change.graph:
            return
        if self._trace is None or change.whole:
            self.leave()
        elif change.wiring:
            self._restart("The wiring changed: the pass is back at its start.")
        else:
            self._trace = quick.rerun(self._trace, self._document.graph)
            self._show(quick.frame_again(self._frame, self._trace))

    def _restart(self, sentence: str) -> None:
        """Back to 0; it is said only where there was a place to lose."""
        self.pause()
        moved = self.cursor > 0
        if self._problem() is None:
            if self._retrace(self.phase) and moved:
                self.said.emit(sentence)
        else:
            self.leave()
            self.said.emit("The wiring changed: the pass has ended, as something is unplugged.")

    def _retrace(self, phase: Phase) -> bool:
        """Run the pass anew and stand at its start; one that can't be run is left, and said."""
        try:
            self._trace = self._traced(phase)
        except EngineError as error:
            self.leave()
            self.said.emit(str(error))
            return False
        self._show(frame_at(self._trace, 0))
        return True

    def _tick(self) -> None:
        self.step()

    def _show(self, frame: Frame) -> None:
        self._frame = frame
        self.frame_changed.emit(frame)
