"""Labels on wires never cover a node or one another, at any step of any example."""

from itertools import combinations

import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainterPath

from app.canvas.layout.label_layout import LabelPlacer
from app.canvas.layout.wire_path import course
from app.canvas.paint.picture_export import picture_rect, scene_of
from app.canvas.scene.scene import Scene
from app.document.examples import examples
from app.document.sheet import sheet_of
from engine.frame import frame_at
from engine.graph import Wire
from engine.trace import run
from tests.helpers.easel import example_drawing

NAMES = [found.name for found in examples()]


def labels(scene: Scene) -> dict[Wire, QRectF]:
    """The rectangles of all labels that are shown."""
    wires = [wire for _source, wire in scene.sheet.graph.wires()]
    rects = {wire: scene.label_rect(wire) for wire in wires}
    return {wire: rect for wire, rect in rects.items() if rect is not None}


@pytest.mark.parametrize("covered", [False, True], ids=["open", "covered"])
@pytest.mark.parametrize("name", NAMES)
def test_every_label_stands_clear_in_full(qapp, name, covered):
    sheet = sheet_of(example_drawing(name))
    trace = run(sheet.graph)
    most = 0
    for k in range(len(trace) + 1):
        scene = scene_of(sheet, frame_at(trace, k), covered)
        found = labels(scene)
        most = max(most, len(found))
        for wire, rect in found.items():
            assert scene.wire_layout.label_layout[wire].form == "full", (
                f"step {k}: the label of {wire} has no room"
            )
            for node in scene.boxes:
                assert not rect.intersects(scene.boxes[node].rect), f"step {k}: {wire} on {node}"
                assert not rect.intersects(scene.node_layout.extent(node)), (
                    f"step {k}: {wire} on {node}"
                )
            assert picture_rect(scene).contains(rect)
        for one, other in combinations(found, 2):
            assert not found[one].intersects(found[other]), f"step {k}: {one} on {other}"
    assert most == len(trace) - 1  # every wire that carries a contribution has had its label


@pytest.mark.parametrize("name", NAMES)
def test_no_node_stands_on_another(qapp, name):
    sheet = sheet_of(example_drawing(name))
    trace = run(sheet.graph)
    scene = scene_of(sheet, frame_at(trace, len(trace)))
    for one, other in combinations(scene.boxes, 2):
        assert not scene.boxes[one].rect.intersects(scene.boxes[other].rect)


@pytest.mark.parametrize("name", NAMES)
def test_no_wire_runs_behind_a_node_it_has_nothing_to_do_with(qapp, name):
    sheet = sheet_of(example_drawing(name))
    trace = run(sheet.graph)
    scene = scene_of(sheet, frame_at(trace, len(trace)))
    for source, wire in sheet.graph.wires():
        for node in scene.boxes.keys() - {source, wire[0]}:
            rect = scene.boxes[node].rect
            behind = [at for at in along(scene.courses[wire].path) if rect.contains(at)]
            assert not behind, f"{wire} runs behind {node}"


def along(path: QPainterPath) -> list[QPointF]:
    """Points all along a wire; `intersects` would count what its curve encloses as well."""
    return [path.pointAtPercent(k / 300) for k in range(301)]


def straight(length: float = 400, y: float = 0):
    return course(QPointF(0, y), QPointF(length, y))


def test_a_label_sits_at_its_slot_when_there_is_room():
    seat = LabelPlacer([]).seat(straight(), 120, 40)
    assert (seat.form, seat.y) == ("full", 0)
    assert 0 < 400 - seat.right < 12


def test_a_label_slides_left_along_its_wire_past_what_is_in_the_way():
    in_the_way = QRectF(500, -20, 60, 40)
    seat = LabelPlacer([in_the_way]).seat(straight(600), 120, 40)
    assert seat.form == "full"
    assert seat.right < 500


def test_a_label_is_shortened_where_the_whole_has_no_room():
    seat = LabelPlacer([QRectF(-100, -20, 400, 40)]).seat(straight(), 120, 40)
    assert seat.form == "short"
    assert seat.right - 40 > 300


def test_a_label_becomes_a_dot_where_there_is_no_room_at_all():
    assert LabelPlacer([QRectF(-100, -20, 700, 40)]).seat(straight(), 120, 40).form == "dot"


def test_two_labels_on_one_line_do_not_share_a_seat():
    seater = LabelPlacer([])
    first, second = (seater.seat(straight(), 120, 40) for _ in range(2))
    assert second.right <= first.right - 120 or second.form != "full"


def test_labels_of_neighbouring_slots_stand_one_above_the_other():
    seater = LabelPlacer([])
    upper, lower = seater.seat(straight(y=0), 150, 40), seater.seat(straight(y=26), 150, 40)
    assert upper.form == lower.form == "full"
    assert upper.right == lower.right
