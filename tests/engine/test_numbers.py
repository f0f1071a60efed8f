"""A number with too little room is written with as many digits as fit, and never as another one."""

from __future__ import annotations

import math
import random
import re
import struct
import sys
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.asking.judging import read_answer
from engine.numbers import (
    ABOUT,
    MINUS,
    Digits,
    decimals,
    fitted,
    full,
    is_rounded,
    parse_number,
    parse_quotient,
    plain,
    printed_range,
    short,
    signed,
    why_no_number,
)
from tests.helpers.sampling import sampled
from tests.helpers.tables import in_turn

finite = st.floats(allow_nan=False, allow_infinity=False)
DIGITS: tuple[Digits, ...] = (2, 4, "shortest")
"""What a user may choose for the screen."""
any_digits = st.sampled_from(DIGITS)


def read(text: str) -> float:
    """The number a written text stands for."""
    number = parse_number(text.removeprefix(ABOUT))
    assert number is not None
    return number


@in_turn(
    ("number", "text"),
    [
        (4.0, "4"), (-6, "−6"), (0.7071067811865476, "0.7071"), (2 / 3, "0.6667"),
        (0.999999, "≈ 1"), (0.99999, "≈ 1"), (-0.999999, "≈ −1"), (0.49999999999999994, "0.5"),
        (0.1 + 0.2, "0.3"), (1e-9, "1e−9"), (6.123233995736766e-17, "6.123e−17"),
        (0.0001, "0.0001"), (0.001, "0.001"), (1234567.0, "1234567"), (12345.678, "≈ 12346"),
        (123.456, "123.5"), (99999.5, "≈ 100000"), (12345678.0, "1.235e7"), (1e10, "1e10"),
        (1e300, "1e300"), (5e-324, "5e−324"), (0.0, "0"), (-0.0, "0"), (math.nan, "nan"),
        (math.inf, "inf"), (-math.inf, "−inf"),
    ],
)  # fmt: skip
def test_a_number_is_as_short_as_is_faithful(number: float, text: str):
    assert short(number) == text


def test_two_digits_and_shortest_are_settings():
    assert [short(0.7071067811865476, digits) for digits in DIGITS] == [
        "0.71",
        "0.7071",
        "0.7071067811865476",
    ]
    assert short(25.3, 2) == "≈ 25"
    assert short(25, 2) == "25"
    assert short(0.125, 2) == "0.13"


def test_the_largest_numbers_are_rounded_down_to_remain_numbers():
    assert short(1.7976931348623157e308, 2) == "1.7e308"
    assert short(1.7976931348623157e308, 4) == "1.797e308"


def test_a_contribution_carries_its_sign():
    assert [signed(x) for x in (6, -2, 0, -0.0, 0.999999, math.inf, -math.inf, math.nan)] == [
        "+6", "−2", "0", "0", "≈ +1", "+inf", "−inf", "nan",
    ]  # fmt: skip


@given(finite, any_digits)
def test_only_zero_is_written_as_zero(number: float, digits):
    assert (short(number, digits) == "0") == (number == 0)
    assert (read(short(number, digits)) == 0) == (number == 0)


@given(finite, st.sampled_from((2, 4)))
def test_a_text_without_about_is_the_number_or_shows_all_its_digits(number: float, digits: int):
    text = short(number, digits)
    shown = read(text)
    half = 1 if abs(number) > 1.7e308 else 0.5001
    assert math.isclose(shown, number, rel_tol=half * 10.0 ** (1 - digits), abs_tol=5e-324)
    noise = 4 * math.ulp(number) if shown.is_integer() else 1e-12 * abs(number)
    if abs(shown - number) <= noise:
        assert not text.startswith(ABOUT)
    elif not text.startswith(ABOUT):
        mantissa = text.lstrip("−").split("e")[0]
        assert "." in mantissa
        assert len(mantissa.replace(".", "").lstrip("0")) == digits


@pytest.mark.parametrize("write", [short, signed, decimals, lambda x: fitted(x, lambda _: True)])
def test_beside_a_whole_number_only_units_in_the_last_place_are_noise(write):
    for whole in (1.0, -1.0, 3.0, 128.0, -4096.0, 99999.0):
        for units in range(-600, 601, 1):
            number = whole + units * math.ulp(whole) / 2  # below a power of two it is half of it
            text = write(number)
            noise = abs(number - whole) <= 4 * math.ulp(number)
            assert text.startswith(ABOUT) != noise, (number, text)
    assert write(0.1 + 0.2).lstrip("+") == "0.3"
    # functions that flatten out: 1 is written where it is 1
    for x in range(6, 45):
        flat = (math.tanh(x), 1 / (1 + math.exp(-x)), math.erf(x / 4), -math.tanh(x))
        for number in (y for y in flat if abs(y) > 0.99996):
            is_one = 1 - abs(number) <= 4 * math.ulp(number)
            assert write(number).startswith(ABOUT) != is_one, (x, number)


@given(finite)
def test_the_shortest_text_reads_back_as_the_number_up_to_dust(number: float):
    text = short(number, "shortest")
    assert not text.startswith(ABOUT)
    assert math.isclose(read(text), number, rel_tol=1e-12, abs_tol=0.0)


@given(finite, any_digits)
def test_a_short_text_has_no_ascii_minus_and_stays_short(number: float, digits):
    text = short(number, digits)
    assert "-" not in text
    assert len(text) <= (25 if digits == "shortest" else 12)


@given(finite, any_digits)
def test_a_number_and_its_opposite_differ_by_their_sign_only(number: float, digits):
    assert short(abs(number), digits) == short(-abs(number), digits).replace("−", "", 1) or (
        "e−" in short(number, digits)
    )
    assert signed(abs(number), digits).replace("+", "") == short(abs(number), digits)


@given(st.floats(allow_nan=False))
def test_the_full_text_reads_back_bit_for_bit(number: float):
    for text in (full(number), plain(number)):
        back = parse_number(text)
        assert back is not None
        assert struct.pack("d", back) == struct.pack("d", number)


def test_the_full_text_has_a_true_minus_and_the_plain_one_is_ascii():
    assert full(-0.1) == "−0.1"
    assert full(-1e-9) == "−1e−9"
    assert plain(-1e-9) == "-1e-9"
    assert full(4.0) == "4"
    assert full(math.nan) == "nan"


@in_turn("digits", [1, 2, 4, 6, "shortest"])
def test_minus_zero_is_drawn_as_zero_and_written_in_full_with_its_sign(digits: Digits):
    assert (short(-0.0, digits), signed(-0.0, digits), decimals(-0.0)) == ("0", "0", "0")
    assert (full(-0.0), plain(-0.0)) == ("−0.0", "-0.0")
    assert (full(0.0), plain(0.0)) == ("0", "0")


@given(st.floats(allow_nan=False, allow_infinity=False), st.sampled_from([1, 2, 4, 6]))
@example(0.99999, 4)
@example(99999.5, 4)
@example(9999999.6, 2)
@example(-12345.678, 4)
@example(sys.float_info.max, 2)
def test_the_numbers_written_alike_are_one_range(number: float, digits: int):
    low, high = printed_range(number, digits)
    text = short(number, digits)
    assert low <= number <= high
    assert is_rounded(number, digits) == (low < high)
    if low == high or abs(number) < 1e-300 or math.isinf(high) or math.isinf(low):
        return
    inward = (high - low) * 1e-3
    for share in (inward, (high - low) * 0.31, (high - low) * 0.77, high - low - inward):
        other = low + share
        if is_rounded(other, digits):  # a number written whole stands for itself alone
            assert short(other, digits) == text
    if abs(number) < 1e308:  # the largest are rounded down
        for other in (low - 3 * inward, high + 3 * inward):
            assert short(other, digits) != text


@given(st.text(max_size=80))
def test_whatever_is_typed_is_read_or_refused(text: str):
    number = parse_number(text)
    assert number is None or isinstance(number, float)


@in_turn(
    ("text", "number"),
    [
        ("2", 2.0), (" 2 ", 2.0), ("−2", -2.0), ("-2", -2.0), ("− 2", -2.0), ("+2", 2.0),
        ("1e-3", 0.001), ("1E−3", 0.001), (".5", 0.5), ("5.", 5.0), ("inf", math.inf),
        ("+inf", math.inf), ("−INF", -math.inf), ("0e99999", 0.0),
    ],
)  # fmt: skip
def test_numbers_are_read_as_people_type_them(text: str, number: float):
    assert parse_number(text) == number


def test_nan_is_read():
    number = parse_number("NaN")
    assert number is not None
    assert math.isnan(number)


@in_turn(
    "text",
    [
        "", " ", "-", "e5", "1,000", "-12,500", "1,000,000", "1.000,5", ",5", "1 000", "1_000",
        "0x10", "1e999", "-1e999", "1e-999", "two",
        "1\0", "1\n", "\u0661", "\uff11", "--1", "1e", "∞", "9" * 65, "infinity", "\ud800",
    ],
)  # fmt: skip
def test_what_is_no_plain_number_is_refused(text: str):
    assert parse_number(text) is None


def test_a_decimal_comma_is_read_in_fields_and_answers():
    texts = {"-1,5": -1.5, "−1,5": -1.5, "0,125": 0.125, "1234,567": 1234.567, "1,5e3": 1500.0}
    for text, number in texts.items():
        assert parse_number(text) == read_answer(text).number == number, text
    assert read_answer("2 × 1,5").number == 3.0
    for text in ("1,000", "2 × 1,000"):
        assert read_answer(text).advice == "1,000 is 1000 or 1.000: write one.", text


@in_turn(
    ("text", "sentence"),
    [
        ("abc", "abc is no number. Write one such as −0.5, 1e3 or inf."),
        ("1/3", "1/3 is no number. Write one such as −0.5, 1e3 or inf."),
        ("1,000", "1,000 is 1000 or 1.000: write one."),
        (
            " -1e400",
            "-1e400 is too large: the largest number is about 1.8e308. inf means infinity.",
        ),
        ("1e-400", "1e-400 is too small: the smallest number above 0 is about 5e−324."),
        ("9" * 65, "This is too long: a number has at most 64 characters here."),
        (" ", "Write a number, such as −0.5, 1e3 or inf."),
    ],
)
def test_a_refused_text_is_told_what_to_write_instead(text: str, sentence: str):
    assert parse_number(text) is None
    assert why_no_number(text) == sentence


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


def test_it_fits_and_says_the_number_to_half_a_unit_of_its_last_digit():
    for x, room in product(map(drawn, sampled(range(3000), 6)), range(len(LONGEST), 16)):
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


def test_more_room_shows_no_fewer_digits():
    for x in map(drawn, sampled(range(3000), 12)):
        texts = [in_room(x, room) for room in range(len(LONGEST), 16)]
        counts = [digits(text) for text in texts if text != decimals(x)]
        assert counts == sorted(counts), x


@in_turn(
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


@in_turn(
    ("text", "number"),
    [
        ("5/3", 5 / 3), ("−5 / 3", -5 / 3), ("1e3/2", 500.0), ("0.5", 0.5), ("inf", math.inf),
        ("5/0", None), ("5/", None), ("/3", None), ("1/2/3", None), ("1e300/1e-300", None),
        ("inf/inf", None), ("a/3", None), ("1+1", None),
    ],
)  # fmt: skip
def test_a_field_takes_a_quotient_of_two_numbers(text: str, number: float | None):
    assert parse_quotient(text) == number
