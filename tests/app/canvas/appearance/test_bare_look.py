"""What stands for a node until it is read is the body that it will have."""

import pytest

from app.canvas.appearance.bare_look import bare, read_bare
from app.canvas.appearance.looks import Looks
from engine.frame import Frame, frame_at, live_frame
from engine.numbers import short, signed
from engine.trace import run
from tests.helpers.easel import example_drawing
from tests.helpers.graphs import EXAMPLES


@pytest.mark.parametrize("name", [found.name for found in EXAMPLES])
def test_a_bare_look_is_the_whole_look_without_names_and_numbers(name):
    graph = example_drawing(name).graph
    trace = run(graph)
    frames: list[Frame] = [live_frame(graph), *(frame_at(trace, k) for k in range(len(trace) + 1))]
    for frame in frames:
        looks = Looks(frame, short, signed)
        for node in graph.nodes:
            assert read_bare(looks, node) == bare(looks.node(node))
