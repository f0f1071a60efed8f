"""The numerical check finds every wrong gradient and never raises a false alarm."""

import math

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Graph, edits, from_expression
from engine.check import Check, check, passed
from engine.graph import Leaf
from engine.ops import BY_NAME, OPS, Op
from tests.helpers.drawn import any_graphs
from tests.helpers.graphs import EXAMPLES, demonstration, diamond, mistake
from tests.helpers.sampling import tries
from tests.helpers.tables import in_turn


def verdicts(expression: str, **values: float) -> dict[str, str]:
    return {found.name: found.verdict for found in check(from_expression(expression, values))}


@in_turn("example", EXAMPLES)
def test_the_known_graphs_agree(example):
    found = check(example.graph)
    assert [one.verdict for one in found] == ["agrees"] * len(example.leaves)
    assert passed(found)
    for one in found:
        assert one.numerical == pytest.approx(example.nodes[one.name]["grad"], rel=1e-12)
        assert one.analytic == pytest.approx(example.nodes[one.name]["grad"], rel=1e-12)


def test_an_answer_says_both_numbers_and_why():
    assert check(demonstration())[0] == Check(
        1, "a", 25.0, 25.0, "agrees", "Both ways give the same."
    )


@in_turn("name", ["assign", "recursive", "depth-first", "no-seed", "no-zero-grad", "mul-own-input"])
def test_a_mistake_is_found(name):
    found = check(demonstration(), rules=mistake(name))
    assert [one.verdict for one in found] == ["differs", "differs"]
    assert not passed(found)
    assert "apart" in found[0].reason


@in_turn(
    ("expression", "values", "verdict"),
    [
        *(
            ("relu(x)", {"x": x}, found)
            for x, found in ((0, "kink"), (1, "agrees"), (-1, "agrees"))
        ),
        *(("abs(x)", {"x": x}, found) for x, found in ((0, "kink"), (1e-9, "agrees"))),
        ("leaky_relu(x)", {"x": 0}, "kink"),
        ("sign(x)", {"x": 0}, "kink"),
        ("floor(x)", {"x": 3}, "kink"),
        ("floor(x)", {"x": 3.5}, "agrees"),
        ("softplus(x)", {"x": 20}, "kink"),
        ("softplus(x)", {"x": 20.0000001}, "agrees"),
        ("maximum(x, 1)", {"x": 1}, "kink"),
        ("minimum(1, x)", {"x": 1}, "kink"),
        ("maximum(x, x)", {"x": 1}, "agrees"),
        ("where_gt0(x, 1, 2)", {"x": 0}, "kink"),
        ("where_gt0(0, 1, x)", {"x": 0}, "agrees"),
        ("x**x", {"x": 0}, "not finite"),
        ("relu(0*x)", {"x": 3}, "agrees"),
        ("relu(x) - relu(-x)", {"x": 0}, "kink"),
        ("elu(x)", {"x": 0}, "agrees"),
        ("sqrt(x)", {"x": 0}, "not finite"),
        ("sqrt(x)", {"x": -1}, "not finite"),
        ("x**1.5", {"x": 0}, "not finite"),
        ("x**2", {"x": 0}, "agrees"),
        ("x**2", {"x": -3}, "agrees"),
        ("x**101", {"x": -1.5}, "agrees"),
        ("x**0.5", {"x": 1e-280}, "agrees"),
        ("1/x", {"x": 0}, "not finite"),
        ("1/x", {"x": 1e-200}, "not finite"),
        ("log(x)", {"x": 5e-324}, "not finite"),
        ("log(x)", {"x": 1e-280}, "agrees"),
        ("asin(x)", {"x": 1}, "not finite"),
        ("tan(x)", {"x": 1.57}, "agrees"),
        ("exp(x)", {"x": 709.7}, "agrees"),
        ("exp(x)", {"x": 710}, "not finite"),
        ("x + 1", {"x": math.inf}, "not finite"),
        ("gelu(x)", {"x": 0}, "agrees"),
        ("gelu(x)", {"x": -38}, "agrees"),
        ("gelu(x)", {"x": 1e6}, "agrees"),
        ("gelu(x)", {"x": 1e-300}, "agrees"),
        ("gelu(1e-200*x)", {"x": 1}, "agrees"),
        ("sin(x)", {"x": 1e22}, "agrees"),
        ("(x + 1e16) - 1e16", {"x": 1}, "agrees"),
        ("1e6*tanh(x)", {"x": 18}, "agrees"),
        ("1e6*sigmoid(x)", {"x": 36}, "agrees"),
        ("sin(1e15*exp(x))", {"x": 1.3}, "agrees"),
        ("(x - 1)**3*gelu(x)", {"x": 1}, "agrees"),
    ],
)
def test_each_verdict_where_it_belongs(expression, values, verdict):
    assert set(verdicts(expression, **values).values()) == {verdict}


def test_a_leaf_without_a_path_agrees_that_there_is_none():
    graph = edits.add(demonstration(), Leaf(1.0, "z"))
    found = check(graph)[-1]
    assert (found.analytic, found.numerical, found.verdict) == (None, 0.0, "agrees")
    assert found.reason == "No path leads from z to the root."


def test_a_kink_names_its_convention():
    found = check(from_expression("relu(x) + abs(x)", {"x": 0}))
    assert found[0].reason == "relu has no slope at 0; the convention 0 is used."


def test_rounding_is_allowed_for_along_all_paths():
    def reason(levels: int) -> str:
        return check(diamond(levels), rules=mistake("assign"))[0].reason

    assert reason(3) == "They are 7 apart; rounding explains at most 2.8e−13."
    assert reason(10) == "They are 1023 apart; rounding explains at most 1.1e−10."


def test_another_root_can_be_checked():
    assert [one.analytic for one in check(demonstration(), 3)] == [1.0, 1.0]


def wrong_by_a_hair(op: Op, slot: int) -> Op:
    """The op with one slope off by a hundred-millionth."""
    true = op.partials[slot]

    def off(*arguments: float) -> float:
        slope = true(*arguments)
        return slope + math.copysign(1e-7, slope)

    partials = list(op.partials)
    partials[slot] = off
    wrong = msgspec.structs.replace(op)
    vars(wrong)["partials"] = tuple(partials)  # in place of the functions of its formulas
    return wrong


CORRECTABLE = [
    (op, slot)
    for op in OPS
    for slot in range(len(op.slots))
    if op.name != "gelu"  # which central differences know to six digits only
]


@pytest.mark.parametrize(("op", "slot"), CORRECTABLE, ids=lambda part: getattr(part, "name", part))
def test_a_slope_that_is_wrong_by_a_hair_is_found(op, slot, monkeypatch):
    monkeypatch.setitem(BY_NAME, op.name, wrong_by_a_hair(op, slot))
    values = dict(zip("abc", (0.6, 0.35, 0.8), strict=True))
    graph = from_expression(f"{op.name}({', '.join('abc'[: len(op.slots)])})")
    found = check(
        graph.with_values({k: values[graph.names[k]] for k in range(1, len(op.slots) + 1)})
    )
    assert found[slot].verdict == "differs"
    others = [one.verdict for k, one in enumerate(found) if k != slot]
    assert others == ["agrees"] * len(others)


@settings(max_examples=tries(150))
@given(graph=any_graphs(complete=True))
def test_no_false_alarm_on_any_graph(graph):
    assert not any(found.verdict == "differs" for found in check(graph))


@given(st.sampled_from(OPS), st.lists(st.floats(), min_size=3, max_size=3))
def test_no_false_alarm_on_any_operation_anywhere(op, numbers):
    letters = "abc"[: len(op.slots)]
    graph = from_expression(
        f"{op.name}({', '.join(letters)})", dict(zip(letters, numbers, strict=False))
    )
    assert not any(found.verdict == "differs" for found in check(graph))


def test_an_unfinished_graph_is_refused():
    with pytest.raises(ValueError, match="Choose a root"):
        check(Graph())


@in_turn("text", ["log(a)", "sqrt(a)", "a ** 0.5", "asin(a - 1)", "exp(log(a)) + a"])
def test_where_a_value_is_nan_there_is_no_numerical_gradient(text: str):
    found = check(from_expression(text, {"a": -1}))[0]
    assert math.isnan(found.numerical)
    assert found.verdict == "not finite"


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("x*1e20 - x*1e20 + x", "rounding"),  # the gradient 1 is lost beside 1e20
        ("x*1e5 - x*1e5 + x", "agrees"),
        ("x - x", "agrees"),  # rounding explains more than 0, and far less than 0.1
        ("tanh(x*0.1) - tanh(x/10)", "agrees"),
    ],
)
def test_where_rounding_explains_any_gradient_nothing_is_told(text: str, verdict: str):
    (found,) = check(from_expression(text, {"x": 1.0}))
    assert found.verdict == verdict
    assert passed([found]) == (verdict == "agrees")
