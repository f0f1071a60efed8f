import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from app.style.curves import curve, paint_curve

SPAN = (-3.0, 3.0)


def raises(_x: float) -> float:
    raise OverflowError


def test_a_curve_fills_its_square():
    for function in (math.tanh, math.sin, abs, math.exp):
        pieces, _ = curve(function, SPAN)
        points = [point for piece in pieces for point in piece]
        assert (min(x for x, _ in points), max(x for x, _ in points)) == pytest.approx((0, 1))
        assert (min(y for _, y in points), max(y for _, y in points)) == pytest.approx((0, 1))


def test_a_function_that_lives_on_one_side_only_takes_the_whole_width():
    (root,), (logarithm,) = (curve(function, SPAN)[0] for function in (math.sqrt, math.log))
    assert root[0][0] == pytest.approx(0)
    assert root[-1] == pytest.approx((1, 1))
    assert logarithm[0] == pytest.approx((0, 0))


@pytest.mark.parametrize("function", [lambda x: 1 / x, lambda x: math.copysign(1, x)])
def test_a_pole_or_a_jump_is_a_gap(function):
    pieces, _ = curve(function, SPAN)
    assert len(pieces) == 2


def test_zero_is_where_the_function_is_zero():
    assert curve(math.tanh, SPAN)[1] == pytest.approx(0.5)
    assert curve(abs, SPAN)[1] == pytest.approx(0, abs=1e-9)
    assert curve(lambda x: 2 + x * 0, SPAN)[1] is None


def test_a_function_without_any_value_has_no_curve():
    for function in (lambda _: math.nan, lambda _: math.inf, raises, lambda x: (-8) ** (x + 0.3)):
        assert curve(function, SPAN) == ((), None)


@given(st.lists(st.floats(), min_size=1, max_size=9))
def test_any_function_can_be_drawn(values: list[float]):
    pieces, _ = curve(lambda x: values[round(abs(x)) % len(values)], SPAN)
    assert all(-1e-6 <= c <= 1 + 1e-6 for piece in pieces for point in piece for c in point)


def test_the_painter_draws_inside_the_rectangle_in_the_colour(qapp):
    image = QImage(40, 30, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    paint_curve(painter, QRectF(5, 5, 30, 20), math.tanh, QColor("#000000"))
    painter.end()
    dark = [
        (x, y) for x in range(40) for y in range(30) if image.pixelColor(x, y).lightness() < 120
    ]
    assert dark
    assert all(4 <= x <= 36 and 4 <= y <= 26 for x, y in dark)
