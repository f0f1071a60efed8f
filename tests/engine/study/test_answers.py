"""Answers: what people write is read as a number, and nothing that is written is executed."""

import math

import pytest

from engine.study.judging import ANSWER_LIMIT, read_answer


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("6", 6),
        (" −6 ", -6),
        ("+3", 3),
        ("-2*-3", 6),
        ("−2 × −3", 6),
        ("2·3", 6),
        ("1/3", 1 / 3),
        ("1 ÷ 4", 0.25),
        ("1-0.5^2", 0.75),
        ("2**-1", 0.5),
        ("(1 + 2) * 3", 9),
        ("1e-3", 0.001),
        (".5", 0.5),
        ("= 4", 4),
        ("∞", math.inf),
        ("−∞", -math.inf),
        ("inf", math.inf),
        ("NaN", math.nan),
        ("1/0", math.inf),
        ("tanh(0)", 0),
        ("exp(0) + 1", 2),
        ("1 - tanh(0.5)**2", 1 - math.tanh(0.5) ** 2),
    ],
)
def test_an_answer_is_read_in_the_spellings_people_use(text: str, number: float):
    found = read_answer(text).number
    assert found is not None
    assert found == number or (math.isnan(found) and math.isnan(number))


@pytest.mark.parametrize(
    "text",
    [
        *[
            "",
            "  ",
            "two",
            "a*b",
            "1;2",
            "x=3",
            "__import__('os')",
            "(1).real",
            "[1]",
            "1 if 1 else 2",
        ],
        *[
            "lambda: 1",
            "True",
            "'1'",
            "1,5",
            "1e999x",
            "(" * 60,
            "9" * (ANSWER_LIMIT + 1),
            "tanh()",
            "1\n2",
        ],
        *["maximum(1)", "f'{1}'", "1j", "0x", "print(1)", "*", "1 +", "10**10**10**"],
    ],
)
def test_what_is_no_number_gets_advice_instead(text: str):
    found = read_answer(text)
    assert found.number is None
    assert found.advice.endswith(".")


@pytest.mark.parametrize("text", ["9**9**9**9", "10**400", "-(9**999)", "exp(exp(exp(9)))"])
def test_a_number_past_the_largest_is_infinite_at_once(text: str):
    assert math.isinf(read_answer(text).number or 0)


@pytest.mark.parametrize(
    ("text", "half_unit"),
    [
        ("0.33", 0.005),
        ("0.3", 0),
        ("3", 0),
        ("33", 0.5),
        ("1.50", 0.005),
        ("1/3", 0),
        ("−0.25", 0.005),
        ("1.2e3", 50),
        ("0.05", 0),
        ("0.050", 0.0005),
        ("inf", 0),
    ],
)
def test_only_a_decimal_with_two_significant_digits_may_be_rounded(text: str, half_unit: float):
    assert read_answer(text).half_unit == pytest.approx(half_unit, abs=1e-15)
