"""Backwire's engine: expression graphs, their values and gradients, step by step.

>>> from engine import evaluate
>>> evaluate("a*a", a=3).grads
{'a': 6.0}
"""

from importlib import import_module
from typing import TYPE_CHECKING

from engine.errors import EditError, EngineError, FormatError
from engine.evaluate import evaluate, from_expression
from engine.files import load, save
from engine.formats.python import from_python
from engine.graph import Graph
from engine.ops import OPS
from engine.rules import MISTAKES

if TYPE_CHECKING:
    from engine.program import Program
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
    "evaluate",
    "from_expression",
    "from_python",
    "load",
    "save",
]

_LATE = {"Program": "engine.program", "Value": "engine.value"}


def __getattr__(name: str) -> object:
    """Names whose modules are loaded when they are first asked for: windows start sooner."""
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(_LATE[name]), name)
    globals()[name] = found
    return found
