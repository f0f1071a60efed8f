"""Frames: what is known after k steps of a pass.

The frame at a cursor is a fold over the first k events of a trace, so stepping, stepping back
and scrubbing are one and the same. A frame carries the graph it was computed from.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from engine.graph import Constant, Graph, Leaf, Wire
from engine.trace import Computed, Event, Trace, evaluate_values

Phase = Literal["live", "forward", "backward"]


@dataclass(frozen=True, slots=True)
class Chip:
    """One entry of a ledger: the event that arrived, or None while it is waited for."""

    wire: Wire
    event: Event | None
    place: int


@dataclass(frozen=True, slots=True)
class Sum:
    """The ledger of one sweep: what an earlier sweep has left, and the contributions to it."""

    start: float
    chips: tuple[Chip, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """Everything a screen may show after `cursor` of `total` steps.

    `values` and `grads` hold only what is known; `pathless` are the leaves that no path joins
    to the root. `fired` maps a wire to the last event it carried.
    """

    graph: Graph
    phase: Phase
    cursor: int
    total: int
    values: Mapping[int, float]
    grads: Mapping[int, float]
    fired: Mapping[Wire, Event]
    pathless: frozenset[int] = frozenset()
    trace: Trace | None = None

    @property
    def current(self) -> Event | Computed | None:
        """The step that has just happened."""
        return self._step(self.cursor - 1)

    @property
    def upcoming(self) -> Event | Computed | None:
        """The step that comes next."""
        return self._step(self.cursor)

    @property
    def event(self) -> Event | None:
        """The backward event that has just happened, or None."""
        return found if isinstance(found := self.current, Event) else None

    @property
    def next_event(self) -> Event | None:
        """The backward event that comes next, or None."""
        return found if isinstance(found := self.upcoming, Event) else None

    @property
    def sweep(self) -> int:
        """Which pass this is, of a mistake that runs backward twice: 1, later 2."""
        return 1 if self.event is None else self.event.sweep

    def ledger(self, node: int) -> tuple[Chip, ...]:
        """The contributions of a node in firing order, arrived or waited for, of all sweeps."""
        if self.trace is None or self.phase != "backward":
            return ()
        events = self.trace.events
        return tuple(
            Chip((events[k].target, events[k].slot), events[k] if k < self.cursor else None, k)
            for k in self.trace.arrivals.get(node, ())
        )

    def sum_of(self, node: int) -> Sum:
        """What the running pass adds up in a node: where it starts, and what comes."""
        trace = self.trace
        if trace is None:
            return Sum(0.0, ())
        sweep = self.sweep
        chips = tuple(c for c in self.ledger(node) if trace.events[c.place].sweep == sweep)
        first = next((chip.event for chip in chips if chip.event is not None), None)
        return Sum(self.grads.get(node, 0.0) if first is None else first.before, chips)

    def _step(self, k: int) -> Event | Computed | None:
        if self.trace is None or not 0 <= k < self.total:
            return None
        return self.trace.computed[k] if self.phase == "forward" else self.trace.events[k]


def live_frame(graph: Graph) -> Frame:
    """Outside a pass: all values, no gradients."""
    return Frame(graph, "live", 0, 0, evaluate_values(graph), {}, {})


def frame_at(trace: Trace, cursor: int) -> Frame:
    """What is known after `cursor` steps of a trace, clamped to 0..len(trace)."""
    k = max(0, min(cursor, len(trace)))
    if trace.phase == "forward":
        return _forward_frame(trace, k)
    grads: dict[int, float] = {}
    fired: dict[Wire, Event] = {}
    for event in trace.events[:k]:
        grads[event.node] = event.after
        if event.wire is not None:
            fired[event.wire] = event
    if k == len(trace):  # the pass is over: what received nothing holds its zero
        for node in trace.graph.plan(trace.root).wants:
            grads.setdefault(node, 0.0)
    return Frame(
        trace.graph,
        "backward",
        k,
        len(trace),
        trace.values,
        grads,
        fired,
        trace.graph.structure.pathless(trace.root),
        trace,
    )


def _forward_frame(trace: Trace, k: int) -> Frame:
    graph = trace.graph
    given = graph.nodes.items()
    values = {n: found.value for n, found in given if isinstance(found, Leaf | Constant)}
    values |= {step.node: step.value for step in trace.computed[:k]}
    return Frame(graph, "forward", k, len(trace), values, {}, {}, trace=trace)
