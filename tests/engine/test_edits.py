"""Edits give new graphs or refuse with a sentence and change nothing."""

import itertools
import math

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import EditError, Graph, edits, from_expression
from engine.edits import can_unfold, fold, foldable, unfold
from engine.frame import frame_at
from engine.graph import Constant, Leaf, OpNode, Root
from engine.ops import BY_NAME, OPS
from engine.trace import evaluate_values, run
from tests.helpers.drawn import any_graphs
from tests.helpers.graphs import chain, demonstration, fan
from tests.helpers.random_graphs import graphs
from tests.helpers.sampling import tries
from tests.helpers.tables import in_turn

A, B, C, D, E, F, Y, MARK = range(1, 9)
COMPOSED = [op.name for op in OPS if op.expansion]
ROOT_GIVES_NOTHING = "A root gives nothing out: it marks where the backward pass starts."


def refused(sentence: str, edit, *arguments) -> None:
    """The edit raises just this sentence and the graph stays as it was."""
    graph: Graph = arguments[0]
    before = dict(graph.nodes), graph.active_root, graph.next_id
    with pytest.raises(EditError) as caught:
        edit(*arguments)
    assert str(caught.value) == sentence
    assert (dict(graph.nodes), graph.active_root, graph.next_id) == before


def test_a_node_is_added_under_the_next_id():
    graph = edits.add(demonstration(), Leaf(2, "z"))
    assert graph.nodes[9] == Leaf(2.0, "z")
    assert graph.next_id == 10
    assert graph.active_root == MARK


def test_the_first_root_becomes_the_active_one():
    graph = edits.add(edits.add(Graph(), Leaf()), Root(1))
    assert graph.active_root == 2
    assert edits.add(graph, Root(1)).active_root == 2
    assert Graph().next_id == 1


@in_turn(
    ("node", "sentence"),
    [
        (OpNode("foo", (1, 2)), "There is no operation called foo."),
        (OpNode("add", (1,)), "add has 2 slots, not 1."),
        (OpNode("exp", (1, 2)), "exp has one slot, not 2."),
        (OpNode("exp", (77,)), "There is no node 77."),
        (OpNode("exp", (9,)), "There is no node 9."),
        (OpNode("exp", (MARK,)), ROOT_GIVES_NOTHING),
        (Root(77), "There is no node 77."),
        (Leaf(1.0, "x" * 201), "A label has at most 200 characters."),
        (Constant(1.0, "a\nb"), "A label is one line of plain text."),
        (Leaf(1.0, "\ud800"), "A label is one line of plain text."),
    ],
)
def test_a_wrong_node_is_not_added(node, sentence):
    refused(sentence, edits.add, demonstration(), node)


def test_a_new_op_node_has_all_its_slots():
    assert edits.op_node("where_gt0", (1,)) == OpNode("where_gt0", (1, None, None))
    assert edits.op_node("exp", label="e") == OpNode("exp", (None,), "e")
    with pytest.raises(EditError, match=r"^There is no operation called foo\.$"):
        edits.op_node("foo")


def test_a_wire_is_plugged_in_and_replaced():
    graph = edits.connect(demonstration(), B, C, 0)
    assert graph.nodes[C] == OpNode("add", (B, B), "c")
    assert edits.connect(graph, C, MARK, 0).root == C
    assert edits.connect(graph, A, C, 1).nodes[C] == OpNode("add", (B, A), "c")


def test_a_wire_is_unplugged():
    graph = edits.disconnect(demonstration(), C, 1)
    assert graph.nodes[C] == OpNode("add", (A, None), "c")
    assert edits.disconnect(graph, MARK, 0).root is None


@in_turn(
    ("source", "target", "slot", "sentence"),
    [
        (Y, C, 0, "This wire would close a loop: c → e → y → c"),
        (D, D, 0, "A node can't feed itself: d."),
        (E, D, 1, "This wire would close a loop: d → e → d"),
        (MARK, C, 0, ROOT_GIVES_NOTHING),
        (77, C, 0, "There is no node 77."),
        (A, 77, 0, "There is no node 77."),
        (A, C, 2, "c has no slot 3."),
        (A, C, -1, "c has no slot 0."),
        (A, B, 0, "b has no slot 1."),
        (A, MARK, 1, "root has no slot 2."),
    ],
)
def test_a_wrong_wire_is_refused_with_the_reason(source, target, slot, sentence):
    graph = demonstration()
    assert edits.refusal(graph, source, target, slot) == sentence
    refused(sentence, edits.connect, graph, source, target, slot)


def test_a_long_loop_is_told_by_its_ends():
    sentence = edits.refusal(chain(50), 51, 2, 0)
    shown = "v2 → v3 → v4 → v5 → … → v49 → v50 → v51 → v2"
    assert sentence == f"This wire would close a loop: {shown}"
    assert "…" not in (edits.refusal(chain(7), 8, 2, 0) or "")
    assert "…" in (edits.refusal(chain(8), 9, 2, 0) or "")


@pytest.mark.parametrize(("target", "slot"), [(77, 0), (A, 0), (C, 2)])
def test_only_a_slot_can_be_unplugged(target, slot):
    with pytest.raises(EditError):
        edits.disconnect(demonstration(), target, slot)


def test_removing_nodes_empties_the_slots_they_fed():
    graph = edits.remove(demonstration(), (A, E))
    assert graph.nodes[C] == OpNode("add", (None, B), "c")
    assert graph.nodes[Y] == OpNode("add", (None, F), "y")
    assert set(graph.nodes) == {B, C, D, F, Y, MARK}
    assert graph.active_root == MARK
    assert graph.next_id == 9
    refused("There is no node 77.", edits.remove, demonstration(), (A, 77))


def test_removing_the_active_root_makes_another_one_active():
    graph = edits.mark_root(demonstration(), C)
    assert graph.active_root == 9
    assert edits.remove(graph, (9,)).active_root == MARK
    assert edits.remove(graph, (9, MARK)).active_root is None


def test_ids_are_never_used_twice():
    graph = edits.remove(demonstration(), (MARK,))
    assert list(edits.add(graph, Leaf()).nodes)[-1] == 9


def test_a_node_is_taken_out_of_its_wire():
    graph = edits.bypass(from_expression("e = exp(a); y = e*e + a"), 2)
    assert graph.nodes[3] == OpNode("mul", (1, 1))
    assert 2 not in graph.nodes
    sentence = "Only a node with one slot can be taken out of its wire."
    refused(sentence, edits.bypass, demonstration(), C)
    refused(sentence, edits.bypass, demonstration(), MARK)
    refused(sentence, edits.bypass, demonstration(), A)
    refused("There is no node 77.", edits.bypass, demonstration(), 77)


def test_taking_out_a_node_that_gets_nothing_leaves_empty_slots():
    graph = edits.disconnect(from_expression("y = 2*exp(a)"), 3, 0)
    assert edits.bypass(graph, 3).nodes[4] == OpNode("mul", (1, None), "y")


def test_a_node_is_put_into_a_wire():
    graph = edits.add(demonstration(), OpNode("neg", (None,)))
    assert edits.insert(graph, 9, (C, 1)).nodes[9] == OpNode("neg", (B,))
    assert edits.insert(graph, 9, (C, 1)).nodes[C] == OpNode("add", (A, 9), "c")
    second = edits.add(demonstration(), OpNode("mul", (None, None)))
    assert edits.insert(second, 9, (C, 0), slot=1).nodes[9] == OpNode("mul", (None, A))
    refused("There is no wire to put it into.", edits.insert, graph, C, (9, 0))
    refused("c has no slot 3.", edits.insert, graph, 9, (C, 2))
    refused("There is no node 77.", edits.insert, graph, 9, (77, 0))
    refused("This wire would close a loop: c → f → y → c", edits.insert, graph, Y, (C, 0))


def test_a_value_is_set_on_leaves_and_constants_only():
    graph = edits.set_value(demonstration(), A, 5)
    assert graph.nodes[A] == Leaf(5.0, "a")
    refused("c is computed; only a leaf's value can be set.", edits.set_value, graph, C, 1.0)
    refused("There is no node 77.", edits.set_value, graph, 77, 1.0)
    refused("'5' is no number.", edits.set_value, graph, A, "5")


def test_a_label_is_one_line_of_plain_text():
    graph = edits.set_label(demonstration(), A, "größe 1 <b>")
    assert graph.label(A) == "größe 1 <b>"
    assert edits.set_label(graph, A, "x" * 200).label(A) == "x" * 200
    refused("A label has at most 200 characters.", edits.set_label, graph, A, "x" * 201)
    refused("A label is one line of plain text.", edits.set_label, graph, A, "a\x00")
    refused("There is no node 77.", edits.set_label, graph, 77, "a")
    sentence = "A root has no label; it shows the node that is plugged into it."
    refused(sentence, edits.set_label, graph, MARK, "a")


def test_another_op_keeps_the_wires_it_has_slots_for():
    graph = demonstration()
    assert edits.set_op(graph, C, "mul").nodes[C] == OpNode("mul", (A, B), "c")
    assert edits.set_op(graph, C, "exp").nodes[C] == OpNode("exp", (A,), "c")
    assert edits.set_op(graph, C, "where_gt0").nodes[C] == OpNode("where_gt0", (A, B, None), "c")
    refused("There is no operation called foo.", edits.set_op, graph, C, "foo")
    refused("a is no operation.", edits.set_op, graph, A, "exp")
    refused("There is no node 77.", edits.set_op, graph, 77, "exp")


def test_a_leaf_becomes_a_constant_and_back():
    graph = edits.set_kind(demonstration(), A, constant=True)
    assert graph.nodes[A] == Constant(2.0, "a")
    assert edits.set_kind(graph, A, constant=False) == demonstration()
    refused("c is neither a leaf nor a constant.", edits.set_kind, graph, C, True)
    refused("There is no node 77.", edits.set_kind, graph, 77, True)


def test_roots_are_marked_and_chosen():
    graph = edits.mark_root(demonstration(), C)
    assert graph.nodes[9] == Root(C)
    assert graph.active_root == 9
    assert edits.set_active_root(graph, MARK).root == Y
    refused("Only a root can be made the active root.", edits.set_active_root, graph, C)
    refused("There is no node 77.", edits.mark_root, graph, 77)
    refused(ROOT_GIVES_NOTHING, edits.mark_root, graph, MARK)


def test_a_merged_graph_gets_new_ids_and_keeps_its_wiring():
    graph, ids = edits.merge(demonstration(), from_expression("z = p*q"))
    assert ids == {1: 9, 2: 10, 3: 11, 4: 12}
    assert graph.nodes[11] == OpNode("mul", (9, 10), "z")
    assert graph.nodes[12] == Root(11)
    assert graph.active_root == MARK
    assert graph.next_id == 13
    alone, _ids = edits.merge(Graph(), demonstration())
    assert alone.active_root == MARK
    assert alone.root_name == "y"


def test_copies_are_fed_by_copies_or_by_what_feeds_the_nodes():
    graph, ids = edits.duplicate(demonstration(), (E, C, C))
    assert ids == {C: 9, E: 10}
    assert graph.nodes[9] == OpNode("add", (A, B), "c")
    assert graph.nodes[10] == OpNode("add", (9, D), "e")
    assert graph.next_id == 11
    assert edits.disconnect(graph, 9, 0).nodes[C] == demonstration().nodes[C]
    refused("There is no node 77.", edits.duplicate, demonstration(), (A, 77))


def test_a_part_keeps_only_its_own_wires():
    found = edits.subgraph(demonstration(), (C, A, MARK))
    assert found.nodes == {A: Leaf(2.0, "a"), C: OpNode("add", (A, None), "c"), MARK: Root(None)}
    assert found.active_root == MARK
    assert edits.subgraph(demonstration(), (A,)).active_root is None
    assert found.next_id == 9


@given(graph=any_graphs(), data=st.data())
def test_a_wire_is_refused_exactly_when_networkx_sees_a_loop(graph, data):
    nodes = [node for node, found in graph.nodes.items() if not isinstance(found, Root)]
    targets = [node for node in nodes if graph.inputs(node)]
    if not targets:
        return
    source, target = data.draw(st.sampled_from(nodes)), data.draw(st.sampled_from(targets))
    wires = graph.to_networkx()
    closes = networkx.has_path(wires, target, source)
    assert (edits.refusal(graph, source, target, 0) is not None) == closes
    path = edits.cycle_closed_by(graph, source, target)
    assert bool(path) == closes
    if path:
        assert (path[0], path[-1]) == (target, source)
        assert all(wires.has_edge(*pair) for pair in itertools.pairwise(path))


def any_edit(data: st.DataObject, graph: Graph) -> Graph:
    nodes = st.sampled_from(sorted(graph.nodes) or [0])
    name = data.draw(
        st.sampled_from(["connect", "disconnect", "remove", "bypass", "insert", "set_op"])
    )
    node, other, slot = data.draw(nodes), data.draw(nodes), data.draw(st.integers(0, 2))
    try:
        if name == "connect":
            return edits.connect(graph, node, other, slot)
        if name == "insert":
            return edits.insert(graph, node, (other, slot))
        if name == "set_op":
            return edits.set_op(graph, node, data.draw(st.sampled_from(["add", "exp", "zebra"])))
        if name == "disconnect":
            return edits.disconnect(graph, node, slot)
        return edits.remove(graph, (node,)) if name == "remove" else edits.bypass(graph, node)
    except EditError:
        return graph


@given(graph=any_graphs(), data=st.data())
def test_any_edits_leave_a_graph_without_loops_or_dangling_wires(graph, data):
    for _ in range(data.draw(st.integers(1, 6))):
        graph = any_edit(data, graph)
        assert networkx.is_directed_acyclic_graph(graph.to_networkx())
        for source, (target, _slot) in graph.wires():
            assert source in graph.nodes
            assert target in graph.nodes
            assert not isinstance(graph.nodes[source], Root)
        assert graph.active_root is None or isinstance(graph.nodes[graph.active_root], Root)
        assert all(node < graph.next_id for node in graph.nodes)
        for node, found in graph.nodes.items():
            if isinstance(found, OpNode):
                assert len(found.inputs) == len(graph.op(node).slots)


def test_taking_out_a_node_that_feeds_thousands_takes_no_time():
    wide = edits.add(fan(3000), OpNode("neg", (1,)))
    number = wide.next_id - 1
    fed = {node: OpNode("add", (node - 1, number)) for node in range(3, 3002)}
    graph = Graph({**wide.nodes, **fed}, wide.active_root, wide.next_id)
    bypassed = edits.bypass(graph, number)
    assert len(bypassed.outgoing[1]) == 3001


# unfolding an operation into simpler ones, and folding it together again

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


@pytest.mark.parametrize("op", COMPOSED)
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


@in_turn("op", COMPOSED)
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


@in_turn("node", [1, 2, 3, 4, 99])
def test_what_is_simple_can_not_be_unfolded(node: int):
    graph = from_expression("y = a**2")
    with pytest.raises(EditError, match="is not made of simpler operations"):
        unfold(graph, node)
    assert not can_unfold(graph, node)


def test_a_power_by_a_node_unfolds():
    graph = from_expression("y = a**b", {"a": 2, "b": 3})
    assert can_unfold(graph, 3)
    assert evaluate_values(unfold(graph, 3))[3] == pytest.approx(8.0, rel=1e-12)


@in_turn(
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
