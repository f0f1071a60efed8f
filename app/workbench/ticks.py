"""Ticks: the steps of both passes in order, known from the wiring before anything has run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from app.workbench.formulas import brief
from engine.graph import Graph, Leaf, OpNode, Plan
from engine.rules import Rules
from engine.trace import EVENT_LIMIT, Trace

NO_NODE = -1


@dataclass(frozen=True, slots=True)
class Group:
    """Ticks of one firing: cursors `first` to `last`, under the name of the node that fires."""

    title: str
    first: int
    last: int


@dataclass(frozen=True)
class Track:
    """The steps of one pass: `receivers[k]` gets something at cursor k + 1."""

    graph: Graph
    phase: Literal["forward", "backward"]
    receivers: tuple[int, ...]
    actors: tuple[tuple[str, int, int], ...]

    def __len__(self) -> int:
        return len(self.receivers)

    def name(self, cursor: int) -> str:
        """The name under a tick: who receives."""
        return brief(self.graph.title(self.receivers[cursor - 1]), 12)

    def words(self, cursor: int) -> str:
        """What happens at a tick, without its number: `× e to a`."""
        kind, _node, _sweep = self.actors[cursor - 1]
        name = brief(self.graph.title(self.receivers[cursor - 1]))
        if kind == "seed":
            return f"the seed at {name}"
        if kind == "zero":
            return f"{name} back to 0"
        if self.phase == "forward":
            return f"{name} gets its value"
        return f"{self._title(self.actors[cursor - 1])} to {name}"

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """Runs of ticks with the same actor."""
        found: list[Group] = []
        start = 0
        for k in range(1, len(self.actors) + 1):
            if k == len(self.actors) or self.actors[k] != self.actors[start]:
                found.append(Group(self._title(self.actors[start]), start + 1, k))
                start = k
        return tuple(found)

    @cached_property
    def ends(self) -> frozenset[int]:
        """The cursors at which a node has just finished."""
        return frozenset(group.last for group in self.groups)

    def _title(self, actor: tuple[str, int, int]) -> str:
        kind, node, _sweep = actor
        if kind != "contribution":
            return kind
        return f"{self.graph.op(node).symbol} {brief(self.graph.title(node), 12)}"


def forward_track(graph: Graph, root: int) -> Track:
    """One tick for each op node on the way to the root."""
    nodes = tuple(n for n in graph.plan(root).order if isinstance(graph.nodes[n], OpNode))
    return Track(graph, "forward", nodes, tuple(("contribution", n, 1) for n in nodes))


def backward_track(graph: Graph, root: int, rules: Rules) -> Track:
    """One tick for the seed and one for each contribution, as `run` would make them."""
    receivers: list[int] = []
    actors: list[tuple[str, int, int]] = []
    for receiver, actor in _events(graph, root, rules):
        receivers.append(receiver)
        actors.append(actor)
        if len(receivers) >= EVENT_LIMIT:
            break
    return Track(graph, "backward", tuple(receivers), tuple(actors))


def track_of(trace: Trace) -> Track:
    """The ticks of a pass that has run."""
    if trace.phase == "forward":
        return forward_track(trace.graph, trace.root)
    actors = tuple((e.kind, e.target, e.sweep) for e in trace.events)
    return Track(trace.graph, "backward", tuple(e.node for e in trace.events), actors)


def _events(graph: Graph, root: int, rules: Rules) -> Iterator[tuple[int, tuple[str, int, int]]]:
    plan = graph.plan(root)
    for sweep in range(1, rules.passes + 1):
        if sweep > 1:
            for node in _zeroed(graph, plan, rules):
                yield node, ("zero", NO_NODE, sweep)
        if rules.seed:
            yield root, ("seed", NO_NODE, sweep)
        for target in rules.walk(graph, plan):
            for source in _fired(graph, plan, rules, target):
                yield source, ("contribution", target, sweep)


def _zeroed(graph: Graph, plan: Plan, rules: Rules) -> Iterator[int]:
    for node in plan.order:
        leaf = isinstance(graph.nodes[node], Leaf)
        if node in plan.wants and (rules.zeroed == "all" or (rules.zeroed == "leaves" and leaf)):
            yield node


def _fired(graph: Graph, plan: Plan, rules: Rules, target: int) -> Iterator[int]:
    found = graph.nodes[target]
    if not isinstance(found, OpNode):
        return
    for slot, source in enumerate(found.inputs):
        if source is not None and source in plan.wants and rules.partial(graph.op(target), slot):
            yield source
