"""What stands for a node until it is read is the body that it will have."""

from typing import get_args

import pytest

from app.canvas.appearance.bare_look import bare, read_bare
from app.canvas.appearance.looks import Looks
from app.workbench.gradients.comparison import compared
from app.workbench.modes.loop import Step, begun
from engine.frame import Frame, frame_at, live_frame
from engine.graph import Graph
from engine.numbers import short, signed
from engine.rules import CORRECT, MISTAKES, Rules
from engine.study.hiding import hidden
from engine.trace import run
from tests.helpers.easel import example_drawing
from tests.helpers.graphs import EXAMPLES, unfinished

EXTRAS = frozenset(("slopes", "finals", "order"))
EPOCHS = 2


def assert_bare(looks: Looks) -> None:
    for node in looks.graph.nodes:
        assert read_bare(looks, node) == bare(looks.node(node))


def frames(graph: Graph, rules: Rules = CORRECT) -> list[Frame]:
    """Every step of a backward pass."""
    trace = run(graph, rules=rules)
    return [frame_at(trace, k) for k in range(len(trace) + 1)]


@pytest.fixture(params=[found.name for found in EXAMPLES])
def graph(request) -> Graph:
    return example_drawing(request.param).graph


def test_a_bare_look_is_the_whole_look_without_names_and_numbers(graph):
    for frame in (live_frame(graph), *frames(graph)):
        assert_bare(Looks(frame, short, signed))
        assert_bare(Looks(frame, short, signed, extras=EXTRAS))


@pytest.mark.parametrize("rules", MISTAKES, ids=lambda rules: rules.name)
def test_so_it_is_in_a_pass_with_a_mistake_alone_and_beside_the_correct_one(graph, rules):
    for frame in frames(graph, rules):
        assert_bare(Looks(frame, short, signed))
        assert frame.trace is not None
        assert_bare(Looks(frame, short, signed, compared(frame.trace), EXTRAS))


def test_so_it_is_while_a_number_is_asked_for(graph):
    for frame in frames(graph):
        assert_bare(Looks(hidden(frame, ("contribution",)), short, signed))


def test_so_it_is_in_a_descent(graph):
    loop = begun(graph)
    for _epoch in range(EPOCHS):
        for _step in range(len(get_args(Step))):
            loop = loop.do(loop.next)
            looks = Looks(loop.frame(live_frame(graph), graph), short, signed)
            looks.descending = loop
            assert_bare(looks)


def test_so_it_is_where_inputs_are_missing():
    assert_bare(Looks(live_frame(unfinished()), short, signed))
