"""A node shows the cells of its kind; their room in a pass is that of all they say in it."""

from itertools import product

import pytest

from app.canvas.appearance.face import FACES, WholePass, body_look, face, node_look
from app.canvas.appearance.looks import Looks, as_shown, is_asked
from app.document.node_sizes import body_height, row_height, row_middle
from engine import from_expression
from engine.frame import frame_at, live_frame
from engine.graph import Graph, OpNode
from engine.numbers import ASKED, NOT_COMPUTED, short, signed
from engine.rules import CORRECT, MISTAKES, Rules
from engine.trace import run
from tests.helpers.canvas import example_drawing
from tests.helpers.graphs import EXAMPLES, Example
from tests.helpers.quizzed import Quizzed
from tests.helpers.sampling import sampled
from tests.helpers.tables import in_turn


@pytest.fixture(params=[found.name for found in EXAMPLES])
def graph(request) -> Graph:
    return example_drawing(request.param).graph


@in_turn(("example", "rules"), sampled(product(EXAMPLES, (CORRECT, *MISTAKES)), 5))
def test_each_number_at_any_step_is_one_that_room_was_kept_for(
    qapp, example: Example, rules: Rules
):
    graph = example_drawing(example.name).graph
    trace = run(graph, rules=rules)
    whole = WholePass(Looks(live_frame(graph), short, signed), rules)
    usual = {"", NOT_COMPUTED, "0", short(rules.seed)}
    for cursor in range(len(trace) + 1):
        looks = Looks(frame_at(trace, cursor), short, signed)
        for node in graph.nodes:
            look = node_look(looks, node)
            cells = face(look.kind, len(look.body.plugged))
            for cell, number in zip(cells, look.numbers, strict=True):
                room = {kept.text for kept in cell.of_pass(whole, node)}
                assert number.text in room | usual, (cursor, node)


def test_an_op_has_a_local_derivative_per_slot_and_value_and_gradient(qapp, graph: Graph):
    looks = Looks(frame_at(run(graph), 10_000), short, signed)
    for node, found in graph.nodes.items():
        look = node_look(looks, node)
        slots = len(found.inputs) if isinstance(found, OpNode) else 0
        assert len(look.numbers) == slots + (1 if look.kind in ("constant", "pill") else 2)


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


def test_room_for_another_slope_is_kept_where_values_that_a_loop_changes_are_in_it(qapp):
    for text, may in (
        ("y = a*b", True), ("y = 3*b", False), ("y = tanh(a)", True),
        ("y = a + b", False), ("y = a - b", False), ("y = -a", False),
    ):  # fmt: skip
        graph = from_expression(text)
        whole = WholePass(Looks(live_frame(graph), short, signed))
        ops = [n for n, found in graph.nodes.items() if isinstance(found, OpNode)]
        assert [whole.local_may_change(op) for op in ops] == [may], text


@pytest.fixture
def shared() -> Graph:
    return from_expression("e = a*b; d = e + a; L = d*f", {"a": 2, "b": -3, "f": -2})


def looks_of(at: Quizzed) -> Looks:
    looks = Looks(at.frame, short, signed)
    looks.show_answers(at.quiz.answers)
    return looks


def test_contribution_and_sum_stand_on_label_and_sum_and_the_chips_wait_for_a_wrong_sum(
    shared: Graph,
):
    at = Quizzed(shared, "contribution and sum", 6)
    a, wire = 1, (3, 0)
    looks = looks_of(at)
    label = looks.label(wire)
    assert label is not None
    assert (label.contribution, label.state, looks.wire(wire).state) == (ASKED, "asked", "asked")
    at.fill(dict(zip(at.blanks, ("-5", "17"), strict=True)))
    looks = looks_of(at)
    label, node = looks.label(wire), node_look(looks, a)
    assert label is not None
    assert (label.contribution, label.state) == ("−5", "asked")
    assert node.ledger.chips == ()  # they would say that contributions are added
    assert (node.ledger.total, node.ledger.asked) == ("17", True)
    at.answer(dict.fromkeys(at.blanks, "17"))
    at.fill(dict(zip(at.blanks, ("-5", "18"), strict=True)))
    node = node_look(looks_of(at), a)
    assert [chip.text for chip in node.ledger.chips if chip.state == "asked"] == ["−5"]
    assert (node.ledger.total, node.ledger.asked) == ("= 18", True)
    at.answer(dict(zip(at.blanks, ("6", "18"), strict=True)))
    chips = node_look(looks_of(at), a).ledger.chips
    assert [chip.text for chip in chips] == ["−2", "+6"], "a right contribution is known"


def test_other_nodes_keep_their_chips_while_a_sum_is_asked_for():
    graph = from_expression("c = a + b; d = a*b; e = c + d; f = c*d; y = e + f", {"a": 2, "b": 3})
    trace = run(graph)
    d, asked = graph.node_named("d") or 0, trace.schedule.arrivals[graph.node_named("c") or 0][-1]
    looks = looks_of(Quizzed(graph, "sum", asked + 1))
    # f = c × d passed 5 on to d, and e = c + d has not fired
    assert [chip.text for chip in node_look(looks, d).ledger.chips] == ["+5", ""]


def test_the_chips_that_a_wrong_sum_showed_stay_after_a_hint(shared: Graph):
    at = Quizzed(shared, "sum", 6)
    (total,) = at.blanks
    assert node_look(looks_of(at), 1).ledger.chips == ()
    at.answer({total: "17"})
    shown = node_look(looks_of(at), 1).ledger.chips
    at.hint()
    assert shown
    assert node_look(looks_of(at), 1).ledger.chips == shown


def test_a_wrong_answer_leaves_the_canvas_as_it_was_asked(shared: Graph):
    at = Quizzed(shared, "contribution and sum", 6)
    at.answer(dict.fromkeys(at.blanks, "17"))
    label = looks_of(at).label((3, 0))
    assert label is not None
    assert label.contribution == ASKED
    assert node_look(looks_of(at), 1).ledger.total == f"= {ASKED}"


@pytest.mark.parametrize("level", ["slope", "contribution", "contribution and sum", "whole step"])
def test_the_slopes_of_the_firing_node_are_hidden_until_their_wire_is_answered(
    shared: Graph, level: str
):
    first, second = Quizzed(shared, level, 6), Quizzed(shared, level, 7)
    assert [number.text for number in node_look(looks_of(first), 3).numbers[2:]] == [ASKED, ASKED]
    assert [number.text for number in node_look(looks_of(second), 3).numbers[2:]] == ["−3", ASKED]


def test_the_slope_is_shown_where_the_sum_alone_is_asked(shared: Graph):
    at = Quizzed(shared, "sum", 6)
    assert node_look(looks_of(at), 3).numbers[2].text == "−3"
    label = looks_of(at).label((3, 0))
    assert label is not None
    assert (label.upstream, label.local, label.contribution) == ("−2", "−3", "+6")


def test_an_unfolded_step_shows_what_the_node_got_and_then_the_slope_that_was_found(shared: Graph):
    at = Quizzed(shared, "contribution and sum", 6)
    at.hint()
    at.hint()
    local, contribution, total = at.blanks
    label = looks_of(at).label((3, 0))
    assert label is not None
    assert (label.upstream, label.local, label.contribution) == ("−2", ASKED, ASKED)
    at.fill({local: "-7", contribution: "", total: ""})
    label = looks_of(at).label((3, 0))
    assert label is not None
    assert (is_asked(label.local), as_shown(label.local)) == (True, "−7")
    slope = Quizzed(shared, "whole step", 6)
    contribution, total = slope.blanks[2:]
    slope.answer({contribution: "123", total: "456"})
    assert slope.blanks == (contribution, total)
    label = looks_of(slope).label((3, 0))
    assert label is not None
    assert (label.upstream, label.local, label.contribution) == ("−2", "−3", ASKED)


def test_a_value_and_a_final_gradient_stand_on_their_nodes(shared: Graph):
    value = Quizzed(shared, "values", 2)
    value.fill(dict.fromkeys(value.blanks, "-4"))
    found = node_look(looks_of(value), 4).value
    assert (found.text, found.kind) == ("−4", "asked")
    finals = Quizzed(shared, "final gradients", 1)
    finals.fill({finals.blanks[0]: "-9", finals.blanks[1]: "", finals.blanks[2]: ""})
    grads = [node_look(looks_of(finals), question.node).grad for question in finals.blanks]
    assert [grad.text for grad in grads if grad] == ["−9", ASKED, ASKED]
