"""The rules of each operation as Python source text without calls.

A text does the same arithmetic as the functions of its `Op`, to the last bit; tests compare the two
over all operations. An operation without an entry here is called by its name, so a new operation
needs none.
"""

from msgspec import Struct

from engine.op import Op, Rule
from engine.ops import OPS


class OpText(Struct, frozen=True):
    """An operation as text: its value, and the local derivative along each slot.

    `{a}`, or another slot's letter, stands for an input, `{out}` for the value.
    """

    forward: str
    slopes: tuple[str, ...]


ONE, MINUS_ONE, ZERO = "1.0", "-1.0", "0.0"

_SIGN = "1.0 if {a} > 0.0 else -1.0 if {a} < 0.0 else 0.0"
_SMALLER = "0.5 if {a} == {b} else 0.0 if {a} < {b} else 1.0"
_LARGER = "0.5 if {a} == {b} else 0.0 if {a} > {b} else 1.0"

# name: the value, then the local derivative along each slot; an empty text calls the function
_INLINE: dict[str, tuple[str, ...]] = {
    "add": ("{a} + {b}", ONE, ONE),
    "sub": ("{a} - {b}", ONE, MINUS_ONE),
    "mul": ("{a} * {b}", "{b}", "{a}"),
    "div": (
        "{a} / {b} if {b} else div({a}, {b})",
        "1.0 / {b} if {b} else div(1.0, {b})",
        "-({out} / {b}) if {b} else -div({out}, {b})",
    ),
    "neg": ("-{a}", MINUS_ONE),
    "exp": ("", "{out}"),
    "log": ("", "1.0 / {a} if {a} else log_a({a}, {out})"),
    "sqrt": ("", "0.5 / {out} if {out} else sqrt_a({a}, {out})"),
    "square": ("{a} * {a}", "2.0 * {a}"),
    "abs": ("", _SIGN),
    "sign": (_SIGN, ZERO),
    "floor": ("", ZERO),
    "tan": ("", "1.0 + {out} * {out}"),
    "atan": ("", "1.0 / (1.0 + {a} * {a})"),
    "tanh": ("", "(1.0 - {out}) * (1.0 + {out})"),
    "sigmoid": ("", "{out} * (1.0 - {out})"),
    "relu": ("0.0 if {a} < 0.0 else {a}", "0.0 if {out} <= 0.0 else 1.0"),
    "leaky_relu": ("{a} if {a} > 0.0 else 0.01 * {a}", "1.0 if {out} > 0.0 else 0.01"),
    "maximum": ("{a} if {a} >= {b} or {a} != {a} else {b}", _SMALLER, _LARGER),
    "minimum": ("{a} if {a} <= {b} or {a} != {a} else {b}", _LARGER, _SMALLER),
    "where_gt0": (
        "{x} if {c} > 0.0 else {y}",
        ZERO,
        "1.0 if {c} > 0.0 else 0.0",
        "0.0 if {c} > 0.0 else 1.0",
    ),
}


def _text(op: Op) -> OpText:
    inputs = ", ".join(f"{{{letter}}}" for letter in op.slots)
    calls = [f"{op.name}({inputs})"]
    calls += [f"{op.name}_{letter}({inputs}, {{out}})" for letter in op.slots]
    inline = _INLINE.get(op.name, ("",) * len(calls))
    forward, *slopes = (text or call for text, call in zip(inline, calls, strict=True))
    return OpText(forward, tuple(slopes))


def _names(op: Op) -> dict[str, Rule]:
    slopes = zip(op.slots, op.partials, strict=True)
    return {op.name: op.forward} | {f"{op.name}_{letter}": rule for letter, rule in slopes}


TEXTS: dict[str, OpText] = {op.name: _text(op) for op in OPS}
"""The texts of each operation, by its name."""

NAMES: dict[str, Rule] = {name: rule for op in OPS for name, rule in _names(op).items()}
"""The functions that the texts call, by the names they use."""
