from __future__ import annotations

import math
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from app.controls.value_slider import TICKS, OwnRange, ValueRange
from engine.numbers import short

finite = st.floats(allow_nan=False, allow_infinity=False)


def test_the_first_range_is_from_minus_five_to_five_in_steps_of_a_twentieth():
    assert ValueRange().value_at(TICKS) == 5
    assert ValueRange().value_at(-TICKS) == -5
    assert ValueRange().value_at(1) == 0.05


def test_it_grows_to_short_numbers():
    reaches = [ValueRange().around(x).reach for x in (2, 6, 12, 30, 0.1, -700)]
    assert reaches == [5, 10, 20, 50, 5, 1000]
    assert ValueRange(Decimal(5)).grown().reach == 10
    assert ValueRange(Decimal(10)).grown().reach == 20


@given(finite.filter(lambda x: abs(x) <= 1e307))
def test_every_number_has_room(number: float):
    grown = ValueRange().around(number)
    assert abs(Decimal(number)) <= grown.reach
    assert abs(grown.tick_of(number)) <= TICKS


@given(finite, st.integers(-TICKS, TICKS))
def test_ticks_are_short_numbers_that_find_back(number: float, tick: int):
    found = ValueRange().around(number)
    value = found.value_at(tick)
    assert math.isfinite(value)
    assert found.tick_of(value) == tick
    assert len(short(value, "shortest")) <= 9


def test_what_is_not_finite_leaves_the_range_alone():
    for number in (math.inf, -math.inf, math.nan):
        assert ValueRange().around(number) == ValueRange()
    assert ValueRange().tick_of(math.inf) == TICKS
    assert ValueRange().tick_of(-math.inf) == -TICKS
    assert ValueRange().tick_of(math.nan) == 0


def test_a_range_between_any_two_ends_has_ticks():
    found = OwnRange(-1.7e308, 1.7e308)
    assert found.tick_of(-1.7e308) == -TICKS
    assert found.tick_of(0.0) == 0
    assert found.tick_of(1.7e308) == TICKS
