"""Frames: what is known after k steps."""

import pytest

from engine import edits, from_expression
from engine.frame import Chip, frame_at, live_frame
from engine.graph import Leaf
from engine.trace import run, run_forward
from tests.helpers.graphs import demonstration, mistake, unfinished


def named(graph, numbers):
    return {graph.names[node]: number for node, number in numbers.items()}


def test_outside_a_pass_values_are_live_and_gradients_unknown():
    frame = live_frame(unfinished())
    assert frame.phase == "live"
    assert frame.grads == {}
    assert named(frame.graph, frame.values) == {
        "a": 2.0,
        "d": pytest.approx(7.389056098930650),
        "v5": 3.0,
    }
    assert frame.current is None
    assert frame.upcoming is None
    assert frame.event is None
    assert frame.next_event is None
    assert frame.ledger(1) == ()
    assert frame.sweep == 1


def test_the_cursor_is_clamped():
    trace = run(demonstration())
    assert frame_at(trace, -5).cursor == 0
    assert frame_at(trace, 99).cursor == 11
    assert frame_at(trace, 99).total == 11
    assert frame_at(trace, 11).next_event is None


def test_a_ledger_holds_arrived_and_awaited_contributions_in_firing_order():
    trace = run(demonstration())
    c = 3
    frame = frame_at(trace, 5)
    assert frame.ledger(c) == (Chip((6, 0), trace.events[3], 3), Chip((5, 0), None, 5))
    assert [chip.event is not None for chip in frame_at(trace, 6).ledger(c)] == [True, True]
    assert frame.ledger(7) == ()


def test_a_wire_knows_the_last_event_it_carried():
    trace = run(from_expression("y = a*b"), rules=mistake("no-zero-grad"))
    assert frame_at(trace, 3).fired[(3, 1)].sweep == 1
    assert frame_at(trace, 6).fired[(3, 1)].sweep == 2
    assert [frame_at(trace, k).sweep for k in range(7)] == [1, 1, 1, 1, 2, 2, 2]


def test_a_leaf_without_a_path_is_told_apart():
    graph = edits.add(demonstration(), Leaf(1.0, "lonely"))
    for cursor in (0, 5, 11):
        assert frame_at(run(graph), cursor).unreachable_leaves == {9}
    assert 9 not in frame_at(run(graph), 11).grads


def test_leaves_without_a_path_are_found_once_for_each_wiring():
    graph = edits.add(demonstration(), Leaf(1.0, "lonely"))
    trace, moved = run(graph), run(graph.with_values({9: 6.0}))
    first = frame_at(trace, 1).unreachable_leaves
    assert first == {9}
    assert all(frame_at(found, 3).unreachable_leaves is first for found in (trace, moved))


def test_what_received_nothing_holds_its_zero_at_the_end_only():
    trace = run(from_expression("y = a*b"), rules=mistake("no-seed"))
    assert frame_at(trace, 0).grads == {}
    assert named(trace.graph, frame_at(trace, 1).grads) == {"a": 0.0}
    assert named(trace.graph, frame_at(trace, 2).grads) == {"a": 0.0, "b": 0.0, "y": 0.0}


def test_a_forward_frame_knows_leaves_at_once_and_ops_as_they_are_computed():
    trace = run_forward(from_expression("c = 2*a; y = c + 1", {"a": 3}))
    known = [named(trace.graph, frame_at(trace, k).values) for k in range(3)]
    given = {"v1": 2.0, "a": 3.0, "v4": 1.0}
    assert known == [given, given | {"c": 6.0}, given | {"c": 6.0, "y": 7.0}]
    frame = frame_at(trace, 1)
    assert frame.current == trace.computed[0]
    assert frame.upcoming == trace.computed[1]
    assert frame.event is None
    assert frame.next_event is None
    assert frame.ledger(1) == ()
    assert frame.grads == {}
    assert frame.trace is trace
