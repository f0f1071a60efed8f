"""Traces: every event of a forward or backward pass, in order.

`run` is the whole of backpropagation: a node sends upstream gradient × local derivative along
each of its wires, and whoever receives adds it up. It knows no operation by name.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import msgspec

from engine.errors import EngineError
from engine.graph import Graph, Leaf, OpNode, Plan, Root, Wire
from engine.problems import obstacle
from engine.rules import CORRECT, Rules

EVENT_LIMIT = 100_000
"""So many steps has a pass that is shown, or makes a mistake, at most; gradients need no limit."""

Pass = Literal["forward", "backward"]


class Event(msgspec.Struct, frozen=True, gc=False):
    """One step of a backward pass: the seed, one contribution, or one gradient zeroed.

    `node` receives; `target` is the node that fires (-1 for seed and zero) through its `slot`.
    """

    kind: Literal["seed", "contribution", "zero"]
    node: int
    target: int
    slot: int
    upstream: float
    local: float
    contribution: float
    before: float
    after: float
    sweep: int = 1

    @property
    def wire(self) -> Wire | None:
        """The wire that carried it, or None."""
        return None if self.target < 0 else (self.target, self.slot)


class Computed(msgspec.Struct, frozen=True, gc=False):
    """One step of a forward pass: an op node gets its value."""

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
    wired_as: "Trace | None" = field(default=None, repr=False, compare=False)
    """A pass over the same wiring, which knows already who fires when."""

    def __len__(self) -> int:
        return len(self.computed) if self.phase == "forward" else len(self.events)

    @cached_property
    def arrivals(self) -> dict[int, tuple[int, ...]]:
        """For each node that receives, the places of its contributions among the events."""
        if self.wired_as is not None:
            return self.wired_as.arrivals
        found: dict[int, list[int]] = {}
        for k, event in enumerate(self.events):
            if event.kind == "contribution":
                found.setdefault(event.node, []).append(k)
        return {node: tuple(places) for node, places in found.items()}

    @cached_property
    def firing_numbers(self) -> dict[int, int]:
        """The place of each node in the firing order, from 1."""
        if self.wired_as is not None:
            return self.wired_as.firing_numbers
        numbers: dict[int, int] = {}
        for event in self.events:
            if event.kind == "contribution":
                numbers.setdefault(event.target, len(numbers) + 1)
        return numbers

    @cached_property
    def actors(self) -> tuple[int, ...]:
        """For each step the node that computes or fires; -1 for the seed and a zeroing."""
        if self.wired_as is not None:
            return self.wired_as.actors
        if self.phase == "forward":
            return tuple(step.node for step in self.computed)
        return tuple(event.target for event in self.events)

    @cached_property
    def node_ends(self) -> tuple[int, ...]:
        """The cursors at which a node has just finished, the seed and the end among them."""
        if self.wired_as is not None:
            return self.wired_as.node_ends
        if self.phase == "forward":
            return tuple(range(1, len(self) + 1))
        ends = [k for k in range(1, len(self)) if _begins(self.events[k - 1], self.events[k])]
        return (*ends, len(self)) if self.events else ()


def _begins(last: Event, event: Event) -> bool:
    """Whether another node begins to fire, or the same one again, with this event."""
    if (last.kind, last.target, last.sweep) != (event.kind, event.target, event.sweep):
        return True
    return event.kind == "contribution" and event.slot <= last.slot


def evaluate_values(graph: Graph) -> dict[int, float]:
    """The value of every node that can be computed; Roots and unfinished nodes have none."""
    values: dict[int, float] = {}
    for node in graph.structure.whole_order:
        found = graph.nodes[node]
        if isinstance(found, OpNode):
            arguments = [values[s] for s in found.inputs if s in values]
            if len(arguments) == len(found.inputs):
                values[node] = graph.op(node).forward(*arguments)
        elif not isinstance(found, Root):
            values[node] = found.value
    return values


def run_forward(graph: Graph, root: int | None = None) -> Trace:
    """The forward pass to `root` (a node; the active root's unless given), node by node."""
    node = resolve(graph, root)
    values = evaluate_values(graph)
    computed = tuple(
        Computed(k, tuple(values[s] for s in graph.inputs(k) if s is not None), values[k])
        for k in graph.plan(node).order
        if isinstance(graph.nodes[k], OpNode)
    )
    return Trace(graph, node, "forward", CORRECT, values, computed=computed)


def run(graph: Graph, root: int | None = None, rules: Rules = CORRECT) -> Trace:
    """The backward pass from `root` (a node; the active root's unless given) under `rules`."""
    node = resolve(graph, root)
    values = evaluate_values(graph)
    events: list[Event] = []
    for event in _steps(graph, graph.plan(node), rules, values):
        events.append(event)
        if len(events) > EVENT_LIMIT and rules is not CORRECT:
            raise _too_long()
    return Trace(graph, node, "backward", rules, values, events=tuple(events))


def run_to_step(graph: Graph, phase: Pass, rules: Rules = CORRECT) -> Trace:
    """The pass of the active root, to be stepped through; one that is too long is not begun."""
    if phase == "forward" or rules is CORRECT:
        plan = graph.plan(resolve(graph, None))
        ops = [node for node in plan.order if isinstance(graph.nodes[node], OpNode)]
        wires = sum(source in plan.wants for node in ops for source in graph.inputs(node))
        if (len(ops) if phase == "forward" else wires + 1) > EVENT_LIMIT:
            raise _too_long()
    return run_forward(graph) if phase == "forward" else run(graph, rules=rules)


def _too_long() -> EngineError:
    return EngineError(f"This pass takes more than {EVENT_LIMIT:,} steps; it was stopped.")


def _steps(graph: Graph, plan: Plan, rules: Rules, values: Mapping[int, float]) -> Iterator[Event]:
    """Seed the root, then let one node after the other send to its inputs."""
    grads: dict[int, float] = dict.fromkeys(plan.order, 0.0)
    for sweep in range(1, rules.passes + 1):
        if sweep > 1:
            for node in _zeroed(graph, plan, rules):
                yield Event("zero", node, -1, 0, 0.0, 0.0, 0.0, grads[node], 0.0, sweep)
                grads[node] = 0.0
        if rules.seed:
            yield Event("seed", plan.root, -1, 0, 1.0, 1.0, 1.0, grads[plan.root], 1.0, sweep)
            grads[plan.root] = 1.0
        for target in rules.walk(graph, plan):
            upstream = grads[target]
            for slot, source, local in _sent(graph, plan, rules, values, target):
                contribution = upstream * local
                before = grads[source]
                grads[source] = before + contribution if rules.accumulate else contribution
                yield Event(
                    kind="contribution",
                    node=source,
                    target=target,
                    slot=slot,
                    upstream=upstream,
                    local=local,
                    contribution=contribution,
                    before=before,
                    after=grads[source],
                    sweep=sweep,
                )


def _sent(
    graph: Graph, plan: Plan, rules: Rules, values: Mapping[int, float], target: int
) -> Iterator[tuple[int, int, float]]:
    """The slots through which a node sends: (slot, source, local derivative)."""
    node = graph.nodes[target]
    if not isinstance(node, OpNode):
        return
    op = graph.op(target)
    arguments = [values[s] for s in node.inputs if s is not None]
    for slot, source in enumerate(node.inputs):
        partial = rules.partial(op, slot)
        if source in plan.wants and partial is not None:
            yield slot, source, partial(*arguments, values[target])


def _zeroed(graph: Graph, plan: Plan, rules: Rules) -> list[int]:
    """The nodes whose gradient is set to 0 between two passes."""
    if rules.zeroed == "none":
        return []
    wanted = [node for node in plan.order if node in plan.wants]
    return [n for n in wanted if rules.zeroed == "all" or isinstance(graph.nodes[n], Leaf)]


def resolve(graph: Graph, root: int | None) -> int:
    """The node whose gradients are wanted, all of whose ancestors must be complete."""
    node = graph.root if root is None else root
    if node is not None and isinstance(found := graph.nodes.get(node), Root):
        node = found.input
    if node is None or node not in graph.nodes:
        raise EngineError("Choose a root: the number whose gradient you want.")
    problem = obstacle(graph, node)
    if problem is not None:
        raise EngineError(problem.sentence)
    return node
