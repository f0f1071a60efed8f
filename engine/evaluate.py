"""Evaluates an expression and its gradients in one call.

>>> evaluate("y = a*b + a", a=2, b=3)
Evaluation(value=8.0, grads={'a': 4.0, 'b': 2.0})
"""

from collections.abc import Mapping

from msgspec import Struct

from engine.formats.expression import read
from engine.graph import Graph
from engine.trace import run


class Evaluation(Struct, frozen=True):
    """The root's value, and the gradient of each leaf by name (None: no path to the root)."""

    value: float
    grads: Mapping[str, float | None]


def from_expression(text: str, values: Mapping[str, float] | None = None) -> Graph:
    """Parse an expression into a graph; `values` sets its leaves. Raises FormatError."""
    return read(text, values)


def evaluate(expression: str, /, **values: float) -> Evaluation:
    """Return the value of an expression and the gradients of its leaves.

    >>> evaluate("(a*b + a) * f", a=2, b=-3, f=-2).grads["a"]
    4.0
    """
    graph = read(expression, values)
    trace = run(graph)
    grads = {graph.names[node]: trace.gradients.get(node) for node in graph.leaves}
    return Evaluation(trace.values[trace.root], grads)
