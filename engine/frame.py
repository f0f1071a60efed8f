"""Frames: the state of a pass after k steps.

The frame at a cursor is a fold over the first k events of a trace. So stepping, stepping back and
scrubbing are the same operation with another k.

A node's ledger lists all contributions to its gradient in order, each as one chip. The schedule
determines them beforehand, so pending ones are listed too.

>>> from engine import from_expression
>>> from engine.trace import run
>>> trace = run(from_expression("y = a*b + a", {"a": 2, "b": 3}))
>>> [frame_at(trace, k).grads.get(1) for k in range(len(trace) + 1)]  # a.grad, step by step
[None, None, None, 1.0, 4.0, 4.0]
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

from msgspec import Struct

from engine.graph import Constant, Graph, Leaf, Wire, post_order
from engine.numbers import HIDDEN
from engine.problems import evaluate_values, unknown_nodes
from engine.schedule import Pass
from engine.trace import Computed, Event, Trace

Phase = Literal["live"] | Pass
"""The pass of a frame, or live outside any pass."""


class Chip(Struct, frozen=True):
    """One entry of a ledger: the event of a contribution, or None while it is pending.

    `index` is that of the event in its trace.
    """

    wire: Wire
    event: Event | None
    index: int


class Sum(Struct, frozen=True):
    """The ledger of one sweep: the gradient before it, and the contributions in it."""

    start: float
    chips: tuple[Chip, ...]


Secret = Literal["step", "later", "order", "end", "mistake"]
"""The kinds of hidden information in an exercise.

    step     the numbers of the next step, which is asked about, and of later ones
    later    the numbers of later steps
    order    the next step, which the learner is to choose
    end      whether more steps follow
    mistake  only the name of the mistake; all its steps are shown
"""


class Hidden(Struct, frozen=True):
    """The kind of secret, and the unhidden pass, by which answers are judged.

    In a hunt for the mistake, `trace` holds the numbers for which space on the screen is reserved.
    `asked_finals` are the nodes whose final gradients are asked for before the pass begins, and
    `asked_sum` is that of which nothing may show yet that its contributions are added.
    """

    what: Secret
    trace: Trace
    asked_finals: frozenset[int] = frozenset()
    asked_sum: int | None = None


@dataclass(frozen=True, slots=True)
class Frame:
    """Everything a screen may show after `cursor` of `total` steps.

    `values` and `grads` map nodes to their numbers after these steps, `fired` a wire to its last
    event. `unreachable_leaves` have no path to the root.
    """

    graph: Graph
    phase: Phase
    cursor: int
    total: int
    values: Mapping[int, float]
    grads: Mapping[int, float]
    fired: Mapping[Wire, Event]
    unreachable_leaves: frozenset[int] = frozenset()
    trace: Trace | None = None
    hidden: Hidden | None = field(default=None, repr=False)
    """The secret of an exercise, if any; while the end is hidden, `total` is `cursor` + 1."""

    current: Event | Computed | None = field(init=False, repr=False, compare=False)
    """The last step, of a forward or backward pass."""
    upcoming: Event | Computed | None = field(init=False, repr=False, compare=False)
    """The next step."""
    event: Event | None = field(init=False, repr=False, compare=False)
    """The last step of a backward pass, or None."""
    next_event: Event | None = field(init=False, repr=False, compare=False)
    """The next step of a backward pass, or None."""

    def __post_init__(self) -> None:
        steps: Sequence[Event | Computed] = ()
        if self.trace is not None:
            steps = self.trace.computed if self.phase == "forward" else self.trace.events
        current = steps[self.cursor - 1] if steps and self.cursor else None
        has_next = self.cursor < len(steps) and self.hides != "order"
        upcoming = steps[self.cursor] if has_next else None
        set_field = partial(object.__setattr__, self)  # the frame is frozen
        set_field("current", current)
        set_field("upcoming", upcoming)
        set_field("event", current if isinstance(current, Event) else None)
        set_field("next_event", upcoming if isinstance(upcoming, Event) else None)

    @property
    def hides(self) -> Secret | None:
        """The kind of secret, or None."""
        return None if self.hidden is None else self.hidden.what

    @property
    def unhidden(self) -> Trace | None:
        """The pass with all its numbers."""
        return self.trace if self.hidden is None else self.hidden.trace

    @property
    def asked_finals(self) -> frozenset[int]:
        """The nodes whose final gradients are asked for."""
        return frozenset() if self.hidden is None else self.hidden.asked_finals

    @property
    def asked_sum(self) -> int | None:
        """The node whose sum is asked for, before a first answer to that was wrong; or None."""
        return None if self.hidden is None else self.hidden.asked_sum

    @property
    def hides_number(self) -> bool:
        """Whether a question hides a number: of the next step, or a final gradient."""
        if self.asked_finals:
            return True
        step = self.upcoming
        if isinstance(step, Computed):
            return step.value is HIDDEN
        return step is not None and step.after is HIDDEN

    @property
    def highlighted(self) -> Event | Computed | None:
        """The step to highlight: the one asked about, else the last one."""
        return (
            self.upcoming
            if self.hides == "step" and self.hides_number and self.cursor
            else self.current
        )

    @property
    def sweep(self) -> int:
        """The sweep of the last step: 2 in the second run of a mistake, else 1."""
        return 1 if self.event is None else self.event.sweep

    def ledger(self, node: int) -> tuple[Chip, ...]:
        """The contributions to a node in order, past and pending, of all sweeps."""
        if self.trace is None or self.phase != "backward":
            return ()
        events = self.trace.events
        return tuple(
            Chip((events[k].sender, events[k].slot), events[k] if k < self.cursor else None, k)
            for k in self.trace.schedule.arrivals.get(node, ())
        )

    def sum_of(self, node: int) -> Sum:
        """The gradient of a node in the current sweep: its start, and the contributions."""
        trace = self.trace
        if trace is None:
            return Sum(0.0, ())
        sweep = self.sweep
        chips = tuple(c for c in self.ledger(node) if trace.events[c.index].sweep == sweep)
        first = next((chip.event for chip in chips if chip.event is not None), None)
        # the gradient before the first contribution is not 0 if a mistake zeroed nothing
        return Sum(self.grads.get(node, 0.0) if first is None else first.before, chips)


def live_frame(graph: Graph, withheld: Collection[int] = ()) -> Frame:
    """The frame outside a pass: no gradients, and all values that don't depend on `withheld`.

    Nor has a frozen operation whose inputs were edited a value.
    """
    values = evaluate_values(graph)
    unknown = [*(n for n in withheld if n in values), *unknown_nodes(graph, values)]
    for node in post_order(unknown, lambda n: [target for target, _slot in graph.outgoing[n]]):
        values.pop(node, None)
    return Frame(graph, "live", 0, 0, values, {}, {})


def frame_at(trace: Trace, cursor: int) -> Frame:
    """The frame after `cursor` steps of a trace, clamped to 0..len(trace)."""
    k = max(0, min(cursor, len(trace)))
    if trace.phase == "forward":
        return _forward_frame(trace, k)
    schedule, events = trace.schedule, trace.events[:k]
    # the last event at a node or a wire counts: later entries replace earlier ones
    grads = {**trace.begins, **{event.node: event.after for event in events}}
    fired = {wire: event for wire, event in zip(schedule.wires, events, strict=False) if wire}
    if k == len(trace):
        grads = trace.gradients  # with 0 for nodes without contributions
    return Frame(
        trace.graph,
        "backward",
        k,
        len(trace),
        trace.values,
        grads,
        fired,
        trace.graph.structure.unreachable_leaves(trace.root),
        trace,
    )


def _forward_frame(trace: Trace, k: int) -> Frame:
    graph = trace.graph
    inputs = (n for n, each in graph.nodes.items() if isinstance(each, Leaf | Constant))
    values = {n: trace.values[n] for n in inputs}
    values |= {step.node: step.value for step in trace.computed[:k]}
    return Frame(graph, "forward", k, len(trace), values, {}, {}, trace=trace)
