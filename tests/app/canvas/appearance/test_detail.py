"""How much is drawn depends on the size of the smallest text on the screen alone."""

import pytest

from app.canvas.appearance.detail import (
    MAX_SMALL_GRAPH,
    READABLE,
    Detail,
    detail_at,
    scale_for_text_size,
)
from app.canvas.paint.figure import scene_of
from app.canvas.scene.scene import Scene
from app.document.sheet import Sheet
from engine.frame import live_frame
from engine.graph import Constant, Graph, Leaf, Node, OpNode, Root
from tests.helpers.graphs import chain
from tests.helpers.tables import in_turn

LEVELS = [
    (15.0, True, Detail.WHOLE),
    (11.0, True, Detail.WHOLE),
    (8.0, True, Detail.WHOLE),
    (7.9, True, Detail.NUMBERS),
    (15.0, False, Detail.WHOLE),
    (11.0, False, Detail.WHOLE),
    (10.9, False, Detail.RESULTS),
    (9.0, False, Detail.RESULTS),
    (8.9, False, Detail.NUMBERS),
    (6.5, False, Detail.NUMBERS),
    (6.4, False, Detail.SYMBOLS),
    (3.6, False, Detail.SYMBOLS),
    (3.5, False, Detail.SHAPES),
    (3.5, True, Detail.SHAPES),
]


@in_turn(("pixels", "few", "detail"), LEVELS)
def test_the_size_of_the_smallest_text_decides(qapp, pixels: float, few: bool, detail: Detail):
    assert detail_at(scale_for_text_size(pixels) + 1e-9, few) == detail


def scene(graph: Graph) -> Scene:
    return scene_of(Sheet(graph, {n: (300.0 * n, 0.0) for n in graph.nodes}), live_frame(graph))


@pytest.mark.parametrize("more", [0, 1])
def test_up_to_twelve_nodes_are_few_roots_left_aside(qapp, more: int):
    graph = chain(MAX_SMALL_GRAPH - 1 + more)  # with its leaf, and a Root
    found = scene(graph).detail(scale_for_text_size(READABLE) - 0.01)
    assert found == (Detail.RESULTS if more else Detail.WHOLE)


def test_constants_at_a_slot_are_not_counted_and_others_are(qapp):
    nodes: dict[int, Node] = {1: Leaf(1.0, "x"), 2: Constant(2.0), 3: OpNode("mul", (1, 2))}
    for n in range(4, MAX_SMALL_GRAPH + 2):
        nodes[n] = OpNode("neg", (n - 1,))
    nodes[MAX_SMALL_GRAPH + 2] = Root(MAX_SMALL_GRAPH + 1)
    graph = Graph(nodes, MAX_SMALL_GRAPH + 2, MAX_SMALL_GRAPH + 3)
    below = scale_for_text_size(READABLE) - 0.01
    assert scene(graph).detail(below) == Detail.WHOLE
    twice = Graph({**nodes, 3: OpNode("mul", (2, 2))}, MAX_SMALL_GRAPH + 2, MAX_SMALL_GRAPH + 3)
    assert scene(twice).boxes[2].kind == "constant"
    assert scene(twice).detail(below) == Detail.RESULTS
