"""Backwire's engine: expression graphs, their values and gradients, step by step.

>>> from engine import evaluate
>>> evaluate("a*a", a=3).grads
{'a': 6.0}

The files of this folder are a textbook on backpropagation, one idea in each. Read them in this
order; each has a worked example at its top. Who knows micrograd may look at `value` first.

    op          an operation: its value, and the local derivative along each input, as texts
    writers     the same text for floats, complex numbers, the screen and LaTeX
    ops         all operations, with what they do where the rule has no number
    nodes       what a graph is made of: leaves, constants, op nodes, roots
    order       inputs before what uses them: the order of every pass
    structure   what follows from the wiring alone, computed once for all numbers
    graph       the immutable graph
    edits       pure functions from a graph to a graph; what is refused, and why
    rules       how a backward pass is done, rightly or with a classic mistake
    schedule    who fires when, before there is any number
    trace       backpropagation itself: every step of a pass with its numbers
    frame       what is known after k steps; stepping back is another k
    value       the same for programs: numbers that remember how they were computed
    evaluate    from a formula to a value and its gradients, in one call
    check       the gradients again, measured without any derivative
    problems    what prevents a pass, and the first number that is infinite or nan
    errors      what is refused, as a sentence that keeps what it names
    numbers     how numbers are written for people, and read from them
    hooks       how a Value reaches windows and pictures, which come later
    filling     which brackets a formula needs when something takes a letter's place

The folders are annexes, which nobody needs in order to understand the above.

    study       what can be learnt from a trace: paths, unfolding, which mistake it was
    training    networks and losses as graphs, data sets, gradient descent, learning by epochs
    formats     everything a graph is read from or written to
    generated   the rules of many nodes in one loop: the tape, on which a graph is laid out
    compiled    a graph as one fast program, for being run many times
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
    from engine.formats.value_picture import draw_dot, trace_graph
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
    "draw_dot": "formats.value_picture",
    "trace_graph": "formats.value_picture",
}


def _show(root: "Value") -> None:
    from engine.formats.value_window import show

    show(root)


def _mimebundle(root: "Value") -> dict[str, str]:
    from engine.formats.value_picture import bundle

    return bundle(root)


hooks.show, hooks.mimebundle = _show, _mimebundle


def __getattr__(name: str) -> object:
    """Import what windows do without on first use, so that they start sooner."""
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"{__name__}.{_LATE[name]}"), name)
    globals()[name] = found
    return found
