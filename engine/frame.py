"""Frames: what is known after k steps of a pass.

The frame at a cursor is a fold over the first k events of a trace, so stepping, stepping back
and scrubbing are one and the same. A frame carries the graph it was computed from.

A node's ledger lists its contributions in the order in which they arrive, each as one chip; those
that are still waited for are listed too. Which they are is known from the schedule.

>>> from engine import from_expression
>>> from engine.trace import run
>>> trace = run(from_expression("y = a*b + a", {"a": 2, "b": 3}))
>>> [frame_at(trace, k).grads.get(1) for k in range(len(trace) + 1)]  # a.grad, step by step
[None, None, None, 1.0, 4.0, 4.0]
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

from msgspec import Struct

from engine.graph import Constant, Graph, Leaf, Wire
from engine.numbers import HIDDEN
from engine.schedule import Pass
from engine.trace import Computed, Event, Trace, evaluate_values

Phase = Literal["live"] | Pass
"""The pass that is stepped through, or live outside any pass."""


class Chip(Struct, frozen=True):
    """One entry of a ledger: the event that arrived, or None while it is waited for.

    `place` is the index of that event in its trace.
    """

    wire: Wire
    event: Event | None
    place: int


class Sum(Struct, frozen=True):
    """The ledger of one sweep: what an earlier sweep has left, and the contributions to it."""

    start: float
    chips: tuple[Chip, ...]


Secret = Literal["step", "later", "order", "end", "mistake"]
"""What a learner does not see: numbers of the next step, which is asked about, and of later ones;
of later ones alone; which step is next, for the learner chooses it; whether more steps come than
those taken; or, with all steps taken, just the mistake behind them."""


class Hidden(Struct, frozen=True):
    """What a frame hides, and the pass with the numbers; `trace` serves for sizes in a hunt.

    `finals` are the nodes whose gradients at the end of the pass are asked for before it begins.
    """

    what: Secret
    trace: Trace
    finals: frozenset[int] = frozenset()


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
    hidden: Hidden | None = field(default=None, repr=False)
    """What `trace` hides from a learner; where that is its end, `total` is one more step."""

    current: Event | Computed | None = field(init=False, repr=False, compare=False)
    """The step that has just happened."""
    upcoming: Event | Computed | None = field(init=False, repr=False, compare=False)
    """The step that comes next."""
    event: Event | None = field(init=False, repr=False, compare=False)
    """The backward event that has just happened, or None."""
    next_event: Event | None = field(init=False, repr=False, compare=False)
    """The backward event that comes next, or None."""

    def __post_init__(self) -> None:
        steps: Sequence[Event | Computed] = ()
        if self.trace is not None:
            steps = self.trace.computed if self.phase == "forward" else self.trace.events
        current = steps[self.cursor - 1] if steps and self.cursor else None
        comes = self.cursor < len(steps) and self.hides != "order"
        upcoming = steps[self.cursor] if comes else None
        keep = partial(object.__setattr__, self)  # the frame is frozen
        keep("current", current)
        keep("upcoming", upcoming)
        keep("event", current if isinstance(current, Event) else None)
        keep("next_event", upcoming if isinstance(upcoming, Event) else None)

    @property
    def hides(self) -> Secret | None:
        """What is hidden from the learner, or None."""
        return None if self.hidden is None else self.hidden.what

    @property
    def unhidden(self) -> Trace | None:
        """The pass with the numbers that `trace` hides; the trace itself unless some are hidden."""
        return self.trace if self.hidden is None else self.hidden.trace

    @property
    def finals(self) -> frozenset[int]:
        """The nodes whose gradients at the end of the pass are asked for."""
        return frozenset() if self.hidden is None else self.hidden.finals

    @property
    def covered(self) -> bool:
        """Whether a number is hidden that is asked for: of the next step, or at the end."""
        if self.finals:
            return True
        step = self.upcoming
        if isinstance(step, Computed):
            return step.value is HIDDEN
        return step is not None and step.after is HIDDEN

    @property
    def lit(self) -> Event | Computed | None:
        """The step to be lit: the one that is asked about, else the one that has just happened."""
        return (
            self.upcoming if self.hides == "step" and self.covered and self.cursor else self.current
        )

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
            for k in self.trace.schedule.arrivals.get(node, ())
        )

    def sum_of(self, node: int) -> Sum:
        """What the running pass adds up in a node: where it starts, and what comes."""
        trace = self.trace
        if trace is None:
            return Sum(0.0, ())
        sweep = self.sweep
        chips = tuple(c for c in self.ledger(node) if trace.events[c.place].sweep == sweep)
        first = next((chip.event for chip in chips if chip.event is not None), None)
        # the sum starts from what the node held before the first one: not 0 if nothing was zeroed
        return Sum(self.grads.get(node, 0.0) if first is None else first.before, chips)


def live_frame(graph: Graph) -> Frame:
    """Outside a pass: all values, no gradients."""
    return Frame(graph, "live", 0, 0, evaluate_values(graph), {}, {})


def frame_at(trace: Trace, cursor: int) -> Frame:
    """What is known after `cursor` steps of a trace, clamped to 0..len(trace)."""
    k = max(0, min(cursor, len(trace)))
    if trace.phase == "forward":
        return _forward_frame(trace, k)
    schedule, events = trace.schedule, trace.events[:k]
    # the last event at a node or a wire is what it shows: later entries replace earlier ones
    grads = {event.node: event.after for event in events}
    fired = {wire: event for wire, event in zip(schedule.wires, events, strict=False) if wire}
    if k == len(trace):
        grads = trace.gradients
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
