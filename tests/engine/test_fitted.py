"""A number with too little room is written with as many digits as fit, and never as another one."""

import math
import random
import re
from fractions import Fraction

import pytest

from engine.numbers import ABOUT, MINUS, decimals, fitted, parse_number
from tests.helpers.extent import sampled

LONGEST = "−8.8e308"


def drawn(seed: int) -> float:
    draw = random.Random(seed)
    x = draw.uniform(-10, 10) * 10 ** draw.choice((0, 2, 4, 6, 7, 12, 100, 300))
    return draw.choice((x, round(x), float(f"{x:.2e}")))


def in_room(x: float, room: int) -> str:
    return fitted(x, lambda text: len(text) <= room)


def digits(text: str) -> int:
    """How many digits of the number are shown; zeros before the first one are none."""
    return len(re.sub(r"e.*|\D", "", text).lstrip("0"))


def distance_allowed(text: str) -> Fraction:
    """Half a unit of the last digit that is shown."""
    plain = text.removeprefix(ABOUT).removeprefix(MINUS)
    mantissa, _e, exponent = plain.partition("e")
    places = len(mantissa.partition(".")[2])
    return Fraction(10) ** (int(exponent or 0) - places) / 2


@pytest.mark.parametrize("seed", sampled(range(3000), 6))
def test_it_fits_and_says_the_number_to_half_a_unit_of_its_last_digit(seed: int):
    x = drawn(seed)
    for room in range(len(LONGEST), 16):
        text = in_room(x, room)
        assert len(text) <= room
        read = parse_number(text.removeprefix(ABOUT))
        assert read is not None
        assert read * x >= 0
        if len(decimals(x)) > room:
            assert abs(Fraction(read) - Fraction(x)) <= distance_allowed(text) * Fraction(
                1001, 1000
            )
        else:
            assert text == decimals(x)


@pytest.mark.parametrize("seed", sampled(range(3000), 12))
def test_more_room_shows_no_fewer_digits(seed: int):
    x = drawn(seed)
    texts = [in_room(x, room) for room in range(len(LONGEST), 16)]
    counts = [digits(text) for text in texts if text != decimals(x)]
    assert counts == sorted(counts)


@pytest.mark.parametrize(
    ("x", "room", "text"),
    [
        (371234.0, 5, "3.7e5"),
        (371234.0, 6, "371234"),
        (-371234.5, 7, "−3.71e5"),
        (300001.0, 5, "3.0e5"),
        (300000.0, 5, "3e5"),
        (999960.0, 5, "1.0e6"),
        (12345.678, 8, "12345.68"),
        (1e300, 8, "1e300"),
        (-1.7976931348623157e308, 8, "−1.7e308"),  # rounded up it would be read as −inf
        (math.inf, 3, "inf"),
        (-math.inf, 4, "−inf"),
        (math.nan, 3, "nan"),
        (-0.0, 1, "0"),
        (0.0, 0, "0"),
    ],
)
def test_it_is_known_of_these_numbers(x: float, room: int, text: str):
    assert in_room(x, room) == text
