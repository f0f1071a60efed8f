"""The range of a slider around a number: round limits, even steps, growing when needed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

SMALLEST_REACH: Final = Decimal(5)
TICKS: Final = 100
"""Number of steps from zero to either end."""

_LARGEST: Final = Decimal("1e308")
_LEADING: Final = (1, 2, 5, 10)


@dataclass(frozen=True)
class ValueRange:
    """A range from -reach to reach in 200 even steps."""

    reach: Decimal = SMALLEST_REACH

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


def _short_above(number: Decimal) -> Decimal:
    """Return the smallest of 1, 2, 5 times a power of ten above a number."""
    unit = Decimal(1).scaleb(number.adjusted())
    return min(_LARGEST, next(unit * lead for lead in _LEADING if unit * lead > number))
