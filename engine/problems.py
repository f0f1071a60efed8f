"""What stands in the way of a pass, and where numbers stop being finite, each as a sentence."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from engine.graph import Graph, OpNode, Root, Wire, inputs_of
from engine.numerals import shown


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing to mend: a sentence, the node it is about, and its slot if it is about one."""

    sentence: str
    node: int
    slot: int | None = None


def spoken(graph: Graph, node: int) -> str:
    """A node as sentences say it: `× (e)` for an op, the label or name for any other."""
    if isinstance(graph.nodes[node], OpNode):
        return f"{graph.op(node).symbol} ({graph.title(node)})"
    return graph.title(node)


def empty_slots(graph: Graph) -> list[Wire]:
    """Every slot with nothing plugged in, by node and slot."""
    return [
        (node, slot)
        for node, found in graph.nodes.items()
        for slot, source in enumerate(inputs_of(found))
        if source is None
    ]


def problems(graph: Graph) -> list[Problem]:
    """Everything that is unfinished: empty slots first, then a missing root."""
    found = [_unplugged(graph, wire) for wire in empty_slots(graph)]
    if graph.active_root is None and graph.nodes:
        found.append(_rootless(graph))
    return found


def pass_obstacle(graph: Graph) -> Problem | None:
    """The first thing that keeps a pass of the active root from starting, or None."""
    if graph.root is not None:
        return obstacle(graph, graph.root)
    if graph.active_root is not None:
        return Problem("The root has nothing plugged in. Plug a node in.", graph.active_root, 0)
    return _rootless(graph)


def obstacle(graph: Graph, root: int) -> Problem | None:
    """The first empty slot among the root's node and its ancestors, or None."""
    for node in graph.plan(root).order:
        for slot, source in enumerate(graph.inputs(node)):
            if source is None:
                return _unplugged(graph, (node, slot))
    return None


def first_not_finite(graph: Graph, values: Mapping[int, float]) -> Problem | None:
    """The first node, inputs first, whose value is infinite or nan, and why."""
    for node in graph.structure.whole_order:
        if node in values and not math.isfinite(values[node]):
            return Problem(_why_not_finite(graph, node, values), node)
    return None


def kinks(graph: Graph, values: Mapping[int, float]) -> list[Problem]:
    """The nodes whose inputs sit where there is no one slope, and what is used there."""
    found: list[Problem] = []
    for node in graph.structure.whole_order:
        if isinstance(graph.nodes[node], OpNode) and node in values:
            op = graph.op(node)
            if op.kink(*_arguments(graph, node, values)):
                found.append(Problem(f"{spoken(graph, node)} is on a kink: {op.convention}", node))
    return found


def slope_spelled(graph: Graph, node: int, slot: int, values: Mapping[int, float]) -> str:
    """The local derivative along a slot with the numbers in, as `1 ÷ (2 · √0)`."""
    op = graph.op(node)
    return op.filled(op.slopes[slot], [_short(v) for v in _arguments(graph, node, values)])


def _rootless(graph: Graph) -> Problem:
    text = "Choose a root: the number whose gradient you want."
    return Problem(text, (graph.sinks() or list(graph.nodes) or [0])[-1])


def _why_not_finite(graph: Graph, node: int, values: Mapping[int, float]) -> str:
    who = spoken(graph, node)
    if not isinstance(graph.nodes[node], OpNode):
        number = _short(values[node])
        return (
            f"{who} is {number}. That is allowed, but what is computed from it may be nan or inf."
        )
    op = graph.op(node)
    text = op.filled(op.formula, [_short(v) for v in _arguments(graph, node, values)])
    outcome = "has no value" if math.isnan(values[node]) else "is infinite"
    return f"{who} is the first bad node: {text} {outcome}."


def _arguments(graph: Graph, node: int, values: Mapping[int, float]) -> list[float]:
    return [values[source] for source in graph.inputs(node) if source is not None]


def _short(number: float) -> str:
    return shown(number).replace("-", "−")


def _unplugged(graph: Graph, wire: Wire) -> Problem:
    node, slot = wire
    if isinstance(graph.nodes[node], Root):
        return Problem("The root has nothing plugged in. Plug a node in to go on.", node, slot)
    sentence = f"{spoken(graph, node)} has an empty slot {slot + 1}. Plug something in to go on."
    return Problem(sentence, node, slot)
