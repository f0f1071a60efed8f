"""Schedules are those of the events, and frames are what the events have done so far."""

from hypothesis import given, settings
from hypothesis import strategies as st

from engine import edits, from_expression
from engine.frame import frame_at
from engine.graph import Constant, Graph, Leaf, OpNode
from engine.rules import CORRECT, MISTAKES, Rules
from engine.schedule import schedule_of
from engine.trace import evaluate_values, run, run_again, run_forward
from tests.helpers.random_graphs import graphs
from tests.helpers.sampling import tries
from tests.helpers.tables import in_turn

SHORT = [rules for rules in (CORRECT, *MISTAKES) if rules.name != "recursive"]
GRAPH = from_expression("c = a*b; y = c*c + a", {"a": 2, "b": 3})


def with_other_numbers(graph: Graph) -> Graph:
    leaves = [node for node, found in graph.nodes.items() if isinstance(found, Leaf)]
    return graph.with_values({leaf: 0.25 + k for k, leaf in enumerate(leaves)})


def computed_one_by_one(graph: Graph) -> dict[int, float]:
    values: dict[int, float] = {}
    for node in graph.structure.topological_order:
        found = graph.nodes[node]
        if isinstance(found, OpNode) and all(source in values for source in found.inputs):
            arguments = [values[source] for source in found.inputs if source is not None]
            values[node] = graph.op(node).forward(*arguments)
        elif isinstance(found, Leaf | Constant):
            values[node] = found.value
    return values


@given(graphs())
@settings(max_examples=tries(60), deadline=None)
def test_values_are_computed_inputs_first(graph):
    assert repr(sorted(evaluate_values(graph).items())) == repr(
        sorted(computed_one_by_one(graph).items())
    )


@given(graphs(), st.sampled_from(SHORT))
@settings(max_examples=tries(80), deadline=None)
def test_a_schedule_is_that_of_the_events(graph, rules):
    trace = run(graph, rules=rules)
    schedule = trace.schedule
    assert len(schedule) == len(trace)
    assert schedule.receivers == tuple(event.node for event in trace.events)
    assert schedule.actors == tuple(event.sender for event in trace.events)
    assert schedule.wires == tuple(event.wire for event in trace.events)
    arrived: dict[int, list[int]] = {}
    for k, event in enumerate(trace.events):
        if event.kind == "contribution":
            arrived.setdefault(event.node, []).append(k)
    assert schedule.arrivals == {node: tuple(places) for node, places in arrived.items()}
    fired = dict.fromkeys(e.sender for e in trace.events if e.kind == "contribution")
    assert schedule.firing_numbers == {node: k for k, node in enumerate(fired, 1)}
    assert [last for _first, last in schedule.turns] == list(schedule.node_ends)
    assert [k for first, last in schedule.turns for k in range(first, last + 1)] == list(
        range(1, len(trace) + 1)
    )


@in_turn("rules", [CORRECT, *MISTAKES])
def test_a_frame_is_what_the_events_have_done_so_far(rules: Rules):
    trace = run(GRAPH, rules=rules)
    grads: dict[int, float] = {}
    fired: dict[tuple[int, int], object] = {}
    for k in range(len(trace)):
        frame = frame_at(trace, k)
        assert (dict(frame.grads), dict(frame.fired)) == (grads, fired)
        event = trace.events[k]
        grads[event.node] = event.after
        if event.wire is not None:
            fired[event.wire] = event


@given(graphs())
@settings(max_examples=tries(80), deadline=None)
def test_a_pass_run_again_is_the_pass_of_the_new_numbers(graph):
    other = with_other_numbers(graph)
    before = run(graph)
    after = run_again(before, other)
    assert after.schedule is before.schedule
    assert after.graph is other
    fresh = run(Graph(other.nodes, other.active_root, other.next_id))
    assert repr(after.events) == repr(fresh.events)


@in_turn("rules", MISTAKES)
def test_a_mistake_and_a_forward_pass_are_run_again_as_they_were(rules: Rules):
    other = GRAPH.with_values({1: 5.0})
    assert run_again(run(GRAPH, rules=rules), other) == run(other, rules=rules)
    assert run_again(run_forward(GRAPH), other) == run_forward(other)


def test_another_root_or_another_label_has_a_schedule_of_its_own():
    assert GRAPH.root is not None
    whole, part = (schedule_of(GRAPH, root, "backward") for root in (GRAPH.root, 3))
    assert len(whole) > len(part)
    labelled = edits.set_label(GRAPH, 1, "other")
    assert run(labelled).schedule.ticks == whole.ticks
