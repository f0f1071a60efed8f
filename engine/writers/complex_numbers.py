"""Complex numbers: analytic continuation of formulas, for derivatives by a complex step.

f(x + it) = f(x) + it · f'(x) + O(t²), so the imaginary part over t is the derivative, without the
cancellation of a difference quotient and without a formula of f'. (Squire and Trapp, 1998, "Using
complex variables to estimate derivatives of real functions".) Conditions compare real parts, so a
piecewise formula is continued from the piece that x is on.

>>> COMPLEX.write("a if a > 0 else 0.01 * a")
'a if a.real > 0 else 0.01 * a'
>>> square = complex_function(("a",), "a * a")
>>> square(3 + 1e-30j).imag / 1e-30  # f(x) = x², f'(3) = 6
6.0
"""

import ast
import cmath
from collections.abc import Callable
from functools import cache
from typing import Final

from engine.writers.writer import Writer, called, tree_of

LARGEST_WHOLE: Final = 100.0
"""The largest whole exponent for which Python multiplies; others take a logarithm, with a cut."""


@cache
def complex_function(letters: tuple[str, ...], text: str) -> Callable[..., complex] | None:
    """Return a formula as a function of these letters; None if it calls a real one, as Φ."""
    calls = [node for node in ast.walk(tree_of(text)) if isinstance(node, ast.Call)]
    known = all(ast.unparse(call.func) in COMPLEX.names for call in calls)
    return COMPLEX.function(letters, text) if known else None


def power(a: complex, b: complex) -> complex:
    """Return a to the power b; ValueError where exp(b · log a) is on or near the branch cut."""
    whole = b.imag == 0.0 and b.real == round(b.real) and abs(b.real) <= LARGEST_WHOLE
    if a.real <= 0.0 and not whole:
        raise ValueError("beside the cut of the power")
    return a**b


def sigmoid(a: complex) -> complex:
    """Return 1 / (1 + e⁻ᵃ), split by sign so that the exponential never overflows."""
    if a.real >= 0.0:
        return 1.0 / (1.0 + cmath.exp(-a))
    e = cmath.exp(a)
    return e / (1.0 + e)


def _log1p(a: complex) -> complex:
    return cmath.log(1.0 + a)


def _expm1(a: complex) -> complex:
    return cmath.exp(a) - 1.0


def _abs(a: complex) -> complex:
    return a if a.real > 0.0 else -a


def _constant(_a: complex) -> complex:
    """Return 0 for sign and floor: piecewise constant, and only imaginary parts are used."""
    return 0j


class _ComplexNumbers(Writer):
    """Writes formulas for complex numbers."""

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        """Compare real parts, as complex numbers have no order."""
        sides = [
            ast.Attribute(side, "real") if isinstance(side, ast.Name) else side
            for side in (node.left, *node.comparators)
        ]
        return ast.Compare(sides[0], node.ops, sides[1:])

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        is_power = isinstance(node.op, ast.Pow)
        return called("pow", node.left, node.right) if is_power else node


_IN_CMATH = ("exp", "log", "sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "tanh")

COMPLEX: Final = _ComplexNumbers(
    {
        **{name: getattr(cmath, name) for name in _IN_CMATH},
        "pow": power,
        "log1p": _log1p,
        "expm1": _expm1,
        "abs": _abs,
        "sign": _constant,
        "floor": _constant,
        "sigmoid": sigmoid,
    }
)
