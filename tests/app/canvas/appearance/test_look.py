"""Chips: which are shown, in which hue and state, read from a frame alone."""

from app.canvas.appearance.look import ChipLook, LedgerLook, Ledgers
from app.style.sizes import CHIPS_SHOWN
from engine import from_expression
from engine.frame import frame_at
from engine.graph import Graph, Leaf, Node, OpNode, Root
from engine.numbers import short, signed
from engine.rules import MISTAKES, Rules
from engine.trace import run
from tests.helpers.graphs import mistake

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
    for cursor in range(1, last() + 1):
        found = ledgers(cursor).ledger(1)
        assert len(found.chips) == CHIPS_SHOWN
        hidden = max(0, found.arrived - CHIPS_SHOWN)
        assert found.more == found.expected - CHIPS_SHOWN - hidden
        events = run(GRAPH).schedule.arrivals[1]
        before = [run(GRAPH).events[k].contribution for k in events[:hidden]]
        assert found.start == (f"… {short(sum(before))}" if hidden else "0")
    states = [chip.state for chip in ledgers(last()).ledger(1).chips]
    assert states == ["done"] * (CHIPS_SHOWN - 1) + ["landed"]


def test_a_ledger_says_how_many_have_come_though_most_are_not_shown():
    trace = run(GRAPH)
    for cursor in range(len(trace) + 1):
        found = ledgers(cursor).ledger(1)
        assert found.arrived == sum(e.node == 1 for e in trace.events[:cursor])
        assert found.expected == MANY + 1


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


def test_a_contribution_that_has_not_come_is_an_empty_chip_in_its_hue():
    chips = ledgers(1).ledger(1).chips
    assert {(chip.text, chip.state) for chip in chips} == {("", "waiting")}
    assert len({chip.hue for chip in chips}) == CHIPS_SHOWN


def test_where_assigning_is_the_mistake_earlier_chips_are_overwritten():
    assign = next(rules for rules in MISTAKES if rules.name == "assign")
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
