"""Runs programs and says what graph they make: with their own or micrograd's Value, or with ours.

    python oracle.py theirs|ours < programs.json > found.json

Only for the programs of the tests beside this file, in a process of its own. The graph is that of
the last `backward()`, or of the Value made last, with the numbers it then had.
"""

import ast
import importlib.util
import json
import math
import random
import sys
from types import ModuleType
from typing import Any
from unittest.mock import MagicMock

import micrograd.engine

import engine
from engine.formats import value_display


def teach_micrograd():
    """The methods of the lecture, and labels, for micrograd's own Value."""
    Value: Any = micrograd.engine.Value  # noqa: N806
    begin = Value.__init__

    def __init__(self, data, _children=(), _op="", label=""):  # noqa: N807
        begin(self, data, _children, _op)
        self.label = label

    def method(function, slope):
        def apply(self):
            out = Value(function(self.data), (self,), function.__name__)

            def backward():
                self.grad += out.grad * slope(self.data, out.data)

            out._backward = backward
            return out

        return apply

    Value.__init__ = __init__
    Value.tanh = method(math.tanh, lambda x, y: 1 - y * y)
    Value.exp = method(math.exp, lambda x, y: y)
    Value.log = method(math.log, lambda x, y: 1 / x)
    Value.sigmoid = method(lambda x: 1 / (1 + math.exp(-x)), lambda x, y: y * (1 - y))
    Value.__pos__ = lambda self: self


class Instrument(ast.NodeTransformer):
    """Reports passes, and the Values that straight code makes; takes a class Value out."""

    def __init__(self, ours: bool):
        self.ours, self.depth = ours, 0

    def visit_ClassDef(self, node):
        if node.name == "Value" and self.ours:
            return ast.Pass()
        return self.inside(node)

    def visit_FunctionDef(self, node):
        return self.inside(node)

    def inside(self, node):
        self.depth += 1
        self.generic_visit(node)
        self.depth -= 1
        return node

    def visit_Call(self, node):
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute) and node.func.attr == "backward":
            return call("__backward", node.func.value)
        return node

    def visit_Assign(self, node):
        self.generic_visit(node)
        if not self.depth and isinstance(node.targets[0], ast.Name):
            node.value = call("__made", node.value)
        return node

    def visit_AugAssign(self, node):
        self.generic_visit(node)
        if self.depth or not isinstance(node.target, ast.Name):
            return node
        return [node, ast.Expr(call("__made", ast.Name(node.target.id, ast.Load())))]

    def visit_Expr(self, node):
        self.generic_visit(node)
        if not self.depth:
            node.value = call("__made", node.value)
        return node


def call(name: str, argument: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), [argument], [])


def ancestors(root):
    found, seen = [], set()
    todo = [root]
    while todo:
        value = todo.pop()
        if id(value) not in seen:
            seen.add(id(value))
            found.append(value)
            todo.extend(value._prev)
    return found


class Run:
    """One program while it runs."""

    def __init__(self, ours: bool):
        self.ours = ours
        self.last: Any = None
        self.seen: Any = None
        self.leaves: list[Any] = []
        self.shown, self.value = "", 0.0

    def made(self, thing):
        if hasattr(thing, "_prev") and hasattr(thing, "grad"):
            self.last = thing
        return thing

    def backward(self, root):
        self.look(root)
        root.backward()

    def look(self, root):
        """What the graph holds now, and what one pass from no gradients gives."""
        values = ancestors(root)
        kept = [value.grad for value in values]
        for value in values:
            value.grad = 0.0
        root.backward()
        self.seen, self.value = root, root.data
        self.leaves = [(v, v.data, v.grad) for v in values if not tuple(v._prev)]
        for value, grad in zip(values, kept, strict=True):
            value.grad = grad
        if self.ours:
            taken = []
            value_display._start = lambda content, *_said: taken.append(content.decode()) or ""
            root.show()
            self.shown = taken[0]

    def found(self):
        if self.seen is None:
            self.look(self.last)
        leaves = [(getattr(v, "label", ""), data, grad) for v, data, grad in self.leaves]
        labels = {}
        if self.ours:
            seen: Any = self.seen
            graph = seen.graph()
            labels = {node: graph.label(node) for node in graph.nodes}
        return {"value": self.value, "leaves": leaves, "shown": self.shown, "labels": labels}


def run(text: str, ours: bool):
    state = Run(ours)
    value = engine.Value if ours else micrograd.engine.Value
    module: Any = ModuleType("micrograd.engine")
    module.Value = value
    for name in ("engine", "micrograd.engine", "mygrad", "value"):
        sys.modules[name] = module
    for name in (
        "torch",
        "matplotlib",
        "matplotlib.pyplot",
        "graphviz",
        "IPython",
        "IPython.display",
    ):
        sys.modules[name] = MagicMock()
    sys.modules["matplotlib"].pyplot.subplots.return_value = MagicMock(), MagicMock()
    numpy_is_there = importlib.util.find_spec("numpy")
    assert numpy_is_there
    random.seed(0)
    known = {"__name__": "__main__", "__made": state.made, "__backward": state.backward,
             "Value": value, "draw_dot": lambda *_a, **_k: None, "display": lambda *_a: None,
             "get_ipython": MagicMock()}  # fmt: skip
    tree = ast.fix_missing_locations(Instrument(ours).visit(ast.parse(text)))
    silent = sys.stdout
    sys.stdout = MagicMock()
    try:
        exec(compile(tree, "program", "exec"), known)
        return state.found()
    finally:
        sys.stdout = silent


if __name__ == "__main__":
    mode = sys.argv[1]
    teach_micrograd()
    sys.stdout.write(json.dumps([run(text, mode == "ours") for text in json.load(sys.stdin)]))
