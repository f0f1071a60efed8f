"""Nudges: quotients to the digit of the lessons, and why they are not the gradient."""

import math

import pytest
from hypothesis import given, settings

from engine import EngineError, Graph, from_expression
from engine.check import check
from engine.frame import frame_at
from engine.study.nudge import curve, quotient, remark, root_value
from engine.trace import Trace, evaluate_values, run
from tests.helpers.extent import tries
from tests.helpers.graphs import reference
from tests.helpers.random_graphs import graphs


def traced(text: str, **leaves: float) -> Trace:
    return run(from_expression(text, leaves))


def named(trace: Trace, name: str) -> int:
    node = trace.graph.node_named(name)
    assert node is not None
    return node


def test_the_quotients_of_the_by_hand_lesson_are_right_to_the_last_digit():
    lesson = reference("by_hand_check")
    trace = traced(lesson["expression"], **lesson["leaves"])
    found = {n: quotient(trace, named(trace, n), lesson["h"]).value for n in lesson["quotients"]}
    assert found == lesson["quotients"]


def test_a_central_quotient_is_closer_than_a_forward_one():
    trace = traced("y = a**3", a=2)
    forward, central = (quotient(trace, 1, 0.001, m).value for m in ("forward", "central"))  # pyright: ignore
    assert abs(central - 12) < 2e-6 < 5e-3 < abs(forward - 12)


@settings(max_examples=tries(200))
@given(graphs(most=8, finite=True))
def test_a_nudge_computes_what_the_graph_with_another_leaf_does(graph: Graph):
    trace = run(graph)
    for leaf in (n for n in graph.nodes if type(graph.nodes[n]).__name__ == "Leaf"):
        other = evaluate_values(graph.with_values({leaf: 1.25}))[trace.root]
        found = root_value(trace, leaf, 1.25)
        assert found == other or (math.isnan(found) and math.isnan(other))


@pytest.mark.parametrize(
    ("text", "leaves", "h", "said"),
    [
        ("y = 2*a", {"a": 1}, 0.5, ""),
        ("y = a*a", {"a": 3}, 0.001, "The secant over h is not yet the tangent"),
        ("y = exp(a)", {"a": 1}, 1e-15, "h is too small"),
        ("y = a*a", {"a": 3}, 1.0, "h is too large"),
        ("y = 1/a", {"a": 0.5}, 1.0, "h is too large"),
        ("y = log(a)", {"a": 0.5}, -1.0, "y is nan at a + h"),
        ("y = exp(a)", {"a": 709}, 1.0, "y is inf at a + h"),
        ("y = 2*a", {"a": 1e20}, 0.001, "h is too small"),
        ("y = (a + c) - c", {"a": 1, "c": 1e16}, 0.001, "h is too small"),
        ("y = relu(a)", {"a": -0.0001}, 0.001, "The step goes over a kink of relu"),
        ("y = abs(a)", {"a": -0.0001}, 0.001, "The step goes over a kink of abs"),
        ("y = floor(a)", {"a": 0.9999}, 0.001, "The step goes over a jump of floor"),
        ("y = sin(1000*a)**2", {"a": 0.0003}, 0.001, "h is too large"),
        ("y = exp(0 - (1000*a)**2)", {"a": 0.001}, 0.001, "h is too large"),
        ("y = maximum(a, b)", {"a": 1, "b": 1.0001}, 0.001, "The step goes over a kink of maximum"),
        ("y = log(a)", {"a": 0}, 0.001, "The quotient or the gradient is infinite or nan"),
    ],
)
def test_a_quotient_says_why_it_is_not_the_gradient(text, leaves, h, said):
    trace = traced(text, **leaves)
    a = named(trace, "a")
    found = remark(trace, a, quotient(trace, a, h), frame_at(trace, len(trace)).grads[a])
    assert found.sentence.startswith(said)
    assert bool(found.sentence) == bool(said)


@pytest.mark.parametrize("h", [0.0, math.nan, math.inf])
def test_a_nudge_of_nothing_is_refused(h: float):
    trace = traced("y = a*a", a=3)
    with pytest.raises(EngineError, match="A nudge is a number other than 0"):
        quotient(trace, 1, h)


def test_an_op_node_can_be_nudged_and_checked_as_a_leaf_can():
    trace = traced("e = a*b; y = e*e + a", a=2, b=3)
    e = named(trace, "e")
    assert quotient(trace, e, 1.0).value == (7 * 7 - 6 * 6)
    (found,) = check(trace.graph, nodes=[e])
    assert (found.node, found.analytic, found.verdict) == (e, 12.0, "agrees")


def test_a_curve_goes_through_the_point():
    trace = traced("y = a*a", a=3)
    points = curve(trace, 1, 2.0, 4.0, 5)
    assert points == [(2.0, 4.0), (2.5, 6.25), (3.0, 9.0), (3.5, 12.25), (4.0, 16.0)]
