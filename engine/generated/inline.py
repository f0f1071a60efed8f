"""The formulas of each operation as Python source text, for generated functions.

The results equal those of the operation's functions to the last bit, as both are compiled from the
same formula.
"""

import re

from msgspec import Struct

from engine.op import Op
from engine.ops import OPS
from engine.writers.floats import FLOATS
from engine.writers.floats import NAMES as NAMES  # the functions that the texts call

ONE, MINUS_ONE = "1.0", "-1.0"


class OpText(Struct, frozen=True):
    """An operation as text: its value, and the local derivative along each slot.

    `{a}`, or another slot's letter, stands for an input, `{out}` for the value.
    """

    forward: str
    slopes: tuple[str, ...]


def _text(op: Op) -> OpText:
    letters = re.compile(rf"\b({'|'.join((*op.slots, 'out'))})\b")
    forward, *slopes = [
        letters.sub(r"{\1}", FLOATS.write(text)) for text in (op.value, *op.derivatives)
    ]
    return OpText(forward, tuple(slopes))


TEXTS: dict[str, OpText] = {op.name: _text(op) for op in OPS}
"""The texts of each operation, by its name."""
