"""Exact mathematics of the operations, for tests: dual numbers with 60 digits by mpmath.

Written from the textbook and not from the engine: a value and its speed go forward together.
`PyTorch's` conventions at kinks are not known here; keep away from kinks.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import mpmath
from mpmath import mpf

Number = Any
"""An mpf; mpmath's own annotations allow complex numbers everywhere."""

mpmath.mp.dps = 60

HALF, ONE, TWO = mpf("0.5"), mpf(1), mpf(2)


@dataclass(frozen=True)
class Dual:
    """A number and how fast it moves."""

    at: Number
    speed: Number


def chain(at: Number, *terms: tuple[Number, Dual]) -> Dual:
    """A value whose speed is the sum of slope times speed."""
    return Dual(at, mpmath.fsum(slope * dual.speed for slope, dual in terms))


def _logistic(x: Number) -> Number:
    return 1 / (1 + mpmath.exp(-x))


def _heaviside(x: Number) -> Number:
    return ONE if x > 0 else mpf(0)


def _power(a: Dual, b: Dual) -> Dual:
    if a.at == 0:
        slope = ONE if b.at == 1 else mpf(0)
        return chain(mpf(0) if b.at else ONE, (slope, a), (mpf(0), b))
    at = mpmath.power(a.at, b.at)
    along_b = at * mpmath.log(a.at) if b.speed else mpf(0)
    return chain(at, (b.at * mpmath.power(a.at, b.at - 1), a), (along_b, b))


def _one(
    value: Callable[[Number], Number], slope: Callable[[Number], Number]
) -> Callable[[Dual], Dual]:
    return lambda a: chain(value(a.at), (slope(a.at), a))


EXACT: dict[str, Callable[..., Dual]] = {
    "add": lambda a, b: chain(a.at + b.at, (ONE, a), (ONE, b)),
    "sub": lambda a, b: chain(a.at - b.at, (ONE, a), (-ONE, b)),
    "mul": lambda a, b: chain(a.at * b.at, (b.at, a), (a.at, b)),
    "div": lambda a, b: chain(a.at / b.at, (1 / b.at, a), (-a.at / b.at**2, b)),
    "pow": _power,
    "neg": lambda a: chain(-a.at, (-ONE, a)),
    "exp": _one(mpmath.exp, mpmath.exp),
    "log": _one(mpmath.log, lambda x: 1 / x),
    "log1p": _one(lambda x: mpmath.log(1 + x), lambda x: 1 / (1 + x)),
    "sqrt": _one(mpmath.sqrt, lambda x: HALF * mpmath.power(x, -HALF)),
    "square": _one(lambda x: x**2, lambda x: TWO * x),
    "abs": _one(mpmath.fabs, mpmath.sign),
    "sign": _one(mpmath.sign, lambda x: mpf(0)),
    "floor": _one(mpmath.floor, lambda x: mpf(0)),
    "sin": _one(mpmath.sin, mpmath.cos),
    "cos": _one(mpmath.cos, lambda x: -mpmath.sin(x)),
    "tan": _one(mpmath.tan, lambda x: mpmath.sec(x) ** 2),
    "asin": _one(mpmath.asin, lambda x: 1 / mpmath.sqrt(1 - x**2)),
    "acos": _one(mpmath.acos, lambda x: -1 / mpmath.sqrt(1 - x**2)),
    "atan": _one(mpmath.atan, lambda x: 1 / (1 + x**2)),
    "tanh": _one(mpmath.tanh, lambda x: mpmath.sech(x) ** 2),
    "sigmoid": _one(_logistic, lambda x: _logistic(x) * _logistic(-x)),
    "relu": _one(lambda x: max(x, mpf(0)), _heaviside),
    "leaky_relu": _one(
        lambda x: x if x > 0 else mpf(0.01) * x, lambda x: ONE if x > 0 else mpf(0.01)
    ),
    "elu": _one(
        lambda x: x if x > 0 else mpmath.expm1(x), lambda x: ONE if x > 0 else mpmath.exp(x)
    ),
    "softplus": _one(
        lambda x: x if x > 20 else mpmath.log(1 + mpmath.exp(x)),
        lambda x: ONE if x > 20 else _logistic(x),
    ),
    "silu": _one(
        lambda x: x * _logistic(x), lambda x: _logistic(x) + x * _logistic(x) * _logistic(-x)
    ),
    "gelu": _one(lambda x: x * mpmath.ncdf(x), lambda x: mpmath.ncdf(x) + x * mpmath.npdf(x)),
    "maximum": lambda a, b: a if a.at > b.at else b,
    "minimum": lambda a, b: a if a.at < b.at else b,
    "where_gt0": lambda c, x, y: x if c.at > 0 else y,
}
