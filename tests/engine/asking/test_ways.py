"""Other ways to an answer: which are offered where, and that each is true there."""

import math

import pytest

from engine import from_expression
from engine.asking.kinds import answer
from engine.asking.nudge import ripple_along
from engine.asking.question import Kind, Question, step_questions
from engine.asking.reasons import experiment
from engine.asking.ways import DOWN, OPEN, UP, Way, ways
from engine.graph import Leaf
from engine.numbers import short
from engine.rules import MISTAKES
from engine.trace import Trace, run
from tests.helpers.tables import in_turn

SHARED = from_expression("e = a*b; d = e + a; L = d*f", {"a": 2, "b": -3, "f": -2})


def at(trace: Trace, name: str) -> int:
    found = trace.graph.node_named(name)
    assert found is not None
    return found


def asked(trace: Trace, kind: Kind, receiver: str, sender: str) -> Question:
    """The question about what a node sends to another."""
    for step, event in enumerate(trace.events, 1):
        if event.wire and (event.node, event.sender) == (at(trace, receiver), at(trace, sender)):
            return next(q for q in step_questions(trace, step, (kind,)))
    raise AssertionError(f"{sender} sends nothing to {receiver}")


def names(found: tuple[Way, ...]) -> list[str]:
    return [way.name for way in found]


@in_turn(
    "formula, kind, receiver, sender, expected",
    [
        ("e = a*b; L = e*f", "local", "a", "e", ["places"]),
        ("e = a*b; L = e*f", "contribution", "a", "e", ["places", "gears"]),
        ("e = a*b; L = e*f", "contribution", "e", "L", ["places"]),  # the root has one gear
        ("e = a*b; d = e + a; L = d*f", "sum", "a", "e", []),  # its change is the answer
        ("e = a - b; L = e*f", "contribution", "b", "e", ["places", "gears"]),
        ("e = a/b; L = e*f", "contribution", "a", "e", ["places", "gears"]),
        ("e = a/b; L = e*f", "local", "b", "e", ["curve"]),
        ("o = tanh(n); L = o*f", "local", "n", "o", ["curve"]),
        ("o = tanh(n); L = o*f", "contribution", "n", "o", ["curve"]),
        ("e = n*f; o = tanh(e)", "contribution", "n", "e", []),  # its gears turn by a curve
        ("q = n**2; L = q*f", "local", "n", "q", ["curve"]),
        ("r = relu(n); L = r*f", "local", "n", "r", ["places"]),
        ("y = a*a", "contribution", "a", "y", []),  # one node in two slots
    ],
)
def test_only_what_is_true_of_an_operation_is_offered(
    formula: str, kind: Kind, receiver: str, sender: str, expected: list[str]
):
    numbers = {"a": 2.0, "b": -3.0, "f": -2.0, "n": 0.75}
    graph = from_expression(formula)
    trace = run(graph.with_values({leaf: numbers[graph.names[leaf]] for leaf in graph.leaves}))
    assert names(ways(asked(trace, kind, receiver, sender), trace)) == expected


def test_at_a_kink_and_under_a_mistake_there_is_no_other_way():
    kink = run(from_expression("r = relu(n); L = r*f", {"n": 0, "f": 2}))
    at_kink = asked(kink, "contribution", "n", "r")
    assert at_kink.wire is not None
    assert ways(at_kink, kink) == ()
    assert experiment(at_kink, kink) is None
    for rules in MISTAKES:
        trace = run(SHARED, rules=rules)
        found = [
            q for step in range(2, len(trace) + 1) for q in step_questions(trace, step, ("local",))
        ]
        assert not any(ways(q, trace) for q in found), rules.name


def test_gears_keep_a_slope_that_is_still_asked():
    trace = run(SHARED)
    question = asked(trace, "contribution", "a", "e")
    assert names(ways(question, trace, open_kinds=("sum",))) == ["places", "gears"]
    assert names(ways(question, trace, open_kinds=("local",))) == ["places"]
    gears = ways(question, trace)[-1]
    graph = trace.graph
    assert {graph.names[node]: text for node, text in gears.marks} == {
        "a": "1",
        "e": "−3",
        "L": "?",
    }


def test_arrows_come_where_only_the_sign_was_wrong_and_keep_the_last_one():
    trace = run(SHARED)
    question = asked(trace, "contribution", "a", "e")
    assert "arrows" not in names(ways(question, trace, typed=-3.0))
    arrows = ways(question, trace, typed=-6.0)[0]
    assert arrows.said.text == (
        "a on this wire up, and e goes down. Which way does L go with that?"
    )
    assert [text for _node, text in arrows.marks] == [UP, DOWN, OPEN]
    slope = ways(asked(trace, "local", "a", "e"), trace, typed=3.0)[0]
    assert slope.said.text == "a on this wire up: which way does e go?"
    assert [text for _node, text in slope.marks] == [UP, OPEN]


@in_turn(
    "leaf, text, arrows",
    [
        ("a", "a up, and e goes down and d goes up. Which way does L go with that?", "▲▼▲?"),
        ("b", "b up, and e goes up. Which way does L go with that?", "▲▲?"),
    ],
)
def test_a_sign_is_asked_by_arrows_on_what_reads_the_leaf(leaf: str, text: str, arrows: str):
    trace = run(SHARED)
    [way] = ways(Question("sign", at(trace, leaf)), trace)
    assert (way.said.text, "".join(mark for _node, mark in way.marks)) == (text, arrows)
    assert ways(Question("sign", at(trace, "f")), trace) == (), "its reader is the one asked for"


def test_the_number_stands_at_the_other_place_and_moves_the_root_alike():
    trace = run(SHARED)
    way = ways(asked(trace, "contribution", "e", "d"), trace)[0]
    assert way.said.text == "e at −6 or 10: +0.01 moves L by −0.02 both times. And for 1?"
    for receiver, sender in (("a", "e"), ("b", "e"), ("f", "L")):
        question = asked(trace, "contribution", receiver, sender)
        leaf = at(trace, receiver)
        assert isinstance(trace.graph.nodes[leaf], Leaf)
        there = run(trace.graph.with_values({leaf: 10.0}))
        assert question.wire is not None
        effects = [ripple_along(t, (question.wire,), 0.01, t.root).effect for t in (trace, there)]
        assert short(effects[0]) == short(effects[1])
        assert short(effects[0] / 0.01) == short(answer(question, trace))


def test_a_ripple_along_a_wire_leaves_the_other_wires_of_its_node_alone():
    trace = run(SHARED)
    a, e, d, big = (at(trace, name) for name in ("a", "e", "d", "L"))
    over_e = ripple_along(trace, ((e, 0),), 0.01, big)
    assert [over_e.change(n) for n in (a, e, d, big)] == pytest.approx([0.01, -0.03, -0.03, 0.06])
    assert [over_e.carries(w) for w in ((e, 0), (d, 0), (d, 1), (big, 0))] == [
        True,
        True,
        False,
        True,
    ]
    both = ripple_along(trace, ((e, 0), (d, 1)), 0.01, big)
    assert both.effect == pytest.approx(0.04)
    slope = ripple_along(trace, ((e, 0),), 0.01, e)
    assert (slope.columns, slope.ratio) == ({a: 0, e: 1}, pytest.approx(-3.0))
    assert math.isnan(slope.effect) is False
    assert slope.root == e
