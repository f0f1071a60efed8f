"""Ripples: how far a small change of an input moves a node, found by running it forward twice.

>>> from engine import from_expression
>>> from engine.trace import run
>>> trace = run(from_expression("y = a*b", {"a": 2, "b": -3}))
>>> local_ripple(trace, (3, 0))
Ripple(change=0.01, effect=-0.03)
"""

import math
from typing import Final

from msgspec import Struct

from engine.graph import Wire
from engine.numbers import DIGITS_SHOWN, Digits, short
from engine.problems import arguments, true_local
from engine.trace import Trace

CHANGES: Final = (0.01, 0.1, 1.0, 0.001)
"""Changes to choose from, the best first: at 1 the effect is the slope itself, at 0.001 it has few
digits."""
_DIGITS: Final = 13
"""Significant digits of the larger value that are trusted: the rest is rounding."""


class Ripple(Struct, frozen=True):
    """A change of one input, and by how much the node changes with it."""

    change: float
    effect: float

    @property
    def ratio(self) -> float:
        """The effect for a change of 1."""
        return self.effect / self.change


def local_ripple(trace: Trace, wire: Wire, digits: Digits = DIGITS_SHOWN) -> Ripple | None:
    """Return a change of the input of one slot at which effect ÷ change is the slope as displayed.

    None where no change of CHANGES does: at a kink, a pole, for curved functions, or where the same
    node fills two slots and can't be changed in one alone.
    """
    target, slot = wire
    graph = trace.graph
    source = graph.source(wire)
    if list(graph.inputs(target)).count(source) > 1:
        return None
    op, inputs = graph.op(target), list(arguments(graph, target, trace.values))
    slope = true_local(graph, wire, trace.values)
    for change in CHANGES:
        moved = [x + change if k == slot else x for k, x in enumerate(inputs)]
        effect = _difference(op.forward(*moved), trace.values[target])
        ripple = Ripple(change, effect)
        if math.isfinite(effect) and short(ripple.ratio, digits) == short(slope, digits):
            return ripple
    return None


def _difference(moved: float, at: float) -> float:
    """Return a difference, rounded to the digits that the larger of both leaves it."""
    difference = moved - at
    if not math.isfinite(difference) or difference == 0:
        return difference
    scale = max(abs(moved), abs(at))
    return round(difference, _DIGITS - math.ceil(math.log10(scale)))
