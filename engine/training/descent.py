"""Gradient descent in the four steps of every training loop, each a pure function.

    zero_grad(d) · forward(d) · backward(d) · update(d)

Leaving a step out has the usual effect: gradients that are not zeroed add up, and after an update
the values are outdated until forward has run again.
"""

from collections.abc import Iterable, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from engine.errors import EngineError
from engine.frame import frame_at
from engine.graph import Graph, Leaf
from engine.trace import evaluate_values, run


class Descent(Struct, frozen=True):
    """The state of a training loop.

    `chosen` are the leaves that learn. `values` are those of the last forward pass, empty before
    it; `grads` are the leaves' gradients accumulated since the last zero_grad. `current` tells
    whether `values` belong to the present leaves: not so after an update.
    """

    graph: Graph
    chosen: frozenset[int]
    rate: float
    values: Mapping[int, float] = field(default_factory=dict[int, float])
    grads: Mapping[int, float] = field(default_factory=dict[int, float])
    current: bool = False
    updates: int = 0

    @property
    def loss(self) -> float | None:
        """Return the root's value in the last forward pass."""
        return None if self.graph.root is None else self.values.get(self.graph.root)


def start(graph: Graph, rate: float = 0.1, chosen: Iterable[int] | None = None) -> Descent:
    """Return a loop before its first step; by default all leaves that lead to the root learn.

    Raises EngineError for chosen nodes that are not leaves.
    """
    if graph.root is None:
        raise EngineError("Choose a root: the number that is to become small.")
    leaves = [n for n in graph.plan(graph.root).order if isinstance(graph.nodes[n], Leaf)]
    learning = frozenset(leaves if chosen is None else chosen)
    for node in learning:
        if not isinstance(graph.nodes.get(node), Leaf):
            if node not in graph.nodes:
                raise EngineError("Only leaves learn; node {id} is none.", id=node)
            raise EngineError("Only leaves learn; {node} is none.", node=graph.title(node))
    return Descent(graph, learning, rate, grads=dict.fromkeys(leaves, 0.0))


def zero_grad(loop: Descent) -> Descent:
    """Clear the gradients."""
    return replace(loop, grads=dict.fromkeys(loop.grads, 0.0))


def forward(loop: Descent) -> Descent:
    """Compute all values from the leaves."""
    return replace(loop, values=evaluate_values(loop.graph), current=True)


def backward(loop: Descent) -> Descent:
    """Add the gradients of the last forward pass to those accumulated by the leaves.

    Every forward pass creates the interior nodes again, as in all training loops, so only the
    leaves accumulate.
    """
    if not loop.values:
        raise EngineError("Run forward first: backward needs the values.")
    trace = run(_graph_of_last_forward(loop))
    new_grads = frame_at(trace, len(trace)).grads
    return replace(loop, grads={n: grad + new_grads.get(n, 0.0) for n, grad in loop.grads.items()})


def update(loop: Descent) -> Descent:
    """Move each learning leaf against its gradient, scaled by the learning rate."""
    moved = {
        node: _leaf_value(loop.graph, node) - loop.rate * loop.grads[node]
        for node in loop.chosen
        if node in loop.grads
    }
    graph = loop.graph.with_values(moved) if moved else loop.graph
    return replace(loop, graph=graph, current=False, updates=loop.updates + 1)


def all_four_steps(loop: Descent) -> Descent:
    """Do all four steps in the right order."""
    return update(backward(forward(zero_grad(loop))))


def _graph_of_last_forward(loop: Descent) -> Graph:
    """Return the graph with the leaf values that the last forward pass used."""
    if loop.current:
        return loop.graph
    return loop.graph.with_values({node: loop.values[node] for node in loop.chosen})


def _leaf_value(graph: Graph, node: int) -> float:
    leaf = graph.nodes[node]
    assert isinstance(leaf, Leaf)
    return leaf.value
