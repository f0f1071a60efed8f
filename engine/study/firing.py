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

from engine.graph import Graph, OpNode, Wire
from engine.problems import spoken


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
