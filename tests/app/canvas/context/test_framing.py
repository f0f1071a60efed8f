"""What is brought into view: without any widget, and asked of the camera alone."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPointF, QRectF, QSize

from app.canvas.context.camera import Camera
from app.canvas.context.framing import Framing
from app.canvas.scene.scene import Scene
from app.document.document import Document
from app.style import sizes
from app.style.current import Style
from app.workbench.playback import Playback
from app.workbench.selection import Selection
from engine.formats.native import Drawing
from engine.graph import Graph, Leaf, OpNode, Root

NODES = {1: Leaf(2.0, "a"), 2: Leaf(-3.0, "b"), 3: OpNode("mul", (1, 2), "c"), 4: Root(3)}
FAR = {1: (0.0, 0.0), 2: (0.0, 2000.0), 3: (3000.0, 0.0), 4: (3400.0, 0.0)}
NEAR = {1: (0.0, 0.0), 2: (0.0, 200.0), 3: (300.0, 100.0), 4: (600.0, 100.0)}


class Shown:
    """A stage seen through a camera in a room of 1000 × 700; something may lie over it."""

    def __init__(self) -> None:
        style = Style()
        self.room = QSize(1000, 700)
        self.document = Document()
        self.selection = Selection(self.document)
        self.playback = Playback(self.document)
        self.scene = Scene(style.short, style.signed)
        self.camera = Camera(style, lambda: self.room)
        self.aside: Iterator[QPointF] = iter(())
        self.asked: list[QRectF] = []
        self.rests = 0
        self.framing = Framing(self.camera, self.scene, self.document, self.selection)
        self.framing.clearance = self.clearance
        self.framing.settle_wanted.connect(self.count_rest)

    def clearance(self, rect: QRectF) -> QPointF:
        self.asked.append(rect)
        return next(self.aside, QPointF())

    def count_rest(self) -> None:
        self.rests += 1

    def open(self, places: dict[int, tuple[float, float]]) -> None:
        self.document.start(Drawing(Graph(NODES, 4, 5), places))
        self.scene.show(self.playback.now)

    def follow(self) -> None:
        self.scene.show(self.playback.now)
        self.framing.follow(self.playback.frame)

    def sees(self, *nodes: int) -> bool:
        area = self.camera.visible_area
        return all(area.contains(self.scene.boxes[node].rect) for node in nodes)


@pytest.fixture
def shown(qapp) -> Shown:
    return Shown()


def test_everything_is_shown_again_in_another_room(shown: Shown):
    shown.open(FAR)
    shown.framing.fit_all()
    assert shown.sees(1, 2, 3, 4)
    shown.room = QSize(400, 300)
    assert not shown.sees(1, 2, 3, 4)
    assert shown.framing.again()
    assert shown.sees(1, 2, 3, 4)


def test_what_moves_comes_to_rest_before_everything_is_shown(shown: Shown):
    shown.open(NEAR)
    shown.framing.fit_all()
    shown.framing.show_opened()
    shown.framing.again()
    assert shown.rests == 3
    shown.framing.fit_selection()
    shown.framing.show_node(1)
    assert shown.rests == 3


def test_after_a_look_by_hand_another_room_changes_nothing(shown: Shown):
    shown.open(NEAR)
    shown.framing.fit_all()
    shown.camera.pan_by(QPointF(40, 0))
    offset = shown.camera.offset
    shown.room = QSize(400, 300)
    assert not shown.framing.again()
    assert shown.camera.offset == offset


def test_a_node_in_view_stays_where_it_is_and_another_comes_to_the_middle(shown: Shown):
    shown.open(FAR)
    before = shown.camera.offset
    shown.framing.show_node(1)
    assert shown.camera.offset == before
    shown.framing.show_node(3)
    middle = shown.camera.to_screen(shown.scene.node_layout.extent(3).center())
    assert (middle - shown.camera.middle).manhattanLength() <= 2
    shown.framing.show_node(99)
    assert shown.sees(3)


def test_nodes_out_of_view_are_shown_with_all_others(shown: Shown):
    shown.open(FAR)
    shown.framing.show_nodes((1,))
    assert shown.camera.zoom == 1.0
    shown.framing.show_nodes((1, 3))
    assert shown.sees(1, 2, 3, 4)


def test_what_is_chosen_is_fitted_and_everything_when_nothing_is(shown: Shown):
    shown.open(FAR)
    shown.selection.choose((3, 4))
    shown.framing.fit_selection()
    assert shown.sees(3, 4)
    assert not shown.sees(1)
    shown.selection.clear()
    shown.framing.fit_selection()
    assert shown.sees(1, 2, 3, 4)


def test_what_is_looked_at_closely_stays_so_in_another_room_and_while_steps_are_followed(
    shown: Shown,
):
    shown.open(FAR)
    shown.selection.choose((3,))
    shown.framing.show_opened()
    shown.framing.fit_selection()
    seen = shown.camera.visible_area
    shown.playback.backward()
    shown.follow()
    assert shown.camera.zoom == 1.0
    assert shown.sees(3)
    shown.room = QSize(900, 600)
    assert not shown.framing.again()
    assert shown.camera.visible_area.topLeft() == seen.topLeft()


def test_with_nothing_chosen_to_fit_the_selection_keeps_what_is_kept(shown: Shown):
    shown.open(NEAR)
    shown.framing.show_opened()
    shown.framing.fit_selection()
    assert shown.camera.kept == shown.framing.show_opened


def test_what_is_opened_gets_narrow_margins_where_that_keeps_labels_readable(shown: Shown):
    shown.open(NEAR)
    bounds = shown.scene.bounds()
    wide = (bounds.width() + 24) * sizes.ZOOM_LABELS
    shown.room = QSize(round(wide) + 1, 2000)
    shown.framing.fit_all()
    assert shown.camera.scale < sizes.ZOOM_LABELS
    shown.framing.show_opened()
    assert shown.camera.scale == pytest.approx(sizes.ZOOM_LABELS)
    assert shown.sees(1, 2, 3, 4)


def test_what_was_opened_stays_whole_while_steps_are_followed(shown: Shown):
    shown.open(NEAR)
    shown.framing.show_opened()
    shown.playback.backward()
    for _step in range(3):
        shown.follow()
        assert shown.sees(1, 2, 3, 4)
        assert shown.camera.kept == shown.framing.show_opened
        shown.playback.step()
    assert shown.asked == []


def test_a_step_elsewhere_is_brought_in_and_from_under_what_lies_over_it(shown: Shown):
    shown.open(FAR)
    shown.playback.backward()
    shown.playback.step()
    shown.aside = iter((QPointF(), QPointF(30, 20)))
    shown.camera.pan_by(QPointF(-9000, 0))
    shown.follow()
    receiver = shown.playback.frame.event
    assert receiver is not None
    assert shown.sees(receiver.node)
    assert len(shown.asked) == 2  # the first of two that can be moved out from under it
    assert shown.asked[0] != shown.asked[1]


def test_a_step_seen_from_afar_moves_nothing(shown: Shown):
    shown.open(FAR)
    shown.camera.set_zoom(sizes.ZOOM_CONTRIBUTIONS * 0.9)
    shown.camera.pan_by(QPointF(-9000, 0))
    offset = shown.camera.offset
    shown.playback.backward()
    shown.playback.step()
    shown.follow()
    assert shown.camera.offset == offset


def test_a_backward_pass_is_looked_at_closely_enough_to_be_read_until_it_is_left(shown: Shown):
    shown.open(FAR)
    shown.framing.show_opened()
    far = shown.camera.scale
    assert far < sizes.ZOOM_CONTRIBUTIONS
    shown.playback.backward()
    for k in (1, 2, 3):
        shown.playback.go(k)
        shown.follow()
        event = shown.playback.frame.event
        assert event is not None
        assert shown.camera.scale == sizes.ZOOM_LABELS
        assert shown.sees(event.node)
    shown.room = QSize(800, 500)
    assert shown.framing.again()
    assert shown.camera.scale == sizes.ZOOM_LABELS
    shown.framing.leave_pass()
    assert shown.sees(1, 2, 3, 4)


def test_a_forward_pass_and_a_chosen_zoom_are_left_as_they_are(shown: Shown):
    shown.open(FAR)
    shown.framing.show_opened()
    far = shown.camera.scale
    shown.playback.forward()
    shown.follow()
    assert shown.camera.scale == far
    shown.camera.set_zoom(0.3)
    shown.playback.backward()
    shown.follow()
    assert shown.camera.scale == 0.3
    shown.framing.leave_pass()
    assert shown.camera.scale == 0.3
