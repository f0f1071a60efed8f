"""Traces: every event of a forward or backward pass, in order.

`run` is the whole of backpropagation. When a node fires, each of its inputs adds the contribution
along the wire to its gradient:

    ∂root/∂input  +=  ∂root/∂node · ∂node/∂input          (upstream gradient × local derivative)

It knows no operation by name; the firing order is that of the `Schedule`. For y = a*b + a, the
gradient of a has two contributions, 1 from the sum and b = 3 from the product:

>>> from engine import from_expression
>>> trace = run(from_expression("y = a*b + a", {"a": 2, "b": 3}))
>>> [(trace.graph.names[e.node], e.contribution, e.after) for e in trace.events]  # v3 is a*b
[('y', 1.0, 1.0), ('v3', 1.0, 1.0), ('a', 1.0, 1.0), ('a', 3.0, 4.0), ('b', 2.0, 2.0)]
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, wraps
from typing import ParamSpec, TypeVar

import msgspec

from engine.conditions import followed
from engine.errors import EngineError
from engine.graph import Graph, Root, Wire
from engine.problems import CHOOSE_A_ROOT, evaluate_values, local_derivative, obstacle
from engine.rules import CORRECT, Rules
from engine.schedule import NO_NODE, NO_SLOT, BackwardKind, Pass, Schedule, schedule_of, too_long


class Event(msgspec.Struct, frozen=True, gc=False):
    """One step of a backward pass: the seed, one contribution, or one gradient zeroed.

    The gradient of `node` changes from `before` to `after` by `contribution`, which is `upstream`
    times `local`: it comes from `sender`, along the wire from `node` to its `slot`. Seed and zero
    set the gradient: `sender` is NO_NODE, `slot` NO_SLOT, and all numbers but `before` are the new
    gradient. `sweep` counts the runs of a mistake that runs backward twice, from 1.
    """

    kind: BackwardKind
    node: int
    sender: int
    slot: int
    upstream: float
    local: float
    contribution: float
    before: float
    after: float
    sweep: int = 1

    @property
    def wire(self) -> Wire | None:
        """The wire of a contribution, or None."""
        return None if self.slot == NO_SLOT else (self.sender, self.slot)


class Computed(msgspec.Struct, frozen=True, gc=False):
    """One step of a forward pass: the value of an op node is computed."""

    node: int
    inputs: tuple[float, ...]
    value: float


@dataclass(frozen=True)
class Trace:
    """All events of one pass over one graph; `values` are the values of every node."""

    graph: Graph
    root: int
    phase: Pass
    rules: Rules
    values: Mapping[int, float]
    events: tuple[Event, ...] = ()
    computed: tuple[Computed, ...] = ()
    schedule: Schedule = field(kw_only=True, repr=False, compare=False)
    """Shared by all traces of the same wiring, root and rules."""

    def __len__(self) -> int:
        return len(self.computed) if self.phase == "forward" else len(self.events)

    @cached_property
    def begins(self) -> Mapping[int, float]:
        """The gradients that are there before the pass."""
        return dict(self.rules.begins) if self.phase == "backward" else {}

    @cached_property
    def gradients(self) -> Mapping[int, float]:
        """The gradients at the end of the pass; 0 for a node without contributions."""
        grads = {**self.begins, **{event.node: event.after for event in self.events}}
        for node in self.graph.plan(self.root).with_gradient:
            grads.setdefault(node, 0.0)
        return grads

    @cached_property
    def path_sums(self) -> Mapping[int, float]:
        """For each node the sum of |product of local derivatives| over its paths to the root.

        The scale of rounding errors in the node's gradient: where paths cancel, the gradient itself
        is far below it.
        """
        graph, plan = self.graph, self.graph.plan(self.root)
        sums = dict.fromkeys(plan.order, 0.0)
        sums[plan.root] = 1.0
        for target in reversed(plan.order):
            for slot, source in enumerate(graph.inputs(target)):
                if source in plan.with_gradient:
                    sums[source] += sums[target] * abs(
                        local_derivative(graph, (target, slot), self.values)
                    )
        return sums


def run_forward(graph: Graph, root: int | None = None, rules: Rules = CORRECT) -> Trace:
    """Return the forward pass to `root`, by default the node of the active Root."""
    node = resolve(graph, root)
    schedule = schedule_of(graph, node, "forward", rules)
    values = evaluate_values(graph)
    computed = tuple(
        Computed(firing.node, tuple([values[s] for s in firing.inputs]), values[firing.node])
        for firing in schedule.firings
    )
    return Trace(graph, node, "forward", CORRECT, values, computed=computed, schedule=schedule)


def run(
    graph: Graph, root: int | None = None, rules: Rules = CORRECT, most: int | None = None
) -> Trace:
    """Return the backward pass from `root`, by default the node of the active Root.

    Raises EngineError without a root, with an empty slot before it, and for a mistake that takes
    more than `most` steps, EVENT_LIMIT unless given.
    """
    node = resolve(graph, root)
    schedule = schedule_of(graph, node, "backward", rules, most)
    values = evaluate_values(graph)
    events = tuple(_events(schedule, rules, values))
    return Trace(graph, node, "backward", rules, values, events, schedule=schedule)


def run_again(trace: Trace, graph: Graph) -> Trace:
    """Return the same pass over a graph with other values."""
    if trace.phase == "forward":
        return run_forward(graph, trace.root)
    return run(graph, trace.root, trace.rules)


def run_within_limit(graph: Graph, phase: Pass, rules: Rules = CORRECT) -> Trace:
    """Return a pass of the active Root, to be stepped through.

    Raises EngineError as `run` does, and for any pass of more than EVENT_LIMIT steps.
    """
    if schedule_of(graph, resolve(graph, None), phase, rules).is_too_long:
        raise too_long()
    return run_forward(graph) if phase == "forward" else run(graph, rules=rules)


def _events(schedule: Schedule, rules: Rules, values: Mapping[int, float]) -> Iterator[Event]:
    """Yield the steps of a schedule with their numbers: this is the backward pass itself."""
    grads: dict[int, float] = {**dict.fromkeys(values, 0.0), **dict(rules.begins)}
    for kind, node, sweep, inputs, sends in schedule.firings:
        if kind != "contribution":  # a gradient is set: to 1 by the seed, to 0 between sweeps
            new = rules.seed if kind == "seed" else 0.0
            yield Event(kind, node, NO_NODE, NO_SLOT, new, new, new, grads[node], new, sweep)  # pyright: ignore
            grads[node] = new
            continue
        upstream, value = grads[node], values[node]  # complete, if the order is correct
        arguments = [values[source] for source in inputs]
        for slot, source, partial in sends:
            local = partial(*arguments, value)
            contribution = upstream * local  # the chain rule: ∂root/∂node · ∂node/∂source
            before = grads[source]
            # += and not =: a source that is used twice gets a contribution for each use
            adds = rules.accumulate and (node, slot) not in rules.assigns
            after = before + contribution if adds else contribution
            grads[source] = after
            yield Event(
                "contribution", source, node, slot, upstream, local, contribution, before, after,
                sweep,
            )  # fmt: skip


def resolve(graph: Graph, root: int | None) -> int:
    """Return the node to differentiate, given itself or as its Root; None is the active Root.

    Raises EngineError if there is none, or if it or an ancestor has an empty slot.
    """
    node = graph.root if root is None else root
    if node is not None and isinstance(found := graph.nodes.get(node), Root):
        node = found.input
    if node is None or node not in graph.nodes:
        raise EngineError(CHOOSE_A_ROOT)
    problem = obstacle(graph, node)
    if problem is not None:
        raise EngineError(problem.sentence)
    return node


_Params = ParamSpec("_Params")
_Result = TypeVar("_Result")


def kept_for_pass(compute: Callable[_Params, _Result]) -> Callable[_Params, _Result]:
    """Keep the results of a function while the pass among its arguments is the same object.

    No `lru_cache` does that: it would compare the events. The other arguments are hashable.
    """
    passes: list[Trace] = []
    results: dict[object, _Result] = {}

    @wraps(compute)
    def found(*args: _Params.args, **names: _Params.kwargs) -> _Result:
        if followed():  # another way through it has another result
            return compute(*args, **names)
        trace = next(each for each in args if isinstance(each, Trace))
        if not passes or passes[0] is not trace:
            passes[:] = [trace]
            results.clear()
        key = (*(each for each in args if each is not trace), *names.items())
        if key not in results:
            results[key] = compute(*args, **names)
        return results[key]

    return found
