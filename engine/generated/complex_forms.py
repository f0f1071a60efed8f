"""COMPLEX: the operations as functions of complex numbers, near the real line.

They measure slopes by a complex step. So each is written from its definition, uses no derivative,
and continues the smooth piece on which the real part lies.
"""

import cmath
from collections.abc import Callable

Function = Callable[..., complex]

_LEAK = 0.01
_THRESHOLD = 20.0
LARGEST_WHOLE = 100.0
"""The largest whole exponent for which Python multiplies; others take a logarithm, with a cut."""


def _add(a: complex, b: complex) -> complex:
    return a + b


def _sub(a: complex, b: complex) -> complex:
    return a - b


def _mul(a: complex, b: complex) -> complex:
    return a * b


def _div(a: complex, b: complex) -> complex:
    return a / b


def _neg(a: complex) -> complex:
    return -a


def _pow(a: complex, b: complex) -> complex:
    whole = b.imag == 0.0 and b.real == round(b.real) and abs(b.real) <= LARGEST_WHOLE
    if a.real <= 0.0 and not whole:
        raise ValueError("beside the cut of the power")
    return a**b


def _log1p(a: complex) -> complex:
    return cmath.log(1.0 + a)


def _square(a: complex) -> complex:
    return a * a


def _abs(a: complex) -> complex:
    return a if a.real > 0.0 else -a


def _level(_a: complex) -> complex:
    return 0j


def _sigmoid(a: complex) -> complex:
    if a.real >= 0.0:
        return 1.0 / (1.0 + cmath.exp(-a))
    e = cmath.exp(a)
    return e / (1.0 + e)


def _relu(a: complex) -> complex:
    return a if a.real > 0.0 else 0j


def _leaky_relu(a: complex) -> complex:
    return a if a.real > 0.0 else _LEAK * a


def _elu(a: complex) -> complex:
    return a if a.real > 0.0 else cmath.exp(a) - 1.0


def _softplus(a: complex) -> complex:
    return a if a.real > _THRESHOLD else cmath.log(1.0 + cmath.exp(a))


def _silu(a: complex) -> complex:
    return a * _sigmoid(a)


def _maximum(a: complex, b: complex) -> complex:
    return a if a.real > b.real else b


def _minimum(a: complex, b: complex) -> complex:
    return a if a.real < b.real else b


def _where(c: complex, x: complex, y: complex) -> complex:
    return x if c.real > 0.0 else y


COMPLEX: dict[str, Function] = {
    "add": _add,
    "sub": _sub,
    "mul": _mul,
    "div": _div,
    "pow": _pow,
    "neg": _neg,
    "exp": cmath.exp,
    "log": cmath.log,
    "log1p": _log1p,
    "sqrt": cmath.sqrt,
    "square": _square,
    "abs": _abs,
    "sign": _level,
    "floor": _level,
    "sin": cmath.sin,
    "cos": cmath.cos,
    "tan": cmath.tan,
    "asin": cmath.asin,
    "acos": cmath.acos,
    "atan": cmath.atan,
    "tanh": cmath.tanh,
    "sigmoid": _sigmoid,
    "relu": _relu,
    "leaky_relu": _leaky_relu,
    "elu": _elu,
    "softplus": _softplus,
    "silu": _silu,
    "maximum": _maximum,
    "minimum": _minimum,
    "where_gt0": _where,
}

SINGULAR_AT_ZERO = {"div": 1, "pow": 0, "log": 0, "sqrt": 0}
"""The slot relative to whose number the complex step must be small."""
