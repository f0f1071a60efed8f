"""Edits give new graphs or refuse with a sentence and change nothing."""

import itertools

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import EditError, Graph, edits, from_expression
from engine.graph import Constant, Leaf, OpNode, Root
from tests.helpers.drawn import any_graphs
from tests.helpers.graphs import chain, demonstration, fan

A, B, C, D, E, F, Y, MARK = range(1, 9)
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


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
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
