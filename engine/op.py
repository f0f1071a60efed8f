"""Op: one operation, a row of texts for its value and for its local derivative along each slot.

The texts are the only rule: functions of floats, arrays and complex numbers are made from them, and
so is what captions, LaTeX and Source show.

>>> mul = Op("mul", "×", "Arithmetic", ("a", "b"), "a * b", ("b", "a"), says="a times b")
>>> value = mul.forward(2.0, 3.0)
>>> value, mul.partials[0](2.0, 3.0, value), mul.filled(mul.formula, ("2", "−3"))
(6.0, 3.0, '2 · (−3)')
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.filling import bracketed
from engine.writers.floats import FLOATS
from engine.writers.notation import latex, on_screen

Fit = Callable[[str, str, str], str]
"""Gives a text as it may stand between two others, as `bracketed` does."""

Rule = Callable[..., float]
"""A forward rule takes the inputs; a partial takes the inputs and then the output.

How a whole backward pass is done is another thing: that is a `Rules` of `engine.rules`.
"""


def never(*_inputs: float) -> bool:
    """A condition of special inputs that no input of the operation meets."""
    return False


def always(*_slot_and_inputs: float) -> bool:
    """A condition of special inputs that all inputs meet."""
    return True


@dataclass(frozen=True, slots=True)
class Op:
    """One operation of the graph.

    **The rule.** `value` and `derivatives`, the local derivative along each slot, are texts of the
    letters of `slots` and of `out`, the value itself. They follow PyTorch's float64 results.

    **What people read.** `domain` says where the operation has a value, `words` what people also
    call it, `infix` which operator of Python it is, if any. Where people write the rule otherwise
    than it is computed best, `shown` and `shown_derivatives` hold it as they write it.

    **Special inputs**; most operations have none. `kink(*inputs)` is whether they are on a kink,
    where `convention` says which slope is used, as for relu at 0. `formula_undefined(slot,
    *inputs)` is whether the slope follows that convention because its formula has no value or
    another one: for `0 ^ 2` the formula `a^b · log(a)` is 0 × −∞. `zero_blocks_nonfinite(slot,
    *inputs)` is whether PyTorch, where the local derivative is 0, sends 0 even if the upstream
    gradient is infinite or nan, and the product with it would be nan.

    **Written from the rule**, where the row does not give them: `forward(*inputs)` and
    `partials[slot](*inputs, value)`, which never raise; `formula` and `slopes` for the screen, and
    `latex` and `latex_slopes`.
    """

    name: str
    symbol: str
    family: str
    slots: tuple[str, ...]
    value: str
    derivatives: tuple[str, ...]
    says: str
    words: tuple[str, ...] = ()
    infix: str = ""
    domain: str = "every number"
    shown: str = ""
    shown_derivatives: tuple[str, ...] = ()
    kink: Callable[..., bool] = never
    convention: str = ""
    formula_undefined: Callable[..., bool] = never
    zero_blocks_nonfinite: Callable[..., bool] = never
    formula: str = ""
    slopes: tuple[str, ...] = ()
    latex: str = ""
    latex_slopes: tuple[str, ...] = ()
    forward: Rule = never
    partials: tuple[Rule, ...] = ()

    def __post_init__(self) -> None:
        """Let the writers write what the row does not give."""
        value, slopes = self.shown or self.value, self.shown_derivatives or self.derivatives
        given = (*self.slots, "out")
        made: dict[str, object] = {
            "formula": self.formula or on_screen(value),
            "slopes": self.slopes or tuple(on_screen(text, value) for text in slopes),
            "latex": self.latex or latex(value),
            "latex_slopes": self.latex_slopes or tuple(latex(text, value) for text in slopes),
            "forward": FLOATS.function(self.slots, self.value),
            "partials": self.partials
            or tuple(FLOATS.function(given, text) for text in self.derivatives),
        }
        for name, part in made.items():
            object.__setattr__(self, name, part)
        if not len(self.slots) == len(self.partials) == len(self.slopes) == len(self.latex_slopes):
            raise ValueError(f"{self.name} needs one partial and one slope per slot")

    def __repr__(self) -> str:
        return f"Op({self.name})"

    def by_convention(self, slot: int, *inputs: float) -> bool:
        """Whether a convention, and not the text of the slope, gives the number along a slot."""
        return self.kink(*inputs) or self.formula_undefined(slot, *inputs)

    def filled(self, text: str, fillers: Sequence[str], fit: Fit = bracketed) -> str:
        """One of the op's texts with numbers or names in place of its slots' letters.

        What would be taken apart there, such as a sign or a sum, stands in brackets; `fit` is
        given for a language in which brackets are written in another way.

        >>> from engine.ops import BY_NAME
        >>> BY_NAME["mul"].filled("a × b", ("2", "−3"))
        '2 × (−3)'
        """
        written = dict(zip(self.slots, fillers, strict=True))
        letters = "|".join(self.slots)
        return re.sub(
            rf"(?<![A-Za-z_\\])({letters})(?![A-Za-z_])",
            lambda found: fit(written[found[1]], text[: found.start()], text[found.end() :]),
            text,
        )
