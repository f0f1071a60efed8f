"""Small data sets made on the spot: the same numbers from the same seed, and no download."""

import math
import random
from dataclasses import dataclass

DIGITS = 3
"""Numbers are rounded to so many places, so that they can be read in a graph."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What goes in and what should come out."""

    inputs: tuple[float, ...]
    target: float


def moons(count: int = 100, noise: float = 0.1, seed: int = 0) -> tuple[Sample, ...]:
    """Two half circles, one inside the other: −1 for the upper, +1 for the lower."""
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


def xor() -> tuple[Sample, ...]:
    """The four cases that no single neuron can tell apart: +1 where exactly one input is 1."""
    cases = ((0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0))
    return tuple(Sample(case, 1.0 if case[0] != case[1] else -1.0) for case in cases)


def line(
    count: int = 20, slope: float = 2.0, intercept: float = 1.0, noise: float = 0.1, seed: int = 0
) -> tuple[Sample, ...]:
    """Points along y = slope · x + intercept, with x from −1 to 1."""
    dice = random.Random(seed)
    found: list[Sample] = []
    for k in range(count):
        x = _rounded(-1.0 + 2.0 * k / max(count - 1, 1))
        found.append(Sample((x,), _rounded(slope * x + intercept + dice.gauss(0.0, noise))))
    return tuple(found)


def _rounded(value: float) -> float:
    return round(value, DIGITS) + 0.0
