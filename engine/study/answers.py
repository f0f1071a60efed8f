"""Answers: reads what people write as a number, without running anything.

A number or a constant expression in any accepted spelling; signs from the screen are translated.

>>> [read(text).number for text in ("-2*-3", "−2 × −3", "1/3", "1 - 0.5^2", "∞", "nan")]
[6.0, 6.0, 0.3333333333333333, 0.75, inf, nan]
>>> read("two").advice
'Write a number, such as −3, 1/3, 2 × 0.5 or inf.'
"""

import ast
import math
import re
from decimal import Decimal
from typing import Final

from msgspec import Struct

from engine.ops import BY_NAME

LONGEST: Final = 80
"""Characters of an answer; a number written out has at most about 25."""
_ADVICE: Final = "Write a number, such as −3, 1/3, 2 × 0.5 or inf."
_SPELLINGS: Final = str.maketrans(
    {"−": "-", "–": "-", "×": "*", "·": "*", "⋅": "*", "÷": "/", "∞": "inf", ",": "_"}
)
_PLAIN: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
_CONSTANTS: Final = {"inf": math.inf, "infinity": math.inf, "nan": math.nan, "pi": math.pi}
_OPERATORS: Final[dict[type[ast.AST], str]] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "div",
    ast.Pow: "pow",
    ast.USub: "neg",
}


class Answer(Struct, frozen=True):
    """What was read: the number, or None with advice on what to write.

    `half_unit` is half of the last place of a plain decimal with at least two significant digits,
    so how far its writer may have rounded; 0 for everything else.
    """

    text: str
    number: float | None
    half_unit: float = 0.0
    advice: str = ""


def read(text: str) -> Answer:
    """Read one answer; what is no number has None and advice, and is not graded."""
    written = text.strip().casefold().removeprefix("=").strip()
    if not written:
        return Answer(text, None, advice=_ADVICE)
    if len(written) > LONGEST:
        return Answer(text, None, advice=f"An answer has at most {LONGEST} characters.")
    if re.search(r"\d,\d", written):
        return Answer(text, None, advice="Write a point, not a comma: 0.5.")
    ascii_text = written.translate(_SPELLINGS).replace("^", "**")
    number = _number(ascii_text)
    if number is None:
        return Answer(text, None, advice=_ADVICE)
    return Answer(text, number, _half_unit(ascii_text.replace(" ", "")))


def _number(text: str) -> float | None:
    try:
        tree = ast.parse(text, mode="eval")
        return _value(tree.body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _value(part: ast.expr) -> float:
    """Return the value of a constant expression; raises ValueError for anything else."""
    match part:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return _as_float(number)
        case ast.Name(id=name) if name in _CONSTANTS:
            return _CONSTANTS[name]
        case ast.UnaryOp(op=ast.UAdd()):
            return _value(part.operand)
        case ast.UnaryOp() if type(part.op) in _OPERATORS:
            return _computed(_OPERATORS[type(part.op)], part.operand)
        case ast.BinOp() if type(part.op) in _OPERATORS:
            return _computed(_OPERATORS[type(part.op)], part.left, part.right)
        case ast.Call(func=ast.Name(id=name), keywords=[]):
            return _computed(name, *part.args)
        case _:
            raise ValueError("no constant expression")


def _computed(op: str, *parts: ast.expr) -> float:
    found = BY_NAME.get(op)
    if found is None or len(found.slots) != len(parts):
        raise ValueError("no such operation")
    return found.forward(*[_value(part) for part in parts])


def _as_float(number: float) -> float:
    try:
        return float(number)
    except OverflowError:
        raise ValueError("too large") from None


def _half_unit(text: str) -> float:
    """Return half of the last place of a plain decimal; 0 if it has one digit, or is no decimal."""
    if not _PLAIN.fullmatch(text):
        return 0.0
    number = Decimal(text)
    digits, exponent = number.as_tuple().digits, number.as_tuple().exponent
    significant = len("".join(map(str, digits)).lstrip("0"))
    if significant < 2 or not isinstance(exponent, int):
        return 0.0
    return float(Decimal((0, (5,), exponent - 1)))
