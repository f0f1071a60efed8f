"""The formulas of each operation over whole arrays, and a tape run over many samples with them.

`array_op` compiles the formulas to NumPy. A condition becomes `where`, which computes both
branches. Results agree with the functions of floats to 1e-12.

>>> from engine.ops import BY_NAME
>>> rule, into = array_op(BY_NAME["mul"]).slopes[0], numpy.zeros(2)  # ∂(a·b)/∂a = b
>>> rule.reads  # the second slot alone
(1,)
>>> rule.compute(numpy.array([3.0, 4.0]), into)
>>> into.tolist()
[3.0, 4.0]

`batch_forward` and `batch_backward` run a tape once for all samples: each value is a row with a
column per sample. The cost of Python, one step for each operation, is paid once.

>>> from engine import from_expression
>>> from engine.tape import tape_of
>>> graph = from_expression("a * b")
>>> tape = tape_of(graph, graph.root)
>>> values = batch_forward(tape, numpy.array([[2.0, 3.0], [5.0, 5.0], [0.0, 0.0]]))
>>> values[tape.root].tolist(), batch_backward(tape, values, tape.leaves)[tape.leaves].tolist()
([10.0, 15.0], [[5.0, 5.0], [2.0, 3.0]])
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from functools import cache, partial

import numpy
from msgspec import Struct
from numpy.typing import NDArray

from engine.ops import OPS, Op
from engine.tape import Tape
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


def batch_forward(tape: Tape, rows: Array) -> Array:
    """Compute the rows of all operations from those of leaves and constants; returns the rows."""
    with numpy.errstate(all="ignore"):
        for code, place, *sources in tape.steps:
            rule = array_op(OPS[code]).forward
            rule.compute(*[rows[sources[slot]] for slot in rule.reads], rows[place])
    return rows


def batch_backward(tape: Tape, rows: Array, wanted: Sequence[int]) -> Array:
    """Return a row of gradients for each place that depends on a wanted leaf; others are 0."""
    needs_grad = tape.depends_on(wanted)
    grads = numpy.zeros_like(rows)
    grads[tape.root] = 1.0
    local = numpy.empty(rows.shape[1])
    with numpy.errstate(all="ignore"):
        for code, place, *sources in reversed(tape.steps):
            op, out = OPS[code], len(OPS[code].slots)
            for source, rule in zip(sources, array_op(op).slopes, strict=False):
                if needs_grad[source]:
                    reads = [place if slot == out else sources[slot] for slot in rule.reads]
                    rule.compute(*[rows[read] for read in reads], local)
                    grads[source] += grads[place] * local  # upstream × local derivative
    return grads
