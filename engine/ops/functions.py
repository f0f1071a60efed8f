"""Functions of one number: exponential and logarithm, roots and squares, sizes and signs.

Each forward rule has its slope beside it. Where Python's math module raises an error, PyTorch's
float64 result is returned instead.
"""

import math

from engine.op import Op, every_slot


def exp(a: float) -> float:
    """Return e to the a; inf if too large."""
    try:
        return math.exp(a)
    except OverflowError:
        return math.inf


def _exp_a(_a: float, out: float) -> float:
    return out


def log(a: float) -> float:
    """Return the natural logarithm: −inf at 0, nan below."""
    if a > 0.0:
        return math.log(a)
    return -math.inf if a == 0.0 else math.nan


def _log_a(a: float, _out: float) -> float:
    return 1.0 / a if a != 0.0 else math.copysign(math.inf, a)


def log1p(a: float) -> float:
    """Return log(1 + a), exact near 0: −inf at −1, nan below."""
    if a > -1.0:
        return math.log1p(a)
    return -math.inf if a == -1.0 else math.nan


def _log1p_a(a: float, _out: float) -> float:
    return 1.0 / (1.0 + a) if a != -1.0 else math.inf


def sqrt(a: float) -> float:
    """Return the square root; nan below 0."""
    return math.sqrt(a) if a >= 0.0 else math.nan


def _sqrt_a(_a: float, out: float) -> float:
    return 0.5 / out if out != 0.0 else math.copysign(math.inf, out)


def _square(a: float) -> float:
    return a * a


def _square_a(a: float, _out: float) -> float:
    return 2.0 * a


def _sign(a: float) -> float:
    return 1.0 if a > 0.0 else -1.0 if a < 0.0 else 0.0


def _abs(a: float) -> float:
    return abs(a)


def _abs_a(a: float, _out: float) -> float:
    return _sign(a)


def _floor(a: float) -> float:
    # math.floor returns an int, which has no −0.0: the sign is put back
    return math.copysign(float(math.floor(a)), a) if math.isfinite(a) else a


def _zero_slope(_a: float, _out: float) -> float:
    return 0.0


def _at_zero(a: float) -> bool:
    return a == 0.0


def _at_whole(a: float) -> bool:
    return math.isfinite(a) and a == math.floor(a)


EXP = Op(
    name="exp",
    symbol="exp",
    family="Functions",
    slots=("a",),
    forward=exp,
    partials=(_exp_a,),
    formula="exp(a)",
    slopes=("exp(a)",),
    latex=r"\mathrm{e}^{a}",
    latex_slopes=(r"\mathrm{e}^{a}",),
    says="e to the power of the number",
    words=("exponential", "e^", "e**"),
)

LOG = Op(
    name="log",
    symbol="log",
    family="Functions",
    slots=("a",),
    forward=log,
    partials=(_log_a,),
    formula="log(a)",
    slopes=("1 ÷ a",),
    latex=r"\ln(a)",
    latex_slopes=(r"\frac{1}{a}",),
    says="the natural logarithm",
    words=("ln", "logarithm", "natural"),
    domain="a > 0",
)

LOG1P = Op(
    name="log1p",
    symbol="log1p",
    family="Functions",
    slots=("a",),
    forward=log1p,
    partials=(_log1p_a,),
    formula="log(1 + a)",
    slopes=("1 ÷ (1 + a)",),
    latex=r"\ln(1 + a)",
    latex_slopes=(r"\frac{1}{1 + a}",),
    says="the logarithm of 1 + the number, exact near 0",
    words=("ln(1+x)", "log(1+x)"),
    domain="a > −1",
)

SQRT = Op(
    name="sqrt",
    symbol="sqrt",
    family="Functions",
    slots=("a",),
    forward=sqrt,
    partials=(_sqrt_a,),
    formula="√a",
    slopes=("1 ÷ (2 · √a)",),
    latex=r"\sqrt{a}",
    latex_slopes=(r"\frac{1}{2 \sqrt{a}}",),
    says="the number whose square this is",
    words=("square root", "root", "√"),
    domain="a ≥ 0",
)

SQUARE = Op(
    name="square",
    symbol="square",
    family="Functions",
    slots=("a",),
    forward=_square,
    partials=(_square_a,),
    formula="a²",
    slopes=("2 · a",),
    latex=r"a^{2}",
    latex_slopes=(r"2 \, a",),
    says="the number times itself",
    words=("x²", "**2", "^2", "squared", "sqr"),
)

ABS = Op(
    name="abs",
    symbol="abs",
    family="Functions",
    slots=("a",),
    forward=_abs,
    partials=(_abs_a,),
    formula="|a|",
    slopes=("sign(a)",),
    latex=r"\left|a\right|",
    latex_slopes=(r"\operatorname{sign}(a)",),
    says="the number without its sign",
    words=("absolute", "magnitude", "|x|", "modulus"),
    kink=_at_zero,
    convention="abs has no slope at 0; the convention 0 is used.",
)

SIGN = Op(
    name="sign",
    symbol="sign",
    family="Functions",
    slots=("a",),
    forward=_sign,
    partials=(_zero_slope,),
    formula="sign(a)",
    slopes=("0",),
    latex=r"\operatorname{sign}(a)",
    latex_slopes=("0",),
    says="−1, 0 or 1",
    words=("signum", "sgn", "step"),
    kink=_at_zero,
    convention="sign jumps at 0; the slope 0 is used.",
    masks=every_slot,
)

FLOOR = Op(
    name="floor",
    symbol="floor",
    family="Functions",
    slots=("a",),
    forward=_floor,
    partials=(_zero_slope,),
    formula="floor(a)",
    slopes=("0",),
    latex=r"\lfloor a \rfloor",
    latex_slopes=("0",),
    says="the next whole number below",
    words=("round down", "integer", "whole", "step"),
    kink=_at_whole,
    convention="floor jumps at whole numbers; the slope 0 is used.",
    masks=every_slot,
)
