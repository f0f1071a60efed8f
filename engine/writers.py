r"""Writers: compilers from a formula of an operation to functions and to notation.

A row of `engine.ops` holds formulas such as `a * b`, and its local derivatives `b` and `a`: Python
expressions of the letters of the slots, `out` for the value, and functions such as `exp`. A
`Writer` rewrites the operators of a formula that its numbers lack, or that mean something else,
such as `/` and `**`; its instance binds the names of the functions. (`engine.compiled.arrays` is
the writer for NumPy arrays.)

>>> formula = "a ** 3 if a > 0 else -a"
>>> FLOATS.write(formula)
'pow(a, 3.0) if a > 0.0 else -a'
>>> COMPLEX.write(formula)
'pow(a, 3) if a.real > 0 else -a'
>>> on_screen(formula)
'a^3 if a > 0, else −a'

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

>>> square = complex_function(("a",), "a * a")
>>> square(3 + 1e-30j).imag / 1e-30  # f(x) = x², f'(3) = 6
6.0

**Notation** is a formula as mathematics, on the screen and in LaTeX. The syntax tree is typeset
after three rewritings: `out` is replaced by the formula of the value, x · x by x², and
(1 − x) · (1 + x) by 1 − x².

>>> on_screen("(1 - out) * (1 + out)", "tanh(a)"), latex("(1 - out) * (1 + out)", "tanh(a)")
('1 − tanh(a)²', '1 - \\tanh^2(a)')

An operand that is substituted for a letter is bracketed if an operator beside it binds tighter than
the operand's own weakest one: `x + y` for b in `2 × b`.

>>> bracketed("x + y", "2 × ", "")
'(x + y)'

Only here and in `engine.compiled` is text executed as code. It is the text of the operation table,
or one that `engine.own` has made of letters, numbers and the table's names, never that of a file or
a text box. JavaScript is written for pages and run by browsers.
"""

import ast
import cmath
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final

from engine.numbers import ABOUT, HOLE_BEGINS, HOLE_ENDS


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

    def __init__(self, names: dict[str, Any]) -> None:
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
        # eval is safe: the text is from the operation table or `engine.own`, never from a user
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
        divisors = {ast.unparse(node.right) for node in _divisions(text) if not self.is_safe(node)}
        divisor = divisors.pop() if len(divisors) == 1 else ""
        if not divisor.isidentifier():
            return checked
        # the test of the only divisor is faster than the call: a / b if b else div(a, b)
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


def _divisions(text: str) -> Iterator[ast.BinOp]:
    for node in ast.walk(parse_formula(text)):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            yield node


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


# Python without our functions

# functions of x that `math` lacks, or that it has under another name
_PLAIN_FORMULAS = {
    "abs": "math.fabs(x)",
    "floor": "float(math.floor(x))",
    "sign": "float((x > 0) - (x < 0))",
    # as σ(x) = e^min(x, 0) / (1 + e^−|x|): neither exponent is above 0, so nothing overflows
    "sigmoid": "math.exp(min(x, 0)) / (1 + math.exp(-math.fabs(x)))",
    "Φ": "(1 + math.erf(x / math.sqrt(2))) / 2",
    "φ": "math.exp(-x * x / 2) / math.sqrt(2 * math.pi)",
}


class Substitution(ast.NodeTransformer):
    """Replaces letters by trees, but not the name of a function."""

    def __init__(self, trees: Mapping[str, ast.expr]) -> None:
        self._trees = trees

    def visit_Call(self, node: ast.Call) -> ast.expr:
        return ast.Call(node.func, [self.visit(part) for part in node.args], [])

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._trees.get(node.id, node)


class _PlainPython(Writer):
    """Writes formulas of operations with `math` alone."""

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        name = ast.unparse(node.func)
        if name in self.names:
            return ast.Call(parse_formula(self.names[name]), node.args, [])
        plain = parse_formula(_PLAIN_FORMULAS.get(name, f"math.{name}(x)"))
        return Substitution({"x": node.args[0]}).visit(plain)


PLAIN_PYTHON: Final = _PlainPython({})
"""Its names are lambda texts, of the operations that are not one function of `math`."""


# JavaScript

# precedence, from weakest to strongest, of the operators that formulas have
_JS_CHOICE, _JS_OR, _JS_AND, _JS_COMPARISON, _JS_SUM, _JS_PRODUCT, _JS_SIGN, _JS_ATOM = range(8)
_JS_SIGNS: Final[dict[type[ast.AST], tuple[str, int]]] = {
    ast.Or: (" || ", _JS_OR),
    ast.And: (" && ", _JS_AND),
    ast.Add: (" + ", _JS_SUM),
    ast.Sub: (" - ", _JS_SUM),
    ast.Mult: (" * ", _JS_PRODUCT),
    ast.Div: (" / ", _JS_PRODUCT),
    ast.Lt: (" < ", _JS_COMPARISON),
    ast.LtE: (" <= ", _JS_COMPARISON),
    ast.Gt: (" > ", _JS_COMPARISON),
    ast.GtE: (" >= ", _JS_COMPARISON),
    ast.Eq: (" === ", _JS_COMPARISON),
    ast.NotEq: (" !== ", _JS_COMPARISON),
}
_JS_NAMES: Final = {"Φ": "normalBelow", "φ": "normalDensity"}


class _JavaScript(Writer):
    """Writes formulas for the script of a page, which has `resources/page/functions.js`.

    >>> JAVASCRIPT.write("b * a ** (b - 1) if b else 0"), JAVASCRIPT.write("-(out / b)")
    ('b !== 0 ? b * pow(a, b - 1) : 0', '-(out / b)')
    """

    def write(self, text: str) -> str:
        """Return the source text of a formula; arithmetic is that of IEEE 754 as it stands."""
        return self._written(parse_formula(text))[0]

    def arrow(self, letters: Sequence[str], text: str) -> str:
        """Return a formula as an arrow function of these letters."""
        return f"({', '.join(letters)}) => {self.write(text)}"

    def _written(self, node: ast.expr) -> tuple[str, int]:
        """Return the text of a tree and the precedence of its weakest operator."""
        match node:
            case ast.Constant():
                return repr(constant_number(node)), _JS_ATOM
            case ast.Name(id=name):
                return name, _JS_ATOM
            case ast.Call(func=ast.Name(id=name), args=parts):
                arguments = ", ".join(self._written(part)[0] for part in parts)
                function = f"({self.names[name]})" if name in self.names else name
                return f"{_JS_NAMES.get(name, function)}({arguments})", _JS_ATOM
            case ast.UnaryOp(op=ast.USub(), operand=part):
                return f"-{self._inside(part, _JS_ATOM)}", _JS_SIGN
            case ast.BinOp(op=ast.Pow(), left=a, right=b):
                return self._written(call_tree("pow", a, b))
            case ast.IfExp(test=test, body=body, orelse=orelse):
                # a number is true unless it is 0: nan is true in Python alone
                is_number = isinstance(test, ast.Name)
                condition = f"{test.id} !== 0" if is_number else self._inside(test, _JS_OR)
                chosen = self._inside(body, _JS_OR), self._written(orelse)[0]
                return f"{condition} ? {chosen[0]} : {chosen[1]}", _JS_CHOICE
            case _:
                return self._joined(node)

    def _joined(self, node: ast.expr) -> tuple[str, int]:
        """Return the text and the precedence of operands with an operator between them."""
        match node:
            case ast.BinOp(op=op, left=a, right=b):
                sign, level = _JS_SIGNS[type(op)]
                return f"{self._inside(a, level)}{sign}{self._inside(b, level + 1)}", level
            case ast.Compare(left=a, ops=[op], comparators=[b]):
                sign, level = _JS_SIGNS[type(op)]
                return f"{self._inside(a, _JS_SUM)}{sign}{self._inside(b, _JS_SUM)}", level
            case ast.BoolOp(op=op, values=parts):
                sign, level = _JS_SIGNS[type(op)]
                return sign.join(self._inside(part, level + 1) for part in parts), level
            case _:
                raise ValueError(ast.dump(node))

    def _inside(self, node: ast.expr, least: int) -> str:
        """Return the text of an operand, in brackets if it binds more loosely than `least`."""
        text, level = self._written(node)
        return text if level >= least else f"({text})"


JAVASCRIPT: Final = _JavaScript({})
"""Its names are arrow functions to be called, of the operations that functions.js lacks."""


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
        sides: list[ast.expr] = [
            side if isinstance(side, ast.Constant) else ast.Attribute(side, "real")
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


# Notation

_NUMBER = re.compile(r"[−+-]?(\d+(\.\d*)?|inf|nan)(e[−-]?\d+)?")
_SIGNS = ("−", "-", "+")
# precedence, from weakest to strongest; a text has that of its weakest operator outside brackets
_NO_OPERATOR, _LIST, _ROUNDING, _COMPARISON, _SUM, _PRODUCT, _POWER, _ATOM = range(8)
_PRECEDENCE = {
    ",": _LIST,
    "≈": _ROUNDING,
    **dict.fromkeys("=<>≠≤≥", _COMPARISON),
    **dict.fromkeys("+−-", _SUM),
    **dict.fromkeys("*×·÷/", _PRODUCT),
    **dict.fromkeys("^²√", _POWER),
}
_NOT_ASSOCIATIVE = ("−", "-", "÷", "/", "^", "²", "√")
"""Operators that are not associative: on their right, equal precedence needs brackets too."""


def bracketed(filler: str, before: str, after: str) -> str:
    """Return an operand between two texts: in brackets if an operator beside it binds tighter.

    >>> bracketed("−3", "", " ^ 2"), bracketed("x + y", "2 × ", ""), bracketed("−3", "log(", ")")
    ('(−3)', '(x + y)', '−3')
    """
    if filler.startswith(f"{HOLE_BEGINS}N"):
        return filler  # a name that needs none
    if filler.endswith(HOLE_ENDS):
        signs = (("−3", "("), (f"{ABOUT}3", "["))
        marks = [mark for each, mark in signs if bracketed(each, before, after) != each]
        return f"{filler[:-1]}{''.join(marks)}{HOLE_ENDS}"
    left, right = before.rstrip()[-1:], after.lstrip()[:1]
    outer = max(_precedence_beside(left), _precedence_beside(right))
    inner = _weakest_precedence(filler)
    # −3 needs brackets after an operator, 2 − (−3), and before a power, (−3)²
    has_open_sign = filler.startswith(_SIGNS) and (
        _precedence_beside(left) >= _SUM or _precedence_beside(right) >= _POWER
    )
    equal_signs = [sign for sign in (left, right) if _precedence_beside(sign) == inner]
    # in (a ^ b) ^ c both sides need them; in (a + b) + c neither, in a − (b + c) the right one
    is_ambiguous = inner in (_LIST, _POWER) and bool(equal_signs)
    is_ambiguous = is_ambiguous or (left in _NOT_ASSOCIATIVE and left in equal_signs)
    return f"({filler})" if has_open_sign or inner < outer or is_ambiguous else filler


def needs_no_brackets(filler: str) -> bool:
    """Whether a text needs no brackets beside any operator.

    >>> needs_no_brackets("x1"), needs_no_brackets("log(x + y)"), needs_no_brackets("x + y")
    (True, True, False)
    """
    return not filler.startswith(_SIGNS) and _weakest_precedence(filler) == _ATOM


def _precedence_beside(sign: str) -> int:
    """The precedence of the character beside an operand."""
    if sign.isalpha():  # the end or the beginning of a word, as of `if`
        return _COMPARISON
    return _PRECEDENCE.get(sign, _NO_OPERATOR)


def _weakest_precedence(filler: str) -> int:
    """The precedence of the weakest operator of a text outside brackets."""
    if _NUMBER.fullmatch(filler):
        return _ATOM
    weakest, depth = _ATOM, 0
    for k, character in enumerate(filler):
        depth += (character in "([{") - (character in ")]}")
        if depth < 0:  # no formula, as `a) + (b`: it needs brackets beside anything
            return _LIST
        if depth == 0 and not (k == 0 and character in _SIGNS):
            weakest = min(weakest, _PRECEDENCE.get(character, _ATOM))
    if re.search(r"\b(if|else)\b", filler):
        weakest = min(weakest, _LIST)
    return weakest if depth == 0 else _LIST


# Typesetting a formula


def on_screen(text: str, out: str = "out") -> str:
    """Return the notation of captions and sentences; `out` is the formula of the value."""
    return _Screen().visit(_simplified_tree(text, out))


def latex(text: str, out: str = "out") -> str:
    """Return the LaTeX of a formula; `out` is the formula of the value."""
    return _Latex().visit(_simplified_tree(text, out))


def _simplified_tree(text: str, out: str) -> ast.expr:
    return _Rewriter(parse_formula(out)).visit(parse_formula(text))


class _Rewriter(ast.NodeTransformer):
    """Replaces `out` by the formula of the value, and products by squares."""

    def __init__(self, out: ast.expr) -> None:
        self._out = out

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._out if node.id == "out" else node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """Write x · x as x², and (1 − x) · (1 + x) as 1 − x²."""
        self.generic_visit(node)
        left, right = node.left, node.right
        if not isinstance(node.op, ast.Mult):
            return node
        if ast.dump(left) == ast.dump(right):
            return ast.BinOp(left, ast.Pow(), ast.Constant(2))
        if (
            isinstance(left, ast.BinOp)
            and isinstance(right, ast.BinOp)
            and (isinstance(left.op, ast.Sub) and isinstance(right.op, ast.Add))
            and ast.dump(left.left) == ast.dump(right.left) == ast.dump(ast.Constant(1))
            and ast.dump(left.right) == ast.dump(right.right)
        ):
            return ast.BinOp(
                left.left, ast.Sub(), ast.BinOp(left.right, ast.Pow(), ast.Constant(2))
            )
        return node


def _is_square(node: ast.BinOp) -> bool:
    return isinstance(node.op, ast.Pow) and ast.dump(node.right) == ast.dump(ast.Constant(2))


class _Screen(ast.NodeVisitor):
    """Typesets a tree with Unicode signs; `bracketed` adds brackets by precedence."""

    _SIGNS: Final[dict[type[ast.operator | ast.cmpop], str]] = {
        ast.Add: " + ",
        ast.Sub: " − ",
        ast.Mult: " · ",
        ast.Div: " ÷ ",
        ast.Pow: "^",
        ast.Gt: " > ",
        ast.Lt: " < ",
        ast.LtE: " ≤ ",
    }

    def visit_Name(self, node: ast.Name) -> str:
        return node.id

    def visit_Constant(self, node: ast.Constant) -> str:
        return "½" if constant_number(node) == 0.5 else f"{node.value}"

    def visit_UnaryOp(self, node: ast.UnaryOp) -> str:
        return f"−{bracketed(self.visit(node.operand), '−', '')}"

    def visit_BinOp(self, node: ast.BinOp) -> str:
        left, right = self.visit(node.left), self.visit(node.right)
        if _is_square(node):
            return f"{bracketed(left, '', '²')}²"
        sign = self._SIGNS[type(node.op)]
        if isinstance(node.op, ast.Div) and isinstance(node.left, ast.BinOp):
            left = f"({left})"  # (a ÷ b) ÷ b is easier to read than a ÷ b ÷ b
        return f"{bracketed(left, '', sign)}{sign}{bracketed(right, sign, '')}"

    def visit_Compare(self, node: ast.Compare) -> str:
        if isinstance(node.ops[0], ast.Eq):  # only a tie is tested so: ½ if equal
            return "equal"
        sign = self._SIGNS[type(node.ops[0])]
        return f"{self.visit(node.left)}{sign}{self.visit(node.comparators[0])}"

    def visit_IfExp(self, node: ast.IfExp) -> str:
        parts: list[str] = []
        rest: ast.expr = node
        while isinstance(rest, ast.IfExp):
            parts.append(f"{self.visit(rest.body)} if {self.visit(rest.test)}")
            rest = rest.orelse
        return f"{', '.join(parts)}, else {self.visit(rest)}"

    def visit_Call(self, node: ast.Call) -> str:
        arguments = [self.visit(argument) for argument in node.args]
        name, first = self.visit(node.func), arguments[0]
        if name == "sqrt":
            return f"√{bracketed(first, '√', '')}"
        if name == "abs":
            return f"|{first}|"
        return f"log(1 + {first})" if name == "log1p" else f"{name}({', '.join(arguments)})"


class _Latex(ast.NodeVisitor):
    """Typesets a tree in LaTeX, where fractions, roots and exponents need no brackets."""

    _SIGNS: Final[dict[type[ast.cmpop], str]] = {
        ast.Gt: ">",
        ast.Lt: "<",
        ast.LtE: r"\le",
        ast.Eq: "=",
    }
    _CALLS: Final = {
        "exp": r"\mathrm{{e}}^{{{}}}",
        "log": r"\ln({})",
        "log1p": r"\ln(1 + {})",
        "sqrt": r"\sqrt{{{}}}",
        "abs": r"\left|{}\right|",
        "floor": r"\lfloor {} \rfloor",
        "asin": r"\arcsin({})",
        "acos": r"\arccos({})",
        "atan": r"\arctan({})",
        "sigmoid": r"\sigma({})",
        "Φ": r"\Phi({})",
        "φ": r"\varphi({})",
        **{name: rf"\{name}({{}})" for name in ("sin", "cos", "tan", "tanh", "max", "min")},
    }
    _OWN_SPACE: Final = (r"\ln", r"\sqrt")
    """Commands before which LaTeX adds the space of a product itself."""

    def visit_Name(self, node: ast.Name) -> str:
        return node.id

    def visit_Constant(self, node: ast.Constant) -> str:
        return r"\tfrac{1}{2}" if constant_number(node) == 0.5 else f"{node.value}"

    def visit_UnaryOp(self, node: ast.UnaryOp) -> str:
        return f"-{self.visit(node.operand)}"

    def visit_BinOp(self, node: ast.BinOp) -> str:
        left, right = self.visit(node.left), self.visit(node.right)
        if isinstance(node.op, ast.Div):
            sign, left = ("-", left[1:]) if left.startswith("-") else ("", left)
            return rf"{sign}\frac{{{left}}}{{{right}}}"
        if _is_square(node):
            name, bracket, inside = left.partition("(")  # tan²(a), but a²
            return f"{name}^2{bracket}{inside}"
        if isinstance(node.op, ast.Pow):
            return f"{left}^{{{right}}}"
        if isinstance(node.op, ast.Mult):
            left, right = (
                f"({text})" if isinstance(part, ast.BinOp) and _is_sum(part) else text
                for part, text in ((node.left, left), (node.right, right))
            )
            return f"{left} {right}" if right.startswith(self._OWN_SPACE) else rf"{left} \, {right}"
        return f"{left} {'+' if isinstance(node.op, ast.Add) else '-'} {right}"

    def visit_Compare(self, node: ast.Compare) -> str:
        sign = self._SIGNS[type(node.ops[0])]
        return f"{self.visit(node.left)} {sign} {self.visit(node.comparators[0])}"

    def visit_IfExp(self, node: ast.IfExp) -> str:
        rows: list[str] = []
        rest: ast.expr = node
        while isinstance(rest, ast.IfExp):
            rows.append(f"{self.visit(rest.body)} & {self.visit(rest.test)}")
            rest = rest.orelse
        rows.append(rf"{self.visit(rest)} & \text{{else}}")
        cases = r" \\ ".join(rows)
        return rf"\begin{{cases}} {cases} \end{{cases}}"

    def visit_Call(self, node: ast.Call) -> str:
        name = self.visit(node.func)
        operator = rf"\operatorname{{{name.replace('_', chr(92) + '_')}}}"
        inside = ", ".join(self.visit(argument) for argument in node.args)
        return self._CALLS[name].format(inside) if name in self._CALLS else f"{operator}({inside})"


def _is_sum(node: ast.BinOp) -> bool:
    return isinstance(node.op, ast.Add | ast.Sub)
