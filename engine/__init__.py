"""Backwire's engine: expression graphs, their values and gradients, step by step.

>>> from engine import evaluate
>>> evaluate("a*a", a=3).grads
{'a': 6.0}

The modules are chapters of a textbook on backpropagation, one idea in each, with a worked example
at its top. A chapter builds on earlier ones. Those who know micrograd may start with `value`.

    op          an operation: the formulas of its value and of its local derivatives
    ops         the table of all operations, with their conventions at kinks and poles
    writers     functions of floats and complex numbers, and notation, from these formulas
    nodes       leaves, constants, op nodes, and the Root that marks the output
    names       a unique identifier for each node
    order       depth-first post-order: inputs before the nodes that use them
    structure   the wiring of a graph: computed once, whatever the values are
    graph       the immutable graph
    edits       pure functions from a graph to a graph, and the edits that are refused
    problems    obstacles to a pass, and the first value that is infinite or nan
    rules       the correct backward pass, and the classic mistakes
    schedule    the firing order of a pass, known before any value is
    trace       backpropagation itself: every step of a pass with its numbers
    frame       the state of a pass after k steps; stepping back is a smaller k
    value       micrograd's Value, with local derivatives stored in the forward pass
    evaluate    the value and the gradients of a formula, in one call
    check       gradient check: numerical derivatives, forward from each leaf to the root

Four more serve all chapters and are looked up when needed.

    errors      errors with a sentence for the user, and the nodes that it names
    numbers     formatting and parsing of numbers
    filling     brackets around an operand that is substituted into a formula
    hooks       the functions behind `Value.show()` and its picture in a notebook

The other folders are annexes, which need not be read to understand the chapters.

    generated   the tape: a graph in flat columns, run by one generated loop
    compiled    a graph as straight-line Python or array operations, for many runs
    training    networks and losses as graphs, data sets, gradient descent, epochs
    study       exercises on a trace: paths, predictions, diagnosis of a mistake
    formats     the file and text formats of a graph
"""

from importlib import import_module
from typing import TYPE_CHECKING

from engine import hooks
from engine.errors import EditError, EngineError, FormatError
from engine.evaluate import evaluate, from_expression
from engine.formats.files import load, save
from engine.formats.python import from_python
from engine.graph import Graph
from engine.ops import OPS
from engine.rules import MISTAKES

if TYPE_CHECKING:
    from engine.compiled.program import Program
    from engine.formats.value_display import draw_dot, trace_graph
    from engine.value import Value

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
    "load",
    "save",
    "trace_graph",
]

_LATE = {
    "Program": "compiled.program",
    "Value": "value",
    "draw_dot": "formats.value_display",
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
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"{__name__}.{_LATE[name]}"), name)
    globals()[name] = found
    return found
