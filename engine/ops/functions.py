"""Functions of one number: exponential and logarithm, roots and squares, sizes and signs.

>>> SQRT.forward(4.0), SQRT.partials[0](4.0, 2.0)  # (√a)' = 1 / (2 · √a)
(2.0, 0.25)
"""

import math

from engine.op import Op, always


def _at_zero(a: float) -> bool:
    return a == 0.0


def _at_whole(a: float) -> bool:
    return math.isfinite(a) and a == math.floor(a)


EXP = Op(
    *("exp", "exp", "Functions", ("a",), "exp(a)", ("out",)),
    description="e to the power of the number",
    synonyms=("exponential", "e^", "e**"),
)

LOG = Op(
    *("log", "log", "Functions", ("a",), "log(a)", ("1 / a",)),
    description="the natural logarithm",
    synonyms=("ln", "logarithm", "natural"),
    domain="a > 0",
)

# log(1 + a) would lose the digits of a small a in the sum
LOG1P = Op(
    *("log1p", "log1p", "Functions", ("a",), "log1p(a)", ("1 / (1 + a)",)),
    description="the logarithm of 1 + the number, exact near 0",
    synonyms=("ln(1+x)", "log(1+x)"),
    domain="a > −1",
)

SQRT = Op(
    *("sqrt", "sqrt", "Functions", ("a",), "sqrt(a)", ("0.5 / out",)),
    usual_derivatives=("1 / (2 * out)",),
    description="the number whose square this is",
    synonyms=("square root", "root", "√"),
    domain="a ≥ 0",
)

SQUARE = Op(
    *("square", "square", "Functions", ("a",), "a * a", ("2 * a",)),
    description="the number times itself",
    synonyms=("x²", "**2", "^2", "squared", "sqr"),
    custom_latex=r"a^{2}",
)

ABS = Op(
    *("abs", "abs", "Functions", ("a",), "abs(a)", ("sign(a)",)),
    description="the number without its sign",
    synonyms=("absolute", "magnitude", "|x|", "modulus"),
    kink=_at_zero,
    convention="abs has no slope at 0; the convention 0 is used.",
)

SIGN = Op(
    *("sign", "sign", "Functions", ("a",), "sign(a)", ("0",)),
    description="−1, 0 or 1",
    synonyms=("signum", "sgn", "step"),
    kink=_at_zero,
    convention="sign jumps at 0; the slope 0 is used.",
    zero_blocks_nonfinite=always,
)

FLOOR = Op(
    *("floor", "floor", "Functions", ("a",), "floor(a)", ("0",)),
    description="the next whole number below",
    synonyms=("round down", "integer", "whole", "step"),
    kink=_at_whole,
    convention="floor jumps at whole numbers; the slope 0 is used.",
    zero_blocks_nonfinite=always,
)
