"""A node shows the cells of its kind; their room in a pass is that of all they say in it."""

import pytest

from app.canvas.appearance.face import FACES, WholePass, body_look, face, node_look
from app.canvas.appearance.looks import Looks
from app.document.node_sizes import body_height, row_height, row_middle
from engine.frame import frame_at, live_frame
from engine.graph import Graph, OpNode
from engine.numbers import NOT_COMPUTED, short, signed
from engine.rules import CORRECT, MISTAKES, Rules
from engine.trace import run
from tests.helpers.easel import example_drawing
from tests.helpers.graphs import EXAMPLES


@pytest.fixture(params=[found.name for found in EXAMPLES])
def graph(request) -> Graph:
    return example_drawing(request.param).graph


@pytest.mark.parametrize("rules", [CORRECT, *MISTAKES], ids=lambda rules: rules.name)
def test_each_number_at_any_step_is_one_that_room_was_kept_for(qapp, graph: Graph, rules: Rules):
    trace = run(graph, rules=rules)
    whole = WholePass(Looks(live_frame(graph), short, signed), rules)
    usual = {"", NOT_COMPUTED, "0", short(rules.seed)}
    for cursor in range(len(trace) + 1):
        looks = Looks(frame_at(trace, cursor), short, signed)
        for node in graph.nodes:
            look = node_look(looks, node)
            cells = face(look.kind, len(look.body.plugged))
            for cell, figure in zip(cells, look.figures, strict=True):
                room = {kept.text for kept in cell.of_pass(whole, node)}
                assert figure.text in room | usual, (cursor, node)


def test_an_op_has_a_local_derivative_per_slot_and_value_and_gradient(qapp, graph: Graph):
    looks = Looks(frame_at(run(graph), 10_000), short, signed)
    for node, found in graph.nodes.items():
        look = node_look(looks, node)
        slots = len(found.inputs) if isinstance(found, OpNode) else 0
        assert len(look.figures) == slots + (1 if look.kind in ("constant", "pill") else 2)


@pytest.mark.parametrize("kind", [kind for kind in FACES if kind != "pill"])
def test_the_height_of_a_node_has_room_for_the_rows_of_its_kind(kind: str):
    last = max(cell.row for cell in face(kind, 0))
    assert row_middle(kind, last) < body_height(kind, 0) - row_height(kind) / 2


def test_nodes_that_differ_in_names_and_numbers_alone_have_one_body(qapp):
    graph = example_drawing("neuron").graph
    looks = Looks(live_frame(graph), short, signed)
    leaves = list(graph.structure.leaves)
    assert len({node_look(looks, leaf) for leaf in leaves}) == len(leaves) > 1
    assert len({body_look(looks, leaf) for leaf in leaves}) == 1
