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


def nowhere(*_inputs: float) -> bool:
    """Stands for a `kink`, an `unwritten` or a `masks` of an operation that has none."""
    return False


def every_slot(*_slot_and_inputs: float) -> bool:
    """The mask of an operation that masks wherever its local derivative is 0."""
    return True


@dataclass(frozen=True, slots=True)
class Op:
    """One operation of the graph.

    `value` is its rule and `derivatives` hold the local derivative along each slot, as texts of the
    letters of `slots` and of `out`, the value itself. `forward(*inputs)` and
    `partials[slot](*inputs, value)` compute them; they follow PyTorch's float64 results and never
    raise. `formula` and `slopes` are the texts for the screen, the `latex_` texts the same for
    export. Where people write a rule otherwise than it is computed best, these are written from
    `shown` and `shown_derivatives`. `infix` is the operator in Python, if there is one; `domain`
    says where the operation has a value. `words` are what people also call it.

    The fields from `kink` on are about special inputs; most operations have none of them.
    `kink(*inputs)` tells whether these inputs sit on a kink, where `convention` says which slope
    is used, as for relu at 0. `unwritten(slot, *inputs)` tells where else the partial follows
    that convention because the text of the slope has no value or another one: for `0 ^ 2` the
    text `a^b · log(a)` is 0 × −∞. `masks(slot, *inputs)` tells whether PyTorch, where the local
    derivative is 0, sends 0 even if what arrives is infinite or nan, and the product with it would
    be nan.
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
    kink: Callable[..., bool] = nowhere
    convention: str = ""
    unwritten: Callable[..., bool] = nowhere
    masks: Callable[..., bool] = nowhere
    shown: str = ""
    shown_derivatives: tuple[str, ...] = ()
    formula: str = ""
    slopes: tuple[str, ...] = ()
    latex: str = ""
    latex_slopes: tuple[str, ...] = ()
    forward: Rule = nowhere
    partials: tuple[Rule, ...] = ()

    def __post_init__(self) -> None:
        """Write and compile what the row leaves to the writers."""
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
        return self.kink(*inputs) or self.unwritten(slot, *inputs)

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
