"""Axes of plots: which numbers can be drawn, the range around them, and the stride of labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.numbers import LARGEST_DRAWN

NARROWEST: Final = 1e-150
"""Narrowest range that is drawn, 1 / LARGEST_DRAWN: the squares of px divided by it are finite."""
NARROWEST_SHARE: Final = 1e-12
"""The same as a share of its larger end: below it, rounding errors would be seen."""

Range = tuple[float, float]
"""The numbers at both ends of an axis, the lower first."""


def is_drawable(y: float) -> bool:
    """Return whether a number is finite, and not so large that it can't be drawn."""
    return abs(y) < LARGEST_DRAWN  # False for nan


def is_wide(low: float, high: float) -> bool:
    """Return whether a range is wide enough for an axis."""
    return high - low > max(NARROWEST, NARROWEST_SHARE * max(abs(low), abs(high)))


def axis_range(numbers: Sequence[float], margin: float, least: float) -> Range:
    """Return a range around drawable numbers, one at least.

    `margin` is the space on either side, as a share of their extent. Around numbers that are all
    the same it is `least`, or a tenth of a large number.
    """
    low, high = min(numbers), max(numbers)
    space = margin * (high - low) if is_wide(low, high) else max(least, 0.1 * abs(high))
    return low - space, high + space


def round_up(stride: float) -> int:
    """Return the least of 1, 2, 5, 10, 20, 50 ... that is not below a stride."""
    power = 1
    while True:
        for factor in (1, 2, 5):
            if factor * power >= stride:
                return factor * power
        power *= 10
