"""Ranges: interval arithmetic over numbers of which only the printed digits are known.

The range of a slope or value over a box of inputs is spanned by the corners of the box and the
extrema inside: between these the function is monotonic along each side. A box around a pole gives
(−∞, ∞).

>>> from engine.ops import BY_NAME
>>> [round(end, 6) for end in slope_range(BY_NAME["tanh"], 0, [(0.5, 0.5)], (0.46205, 0.46215))]
[0.786417, 0.78651]
>>> times((-2.0, -2.0), (0.5, 1.0)), plus((1.0, 2.0), (0.5, 0.5))
((-2.0, -1.0), (1.5, 2.5))

`answer_range` is the range of an answer computed from printed numbers. If it can be computed in
several ways, as from a slope that is shown or from the inputs, their ranges are united.

>>> from engine import from_expression
>>> from engine.trace import run
>>> trace = run(from_expression("y = tanh(a - b) * f", {"a": 2, "b": 1.5, "f": -2}))
>>> low, high = answer_range(Question("contribution", 4, 0, 4), trace, 4, {})
>>> low <= -2 * 0.7864 <= high, low <= -2 * 0.786 <= high
(True, False)
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Final, TypeAlias

from engine.graph import OpNode
from engine.numbers import DIGITS_SHOWN, Digits, printed_range
from engine.op import Op, Rule
from engine.problems import arguments
from engine.study.question import Kind, Question, answer, facts
from engine.trace import Event, Trace

Range: TypeAlias = tuple[float, float]
"""The least and the largest number that something may be."""

Box: TypeAlias = Sequence[Range]
SpecialPoints: TypeAlias = Callable[[Box], Iterable[tuple[int, float]]]
"""Yields (coordinate, number) for each extremum or pole, inside the box or not."""

ANYTHING: Final[Range] = (-math.inf, math.inf)
_FORWARD: Final = -1
"""Takes the place of a slot in a key: the range is that of the value, not of a slope."""
# extrema of silu, gelu and the slope of silu: the zeros of their derivatives
_SILU_MINIMUM, _GELU_MINIMUM = -1.2784645427610738, -0.7517915246935645
_SILU_SLOPE_MAXIMUM: Final = 2.399357280515468


def printed(x: float, digits: Digits = DIGITS_SHOWN) -> Range:
    """Return the range of the numbers that are printed as x is; of nan it is anything."""
    return ANYTHING if math.isnan(x) else printed_range(x, digits)


def hull(*ranges: Range) -> Range:
    """Return the range from the least to the largest number of some."""
    return min(low for low, _high in ranges), max(high for _low, high in ranges)


def plus(a: Range, b: Range) -> Range:
    """Return the range of a sum."""
    low, high = a[0] + b[0], a[1] + b[1]
    return ANYTHING if math.isnan(low) or math.isnan(high) else (low, high)


def minus(a: Range, b: Range) -> Range:
    """Return the range of a difference."""
    return plus(a, (-b[1], -b[0]))


def times(a: Range, b: Range) -> Range:
    """Return the range of a product, which is spanned by products of the ends."""
    found = [x * y for x in a for y in b]
    return ANYTHING if any(map(math.isnan, found)) else (min(found), max(found))


def value_range(op: Op, box: Box) -> Range:
    """Return the range of the value of an operation over ranges of its inputs."""
    return _over(op.forward, op, _FORWARD, box)


def slope_range(op: Op, slot: int, box: Box, out: Range) -> Range:
    """Return the range of a local derivative over ranges of the inputs and of the value.

    Some are computed from the value as well as from the inputs, as −(a ÷ b) ÷ b is; both count.
    """
    inputs_and_value = [*box, hull(out, value_range(op, box))]
    found = _over(op.partials[slot], op, slot, inputs_and_value)
    from_value = _SLOPE_FROM_VALUE.get((op.name, slot))
    return (
        found if from_value is None else hull(found, _over(from_value, op, slot, inputs_and_value))
    )


def _over(rule: Rule, op: Op, slot: int, box: Box) -> Range:
    """Return the range of a formula over a box, from its corners and the extrema inside it."""
    key = (op.name, slot)
    if any(box[k][0] < pole < box[k][1] for k, pole in _POLES.get(key, _no_points)(box)):
        return ANYTHING
    points = [set(ends) for ends in box]  # along each side of the box
    for k, extremum in _EXTREMA.get(key, _no_points)(box):
        if box[k][0] < extremum < box[k][1]:
            points[k].add(extremum)
    try:
        found = [rule(*corner) for corner in product(*points)]
    except (ZeroDivisionError, OverflowError):
        return ANYTHING
    known = [x for x in found if not math.isnan(x)]
    return (min(known), max(known)) if known else ANYTHING


# extrema and poles of values and slopes


def _no_points(_box: Box) -> Iterable[tuple[int, float]]:
    return ()


def _fixed_points(coordinate: int, *places: float) -> SpecialPoints:
    found = tuple((coordinate, place) for place in places)
    return lambda _box: found


def _every_pi_from(first: float) -> SpecialPoints:
    """Return points at first + k · π; two neighbours are enough, as the functions are periodic."""

    def turns(box: Box) -> Iterator[tuple[int, float]]:
        low = box[0][0]
        if math.isfinite(low):
            k = math.ceil((low - first) / math.pi)
            yield from ((0, first + (k + more) * math.pi) for more in range(2))

    return turns


def _extrema_of_power_slope(box: Box) -> Iterator[tuple[int, float]]:
    """Yield where b · a^(b − 1) turns: along b where b · log(a) = −1, and on that curve at 1/e."""
    yield 0, 1 / math.e
    for a in (*box[0], 1 / math.e):
        if a > 0.0 and a != 1.0 and math.isfinite(a):
            yield 1, -1.0 / math.log(a)


_EXTREMA: Final[Mapping[tuple[str, int], SpecialPoints]] = {
    ("log", _FORWARD): _fixed_points(0, 0.0),
    ("sqrt", _FORWARD): _fixed_points(0, 0.0),
    ("log1p", _FORWARD): _fixed_points(0, -1.0),
    ("square", _FORWARD): _fixed_points(0, 0.0),
    ("abs", _FORWARD): _fixed_points(0, 0.0),
    ("sin", _FORWARD): _every_pi_from(math.pi / 2),
    ("cos", _FORWARD): _every_pi_from(0.0),
    ("asin", _FORWARD): _fixed_points(0, -1.0, 1.0),
    ("acos", _FORWARD): _fixed_points(0, -1.0, 1.0),
    ("silu", _FORWARD): _fixed_points(0, _SILU_MINIMUM),
    ("gelu", _FORWARD): _fixed_points(0, _GELU_MINIMUM),
    ("pow", 0): _extrema_of_power_slope,
    ("sin", 0): _every_pi_from(0.0),
    ("cos", 0): _every_pi_from(math.pi / 2),
    ("tan", 0): _fixed_points(1, 0.0),
    ("asin", 0): _fixed_points(0, -1.0, 0.0, 1.0),
    ("acos", 0): _fixed_points(0, -1.0, 0.0, 1.0),
    ("atan", 0): _fixed_points(0, 0.0),
    ("tanh", 0): _fixed_points(1, 0.0),
    ("sigmoid", 0): _fixed_points(1, 0.5),
    ("silu", 0): _fixed_points(0, -_SILU_SLOPE_MAXIMUM, _SILU_SLOPE_MAXIMUM),
    ("gelu", 0): _fixed_points(0, -math.sqrt(2.0), math.sqrt(2.0)),
}
"""By the operation and the slot of the slope; the value of the node comes after its inputs."""

_POLES: Final[Mapping[tuple[str, int], SpecialPoints]] = {
    ("div", _FORWARD): _fixed_points(1, 0.0),
    ("div", 0): _fixed_points(1, 0.0),
    ("div", 1): _fixed_points(1, 0.0),
    ("pow", _FORWARD): _fixed_points(0, 0.0),
    ("pow", 0): _fixed_points(0, 0.0),
    ("pow", 1): _fixed_points(0, 0.0),
    ("log", 0): _fixed_points(0, 0.0),
    ("log1p", 0): _fixed_points(0, -1.0),
    ("sqrt", 0): _fixed_points(1, 0.0),
    ("tan", _FORWARD): _every_pi_from(math.pi / 2),
}


def _quotient_from_value(_a: float, b: float, out: float) -> float:
    return -out / b


def _power_from_value(a: float, b: float, out: float) -> float:
    return b * out / a


def _elu_from_value(a: float, out: float) -> float:
    return out + 1.0 if a <= 0.0 else 1.0


def _softplus_from_value(_a: float, out: float) -> float:
    return -math.expm1(-out)


_SLOPE_FROM_VALUE: Final[Mapping[tuple[str, int], Rule]] = {
    ("div", 1): _quotient_from_value,
    ("pow", 0): _power_from_value,
    ("elu", 0): _elu_from_value,
    ("softplus", 0): _softplus_from_value,
}
"""Slopes as people compute them from the value that is shown."""


# The range of an answer


def answer_range(
    question: Question, trace: Trace, digits: Digits, stands_for: Mapping[Kind, Range]
) -> Range:
    """Return the range of an answer; `stands_for` has what the blanks of the same wire may be.

    Any other number around the wire stands for all that are printed so.
    """
    match question.kind:
        case "local" | "contribution" | "sum":
            return _along_wire(question, trace, digits, stands_for)
        case "value":
            box = _box(trace, question.node, digits)
            return value_range(trace.graph.op(question.node), box)
        case "final":
            return _final_gradient_ranges(trace, digits).get(question.node, (0.0, 0.0))
        case "change":
            return _change(question, trace, digits)
        case "upstream":
            return printed(facts(question, trace).upstream, digits)
        case "sign" | "next" | "paths" | "text":
            right = answer(question, trace)
            return right, right


def _along_wire(
    question: Question, trace: Trace, digits: Digits, stands_for: Mapping[Kind, Range]
) -> Range:
    at = facts(question, trace)
    local = _slope(trace, question.node, at.op, at.slot, digits)
    if question.kind == "local":
        return local
    local = hull(local, stands_for.get("local") or printed(at.local, digits))
    contribution = times(printed(at.upstream, digits), local)
    if question.kind == "contribution":
        return contribution
    shown = stands_for.get("contribution") or printed(at.contribution, digits)
    contribution = hull(contribution, shown)
    if not trace.rules.accumulate:  # a mistake: the contribution replaces the gradient
        return contribution
    return plus(printed(at.before, digits), contribution)


def _box(trace: Trace, node: int, digits: Digits) -> list[Range]:
    return [printed(x, digits) for x in arguments(trace.graph, node, trace.values)]


def _slope(trace: Trace, node: int, op: Op, slot: int, digits: Digits) -> Range:
    """Return the range of the local derivative that the pass uses along a slot."""
    used = trace.rules.slope_slot(op, slot)
    return slope_range(op, used, _box(trace, node, digits), printed(trace.values[node], digits))


def _final_gradient_ranges(trace: Trace, digits: Digits) -> dict[int, Range]:
    """Return the ranges of all gradients at the end, from the values that are printed."""
    grads: dict[int, Range] = dict.fromkeys(trace.values, (0.0, 0.0))
    for event in trace.events:
        if event.kind == "contribution":
            # the same pass over ranges: contribution = upstream · local derivative, added up
            share = times(grads[event.sender], _slope_of(event, trace, digits))
            before = grads[event.node]
            grads[event.node] = plus(before, share) if trace.rules.accumulate else share
        else:
            grads[event.node] = event.after, event.after
    return grads


def _slope_of(event: Event, trace: Trace, digits: Digits) -> Range:
    found = _slope(trace, event.sender, trace.graph.op(event.sender), event.slot, digits)
    return hull(found, (event.local, event.local))


def _change(question: Question, trace: Trace, digits: Digits) -> Range:
    """Return the range of the new value, computed from the printed numbers, less the old one."""
    graph, found = trace.graph, {question.leaf: (question.to, question.to)}
    for node in graph.plan(question.node).order:
        part = graph.nodes[node]
        inputs = graph.inputs(node)
        if isinstance(part, OpNode) and not found.keys().isdisjoint(inputs):
            box = [
                found.get(source, printed(trace.values[source], digits))
                for source in inputs
                if source is not None
            ]
            found[node] = value_range(graph.op(node), box)
    old = printed(trace.values[question.node], digits)
    return minus(found.get(question.node, old), old)
