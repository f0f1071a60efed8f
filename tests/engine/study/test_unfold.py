"""Unfolding an operation into simpler ones, and folding it together again."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import EditError, Graph, edits, from_expression
from engine.edits import EXPANSIONS, can_unfold, fold, foldable, unfold
from engine.frame import frame_at
from engine.graph import Constant, OpNode
from engine.ops import BY_NAME
from engine.trace import evaluate_values, run
from tests.helpers.random_graphs import graphs
from tests.helpers.sampling import tries

NUMBERS = st.floats(-30, 30) | st.sampled_from([0.0, -0.0, 1.0, -1.0, 2.0, 20.0, 1e-9, 700.0])


def folded_in(op: str, *numbers: float) -> tuple[Graph, int]:
    """k * op(...) + the inputs, so that gradients go through it and beside it."""
    letters = BY_NAME[op].slots
    text = f"z = {op}({', '.join(letters)}); y = z*k + {' + '.join(letters)}"
    values = dict(zip(letters, numbers, strict=False))
    graph = from_expression(text, values | {"k": 1.5})
    node = graph.node_named("z")
    assert node is not None
    return graph, node


def outer(graph: Graph, nodes) -> dict[int, tuple[float, float | None]]:
    """Values and gradients of the nodes that were there before."""
    trace = run(graph)
    grads = frame_at(trace, len(trace)).grads
    return {node: (trace.values[node], grads.get(node)) for node in nodes if node in trace.values}


def alike(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    if not (math.isfinite(one) and math.isfinite(other)):
        return True
    return math.isclose(one, other, rel_tol=1e-12, abs_tol=1e-12)


@pytest.mark.parametrize("op", EXPANSIONS)
@settings(max_examples=tries(60))
@given(st.lists(NUMBERS, min_size=2, max_size=2))
def test_values_and_outer_gradients_stay(op: str, numbers: list[float]):
    graph, node = folded_in(op, *numbers)
    opened = unfold(graph, node)
    before, after = outer(graph, graph.nodes), outer(opened, graph.nodes)
    finite = all(math.isfinite(value) for value in evaluate_values(opened).values())
    for key, (value, grad) in before.items():
        assert alike(value, after[key][0])
        if finite:
            size = max(1.0, *(abs(g) for _v, g in before.values() if g is not None))
            assert alike((grad or 0.0) / size, (after[key][1] or 0.0) / size)


@pytest.mark.parametrize("op", EXPANSIONS)
def test_folding_undoes_unfolding(op: str):
    graph, node = folded_in(op, 0.5, 2.0)
    opened = unfold(graph, node)
    assert opened.next_id >= graph.next_id
    assert opened.label(node) == "z"
    assert opened.outgoing[node] == graph.outgoing[node]
    assert op in foldable(opened, node)
    assert dict(fold(opened, node, op).nodes) == dict(graph.nodes)
    assert foldable(opened, node)[0] == op
    assert dict(fold(opened, node).nodes) == dict(graph.nodes)


@settings(max_examples=tries(60))
@given(graphs(finite=True), st.data())
def test_any_node_of_any_graph_unfolds_and_folds(graph: Graph, data: st.DataObject):
    able = [node for node in graph.nodes if can_unfold(graph, node)]
    if not able:
        return
    node = data.draw(st.sampled_from(able))
    found = graph.nodes[node]
    assert isinstance(found, OpNode)
    opened = unfold(graph, node)
    assert set(opened.nodes) - set(graph.nodes) == set(range(graph.next_id, opened.next_id))
    assert dict(fold(opened, node, found.op).nodes) == dict(graph.nodes)


def test_the_hyperbolic_tangent_shares_its_exponential_and_overflows():
    graph, node = folded_in("tanh", 400.0)
    opened = unfold(graph, node)
    assert sum(isinstance(f, OpNode) and f.op == "exp" for f in opened.nodes.values()) == 1
    assert evaluate_values(graph)[node] == 1.0
    assert math.isnan(evaluate_values(opened)[node])


def test_an_empty_slot_stays_empty():
    graph = Graph({1: OpNode("sub", (None, None), "s")}, None, 2)
    opened = unfold(graph, 1)
    assert opened.nodes[1] == OpNode("add", (None, 3), "s")
    assert dict(fold(opened, 1).nodes) == dict(graph.nodes)
    assert foldable(edits.disconnect(opened, 1, 1), 1) == []


@pytest.mark.parametrize("node", [1, 2, 3, 4, 99])
def test_what_is_simple_can_not_be_unfolded(node: int):
    graph = from_expression("y = a**2")
    with pytest.raises(EditError, match="is not made of simpler operations"):
        unfold(graph, node)
    assert not can_unfold(graph, node)


def test_a_power_by_a_node_unfolds():
    graph = from_expression("y = a**b", {"a": 2, "b": 3})
    assert can_unfold(graph, 3)
    assert evaluate_values(unfold(graph, 3))[3] == pytest.approx(8.0, rel=1e-12)


@pytest.mark.parametrize(
    "text",
    ["y = a + b", "y = a + b * 2", "y = a + 1 * -1", "y = a * c ** 2", "y = exp(c * log(a)) * 1"],
)
def test_what_is_no_expansion_is_not_folded(text: str):
    graph = from_expression(text)
    node = graph.root
    assert node is not None
    wrong = [op for op in foldable(graph, node) if text != "y = a + 1 * -1" or op != "sub"]
    assert wrong == []
    with pytest.raises(EditError, match=r"y is not the end of an expansion of (an operation|tanh)"):
        fold(graph, node, "tanh" if foldable(graph, node) else None)


def test_what_others_use_is_not_taken_away():
    graph = from_expression("m = b * -1; y = a + m; z = y * m")
    assert foldable(graph, graph.node_named("y") or 0) == []
    unlabelled = edits.set_label(graph, graph.node_named("m") or 0, "")
    assert foldable(unlabelled, unlabelled.node_named("y") or 0) == []
    alone = from_expression("y = a + b * -1")
    assert foldable(alone, alone.node_named("y") or 0) == ["sub"]


def test_a_node_that_is_no_operation_is_not_folded():
    graph = from_expression("y = a + b")
    for node in (1, 4, 99):
        with pytest.raises(EditError, match="not the end"):
            fold(graph, node)


def test_what_has_a_label_is_not_taken_away():
    graph = from_expression("y = a + b*-1")
    assert isinstance(graph.nodes[3], Constant)
    assert foldable(edits.set_label(graph, 3, "minus"), 5) == []
    assert foldable(edits.set_label(graph, 4, "kept"), 5) == []
    assert foldable(edits.set_label(graph, 5, "z"), 5) == ["sub"]
