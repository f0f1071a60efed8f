"""Ranges: what may come out of numbers that are known only as far as they are printed.

A slope or a value over a box of inputs is taken at the corners of the box, and where it turns
inside; between these it rises or falls along each side, so that nothing lies outside. Where a box
holds a pole, everything may come out.

>>> from engine.ops import BY_NAME
>>> [round(end, 6) for end in slope_range(BY_NAME["tanh"], 0, [(0.5, 0.5)], (0.46205, 0.46215))]
[0.786417, 0.78651]
>>> times((-2.0, -2.0), (0.5, 1.0)), plus((1.0, 2.0), (0.5, 0.5))
((-2.0, -1.0), (1.5, 2.5))
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Final, TypeAlias

from engine.numbers import DIGITS_SHOWN, Digits, printed_range
from engine.op import Op, Rule

Range: TypeAlias = tuple[float, float]
"""The least and the largest number that something may be."""

Box: TypeAlias = Sequence[Range]
Turns: TypeAlias = Callable[[Box], Iterable[tuple[int, float]]]
"""Yields (coordinate, number) for the places in a box that count beside its corners."""

ANYTHING: Final[Range] = (-math.inf, math.inf)
_FORWARD: Final = -1
"""Stands for the value where else the slot of a slope is given."""
_LEAST_SILU, _LEAST_GELU = -1.2784645427610738, -0.7517915246935645
_TURN_OF_SILUS_SLOPE: Final = 2.399357280515468


def printed(x: float, digits: Digits = DIGITS_SHOWN) -> Range:
    """Return the range of the numbers that are printed as x is; of nan it is anything."""
    return ANYTHING if math.isnan(x) else printed_range(x, digits)


def hull(*ranges: Range) -> Range:
    """Return the range from the least to the largest number of some."""
    return min(low for low, _high in ranges), max(high for _low, high in ranges)


def plus(a: Range, b: Range) -> Range:
    """Return what a sum may be."""
    low, high = a[0] + b[0], a[1] + b[1]
    return ANYTHING if math.isnan(low) or math.isnan(high) else (low, high)


def minus(a: Range, b: Range) -> Range:
    """Return what a difference may be."""
    return plus(a, (-b[1], -b[0]))


def times(a: Range, b: Range) -> Range:
    """Return what a product may be."""
    found = [x * y for x in a for y in b]
    return ANYTHING if any(map(math.isnan, found)) else (min(found), max(found))


def value_range(op: Op, box: Box) -> Range:
    """Return what the value of an operation may be over ranges of its inputs."""
    return _over(op.forward, op, _FORWARD, box)


def slope_range(op: Op, slot: int, box: Box, out: Range) -> Range:
    """Return what a local derivative may be over ranges of the inputs and of the value.

    Some are computed from the value as well as from the inputs, as −(a ÷ b) ÷ b is; both count.
    """
    whole = [*box, hull(out, value_range(op, box))]
    found = _over(op.partials[slot], op, slot, whole)
    from_value = _FROM_VALUE.get((op.name, slot))
    return found if from_value is None else hull(found, _over(from_value, op, slot, whole))


def _over(rule: Rule, op: Op, slot: int, box: Box) -> Range:
    key = (op.name, slot)
    if any(box[k][0] < pole < box[k][1] for k, pole in _POLES.get(key, _none)(box)):
        return ANYTHING
    places = [set(ends) for ends in box]
    for k, place in _TURNS.get(key, _none)(box):
        if box[k][0] < place < box[k][1]:
            places[k].add(place)
    try:
        found = [rule(*corner) for corner in product(*places)]
    except (ZeroDivisionError, OverflowError):
        return ANYTHING
    known = [x for x in found if not math.isnan(x)]
    return (min(known), max(known)) if known else ANYTHING


# where values and slopes turn, and where they have poles


def _none(_box: Box) -> Iterable[tuple[int, float]]:
    return ()


def _at(coordinate: int, *places: float) -> Turns:
    found = tuple((coordinate, place) for place in places)
    return lambda _box: found


def _each_pi_from(first: float) -> Turns:
    """Return turns at first + k · π; two neighbours are enough, as all further ones are alike."""

    def turns(box: Box) -> Iterator[tuple[int, float]]:
        low = box[0][0]
        if math.isfinite(low):
            k = math.ceil((low - first) / math.pi)
            yield from ((0, first + (k + more) * math.pi) for more in range(2))

    return turns


def _turns_of_power(box: Box) -> Iterator[tuple[int, float]]:
    """Yield where b · a^(b − 1) turns: along b where b · log(a) = −1, and on that curve at 1/e."""
    yield 0, 1 / math.e
    for a in (*box[0], 1 / math.e):
        if a > 0.0 and a != 1.0 and math.isfinite(a):
            yield 1, -1.0 / math.log(a)


_TURNS: Final[Mapping[tuple[str, int], Turns]] = {
    ("log", _FORWARD): _at(0, 0.0),
    ("sqrt", _FORWARD): _at(0, 0.0),
    ("log1p", _FORWARD): _at(0, -1.0),
    ("square", _FORWARD): _at(0, 0.0),
    ("abs", _FORWARD): _at(0, 0.0),
    ("sin", _FORWARD): _each_pi_from(math.pi / 2),
    ("cos", _FORWARD): _each_pi_from(0.0),
    ("asin", _FORWARD): _at(0, -1.0, 1.0),
    ("acos", _FORWARD): _at(0, -1.0, 1.0),
    ("silu", _FORWARD): _at(0, _LEAST_SILU),
    ("gelu", _FORWARD): _at(0, _LEAST_GELU),
    ("pow", 0): _turns_of_power,
    ("sin", 0): _each_pi_from(0.0),
    ("cos", 0): _each_pi_from(math.pi / 2),
    ("tan", 0): _at(1, 0.0),
    ("asin", 0): _at(0, -1.0, 0.0, 1.0),
    ("acos", 0): _at(0, -1.0, 0.0, 1.0),
    ("atan", 0): _at(0, 0.0),
    ("tanh", 0): _at(1, 0.0),
    ("sigmoid", 0): _at(1, 0.5),
    ("silu", 0): _at(0, -_TURN_OF_SILUS_SLOPE, _TURN_OF_SILUS_SLOPE),
    ("gelu", 0): _at(0, -math.sqrt(2.0), math.sqrt(2.0)),
}
"""By the operation and the slot of the slope; the value of the node comes after its inputs."""

_POLES: Final[Mapping[tuple[str, int], Turns]] = {
    ("div", _FORWARD): _at(1, 0.0),
    ("div", 0): _at(1, 0.0),
    ("div", 1): _at(1, 0.0),
    ("pow", _FORWARD): _at(0, 0.0),
    ("pow", 0): _at(0, 0.0),
    ("pow", 1): _at(0, 0.0),
    ("log", 0): _at(0, 0.0),
    ("log1p", 0): _at(0, -1.0),
    ("sqrt", 0): _at(1, 0.0),
    ("tan", _FORWARD): _each_pi_from(math.pi / 2),
}


def _quotient_from_value(_a: float, b: float, out: float) -> float:
    return -out / b


def _power_from_value(a: float, b: float, out: float) -> float:
    return b * out / a


def _elu_from_value(a: float, out: float) -> float:
    return out + 1.0 if a <= 0.0 else 1.0


def _softplus_from_value(_a: float, out: float) -> float:
    return -math.expm1(-out)


_FROM_VALUE: Final[Mapping[tuple[str, int], Rule]] = {
    ("div", 1): _quotient_from_value,
    ("pow", 0): _power_from_value,
    ("elu", 0): _elu_from_value,
    ("softplus", 0): _softplus_from_value,
}
"""Slopes as people compute them from the value that is shown."""
