"""Room: writes numbers of a training loop with as many digits as have room, as 3.7e5."""

from __future__ import annotations

from typing import Final

from app.style.strokes import measured, width
from engine.numbers import fitted

LONGEST: Final = "−8.8e308"
"""The longest text of a number with two digits: each number of a loop has room for it."""
STRIP: Final = "caption strong"
"""Text role of the strip with an update."""


@measured(20_000)
def fit(x: float, role: str, room: float) -> str:
    """Write a number in the font of a role with as many digits as a width has room for."""
    return fitted(x, lambda text: width(text, role) <= room)


def fit_factors(before: float, grad: float, rate: str, room: float) -> tuple[str, str]:
    """Write the two numbers of `before − rate × grad` so that all of it has room."""
    room -= width(f" − {rate} × ", STRIP)
    second = fit(grad, STRIP, room / 2)
    first = fit(before, STRIP, room - width(second, STRIP))
    return first, fit(grad, STRIP, room - width(first, STRIP))
