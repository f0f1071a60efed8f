"""What lies under the pointer."""

import pytest
from PySide6.QtCore import QPointF

from app.canvas.paint.figure import scene_of
from app.canvas.scene.hit_test import hit, nearest_output, nearest_slot, wire_near
from app.canvas.scene.scene import Scene
from app.document.node_sizes import capsule_middle, number_middle, row_middle
from app.document.sheet import Sheet
from engine.frame import frame_at, live_frame
from engine.graph import Constant, Graph, Leaf, OpNode, Root
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
    data, grad = (row_middle("leaf", place) for place in (0, 1))
    right = scene.boxes[1].w
    assert part(scene, 60, 14) == ("node", 1)
    assert part(scene, right - 20, data) == ("number", 1)
    assert part(scene, right - 20, grad) == ("node", 1)
    assert part(scene, 20, data) == ("node", 1)
    assert part(scene, right + 5, capsule_middle("leaf")) == ("output", 1)
    assert part(scene, right + 40, 500) == ("canvas", None)


def test_a_slot_is_hit_around_its_circle(scene: Scene):
    for slot in (0, 1):
        for dx, dy in ((0, 0), (-11, 0), (11, 0), (0, 12), (0, -12)):
            found = hit(scene, QPointF(400 + dx, row_middle("op", slot) + dy), 1.0)
            assert (found.part, found.wire) == ("slot", (2, slot)), (dx, dy)


def test_the_value_of_an_op_is_no_number_to_drag(scene: Scene):
    right = scene.boxes[2].w
    assert part(scene, 400 + right - 20, number_middle("op", 0)) == ("node", 2)


def test_a_root_has_no_output(scene: Scene):
    box = scene.boxes[4]
    assert part(scene, box.x + box.w + 5, capsule_middle("root"))[0] != "output"
    assert nearest_output(scene, QPointF(box.x + box.w, 40), 30) is None


def test_targets_keep_their_size_on_the_screen_when_far_away(scene: Scene):
    beside = QPointF(400 - 13, row_middle("op", 0))
    assert hit(scene, beside - QPointF(9, 0), 1.0).part != "slot"
    assert hit(scene, beside, 0.3).part == "slot"


def test_the_nearest_slot_within_reach_is_found(scene: Scene):
    near = QPointF(400 - 15, row_middle("op", 1) - 4)
    assert nearest_slot(scene, near, 24) == (2, 1)
    assert nearest_slot(scene, near, 10) is None


@pytest.mark.parametrize("off", [-18, 0, 18])
def test_on_a_node_the_slot_of_the_cell_is_near(scene: Scene, off: float):
    for slot in (0, 1):
        at = QPointF(400 + 70, row_middle("op", slot) + off)
        assert nearest_slot(scene, at, 24) == (2, slot)


# constants at the slot of their reader


@pytest.fixture
def seated(qapp) -> Scene:
    """2 × 10, whose second slot is filled by a constant that stands there."""
    nodes = {**NODES, 2: OpNode("mul", (1, 5), "b"), 5: Constant(10.0)}
    graph = Graph(nodes, 4, 6)
    return scene_of(Sheet(graph, {**PLACES, 5: (0.0, 900.0)}), live_frame(graph))


def test_a_seated_constant_is_a_number_but_for_its_edge_from_which_wires_are_drawn(seated: Scene):
    box = seated.boxes[5]
    middle = box.y + box.h / 2
    for x in (box.x + 1, box.x + box.w / 2):
        assert part(seated, x, middle) == ("number", 5)
    assert part(seated, box.x + box.w - 1, middle) == ("output", 5)
    assert part(seated, box.x + box.w / 2, box.y + box.h + 30) != ("output", 5)
    assert part(seated, box.x - 30, middle) != ("number", 5)


def test_the_slot_of_a_seated_constant_is_hit_up_to_the_constant(seated: Scene):
    box, at = seated.boxes[5], seated.boxes[2].slot(1)
    for x in (box.x + box.w + 2, at.x(), at.x() + 11):
        found = hit(seated, QPointF(x, at.y()), 1.0)
        assert (found.part, found.wire) == ("slot", (2, 1))


def test_the_output_of_a_seated_constant_is_found_by_a_wire_that_is_drawn_back(seated: Scene):
    box = seated.boxes[5]
    at = box.rect.center()
    assert nearest_output(seated, at, 24) == 5


# wires


def test_a_wire_is_near_along_its_whole_length(scene: Scene):
    path = scene.courses[3, 0].path
    for k in range(2, 99):
        at = path.pointAtPercent(k / 100)
        assert wire_near(scene, at + QPointF(0, 3), 8) in ((3, 0), (2, 0))


def test_inside_the_bend_of_a_wire_nothing_is_near(scene: Scene):
    """The line from a down to c encloses a wide area with its own chord."""
    course = scene.courses[3, 0]
    inside = QPointF((course.start[0] + course.run_end) / 2, (course.start[1] + course.y) / 2)
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
    rect = scene.labels.rect((2, 0))
    assert rect is not None
    found = hit(scene, rect.center(), 1.0)
    assert (found.part, found.wire) == ("label", (2, 0))
    assert hit(scene, rect.center(), 0.3).part == "wire"


def test_nodes_lie_above_wires(qapp):
    graph = Graph({**NODES, 5: Leaf(0.0, "over")}, 4, 6)
    scene = scene_of(Sheet(graph, {**PLACES, 5: (200.0, 20.0)}), live_frame(graph))
    assert part(scene, 240, 34) == ("node", 5)
