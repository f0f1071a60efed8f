"""Rules for floats: which divisions are guarded, and which functions are called."""

import math

import pytest

from engine.writers.functions import FLOATS


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("2 * a", "2.0 * a"),
        ("1 / b", "1.0 / b if b else div(1.0, b)"),
        ("1 / (1 + a)", "div(1.0, 1.0 + a)"),
        ("1 / (1 + a * a)", "1.0 / (1.0 + a * a)"),
        ("exp(a) / (1 + exp(a))", "exp(a) / (1.0 + exp(a))"),
        ("a ** b", "pow(a, b)"),
    ],
)
def test_only_what_python_refuses_is_guarded(text: str, written: str):
    assert FLOATS.write(text) == written


def test_a_rule_that_is_one_call_is_that_function_itself():
    assert FLOATS.function(("a",), "tanh(a)") is math.tanh
    assert FLOATS.function(("a", "out"), "cos(a)")(0.0, 0.0) == 1.0
