"""Tests over the table of operations: adding one adds its tests."""

import itertools
import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.ops import BY_NAME, FAMILIES, OPS, Op, never, search
from engine.writers import complex_function
from tests.helpers.drawn import piece
from tests.helpers.exact import EXACT, Dual, mpf
from tests.helpers.tables import in_turn

OPERATIONS = pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)

BOUNDARY = (
    *(0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 3.0, 20.0, 20.5, -20.0, 1e-8, -1e-8),
    *(5e-324, -5e-324, 1e-300, 1e300, -1e300, 1.7976931348623157e308, 709.9, -709.9, -745.5),
    *(math.inf, -math.inf, math.nan, 1e22, 2.0**53, 4503599627370497.5, 1 / 3, math.pi / 2),
)


def points(op: Op):
    """Boundary values for every slot; of three slots the last takes a few."""
    few = (0.0, -2.0, 3.5, math.inf, math.nan)
    return itertools.product(*([BOUNDARY, BOUNDARY, few][: len(op.slots)]))


def test_all_operations_of_the_design_are_there_in_its_order():
    names = (
        "add sub mul div pow neg exp log log1p sqrt square abs sign floor sin cos tan asin acos "
        "atan tanh sigmoid relu leaky_relu elu softplus silu gelu maximum minimum where_gt0"
    )
    assert [op.name for op in OPS] == names.split()
    assert list(BY_NAME) == names.split()
    assert FAMILIES == ("Arithmetic", "Functions", "Trigonometry", "Activations", "Choices")


@OPERATIONS
def test_an_operation_never_raises_and_always_gives_floats(op):
    for inputs in points(op):
        value = op.forward(*inputs)
        assert type(value) is float, inputs
        for partial in op.partials:
            assert type(partial(*inputs, value)) is float, inputs
        assert type(op.kink(*inputs)) is bool


@OPERATIONS
def test_texts_are_complete_and_written_with_the_slots(op):
    for text in (op.name, op.symbol, op.family, op.formula, op.latex, op.description, op.domain):
        assert text
    assert re.fullmatch(r"[a-z][a-z0-9_]*", op.name)
    assert op.filled(op.formula, ["#"] * len(op.slots)).count("#") >= len(op.slots)
    letters = "|".join(op.slots)
    known = set(re.findall(rf"(?<![A-Za-z\\])({letters})(?![A-Za-z])", op.latex))
    assert known == set(op.slots)
    for text in (*op.latex_slopes, op.latex):
        assert text.count("{") == text.count("}")
    assert (op.kink is never) == (op.convention == "")


@OPERATIONS
def test_every_word_of_an_operation_finds_it(op):
    for word in (op.name, op.symbol, *op.synonyms, op.name[:3].upper()):
        assert op in search(word)
    assert search(op.name)[0] is op


@in_turn(
    ("text", "first"),
    [
        *(("*", "mul"), ("times", "mul"), ("product", "mul"), ("mul", "mul"), ("×", "mul")),
        *(("+", "add"), ("-", "sub"), ("/", "div"), ("**", "pow"), ("^", "pow"), ("ln", "log")),
        *(("max", "maximum"), ("swish", "silu"), (" Root ", "sqrt"), ("if", "where_gt0")),
    ],
)
def test_people_find_an_operation_by_what_they_call_it(text, first):
    assert search(text)[0].name == first


def test_nothing_finds_everything_and_nonsense_finds_nothing():
    assert search("") == list(OPS)
    assert search("zebra") == []


@in_turn(
    ("name", "numbers", "formula", "slope"),
    [
        ("mul", ("2", "−3"), "2 × (−3)", "−3"),
        ("mul", ("−2", "3"), "−2 × 3", "3"),
        ("sub", ("−1", "−2"), "−1 − (−2)", "1"),
        ("square", ("−2",), "(−2)²", "2 · (−2)"),
        ("log", ("−1",), "log(−1)", "1 ÷ (−1)"),
        ("pow", ("−8", "0.5"), "(−8) ^ 0.5", "0.5 · (−8)^(0.5 − 1)"),
        ("abs", ("−2",), "|−2|", "sign(−2)"),
        ("maximum", ("−1", "−2"), "max(−1, −2)", "0 if −1 < −2, ½ if equal, else 1"),
        ("where_gt0", ("−1", "−2", "−3"), "−2 if −1 > 0, else −3", "0"),
    ],
)
def test_numbers_stand_in_a_formula_as_one_writes_them(name, numbers, formula, slope):
    op = BY_NAME[name]
    assert op.filled(op.formula, numbers) == formula
    assert op.filled(op.slopes[0], numbers) == slope


def test_an_operation_needs_a_derivative_for_every_slot():
    with pytest.raises(ValueError, match="add needs one derivative per slot"):
        replace(BY_NAME["add"], derivatives=("1",))
    assert repr(BY_NAME["add"]) == "Op(add)"


@OPERATIONS
def test_a_kink_lies_where_two_pieces_meet(op):
    """Beside a kink the piece changes, or the slope does; elsewhere neither jumps."""
    if op.kink is never or op.name == "pow":
        return
    nearby = {"softplus": 20.0}.get(op.name, 0.0)
    rest = [nearby] * (1 if op.name in ("maximum", "minimum") else 0)
    rest = [1.0, 2.0] if op.name == "where_gt0" else rest
    assert op.kink(nearby, *rest)
    below, above = math.nextafter(nearby, -math.inf), math.nextafter(nearby, math.inf)
    assert piece(op, [below, *rest]) != piece(op, [above, *rest])
    assert not op.kink(below, *rest)
    assert not op.kink(above, *rest)


inside = st.floats(-30, 30).filter(lambda x: abs(x) > 1e-6)
DOMAIN = {
    "log": lambda x: abs(x),
    "sqrt": lambda x: abs(x),
    "log1p": lambda x: abs(x) - 0.999,
    "asin": lambda x: x / 31,
    "acos": lambda x: x / 31,
}


def drawn(data: st.DataObject, op: Op) -> list[float]:
    """Inputs inside the operation's domain and off its kinks."""
    inputs = [data.draw(inside) for _ in op.slots]
    if op.name == "pow":
        inputs[0] = abs(inputs[0])
    found = [DOMAIN.get(op.name, float)(x) for x in inputs]
    if op.kink(*found):
        found[0] += 0.25
    return found


@OPERATIONS
@given(data=st.data())
def test_values_and_slopes_are_those_of_mathematics(op, data):
    inputs = drawn(data, op)
    value = op.forward(*inputs)
    near = 4e-15 * max(1.0, *(abs(x) for x in inputs)) if op.name in ("tan", "pow") else 4e-16
    for slot in range(len(op.slots)):
        duals = [Dual(mpf(x), mpf(int(k == slot))) for k, x in enumerate(inputs)]
        exact = EXACT[op.name](*duals)
        scale = 1.0 if op.family == "Activations" else 0.0
        assert abs(mpf(value) - exact.at) <= near * max(abs(exact.at), scale * abs(inputs[0]))
        slope = op.partials[slot](*inputs, value)
        blur = (4e-16 if scale else 0.0) * max(1.0, abs(inputs[0]))
        assert abs(mpf(slope) - exact.speed) <= 10 * near * abs(exact.speed) + blur


@OPERATIONS
@given(data=st.data())
def test_the_complex_form_gives_the_same_values_on_the_real_line(op, data):
    continued = complex_function(op.slots, op.value)
    if continued is None:
        assert op.name == "gelu"
        return
    if op.name in ("sign", "floor"):
        return
    inputs = drawn(data, op)
    found = continued(*(complex(x, 0.0) for x in inputs))
    assert math.isclose(found.real, op.forward(*inputs), rel_tol=1e-12, abs_tol=1e-15)


def test_a_power_past_the_largest_number_keeps_the_sign_of_an_odd_one():
    power = BY_NAME["pow"].forward
    assert [power(-1e200, exponent) for exponent in (2.0, 3.0)] == [math.inf, -math.inf]
