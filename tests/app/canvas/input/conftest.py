"""A small unfinished graph with room around it, to do things with by hand."""

import pytest

from engine.graph import Graph, Leaf, Node, OpNode, Root
from tests.helpers.canvas import CanvasFixture

NODES: dict[int, Node] = {
    1: Leaf(2.0, "a"),
    2: Leaf(-3.0, "b"),
    3: OpNode("add", (1, 2), "c"),
    4: OpNode("mul", (3, None), "d"),
    5: OpNode("exp", (None,), "e"),
    6: Root(None),
}
PLACES = {
    1: (0.0, 0.0),
    2: (0.0, 192.0),
    3: (360.0, 48.0),
    4: (720.0, 48.0),
    5: (720.0, 288.0),
    6: (1080.0, 48.0),
}


@pytest.fixture
def sheet(canvas: CanvasFixture) -> CanvasFixture:
    """a and b feed c, c feeds d; one slot of d, e, and the root are empty."""
    canvas.show(Graph(NODES, 6, 7), PLACES)
    return canvas
