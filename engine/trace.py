"""Traces: every event of a forward or backward pass, in order.

`run` is the whole of backpropagation: a node sends upstream gradient × local derivative along
each of its wires, and whoever receives adds it up. It knows no operation by name.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import msgspec

from engine.errors import EngineError
from engine.graph import Graph, Leaf, OpNode, Root, Wire
from engine.problems import obstacle
from engine.rules import CORRECT, Rules

EVENT_LIMIT = 100_000


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


class Computed(msgspec.Struct, frozen=True):
    """One step of a forward pass: an op node gets its value."""

    node: int
    inputs: tuple[float, ...]
    value: float


@dataclass(frozen=True)
class Trace:
    """All events of one pass over one graph; `values` are the values of every node."""

    graph: Graph
    root: int
    phase: Literal["forward", "backward"]
    rules: Rules
    values: Mapping[int, float]
    events: tuple[Event, ...] = ()
    computed: tuple[Computed, ...] = ()

    def __len__(self) -> int:
        return len(self.computed) if self.phase == "forward" else len(self.events)

    @cached_property
    def arrivals(self) -> dict[int, tuple[int, ...]]:
        """For each node that receives, the places of its contributions among the events."""
        found: dict[int, list[int]] = {}
        for k, event in enumerate(self.events):
            if event.kind == "contribution":
                found.setdefault(event.node, []).append(k)
        return {node: tuple(places) for node, places in found.items()}

    @cached_property
    def firing_numbers(self) -> dict[int, int]:
        """The place of each node in the firing order, from 1."""
        numbers: dict[int, int] = {}
        for event in self.events:
            if event.kind == "contribution":
                numbers.setdefault(event.target, len(numbers) + 1)
        return numbers

    @cached_property
    def node_ends(self) -> tuple[int, ...]:
        """The cursors at which a node has just finished, the seed and the end among them."""
        keys = [self._actor(k) for k in range(len(self))]
        return tuple(k for k in range(1, len(keys) + 1) if k == len(keys) or keys[k - 1] != keys[k])

    def _actor(self, k: int) -> object:
        if self.phase == "forward":
            return self.computed[k].node
        event = self.events[k]
        return (event.kind, event.target, event.sweep)


def evaluate_values(graph: Graph) -> dict[int, float]:
    """The value of every node that can be computed; Roots and unfinished nodes have none."""
    values: dict[int, float] = {}
    for node in graph.structure.whole_order:
        value = _value(graph, node, values)
        if value is not None:
            values[node] = value
    return values


def run_forward(graph: Graph, root: int | None = None) -> Trace:
    """The forward pass to `root` (a node; the active root's unless given), node by node."""
    node = _resolve(graph, root)
    values = evaluate_values(graph)
    computed = tuple(
        Computed(k, tuple(values[s] for s in graph.inputs(k) if s is not None), values[k])
        for k in graph.plan(node).order
        if isinstance(graph.nodes[k], OpNode)
    )
    return Trace(graph, node, "forward", CORRECT, values, computed=computed)


def run(graph: Graph, root: int | None = None, rules: Rules = CORRECT) -> Trace:
    """The backward pass from `root` (a node; the active root's unless given) under `rules`."""
    node = _resolve(graph, root)
    values = evaluate_values(graph)
    events: list[Event] = []
    grads: dict[int, float] = dict.fromkeys(graph.plan(node).order, 0.0)
    for sweep in range(1, rules.passes + 1):
        if sweep > 1:
            _zero(graph, graph.plan(node).wants, grads, rules, events, sweep)
        if rules.seed:
            before, grads[node] = grads[node], 1.0
            events.append(Event("seed", node, -1, 0, 1.0, 1.0, 1.0, before, 1.0, sweep))
        _sweep(graph, node, rules, values, grads, events, sweep)
    return Trace(graph, node, "backward", rules, values, events=tuple(events))


def _sweep(
    graph: Graph,
    root: int,
    rules: Rules,
    values: Mapping[int, float],
    grads: dict[int, float],
    events: list[Event],
    sweep: int,
) -> None:
    plan = graph.plan(root)
    for target in rules.walk(graph, plan):
        node = graph.nodes[target]
        if not isinstance(node, OpNode):
            continue
        op = graph.op(target)
        arguments = [values[s] for s in node.inputs if s is not None]
        upstream = grads[target]
        for slot, source in enumerate(node.inputs):
            partial = rules.partial(op, slot)
            if source is None or source not in plan.wants or partial is None:
                continue
            local = partial(*arguments, values[target])
            contribution = upstream * local
            before = grads[source]
            after = before + contribution if rules.accumulate else contribution
            grads[source] = after
            events.append(
                Event(
                    "contribution",
                    source,
                    target,
                    slot,
                    upstream,
                    local,
                    contribution,
                    before,
                    after,
                    sweep,
                )
            )
        if len(events) > EVENT_LIMIT and rules is not CORRECT:
            raise EngineError(f"This pass takes more than {EVENT_LIMIT:,} steps; it was stopped.")


def _zero(
    graph: Graph,
    wants: frozenset[int],
    grads: dict[int, float],
    rules: Rules,
    events: list[Event],
    sweep: int,
) -> None:
    for node, before in grads.items():
        leaf = isinstance(graph.nodes[node], Leaf)
        if node in wants and (rules.zeroed == "all" or (rules.zeroed == "leaves" and leaf)):
            grads[node] = 0.0
            events.append(Event("zero", node, -1, 0, 0.0, 0.0, 0.0, before, 0.0, sweep))


def _resolve(graph: Graph, root: int | None) -> int:
    node = graph.root if root is None else root
    if node is not None and isinstance(found := graph.nodes.get(node), Root):
        node = found.input
    if node is None or node not in graph.nodes:
        raise EngineError("Choose a root: the number whose gradient you want.")
    problem = obstacle(graph, node)
    if problem is not None:
        raise EngineError(problem.sentence)
    return node


def _value(graph: Graph, node: int, values: Mapping[int, float]) -> float | None:
    found = graph.nodes[node]
    if isinstance(found, Root):
        return None
    if not isinstance(found, OpNode):
        return found.value
    inputs = [values.get(s) if s is not None else None for s in found.inputs]
    arguments = [value for value in inputs if value is not None]
    return graph.op(node).forward(*arguments) if len(arguments) == len(inputs) else None
