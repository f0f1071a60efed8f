"""Backwire's engine: expression graphs, their values and gradients, step by step.

>>> from engine import evaluate
>>> evaluate("a*a", a=3).grads
{'a': 6.0}
"""

from engine.errors import EditError, EngineError, FormatError
from engine.evaluate import Evaluation, evaluate, from_expression
from engine.files import load, save
from engine.graph import Graph
from engine.ops import OPS
from engine.rules import MISTAKES

__all__ = [
    "MISTAKES",
    "OPS",
    "EditError",
    "EngineError",
    "Evaluation",
    "FormatError",
    "Graph",
    "evaluate",
    "from_expression",
    "load",
    "save",
]
