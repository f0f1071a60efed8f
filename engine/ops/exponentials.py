"""Exponential and logarithm."""

import math

from engine.op import Op


def _exp(a: float) -> float:
    try:
        return math.exp(a)
    except OverflowError:
        return math.inf


def _exp_a(_a: float, out: float) -> float:
    return out


def _log(a: float) -> float:
    if a > 0.0:
        return math.log(a)
    return -math.inf if a == 0.0 else math.nan


def _log_a(a: float, _out: float) -> float:
    if a == 0.0:
        return math.copysign(math.inf, a)
    return 1.0 / a


EXP = Op(
    name="exp",
    symbol="exp",
    family="Functions",
    slots=("a",),
    forward=_exp,
    partials=(_exp_a,),
    formula="exp(a)",
    slopes=("exp(a)",),
    latex=r"e^{a}",
    latex_slopes=(r"e^{a}",),
    says="e to the power of the number",
    words=("exponential", "e^"),
)

LOG = Op(
    name="log",
    symbol="log",
    family="Functions",
    slots=("a",),
    forward=_log,
    partials=(_log_a,),
    formula="log(a)",
    slopes=("1 ÷ a",),
    latex=r"\ln a",
    latex_slopes=(r"\frac{1}{a}",),
    says="the natural logarithm",
    words=("ln", "logarithm"),
    domain="a > 0",
)
