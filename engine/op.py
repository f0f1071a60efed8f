"""Op: one operation, its forward rule and one partial derivative per slot."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.filling import bracketed

Rule = Callable[..., float]
"""A forward rule takes the inputs; a partial takes the inputs and then the output."""


def nowhere(*_inputs: float) -> bool:
    """The kinks of an operation that is smooth, and the mask of one that has none."""
    return False


def every_slot(*_slot_and_inputs: float) -> bool:
    """The mask of an operation that masks wherever its local derivative is 0."""
    return True


def one_piece(*_inputs: float) -> float:
    """The piece of an operation that is made of one formula."""
    return 0.0


@dataclass(frozen=True, slots=True)
class Op:
    """One operation of the graph.

    `forward(*inputs)` gives the value, `partials[slot](*inputs, value)` the local derivative
    along that slot; both follow PyTorch's float64 results and never raise. `formula` and
    `slopes` are their text for the screen, written with the letters of `slots`; the `latex_`
    texts say the same for export. `kink(*inputs)` tells whether these inputs sit on a kink,
    where `convention` says which slope is used; `unwritten(slot, *inputs)` tells where else the
    partial follows that convention because the text of the slope has no value or another one.
    `piece(*inputs)` numbers the smooth piece in which the inputs lie. `masks(slot, *inputs)`
    tells whether PyTorch, where the local derivative is 0, sends 0 whatever arrives instead of a
    product with it. `words` are what people also call it.
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
    piece: Callable[..., float] = one_piece
    masks: Callable[..., bool] = nowhere

    def __post_init__(self) -> None:
        if not len(self.slots) == len(self.partials) == len(self.slopes) == len(self.latex_slopes):
            raise ValueError(f"{self.name} needs one partial and one slope per slot")

    def __repr__(self) -> str:
        return f"Op({self.name})"

    def by_convention(self, slot: int, *inputs: float) -> bool:
        """Whether a convention, and not the text of the slope, gives the number along a slot."""
        return self.kink(*inputs) or self.unwritten(slot, *inputs)

    def filled(self, text: str, fillers: Sequence[str]) -> str:
        """One of the op's texts with numbers or names in place of its slots' letters.

        What would be taken apart there, such as a sign or a sum, stands in brackets.

        >>> from engine.ops import BY_NAME
        >>> BY_NAME["mul"].filled("a × b", ("2", "−3"))
        '2 × (−3)'
        """
        written = dict(zip(self.slots, fillers, strict=True))
        letters = "|".join(self.slots)
        return re.sub(
            rf"(?<![A-Za-z_\\])({letters})(?![A-Za-z_])",
            lambda found: bracketed(written[found[1]], text[: found.start()], text[found.end() :]),
            text,
        )
