"""Nudges: how the root answers when one number is moved, as difference quotients and as a curve.

A quotient is computed as the lessons do it, from two passes forward, so it has all their rounding;
`remark` says why it is not the gradient itself, and whether it proves anything of it.

>>> from engine import from_expression
>>> from engine.trace import run
>>> trace = run(from_expression("L = (a*b + c)*f", {"a": 2, "b": -3, "c": 10, "f": -2}))
>>> b = trace.graph.node_named("b")
>>> quotient(trace, b, 0.001, "forward").value  # the gradient of b is −4
-3.9999999999995595
"""

import math
from collections.abc import Sequence
from typing import Final, Literal

from msgspec import Struct

from engine.errors import EngineError
from engine.graph import OpNode, Root
from engine.numbers import full, short, tolerable
from engine.op import Op, never
from engine.problems import arguments
from engine.trace import Trace

Method = Literal["forward", "central"]

STEP: Final = 0.001
"""How far a number is moved unless said otherwise, as in the lessons."""
HALVINGS, STAYS = 50, 2.0**-20
"""How often a step is halved to find a kink or jump, and the share of the change over the whole
step that is left if there is one: without, all but about 2⁻⁵⁰ is gone."""

Doubt = Literal["", "not finite", "h too small", "kink", "h too large"]
"""Why a quotient proves nothing of a gradient; "" where it does."""


class Quotient(Struct, frozen=True):
    """A difference quotient: the root's value above and below, their distance, and the slope.

    `moves` are how far the number was moved for it: h, or h and −h.
    """

    above: float
    below: float
    apart: float
    value: float
    moves: tuple[float, ...]


class Remark(Struct, frozen=True):
    """Why a quotient is not the gradient, as one sentence, and whether it proves nothing of it."""

    sentence: str = ""
    doubt: Doubt = ""


def quotient(trace: Trace, node: int, h: float = STEP, method: Method = "forward") -> Quotient:
    """Return (root(x + h) − root(x)) ÷ h, or for central (root(x + h) − root(x − h)) ÷ 2h.

    Raises EngineError for a step that is 0 or no number.
    """
    if not math.isfinite(h) or h == 0:
        raise EngineError("A nudge is a number other than 0, such as 0.001.")
    here = trace.values[node]
    above = root_value(trace, node, here + h)
    if method == "forward":
        below, apart, moves = trace.values[trace.root], h, (h,)
    else:
        below, apart, moves = root_value(trace, node, here - h), 2.0 * h, (h, -h)
    return Quotient(above, below, apart, (above - below) / apart, moves)


def root_value(trace: Trace, node: int, value: float) -> float:
    """Return the root's value if a node had another one, leaf or not."""
    return _moved(trace, node, value)[trace.root]


def curve(
    trace: Trace, node: int, low: float, high: float, points: int = 201
) -> list[tuple[float, float]]:
    """Return the root's value over a range of a node's, at evenly spaced places."""
    step = (high - low) / (points - 1)
    places = (low + k * step for k in range(points))
    return [(x, root_value(trace, node, x)) for x in places]


def remark(
    trace: Trace, node: int, found: Quotient, gradient: float, slope: float | None = None
) -> Remark:
    """Return why a quotient is not the gradient, and whether it proves nothing of it.

    `slope` is the true one of a gradient that is wrong, else None. A quotient proves nothing of a
    right gradient if it is off by more than a tenth of that, nor of a wrong one that is no farther
    from the slope than the quotient.
    """
    root, apart = trace.graph.brief(trace.root), abs(found.value - gradient)
    if not (math.isfinite(found.value) and math.isfinite(gradient)):
        return Remark(_not_finite(trace, node, found), "not finite")
    noise = rounding(trace, node, found)
    curved = apart if slope is None else abs(found.value - slope)
    hidden = slope is not None and noise + curved >= abs(slope - gradient)
    if not noise <= tolerable(gradient) or (hidden and noise >= curved):  # it may be nan
        return Remark(_too_small(root, found, gradient), "h too small")
    breaks = (_break_between(trace, node, move) for move in found.moves) if curved > noise else ()
    if said := next((each for each in breaks if each), ""):
        return Remark(f"The step goes over a {said} at once.", "kink")
    if hidden or (slope is None and apart > tolerable(gradient)):
        said = f"h is too large: the secant over it is not the tangent of {root}."
        return Remark(f"{said} A smaller h is closer.", "h too large")
    if not apart:
        return Remark()
    if curved <= noise:
        return Remark("The difference is rounding: the last digits of two values were subtracted.")
    said = "The secant over h is not yet the tangent"
    return Remark(f"{said}: {root} is curved. A smaller h is closer.")


def _too_small(root: str, found: Quotient, gradient: float) -> str:
    numbers = f"{short(found.value, 3)} and {short(gradient, 3)}"
    said = f"h is too small. {root} changes in its last digits only"
    return f"{said}, so {numbers} say nothing about each other."


def _not_finite(trace: Trace, node: int, found: Quotient) -> str:
    """Say which of the values of a quotient is no finite number, if one is."""
    root, name = trace.graph.brief(trace.root), trace.graph.brief(node)
    places = {f"{name} + h": found.above}
    if len(found.moves) > 1:
        places[f"{name} − h"] = found.below
    at = next((place for place, value in places.items() if not math.isfinite(value)), None)
    if at is None or not math.isfinite(trace.values[trace.root]):
        return "The quotient or the gradient is infinite or nan: they can't be compared."
    return f"{root} is {full(places[at])} at {at}, so there is no quotient to compare."


def rounding(trace: Trace, node: int, found: Quotient) -> float:
    """Return a bound on the rounding error of a quotient; it may be infinite or nan.

    The value that is moved is rounded to half a float, and each operation on it adds one float.
    """
    here = trace.values[node]
    at = [here + move for move in found.moves] + ([here] if len(found.moves) == 1 else [])
    return sum(_error_of_root(trace, node, x) for x in at) / abs(found.apart)


def _moved(trace: Trace, node: int, value: float) -> dict[int, float]:
    """Return the values of a node and all that depend on it, if it had another value."""
    graph = trace.graph
    if node not in trace.values or isinstance(graph.nodes[node], Root):
        raise EngineError("Only a number that is computed or given can be nudged.")
    values = {**trace.values, node: value}
    changed = {node}
    for other in graph.plan(trace.root).order:
        found = graph.nodes[other]
        if other != node and isinstance(found, OpNode) and not changed.isdisjoint(found.inputs):
            values[other] = graph.op(other).forward(*arguments(graph, other, values))
            changed.add(other)
    return values


def _error_of_root(trace: Trace, node: int, value: float) -> float:
    """Return a bound on the rounding error of the root's value if a node had another one."""
    graph, values = trace.graph, _moved(trace, node, value)
    errors = {node: 0.5 * math.ulp(value)}
    for other in graph.plan(trace.root).order:
        found = graph.nodes[other]
        if other == node or not isinstance(found, OpNode) or errors.keys().isdisjoint(found.inputs):
            continue
        op, at = graph.op(other), arguments(graph, other, values)
        errors[other] = math.ulp(values[other]) + sum(
            abs(partial(*at, values[other])) * errors[source]
            for partial, source in zip(op.partials, found.inputs, strict=True)
            if source in errors
        )
    return errors[trace.root]


def _break_between(trace: Trace, node: int, apart: float) -> str:
    """Return which operation has a kink or jump on the step, and what changes there; else ""."""
    moved = _moved(trace, node, trace.values[node] + apart)
    for other in trace.graph.plan(trace.root).order:
        found = trace.graph.nodes[other]
        if not isinstance(found, OpNode) or moved[other] is trace.values[other]:
            continue
        op = trace.graph.op(other)
        if op.kink is never:
            continue
        value, slope = _changes(
            op, *(arguments(trace.graph, other, v) for v in (trace.values, moved))
        )
        if value:
            return f"jump of {op.name}, where the value changes"
        if slope:
            return f"kink of {op.name}, where the slope changes"
    return ""


def _changes(op: Op, here: list[float], there: list[float]) -> tuple[bool, bool]:
    """Return whether value and slope change at one place between two lists of inputs.

    The half over which they change more is halved again: what changes gradually vanishes.
    """

    def change(ends: tuple[list[float], list[float]]) -> tuple[float, float]:
        low, high = ends
        slopes = zip(_slopes(op, low), _slopes(op, high), strict=True)
        return abs(op.forward(*low) - op.forward(*high)), max(abs(a - b) for a, b in slopes)

    ends = (here, there)
    whole = change(ends)
    for _ in range(HALVINGS):
        middle = [a + (b - a) / 2.0 for a, b in zip(*ends, strict=True)]
        ends = max((ends[0], middle), (middle, ends[1]), key=lambda half: sum(change(half)))
    left = change(ends)
    return left[0] > STAYS * whole[0], left[1] > STAYS * whole[1]


def _slopes(op: Op, at: Sequence[float]) -> list[float]:
    return [partial(*at, op.forward(*at)) for partial in op.partials]
