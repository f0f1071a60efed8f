"""Which numbers can be drawn, the range of an axis around them, and its stride."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.numbers import LARGEST_DRAWN

TINIEST: Final = 1e-150
"""A range narrower than this is not drawn: px divided by it are infinite."""
FINEST: Final = 1e-12
"""The same relative to its numbers: below it, rounding errors would be seen."""

Range = tuple[float, float]


def is_drawable(y: float) -> bool:
    """Return whether a number is finite, and not so large that it can't be drawn."""
    return abs(y) < LARGEST_DRAWN  # False for nan


def is_wide(low: float, high: float) -> bool:
    """Return whether a range is wide enough for an axis."""
    return high - low > max(TINIEST, FINEST * max(abs(low), abs(high)))


def around(numbers: Sequence[float], margin: float, least: float) -> Range:
    """Return a range around drawable numbers, one at least.

    On either side is a `margin`, as a share of their extent. Around numbers that are all the same
    it is `least`, or more where they are large.
    """
    low, high = min(numbers), max(numbers)
    edge = margin * (high - low) if is_wide(low, high) else max(least, 0.1 * abs(high))
    return low - edge, high + edge


def round_up(stride: float) -> int:
    """Return the least of 1, 2, 5, 10, 20, 50 ... that is not below a stride."""
    power = 1
    while True:
        for factor in (1, 2, 5):
            if factor * power >= stride:
                return factor * power
        power *= 10
