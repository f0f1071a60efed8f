"""Ranges: what a displayed number may stand for, and the arithmetic of such numbers.

A displayed decimal stands for everything that rounds to it. An operation gives every result that
some numbers within its operands can have, so that two sides of an equation agree exactly when
their ranges meet.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal

from engine.numbers import Digits
from engine.ops import BY_NAME

DUST = 2e-12
"""Relative error below which a number is shown as if it were exact."""
TINY = 1e-300
"""Below this, products lose digits and vanish."""


@dataclass(frozen=True)
class Range:
    """All numbers from `low` to `high`, with nan where `nan` is set."""

    low: float
    high: float
    nan: bool = False

    @property
    def finite(self) -> bool:
        return not self.nan and math.isfinite(self.low) and math.isfinite(self.high)

    def meets(self, other: Range) -> bool:
        """Whether some number lies in both; nan agrees with nan."""
        if self.nan and other.nan:
            return True
        low, high = max(self.low, other.low), min(self.high, other.high)
        return low <= high or low - high <= TINY

    def overlaps(self, other: Range) -> bool:
        """As `meets`, but numbers too small for products differ as any others do."""
        return self.meets(other) and (
            (self.nan and other.nan) or max(self.low, other.low) <= min(self.high, other.high)
        )

    def holds(self, number: float) -> bool:
        """Whether a number, as it was before rounding, lies within."""
        return self.meets(exact(number))


NOTHING = Range(math.inf, -math.inf)
ANYTHING = Range(-math.inf, math.inf, nan=True)


def exact(number: float) -> Range:
    """A number that is known, with the dust that floating point leaves."""
    return _around(number, abs(number) * DUST)


def displayed(text: str, digits: Digits = 4) -> Range:
    """What a number as it is displayed may stand for: `−2`, `≈ 1`, `0.7071`, `1.2e−5`, `inf`.

    A decimal that shows all `digits` it may, or that says `≈`, is rounded; any other is exact.
    """
    about = "≈" in text  # `− ≈ 1` as a further summand
    bare = text.replace("≈", "").replace(" ", "").replace("−", "-").replace(",", "")
    named = {"inf": math.inf, "∞": math.inf, "nan": math.nan}
    unsigned = bare.lstrip("+-")
    if unsigned in named:
        return exact(-named[unsigned] if bare.startswith("-") else named[unsigned])
    number = Decimal(bare)
    if digits == "shortest":
        return exact(float(number))
    shown = len(number.as_tuple().digits)
    rounded = "." in bare and shown == digits  # more digits than allowed are all there are
    if not (about or rounded):
        return exact(float(number))
    place = number.adjusted() - digits + 1
    if "e" not in bare and abs(number) < 10**7:
        place = min(place, 0)  # without an exponent all digits before the point are there
    return _around(float(number), float(Decimal((0, (1,), place))) / 2)


def _around(number: float, half: float) -> Range:
    if math.isnan(number):
        return Range(math.inf, -math.inf, nan=True)
    if math.isinf(number):
        return Range(number, number)
    half = half * (1 + 1e-9) + abs(number) * DUST
    return Range(number - half, number + half)


def spread(numbers: Iterable[float]) -> Range:
    """The range that these numbers span."""
    found = list(numbers)
    known = [x for x in found if not math.isnan(x)]
    nan = len(known) < len(found)
    return Range(min(known, default=math.inf), max(known, default=-math.inf), nan)


def add(a: Range, b: Range) -> Range:
    if a.low > a.high or b.low > b.high:
        return Range(math.inf, -math.inf, nan=True)
    found = spread((a.low + b.low, a.high + b.high))
    torn = (a.high == math.inf and b.low == -math.inf) or (
        a.low == -math.inf and b.high == math.inf
    )
    return Range(found.low, found.high, a.nan or b.nan or torn)


def negative(a: Range) -> Range:
    return Range(-a.high, -a.low, a.nan)


def multiply(a: Range, b: Range) -> Range:
    if a.low > a.high or b.low > b.high:
        return Range(math.inf, -math.inf, nan=True)
    products = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    if (_has_zero(a) and b.low < b.high) or (_has_zero(b) and a.low < a.high):
        products.append(0.0)  # 0 times what may be endless may also be 0 times a number
    found = spread(products)
    lost = (_has_zero(a) and _is_endless(b)) or (_has_zero(b) and _is_endless(a))
    return Range(found.low, found.high, a.nan or b.nan or found.nan or lost)


def _has_zero(a: Range) -> bool:
    return a.low <= 0 <= a.high


def _is_endless(a: Range) -> bool:
    return math.isinf(a.low) or math.isinf(a.high)


def apply(rule: Callable[..., float], *ranges: Range) -> Range:
    """A function of ranges, sampled across them and widened a little."""
    if any(r.low > r.high for r in ranges):
        return _of_nan(rule, ranges)
    picks = [_samples(r) for r in ranges]
    found = spread(rule(*chosen) for chosen in itertools.product(*picks))
    nan = found.nan or any(r.nan for r in ranges)
    if not (math.isfinite(found.low) and math.isfinite(found.high)):
        return Range(found.low, found.high, nan)
    more = (found.high - found.low) * 0.1 + max(abs(found.low), abs(found.high)) * DUST
    return Range(found.low - more, found.high + more, nan)


def _of_nan(rule: Callable[..., float], ranges: tuple[Range, ...]) -> Range:
    """A function of a nan: of those that let nan pass, nan; `max` and others choose."""
    picks = [_samples(r) if r.low <= r.high else (math.nan,) for r in ranges]
    return spread(rule(*chosen) for chosen in itertools.product(*picks))


def _samples(a: Range) -> tuple[float, ...]:
    if a.low == a.high:
        return (a.low,)
    if not (math.isfinite(a.low) and math.isfinite(a.high)):
        return (a.low, 0.0, a.high) if _has_zero(a) else (a.low, a.high)
    middle = a.low + (a.high - a.low) / 2
    inner = [a.low, (a.low + middle) / 2, middle, (middle + a.high) / 2, a.high]
    whole = round(middle)  # kinks and poles lie at whole numbers, most of all at 0
    return (*inner, float(whole)) if a.low <= whole <= a.high else tuple(inner)


def divide(a: Range, b: Range) -> Range:
    if b.low < 0 < b.high:
        return ANYTHING
    return apply(BY_NAME["div"].forward, a, b)


def divide_by_square(a: Range, b: Range) -> Range:
    """a ÷ b², where b² itself may overflow or underflow and the quotient does not."""
    return divide(divide(a, b), b)


def power(a: Range, b: Range) -> Range:
    return apply(BY_NAME["pow"].forward, a, b)


def wave(name: str, a: Range) -> Range:
    """sin, cos or tan; over more than a quarter of a turn they can be anything."""
    if a.low < a.high and a.high - a.low > 1.0:
        return ANYTHING if name == "tan" else Range(-1.0, 1.0)
    return apply(BY_NAME[name].forward, a)
