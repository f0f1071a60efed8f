"""What is kept for the view from afar is what one would be told anew."""

import random

from app.canvas.scene.scene import Scene
from app.document.document import Document
from app.document.sheet import Sheet, sheet_of
from app.workbench.playback.view_state import ViewState
from engine.formats.native import Drawing
from engine.frame import frame_at, live_frame
from engine.graph import Graph, Leaf, OpNode, Root
from engine.trace import run, run_again
from tests.helpers.easel import example_drawing


def shapes(scene: Scene) -> tuple[dict, dict]:
    """All lines and rectangles by how they look, in an order of their own."""
    area = scene.bounds().adjusted(-900, -900, 900, 900)
    lines = {look: sorted(map(repr, found)) for look, found in scene.far_wires(area).items()}
    rects = {tone: sorted(map(repr, found)) for tone, found in scene.far_nodes(area).items()}
    parts = (lines, rects)
    return tuple({key: found for key, found in part.items() if found} for part in parts)  # type: ignore[return-value]


def anew(scene: Scene) -> tuple[dict, dict]:
    """What a stage tells that has never shown anything else."""
    fresh = new_stage()
    fresh.show(scene._shown)
    return shapes(fresh)


def new_stage() -> Scene:
    return Scene(lambda x: f"{x:.3g}", lambda x: f"{x:+.3g}")


def test_after_steps_and_ticks_of_a_slider_nothing_old_is_left(qapp):
    graph = example_drawing("shared-leaf").graph
    sheet = sheet_of(example_drawing("shared-leaf"))
    scene = new_stage()
    trace = run(graph)
    frame = frame_at(trace, 1)
    leaf = next(node for node, found in graph.nodes.items() if isinstance(found, Leaf))
    dice = random.Random(3)
    for _ in range(80):
        if dice.random() < 0.3:
            number = dice.choice([0.0, 2.0, 1e308, -3.5])
            graph = graph.with_values({leaf: number})
            trace = run_again(trace, graph)
            sheet = Sheet(graph, sheet.positions)
            frame = frame_at(trace, frame.cursor)
        else:
            frame = frame_at(trace, frame.cursor + dice.choice([-1, 1, 1]))
        scene.show(ViewState(sheet, frame))
        assert shapes(scene) == anew(scene)


def test_after_a_wire_is_pulled_and_nodes_are_moved_or_removed_nothing_old_is_left(qapp):
    document = Document()
    document.start(example_drawing("shared-leaf"))
    scene = new_stage()
    scene.show(ViewState(document.sheet, live_frame(document.graph)))
    shapes(scene)
    op = next(n for n, found in document.graph.nodes.items() if isinstance(found, OpNode))
    document.wires.disconnect(op, 0)
    scene.show(ViewState(document.sheet, live_frame(document.graph)))
    assert shapes(scene) == anew(scene)
    scene.show_dragged({op: (77.0, 11.0)})
    lifted = shapes(scene)
    scene.show_dragged({})
    assert lifted != shapes(scene) == anew(scene)
    document.remove([op])
    scene.show(ViewState(document.sheet, live_frame(document.graph)))
    assert shapes(scene) == anew(scene)


def test_a_root_beside_the_active_one_is_seen_from_afar_when_its_node_gets_a_gradient(qapp):
    nodes = {1: Leaf(2.0, "a"), 2: OpNode("exp", (1,)), 3: OpNode("exp", (2,))}
    graph = Graph({**nodes, 4: Root(3), 5: Root(2)}, 4, 6)
    places = {node: (300.0 * node, 0.0) for node in graph.nodes}
    scene = new_stage()
    trace = run(graph)
    sheet = sheet_of(Drawing(graph, places))
    for k in range(len(trace) + 1):
        scene.show(ViewState(sheet, frame_at(trace, k)))
        assert shapes(scene) == anew(scene)
