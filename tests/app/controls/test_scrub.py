import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt

from app.controls.scrub import Scrub, scrub
from engine.numbers import short
from tests.helpers.tables import in_turn

NONE = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CTRL = Qt.KeyboardModifier.ControlModifier


@in_turn(
    ("start", "pixels", "modifiers", "result"),
    [
        (2.0, 4, NONE, 2.1),
        (2.0, 40, NONE, 3.0),
        (2.0, -80, NONE, 0.0),
        (-3.0, 4, NONE, -2.9),
        (2.0, 4, SHIFT, 2.01),
        (2.0, 4, CTRL, 3.0),
        (0.0, 12, NONE, 0.3),
        (30.0, 8, NONE, 32.0),
        (0.02, 4, NONE, 0.021),
        (1e6, 4, NONE, 1.1e6),
        (0.7071067811865476, 4, NONE, 0.8),
        (0.7071067811865476, 1, NONE, 0.7071067811865476),
    ],
)
def test_four_pixels_are_one_step_that_suits_the_number(start, pixels, modifiers, result):
    assert scrub(start, pixels, modifiers) == result


@given(st.floats(-1e6, 1e6), st.integers(-2000, 2000), st.sampled_from((NONE, SHIFT, CTRL)))
def test_a_scrubbed_number_is_short_to_write(start, pixels, modifiers):
    result = scrub(start, pixels, modifiers)
    if result != start:
        assert len(short(result, "shortest")) <= max(12, len(short(start, 2)) + 4)


@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(-1e5, 1e5))
def test_scrubbing_never_leaves_the_finite_numbers(start, pixels):
    assert math.isfinite(scrub(start, pixels, NONE))


@given(st.floats(-1e9, 1e9), st.integers(-500, 500), st.integers(0, 500))
def test_further_to_the_right_is_never_less(start, pixels, more):
    assert scrub(start, pixels + 4 * more, NONE) >= scrub(start, pixels, NONE) - abs(start) * 0.5


def test_what_is_not_finite_stays_as_it_is():
    assert scrub(math.inf, 100, NONE) == math.inf
    assert math.isnan(scrub(math.nan, 100, NONE))


def test_a_modifier_pressed_on_the_way_does_not_make_the_number_jump():
    drag = Scrub(2.0)
    assert drag.moved(40, NONE) == 3.0
    assert drag.moved(40, SHIFT) == 3.0
    assert drag.moved(44, SHIFT) == 3.01
    assert drag.moved(48, NONE) == pytest.approx(3.01)
    assert drag.moved(52, NONE) == 3.1
    assert (drag.start, drag.value) == (2.0, 3.1)


def test_going_back_to_where_the_drag_began_gives_the_number_it_began_with():
    drag = Scrub(0.7071067811865476)
    drag.moved(100, NONE)
    assert drag.moved(0, NONE) == 0.7071067811865476
