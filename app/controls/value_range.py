"""The range of a slider around a number: even steps, growing when needed.

Its ends are round numbers as far from zero, unless the user has set them.
"""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Final

from msgspec import Struct

from engine.numbers import plain

SMALLEST_REACH: Final = Decimal(5)
TICKS: Final = 100
"""Number of steps from zero to either end."""

_LARGEST: Final = Decimal("1e308")
_LEADING: Final = (1, 2, 5, 10)


class ValueRange(Struct, frozen=True):
    """A range from -reach to reach in 200 even steps."""

    reach: Decimal = SMALLEST_REACH

    @property
    def low(self) -> float:
        """Return the lower end."""
        return -float(self.reach)

    @property
    def high(self) -> float:
        """Return the upper end."""
        return float(self.reach)

    @property
    def step(self) -> Decimal:
        """Return the distance of two ticks."""
        return self.reach / TICKS

    def value_at(self, tick: int) -> float:
        """Return the number at a tick, with no more digits than the step."""
        return float(self.step * tick)

    def tick_of(self, value: float) -> int:
        """Return the tick nearest to a number, clamped to the range; the middle for nan."""
        if math.isnan(value):
            return 0
        if math.isinf(value):
            return int(math.copysign(TICKS, value))
        return max(-TICKS, min(TICKS, round(Decimal(value) / self.step)))

    def around(self, value: float) -> ValueRange:
        """Return this range, or a larger one that contains the number."""
        if not math.isfinite(value) or abs(Decimal(value)) <= self.reach:
            return self
        return ValueRange(_short_above(abs(Decimal(value))))

    def grown(self) -> ValueRange:
        """Return the next larger range, for a slider dragged to its end."""
        return ValueRange(_short_above(self.reach))


class OwnRange(Struct, frozen=True):
    """A range between two ends that the user has set, in 200 even steps.

    With a `step` its numbers are multiples of it.
    """

    low: float
    high: float
    step: float = 0.0

    def value_at(self, tick: int) -> float:
        """Return the number at a tick, with no more digits than the ends and the step."""
        low, high = Decimal(plain(self.low)), Decimal(plain(self.high))
        found = float(low + (high - low) * (tick + TICKS) / (2 * TICKS))
        return round(found / self.step) * self.step if self.step else found

    @property
    def ticks_per_step(self) -> int:
        """Return how many ticks a key moves by."""
        return max(1, math.ceil(2 * TICKS * self.step / (self.high - self.low)))

    def tick_of(self, value: float) -> int:
        """Return the tick nearest to a number, clamped to the range; the middle for nan."""
        if math.isnan(value):
            return 0
        low, high = self.low / 2, self.high / 2  # their distance is finite
        share = (min(max(value / 2, low), high) - low) / (high - low)
        return round(share * 2 * TICKS) - TICKS

    def around(self, value: float) -> OwnRange:
        """Return this range, with the end moved that keeps the number out of it."""
        if not math.isfinite(value) or self.low <= value <= self.high:
            return self
        return OwnRange(min(self.low, value), max(self.high, value), self.step)

    def grown(self) -> OwnRange:
        """Return this range: it ends where the user has said."""
        return self


def _short_above(number: Decimal) -> Decimal:
    """Return the smallest of 1, 2, 5 times a power of ten above a number."""
    unit = Decimal(1).scaleb(number.adjusted())
    return min(_LARGEST, next(unit * lead for lead in _LEADING if unit * lead > number))
