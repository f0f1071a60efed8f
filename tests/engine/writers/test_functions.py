"""Functions of floats and of complex numbers, made from the rules."""

import math

import pytest

from engine.ops import BY_NAME
from engine.writers import FLOATS, complex_function


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


STEP = 1e-30


@pytest.mark.parametrize(
    ("name", "at", "slope"),
    [
        *(("relu", -2.0, 0.0), ("relu", 2.0, 1.0), ("leaky_relu", -2.0, 0.01), ("abs", -2.0, -1.0)),
        *(("softplus", 30.0, 1.0), ("square", 3.0, 6.0), ("sign", 3.0, 0.0), ("floor", 0.5, 0.0)),
    ],
)
def test_a_complex_step_measures_the_slope_of_the_piece_it_starts_from(name, at, slope):
    op = BY_NAME[name]
    function = complex_function(op.slots, op.value)
    assert function is not None
    assert function(complex(at, STEP)).imag / STEP == pytest.approx(slope, rel=1e-15)


def test_a_power_beside_its_cut_is_refused():
    function = complex_function(BY_NAME["pow"].slots, BY_NAME["pow"].value)
    assert function is not None
    assert function(-2.0 + 0j, 3.0 + 0j) == -8.0
    with pytest.raises(ValueError, match="beside the cut"):
        function(-2.0 + 0j, 0.5 + 0j)


def test_what_has_no_continuation_has_no_function():
    assert complex_function(("a",), BY_NAME["gelu"].value) is None
