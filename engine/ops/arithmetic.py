"""Arithmetic: + − × ÷ xʸ and negation."""

import math

from engine.op import Op
from engine.ops.functions import log


def _one(*_args: float) -> float:
    return 1.0


def _minus_one(*_args: float) -> float:
    return -1.0


def _add(a: float, b: float) -> float:
    return a + b


def _sub(a: float, b: float) -> float:
    return a - b


def _mul(a: float, b: float) -> float:
    return a * b


def _mul_a(_a: float, b: float, _out: float) -> float:
    return b


def _mul_b(a: float, _b: float, _out: float) -> float:
    return a


def _div(a: float, b: float) -> float:
    if b != 0.0:
        return a / b
    if a == 0.0 or math.isnan(a):
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1.0, b)


def _div_a(_a: float, b: float, _out: float) -> float:
    return _div(1.0, b)


def _div_b(a: float, b: float, _out: float) -> float:
    return -_div(_div(a, b), b)


def power(a: float, b: float) -> float:
    """Return a to the power b as in IEEE 754: overflow is inf, a root of a negative is nan."""
    try:
        return math.pow(a, b)
    except OverflowError:
        return _infinite_power(a, b)
    except ValueError:
        return _infinite_power(a, b) if a == 0.0 else math.nan  # a pole: b is negative


def _infinite_power(a: float, b: float) -> float:
    """Return infinity, with the sign of the base where the power is odd."""
    return math.copysign(math.inf, a) if math.fmod(b, 2.0) in (1.0, -1.0) else math.inf


def _pow_a(a: float, b: float, _out: float) -> float:
    return 0.0 if b == 0.0 else b * power(a, b - 1.0)


def _pow_b(a: float, b: float, out: float) -> float:
    if a == 0.0 and b >= 0.0:
        return 0.0
    return out * log(a)


def _zero_exponent(slot: int, _a: float, b: float) -> bool:
    return slot == 0 and b == 0.0


def _text_has_no_value(slot: int, a: float, b: float) -> bool:
    """Return whether b · a^(b − 1) or a^b · log(a) gives 0 × ∞ or nan where the slope is 0."""
    if slot == 0:
        return b == 0.0 and (a == 0.0 or math.isnan(a))
    return a == 0.0 and b >= 0.0


def _zero_to_the_zero(a: float, b: float) -> bool:
    return a == 0.0 and b == 0.0


def _neg(a: float) -> float:
    return -a


ADD = Op(
    name="add",
    symbol="+",
    family="Arithmetic",
    slots=("a", "b"),
    forward=_add,
    partials=(_one, _one),
    formula="a + b",
    slopes=("1", "1"),
    latex="a + b",
    latex_slopes=("1", "1"),
    says="the sum of two numbers",
    words=("plus", "sum", "total", "+"),
    infix="+",
)

SUB = Op(
    name="sub",
    symbol="−",
    family="Arithmetic",
    slots=("a", "b"),
    forward=_sub,
    partials=(_one, _minus_one),
    formula="a − b",
    slopes=("1", "−1"),
    latex="a - b",
    latex_slopes=("1", "-1"),
    says="the first number less the second",
    words=("minus", "subtract", "difference", "-"),
    infix="-",
)

MUL = Op(
    name="mul",
    symbol="×",
    family="Arithmetic",
    slots=("a", "b"),
    forward=_mul,
    partials=(_mul_a, _mul_b),
    formula="a × b",
    slopes=("b", "a"),
    latex=r"a \cdot b",
    latex_slopes=("b", "a"),
    says="the product of two numbers",
    words=("times", "product", "multiply", "*"),
    infix="*",
)

DIV = Op(
    name="div",
    symbol="÷",
    family="Arithmetic",
    slots=("a", "b"),
    forward=_div,
    partials=(_div_a, _div_b),
    formula="a ÷ b",
    slopes=("1 ÷ b", "−(a ÷ b) ÷ b"),
    latex=r"\frac{a}{b}",
    latex_slopes=(r"\frac{1}{b}", r"-\frac{a}{b^2}"),
    says="the first number over the second",
    words=("divide", "over", "quotient", "fraction", "/"),
    infix="/",
    domain="b ≠ 0",
)

POW = Op(
    name="pow",
    symbol="xʸ",
    family="Arithmetic",
    slots=("a", "b"),
    forward=power,
    partials=(_pow_a, _pow_b),
    formula="a ^ b",
    slopes=("b · a^(b − 1)", "a^b · log(a)"),
    latex=r"a^{b}",
    latex_slopes=(r"b \, a^{b - 1}", r"a^{b} \ln(a)"),
    says="the first number to the power of the second",
    words=("power", "exponent", "**", "^"),
    infix="**",
    domain="a > 0, or whole b",
    kink=_zero_to_the_zero,
    convention="0 to the 0 is 1. Where a rule of xʸ has no value, the slope 0 is used.",
    unwritten=_text_has_no_value,
    masks=_zero_exponent,
)

NEG = Op(
    name="neg",
    symbol="−x",
    family="Arithmetic",
    slots=("a",),
    forward=_neg,
    partials=(_minus_one,),
    formula="−a",
    slopes=("−1",),
    latex="-a",
    latex_slopes=("-1",),
    says="the number with the other sign",
    words=("negative", "negate", "minus", "opposite", "-"),
)
