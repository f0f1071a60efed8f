"""From numbers back to the mistake that made them, and to where they stop being finite."""

import math
from collections.abc import Mapping

import networkx
import pytest

from engine import MISTAKES, EngineError, Graph, edits, from_expression
from engine.asking.diagnose import MOST_ORDERS, firing_orders, suspects
from engine.graph import Leaf
from engine.trace import run
from tests.helpers.graphs import demonstration, diamond, gradients
from tests.helpers.tables import in_turn


def diagnosed(graph: Graph, gradients: Mapping[str, float | None]) -> list[str]:
    """The names of the mistakes that give these gradients, by name."""
    wanted = {graph.structure.by_name[name]: gradient for name, gradient in gradients.items()}
    return [found.name for found in suspects(graph, wanted).mistakes]


@in_turn(
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
    assert diagnosed(demonstration(), given) == found


@in_turn("rules", MISTAKES)
def test_every_mistake_is_found_by_the_numbers_it_makes(rules):
    graph = from_expression("d = a/b; c = d + b; e = c*c; y = c*e + d", {"a": 3, "b": 2})
    wrong = gradients(graph, rules)
    assert wrong != gradients(graph)
    assert rules.name in diagnosed(graph, wrong)


def test_assigning_is_found_in_every_valid_firing_order_up_to_a_bound():
    """Each order with its own loop: networkx lists the orders, = keeps what the last one brings."""
    for text in ("f = (a*b)*(a + b)", "u = a*b; v = a + b; y = u*v + u*a", "y = (a+b)*a*b + b"):
        graph = from_expression(text, {"a": -2, "b": 3})
        slopes = {(e.sender, e.slot, e.node): e.local for e in run(graph).events[1:]}
        wires = networkx.DiGraph((sender, node) for sender, _slot, node in slopes)
        ops = [node for node in wires if wires.out_degree(node)]
        orders = list(networkx.all_topological_sorts(wires.subgraph(ops)))
        assert sorted(map(list, firing_orders(graph))) == sorted(orders)
        for order in orders:
            grads = {order[0]: 1.0}
            for node in order:
                for (sender, _slot, source), slope in slopes.items():
                    if sender == node:
                        grads[source] = grads[node] * slope
            wanted = {leaf: grads[leaf] for leaf in graph.leaves}
            found = suspects(graph, wanted)
            assert found.correct or "assign" in [rules.name for rules in found.mistakes]


def test_the_bound_of_orders_is_told():
    many = "; ".join(f"u{k} = a*{k + 2}; v{k} = u{k}*a" for k in range(6))
    graph = from_expression(f"{many}; y = {' + '.join(f'v{k}' for k in range(6))}", {"a": 2})
    assert suspects(graph, {graph.leaves[0]: 12345.0}).orders_tried == MOST_ORDERS
    small = from_expression("f = (a*b)*(a + b)", {"a": -2, "b": 3})
    assert suspects(small, {small.leaves[0]: 12345.0}).orders_tried is None


def test_a_gradient_that_was_never_computed_is_none():
    graph = edits.add(from_expression("y = a + a"), Leaf(1.0, "z"))
    assert diagnosed(graph, {"a": 1, "z": None}) == ["assign"]
    assert diagnosed(graph, {"a": None}) == []
    assert diagnosed(graph, {"a": 1, "z": 0.0}) == []


def test_nan_is_told_by_nan():
    graph = from_expression("c = log(a); y = c/c + c", {"a": 0})
    assert "assign" not in diagnosed(graph, {"a": math.nan})
    assert diagnosed(graph, {"a": math.nan}) == []


def test_a_mistake_that_takes_too_long_is_left_out():
    assert diagnosed(diamond(40), {"x": 1.0}) == ["assign"]


def test_an_unfinished_graph_is_refused():
    with pytest.raises(EngineError, match="Choose a root"):
        diagnosed(Graph({1: Leaf(1.0, "a")}, None, 2), {"a": 1.0})
