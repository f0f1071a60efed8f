"""Step scope: which nodes and wires show a step, and so look otherwise after it."""

from __future__ import annotations

from engine.graph import Graph, Root, Wire
from engine.trace import Computed, Event

Step = Event | Computed


def nodes_of(graph: Graph, step: Step) -> set[int]:
    """The nodes that show a step: who computes, fires or receives, and its Roots."""
    nodes = {step.node, step.target} if isinstance(step, Event) else {step.node}
    users = (target for target, _slot in graph.outgoing.get(step.node, ()))
    marker = graph.active_root
    roots = {user for user in users if isinstance(graph.nodes[user], Root)}
    return nodes | roots | (set() if marker is None else {marker})


def wires_of(graph: Graph, step: Step) -> list[Wire]:
    """The wires that show a step: the one that carries it, or all into who computes."""
    if isinstance(step, Event):
        return [] if step.wire is None else [step.wire]
    return [(step.node, slot) for slot in range(len(graph.inputs(step.node)))]
