"""Op: one operation, as the formulas of its value and of its local derivatives.

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
"""

import re
from collections.abc import Callable, Sequence
from functools import cached_property

from msgspec import Struct

from engine.writers.functions import FLOATS
from engine.writers.notation import bracketed, latex, on_screen

Bracketing = Callable[[str, str, str], str]
"""Brackets an operand where the texts before and after it require that, as `bracketed` does."""

Rule = Callable[..., float]
"""A compiled formula. A forward rule takes the inputs, a partial the inputs and then the value.

(`engine.rules.Rules` is something else: the algorithm of a whole backward pass.)
"""


def never(*_inputs: float) -> bool:
    """Return False: the predicate of an operation without such inputs."""
    return False


def always(*_slot_and_inputs: float) -> bool:
    """Return True: the predicate that holds for all inputs."""
    return True


class Op(Struct, frozen=True, dict=True):
    """One operation of the graph.

    **Formulas.** `value` and `derivatives`, the local derivative along each slot, are expressions
    in the letters of `slots`; `derivatives` may also use `out`, the value. Their float64 results
    are those of PyTorch.

    **Presentation.** `symbol` is its sign on a node, `family` its group in the palette,
    `description` its definition in words, `synonyms` are found by the search, `domain` is the set
    of inputs with a value, `infix` the Python operator, if any. `usual_value` and
    `usual_derivatives` are the usual notation where the formulas are written for accuracy.

    **Special inputs**; most operations have none.
    `kink(*inputs)`: the function has no unique slope here; `convention` names the one used, as for
    relu at 0.
    `formula_undefined(slot, *inputs)`: the formula of the slope is undefined here, or differs from
    the slope used. For `0 ^ 2` the formula `a^b · log(a)` is 0 × −∞.
    `zero_blocks_nonfinite(slot, *inputs)`: where the local derivative is 0, PyTorch's contribution
    is 0 even if the upstream gradient is infinite or nan, although the product is nan.

    **Derived** from the formulas when first read: `forward(*inputs)` and `partials[slot](*inputs,
    value)`, which never raise; `formula` and `slopes` for the screen, `latex` and `latex_slopes`.
    `custom_formula`, `custom_latex` and `custom_latex_slopes` replace derived notation.
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
    domain: str = "every number"
    usual_value: str = ""
    usual_derivatives: tuple[str, ...] = ()
    kink: Callable[..., bool] = never
    convention: str = ""
    formula_undefined: Callable[..., bool] = never
    zero_blocks_nonfinite: Callable[..., bool] = never
    custom_formula: str = ""
    custom_latex: str = ""
    custom_latex_slopes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not len(self.slots) == len(self.derivatives) == len(self._displayed_derivatives):
            raise ValueError(f"{self.name} needs one derivative per slot")

    @cached_property
    def forward(self) -> Rule:
        """The function of the inputs that returns the value."""
        return FLOATS.function(self.slots, self.value)

    @cached_property
    def partials(self) -> tuple[Rule, ...]:
        """The local derivative along each slot, a function of the inputs and the value."""
        letters = (*self.slots, "out")
        return tuple(FLOATS.function(letters, text) for text in self.derivatives)

    @cached_property
    def formula(self) -> str:
        """The notation of the value on the screen."""
        return self.custom_formula or on_screen(self.usual_value or self.value)

    @cached_property
    def slopes(self) -> tuple[str, ...]:
        """The notation of the local derivatives on the screen."""
        return tuple(
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

    def by_convention(self, slot: int, *inputs: float) -> bool:
        """Return whether a convention sets the local derivative along a slot, not its formula."""
        return self.kink(*inputs) or self.formula_undefined(slot, *inputs)

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
