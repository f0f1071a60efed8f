"""Traces: the events of both passes, which nodes they need, and what they end on."""

import math

import pytest

from engine import EngineError, Graph, edits, from_expression
from engine.graph import Constant, Leaf, OpNode, Root
from engine.schedule import NO_NODE
from engine.trace import Computed, Event, evaluate_values, run, run_forward
from tests.helpers.graphs import (
    EXAMPLES,
    demonstration,
    gradients,
    last_frame,
    mistake,
    unfinished,
    values,
)
from tests.helpers.tables import in_turn

ROOT = "Choose a root: the number whose gradient you want."


@in_turn("example", EXAMPLES)
def test_the_known_graphs_have_their_known_numbers(example):
    expected = {name: known["value"] for name, known in example.nodes.items()}
    found = values(example.graph)
    assert {name: found[name] for name in expected} == pytest.approx(expected, rel=1e-12)
    expected = {name: known["grad"] for name, known in example.nodes.items()}
    found = gradients(example.graph)
    assert {name: found[name] for name in expected} == pytest.approx(expected, rel=1e-12)


def test_a_backward_pass_is_a_seed_and_one_event_per_wire():
    graph = from_expression("y = a*b", {"a": 2, "b": 5})
    assert run(graph).events == (
        Event("seed", 3, NO_NODE, NO_NODE, 1.0, 1.0, 1.0, 0.0, 1.0, 1),
        Event("contribution", 1, 3, 0, 1.0, 5.0, 5.0, 0.0, 5.0, 1),
        Event("contribution", 2, 3, 1, 1.0, 2.0, 2.0, 0.0, 2.0, 1),
    )
    assert [event.wire for event in run(graph).events] == [None, (3, 0), (3, 1)]


def test_a_forward_pass_computes_each_op_of_the_roots_ancestors():
    graph = from_expression("c = a + b; d = a*b; y = c*d", {"a": 2, "b": 3})
    graph = edits.add(graph, OpNode("exp", (1,)))
    trace = run_forward(graph)
    assert trace.computed == (
        Computed(3, (2.0, 3.0), 5.0),
        Computed(4, (2.0, 3.0), 6.0),
        Computed(5, (5.0, 6.0), 30.0),
    )
    assert len(trace) == 3
    assert trace.schedule.node_ends == (1, 2, 3)
    assert trace.phase == "forward"


def test_only_wires_that_lead_from_a_leaf_to_the_root_fire():
    graph = from_expression("k = 2*3; y = k*a + exp(4)")
    names = graph.names
    wires = [(names[e.node], names[e.sender]) for e in run(graph).events[1:]]
    assert wires == [("v5", "y"), ("a", "v5")]
    assert set(last_frame(run(graph)).grads) == {graph.node_named(n) for n in ("a", "v5", "y")}


def test_a_pass_can_start_from_any_node_or_marker():
    graph = demonstration()
    assert run(graph, 4).root == 4
    assert run(graph, 8).root == 7
    assert run(graph).root == 7
    assert run_forward(graph, 3).computed[-1].node == 3


@in_turn(
    ("graph", "root", "sentence"),
    [
        (Graph(), None, ROOT),
        (Graph({1: Leaf()}, None, 2), None, ROOT),
        (demonstration(), 77, ROOT),
        (Graph({1: Root(None)}, 1, 2), None, ROOT),
        (Graph({1: Root(None)}, 1, 2), 1, ROOT),
        (unfinished(), None, "× (c) has an empty slot 2. Plug something in to go on."),
    ],
)
def test_a_pass_that_can_not_be_says_why(graph, root, sentence):
    for start in (run, run_forward):
        with pytest.raises(EngineError) as caught:
            start(graph, root)
        assert str(caught.value) == sentence


def test_an_empty_slot_elsewhere_does_not_matter():
    graph = edits.mark_root(unfinished(), 3)
    assert gradients(graph) == {"a": math.exp(2.0), "d": 1.0}
    assert values(graph) == {"a": 2.0, "v5": 3.0, "d": math.exp(2.0)}


def test_values_are_of_all_that_can_be_computed():
    nodes = {
        1: Leaf(2.0),
        2: OpNode("add", (1, None)),
        3: OpNode("exp", (2,)),
        4: Constant(3.0),
        5: OpNode("mul", (1, 4)),
        6: Root(5),
    }
    assert evaluate_values(Graph(nodes, 6, 7)) == {1: 2.0, 4: 3.0, 5: 6.0}


def test_nodes_end_where_the_next_begins():
    assert run(demonstration()).schedule.node_ends == (1, 3, 5, 7, 9, 11)
    twice = run(from_expression("y = a*b"), rules=mistake("zero-leaves-only"))
    assert twice.schedule.node_ends == (1, 3, 5, 6, 8)
    again = run(from_expression("c = exp(a); y = c*c"), rules=mistake("recursive"))
    assert again.schedule.node_ends == (1, 3, 4, 5)
    nothing = run(from_expression("a = 2"), rules=mistake("no-seed"))
    assert nothing.schedule.node_ends == ()
    assert len(nothing) == 0
