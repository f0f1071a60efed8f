"""Firing: which nodes may fire next in a backward pass by hand, and why another may not.

Any order is right in which each node fires after everything it waits for.

>>> from engine import from_expression
>>> graph = from_expression("y = a*b + a", {"a": 2, "b": 3})
>>> y, product, a = graph.root, 3, graph.node_named("a")
>>> ready(graph, y, ()), ready(graph, y, (y,))
(frozenset({4}), frozenset({3}))
>>> obstacle_to(graph, y, (), product)
'× (v3) still waits for what y sends along its slot 1.'
"""

from collections.abc import Collection, Iterator, Sequence

from engine.errors import sentence
from engine.graph import Graph, OpNode, Wire
from engine.problems import spoken
from engine.study.beliefs import no_number
from engine.study.slips import Slip
from engine.trace import Trace


def ready(graph: Graph, root: int, fired: Collection[int]) -> frozenset[int]:
    """Return the nodes that may fire next."""
    return frozenset(
        node
        for node in firing_nodes(graph, root)
        if node not in fired and not list(waits_for(graph, root, fired, node))
    )


def firing_nodes(graph: Graph, root: int) -> tuple[int, ...]:
    """Return the nodes that pass a gradient on, in the order of the correct pass."""
    plan = graph.plan(root)
    return tuple(
        node
        for node in reversed(plan.order)
        if isinstance(graph.nodes[node], OpNode) and plan.wants.intersection(graph.inputs(node))
    )


def waits_for(graph: Graph, root: int, fired: Collection[int], node: int) -> Iterator[Wire]:
    """Yield the wires from a node that wants a gradient and has not received theirs yet."""
    wants, nodes = graph.plan(root).wants, graph.nodes
    return (
        (target, slot)
        for target, slot in graph.outgoing[node]
        if target in wants and target not in fired and isinstance(nodes[target], OpNode)
    )


def obstacle_to(graph: Graph, root: int, fired: Sequence[int], node: int) -> str:
    """Return why a node may not fire now, as one sentence; "" if it may."""
    plan, who = graph.plan(root), spoken(graph, node, brief=True)
    if node not in plan.order:
        return f"Nothing leads from {who} to {graph.brief(root)}, so no gradient comes here."
    if node not in firing_nodes(graph, root):
        return f"{who} has no inputs that want a gradient, so it passes nothing on."
    if node in fired:
        return f"{who} has fired already; a node fires once."
    waiting = [
        f"what {graph.brief(target)} sends along its slot {slot + 1}"
        for target, slot in waits_for(graph, root, fired, node)
    ]
    if not waiting:
        return ""
    return f"{who} still waits for {' and '.join(waiting)}."


def next_slip(graph: Graph, root: int, fired: Collection[int], node: int) -> Slip | None:
    """Return why a node may not fire next in a backward pass from a root; None if it may."""
    waits, has_fired, unrelated, passes_nothing = NEXT_SLIPS
    if node not in graph.plan(root).order:
        return unrelated
    if node not in firing_nodes(graph, root):
        return passes_nothing
    if node in fired:
        return has_fired
    return waits if any(waits_for(graph, root, fired, node)) else None


def click_slip(trace: Trace, step: int, node: int) -> Slip | None:
    """Return why a node may not fire when a step of a pass comes next; None if it may."""
    fired = {event.target for event in trace.events[: step - 1] if event.wire is not None}
    return next_slip(trace.graph, trace.root, fired, node)


def next_said(graph: Graph, root: int, fired: Collection[int], node: int) -> str:
    """Return why a node may not fire next in a backward pass, in a few words; "" if it may."""
    slip = next_slip(graph, root, fired, node)
    if slip is None:
        return ""
    names = {"node": spoken(graph, node, brief=True), "root": graph.brief(root)}
    return sentence(slip.first, names)


NEXT_SLIPS: tuple[Slip, ...] = tuple(
    Slip(name, "next", "{obstacle}", no_number, first, brief)
    for name, first, brief in (
        ("waits", "{node} still waits.", "a node that still waits"),
        ("fired", "{node} has fired already.", "a node that has fired already"),
        ("no way", "{node} leads nowhere from {root}.", "a node that leads nowhere"),
        ("passes nothing", "{node} passes nothing on.", "a node that passes nothing on"),
    )
)
"""What is wrong with a node that may not fire next; `next_slip` finds it."""
