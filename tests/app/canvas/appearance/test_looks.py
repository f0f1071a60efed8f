"""What nodes, wires and labels say is what is known to be true, and no more than that."""

from app.canvas.appearance.face import node_look
from app.canvas.appearance.looks import (
    ChipLook,
    LabelLook,
    LedgerLook,
    Ledgers,
    Looks,
    NodeLook,
    NumberLook,
)
from app.canvas.paint.figure import scene_of
from app.document.examples import examples
from app.document.sheet import Sheet, sheet_of
from app.style.sizes import CHIPS_SHOWN
from engine import from_expression
from engine.asking.question import hide_answers
from engine.frame import Frame, frame_at, live_frame
from engine.graph import Constant, Graph, Leaf, Node, OpNode, Root, Wire
from engine.numbers import ASKED, NO_PATH, NOT_COMPUTED, short, signed
from engine.rules import Rules
from engine.trace import Event, run, run_forward
from tests.helpers.canvas import example_drawing, painted
from tests.helpers.graphs import demonstration, mistake, unfinished
from tests.helpers.graphs import example as known
from tests.helpers.tables import in_turn

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


@in_turn("name", NAMES)
def test_nodes_show_the_known_values_and_gradients(qapp, name):
    graph = sheet_of(example_drawing(name)).graph
    looks = at_step(graph, -1)
    found = {graph.names[n]: node_look(looks, n) for n in graph.names}
    for node, numbers in known(name).nodes.items():
        assert found[node].value.text == short(numbers["value"]), node
        assert grad(found[node]) == short(numbers["grad"]), node
    assert root(looks).texts.label == known(name).root
    assert root(looks).value.text == short(known(name).nodes[known(name).root]["value"])
    assert grad(root(looks)) == "1"


@in_turn("name", NAMES)
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


@in_turn("name", NAMES)
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


def test_at_the_seed_only_the_root_has_a_gradient_and_nothing_of_the_next_step_is_told(qapp):
    looks = at_step(demonstration(), 1)
    assert grad(named(looks, "y")) == "1"
    assert {grad(named(looks, name)) for name in "abcdef"} == {NOT_COMPUTED}
    assert (root(looks).body.state, grad(root(looks))) == ("firing", "1")
    _seed, following, then, *later = run(demonstration()).events
    assert looks.label(wire(following)) is None, "Ask me may ask for it"
    assert looks.wire(wire(following)).state == "next"
    for event in (then, *later):
        assert looks.label(wire(event)) is None
        assert looks.wire(wire(event)).state == "idle"
    looks = at_step(demonstration(), 2)
    assert (label(looks, then).state, label(looks, then).contribution) == ("next", "···")


def test_the_firing_node_and_the_receiving_node_are_lit(qapp):
    trace = run(demonstration())
    looks = at_step(demonstration(), 2)
    event = trace.events[1]
    assert node_look(looks, event.sender).body.state == "firing"
    assert node_look(looks, event.node).body.state == "receiving"
    assert looks.wire(wire(event)).state == "firing"
    assert label(looks, event).state == "firing"


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


def test_what_a_sum_was_is_told_when_more_arrives(qapp):
    graph = known("shared-leaf").graph
    trace = run(graph)
    a = number(graph, "a")
    first, second = trace.schedule.arrivals[a]
    assert node_look(looks_at(graph, frame_at(trace, first + 1)), a).numbers[1].note == ""
    assert node_look(looks_at(graph, frame_at(trace, second + 1)), a).numbers[1].note == "was −2"


# the three states that must not be mistaken for one another


def test_not_computed_zero_and_no_path_look_different(qapp):
    graph = from_expression("relu(x*w + b)", {"x": 1, "w": -3, "b": 1})
    graph = Graph({**graph.nodes, 90: Leaf(5.0, "alone")}, graph.active_root, 91)
    start, end = at_step(graph, 0), at_step(graph, -1)
    assert grad(named(start, "x")) == NOT_COMPUTED
    assert grad(named(end, "x")) == "0"
    assert grad(named(end, "alone")) == NO_PATH
    assert len({named(start, "x").grad, named(end, "x").grad, named(end, "alone").grad}) == 3


def test_a_constant_has_no_gradient_and_its_wire_carries_nothing(qapp):
    graph = from_expression("y = 2 * x")
    constant = next(n for n, found in graph.nodes.items() if isinstance(found, Constant))
    slot = (number(graph, "y"), graph.inputs(number(graph, "y")).index(constant))
    for k in (0, -1):
        assert node_look(at_step(graph, k), constant).grad is None
        assert at_step(graph, k).label(slot) is None
        assert at_step(graph, k).wire(slot).state == "idle"


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


# nodes beside a pass


def test_unplugged_slots_show(qapp):
    look = node_look(looks_at(unfinished(), live_frame(unfinished())), 2)
    assert (look.body.plugged, look.value.text) == ((True, False), NOT_COMPUTED)


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


MANY = 8
NODES: dict[int, Node] = {1: Leaf(2.0, "a"), 2: OpNode("exp", (1,), "b")}
for _n in range(3, 3 + MANY):
    NODES[_n] = OpNode("mul", (1, _n - 1))
NODES[3 + MANY] = Root(2 + MANY)
GRAPH = Graph(NODES, 3 + MANY, 4 + MANY)
"""a is used nine times: by the exponential and by every product."""


def ledgers(cursor: int, rules: Rules | None = None) -> Ledgers:
    trace = run(GRAPH) if rules is None else run(GRAPH, rules=rules)
    return Ledgers(frame_at(trace, cursor), short, signed)


def last() -> int:
    return len(run(GRAPH))


def test_siblings_have_a_hue_each_and_an_only_wire_has_none():
    found = ledgers(1)
    wires = found.siblings(1)
    assert len(wires) == MANY + 1
    assert [found.hue(wire) for wire in wires] == list(range(MANY + 1))
    assert found.hue((3, 1)) == -1


def test_there_are_no_chips_where_one_wire_leaves_or_none():
    found = ledgers(last())
    assert found.ledger(2) == found.ledger(3 + MANY) == LedgerLook()


def test_of_many_chips_the_last_are_shown_and_the_others_counted_or_summed():
    arrivals = [run(GRAPH).events[k] for k in run(GRAPH).schedule.arrivals[1]]
    for cursor in range(1, last() + 1):
        found = ledgers(cursor).ledger(1)
        assert (len(found.chips), found.expected) == (CHIPS_SHOWN, MANY + 1)
        assert found.arrived == sum(event in run(GRAPH).events[:cursor] for event in arrivals)
        hidden = max(0, found.arrived - CHIPS_SHOWN)
        assert found.more == found.expected - CHIPS_SHOWN - hidden
        before = [event.contribution for event in arrivals[:hidden]]
        assert found.start == (f"… {short(sum(before))}" if hidden else "0")
    waiting = ledgers(1).ledger(1).chips
    assert {(chip.text, chip.state) for chip in waiting} == {("", "waiting")}
    assert len({chip.hue for chip in waiting}) == CHIPS_SHOWN
    states = [chip.state for chip in ledgers(last()).ledger(1).chips]
    assert states == ["done"] * (CHIPS_SHOWN - 1) + ["landed"]


def test_a_second_pass_starts_from_what_the_first_has_left():
    graph = from_expression("c=a+b; d=a*b; e=c+d; f=c*d; y=e+f", {"a": 2, "b": 3})
    trace = run(graph, rules=mistake("no-zero-grad"))
    found = Ledgers(frame_at(trace, len(trace)), short, signed)
    a = graph.node_named("a")
    assert a is not None
    assert found.ledger(a).start == "was 25"
    assert [chip.text for chip in found.ledger(a).chips] == ["+54", "+21"]
    assert found.ledger(a).total == "= 100"
    half = Ledgers(frame_at(trace, len(trace) // 2), short, signed)
    assert half.ledger(a).start == "0"
    assert half.ledger(a).total == "= 25"


def test_where_the_leaves_are_zeroed_between_they_start_from_0_again():
    graph = from_expression("c=a+b; d=a*b; e=c+d; f=c*d; y=e+f", {"a": 2, "b": 3})
    trace = run(graph, rules=mistake("zero-leaves-only"))
    found = Ledgers(frame_at(trace, len(trace)), short, signed)
    starts = {graph.names[n]: found.ledger(n).start for n in graph.nodes if n in graph.names}
    assert starts["a"] == starts["b"] == "0"
    assert (starts["c"], starts["d"], starts["e"]) == ("was 7", "was 6", "was 1")


def test_where_assigning_is_the_mistake_earlier_chips_are_overwritten():
    assign = mistake("assign")
    end = len(run(GRAPH, rules=assign))
    states = [chip.state for chip in ledgers(end, assign).ledger(1).chips]
    assert states == ["overwritten"] * (CHIPS_SHOWN - 1) + ["landed"]


def test_where_assigning_is_the_mistake_a_long_ledger_starts_from_what_the_node_held():
    graph = from_expression("y = 2*a + 3*a + 5*a + 7*a + 11*a + 13*a + 17*a", {"a": 1})
    trace = run(graph, rules=mistake("assign"))
    a = graph.node_named("a")
    assert a is not None
    found = Ledgers(frame_at(trace, len(trace)), short, signed).ledger(a)
    assert found.start == "… 17"
    assert [chip.text for chip in found.chips] == ["+13", "+11", "+7", "+5", "+3", "+2"]


def test_a_node_with_one_wire_waits_with_one_chip_until_it_comes():
    waits = ChipLook("", -1, "waiting")
    assert ledgers(0).pending_chip(2) is None
    assert ledgers(1).pending_chip(2) == waits
    assert ledgers(last()).pending_chip(2) is None


def test_the_total_is_the_gradient_by_now():
    assert ledgers(0).ledger(1).total == "= –"
    trace = run(GRAPH)
    assert ledgers(last()).ledger(1).total == f"= {short(frame_at(trace, len(trace)).grads[1])}"


def test_siblings_are_taken_over_within_one_pass():
    trace = run(GRAPH)
    before = Ledgers(frame_at(trace, 1), short, signed)
    after = Ledgers(frame_at(trace, 2), short, signed)
    after.reuse_caches_of(before)
    assert after.siblings(1) is before.siblings(1)
