"""Small generated data sets: the same seed gives the same numbers; nothing is downloaded."""

import math
import random

from msgspec import Struct

DIGITS = 3
"""Decimal places of the numbers, so that they are readable in a graph."""


class Sample(Struct, frozen=True):
    """Inputs and the wanted output."""

    inputs: tuple[float, ...]
    target: float


def moons(count: int = 100, noise: float = 0.1, seed: int = 0) -> tuple[Sample, ...]:
    """Return two interleaved half circles: −1 for the upper, +1 for the lower."""
    dice = random.Random(seed)
    upper = (count + 1) // 2
    found: list[Sample] = []
    for k in range(count):
        of_upper = k < upper
        size = upper if of_upper else count - upper
        angle = math.pi * ((k if of_upper else k - upper) / max(size - 1, 1))
        x, y = math.cos(angle), math.sin(angle)
        if not of_upper:
            x, y = 1.0 - x, 0.5 - y
        place = (_rounded(x + dice.gauss(0.0, noise)), _rounded(y + dice.gauss(0.0, noise)))
        found.append(Sample(place, -1.0 if of_upper else 1.0))
    dice.shuffle(found)
    return tuple(found)


def circles(count: int = 100, noise: float = 0.05, seed: int = 0) -> tuple[Sample, ...]:
    """Return points of two circles around the origin: +1 on the inner, −1 on the outer."""
    dice = random.Random(seed)
    found: list[Sample] = []
    for k in range(count):
        inner = k % 2 == 0
        angle = 2.0 * math.pi * (k // 2) / max((count + 1) // 2, 1)
        radius = 0.5 if inner else 1.0
        x, y = radius * math.cos(angle), radius * math.sin(angle)
        place = (_rounded(x + dice.gauss(0.0, noise)), _rounded(y + dice.gauss(0.0, noise)))
        found.append(Sample(place, 1.0 if inner else -1.0))
    dice.shuffle(found)
    return tuple(found)


def xor() -> tuple[Sample, ...]:
    """Return the four cases that no single neuron can separate: +1 if exactly one input is 1."""
    cases = ((0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0))
    return tuple(Sample(case, 1.0 if case[0] != case[1] else -1.0) for case in cases)


def line(
    count: int = 20, slope: float = 2.0, intercept: float = 1.0, noise: float = 0.1, seed: int = 0
) -> tuple[Sample, ...]:
    """Return points along y = slope · x + intercept, with x from −1 to 1."""
    dice = random.Random(seed)
    found: list[Sample] = []
    for k in range(count):
        x = _rounded(-1.0 + 2.0 * k / max(count - 1, 1))
        found.append(Sample((x,), _rounded(slope * x + intercept + dice.gauss(0.0, noise))))
    return tuple(found)


def _rounded(value: float) -> float:
    return round(value, DIGITS) + 0.0
