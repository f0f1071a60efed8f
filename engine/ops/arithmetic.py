"""Arithmetic: + − × ÷ xʸ and negation.

>>> DIV.forward(1.0, 2.0), DIV.partials[1](1.0, 2.0, 0.5)  # ∂(a/b)/∂b = −a/b²
(0.5, -0.25)
"""

import math

from engine.op import Op


def _zero_to_the_zero(a: float, b: float) -> bool:
    return a == 0.0 and b == 0.0


def _zero_exponent(slot: int, _a: float, b: float) -> bool:
    return slot == 0 and b == 0.0


def _slope_undefined(slot: int, a: float, b: float) -> bool:
    """Return whether b · a^(b − 1) or a^b · log(a) gives 0 × ∞ or nan where the slope is 0."""
    if slot == 0:
        return b == 0.0 and (a == 0.0 or math.isnan(a))
    return a == 0.0 and b >= 0.0


ADD = Op(
    *("add", "+", "Arithmetic", ("a", "b"), "a + b", ("1", "1")),
    description="the sum of two numbers",
    synonyms=("plus", "sum", "total", "+"),
    infix="+",
)

SUB = Op(
    *("sub", "−", "Arithmetic", ("a", "b"), "a - b", ("1", "-1")),
    description="the first number less the second",
    synonyms=("minus", "subtract", "difference", "-"),
    infix="-",
)

MUL = Op(
    *("mul", "×", "Arithmetic", ("a", "b"), "a * b", ("b", "a")),
    description="the product of two numbers",
    synonyms=("times", "product", "multiply", "*"),
    infix="*",
    custom_formula="a × b",
    custom_latex=r"a \cdot b",
)

# −a/b² is −out/b: one division less, and no overflow of b²
DIV = Op(
    *("div", "÷", "Arithmetic", ("a", "b"), "a / b", ("1 / b", "-(out / b)")),
    description="the first number over the second",
    synonyms=("divide", "over", "quotient", "fraction", "/"),
    infix="/",
    domain="b ≠ 0",
    custom_latex_slopes=(r"\frac{1}{b}", r"-\frac{a}{b^2}"),
)

# ∂(aᵇ)/∂a = b · aᵇ⁻¹, and as aᵇ is exp(b · log a), ∂(aᵇ)/∂b = aᵇ · log a
POW = Op(
    *("pow", "xʸ", "Arithmetic", ("a", "b"), "a ** b"),
    ("b * a ** (b - 1) if b else 0", "0 if a == 0 and b >= 0 else out * log(a)"),
    description="the first number to the power of the second",
    synonyms=("power", "exponent", "**", "^"),
    infix="**",
    domain="a > 0, or whole b",
    kink=_zero_to_the_zero,
    convention="0 to the 0 is 1. Where a rule of xʸ has no value, the slope 0 is used.",
    formula_undefined=_slope_undefined,
    zero_blocks_nonfinite=_zero_exponent,
    usual_derivatives=("b * a ** (b - 1)", "out * log(a)"),
    custom_formula="a ^ b",
)

NEG = Op(
    *("neg", "−x", "Arithmetic", ("a",), "-a", ("-1",)),
    description="the number with the other sign",
    synonyms=("negative", "negate", "minus", "opposite", "-"),
)
