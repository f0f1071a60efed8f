"""Firing by hand: which nodes may fire next, and why another may not."""

import random

import pytest

from engine import Graph, from_expression
from engine.study.hand_run import (
    NEXT_SLIPS,
    firing_nodes,
    next_slip,
    next_slip_sentence,
    obstacle_to,
    ready,
)
from tests.helpers.graphs import EXAMPLES, demonstration


def node(graph: Graph, name: str) -> int:
    found = graph.node_named(name)
    assert found is not None
    return found


def test_a_node_waits_for_every_wire_it_feeds():
    graph = demonstration()
    y, e, f, c, d = (node(graph, name) for name in "yefcd")
    assert ready(graph, y, ()) == {y}
    assert ready(graph, y, (y,)) == {e, f}
    assert ready(graph, y, (y, e)) == {f}
    assert ready(graph, y, (y, f, e)) == {c, d}
    assert obstacle_to(graph, y, (y, e), c) == (
        "+ (c) still waits for what f sends along its slot 1."
    )
    assert obstacle_to(graph, y, (y,), d) == (
        "× (d) still waits for what e sends along its slot 2 and what f sends along its slot 2."
    )


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("y", "× (y) has fired already; a node fires once."),
        ("a", "a has no inputs that want a gradient, so it passes nothing on."),
        ("other", "Nothing leads from −x (other) to y, so no gradient comes here."),
    ],
)
def test_a_node_that_may_not_fire_says_why(name: str, sentence: str):
    graph = from_expression("other = -a; y = a*b")
    assert obstacle_to(graph, node(graph, "y"), (node(graph, "y"),), node(graph, name)) == sentence


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda found: found.name)
def test_firing_ready_nodes_in_any_order_fires_all_of_them(example):
    graph, root = example.graph, example.graph.root
    for seed in range(20):
        draw, fired = random.Random(seed), []
        while found := ready(graph, root, fired):
            for other in set(firing_nodes(graph, root)) - found:
                assert obstacle_to(graph, root, fired, other)
            chosen = draw.choice(sorted(found))
            assert obstacle_to(graph, root, fired, chosen) == ""
            fired.append(chosen)
        assert set(fired) == set(firing_nodes(graph, root))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda found: found.name)
def test_a_slip_about_who_is_next_is_told_wherever_a_node_may_not_fire(example):
    graph = example.graph
    root = graph.root
    assert root is not None
    fired: list[int] = []
    for turn in firing_nodes(graph, root):
        for other in graph.plan(root).order:
            slip = next_slip(graph, root, fired, other)
            assert (slip is None) == (other in ready(graph, root, fired))
            assert bool(next_slip_sentence(graph, root, fired, other)) == (slip is not None)
            assert (slip is None) == (not obstacle_to(graph, root, fired, other))
        fired.append(turn)


def test_each_slip_about_who_is_next_has_its_sentence():
    graph = from_expression("e = a*b; z = a + b; y = e + a", {"a": 2, "b": 3})
    y, e = graph.root, node(graph, "e")
    assert y is not None
    told = [
        next_slip_sentence(graph, y, (), e),
        next_slip_sentence(graph, y, (y, e), e),
        next_slip_sentence(graph, y, (), node(graph, "z")),
        next_slip_sentence(graph, y, (), node(graph, "a")),
    ]
    assert told == [
        "× (e) still waits.",
        "× (e) has fired already.",
        "+ (z) leads nowhere from y.",
        "a passes nothing on.",
    ]
    assert all(len(slip.brief) <= 56 for slip in NEXT_SLIPS)
