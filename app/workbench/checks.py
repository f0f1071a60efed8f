"""Checks: the gradient check of the graph that is shown, computed while its panel is visible.

Views listen to `changed`. Nothing is computed while nobody watches. A small graph is checked at
once, a large one in the background, once numbers have stopped changing.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.workbench.playback import Playback
from app.workbench.shown import Shown
from engine.errors import EngineError
from engine.graph import Graph
from engine.problems import pass_obstacle
from engine.rules import Rules
from engine.study.nudge import STEP

if TYPE_CHECKING:
    from app.workbench.checking import Row, Verdict, Way

CLOSED = "Opens after you answer."
NO_LEAF = "There is no leaf, so there is no gradient to check."
SLICE = 0.008
"""Seconds that checking may take before events get their turn."""
AT_ONCE = 200
"""Nodes up to which a check begins without waiting; a pass over them takes a millisecond."""
REST = 120
"""Milliseconds for which a larger graph has to rest before it is checked."""


class Checks(QObject):
    """The rows of the check, how they are computed, and the verdict on all of them."""

    changed = Signal()

    def __init__(self, playback: Playback, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._playback = playback
        self._watched = False
        self._way: Way = "forward"
        self._h = STEP
        self._all_nodes = False
        self._rows: list[Row] = []
        self._total = 0
        self._said = ""
        self._coming: Iterator[Row | None] | None = None
        self._checked: tuple[Graph, Rules] | None = None
        self._found: tuple[Graph, Rules, Verdict | None] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._go_on)
        playback.shown.connect(self._follow)

    @property
    def rows(self) -> list[Row]:
        """Return the rows known by now, in the order of nodes."""
        return self._rows

    @property
    def total(self) -> int:
        """Return how many rows there will be."""
        return self._total

    @property
    def said(self) -> str:
        """Return why there is nothing to show, or an empty text."""
        return self._said

    @property
    def way(self) -> Way:
        """Return how numerical gradients are computed."""
        return self._way

    @property
    def h(self) -> float:
        """Return the step of a difference quotient."""
        return self._h

    @property
    def rules(self) -> Rules:
        """Return the rules of the pass that is checked."""
        return self._playback.rules

    @property
    def all_nodes(self) -> bool:
        """Return whether operations are checked as well as leaves."""
        return self._all_nodes

    @property
    def waits(self) -> bool:
        """Return whether rows are still to come."""
        return self._coming is not None

    @property
    def closed(self) -> bool:
        """Return whether a learner is asked for numbers that the rows would give away."""
        frame = self._playback.frame
        at_end = frame.phase == "backward" and frame.cursor == frame.total
        return self._playback.now.asks and not (at_end and not frame.covered)

    @property
    def verdict(self) -> Verdict | None:
        """Return the verdict on all gradients, if the last check was one of exactly this graph."""
        graph, rules, verdict = self._found or (None, None, None)
        is_this = graph is self._playback.frame.graph and rules is self._playback.rules
        return verdict if is_this else None

    @property
    def needs_other_h(self) -> bool:
        """Return whether another h may tell what this one can't."""
        return self._coming is None and any(row.by_h for row in self._rows) and self._h != STEP

    def watch(self, watched: bool) -> None:
        """Compute while the panel is visible; catch up on changes when it is shown."""
        self._watched = watched
        if not watched:
            self._stop()
        elif not self._is_current():
            self._begin()

    def set_way(self, way: Way) -> None:
        """Set how numerical gradients are computed."""
        if way != self._way:
            self._way = way
            self._found = None
            self._begin()

    def set_h(self, h: float) -> None:
        """Set the step of a difference quotient; it has to be above 0."""
        if h != self._h:
            self._h = h
            self._found = None
            self._begin()

    def set_all_nodes(self, all_nodes: bool) -> None:
        """Check operations as well as leaves, or leaves alone."""
        if all_nodes != self._all_nodes:
            self._all_nodes = all_nodes
            self._found = None
            self._begin()

    # private

    def _follow(self, _shown: Shown) -> None:
        if self.closed and self._said == CLOSED:
            return
        if self.closed or self._said == CLOSED or not self._is_current():
            self._begin()

    def _is_current(self) -> bool:
        graph, rules = self._checked or (None, None)
        return graph is self._playback.frame.graph and rules is self._playback.rules

    def _begin(self) -> None:
        """Forget the rows, and compute those of the graph that is shown if the panel is visible."""
        had_any = bool(self._rows or self._said)
        self._stop()
        self._rows, self._total, self._said, self._checked = [], 0, "", None
        graph, rules = self._playback.frame.graph, self._playback.rules
        if self.closed:
            self._said = CLOSED
        elif self._watched:
            self._start(graph, rules)
        if had_any or self._said or self._watched:
            self.changed.emit()

    def _start(self, graph: Graph, rules: Rules) -> None:
        from app.workbench.background import in_background
        from app.workbench.checking import moveable, rows

        self._checked = (graph, rules)
        at_once = len(graph.nodes) <= AT_ONCE
        problem = pass_obstacle(graph) if at_once else None  # of a large one `rows` tells
        nodes = moveable(graph) if self._all_nodes else graph.leaves
        if problem is not None or not nodes:
            self._said = NO_LEAF if problem is None else problem.sentence
            return
        self._total = len(nodes)
        coming = rows(graph, rules=rules, way=self._way, h=self._h, nodes=nodes)
        if at_once:
            self._coming = coming
            self._take_slice()
        else:
            self._coming = in_background(coming)
            self._timer.start(REST)

    def _stop(self) -> None:
        self._timer.stop()
        self._coming = None
        if self._total != len(self._rows):  # unfinished
            self._checked = None

    def _go_on(self) -> None:
        self._take_slice()
        self.changed.emit()

    def _take_slice(self) -> None:
        """Compute rows for a slice of time; the last one completes the check."""
        from app.workbench.background import POLL
        from app.workbench.checking import verdict_on_all

        assert self._coming is not None
        until = perf_counter() + SLICE
        try:
            for row in self._coming:
                if row is None:
                    self._timer.start(POLL)
                    return
                self._rows.append(row)
                if perf_counter() > until:
                    self._timer.start(0)
                    return
        except EngineError as error:
            self._said, self._rows, self._total, self._coming = str(error), [], 0, None
            return
        self._coming = None
        if self._checked is not None:
            self._found = (*self._checked, verdict_on_all(self._rows))
