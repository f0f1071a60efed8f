"""The graph: what follows from its wiring, its names, and comparing two."""

import gc
import math
import weakref

import networkx
import pytest
from hypothesis import given

from engine import EditError, Graph, edits, from_expression
from engine.frame import frame_at
from engine.graph import Constant, Leaf, Root, as_number, kind_of
from engine.trace import run
from tests.helpers.drawn import any_graphs
from tests.helpers.graphs import demonstration, unfinished
from tests.helpers.tables import in_turn


def test_a_wire_is_a_filled_slot_so_a_times_a_has_two():
    graph = from_expression("y = a*a")
    assert list(graph.wires()) == [(1, (2, 0)), (1, (2, 1)), (2, (3, 0))]
    assert graph.outgoing == {1: ((2, 0), (2, 1)), 2: ((3, 0),), 3: ()}
    assert graph.source((2, 1)) == 1


def test_a_root_is_a_marker_without_a_name():
    graph = from_expression("y = a + b")
    assert graph.roots() == [4]
    assert graph.root == 3
    assert graph.root_name == "y"
    assert 4 not in graph.names
    assert graph.title(4) == "root"
    assert graph.label(4) == ""
    assert graph.title(3) == "y"


def test_a_graph_without_a_root_says_so():
    graph = Graph({1: Leaf(2.0)}, None, 2)
    assert graph.root is None
    assert graph.root_name == ""
    assert repr(graph) == "Graph(1 nodes, root –)"
    assert repr(from_expression("y = a+a")) == "Graph(3 nodes, root y)"
    assert Graph({1: Root(None)}, 1, 2).root is None
    assert Graph({1: Leaf()}, 1, 2).root is None


def test_sinks_are_what_feeds_nothing():
    assert unfinished().sinks() == [3, 5]
    assert demonstration().sinks() == []


def test_kinds_and_inputs():
    graph = unfinished()
    kinds = ["leaf", "op", "op", "root", "constant"]
    assert [kind_of(node) for node in graph.nodes.values()] == kinds
    assert [node.inputs for node in graph.nodes.values()] == [(), (1, None), (1,), (2,), ()]
    assert graph.op(2).name == "mul"


@in_turn(
    ("labels", "names"),
    [
        (["a", "b"], ["a", "b"]),
        (["a", "a"], ["a", "a_2"]),
        (["x1*w1", ""], ["x1_w1_1", "v2"]),
        (["1a", "lambda"], ["_1a_1", "lambda_2"]),
        (["exp", "inf"], ["exp_1", "inf_2"]),
        (["b_2", "", "b"], ["b_2", "v2", "b"]),
        (["v2", ""], ["v2", "v2_2"]),
        (["v2", "", "v2_2"], ["v2", "v2_2_", "v2_2"]),
        (["v1", "b"], ["v1", "b"]),
        (["v3", "v3"], ["v3", "v3_2"]),
        (["leaf_2", ""], ["leaf_2", "v2"]),
        (["größe", "γ"], ["gr_e_1", "v2"]),
        (["__debug__", "_"], ["debug_1", "_"]),
        (["x" * 60 + "!"], ["x" * 40 + "_1"]),
        ([" a ", "a\n"], ["a_1", "a_2"]),
    ],
)
def test_a_label_becomes_a_name(labels, names):
    graph = Graph({k: Leaf(1.0, label) for k, label in enumerate(labels, 1)}, None, 9)
    assert [graph.names[node] for node in graph.nodes] == names


def test_sentences_say_the_name_beside_a_label_that_repeats():
    nodes = {1: Leaf(label="w"), 2: Leaf(), 3: Leaf(label="w"), 4: Leaf(label="x*w"), 5: Root(1)}
    graph = Graph(nodes, 5, 6)
    assert [graph.title(n) for n in nodes] == ["w", "v2", "w · w_3", "x*w", "root"]
    assert [graph.short_name(n) for n in nodes] == ["w", "v2", "w_3", "x*w", "root"]
    assert [graph.brief(n, 6) for n in (1, 3, 4)] == ["w", "w_3", "x*w"]


@given(graph=any_graphs())
def test_a_networkx_graph_holds_the_same_wires(graph):
    found = graph.to_networkx()
    assert sorted(found.edges(keys=True)) == sorted(
        (source, target, slot) for source, (target, slot) in graph.wires()
    )
    assert list(found.nodes) == list(graph.nodes)
    for node, fields in found.nodes.items():
        assert fields["kind"] == kind_of(graph.nodes[node])
        assert fields["name"] == graph.names.get(node, "")
    for node, wires in graph.outgoing.items():
        assert found.out_degree(node) == len(wires)


@given(graph=any_graphs())
def test_the_order_puts_inputs_first_and_holds_just_what_feeds_the_root(graph):
    found = graph.to_networkx()
    for root in graph.nodes:
        order = graph.plan(root).order
        assert set(order) == networkx.ancestors(found, root) | {root}
        assert order[-1] == root
        assert graph.fed_by(root) == networkx.descendants(found, root) | {root}
        place = {node: k for k, node in enumerate(order)}
        for source, target in found.subgraph(order).edges():
            assert place[source] < place[target]
    whole = graph.structure.topological_order
    assert sorted(whole) == sorted(graph.nodes)


@given(graph=any_graphs())
def test_a_gradient_is_wanted_by_leaves_and_what_they_reach_and_by_the_root(graph):
    found = graph.to_networkx()
    leaves = {node for node, kept in graph.nodes.items() if isinstance(kept, Leaf)}
    for root in graph.nodes:
        plan = graph.plan(root)
        reached = {n for n in plan.order if ({n} | networkx.ancestors(found, n)) & leaves}
        assert plan.with_gradient == reached | {root}


def test_an_order_is_computed_once():
    graph = demonstration()
    assert graph.plan(7) is graph.plan(7)
    assert graph.outgoing is graph.outgoing
    assert graph.names is graph.names


def test_turns_to_fire_are_the_order_reversed_and_counted_once():
    plan = demonstration().plan(demonstration().root or 0)
    assert sorted(plan.turns, key=plan.turns.__getitem__) == list(reversed(plan.order))
    assert plan.turns is plan.turns


def test_the_order_is_depth_first_from_the_root_with_slots_in_order():
    graph = from_expression("u = b*a; v = a + u; y = v - (u/c)")
    titles = [graph.title(node) for node in graph.plan(graph.node_named("y") or 0).order]
    assert titles == ["a", "b", "u", "v", "c", "v6", "y"]


def test_other_values_keep_names_and_orders():
    graph = demonstration()
    assert graph.names
    moved = graph.with_values({1: 5.0, 2: 7})
    assert moved.structure is graph.structure
    assert [moved.nodes[k] for k in (1, 2)] == [Leaf(5.0, "a"), Leaf(7.0, "b")]
    assert graph.nodes[1] == Leaf(2.0, "a")
    with pytest.raises(EditError, match=r"^c is computed; only a leaf's value can be set\.$"):
        graph.with_values({3: 1.0})


def test_graphs_compare_by_content_and_nan_equals_nan():
    graph, again = demonstration(), demonstration()
    assert graph == again
    assert graph != again.with_values({1: 3.0})
    assert graph != "graph"
    nan = graph.with_values({1: math.nan})
    assert nan == graph.with_values({1: float("nan")})
    assert nan != graph
    assert nan != edits.set_label(nan, 1, "z")
    assert nan != edits.set_kind(nan, 1, constant=True)
    assert nan != edits.add(nan, Leaf())
    assert graph != Graph(graph.nodes, None, graph.next_id)
    assert nan != edits.set_op(nan, 3, "sub")
    with pytest.raises(TypeError):
        hash(graph)


@pytest.mark.parametrize("value", [2, True, math.inf, 2.5])
def test_a_number_becomes_a_float(value):
    assert as_number(value) == value
    assert type(as_number(value)) is float
    assert type(Leaf(value).value) is float
    assert type(Constant(value).value) is float


def test_numpy_scalars_are_numbers():
    import numpy as np

    assert as_number(np.float64(0.5)) == 0.5
    assert as_number(np.int32(7)) == 7.0
    with pytest.raises(EditError, match="is no number"):
        as_number(np.array([1.0, 2.0]))


@in_turn("value", ["2", None, 1j, [1], b"1", object()])
def test_what_is_no_number_is_refused(value):
    with pytest.raises(EditError, match="is no number"):
        as_number(value)
    with pytest.raises(EditError, match="is no number"):
        Leaf(value)


def test_a_number_too_large_is_refused():
    with pytest.raises(EditError, match=r"^This whole number is too large\.$"):
        as_number(10**400)


def test_freeing_a_graph_frees_it_without_the_collector():
    gc.collect()
    gc.disable()
    try:
        graph = from_expression("a = 2; b = 3; y = exp(a*b) + a")
        trace = run(graph)
        frame = frame_at(trace, 2)
        assert graph.names
        assert graph.outgoing
        watched = [weakref.ref(graph), weakref.ref(graph.structure), weakref.ref(trace)]
        del graph, trace, frame
        assert [ref() for ref in watched] == [None, None, None]
    finally:
        gc.enable()
