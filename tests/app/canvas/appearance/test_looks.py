"""What nodes, wires and labels say is what is known to be true, and no more than that."""

import pytest

from app.canvas.appearance.face import node_look
from app.canvas.appearance.look import LabelLook, NodeLook, NumberLook
from app.canvas.appearance.looks import Looks
from app.canvas.paint.picture_export import scene_of
from app.document.examples import examples
from app.document.sheet import Sheet, sheet_of
from engine import from_expression
from engine.frame import Frame, frame_at, live_frame
from engine.graph import Constant, Graph, Leaf, OpNode, Root, Wire
from engine.numbers import ASKED, NO_PATH, NOT_COMPUTED, short, signed
from engine.study.question import hide_answers
from engine.trace import Event, run, run_forward
from tests.helpers.canvas import example_drawing, painted
from tests.helpers.graphs import EXAMPLES, demonstration, fan, mistake, unfinished
from tests.helpers.graphs import example as known

NAMES = [found.name for found in examples()]


def looks_at(graph: Graph, frame: Frame, covered: bool = False, shown: bool = False) -> Looks:
    if covered or shown:
        frame = hide_answers(frame, ("contribution",) if covered else ())
    return Looks(frame, short, signed)


def at_step(graph: Graph, k: int, covered: bool = False, shown: bool = False) -> Looks:
    trace = run(graph)
    return looks_at(graph, frame_at(trace, k if k >= 0 else len(trace)), covered, shown)


def number(graph: Graph, name: str) -> int:
    found = graph.node_named(name)
    assert found is not None
    return found


def named(looks: Looks, name: str) -> NodeLook:
    return node_look(looks, number(looks.graph, name))


def grad(look: NodeLook) -> str:
    """The gradient as it is written; empty where there is no such row."""
    return look.grad.text if look.grad else ""


def root(looks: Looks) -> NodeLook:
    assert looks.graph.active_root is not None
    return node_look(looks, looks.graph.active_root)


def label(looks: Looks, event: Event | None) -> LabelLook:
    """What stands on the wire of an event."""
    found = looks.label(wire(event))
    assert found is not None
    return found


def wire(event: Event | None) -> Wire:
    assert event is not None
    assert event.wire is not None
    return event.wire


# the numbers of the examples


def test_the_shipped_examples_are_the_known_ones(qapp):
    assert sorted(NAMES) == sorted(found.name for found in EXAMPLES)


@pytest.mark.parametrize("name", NAMES)
def test_nodes_show_the_known_values_and_gradients(qapp, name):
    graph = sheet_of(example_drawing(name)).graph
    looks = at_step(graph, -1)
    found = {graph.names[n]: node_look(looks, n) for n in graph.names}
    for node, numbers in known(name).nodes.items():
        assert found[node].value.text == short(numbers["value"]), node
        assert grad(found[node]) == short(numbers["grad"]), node


@pytest.mark.parametrize("name", NAMES)
def test_the_root_shows_the_value_and_gradient_of_its_node(qapp, name):
    graph = sheet_of(example_drawing(name)).graph
    look = root(at_step(graph, -1))
    assert look.texts.label == known(name).root
    assert look.value.text == short(known(name).nodes[known(name).root]["value"])
    assert grad(look) == "1"


@pytest.mark.parametrize("name", NAMES)
def test_each_label_reads_upstream_times_local_is_contribution(qapp, name):
    graph = sheet_of(example_drawing(name)).graph
    trace = run(graph)
    looks = at_step(graph, -1)
    fired = [event for event in trace.events if event.wire is not None]
    for event in fired:
        look = label(looks, event)
        contribution = signed(event.contribution)
        assert look.text == f"{short(event.upstream)} × {short(event.local)} = {contribution}"
        upstream = known(name).nodes.get(graph.names[event.sender])
        if upstream is not None:
            assert look.upstream == short(upstream["grad"])
    assert fired


@pytest.mark.parametrize("name", NAMES)
def test_the_contributions_on_the_wires_add_up_to_the_known_gradients(qapp, name):
    graph = sheet_of(example_drawing(name)).graph
    frame = frame_at(run(graph), 10_000)
    for node, numbers in known(name).nodes.items():
        if node == known(name).root:
            continue
        wires = graph.outgoing[number(graph, node)]
        total = sum(frame.fired[w].contribution for w in wires if w in frame.fired)
        assert total == pytest.approx(numbers["grad"], rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_the_picture_writes_every_number_down(qapp, name):
    sheet = sheet_of(example_drawing(name))
    trace = run(sheet.graph)
    scene = scene_of(sheet, frame_at(trace, len(trace)))
    written = [found.text for found in painted(scene)]
    for numbers in known(name).nodes.values():
        assert short(numbers["value"]) in written
        assert short(numbers["grad"]) in written
    line = "".join(written)
    for event in trace.events:
        if event.wire is not None:
            factors = f"{short(event.upstream)} × {short(event.local)}"
            assert f"{factors}= {signed(event.contribution)}" in line  # in two lines


# before, during and after a pass


def test_outside_a_pass_all_values_are_known_and_no_gradient_is(qapp):
    looks = looks_at(demonstration(), live_frame(demonstration()))
    assert named(looks, "y").value.text == "41"
    assert grad(named(looks, "a")) == NOT_COMPUTED
    assert looks.label((number(looks.graph, "y"), 0)) is None


def test_a_forward_pass_shows_only_what_has_been_computed(qapp):
    graph = demonstration()
    trace = run_forward(graph)
    start, first = (looks_at(graph, frame_at(trace, k)) for k in (0, 1))
    assert named(start, "a").value.text == "2"
    assert named(start, "c").value.text == NOT_COMPUTED
    computed = graph.names[trace.computed[0].node]
    assert named(first, computed).value.text == short(trace.computed[0].value)
    assert named(first, computed).body.state == "forward"
    assert named(first, "y").value.text == NOT_COMPUTED


def test_at_the_seed_only_the_root_has_a_gradient(qapp):
    looks = at_step(demonstration(), 1)
    assert grad(named(looks, "y")) == "1"
    assert {grad(named(looks, name)) for name in "abcdef"} == {NOT_COMPUTED}
    assert (root(looks).body.state, grad(root(looks))) == ("firing", "1")


def test_the_firing_node_and_the_receiving_node_are_lit(qapp):
    trace = run(demonstration())
    looks = at_step(demonstration(), 2)
    event = trace.events[1]
    assert node_look(looks, event.sender).body.state == "firing"
    assert node_look(looks, event.node).body.state == "receiving"
    assert looks.wire(wire(event)).state == "firing"
    assert label(looks, event).state == "firing"


def test_the_next_label_is_drawn_without_its_result(qapp):
    looks = at_step(demonstration(), 1)
    following = looks.frame.next_event
    look = label(looks, following)
    assert look.state == "next"
    assert look.contribution == "···"
    assert looks.wire(wire(following)).state == "next"


def test_wires_beyond_the_next_step_carry_nothing(qapp):
    trace = run(demonstration())
    looks = at_step(demonstration(), 1)
    for event in trace.events[2:]:
        assert looks.label(wire(event)) is None
        assert looks.wire(wire(event)).state == "idle"


def test_covered_the_next_contribution_is_a_question(qapp):
    looks = at_step(demonstration(), 1, covered=True)
    following = looks.frame.next_event
    assert label(looks, following).contribution == ASKED
    assert looks.wire(wire(following)).state == "asked"


def test_uncovered_by_a_click_the_next_contribution_is_shown(qapp):
    looks = at_step(demonstration(), 1, shown=True)
    event = run(demonstration()).events[1]
    assert label(looks, event).contribution == signed(event.contribution)


def test_nothing_covered_gives_the_answer_away_elsewhere(qapp):
    graph = known("by-hand").graph
    trace = run(graph)
    for k in range(1, len(trace)):
        scene = scene_of(
            sheet_of(example_drawing("by-hand")),
            hide_answers(frame_at(trace, k), ("contribution",)),
        )
        event = trace.events[k]
        assert label(scene.looks, event).contribution == ASKED
        assert event.before == 0.0
        assert grad(scene.node(event.node)) == NOT_COMPUTED


# ledgers


def test_a_node_that_feeds_two_wires_shows_a_ledger_that_fills(qapp):
    graph = known("shared-leaf").graph
    trace = run(graph)
    a = number(graph, "a")
    arrivals = trace.schedule.arrivals[a]
    before, between, after = (
        node_look(looks_at(graph, frame_at(trace, k)), a)
        for k in (arrivals[0], arrivals[0] + 1, arrivals[1] + 1)
    )
    assert [chip.state for chip in before.ledger.chips] == ["waiting", "waiting"]
    assert [chip.text for chip in before.ledger.chips] == ["", ""]
    assert [chip.state for chip in between.ledger.chips] == ["landed", "waiting"]
    assert [chip.text for chip in after.ledger.chips] == ["−2", "+6"]
    assert after.ledger.total == "= 4"


def test_the_chips_and_the_wires_of_siblings_share_their_hues(qapp):
    looks = at_step(demonstration(), -1)
    graph = looks.graph
    for name in ("a", "b", "c", "d"):
        node = number(graph, name)
        hues = {w: looks.wire(w).hue for w in graph.outgoing[node]}
        assert sorted(hues.values()) == [0, 1]
        assert sorted(chip.hue for chip in node_look(looks, node).ledger.chips) == [0, 1]
        for w, hue in hues.items():
            found = looks.label(w)
            assert found is not None
            assert found.hue == hue


def test_a_square_has_two_wires_and_two_chips(qapp):
    graph = known("square").graph
    looks = at_step(graph, -1)
    a = number(graph, "a")
    value = looks.frame.values[a]
    assert [chip.text for chip in node_look(looks, a).ledger.chips] == [
        signed(value),
        signed(value),
    ]
    assert grad(node_look(looks, a)) == short(2 * value)


def test_a_node_with_one_wire_has_a_waiting_chip_and_no_ledger(qapp):
    looks = at_step(known("by-hand").graph, 1)
    assert named(looks, "a").ledger.chips == ()
    assert named(looks, "a").waiting is not None


def test_many_chips_are_folded(qapp):
    graph = fan(6)
    looks = at_step(graph, -1)
    look = node_look(looks, 1)
    assert len(look.ledger.chips) == 6
    assert (look.ledger.start, look.ledger.more) == ("… 1", 0)
    assert look.ledger.total == "= 7"


def test_what_a_sum_was_is_told_when_more_arrives(qapp):
    graph = known("shared-leaf").graph
    trace = run(graph)
    a = number(graph, "a")
    first, second = trace.schedule.arrivals[a]
    assert node_look(looks_at(graph, frame_at(trace, first + 1)), a).numbers[1].note == ""
    assert node_look(looks_at(graph, frame_at(trace, second + 1)), a).numbers[1].note == "was −2"


def test_an_overwritten_contribution_is_struck(qapp):
    graph = known("shared-leaf").graph
    trace = run(graph, rules=mistake("assign"))
    a = number(graph, "a")
    look = node_look(looks_at(graph, frame_at(trace, len(trace))), a)
    assert look.ledger.chips[0].state == "overwritten"


# the three states that must not be mistaken for one another


def test_not_computed_zero_and_no_path_look_different(qapp):
    graph = from_expression("relu(x*w + b)", {"x": 1, "w": -3, "b": 1})
    graph = Graph({**graph.nodes, 90: Leaf(5.0, "alone")}, graph.active_root, 91)
    start, end = at_step(graph, 0), at_step(graph, -1)
    assert grad(named(start, "x")) == NOT_COMPUTED
    assert grad(named(end, "x")) == "0"
    assert grad(named(end, "alone")) == NO_PATH
    assert len({named(start, "x").grad, named(end, "x").grad, named(end, "alone").grad}) == 3


def test_a_constant_has_no_gradient_at_all(qapp):
    graph = from_expression("2 * x")
    constant = next(n for n, found in graph.nodes.items() if isinstance(found, Constant))
    for k in (0, -1):
        assert node_look(at_step(graph, k), constant).grad is None


def test_a_wire_from_a_constant_never_carries_a_label(qapp):
    graph = from_expression("2 * x")
    looks = at_step(graph, -1)
    target = next(n for n, found in graph.nodes.items() if isinstance(found, OpNode))
    constant = next(n for n, found in graph.nodes.items() if isinstance(found, Constant))
    slot = graph.inputs(target).index(constant)
    assert looks.label((target, slot)) is None
    assert looks.wire((target, slot)).state == "idle"


def test_a_contribution_of_zero_has_wires_of_their_own_kind(qapp):
    looks = at_step(known("dead-relu").graph, -1)
    states = {looks.wire(w).state for w in looks.frame.fired}
    assert "zero" in states


def test_what_is_not_finite_is_shown_as_it_is(qapp):
    graph = from_expression("y = log(x - x)")
    looks = looks_at(graph, live_frame(graph))
    assert named(looks, "y").value.text == "−inf"
    assert named(looks, "y").body.bad
    nan = from_expression("y = log(0 - x)")
    assert named(looks_at(nan, live_frame(nan)), "y").value.text == "nan"


def test_a_kink_is_marked_beside_its_local_derivative(qapp):
    graph = from_expression("y = relu(x)", {"x": 0})
    look = named(at_step(graph, -1), "y")
    assert look.numbers[2:] == (NumberLook("0", "local", by_convention=True),)
    smooth = from_expression("y = relu(x)", {"x": 1})
    assert named(at_step(smooth, -1), "y").numbers[2:] == (NumberLook("1", "local"),)


def test_numbers_are_never_rounded_to_zero_or_one_unmarked(qapp):
    graph = from_expression("y = x + 0", {"x": 1})
    leaf = number(graph, "x")
    for value, text in ((1e-9, "1e−9"), (0.999999, "≈ 1"), (1.0, "1"), (0.0, "0")):
        graph = graph.with_values({leaf: value})
        assert node_look(looks_at(graph, live_frame(graph)), leaf).value.text == text


# words on nodes


def test_unplugged_slots_show(qapp):
    graph = unfinished()
    look = node_look(looks_at(graph, live_frame(graph)), 2)
    assert look.body.plugged == (True, False)
    assert look.texts.captions == ("slot 2 empty",)
    assert look.value.text == NOT_COMPUTED


def test_an_op_says_what_it_does_with_the_names_of_its_inputs(qapp):
    looks = looks_at(demonstration(), live_frame(demonstration()))
    assert named(looks, "d").texts.captions[0] == "a × b"
    assert named(looks, "d").body.symbol == "×"


@pytest.mark.parametrize("op", ["sub", "div", "pow"])
def test_empty_slots_that_can_not_be_swapped_carry_letters(qapp, op):
    graph = Graph({1: Leaf(2.0), 2: OpNode(op, (None, None)), 3: Root(2)}, 3, 4)
    assert node_look(looks_at(graph, live_frame(graph)), 2).texts.slots == ("a", "b")


def test_a_filled_slot_says_along_what_its_local_derivative_is(qapp):
    looks = looks_at(demonstration(), live_frame(demonstration()))
    assert named(looks, "d").texts.slots == ("∂/∂a", "∂/∂b")
    graph = from_expression("y = 2 * x")
    assert named(looks_at(graph, live_frame(graph)), "y").texts.slots == ("fixed", "∂/∂x")


def test_of_several_roots_only_the_active_one_is_lit(qapp):
    nodes = {1: Leaf(2.0, "a"), 2: OpNode("exp", (1,), "y"), 3: Root(2), 4: Root(1)}
    graph = Graph(nodes, 3, 5)
    looks = at_step(graph, 1)
    assert node_look(looks, 3).body.active
    assert not node_look(looks, 4).body.active
    assert grad(node_look(looks, 3)) == "1"
    assert grad(node_look(looks, 4)) == NOT_COMPUTED


def test_nodes_are_numbered_in_their_firing_order(qapp):
    looks = at_step(demonstration(), -1)
    order = run(demonstration()).schedule.firing_numbers
    for node, place in order.items():
        assert node_look(looks, node).badge == place
    assert sorted(order.values()) == list(range(1, len(order) + 1))


def test_an_empty_sheet_has_nothing_to_show(qapp):
    scene = scene_of(Sheet(), live_frame(Graph()))
    assert painted(scene) == []
