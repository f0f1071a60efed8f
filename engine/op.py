"""Op: one operation, its forward rule and one partial derivative per slot."""

from collections.abc import Callable
from dataclasses import dataclass

Rule = Callable[..., float]
"""A forward rule takes the inputs; a partial takes the inputs and then the output."""


def nowhere(*_inputs: float) -> bool:
    """The kinks of an operation that is smooth everywhere."""
    return False


@dataclass(frozen=True, slots=True)
class Op:
    """One operation of the graph.

    `forward(*inputs)` gives the value, `partials[slot](*inputs, value)` the local derivative
    along that slot; both follow PyTorch's float64 results and never raise. `formula` and
    `slopes` are their text for the screen, written with the letters of `slots`; the `latex_`
    texts say the same for export. `kink(*inputs)` tells whether these inputs sit on a kink,
    where `convention` says which slope is used. `words` are what people also call it.
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

    def __post_init__(self) -> None:
        if not len(self.slots) == len(self.partials) == len(self.slopes) == len(self.latex_slopes):
            raise ValueError(f"{self.name} needs one partial and one slope per slot")

    def __repr__(self) -> str:
        return f"Op({self.name})"
