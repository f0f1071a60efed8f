"""Op: one operation, its forward rule and one partial derivative per slot.

>>> mul = Op(
...     name="mul", symbol="×", family="Arithmetic", slots=("a", "b"), says="a times b",
...     forward=lambda a, b: a * b,
...     partials=(lambda a, b, value: b, lambda a, b, value: a),  # ∂(ab)/∂a = b, ∂(ab)/∂b = a
...     formula="a × b", slopes=("b", "a"), latex="a b", latex_slopes=("b", "a"),
... )
>>> value = mul.forward(2.0, 3.0)
>>> value, mul.partials[0](2.0, 3.0, value), mul.filled(mul.formula, ("2", "−3"))
(6.0, 3.0, '2 × (−3)')
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.filling import bracketed

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

    `forward(*inputs)` gives the value, `partials[slot](*inputs, value)` the local derivative
    along that slot; both follow PyTorch's float64 results and never raise. `formula` and
    `slopes` are their text for the screen, written with the letters of `slots`; the `latex_`
    texts say the same for export. `infix` is the operator in Python, if there is one; `domain`
    says where the operation has a value. `words` are what people also call it.

    The last fields are about special inputs; most operations have none of them.
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
    forward: Rule
    partials: tuple[Rule, ...]
    formula: str
    slopes: tuple[str, ...]
    latex: str
    latex_slopes: tuple[str, ...]
    says: str
    words: tuple[str, ...] = ()
    infix: str = ""
    domain: str = "every number"
    kink: Callable[..., bool] = nowhere
    convention: str = ""
    unwritten: Callable[..., bool] = nowhere
    masks: Callable[..., bool] = nowhere

    def __post_init__(self) -> None:
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
