from itertools import product

from app.workbench.playback.ticks import tracks
from engine import MISTAKES, from_expression
from engine.graph import Graph
from engine.rules import CORRECT, Rules
from engine.trace import run, run_forward

TEXTS = ["e=a*b; d=e+a; L=d*f", "y = a*a", "y = (a + 2) / (3 * 4)", "c=a+b; d=c*c; y=c+d"]


def test_the_ticks_are_known_before_the_pass_has_run():
    for text, rules in product(TEXTS, (CORRECT, *MISTAKES)):
        try:
            assert_known(from_expression(text), rules)
        except AssertionError as broken:
            raise AssertionError(f"{text} under {rules.name}") from broken


def assert_known(graph: Graph, rules: Rules) -> None:
    assert graph.root is not None
    forward, backward = tracks(graph, graph.root, rules)
    computed, events = run_forward(graph).computed, run(graph, rules=rules).events
    assert forward.schedule.receivers == tuple(step.node for step in computed)
    assert len(backward) == len(events)
    for tick, event in zip(backward.schedule.ticks, events, strict=True):
        assert (tick.kind, tick.node, tick.sender) == (event.kind, event.node, event.sender)
        assert tick.sweep == event.sweep
        assert event.wire is None or tick.slot == event.slot


def test_a_mistake_without_end_has_no_ticks():
    text = "x1 = x0 + x0" + "".join(f"; x{k + 1} = x{k} + x{k}" for k in range(1, 20))
    graph = from_expression(text)
    assert graph.root is not None
    recursive = next(rules for rules in MISTAKES if rules.name == "recursive")
    assert [track.phase for track in tracks(graph, graph.root, recursive)] == ["forward"]


def test_groups_go_by_the_firing_node_and_ticks_by_the_receiver():
    graph = from_expression("e=a*b; d=e+a; L=d*f")
    assert graph.root is not None
    track = tracks(graph, graph.root, CORRECT)[1]
    assert [group.title for group in track.groups] == ["seed", "× L", "+ d", "× e"]
    assert [track.name(k) for k in range(1, 8)] == ["L", "d", "f", "e", "a", "a", "b"]
