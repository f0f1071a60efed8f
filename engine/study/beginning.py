"""Beginning: numbers for the leaves of a formula that was typed without values.

>>> from engine import from_expression
>>> graph = from_expression("y = (a*b + a) * f")
>>> started(graph, graph.leaves)
{1: 2.0, 2: 3.0, 5: 4.0}
>>> graph = from_expression("y = tanh(a*b)")  # tanh is flat at 6
>>> started(graph, graph.leaves)
{1: 1.0, 2: 1.0}
"""

import math
from collections.abc import Collection, Mapping
from itertools import count
from typing import Final

from engine.graph import Graph, Leaf
from engine.problems import local_derivative, obstacle
from engine.trace import evaluate_values

LEAST_SLOPE: Final = 0.01
"""Size of a slope below which hardly anything of a gradient passes."""
MOST_NODES: Final = 1_000
"""Nodes of a graph in which that is tried out, which takes a few milliseconds."""

SMALL: Final = 48
"""Nodes of a graph for which friendly numbers are drawn."""


def started(graph: Graph, leaves: Collection[int]) -> Mapping[int, float]:
    """Return 2, 3, 4 … for these leaves, without the numbers of the others.

    It is 1 for each where a value of the pass would not be finite or a slope below 0.01 in size,
    and in a graph that is too large to try it out.
    """
    taken = {
        found.value
        for node, found in graph.nodes.items()
        if isinstance(found, Leaf) and node not in leaves
    }
    free = (float(x) for x in count(2) if x not in taken)
    numbers = dict(zip(sorted(leaves), free, strict=False))
    if len(graph.nodes) <= MOST_NODES and passes_gradients(graph.with_values(numbers)):
        return numbers
    return dict.fromkeys(numbers, 1.0)


def passes_gradients(graph: Graph) -> bool:
    """Return whether the pass has finite values, and no slope below 0.01 in size."""
    if graph.root is None or obstacle(graph, graph.root) is not None:
        return False
    plan, values = graph.plan(graph.root), evaluate_values(graph)
    return all(math.isfinite(values[node]) for node in plan.order) and all(
        LEAST_SLOPE <= abs(local_derivative(graph, (target, slot), values)) < math.inf
        for target in plan.order
        for slot, source in enumerate(graph.inputs(target))
        if source in plan.with_gradient
    )


def is_small(nodes: int) -> bool:
    """Return whether friendly numbers are drawn for a graph with this many nodes."""
    return nodes <= SMALL
