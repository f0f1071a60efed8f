"""Rules as people write them, on the screen and in LaTeX, with numbers, and as functions."""

import math
import re
from itertools import product

import pytest

from engine.ops import BY_NAME, OPS, Op
from engine.writers import FLOATS, bracketed, complex_function, latex, on_screen
from tests.helpers.tables import in_turn


@in_turn(
    ("text", "screen", "tex"),
    [
        ("a * a", "a²", "a^2"),
        ("3 * a * a", "3 · a · a", r"3 \, a \, a"),
        ("(1 - a) * (1 + a)", "1 − a²", "1 - a^2"),
        ("(1 + a) * (1 - a)", "(1 + a) · (1 − a)", r"(1 + a) \, (1 - a)"),
        ("a / b / b", "(a ÷ b) ÷ b", r"\frac{\frac{a}{b}}{b}"),
        ("-1 / sqrt(a + b)", "−1 ÷ √(a + b)", r"-\frac{1}{\sqrt{a + b}}"),
        ("2 * log(a)", "2 · log(a)", r"2 \ln(a)"),
        ("a ** (b - 1)", "a^(b − 1)", "a^{b - 1}"),
        (
            "0 if a < b else 0.5 if a == b else 1",
            "0 if a < b, ½ if equal, else 1",
            r"\begin{cases} 0 & a < b \\ \tfrac{1}{2} & a = b \\ 1 & \text{else} \end{cases}",
        ),
    ],
)
def test_a_rule_is_written_as_people_write_it(text: str, screen: str, tex: str):
    assert (on_screen(text), latex(text)) == (screen, tex)


def test_the_value_is_written_by_its_own_formula():
    assert on_screen("1 + out * out", "tan(a)") == "1 + tan(a)²"
    assert latex("1 + out * out", "tan(a)") == r"1 + \tan^2(a)"


LEAVES = {"x": 0.75, "y": -1.5, "w": 2.0}
FILLERS: dict[str, float] = {
    "3": 3.0,
    "−3": -3.0,
    "0.5": 0.5,
    "−0.25": -0.25,
    "2e−7": 2e-7,
    "≈ 0.3333": 0.3333,
    "≈ −2": -2.0,
    "x": 0.75,
    "x + y": -0.75,
    "x − y": 2.25,
    "x*w": 1.5,
    "w ÷ y": 2.0 / -1.5,
    "−w": -2.0,
    "w ^ 2": 4.0,
    "y²": 2.25,
    "exp(x) − w": math.exp(0.75) - 2.0,
}
"""What may take the place of a letter, and what it is worth with LEAVES."""

FUNCTIONS = {
    **{op.name: op.forward for op in OPS},
    "nan": math.nan,
    "max": max,
    "min": min,
    "abs": abs,
    "Phi": lambda a: 0.5 * math.erfc(-a / math.sqrt(2)),
    "phi": lambda a: math.exp(-a * a / 2) / math.sqrt(2 * math.pi),
}
SIGNS = {
    "−": "-",
    "×": "*",
    "·": "*",
    "÷": "/",
    "^": "**",
    "²": "**2",
    "≈": "",
    "½": "0.5",
    "≤": "<=",
}


def read(text: str) -> float:
    """The worth of a formula as it stands on the screen, by Python's rules of precedence."""
    code = text.replace("Φ", "Phi").replace("φ", "phi")
    for sign, python in SIGNS.items():
        code = code.replace(sign, python)
    code = re.sub(r"\|([^|]*)\|", r"abs(\1)", code)
    code = re.sub(r"√(\d[\d.]*(?:e-\d+)?|\w+)", r"√(\1)", code).replace("√", "sqrt")
    code = re.sub(r", if equal", ", 0.5 if equal", code)
    code = re.sub(r"(.+) if (.+), (.+) if equal, else (.+)", r"\1 if \2 else \4", code)
    code = re.sub(r"(.+) if (.+), else (.+)", r"(\1) if \2 else (\3)", code)
    try:
        return float(eval(code.strip(), {"__builtins__": {}}, {**FUNCTIONS, **LEAVES}))
    except (ZeroDivisionError, OverflowError):
        return math.nan


def is_close(found: float, expected: float) -> bool:
    if math.isnan(expected) or math.isinf(expected):
        return math.isnan(found) or found == expected
    return math.isclose(found, expected, rel_tol=1e-9, abs_tol=1e-12)


def arguments(op: Op):
    few = list(FILLERS) if len(op.slots) < 3 else list(FILLERS)[1::2]
    return product(few, repeat=len(op.slots))


@in_turn("op", OPS)
def test_a_filled_formula_has_the_value_of_the_node(op: Op):
    for texts in arguments(op):
        value = op.forward(*(FILLERS[text] for text in texts))
        if math.isnan(value):
            continue
        filled = op.filled(op.formula, texts)
        assert is_close(read(filled), value), f"{filled} is {value}"


@in_turn("op", OPS)
def test_a_filled_slope_has_the_value_of_the_local_derivative(op: Op):
    for texts in arguments(op):
        at = [FILLERS[text] for text in texts]
        value = op.forward(*at)
        if not math.isfinite(value) or op.kink(*at):
            continue
        for partial, slope in zip(op.partials, op.slopes, strict=True):
            local = partial(*at, value)
            if math.isfinite(local):
                filled = op.filled(slope, texts)
                assert is_close(read(filled), local), f"{filled} is {local}"


@in_turn("op", OPS)
def test_where_a_convention_does_not_give_the_slope_its_text_does(op: Op):
    """At nan, at 0 and beyond a threshold too: the text chooses as the partial does."""
    for at in product((math.nan, 0.0, -2.0, 21.0), repeat=len(op.slots)):
        value = op.forward(*at)
        for slot, (partial, slope) in enumerate(zip(op.partials, op.slopes, strict=True)):
            local = partial(*at, value)
            if op.by_convention(slot, *at) or math.isnan(local) or math.isinf(local):
                continue
            filled = op.filled(slope, [f"({number})" for number in at])
            assert is_close(read(filled), local), f"{filled} is {local}"


@in_turn(
    ("slot", "at", "convention"),
    [
        *((0, (0.0, 0.0), True), (1, (0.0, 0.0), True), (0, (math.nan, 0.0), True)),
        *((0, (0.0, 2.0), False), (1, (0.0, 2.0), True), (1, (2.0, 0.0), False)),
        *((0, (0.0, 0.5), False), (1, (0.0, -1.0), False)),
    ],
)
def test_a_power_follows_a_convention_where_its_rule_has_no_value(slot, at, convention):
    assert BY_NAME["pow"].by_convention(slot, *at) is convention


@in_turn(
    ("name", "texts", "filled"),
    [
        ("pow", ("−3", "2"), "(−3) ^ 2"),
        ("add", ("x1*w1", "x2*w2"), "x1*w1 + x2*w2"),
        ("mul", ("x1*w1 + b", "c"), "(x1*w1 + b) × c"),
        ("sub", ("a", "b + c"), "a − (b + c)"),
        ("neg", ("−3",), "−(−3)"),
        ("sqrt", ("a + b",), "√(a + b)"),
        ("tanh", ("x*w + b",), "tanh(x*w + b)"),
        ("mul", ("≈ 1", "2"), "(≈ 1) × 2"),
        ("maximum", ("x if y", "b"), "max((x if y), b)"),
        ("mul", (":)", "b"), "(:)) × b"),
    ],
)
def test_brackets_stand_where_they_are_needed_and_nowhere_else(name, texts, filled):
    op = BY_NAME[name]
    assert op.filled(op.formula, texts) == filled


def test_a_number_with_an_exponent_is_one_number():
    assert bracketed("2e−7", "3 × ", " ^ 2") == "2e−7"


# functions of floats and of complex numbers, made from the rules


@in_turn(
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


@in_turn(
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
