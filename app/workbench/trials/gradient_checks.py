"""Checks: the gradient check of the current graph, computed while its panel is visible.

Views listen to `changed`. Nothing is computed while nobody watches. A small graph is checked at
once, a large one in the background, once numbers have stopped changing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.controls.slices import POLL, Slices, Work, in_background
from app.document.sheet import is_large
from app.workbench.playback.playback import Playback
from app.workbench.playback.view_state import ViewState
from engine.asking.nudge import STEP
from engine.errors import EngineError
from engine.graph import Graph
from engine.problems import pass_obstacle
from engine.rules import Rules

if TYPE_CHECKING:
    from app.workbench.trials.checking import CheckMethod, CheckRow, Verdict

CLOSED = "Opens after you answer."
NO_LEAF = "There is no leaf, so there is no gradient to check."
DEBOUNCE_MS = 120
"""Debounce of the check of a large graph after an edit, longer than between moves of a slider."""


class Checks(QObject):
    """The rows of the check, how they are computed, and the verdict on all of them."""

    changed = Signal()
    """Emitted when rows, `said` or the settings have changed, and after each slice of a check."""

    def __init__(self, playback: Playback, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._playback = playback
        self._watched = False
        self.method: CheckMethod = "forward"
        """The method of numerical differentiation."""
        self.h = STEP
        """The step of a difference quotient."""
        self.all_nodes = False
        """Whether operations are checked as well as leaves."""
        self.rows: list[CheckRow] = []
        """The rows known by now, in the order of nodes."""
        self.total = 0
        """The number of rows that the check will have."""
        self.said = ""
        """The reason for an empty table, or ""."""
        self._checked_input: tuple[Graph, Rules] | None = None
        """The graph and rules of `rows`, which may still be incomplete; None without a check."""
        self._completed: tuple[Graph, Rules, Verdict | None] | None = None
        """Those of the last complete check, with its verdict."""
        self._slices = Slices(self)
        self._slices.progressed.connect(self.changed)
        self._slices.finished.connect(self.changed)
        playback.shown.connect(self._follow)

    @property
    def rules(self) -> Rules:
        return self._playback.rules

    @property
    def waits(self) -> bool:
        return self._slices.active

    @property
    def closed(self) -> bool:
        """Return whether the rows are withheld, as they show answers of a quiz."""
        frame = self._playback.frame
        at_end = frame.phase == "backward" and frame.cursor == frame.total
        return self._playback.now.asks and not (at_end and not frame.hides_number)

    @property
    def verdict(self) -> Verdict | None:
        """Return the verdict on all gradients, if the last check was one of exactly this graph."""
        graph, rules, verdict = self._completed or (None, None, None)
        is_this = graph is self._playback.frame.graph and rules is self._playback.rules
        return verdict if is_this else None

    @property
    def needs_other_h(self) -> bool:
        """Return whether some rows are in doubt because of this step h alone."""
        return not self.waits and any(row.by_h for row in self.rows) and self.h != STEP

    def watch(self, watched: bool) -> None:
        """Compute while the panel is visible; catch up on changes when it is shown."""
        self._watched = watched
        if not watched:
            self._stop()
        elif not self._is_current():
            self._begin()

    def set_method(self, method: CheckMethod) -> None:
        """Set the method of numerical differentiation."""
        if method != self.method:
            self.method = method
            self._begin_anew()

    def set_h(self, h: float) -> None:
        """Set the step of a difference quotient; it has to be above 0."""
        if h != self.h:
            self.h = h
            self._begin_anew()

    def set_all_nodes(self, all_nodes: bool) -> None:
        """Check operations as well as leaves, or leaves alone."""
        if all_nodes != self.all_nodes:
            self.all_nodes = all_nodes
            self._begin_anew()

    # private

    def _begin_anew(self) -> None:
        """Begin with another setting, which has no verdict yet."""
        self._completed = None
        self._begin()

    def _follow(self, _shown: ViewState) -> None:
        if self.closed and self.said == CLOSED:
            return
        if self.closed or self.said == CLOSED or not self._is_current():
            self._begin()

    def _is_current(self) -> bool:
        graph, rules = self._checked_input or (None, None)
        return graph is self._playback.frame.graph and rules is self._playback.rules

    def _begin(self) -> None:
        """Forget the rows, and compute those of the graph that is shown if the panel is visible."""
        had_any = bool(self.rows or self.said)
        self._stop()
        self.rows, self.total, self.said, self._checked_input = [], 0, "", None
        graph, rules = self._playback.frame.graph, self._playback.rules
        if self.closed:
            self.said = CLOSED
        elif self._watched and (work := self._check_work(graph, rules)) is not None:
            at_once = not is_large(graph)
            self._slices.start(work, after=None if at_once else DEBOUNCE_MS)
            if at_once:  # what its first slice found has been emitted
                return
        if had_any or self.said or self._watched:
            self.changed.emit()

    def _check_work(self, graph: Graph, rules: Rules) -> Work | None:
        """Return the generator that checks a graph, or None with the reason in `said`."""
        from app.workbench.trials.checking import checkable_nodes, rows

        self._checked_input = (graph, rules)
        at_once = not is_large(graph)
        problem = pass_obstacle(graph) if at_once else None  # `rows` raises it for a large graph
        nodes = checkable_nodes(graph) if self.all_nodes else graph.leaves
        if problem is not None or not nodes:
            self.said = NO_LEAF if problem is None else problem.sentence
            return None
        self.total = len(nodes)
        found = rows(graph, rules=rules, method=self.method, h=self.h, nodes=nodes)
        return self._check(graph, rules, found if at_once else in_background(found))

    def _check(self, graph: Graph, rules: Rules, found: Iterator[CheckRow | None]) -> Work:
        """Take the rows as they are found; the last one completes the check."""
        from app.workbench.trials.checking import overall_verdict

        try:
            for row in found:
                if row is None:
                    yield POLL
                else:
                    self.rows.append(row)
                    yield
        except EngineError as error:
            self.said, self.rows, self.total = str(error), [], 0
        else:
            self._completed = (graph, rules, overall_verdict(self.rows))

    def _stop(self) -> None:
        self._slices.cancel()
        if self.total != len(self.rows):  # unfinished
            self._checked_input = None
