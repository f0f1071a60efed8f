import pytest

from app.workbench.ticks import backward_track, forward_track, track_of
from engine import MISTAKES, from_expression
from engine.rules import CORRECT, Rules
from engine.trace import run, run_forward

TEXTS = ["e=a*b; d=e+a; L=d*f", "y = a*a", "y = (a + 2) / (3 * 4)", "c=a+b; d=c*c; y=c+d"]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("rules", [CORRECT, *MISTAKES], ids=lambda rules: rules.name)
def test_the_ticks_are_known_before_the_pass_has_run(text: str, rules: Rules):
    graph = from_expression(text)
    assert graph.root is not None
    foreseen = backward_track(graph, graph.root, rules)
    ran = track_of(run(graph, rules=rules))
    assert foreseen.receivers == ran.receivers
    assert foreseen.groups == ran.groups


@pytest.mark.parametrize("text", TEXTS)
def test_the_ends_of_nodes_are_those_of_the_trace(text: str):
    graph = from_expression(text)
    assert graph.root is not None
    for trace in (run(graph), run_forward(graph)):
        assert track_of(trace).ends == frozenset(trace.node_ends)
    assert len(forward_track(graph, graph.root)) == len(run_forward(graph))


def test_groups_go_by_the_firing_node_and_ticks_by_the_receiver():
    track = track_of(run(from_expression("e=a*b; d=e+a; L=d*f")))
    assert [group.title for group in track.groups] == ["seed", "× L", "+ d", "× e"]
    assert [track.name(k) for k in range(1, 8)] == ["L", "d", "f", "e", "a", "a", "b"]
