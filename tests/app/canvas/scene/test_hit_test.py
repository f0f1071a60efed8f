"""What lies under the pointer."""

import pytest
from PySide6.QtCore import QPointF

from app.canvas.layout.text_sizes import slot_row
from app.canvas.paint.picture_export import scene_of
from app.canvas.scene.hit_test import hit, nearest_output, nearest_slot, wire_near
from app.canvas.scene.scene import Scene
from app.document.sheet import Sheet
from engine.frame import frame_at, live_frame
from engine.graph import Graph, Leaf, OpNode, Root
from engine.trace import run

NODES = {
    1: Leaf(2.0, "a"),
    2: OpNode("mul", (1, None), "b"),
    3: OpNode("exp", (1,), "c"),
    4: Root(2),
}
PLACES = {1: (0.0, 0.0), 2: (400.0, 0.0), 3: (400.0, 300.0), 4: (800.0, 0.0)}


@pytest.fixture
def scene(qapp) -> Scene:
    graph = Graph(NODES, 4, 5)
    return scene_of(Sheet(graph, PLACES), live_frame(graph))


def part(scene: Scene, x: float, y: float, scale: float = 1.0) -> tuple[str, int | None]:
    found = hit(scene, QPointF(x, y), scale)
    return found.part, found.node if found.node is not None else (found.wire or (None,))[0]


def test_the_parts_of_a_leaf(scene: Scene):
    assert part(scene, 60, 14) == ("node", 1)
    assert part(scene, 110, slot_row(0)) == ("number", 1)
    assert part(scene, 110, slot_row(1)) == ("node", 1)
    right = scene.boxes[1].w
    assert part(scene, right + 5, slot_row(1) - 13) == ("output", 1)
    assert part(scene, right + 40, 500) == ("canvas", None)


def test_a_slot_is_hit_around_its_circle(scene: Scene):
    for dx, dy in ((0, 0), (-11, 0), (11, 0), (0, 12), (0, -12)):
        found = hit(scene, QPointF(400 + dx, slot_row(1) + dy), 1.0)
        assert (found.part, found.wire) == ("slot", (2, 1)), (dx, dy)


def test_the_value_of_an_op_is_no_number_to_drag(scene: Scene):
    assert part(scene, 400 + 110, slot_row(0)) == ("node", 2)


def test_a_root_has_no_output(scene: Scene):
    box = scene.boxes[4]
    assert part(scene, box.x + box.w + 5, slot_row(0) + 13)[0] != "output"
    assert nearest_output(scene, QPointF(box.x + box.w, 40), 30) is None


def test_targets_keep_their_size_on_the_screen_when_far_away(scene: Scene):
    beside = QPointF(400 - 13, slot_row(0))
    assert hit(scene, beside - QPointF(9, 0), 1.0).part != "slot"
    assert hit(scene, beside, 0.3).part == "slot"


def test_the_nearest_slot_within_reach_is_found(scene: Scene):
    near = QPointF(400 - 15, slot_row(1) - 4)
    assert nearest_slot(scene, near, 24) == (2, 1)
    assert nearest_slot(scene, near, 10) is None


def test_on_a_node_the_slot_of_the_row_is_near(scene: Scene):
    assert nearest_slot(scene, QPointF(470, slot_row(0)), 24) == (2, 0)
    assert nearest_slot(scene, QPointF(470, slot_row(1)), 24) == (2, 1)


def test_a_wire_is_near_along_its_whole_length(scene: Scene):
    path = scene.courses[3, 0].path
    for k in range(2, 99):
        at = path.pointAtPercent(k / 100)
        assert wire_near(scene, at + QPointF(0, 3), 8) in ((3, 0), (2, 0))


def test_inside_the_bend_of_a_wire_nothing_is_near(scene: Scene):
    """The line from a down to c encloses a wide area with its own chord."""
    course = scene.courses[3, 0]
    inside = QPointF((course.start.x() + course.run_end) / 2, (course.start.y() + course.y) / 2)
    assert wire_near(scene, inside, 16) is None
    assert hit(scene, inside, 1.0).part == "canvas"


def test_of_two_wires_the_nearer_one_is_meant(scene: Scene):
    for wire in ((2, 0), (3, 0)):
        course = scene.courses[wire]
        at = QPointF(course.run_end - 60, course.y + 2)
        assert wire_near(scene, at, 16) == wire


def test_a_label_is_hit_before_the_wire_below_it(qapp):
    graph = Graph({**NODES, 2: OpNode("mul", (1, 1), "b")}, 4, 5)
    scene = scene_of(Sheet(graph, PLACES), frame_at(run(graph), 3))
    rect = scene.label_rect((2, 0))
    assert rect is not None
    found = hit(scene, rect.center(), 1.0)
    assert (found.part, found.wire) == ("label", (2, 0))
    assert hit(scene, rect.center(), 0.3).part == "wire"


def test_nodes_lie_above_wires(qapp):
    graph = Graph({**NODES, 5: Leaf(0.0, "over")}, 4, 6)
    scene = scene_of(Sheet(graph, {**PLACES, 5: (200.0, 20.0)}), live_frame(graph))
    assert part(scene, 240, 34) == ("node", 5)
