"""Functions: the formulas of operations compiled for floats and for complex numbers.

A formula is a Python expression of the letters of the slots, `out` for the value, and functions
such as `exp`. A `Writer` rewrites the operators that its numbers lack, or that mean something else,
such as `/` and `**`; its instance binds the names of the functions.

**Floats** have PyTorch's float64 results instead of exceptions. Where Python raises an error,
IEEE 754 defines a result: 1 / 0 is inf, a root of a negative is nan. So a division tests its
divisor, and the functions here return that result outside their domain.

>>> FLOATS.write("-(out / b)")
'-(out / b) if b else -div(out, b)'
>>> FLOATS.function(("a", "b"), "a / b")(-1.0, 0.0)
-inf

**Complex numbers** continue a formula analytically, for derivatives by a complex step:
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
import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final


def parse_formula(text: str) -> ast.expr:
    """Parse a formula into its syntax tree."""
    return ast.parse(text, mode="eval").body


def constant_number(node: ast.Constant) -> float:
    """Return the number of a constant; formulas have no other constants."""
    assert isinstance(node.value, int | float)
    return node.value


def call_tree(name: str, *arguments: ast.expr) -> ast.Call:
    """Return the syntax tree of a call."""
    return ast.Call(ast.Name(name), list(arguments), [])


class Writer(ast.NodeTransformer):
    """Writes formulas for one type of number; `names` are its functions."""

    def __init__(self, names: Mapping[str, Any]) -> None:
        self.names = names

    def write(self, text: str) -> str:
        """Return the source text of a formula for this type of number."""
        return ast.unparse(self.visit(parse_formula(text)))

    def function(self, letters: Sequence[str], text: str) -> Callable[..., Any]:
        """Return a formula as a function of these letters."""
        parameters = ", ".join(letters)
        source = self.write(text)
        name = source.removesuffix(f"({parameters})")
        if name in self.names:
            return self.names[name]  # tanh itself is faster than lambda a: tanh(a)
        # eval is safe: the text is from the operation table, never from a user
        return eval(f"lambda {parameters}: {source}", dict(self.names))


# Floats

SIGMOID_ZERO_BELOW: Final = -709.782712893384
"""Below this, exp(-a) overflows, and sigmoid is 0 as in PyTorch."""


def div(a: float, b: float) -> float:
    """Return a / b: ±inf over 0, nan for 0 / 0."""
    if b != 0.0:
        return a / b
    if a == 0.0 or math.isnan(a):
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1.0, b)


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


def exp(a: float) -> float:
    """Return e to the a; inf if too large."""
    try:
        return math.exp(a)
    except OverflowError:
        return math.inf


def log(a: float) -> float:
    """Return the natural logarithm: −inf at 0, nan below."""
    if a > 0.0:
        return math.log(a)
    return -math.inf if a == 0.0 else math.nan


def log1p(a: float) -> float:
    """Return log(1 + a), exact near 0: −inf at −1, nan below."""
    if a > -1.0:
        return math.log1p(a)
    return -math.inf if a == -1.0 else math.nan


def sqrt(a: float) -> float:
    """Return the square root; nan below 0."""
    return math.sqrt(a) if a >= 0.0 else math.nan


def sign(a: float) -> float:
    """Return −1, 0 or 1; 0 for nan."""
    return 1.0 if a > 0.0 else -1.0 if a < 0.0 else 0.0


def floor(a: float) -> float:
    """Return the next whole number below; −0.0, inf and nan are unchanged."""
    # math.floor returns an int, which has no −0.0: the sign is put back
    return math.copysign(float(math.floor(a)), a) if math.isfinite(a) else a


def sigmoid(a: float) -> float:
    """Return 1 / (1 + e⁻ᵃ), split by sign so that the exponential never overflows."""
    if a >= 0.0:
        return 1.0 / (1.0 + math.exp(-a))
    e = exp(a)
    return 0.0 if a < SIGMOID_ZERO_BELOW else e / (1.0 + e)


def normal_below(a: float) -> float:
    """Return Φ(a): the probability that a standard normal variable is below a."""
    return 0.5 * (1.0 + math.erf(a * math.sqrt(0.5)))


def normal_density(a: float) -> float:
    """Return φ(a): the slope of Φ, the bell curve."""
    return math.exp(-0.5 * (a * a)) / math.sqrt(2.0 * math.pi)


def _nan_at_infinity(function: Callable[[float], float]) -> Callable[[float], float]:
    """Return a periodic function that is nan at infinity, where Python's raises."""
    return lambda a: function(a) if math.isfinite(a) else math.nan


def _nan_outside_domain(function: Callable[[float], float]) -> Callable[[float], float]:
    """Return asin or acos as a function that is nan outside its domain from −1 to 1."""
    return lambda a: function(a) if -1.0 <= a <= 1.0 else math.nan


class _Floats(Writer):
    """Writes formulas for floats; a division whose divisor may be 0 calls `div`."""

    def write(self, text: str) -> str:
        """Return the source text; a divisor that is a letter is tested before any call of `div`."""
        checked = super().write(text)
        divisors = [_divisor_letter(node) for node in ast.walk(parse_formula(text))]
        divisor = next(filter(None, divisors), "")
        if not divisor:
            return checked
        # The test is faster than the call of a function: a / b if b else div(a, b). One letter is
        # tested, so a formula may divide by one letter only.
        assert len(set(filter(None, divisors))) == 1, text
        return f"{_NonzeroDivisor(self.names).write(text)} if {divisor} else {checked}"

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return ast.Constant(float(constant_number(node)))

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """Call `pow` and `div` where the operator of Python raises errors."""
        is_division = isinstance(node.op, ast.Div) and not self.is_safe(node)
        self.generic_visit(node)
        if isinstance(node.op, ast.Pow) or is_division:
            return call_tree("div" if is_division else "pow", node.left, node.right)
        return node

    def is_safe(self, division: ast.BinOp) -> bool:
        """Return whether the divisor is never 0."""
        return _is_positive(division.right)


class _NonzeroDivisor(_Floats):
    """Writes a formula whose divisor has been tested, with the plain operator `/`."""

    def write(self, text: str) -> str:
        return Writer.write(self, text)

    def is_safe(self, division: ast.BinOp) -> bool:
        return True


def _divisor_letter(node: ast.AST) -> str:
    """Return the divisor of a division if it is a letter, else ""."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Div):
        return ""
    return node.right.id if isinstance(node.right, ast.Name) else ""


def _is_positive(node: ast.expr) -> bool:
    """Whether a divisor is above 0 for all inputs, by its form: 1 + a · a, 1 + exp(a)."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _is_positive(node.left) and _is_never_negative(node.right)
    return isinstance(node, ast.Constant) and constant_number(node) > 0


def _is_never_negative(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        return ast.dump(node.left) == ast.dump(node.right)
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "exp"


FLOAT_FUNCTIONS: Final = {
    "div": div,
    "pow": power,
    "exp": exp,
    "expm1": math.expm1,
    "log": log,
    "log1p": log1p,
    "sqrt": sqrt,
    "abs": abs,
    "sign": sign,
    "floor": floor,
    "sin": _nan_at_infinity(math.sin),
    "cos": _nan_at_infinity(math.cos),
    "tan": _nan_at_infinity(math.tan),
    "asin": _nan_outside_domain(math.asin),
    "acos": _nan_outside_domain(math.acos),
    "atan": math.atan,
    "tanh": math.tanh,
    "sigmoid": sigmoid,
    "Φ": normal_below,
    "φ": normal_density,
}
"""The functions that formulas call, by name."""

FLOATS: Final = _Floats(FLOAT_FUNCTIONS)


# Complex numbers

LARGEST_MULTIPLIED_EXPONENT: Final = 100.0
"""Up to this integer exponent Python multiplies; beyond it takes a logarithm, with a branch cut."""


@cache
def complex_function(letters: tuple[str, ...], text: str) -> Callable[..., complex] | None:
    """Return a formula as a function of these letters; None if it calls a real one, as Φ."""
    calls = [node for node in ast.walk(parse_formula(text)) if isinstance(node, ast.Call)]
    all_complex = all(ast.unparse(call.func) in COMPLEX.names for call in calls)
    return COMPLEX.function(letters, text) if all_complex else None


def complex_power(a: complex, b: complex) -> complex:
    """Return a to the power b; ValueError where exp(b · log a) is on or near the branch cut."""
    is_multiplied = (
        b.imag == 0.0 and b.real == round(b.real) and abs(b.real) <= LARGEST_MULTIPLIED_EXPONENT
    )
    if a.real <= 0.0 and not is_multiplied:
        raise ValueError("beside the cut of the power")
    return a**b


def complex_sigmoid(a: complex) -> complex:
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


def _zero(_a: complex) -> complex:
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
        return call_tree("pow", node.left, node.right) if is_power else node


_IN_CMATH = ("exp", "log", "sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "tanh")

COMPLEX: Final = _ComplexNumbers(
    {
        **{name: getattr(cmath, name) for name in _IN_CMATH},
        "pow": complex_power,
        "log1p": _log1p,
        "expm1": _expm1,
        "abs": _abs,
        "sign": _zero,
        "floor": _zero,
        "sigmoid": complex_sigmoid,
    }
)
