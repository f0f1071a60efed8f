"""OPS: the table of all operations, in the order of palettes and lists.

A row starts with name, symbol, family and slots, then come the formulas of the value and of the
local derivative along each slot: `*("mul", "×", "Arithmetic", ("a", "b"), "a * b", ("b", "a"))`.

>>> tanh = BY_NAME["tanh"]
>>> value = tanh.forward(0.5)
>>> round(value, 4), round(tanh.partials[0](0.5, value), 4)
(0.4621, 0.7864)
>>> [op.name for op in search("power")]
['pow']
"""

from engine.op import Op
from engine.ops.activations import ELU, GELU, LEAKY_RELU, RELU, SIGMOID, SILU, SOFTPLUS, TANH
from engine.ops.arithmetic import ADD, DIV, MUL, NEG, POW, SUB
from engine.ops.choices import MAXIMUM, MINIMUM, WHERE_GT0
from engine.ops.functions import ABS, EXP, FLOOR, LOG, LOG1P, SIGN, SQRT, SQUARE
from engine.ops.trigonometry import ACOS, ASIN, ATAN, COS, SIN, TAN

OPS: tuple[Op, ...] = (
    *(ADD, SUB, MUL, DIV, POW, NEG),
    *(EXP, LOG, LOG1P, SQRT, SQUARE, ABS, SIGN, FLOOR),
    *(SIN, COS, TAN, ASIN, ACOS, ATAN),
    *(TANH, SIGMOID, RELU, LEAKY_RELU, ELU, SOFTPLUS, SILU, GELU),
    *(MAXIMUM, MINIMUM, WHERE_GT0),
)

BY_NAME: dict[str, Op] = {op.name: op for op in OPS}

FAMILIES: tuple[str, ...] = tuple(dict.fromkeys(op.family for op in OPS))


def search(text: str) -> list[Op]:
    """Return the operations that match a name, symbol or synonym, or a part of one, best first."""
    wanted = text.strip().casefold()
    ranked = [(_rank(op, wanted), op) for op in OPS]
    return [op for rank, op in sorted(ranked, key=lambda pair: pair[0]) if rank < _MISS]


_MISS = 4
"""The rank of an operation that does not match, behind the four kinds of matches."""


def _rank(op: Op, wanted: str) -> int:
    """Return the rank of a match: name or symbol, synonym, prefix, substring, none."""
    own = (op.name, op.symbol.casefold())
    words = (*own, *(word.casefold() for word in op.synonyms))
    if wanted in own:
        return 0
    if wanted in words:
        return 1
    if any(word.startswith(wanted) for word in words):
        return 2
    return 3 if any(wanted in word for word in words) else _MISS
