"""The courses of wires and the sizes of nodes."""

from itertools import pairwise, product

from PySide6.QtCore import QPointF, QRectF

from app.canvas.layout.drawn_course import DrawnCourse, course
from app.canvas.layout.wire_path import bend_length
from app.canvas.paint.figure import scene_of
from app.document.sheet import Sheet
from app.style import sizes
from app.style.strokes import width
from engine.frame import frame_at, live_frame
from engine.graph import Constant, Graph, Leaf, OpNode, Root
from engine.trace import run
from tests.helpers.canvas import Written, painted
from tests.helpers.graphs import fan
from tests.helpers.tables import in_turn

ENDS = [(400, 0), (400, 200), (400, -200), (300, 600), (900, 30), (60, 10), (-300, 0), (-80, 200)]


def points(found: DrawnCourse) -> list[QPointF]:
    return [found.path.pointAtPercent(k / 200) for k in range(201)]


@in_turn("end", ENDS)
def test_a_wire_leaves_its_output_level_and_arrives_level_in_its_slot(end: tuple[int, int]):
    path = points(course(QPointF(0, 0), QPointF(*end)))
    assert path[0].manhattanLength() < 1
    assert (path[-1] - QPointF(*end)).manhattanLength() < 1
    assert end[0] < 0 or all(b.x() >= a.x() for a, b in pairwise(path))
    assert abs(path[1].y() - path[0].y()) < 4
    assert path[1].x() > path[0].x()
    assert abs(path[-1].y() - path[-2].y()) < 4
    assert path[-1].x() > path[-2].x()


@in_turn("end", [end for end in ENDS if end[0] >= 300])
def test_a_wire_bends_early_and_then_runs_level(end: tuple[int, int]):
    found = course(QPointF(0, 0), QPointF(*end))
    assert found.run_start <= bend_length() < sizes.BEND
    assert found.run_end == end[0]
    level = [at for at in points(found) if at.x() > found.run_start + 1]
    assert all(abs(at.y() - end[1]) < 0.5 for at in level)


def test_a_falling_wire_falls_first_and_a_rising_one_rises_last():
    """So that they cross at a right angle, on a level run."""
    bend = bend_length()
    begun, ended = 0.44 * bend, 0.61 * bend
    falling = course(QPointF(0, 0), QPointF(400, 200))
    assert {round(at.y()) for at in points(falling) if at.x() > ended} == {200}
    rising = course(QPointF(0, 200), QPointF(400, 0))
    assert {round(at.y()) for at in points(rising) if at.x() < begun} == {200}
    assert {round(at.y()) for at in points(rising) if at.x() > bend} == {0}


def test_a_wire_between_nodes_that_almost_touch_does_not_turn_back():
    for gap, down in product((12, 20, 39), (-300, -18, 0, 18, 300)):
        wire = course(QPointF(100, 100), QPointF(100 + gap, 100 + down))
        xs = [point.x() for point in wire.polyline.toList()]
        assert xs == sorted(xs)
        assert (xs[0], xs[-1]) == (100, 100 + gap)


def test_a_wire_keeps_away_from_a_node_in_its_way():
    node = QRectF(250, 60, 130, 90)
    found = course(QPointF(0, 100), QPointF(700, 100), [node])
    assert not any(node.contains(at) for at in points(found))


def test_a_wire_passes_between_two_nodes_where_there_is_a_lane():
    nodes = [QRectF(250, -40, 130, 120), QRectF(250, 160, 130, 120)]
    found = course(QPointF(0, 20), QPointF(700, 230), nodes)
    assert not any(node.contains(at) for node in nodes for at in points(found))


def graph_of(width: float, label: str = "a") -> Graph:
    return Graph({1: Leaf(width, label), 2: OpNode("neg", (1,), "b"), 3: Root(2)}, 3, 4)


def box_of(graph: Graph, node: int):
    places = {n: (300.0 * n, 0.0) for n in graph.nodes}
    return scene_of(Sheet(graph, places), live_frame(graph)).boxes[node]


def test_nodes_have_the_sizes_of_the_design(qapp):
    graph = graph_of(2.0)
    assert (box_of(graph, 1).w, box_of(graph, 1).h) == (80, 88)
    op, root = box_of(graph, 2), box_of(graph, 3)
    assert (op.w <= 96, op.h) == (True, 112)
    assert (48 <= root.w <= 60, root.h) == (True, 112)
    three = Graph({1: Leaf(), 2: OpNode("where_gt0", (1, 1, 1)), 3: Root(2)}, 3, 4)
    assert box_of(three, 2).h == 150
    assert box_of(three, 1).h == 88 + 30
    assert [slot_of(three, 2, k) for k in range(3)] == [51, 89, 127]


def slot_of(graph: Graph, node: int, slot: int) -> float:
    """How far below the top of its node a slot is."""
    box = box_of(graph, node)
    return box.slot(slot).y() - box.y


def test_a_constant_is_a_pill_at_its_reader_and_a_small_node_where_several_read_it(qapp):
    one = Graph({1: Leaf(), 2: Constant(3.0), 3: OpNode("mul", (1, 2)), 4: Root(3)}, 4, 5)
    assert (box_of(one, 2).kind, box_of(one, 2).h) == ("pill", 24)
    two = Graph({1: Leaf(), 2: Constant(3.0), 3: OpNode("mul", (2, 2)), 4: Root(3)}, 4, 5)
    assert (box_of(two, 2).kind, box_of(two, 2).h) == ("constant", 28 + 26 + 8)


def test_a_node_grows_with_its_number_in_steps(qapp):
    widths = {box_of(graph_of(1.23 * 10.0**k), 1).w for k in range(-12, 12, 2)}
    assert len(widths) > 1
    assert all(wide % 4 == 0 for wide in widths)


def test_a_long_label_does_not_make_a_node_endless(qapp):
    assert box_of(graph_of(1.0, "a very long label " * 11), 1).w < 400


@in_turn("wires", [1, 2, 3, 4, 6, 9, 12])
def test_every_chip_and_the_sum_have_room_in_the_ledger(qapp, wires: int):
    graph = fan(wires - 1)
    sheet = Sheet(graph, {n: (400.0 * n, 0.0) for n in graph.nodes})
    trace = run(graph)
    scene = scene_of(sheet, frame_at(trace, len(trace)))
    lines = (wires > 1) + (wires > 3)
    assert scene.boxes[1].h == 88 + (0, sizes.LEDGER, sizes.LEDGER + sizes.LEDGER_LINE)[lines]
    corner = scene.bounds().adjusted(-200, -200, 200, 200).topLeft()
    node = scene.boxes[1].rect.translated(-corner)
    lane = [found for found in painted(scene) if node.contains(found.x, found.y)]
    ledger = [found for found in lane if found.y > node.top() + 88]
    assert len(ledger) == (0 if wires == 1 else min(wires, 6) + 2)  # with the start and the sum
    for found in ledger:
        role = "number" if found.text.startswith("=") else "caption strong"
        assert found.x + width(found.text, role) < node.right()
    if ledger:
        assert found_line(ledger[-1], node) == lines - 1  # the sum is at the end


def found_line(found: Written, node: QRectF) -> int:
    """In which line of the ledger of a leaf a text is."""
    return round((found.y - node.top() - 88 - sizes.LEDGER / 2) / sizes.LEDGER_LINE)


def test_wires_leave_the_capsule_in_the_order_of_their_targets(qapp):
    nodes = {1: Leaf(), 2: OpNode("neg", (1,)), 3: OpNode("exp", (1,)), 4: Root(2)}
    graph = Graph(nodes, 4, 5)
    places = {1: (0.0, 0.0), 2: (400.0, 300.0), 3: (400.0, -300.0), 4: (800.0, 0.0)}
    scene = scene_of(Sheet(graph, places), live_frame(graph))
    assert scene.courses[3, 0].start[1] < scene.courses[2, 0].start[1]
