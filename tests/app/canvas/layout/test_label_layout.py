"""Labels on wires never cover a node or one another, at any step of any example."""

from itertools import combinations

from PySide6.QtCore import QPointF, QRectF

from app.canvas.layout.drawn_course import course
from app.canvas.layout.layout import LabelPlacer
from app.canvas.layout.spatial_index import SpatialIndex, sides_of
from app.canvas.paint.figure import picture_rect, scene_of
from app.canvas.scene.scene import Scene
from app.document.examples import examples
from app.document.node_sizes import row_middle
from app.document.sheet import sheet_of
from engine.asking.question import hide_answers
from engine.frame import frame_at
from engine.graph import Wire
from engine.trace import run
from tests.helpers.canvas import example_drawing
from tests.helpers.tables import in_turn

NAMES = [found.name for found in examples()]


def labels(scene: Scene) -> dict[Wire, QRectF]:
    """The rectangles of all labels that are shown."""
    wires = [wire for _source, wire in scene.sheet.graph.wires()]
    rects = {wire: scene.labels.rect(wire) for wire in wires}
    return {wire: rect for wire, rect in rects.items() if rect is not None}


@in_turn("covered", [False, True])
@in_turn("name", NAMES)
def test_every_label_stands_clear_in_full(qapp, name, covered):
    sheet = sheet_of(example_drawing(name))
    trace = run(sheet.graph)
    most = 0
    for k in range(len(trace) + 1):
        frame = frame_at(trace, k)
        scene = scene_of(sheet, hide_answers(frame, ("contribution",)) if covered else frame)
        found = labels(scene)
        most = max(most, len(found))
        for wire, rect in found.items():
            assert scene.wire_layout.label_layout[wire].form == "full", (
                f"step {k}: the label of {wire} has no room"
            )
            for node in scene.boxes:
                assert not rect.intersects(scene.boxes[node].rect), f"step {k}: {wire} on {node}"
            assert picture_rect(scene).contains(rect)
        for one, other in combinations(found, 2):
            assert not found[one].intersects(found[other]), f"step {k}: {one} on {other}"
        for one, other in combinations(scene.boxes.values(), 2):
            assert not one.rect.intersects(other.rect)
    assert most == len(trace) - 1  # every wire that carries a contribution has had its label


def straight(length: float = 400, y: float = 0):
    return course(QPointF(0, y), QPointF(length, y))


def test_a_label_sits_at_its_slot_when_there_is_room():
    place = LabelPlacer(SpatialIndex()).place(straight(), 120, 40)
    assert (place.form, place.y) == ("full", 0)
    assert 0 < 400 - place.right < 12


IN_THE_WAY = {
    "left of the short form": (QRectF(-100, -20, 400, 40), "short"),
    "above the second line": (QRectF(300, -40, 90, 24), "short"),
    "left of the whole": (QRectF(-100, -20, 250, 40), "full"),
    "all along the wire": (QRectF(-100, -20, 700, 40), "dot"),
    "at the slot": (QRectF(380, -20, 10, 40), "dot"),
}


@in_turn("way", IN_THE_WAY)
def test_a_label_has_one_seat_in_which_it_is_shortened_and_then_a_dot(way: str):
    rect, form = IN_THE_WAY[way]
    free = LabelPlacer(SpatialIndex()).place(straight(), 120, 40)
    nodes: SpatialIndex[int] = SpatialIndex()
    nodes.insert(1, sides_of(rect))
    place = LabelPlacer(nodes).place(straight(), 120, 40)
    assert place.form == form
    assert (place.right, place.y) == (free.right, free.y)


def test_a_label_is_shortened_where_the_wire_is_too_short_for_the_whole():
    assert LabelPlacer(SpatialIndex()).place(straight(150), 120, 40).form == "short"
    assert LabelPlacer(SpatialIndex()).place(straight(60), 120, 40).form == "dot"


def test_two_labels_on_one_line_do_not_share_a_seat():
    placer = LabelPlacer(SpatialIndex())
    first, second = (placer.place(straight(), 120, 40) for _ in range(2))
    assert (first.form, second.form) == ("full", "dot")


def test_labels_of_neighbouring_slots_stand_one_above_the_other():
    placer = LabelPlacer(SpatialIndex())
    lower_slot = row_middle("op", 1) - row_middle("op", 0)
    upper, lower = (placer.place(straight(y=y), 150, 40) for y in (0, lower_slot))
    assert upper.form == lower.form == "full"
    assert upper.right == lower.right


def test_only_the_second_line_of_a_label_is_needed_between_two_close_wires():
    placer = LabelPlacer(SpatialIndex())
    upper, lower = (placer.place(straight(y=y), 150, 40) for y in (0, 30))
    assert (upper.form, lower.form) == ("full", "short")
