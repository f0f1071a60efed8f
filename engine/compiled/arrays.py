"""The rules of each operation over whole arrays, as NumPy source text.

Each row holds the value, then the local derivative along each slot, with the conventions of the
operation's own functions; results agree to 1e-12. An operation without a row is computed number by
number with its own functions.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

import numpy
from msgspec import Struct
from numpy.typing import NDArray

from engine.op import Op, Rule
from engine.ops.activations import LEAK, LOWEST, THRESHOLD

Array = NDArray[numpy.float64]

_SMALLER = "where(a == b, 0.5, where(a < b, 0.0, 1.0))"
_LARGER = "where(a == b, 0.5, where(a > b, 0.0, 1.0))"
_SIGN = "where(a > 0.0, 1.0, where(a < 0.0, -1.0, 0.0))"
_ROWS: dict[str, tuple[str, ...]] = {
    "add": ("a + b", "1.0", "1.0"),
    "sub": ("a - b", "1.0", "-1.0"),
    "mul": ("a * b", "b", "a"),
    "neg": ("-a", "-1.0"),
    "square": ("a * a", "2.0 * a"),
    "div": ("a / b", "1.0 / b", "-(out / b)"),
    "pow": (
        "power(a, b)",
        "where(b == 0.0, 0.0, b * power(a, b - 1.0))",
        "where((a == 0.0) & (b >= 0.0), 0.0, out * log(a))",
    ),
    "exp": ("exp(a)", "out"),
    "log": ("log(a)", "1.0 / a"),
    "log1p": ("log1p(a)", "1.0 / (1.0 + a)"),
    "sqrt": ("sqrt(a)", "0.5 / out"),
    "abs": ("abs(a)", _SIGN),
    "sign": (_SIGN, "0.0"),
    "floor": ("floor(a)", "0.0"),
    "sin": ("sin(a)", "cos(a)"),
    "cos": ("cos(a)", "-sin(a)"),
    "tan": ("tan(a)", "1.0 + out * out"),
    "asin": ("arcsin(a)", "1.0 / sqrt((1.0 - a) * (1.0 + a))"),
    "acos": ("arccos(a)", "-1.0 / sqrt((1.0 - a) * (1.0 + a))"),
    "atan": ("arctan(a)", "1.0 / (1.0 + a * a)"),
    "tanh": ("tanh(a)", "(1.0 - out) * (1.0 + out)"),
    "sigmoid": ("sigmoid(a)", "out * (1.0 - out)"),
    "relu": ("where(a < 0.0, 0.0, a)", "1.0 - (out <= 0.0)"),
    "leaky_relu": ("where(a > 0.0, a, LEAK * a)", "where(a > 0.0, 1.0, LEAK)"),
    "elu": ("where(a <= 0.0, expm1(a), a)", "where(a <= 0.0, exp(a), 1.0)"),
    "softplus": (
        "where(a > THRESHOLD, a, log1p(exp(a)))",
        "where(a > THRESHOLD, 1.0, 1.0 / (1.0 + exp(-a)))",
    ),
    "silu": ("a * sigmoid(a)", "sigmoid(a) * (1.0 + a * (1.0 - sigmoid(a)))"),
    "maximum": ("where((a >= b) | (a != a), a, b)", _SMALLER, _LARGER),
    "minimum": ("where((a <= b) | (a != a), a, b)", _LARGER, _SMALLER),
    "where_gt0": (
        "where(c > 0.0, x, y)",
        "0.0",
        "where(c > 0.0, 1.0, 0.0)",
        "where(c > 0.0, 0.0, 1.0)",
    ),
}


class ArrayRule(Struct, frozen=True):
    """One rule: `compute(*arrays, into)`; `reads` are the slots that its arrays come from.

    A local derivative may also read the operation's value, whose index is the number of slots.
    """

    reads: tuple[int, ...]
    compute: Callable[..., None]


class ArrayOp(Struct, frozen=True):
    """An operation over arrays: its value and the local derivative along each slot."""

    forward: ArrayRule
    slopes: tuple[ArrayRule, ...]


def _sigmoid(a: Array) -> Array:
    e = numpy.exp(-numpy.abs(a))
    return numpy.where(a < LOWEST, 0.0, numpy.where(a < 0.0, e, 1.0) / (1.0 + e))


_NUMPY = (
    *("abs", "exp", "expm1", "floor", "log", "log1p", "power", "sqrt", "tanh", "where"),
    *("sin", "cos", "tan", "arcsin", "arccos", "arctan"),
)
_OURS: dict[str, object] = {"sigmoid": _sigmoid, "LEAK": LEAK, "THRESHOLD": THRESHOLD}
_SPACE = {name: getattr(numpy, name) for name in _NUMPY} | _OURS


def _written(op: Op, text: str) -> ArrayRule:
    """Compile a rule from its source text."""
    letters = (*op.slots, "out")
    reads = [place for place, letter in enumerate(letters) if re.search(rf"\b{letter}\b", text)]
    arguments = "".join(f"{letters[place]}, " for place in reads)
    made: dict[str, Callable[..., None]] = {}
    # Only source text of this module is executed.
    exec(f"def rule({arguments}into):\n    into[...] = {text}", _SPACE, made)
    return ArrayRule(tuple(reads), made["rule"])


def _called(rule: Rule, slots: int) -> ArrayRule:
    """Make a rule that calls the operation's own function for each number."""
    called = numpy.frompyfunc(rule, slots, 1)

    def compute(*arrays: Array) -> None:
        *inputs, into = arrays
        into[...] = called(*inputs)

    return ArrayRule(tuple(range(slots)), compute)


@cache
def array_op(op: Op) -> ArrayOp:
    """Return the array form of an operation."""
    slots = len(op.slots)
    if op.name not in _ROWS:
        slopes = tuple(_called(partial, slots + 1) for partial in op.partials)
        return ArrayOp(_called(op.forward, slots), slopes)
    forward, *slopes = _ROWS[op.name]
    return ArrayOp(_written(op, forward), tuple(_written(op, slope) for slope in slopes))
