"""Backwire's engine: expression graphs, their values and gradients, step by step.

>>> from engine import evaluate
>>> evaluate("a*a", a=3).grads
{'a': 6.0}

The modules are chapters of a textbook on backpropagation, one idea in each, with a worked example
at its top. A chapter builds on earlier ones. Those who know micrograd may start with `value`.

    ops         the operations: the formulas of their values and of their local derivatives
    writers     functions of floats and complex numbers, and notation, from these formulas
    nodes       leaves, constants, op nodes, and the Root that marks the output
    names       a unique identifier for each node
    graph       the immutable graph; depth-first post-order, wires and names, computed once
    edits       pure functions from a graph to a graph, and the edits that are refused
    matching    which nodes of a typed graph are nodes that a sheet has already
    problems    obstacles to a pass, and the first value that is infinite or nan
    rules       the correct backward pass, and the classic mistakes
    schedule    the firing order of a pass, known before any value is
    trace       backpropagation itself: every step of a pass with its numbers
    frame       the state of a pass after k steps; stepping back is a smaller k
    value       micrograd's Value, whose operations fire without closures
    check       gradient check: numerical derivatives, forward from each leaf to the root

Four more serve all chapters and are looked up when needed.

    errors      errors with a sentence for the user, and the nodes that it names
    numbers     formatting and parsing of numbers
    conditions  what a writer asks about numbers that are not known yet
    hooks       the functions behind `Value.show()` and its picture in a notebook

The other folders are annexes, which need not be read to understand the chapters.

    compiled    a graph as straight-line Python or array operations, for many runs
    training    networks and losses as graphs, data sets, gradient descent, epochs
    asking      exercises on a trace: paths, predictions, diagnosis of a mistake
    formats     the file and text formats of a graph
"""

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from msgspec import Struct

from engine import hooks
from engine.errors import EditError, EngineError, FormatError
from engine.formats.expression import read as from_expression
from engine.formats.files import load, save
from engine.formats.python import from_python
from engine.graph import Graph
from engine.ops import OPS
from engine.rules import MISTAKES
from engine.trace import run

if TYPE_CHECKING:
    from engine.compiled.program import Program
    from engine.formats.value_display import draw_dot, trace_graph
    from engine.value import Value, group

__all__ = [
    "MISTAKES",
    "OPS",
    "EditError",
    "EngineError",
    "FormatError",
    "Graph",
    "Program",
    "Value",
    "draw_dot",
    "evaluate",
    "from_expression",
    "from_python",
    "group",
    "load",
    "save",
    "trace_graph",
]


class Evaluation(Struct, frozen=True):
    """The root's value, and the gradient of each leaf by name (None: no path to the root)."""

    value: float
    grads: Mapping[str, float | None]


def evaluate(expression: str, /, **values: float) -> Evaluation:
    """Return the value of an expression and the gradients of its leaves.

    >>> evaluate("(a*b + a) * f", a=2, b=-3, f=-2).grads["a"]
    4.0
    """
    graph = from_expression(expression, values)
    trace = run(graph)
    grads = {graph.names[node]: trace.gradients.get(node) for node in graph.leaves}
    return Evaluation(trace.values[trace.root], grads)


# public names whose modules are imported on first use, because they are slow to import
_LAZY_MODULES = {
    "Program": "compiled.program",
    "Value": "value",
    "draw_dot": "formats.value_display",
    "group": "value",
    "trace_graph": "formats.value_display",
}


def _show(root: "Value") -> None:
    from engine.formats.value_display import show

    show(root)


def _mimebundle(root: "Value") -> dict[str, str]:
    from engine.formats.value_display import bundle

    return bundle(root)


hooks.show, hooks.mimebundle = _show, _mimebundle


def __getattr__(name: str) -> object:
    """Import a public name on first use: the application starts sooner without these modules."""
    if name not in _LAZY_MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    public = getattr(import_module(f"{__name__}.{_LAZY_MODULES[name]}"), name)
    globals()[name] = public  # Python calls __getattr__ only for names that are missing
    return public
