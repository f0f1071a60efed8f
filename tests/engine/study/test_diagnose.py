"""From numbers back to the mistake that made them, and to where they stop being finite."""

import math

import pytest

from engine import MISTAKES, EngineError, Graph, edits, from_expression
from engine.graph import Leaf
from engine.study.diagnose import diagnose, first_bad_step
from engine.trace import run
from tests.helpers.graphs import demonstration, diamond, gradients, mistake


def named(rules):
    return [found.name for found in rules]


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({"a": 25, "b": 19}, []),
        ({"a": 1, "b": 1}, ["assign"]),
        ({"a": 29, "b": 22}, ["recursive"]),
        ({"a": 4, "b": 3}, ["depth-first", "random-order"]),
        ({"a": 4, "b": 3, "c": 7}, ["depth-first"]),
        ({"a": 0, "b": 0}, ["forward-order", "no-seed"]),
        ({"a": 0, "y": 0}, ["no-seed"]),
        ({"a": 100, "b": 76}, ["no-zero-grad"]),
        ({"a": 75, "b": 57}, ["zero-leaves-only"]),
        ({"a": 20, "b": 27}, ["mul-own-input"]),
        ({"a": 29.0000001}, ["recursive"]),
        ({"a": 29.001}, []),
        ({"a": math.nan}, []),
        ({}, []),
    ],
)
def test_gradients_name_their_mistakes(given, found):
    assert named(diagnose(demonstration(), given)) == found


@pytest.mark.parametrize("rules", MISTAKES, ids=lambda rules: rules.name)
def test_every_mistake_is_found_by_the_numbers_it_makes(rules):
    graph = from_expression("d = a/b; c = d + b; e = c*c; y = c*e + d", {"a": 3, "b": 2})
    wrong = gradients(graph, rules)
    assert wrong != gradients(graph)
    assert rules.name in named(diagnose(graph, wrong))


def test_a_gradient_that_was_never_computed_is_none():
    graph = edits.add(from_expression("y = a + a"), Leaf(1.0, "z"))
    assert named(diagnose(graph, {"a": 1, "z": None})) == ["assign"]
    assert named(diagnose(graph, {"a": None})) == []
    assert named(diagnose(graph, {"a": 1, "z": 0.0})) == []


def test_nan_is_told_by_nan():
    graph = from_expression("c = log(a); y = c/c + c", {"a": 0})
    assert "assign" not in named(diagnose(graph, {"a": math.nan}))
    assert diagnose(graph, {"a": math.nan}) == []


def test_a_mistake_that_takes_too_long_is_left_out():
    assert named(diagnose(diamond(40), {"x": 1.0})) == ["assign"]


def test_an_unknown_name_and_an_unfinished_graph_are_refused():
    with pytest.raises(EngineError, match=r"^There is no node called zebra\.$"):
        diagnose(demonstration(), {"zebra": 1.0})
    with pytest.raises(EngineError, match="Choose a root"):
        diagnose(Graph({1: Leaf(1.0, "a")}, None, 2), {"a": 1.0})


@pytest.mark.parametrize(
    ("expression", "x", "sentence"),
    [
        (
            "y = sqrt(x)",
            0.0,
            "sqrt (y) sends the first bad gradient: its local derivative 1 ÷ (2 · √0) is infinite.",
        ),
        (
            "y = 2*x**z",
            -2.0,
            "xʸ (v4) sends the first bad gradient: "
            "its local derivative (−2)^1 · log(−2) is not defined.",
        ),
        (
            "y = 1e200*(1e200*x)",
            1e-300,
            "× (v4) sends the first bad gradient: "
            "upstream × local derivative is too large for a number.",
        ),
        ("y = tanh(x)", 0.5, None),
    ],
)
def test_the_first_bad_gradient_is_named_with_its_reason(expression, x, sentence):
    found = first_bad_step(run(from_expression(expression, {"x": x})))
    assert (found and found.sentence) == sentence


def test_the_first_bad_gradient_is_found_under_a_mistake_too():
    graph = from_expression("y = sqrt(x)", {"x": 0})
    found = first_bad_step(run(graph, rules=mistake("no-zero-grad")))
    assert found is not None
    assert (found.node, found.slot) == (2, 0)
