"""The quick ways give what traces and frames give, number for number."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import edits, from_expression, quick
from engine.frame import Frame, frame_at, live_frame
from engine.graph import Graph, Leaf, OpNode
from engine.rules import MISTAKES
from engine.trace import run, run_forward
from tests.helpers.extent import tries
from tests.helpers.random_graphs import graphs


def alike(one: Frame, other: Frame) -> bool:
    """Whether two frames show the same, where nan is the same as nan."""
    return repr(_sorted(one)) == repr(_sorted(other))


def _sorted(frame: Frame) -> tuple:
    maps = (frame.values, frame.grads, frame.fired)
    parts = [sorted(found.items()) for found in maps]
    return (frame.phase, frame.cursor, frame.total, *parts, sorted(frame.pathless))


def with_other_numbers(graph: Graph) -> Graph:
    leaves = [node for node, found in graph.nodes.items() if isinstance(found, Leaf)]
    return graph.with_values({leaf: 0.25 + k for k, leaf in enumerate(leaves)})


@given(graphs())
@settings(max_examples=tries(60), deadline=None)
def test_live_values_are_those_of_a_live_frame(graph):
    assert alike(quick.live(graph), live_frame(graph))
    other = with_other_numbers(graph)
    assert alike(quick.live(other), live_frame(other))


def test_a_node_that_waits_for_an_input_has_no_value_live():
    graph = edits.add(from_expression("y = a*b"), OpNode("add", (1, None)))
    assert alike(quick.live(graph), live_frame(graph))


@given(graphs(), st.data())
@settings(max_examples=tries(80), deadline=None)
def test_a_pass_run_again_is_the_pass_of_the_new_numbers(graph, data):
    before = run(graph)
    other = with_other_numbers(graph)
    after, right = quick.rerun(before, other), run(other)
    assert repr(after.events) == repr(right.events)
    for part in ("arrivals", "firing_numbers", "actors", "node_ends"):
        assert getattr(after, part) == getattr(right, part)
    cursor = data.draw(st.integers(0, len(right)))
    shown = quick.frame_again(frame_at(before, cursor), after)
    assert shown.graph is other
    assert shown.trace is after
    assert alike(shown, frame_at(right, cursor))


@given(graphs(), st.data())
@settings(max_examples=tries(80), deadline=None)
def test_a_frame_made_from_its_neighbour_is_the_same(graph, data):
    trace = run(graph)
    places = st.integers(-1, len(trace) + 1)
    frame = frame_at(trace, data.draw(places))
    for _ in range(4):
        cursor = data.draw(places)
        frame = quick.frame_beside(frame, trace, cursor)
        assert alike(frame, frame_at(trace, cursor))


def test_from_every_place_every_other_is_reached_on_and_back():
    trace = run(from_expression("y = a*b + a*c + tanh(a)*b", {"a": 2, "b": 3, "c": -1}))
    places = range(len(trace) + 1)
    for start in places:
        for end in places:
            frame = quick.frame_beside(frame_at(trace, start), trace, end)
            assert alike(frame, frame_at(trace, end)), (start, end)


@pytest.mark.parametrize("rules", MISTAKES, ids=lambda rules: rules.name)
def test_mistakes_take_the_plain_way(rules):
    graph = from_expression("c = a*b; y = c*c + a", {"a": 2, "b": 3})
    before = run(graph, rules=rules)
    other = graph.with_values({1: 5.0})
    after = quick.rerun(before, other)
    assert after == run(other, rules=rules)
    frame = frame_at(before, 3)
    assert quick.frame_again(frame, after) == frame_at(after, 3)
    assert quick.frame_beside(frame, before, 4) == frame_at(before, 4)


def test_a_forward_pass_and_another_wiring_take_the_plain_way():
    graph = from_expression("y = a*b + a", {"a": 2, "b": 3})
    other = graph.with_values({1: 5.0})
    before, after = run_forward(graph), run_forward(other)
    assert quick.rerun(before, other) == after
    assert quick.frame_again(frame_at(before, 1), after) == frame_at(after, 1)
    assert quick.frame_beside(frame_at(before, 1), before, 2) == frame_at(before, 2)
    labelled = edits.set_label(graph, 1, "other")
    trace = run(graph)
    assert quick.rerun(trace, labelled) == run(labelled)
    assert quick.frame_again(frame_at(trace, 2), run(labelled)) == frame_at(run(labelled), 2)
