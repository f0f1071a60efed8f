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
"""A smaller local derivative is taken to block the gradient."""
MOST_NODES: Final = 1_000
"""Larger graphs are not tried out; this many nodes take a few milliseconds."""

SMALL: Final = 48
"""Maximum number of nodes of a graph for which friendly numbers are drawn."""


def started(graph: Graph, leaves: Collection[int]) -> Mapping[int, float]:
    """Return 2, 3, 4 … for these leaves, without the numbers of the others.

    It is 1 for each where a value of the pass would not be finite or a slope below 0.01 in size,
    and in a graph that is too large to try it out.
    """
    other_values = {
        found.value
        for node, found in graph.nodes.items()
        if isinstance(found, Leaf) and node not in leaves
    }
    unused = (float(x) for x in count(2) if x not in other_values)
    numbers = dict(zip(sorted(leaves), unused, strict=False))
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
