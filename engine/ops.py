"""Operations: the formulas of the value and of the local derivatives, and the table of all.

An operation has a slot for each operand. The local derivative along a slot is the derivative of the
operation's value by that operand: for a * b it is b along the first slot and a along the second.

Each formula is written once, as a Python expression. `engine.writers` compiles it to functions of
floats, arrays and complex numbers, and typesets it for captions and LaTeX.

>>> mul = Op("mul", "×", "Arithmetic", ("a", "b"), "a * b", ("b", "a"), description="a times b")
>>> out = mul.forward(2.0, 3.0)
>>> out, mul.partials[0](2.0, 3.0, out), mul.partials[1](2.0, 3.0, out)  # at a = 2 and b = 3
(6.0, 3.0, 2.0)
>>> mul.filled(mul.formula, ("2", "−3"))
'2 · (−3)'

A row of the table starts with name, symbol, family and slots; then come the formulas of the value
and of the local derivative along each slot.

>>> value = TANH.forward(0.5)
>>> round(value, 4), round(TANH.partials[0](0.5, value), 4)
(0.4621, 0.7864)
>>> DIV.forward(1.0, 2.0), DIV.partials[1](1.0, 2.0, 0.5)  # ∂(a/b)/∂b = −a/b²
(0.5, -0.25)
>>> MAXIMUM.forward(2.0, 3.0), [partial(2.0, 3.0, 3.0) for partial in MAXIMUM.partials]
(3.0, [0.0, 1.0])
>>> [op.name for op in search("power")]
['pow']

A slope in terms of `out` reuses the value: the slope of tanh costs no second tanh. Where a formula
is written for accuracy or for nan, `usual_value` and `usual_derivatives` are what textbooks write.
Where a function is piecewise, the comparison is written so that nan takes PyTorch's branch: for
nan, `a <= 0` is false and `not a > 0` true. `zero_blocks_nonfinite=always`: PyTorch sends 0 where
the slope is 0, even if the gradient that comes is infinite or nan.
"""

import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property, partial
from string import ascii_letters
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from engine.numbers import FieldNumber, holds, term
from engine.writers import (
    COMPLEX,
    FLOATS,
    JAVASCRIPT,
    PLAIN_PYTHON,
    bracketed,
    complex_function,
    latex,
    on_screen,
)

Bracketing = Callable[[str, str, str], str]
"""Brackets an operand where the texts before and after it require that, as `bracketed` does."""

Rule = Callable[..., float]
"""A compiled formula. A forward rule takes the inputs, a partial the inputs and then the value.

(`engine.rules.Rules` is something else: the algorithm of a whole backward pass.)
"""

Pattern: TypeAlias = "str | float | tuple[Pattern, ...]"
"""A slot's letter, a constant, or (operation, *patterns); equal operations become one node."""

_LETTER = re.compile("[a-z]")


def _at(text: str, slots: Sequence[str], inputs: Sequence[float]) -> str:
    """Return a condition of the table with inputs in place of its letters."""
    terms = dict(zip(slots, map(term, inputs), strict=True))
    return re.sub(r"\b[a-z]\b", lambda found: terms.get(found[0], found[0]), text)


def never(*_inputs: float) -> bool:
    """Return False: the predicate of an operation without such inputs."""
    return False


def always(*_slot_and_inputs: float) -> bool:
    """Return True: the predicate that holds for all inputs."""
    return True


class Use(Struct, frozen=True):
    """One use of an operation in a program: inputs, value, and the slope along each input."""

    inputs: tuple[float, ...]
    value: float
    slopes: tuple[float, ...]


class Op(Struct, frozen=True, dict=True):
    """One operation of the graph.

    **Formulas.** `value` and `derivatives`, the local derivative along each slot, are expressions
    in the letters of `slots`; `derivatives` may also use `out`, the value. Their float64 results
    are those of PyTorch.

    **Presentation.** `symbol` is its sign on a node, `family` its group in the palette,
    `description` its definition in words, `synonyms` are found by the search, `domain` is the set
    of inputs with a value, `infix` the Python operator, if any. `usual_value` and
    `usual_derivatives` are the usual notation where the formulas are written for accuracy. `spoken`
    is what a screen reader says for it, `short` what fits on a tile, if its name doesn't,
    `micrograd` its `_op` there, if it is neither, `torch` its call in PyTorch, in which {} are the
    operands, if that is not torch.name. If it `commutes`, its slots need no letters; `expansion`
    are the simpler operations that it unfolds into.

    **Special inputs**; most operations have none. Conditions are expressions in the letters, too.
    `kink_at`: the function has no unique slope here; `convention` names the one used, as for relu
    at 0. Compiled it is `kink(*inputs)`.
    `singular_slot`: where the number in this slot is 0, the function or its slope goes to infinity.
    `undefined_at`, for each slot: the formula of the slope is undefined here, or differs from the
    slope used. For `0 ^ 2` the formula `a^b · log(a)` is 0 × −∞. Compiled it is
    `formula_undefined(slot, *inputs)`.
    `zero_blocks_nonfinite(slot, *inputs)`: where the local derivative is 0, PyTorch's contribution
    is 0 even if the upstream gradient is infinite or nan, although the product is nan.

    **Frozen** is an operation of a program that nothing here names. It has no formulas but `uses`,
    those in the program; with other inputs its value is nan, and `knows` is false.

    **Of one's own** is an operation made by `engine.own`: `typed` is its formula as it was typed,
    `rule` the backward rule that the learner wrote for it, which may be wrong.

    **Derived** from the formulas when first read: `forward(*inputs)` and `partials[slot](*inputs,
    value)`, which never raise; `formula` and `slopes` for the screen, `latex` and `latex_slopes`.
    `python` are value and local derivatives in Python with `math` alone, whose functions raise an
    error where ours give inf or nan; `javascript` is an array of both for a page. `custom_formula`,
    `custom_slopes`, `custom_latex`, `custom_latex_slopes` and `custom_python` replace derived
    notation.
    """

    name: str
    symbol: str
    family: str
    slots: tuple[str, ...]
    value: str
    derivatives: tuple[str, ...]
    description: str
    synonyms: tuple[str, ...] = ()
    infix: str = ""
    commutes: bool = False
    spoken: str = ""
    short: str = ""
    micrograd: str = ""
    torch: str = ""
    expansion: Pattern = ()
    domain: str = "every number"
    usual_value: str = ""
    usual_derivatives: tuple[str, ...] = ()
    kink_at: str = ""
    convention: str = ""
    singular_slot: int | None = None
    undefined_at: tuple[str, ...] = ()
    zero_blocks_nonfinite: Callable[..., bool] = never
    custom_formula: str = ""
    custom_slopes: tuple[str, ...] = ()
    custom_latex: str = ""
    custom_latex_slopes: tuple[str, ...] = ()
    custom_python: tuple[str, ...] = ()
    uses: tuple[Use, ...] = ()
    typed: str = ""
    rule: str = ""

    def __post_init__(self) -> None:
        if not len(self.slots) == len(self.derivatives) == len(self._displayed_derivatives):
            raise ValueError(f"{self.name} needs one derivative per slot")

    @cached_property
    def forward(self) -> Rule:
        """The function of the inputs that returns the value."""
        if self.uses:
            return lambda *inputs: row.value if (row := self._rows.get(repr(inputs))) else math.nan
        return FLOATS.function(self.slots, self.value)

    @cached_property
    def partials(self) -> tuple[Rule, ...]:
        """The local derivative along each slot, a function of the inputs and the value."""
        if self.uses:
            return tuple(partial(self._seen_slope, slot) for slot in range(len(self.slots)))
        letters = (*self.slots, "out")
        return tuple(FLOATS.function(letters, text) for text in self.derivatives)

    @cached_property
    def python(self) -> tuple[str, ...]:
        """The texts of the value and of each local derivative in Python with `math` alone."""
        texts = (self.value, *self.derivatives)
        return self.custom_python or tuple(PLAIN_PYTHON.write(text) for text in texts)

    @cached_property
    def kink(self) -> Callable[..., bool]:
        """The predicate of inputs at which the function has no unique slope."""
        return FLOATS.function(self.slots, self.kink_at) if self.kink_at else never

    @cached_property
    def _undefined(self) -> tuple[Callable[..., bool], ...]:
        return tuple(FLOATS.function(self.slots, text) for text in self.undefined_at)

    def formula_undefined(self, slot: int, *inputs: float) -> bool:
        """Return whether the formula of a slope is not used at these inputs."""
        return bool(self._undefined) and self._undefined[slot](*inputs)

    @cached_property
    def javascript(self) -> str:
        """The functions of value and local derivatives as an array of JavaScript."""
        texts = [(self.slots, self.value)]
        texts += [((*self.slots, "out"), text) for text in self.derivatives]
        return f"[{', '.join(JAVASCRIPT.arrow(letters, text) for letters, text in texts)}]"

    @property
    def javascript_conventions(self) -> str:
        """The predicates of `by_convention` for each slot as an array of JavaScript; "" if none."""
        undefined = self.undefined_at or ("",) * len(self.slots)
        texts = [" or ".join(f"({text})" for text in (self.kink_at, u) if text) for u in undefined]
        arrows = [JAVASCRIPT.arrow(self.slots, text or "1 < 0") for text in texts]
        return f"[{', '.join(arrows)}]" if any(texts) else ""

    @cached_property
    def has_constant_slopes(self) -> bool:
        """Whether no local derivative depends on the inputs."""
        return not any(map(_LETTER.search, self.derivatives))

    @cached_property
    def formula(self) -> str:
        """The notation of the value on the screen."""
        return self.custom_formula or on_screen(self.usual_value or self.value)

    @cached_property
    def slopes(self) -> tuple[str, ...]:
        """The notation of the local derivatives on the screen."""
        return self.custom_slopes or tuple(
            on_screen(text, self.usual_value or self.value) for text in self._displayed_derivatives
        )

    @cached_property
    def latex(self) -> str:
        """The LaTeX of the value."""
        return self.custom_latex or latex(self.usual_value or self.value)

    @cached_property
    def latex_slopes(self) -> tuple[str, ...]:
        """The LaTeX of the local derivatives."""
        return self.custom_latex_slopes or tuple(
            latex(text, self.usual_value or self.value) for text in self._displayed_derivatives
        )

    @property
    def _displayed_derivatives(self) -> tuple[str, ...]:
        return self.usual_derivatives or self.derivatives

    def __repr__(self) -> str:
        return f"Op({self.name})"

    def knows(self, *inputs: float) -> bool:
        """Return whether the operation has a value here: false for a frozen one elsewhere."""
        return not self.uses or repr(inputs) in self._rows

    @cached_property
    def _rows(self) -> dict[str, Use]:
        """The uses by their inputs as text, in which nan equals nan."""
        return {repr(row.inputs): row for row in self.uses}

    def _seen_slope(self, slot: int, *inputs_and_value: float) -> float:
        row = self._rows.get(repr(inputs_and_value[:-1]))
        return math.nan if row is None else row.slopes[slot]

    def by_convention(self, slot: int, *inputs: float) -> bool:
        """Return whether a convention sets the local derivative along a slot, not its formula."""
        if any(isinstance(x, FieldNumber) for x in inputs):
            texts = filter(None, (self.kink_at, *self.undefined_at[slot : slot + 1]))
            return any(holds(_at(text, self.slots, inputs)) for text in texts)
        return self.kink(*inputs) or self.formula_undefined(slot, *inputs)

    def is_kink(self, *inputs: float) -> bool:
        """Return whether the function has no unique slope at these inputs, also at fields."""
        if text := self.kink_text(inputs):
            return holds(text)
        return self.kink(*inputs)

    def kink_text(self, inputs: Sequence[float]) -> str:
        """Return the condition for a kink at these inputs; "" for none, or without fields."""
        of_fields = any(isinstance(x, FieldNumber) for x in inputs) and self.kink_at
        return f"({_at(self.kink_at, self.slots, inputs)})" if of_fields else ""

    def filled(self, text: str, fillers: Sequence[str], bracket: Bracketing = bracketed) -> str:
        """Substitute numbers or names for the letters of the slots in one of the op's texts.

        An operand that binds more loosely than its surroundings, such as a negative number or a
        sum, is bracketed; `bracket` replaces the rule for brackets, as for LaTeX.

        >>> from engine.ops import BY_NAME
        >>> BY_NAME["mul"].filled("a × b", ("2", "−3"))
        '2 × (−3)'
        """
        operands = dict(zip(self.slots, fillers, strict=True))
        letters = "|".join(self.slots)
        # a letter by itself, not one of a word or of a LaTeX command
        return re.sub(
            rf"(?<![A-Za-z_\\])({letters})(?![A-Za-z_])",
            lambda found: bracket(operands[found[1]], text[: found.start()], text[found.end() :]),
            text,
        )


MOST_SLOTS = 20
"""Maximum number of inputs of a frozen operation."""


def frozen(name: str, symbol: str, uses: tuple[Use, ...]) -> Op:
    """Return an operation of a program, as it was used there.

    >>> bend = frozen("bend", "bend", (Use((2.0,), 1.5, (0.25,)),))
    >>> bend.forward(2.0), bend.partials[0](2.0, 1.5), bend.forward(3.0), bend.formula
    (1.5, 0.25, nan, 'bend(a)')
    """
    letters = [letter for letter in ascii_letters if letter not in name]
    slots = tuple(letters[: len(uses[0].inputs)])
    inputs = f"({', '.join(slots)})"
    word = name.replace("_", r"\_")
    return Op(
        *(name, symbol, "Frozen", slots, "nan", ("nan",) * len(slots)),
        description="an operation of the program, without a formula here",
        domain="the numbers that it met in the program",
        custom_formula=name + inputs,
        custom_slopes=("measured",) * len(slots),
        custom_latex="".join((r"\operatorname{", word, "}", inputs)),
        custom_latex_slopes=(r"\text{measured}",) * len(slots),
        uses=uses,
    )


def in_order_of_use(operations: Iterable[Op], wanted: Collection[str] | None = None) -> list[Op]:
    """Return operations so that each comes after those it uses; the `wanted` ones, or all."""
    by_name = {op.name: op for op in operations}
    order: dict[str, Op] = {}

    def place(name: str) -> None:
        if name in by_name and name not in order:
            for used in sorted(names_in(by_name[name].expansion)):
                place(used)
            order[name] = by_name[name]

    for name in sorted(by_name if wanted is None else wanted):
        place(name)
    return [*order.values()]


def names_in(pattern: Pattern) -> set[str]:
    """Return the operations that a pattern is made of."""
    if not isinstance(pattern, tuple) or not pattern:
        return set()
    return {str(pattern[0])}.union(*map(names_in, pattern[1:]))


def renamed(op: Op, names: Mapping[str, str]) -> Op:
    """Return a frozen operation or one of one's own under another name, also of those it uses."""

    def again(text: str) -> str:
        return re.sub(r"[^\W\d]\w*", lambda word: names.get(word[0], word[0]), text)

    def in_pattern(part: Pattern) -> Pattern:
        if not isinstance(part, tuple) or not part:
            return part
        return (names.get(str(part[0]), str(part[0])), *map(in_pattern, part[1:]))

    name = names.get(op.name, op.name)
    if op.uses:
        return frozen(name, op.symbol, op.uses)
    return replace(
        op,
        name=name,
        symbol=name,
        description=again(op.description),
        usual_value=again(op.usual_value),
        usual_derivatives=tuple(map(again, op.usual_derivatives)),
        expansion=in_pattern(op.expansion),
        typed=again(op.typed),
    )


def same_operations(mine: Sequence[Op], theirs: Sequence[Op]) -> bool:
    """Return whether two graphs have equal frozen operations; nan equals nan."""
    return _written(mine) == _written(theirs)


def _written(operations: Sequence[Op]) -> list[tuple[str, str, str]]:
    return [(op.name, op.symbol, repr((op.uses, op.typed, op.rule))) for op in operations]


# Arithmetic

_NEGATIVE: Pattern = ("mul", "a", -1.0)
_EXP_2A: Pattern = ("exp", ("mul", "a", 2.0))
_SIGMOID: Pattern = ("pow", ("add", 1.0, ("exp", _NEGATIVE)), -1.0)


def _zero_exponent(slot: int, _a: float, b: float) -> bool:
    return slot == 0 and b == 0.0


ADD = Op(
    *("add", "+", "Arithmetic", ("a", "b"), "a + b", ("1", "1")),
    description="the sum of two numbers",
    synonyms=("plus", "sum", "total", "+"),
    infix="+",
    commutes=True,
    spoken="plus",
)

SUB = Op(
    *("sub", "−", "Arithmetic", ("a", "b"), "a - b", ("1", "-1")),
    description="the first number less the second",
    synonyms=("minus", "subtract", "difference", "-"),
    infix="-",
    spoken="minus",
    expansion=("add", "a", ("mul", "b", -1.0)),
)

MUL = Op(
    *("mul", "×", "Arithmetic", ("a", "b"), "a * b", ("b", "a")),
    description="the product of two numbers",
    synonyms=("times", "product", "multiply", "*"),
    infix="*",
    custom_formula="a × b",
    custom_latex=r"a \cdot b",
    commutes=True,
    spoken="times",
)

# −a/b² is −out/b: one division less, and no overflow of b²
DIV = Op(
    *("div", "÷", "Arithmetic", ("a", "b"), "a / b", ("1 / b", "-(out / b)")),
    description="the first number over the second",
    synonyms=("divide", "over", "quotient", "fraction", "/"),
    infix="/",
    domain="b ≠ 0",
    custom_latex_slopes=(r"\frac{1}{b}", r"-\frac{a}{b^2}"),
    spoken="divided by",
    singular_slot=1,
    expansion=("mul", "a", ("pow", "b", -1.0)),
)

# ∂(aᵇ)/∂a = b · aᵇ⁻¹, and as aᵇ is exp(b · log a), ∂(aᵇ)/∂b = aᵇ · log a
POW = Op(
    *("pow", "xʸ", "Arithmetic", ("a", "b"), "a ** b"),
    ("b * a ** (b - 1) if b else 0", "0 if a == 0 and b >= 0 else out * log(a)"),
    description="the first number to the power of the second",
    synonyms=("power", "exponent", "**", "^"),
    infix="**",
    domain="a > 0, or whole b",
    kink_at="a == 0 and b == 0",
    convention="0 to the 0 is 1. Where a rule of xʸ has no value, the slope 0 is used.",
    # b · a^(b − 1) or a^b · log(a) gives 0 × ∞ or nan where the slope is 0
    undefined_at=("b == 0 and (a == 0 or a != a)", "a == 0 and b >= 0"),
    zero_blocks_nonfinite=_zero_exponent,
    usual_derivatives=("b * a ** (b - 1)", "out * log(a)"),
    custom_formula="a ^ b",
    # 0 along b where `math.log` would raise an error
    custom_python=("a ** b", "b * a ** (b - 1) if b else 0", "out * math.log(a) if a > 0 else 0"),
    spoken="to the power of",
    singular_slot=0,
    expansion=("exp", ("mul", "b", ("log", "a"))),
)

NEG = Op(
    *("neg", "−x", "Arithmetic", ("a",), "-a", ("-1",)),
    description="the number with the other sign",
    synonyms=("negative", "negate", "minus", "opposite", "-"),
    spoken="negative",
    expansion=_NEGATIVE,
)


# Functions of one number


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
    singular_slot=0,
)

# log(1 + a) would lose the digits of a small a in the sum
LOG1P = Op(
    *("log1p", "log1p", "Functions", ("a",), "log1p(a)", ("1 / (1 + a)",)),
    description="the logarithm of 1 + the number, exact near 0",
    synonyms=("ln(1+x)", "log(1+x)"),
    domain="a > −1",
    expansion=("log", ("add", 1.0, "a")),
)

SQRT = Op(
    *("sqrt", "sqrt", "Functions", ("a",), "sqrt(a)", ("0.5 / out",)),
    usual_derivatives=("1 / (2 * out)",),
    description="the number whose square this is",
    synonyms=("square root", "root", "√"),
    domain="a ≥ 0",
    singular_slot=0,
    expansion=("pow", "a", 0.5),
)

SQUARE = Op(
    *("square", "square", "Functions", ("a",), "a * a", ("2 * a",)),
    description="the number times itself",
    synonyms=("x²", "**2", "^2", "squared", "sqr"),
    custom_latex=r"a^{2}",
    expansion=("mul", "a", "a"),
)

ABS = Op(
    *("abs", "abs", "Functions", ("a",), "abs(a)", ("sign(a)",)),
    description="the number without its sign",
    synonyms=("absolute", "magnitude", "|x|", "modulus"),
    kink_at="a == 0",
    convention="abs has no slope at 0; the convention 0 is used.",
)

SIGN = Op(
    *("sign", "sign", "Functions", ("a",), "sign(a)", ("0",)),
    description="−1, 0 or 1",
    synonyms=("signum", "sgn", "step"),
    kink_at="a == 0",
    convention="sign jumps at 0; the slope 0 is used.",
    zero_blocks_nonfinite=always,
)

FLOOR = Op(
    *("floor", "floor", "Functions", ("a",), "floor(a)", ("0",)),
    description="the next whole number below",
    synonyms=("round down", "integer", "whole", "step"),
    kink_at="a - a == 0 and a == floor(a)",
    convention="floor jumps at whole numbers; the slope 0 is used.",
    zero_blocks_nonfinite=always,
)


# Trigonometry: angles are in radians

SIN = Op(
    *("sin", "sin", "Trigonometry", ("a",), "sin(a)", ("cos(a)",)),
    description="the sine of an angle in radians",
    synonyms=("sine", "wave"),
    domain="every finite number",
)

COS = Op(
    *("cos", "cos", "Trigonometry", ("a",), "cos(a)", ("-sin(a)",)),
    description="the cosine of an angle in radians",
    synonyms=("cosine", "wave"),
    domain="every finite number",
)

# the quotient rule: (sin / cos)' = (cos² + sin²) / cos² = 1 + tan²
TAN = Op(
    *("tan", "tan", "Trigonometry", ("a",), "tan(a)", ("1 + out * out",)),
    description="the tangent of an angle in radians",
    synonyms=("tangent",),
    domain="a ≠ π/2 + k · π",
    expansion=("mul", ("sin", "a"), ("pow", ("cos", "a"), -1.0)),
)

# The slope of an inverse function is 1 over the slope of the function at the result:
# asin'(a) = 1 / cos(asin(a)). The sine and cosine of asin(a) are the sides a and √(1 − a²) of a
# right triangle with the hypotenuse 1. (1 − a) · (1 + a) is 1 − a² with all its digits near ±1.

ASIN = Op(
    *("asin", "asin", "Trigonometry", ("a",), "asin(a)", ("1 / sqrt((1 - a) * (1 + a))",)),
    description="the angle with this sine",
    synonyms=("arcsin", "arc sine", "inverse sine"),
    domain="−1 ≤ a ≤ 1",
)

ACOS = Op(
    *("acos", "acos", "Trigonometry", ("a",), "acos(a)", ("-1 / sqrt((1 - a) * (1 + a))",)),
    description="the angle with this cosine",
    synonyms=("arccos", "arc cosine", "inverse cosine"),
    domain="−1 ≤ a ≤ 1",
)

ATAN = Op(
    *("atan", "atan", "Trigonometry", ("a",), "atan(a)", ("1 / (1 + a * a)",)),
    description="the angle with this tangent",
    synonyms=("arctan", "arc tangent", "inverse tangent"),
)


# Activations: the nonlinear operations of a network. The formulas are those of the PyTorch
# documentation of `torch.nn`; the comments name the papers.

LEAK = 0.01
"""The slope of leaky_relu below 0: PyTorch's default `negative_slope`."""

THRESHOLD = 20.0
"""Above this, softplus(a) is a, as in PyTorch: the difference log(1 + e⁻ᵃ) is below 2.1e-9."""


# 1 − tanh² as (1 − out) · (1 + out) keeps its digits where out is near ±1
TANH = Op(
    *("tanh", "tanh", "Activations", ("a",), "tanh(a)", ("(1 - out) * (1 + out)",)),
    description="squashes to between −1 and 1",
    synonyms=("hyperbolic tangent", "squash"),
    expansion=("mul", ("add", _EXP_2A, -1.0), ("pow", ("add", _EXP_2A, 1.0), -1.0)),
)

# σ(a) = 1 / (1 + e⁻ᵃ), so σ' = e⁻ᵃ / (1 + e⁻ᵃ)² = σ · (1 − σ)
SIGMOID = Op(
    *("sigmoid", "sigmoid", "Activations", ("a",), "sigmoid(a)", ("out * (1 - out)",)),
    description="squashes to between 0 and 1",
    synonyms=("logistic", "squash", "σ"),
    expansion=_SIGMOID,
)

# Nair and Hinton 2010; the slope at the kink is chosen as 0, as micrograd and PyTorch do
RELU = Op(
    *("relu", "relu", "Activations", ("a",)),
    value="0 if a < 0 else a",
    derivatives=("0 if out <= 0 else 1",),
    usual_value="relu(a)",
    usual_derivatives=("0 if a <= 0 else 1",),
    description="keeps what is positive, else 0",
    synonyms=("rectifier", "max0", "ramp", "rectified linear"),
    kink_at="a == 0",
    convention="relu has no slope at 0; the convention 0 is used.",
    zero_blocks_nonfinite=always,
    micrograd="ReLU",
    expansion=("where_gt0", "a", "a", 0.0),
)

# Maas, Hannun and Ng 2013
LEAKY_RELU = Op(
    *("leaky_relu", "leaky_relu", "Activations", ("a",)),
    value=f"a if a > 0 else {LEAK} * a",
    derivatives=(f"1 if out > 0 else {LEAK}",),
    usual_value="leaky_relu(a)",
    usual_derivatives=(f"1 if a > 0 else {LEAK}",),
    description="keeps what is positive, else a hundredth",
    synonyms=("leaky rectifier", "lrelu"),
    kink_at="a == 0",
    convention="leaky_relu has no slope at 0; the convention 0.01 is used.",
    short="leaky",
    torch="torch.nn.functional.leaky_relu({})",
    expansion=("where_gt0", "a", "a", ("mul", "a", LEAK)),
)

# Clevert, Unterthiner and Hochreiter 2016, with α = 1; expm1 keeps the digits of eᵃ − 1 near 0
ELU = Op(
    *("elu", "elu", "Activations", ("a",)),
    value="expm1(a) if a <= 0 else a",
    derivatives=("exp(a) if a <= 0 else 1",),
    usual_value="elu(a)",
    description="keeps what is positive, else bends to −1",
    synonyms=("exponential linear",),
    torch="torch.nn.functional.elu({})",
    expansion=("where_gt0", "a", "a", ("add", ("exp", "a"), -1.0)),
)

# d log(1 + eᵃ) / da = eᵃ / (1 + eᵃ), which is sigmoid(a)
SOFTPLUS = Op(
    *("softplus", "softplus", "Activations", ("a",)),
    value=f"a if a > {THRESHOLD} else log1p(exp(a))",
    derivatives=(f"1 if a > {THRESHOLD} else exp(a) / (1 + exp(a))",),
    usual_value="softplus(a)",
    usual_derivatives=("sigmoid(a)",),
    description="a smooth relu, log(1 + exp(a))",
    synonyms=("smooth relu", "log(1+exp(x))"),
    kink_at=f"a == {THRESHOLD}",
    convention="Above 20, softplus(a) is taken to be a itself.",
    undefined_at=(f"a > {THRESHOLD}",),
    torch="torch.nn.functional.softplus({})",
    expansion=("where_gt0", ("add", "a", -THRESHOLD), "a", ("log", ("add", 1.0, ("exp", "a")))),
)

# Elfwing, Uchibe and Doya 2018.
# The product rule, with σ' = σ · (1 − σ): (a · σ)' = σ + a · σ · (1 − σ)
SILU = Op(
    *("silu", "silu", "Activations", ("a",), "a * sigmoid(a)"),
    ("sigmoid(a) * (1 + a * (1 - sigmoid(a)))",),
    description="the number times its sigmoid",
    synonyms=("swish",),
    torch="torch.nn.functional.silu({})",
    expansion=("mul", "a", _SIGMOID),
)

# Hendrycks and Gimpel 2016.
# Φ(a) is the probability that a standard normal variable is below a, its slope φ the bell curve;
# the product rule gives (a · Φ)' = Φ + a · φ
GELU = Op(
    *("gelu", "gelu", "Activations", ("a",), "a * Φ(a)", ("Φ(a) + a * φ(a)",)),
    description="the number times the chance that a normal one is below it",
    synonyms=("gaussian error linear", "erf"),
    torch="torch.nn.functional.gelu({})",
)


# Choices: the value is one of the inputs, and only that input gets a gradient


MAXIMUM = Op(
    *("maximum", "maximum", "Choices", ("a", "b")),
    value="a if a >= b or a != a else b",  # a nan is passed on, as in PyTorch
    derivatives=("0 if a < b else 0.5 if a == b else 1", "0 if b < a else 0.5 if a == b else 1"),
    usual_value="max(a, b)",
    description="the larger of two numbers",
    synonyms=("max", "larger", "greatest"),
    kink_at="a == b",
    convention="maximum has no slope at a tie; each side gets ½.",
    zero_blocks_nonfinite=always,
    commutes=True,
    short="max",
)

MINIMUM = Op(
    *("minimum", "minimum", "Choices", ("a", "b")),
    value="a if a <= b or a != a else b",
    derivatives=("0 if a > b else 0.5 if a == b else 1", "0 if b > a else 0.5 if a == b else 1"),
    usual_value="min(a, b)",
    description="the smaller of two numbers",
    synonyms=("min", "smaller", "least"),
    kink_at="a == b",
    convention="minimum has no slope at a tie; each side gets ½.",
    zero_blocks_nonfinite=always,
    commutes=True,
    short="min",
)

WHERE_GT0 = Op(
    *("where_gt0", "where_gt0", "Choices", ("c", "x", "y"), "x if c > 0 else y"),
    ("0", "1 if c > 0 else 0", "0 if c > 0 else 1"),
    description="x where c is positive, else y",
    synonyms=("if", "choose", "select", "condition", "where"),
    kink_at="c == 0",
    convention="where_gt0 switches where c is 0; y is taken and c gets the slope 0.",
    zero_blocks_nonfinite=always,
    short="where",
    torch="torch.where({} > 0, {}, {})",
)


OPS: tuple[Op, ...] = (
    *(ADD, SUB, MUL, DIV, POW, NEG),
    *(EXP, LOG, LOG1P, SQRT, SQUARE, ABS, SIGN, FLOOR),
    *(SIN, COS, TAN, ASIN, ACOS, ATAN),
    *(TANH, SIGMOID, RELU, LEAKY_RELU, ELU, SOFTPLUS, SILU, GELU),
    *(MAXIMUM, MINIMUM, WHERE_GT0),
)

BY_NAME: dict[str, Op] = {op.name: op for op in OPS}

# a formula of one's own calls operations that are no function in the formulas of the table
for _op in OPS:
    if _op.name not in FLOATS.names:
        FLOATS.names[_op.name] = _op.forward
        JAVASCRIPT.names[_op.name] = JAVASCRIPT.arrow(_op.slots, _op.value)
        PLAIN_PYTHON.names[_op.name] = f"lambda {', '.join(_op.slots)}: {_op.python[0]}"
        if (_function := complex_function(_op.slots, _op.value)) is not None:
            COMPLEX.names[_op.name] = _function

_SPELLINGS = {
    word: name
    for name, words in {
        "add": "plus +", "sub": "minus subtract -", "mul": "times multiply * ×",
        "div": "truediv divide / ÷", "pow": "power ** ^", "neg": "negative", "log": "ln",
        "tan": "tg", "asin": "arcsin", "acos": "arccos", "atan": "arctan",
        "sigmoid": "sigma logistic expit σ", "leaky_relu": "leakyrelu lrelu", "silu": "swish",
        "maximum": "max", "minimum": "min",
    }.items()
    for word in words.split()
}  # fmt: skip
"""Other names of operations, as formulas, LaTeX, libraries and programs write them."""

FAMILIES: tuple[str, ...] = tuple(dict.fromkeys(op.family for op in OPS))


def meant(name: str) -> str:
    """Return the operation that a name such as `ln`, `ReLU` or `**` means, or "".

    >>> meant("ReLU"), meant("max"), meant("x")
    ('relu', 'maximum', '')
    """
    for spelling in (name, name.lower()):
        found = _SPELLINGS.get(spelling, spelling)
        if found in BY_NAME:
            return found
    return ""


def search(text: str) -> list[Op]:
    """Return the operations that match a name, symbol or synonym, or a part of one, best first."""
    wanted = text.strip().casefold()
    ranked = [(_rank(op, wanted), op) for op in OPS]
    return [op for rank, op in sorted(ranked, key=lambda pair: pair[0]) if rank < _MISS]


_MISS = 4
"""The rank of an operation that does not match, behind the four kinds of matches."""


def _rank(op: Op, wanted: str) -> int:
    """Return the rank of a match: name or symbol, synonym, prefix, substring, none."""
    own = (op.name, op.symbol.casefold())
    words = (*own, *(word.casefold() for word in op.synonyms))
    if wanted in own:
        return 0
    if wanted in words:
        return 1
    if any(word.startswith(wanted) for word in words):
        return 2
    return 3 if any(wanted in word for word in words) else _MISS
