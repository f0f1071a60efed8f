"""Curves of a nudge: nothing is drawn that is not there."""

import math

import pytest

from app.workbench.trials.checking import CheckMethod, CheckRow, rows
from app.workbench.trials.nudging import (
    Curve,
    curve_through,
    leaf_range,
    nudge,
    nudge_sentence,
    refusal,
    same_curve,
    sample_curve,
)
from engine import from_expression
from engine.graph import Graph
from engine.trace import run
from tests.helpers.tables import in_turn


def curve_of(text: str, h: float = 0.001, **leaves: float) -> tuple[Graph, Curve]:
    graph = from_expression(text, leaves)
    trace, leaf = run(graph), graph.node_named("a")
    assert leaf is not None
    low, high = leaf_range(trace.values[leaf], h)
    return graph, curve_through(trace, leaf, low, high, list(sample_curve(trace, leaf, low, high)))


def said(text: str, method: CheckMethod = "forward", **leaves: float) -> str:
    graph, curve = curve_of(text, **leaves)
    row: CheckRow = next(rows(graph, method=method))
    return nudge_sentence(graph, row, nudge(run(graph), row, method, 0.001), curve)


def test_a_smooth_curve_is_one_stroke_through_the_point():
    graph, curve = curve_of("y = sin(a)", a=1)
    (stroke,) = curve.strokes
    assert (stroke[0][0], stroke[-1][0]) == (curve.low, curve.high)
    assert (1.0, math.sin(1.0)) in stroke
    assert not curve.straight
    assert graph.root is not None


@pytest.mark.parametrize(
    ("text", "a", "at"),
    [
        ("1/a", 0.5, 0.0),
        ("sign(a)", 0.5, 0.0),
        ("floor(a)", 0.5, 1.0),
        ("tan(a)", 1.0, math.pi / 2),
    ],
)
def test_a_stroke_ends_where_the_value_jumps_or_goes_to_infinity(text, a, at):
    _graph, curve = curve_of(text, a=a)
    for stroke in curve.strokes:
        assert not stroke[0][0] < at - 1e-3 < at + 1e-3 < stroke[-1][0]
    assert len(curve.strokes) >= 2


@in_turn("text", ["relu(a)", "abs(a)", "exp(9*a)", "tanh(90*a)", "a**9"])
def test_what_only_bends_or_is_steep_is_not_broken(text):
    _graph, curve = curve_of(text, a=0.25)
    assert len(curve.strokes) == 1
    assert not curve.straight


def test_what_has_no_value_is_not_drawn():
    _graph, curve = curve_of("log(a)", a=0.5)
    (stroke,) = curve.strokes
    assert stroke[0][0] > 0
    assert curve.top - curve.bottom < 20, "the tail that goes to minus infinity is cut off"


def test_infinities_leave_a_range_to_draw():
    for text, a in (("log(a)", 0.0), ("1/a", 0.0), ("sqrt(a)", -9.0), ("exp(exp(a))", 9.0)):
        _graph, curve = curve_of(text, a=a)
        assert math.isfinite(curve.bottom)
        assert curve.bottom < curve.top < 1e200


def test_a_straight_line_is_found_and_said():
    assert curve_of("y = 3*a + 2", a=1)[1].straight
    assert curve_of("y = 1e9 + a", a=1)[1].straight
    assert "tangent and secant coincide" in said("y = 3*a + 2", a=1)
    assert "the tangent lies on it" in said("y = 3*a + 2", "exact", a=1)
    assert "coincide" not in said("y = a*a", a=1)


def test_a_sentence_says_what_the_nudge_does():
    assert said("y = a*a", a=1).startswith("a from 1 to 1.001 moves y from 1 to 1.00")
    assert "at a − h and" in said("y = a*a", "central", a=1)
    assert said("y = relu(a)", "exact", a=0) == "relu has no slope at 0; the convention 0 is used."
    assert "no point to draw" in said("y = log(a)", a=0)
    assert "no tangent" in said("y = sqrt(a)", "exact", a=0)


def test_only_a_finite_leaf_is_nudged():
    graph = from_expression("y = a*2", {"a": math.inf})
    assert refusal(graph, 1) == "a is inf: no point of a curve."
    assert "only a leaf can be nudged" in refusal(graph, 2)
    assert "Select a row" in refusal(graph, None)
    assert refusal(graph.with_values({1: 2.0}), 1) == ""


def test_the_curve_stays_while_its_own_leaf_alone_changes():
    graph = from_expression("y = a*b", {"a": 2, "b": 3})
    assert same_curve(graph, graph.with_values({1: 5.0}), 1)
    assert not same_curve(graph, graph.with_values({2: 5.0}), 1)


def test_a_place_has_few_digits_and_stays_within_the_range():
    curve = Curve(1, -1.0, 1.0, (), -1.0, 1.0)
    assert curve.rounded(0.123456) == 0.12
    assert curve.rounded(9.0) == 1.0
    assert curve.step() == 0.1
    assert curve.contains(0.5)
    assert not curve.contains(0.95)
