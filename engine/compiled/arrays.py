"""The formulas of each operation over whole arrays, and a graph run over many samples with them.

`array_op` compiles the formulas to NumPy. A condition becomes `where`, which computes both
branches. Results agree with the functions of floats to 1e-12.

>>> from engine.ops import BY_NAME
>>> rule, into = array_op(BY_NAME["mul"]).slopes[0], numpy.zeros(2)  # ∂(a·b)/∂a = b
>>> rule.reads  # the second slot alone
(1,)
>>> rule.compute(numpy.array([3.0, 4.0]), into)
>>> into.tolist()
[3.0, 4.0]

`batch_forward` and `batch_backward` run a graph once for all samples: each value is an array with
an element per sample. The cost of Python, one step for each operation, is paid once.

>>> from engine import from_expression
>>> graph = from_expression("a * b")  # 1: a, 2: b, 3: a*b
>>> order, a = graph.plan(3).order, numpy.array([2.0, 3.0])
>>> values = batch_forward(graph, order, {1: a, 2: numpy.array([5.0, 5.0])}, 2)
>>> values[3].tolist(), batch_backward(graph, order, values, (1, 2))[2].tolist()
([10.0, 15.0], [2.0, 3.0])
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial

import numpy
from msgspec import Struct
from numpy.typing import NDArray

from engine.graph import Constant, Graph, OpNode
from engine.ops import OPS, Op
from engine.writers import SIGMOID_ZERO_BELOW, Writer, call_tree, normal_below, normal_density

Array = NDArray[numpy.float64]


class ArrayRule(Struct, frozen=True):
    """A compiled formula: `compute(*arrays, into)`, with one array for each slot in `reads`.

    `reads` are the slots that occur in the formula: 1 alone in ∂(a·b)/∂a = b. A local derivative
    may also read the operation's value, whose index is the number of slots.
    """

    reads: tuple[int, ...]
    compute: Callable[..., None]


class ArrayOp(Struct, frozen=True):
    """An operation over arrays: its value and the local derivative along each slot."""

    forward: ArrayRule
    slopes: tuple[ArrayRule, ...]


def _sigmoid(a: Array) -> Array:
    e = numpy.exp(-numpy.abs(a))
    return numpy.where(a < SIGMOID_ZERO_BELOW, 0.0, numpy.where(a < 0.0, e, 1.0) / (1.0 + e))


def _sign(a: Array) -> Array:
    return numpy.where(a > 0.0, 1.0, numpy.where(a < 0.0, -1.0, 0.0))  # 0 for nan


_vectorized = partial(numpy.vectorize, otypes=[numpy.float64])  # for what NumPy lacks
_SAME_IN_NUMPY = ("abs", "exp", "expm1", "floor", "log", "log1p", "power", "sqrt", "tanh", "where")
_NAMES = {
    **{name: getattr(numpy, name) for name in (*_SAME_IN_NUMPY, "sin", "cos", "tan")},
    **{f"a{name}": getattr(numpy, f"arc{name}") for name in ("sin", "cos", "tan")},
    "sigmoid": _sigmoid,
    "sign": _sign,
    "Φ": _vectorized(normal_below),
    "φ": _vectorized(normal_density),
}


class _Arrays(Writer):
    """Writes formulas for arrays."""

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        """Write `where(test, a, b)`, but `0 if test else 1` as 1.0 - test, which is faster."""
        self.generic_visit(node)
        if ast.unparse(node.body) == "0" and ast.unparse(node.orelse) == "1":
            return ast.BinOp(ast.Constant(1.0), ast.Sub(), node.test)
        return call_tree("where", node.test, node.body, node.orelse)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        """Write `and` and `or` as & and |, which NumPy applies to each element."""
        self.generic_visit(node)
        sign = ast.BitAnd() if isinstance(node.op, ast.And) else ast.BitOr()
        return ast.BinOp(node.values[0], sign, node.values[1])

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """Write a ** b as `power(a, b)`."""
        self.generic_visit(node)
        is_power = isinstance(node.op, ast.Pow)
        return call_tree("power", node.left, node.right) if is_power else node


_ARRAYS = _Arrays(_NAMES)
for _op in OPS:  # a formula of one's own calls those that NumPy lacks
    if _op.name not in _NAMES:
        _NAMES[_op.name] = _ARRAYS.function(_op.slots, _op.value)


def _compile(op: Op, text: str) -> ArrayRule:
    """Compile a formula to a function that writes its result into an array."""
    letters = (*op.slots, "out")
    reads = [place for place, letter in enumerate(letters) if re.search(rf"\b{letter}\b", text)]
    arguments = "".join(f"{letters[place]}, " for place in reads)
    namespace: dict[str, Callable[..., None]] = {}
    # exec is safe: the text is from the operation table, never from a user
    exec(
        f"def rule({arguments}into):\n    into[...] = {_ARRAYS.write(text)}",
        dict(_NAMES),
        namespace,
    )
    return ArrayRule(tuple(reads), namespace["rule"])


@cache
def array_op(op: Op) -> ArrayOp:
    """Return the array form of an operation."""
    return ArrayOp(_compile(op, op.value), tuple(_compile(op, text) for text in op.derivatives))


def batch_forward(
    graph: Graph, order: Sequence[int], leaves: Mapping[int, Array], size: int
) -> dict[int, Array]:
    """Return the values of all nodes of a plan's `order`, given those of its leaves.

    Each is an array with an element for each of `size` samples.
    """
    values = dict(leaves)
    with numpy.errstate(all="ignore"):
        for node in order:
            found = graph.nodes[node]
            if isinstance(found, Constant):
                values[node] = numpy.full(size, found.value)
            elif isinstance(found, OpNode):
                rule, inputs = array_op(graph.op(node)).forward, _filled(found.inputs)
                values[node] = into = numpy.empty(size)
                rule.compute(*[values[inputs[slot]] for slot in rule.reads], into)
    return values


def batch_backward(
    graph: Graph, order: Sequence[int], values: Mapping[int, Array], wanted: Iterable[int]
) -> dict[int, Array]:
    """Return the gradients of all nodes that depend on a wanted leaf, and of the root."""
    root = order[-1]
    size, local = len(values[root]), numpy.empty_like(values[root])
    grads = {node: numpy.zeros(size) for node in graph.structure.depending(order, wanted)}
    grads[root] = numpy.ones(size)
    with numpy.errstate(all="ignore"):
        for node in reversed(order):
            if node not in grads or not isinstance(graph.nodes[node], OpNode):
                continue
            arguments = (*_filled(graph.inputs(node)), node)
            for source, rule in zip(arguments, array_op(graph.op(node)).slopes, strict=False):
                if source in grads:
                    rule.compute(*[values[arguments[slot]] for slot in rule.reads], local)
                    grads[source] += grads[node] * local  # upstream × local derivative
    return grads


def _filled(inputs: Sequence[int | None]) -> list[int]:
    """Return the sources of a node of a plan, whose slots are all filled."""
    return [source for source in inputs if source is not None]
