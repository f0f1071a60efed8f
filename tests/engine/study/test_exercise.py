"""Exercises: graphs are compared as graphs, whatever their nodes are numbered and called."""

import math

import pytest

from engine import from_expression
from engine.edits import add
from engine.graph import Graph, Leaf, Node, OpNode, Root
from engine.study.record import other_values

GIVEN = from_expression("y = a*b + a", {"a": 2, "b": 3})


def renumbered(graph: Graph) -> Graph:
    """The same graph with other ids, in another order."""
    ids = {node: 100 - 7 * node for node in graph.nodes}
    nodes: dict[int, Node] = {}
    for node in sorted(graph.nodes, reverse=True):
        found = graph.nodes[node]
        if isinstance(found, OpNode):
            inputs = tuple(None if s is None else ids[s] for s in found.inputs)
            found = OpNode(found.op, inputs, found.label)
        elif isinstance(found, Root):
            found = Root(None if found.input is None else ids[found.input])
        nodes[ids[node]] = found
    root = graph.active_root
    return Graph(nodes, None if root is None else ids[root], 101)


def test_ids_and_names_do_not_count():
    assert other_values(GIVEN, renumbered(GIVEN)) == ()
    assert other_values(GIVEN, from_expression("z = p*q + p", {"p": 2, "q": 3})) == ()


def test_nan_is_nan_and_minus_zero_is_another_number():
    odd = GIVEN.with_values({1: math.nan, 2: 0.0})
    assert other_values(odd, renumbered(odd)) == ()
    assert other_values(odd, odd.with_values({2: -0.0})) == (2,)


@pytest.mark.parametrize(
    "other",
    [
        "y = a*b + b",
        "y = a + a*b",
        "y = a*b - a",
        "y = a*b + c",
        "y = a*b",
        "y = (a*b + a) * 1",
        "p = a*b; y = p + a; z = 2*y",
    ],
)
def test_other_nodes_or_wires_make_another_graph(other: str):
    found = from_expression(other, {"a": 2, "b": 3} if "b" in other else {"a": 2})
    assert other_values(GIVEN, found) is None
    assert other_values(found, GIVEN) is None


def test_a_node_that_is_shared_is_not_two_alike():
    shared = from_expression("m = a*b; y = m + m", {"a": 2, "b": 3})
    twice = from_expression("m = a*b; n = a*b; y = m + n", {"a": 2, "b": 3})
    assert other_values(shared, twice) is None
    assert other_values(twice, shared) is None


def test_what_leads_to_no_root_counts_too():
    more = add(GIVEN, Leaf(1.0))
    assert other_values(GIVEN, more) is None
    assert other_values(more, renumbered(more)) == ()
    assert other_values(more, add(GIVEN, Leaf(2.0))) is None


def test_a_deep_graph_is_compared():
    text = "; ".join(f"v{k} = v{k - 1}*w + v{k - 1}" for k in range(1, 120))
    deep = from_expression(text, {"v0": 1.5, "w": 0.5})
    assert other_values(deep, renumbered(deep)) == ()
