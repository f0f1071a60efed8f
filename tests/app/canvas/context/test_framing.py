"""What is brought into view: without any widget, and asked of the camera alone."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QMarginsF, QPointF, QRectF, QSize

from app.canvas.appearance.detail import READABLE, Detail, scale_for_text_size
from app.canvas.context.camera import (
    FLAG_MARGIN,
    MARGINS,
    MAX_FIT_ZOOM,
    NARROW_MARGINS,
    Camera,
    Framing,
)
from app.canvas.scene.scene import Scene
from app.document.document import Document
from app.style.current import Style
from app.workbench.playback.playback import Playback
from app.workbench.runners.quiz_runner import QuizRunner
from app.workbench.selection import Selection
from engine import from_expression
from engine.formats.native import Drawing
from engine.graph import Graph, Leaf, OpNode, Root
from tests.helpers.canvas import make_canvas
from tests.helpers.graphs import mistake

NODES = {1: Leaf(2.0, "a"), 2: Leaf(-3.0, "b"), 3: OpNode("mul", (1, 2), "c"), 4: Root(3)}
FAR = {1: (0.0, 0.0), 2: (0.0, 2000.0), 3: (3000.0, 0.0), 4: (3400.0, 0.0)}
NEAR = {1: (0.0, 0.0), 2: (0.0, 200.0), 3: (300.0, 100.0), 4: (600.0, 100.0)}


class Shown:
    """A stage seen through a camera in a room of 1000 × 700; something may lie over it."""

    def __init__(self) -> None:
        self.style = style = Style()
        self.room = QSize(1000, 700)
        self.document = Document()
        self.selection = Selection(self.document)
        self.playback = Playback(self.document)
        self.scene = Scene(style.short, style.signed)
        self.camera = Camera(style, lambda: self.room)
        self.aside: Iterator[QPointF] = iter(())
        self.asked: list[QRectF] = []
        self.rests: list[None] = []
        self.framing = Framing(self.camera, self.scene, self.document, self.selection)
        self.framing.clearance = self.clearance
        self.framing.about_to_fit.connect(lambda: self.rests.append(None))

    def clearance(self, rect: QRectF) -> QPointF:
        self.asked.append(rect)
        return next(self.aside, QPointF())

    def open(self, places: dict[int, tuple[float, float]]) -> None:
        self.document.start(Drawing(Graph(NODES, 4, 5), places))
        self.scene.show(self.playback.now)

    def follow(self) -> None:
        self.scene.show(self.playback.now)
        self.framing.follow(self.playback.now)

    def sees(self, *nodes: int) -> bool:
        area = self.camera.visible_area
        return all(area.contains(self.scene.boxes[node].rect) for node in nodes or NODES)


@pytest.fixture
def shown(qapp) -> Shown:
    return Shown()


def test_everything_is_shown_again_in_another_room_unless_one_looked_by_hand(shown: Shown):
    shown.open(FAR)
    shown.framing.fit_all()
    assert shown.sees()
    shown.room = QSize(400, 300)
    assert not shown.sees()
    assert shown.framing.repeat_fit()
    assert shown.sees()
    shown.camera.pan_by(QPointF(40, 0))
    offset = shown.camera.offset
    shown.room = QSize(300, 200)
    assert not shown.framing.repeat_fit()
    assert shown.camera.offset == offset


def test_a_panel_over_the_sheet_hides_neither_the_step_nor_what_is_shown(shown: Shown):
    def is_seen(node: int) -> bool:
        return shown.camera.uncovered_area.contains(shown.scene.boxes[node].rect)

    shown.open(FAR)
    shown.playback.backward()
    shown.follow()
    shown.camera.pan_by(QPointF(-500, 0))  # looked elsewhere by hand
    shown.framing.set_covered_width(0)
    step = shown.playback.frame.current
    assert step is not None
    shown.framing.set_covered_width(600)
    assert is_seen(step.node)
    for node in (1, 3):
        shown.framing.show_node(node)
        assert is_seen(node)


def test_the_step_of_another_document_is_forgotten_also_at_the_same_cursor(qtbot):
    canvas = make_canvas(qtbot)
    framing, playback = canvas.view.framing, canvas.playback
    canvas.document.start(Drawing(from_expression("d = a*b; e = d*c; f = e*g; L = f + h")))
    playback.backward()
    quiz = QuizRunner(playback)
    quiz.toggle()
    quiz.skip()
    with playback.at_once():  # so that no frame between the two passes is shown
        cursor = playback.cursor
        canvas.document.start(Drawing(from_expression("y = a*a")))
        playback.backward(cursor=cursor)
    framing.fit_all()
    framing.set_covered_width(300)
    shown = canvas.view.camera.visible_area
    assert all(shown.contains(box.rect) for box in canvas.scene.boxes.values())


def test_what_moves_comes_to_rest_before_everything_is_shown(shown: Shown):
    shown.open(NEAR)
    shown.framing.fit_all()
    shown.framing.repeat_fit()
    assert len(shown.rests) == 2
    shown.framing.fit_selection()
    shown.framing.show_node(1)
    assert len(shown.rests) == 2


def test_a_node_in_view_stays_where_it_is_and_another_comes_to_the_middle(shown: Shown):
    shown.open(FAR)
    before = shown.camera.offset
    shown.framing.show_node(1)
    assert shown.camera.offset == before
    shown.framing.show_node(3)
    middle = shown.camera.to_screen(shown.scene.boxes[3].rect.center())
    assert (middle - shown.camera.screen_centre).manhattanLength() <= 2
    shown.framing.show_node(99)
    assert shown.sees(3)


def test_nodes_out_of_view_are_shown_with_all_others(shown: Shown):
    shown.open(FAR)
    shown.framing.show_nodes((1,))
    assert shown.camera.zoom == 1.0
    shown.framing.show_nodes((1, 3))
    assert shown.sees()


def test_what_is_chosen_is_fitted_and_everything_when_nothing_is(shown: Shown):
    shown.open(FAR)
    shown.selection.choose((3, 4))
    shown.framing.fit_selection()
    assert shown.sees(3, 4)
    assert not shown.sees(1)
    shown.selection.clear()
    shown.framing.fit_selection()
    assert shown.sees()
    shown.framing.fit_all()
    shown.framing.fit_selection()
    assert shown.camera.repeated_fit == shown.framing.fit_all


def test_what_is_looked_at_closely_stays_so_in_another_room_and_while_steps_are_followed(
    shown: Shown,
):
    shown.open(FAR)
    shown.selection.choose((3,))
    shown.framing.fit_all()
    shown.framing.fit_selection()
    seen = shown.camera.visible_area
    shown.playback.backward()
    shown.follow()
    assert shown.camera.zoom == 1.0
    assert shown.sees(3)
    shown.room = QSize(900, 600)
    assert not shown.framing.repeat_fit()
    assert shown.camera.visible_area.topLeft() == seen.topLeft()


def free(shown: Shown) -> tuple[float, float, float, float]:
    """What is free left of everything, above, right of and below it, in screen px."""
    rect = shown.camera.rect_on_screen(shown.scene.bounds())
    right, bottom = shown.room.width() - rect.right(), shown.room.height() - rect.bottom()
    return rect.left(), rect.top(), right, bottom


def margins(given: QMarginsF) -> tuple[float, float, float, float]:
    return given.left(), given.top(), given.right(), given.bottom()


def test_a_small_graph_is_enlarged_up_to_130_per_cent(shown: Shown):
    shown.open(NEAR)
    shown.room = QSize(4000, 3000)
    shown.framing.fit_all()
    assert shown.camera.zoom == MAX_FIT_ZOOM == 1.3
    sides = free(shown)
    assert sides[0] == pytest.approx(sides[2], abs=1)  # in the middle of what the margins leave
    assert sides[3] - sides[1] == pytest.approx(MARGINS.bottom() - MARGINS.top(), abs=1)


@pytest.mark.parametrize(("room", "tight"), [((900, 3000), (0, 2)), ((3000, 450), (1, 3))])
def test_everything_fitted_leaves_the_margins_free_and_no_more(
    shown: Shown, room: tuple[int, int], tight: tuple[int, int]
):
    shown.open(NEAR)
    shown.room = QSize(*room)
    shown.framing.fit_all()
    assert shown.camera.scale > scale_for_text_size(READABLE)
    sides, least = free(shown), margins(MARGINS)
    assert all(side >= wanted - 1 for side, wanted in zip(sides, least, strict=True))
    for side in tight:
        assert sides[side] == pytest.approx(least[side], abs=1)


def test_margins_get_narrow_where_that_keeps_texts_readable(shown: Shown):
    shown.open(NEAR)
    wide = shown.scene.bounds().width() * scale_for_text_size(READABLE)
    shown.room = QSize(round(wide + MARGINS.left() + MARGINS.right()) - 16, 2000)
    shown.framing.fit_all()
    assert shown.camera.scale == pytest.approx(scale_for_text_size(READABLE))
    assert NARROW_MARGINS.left() <= free(shown)[0] < MARGINS.left()
    shown.room = QSize(round(wide / 2), 2000)
    shown.framing.fit_all()
    assert shown.camera.scale < scale_for_text_size(READABLE)
    assert free(shown)[0] == pytest.approx(NARROW_MARGINS.left(), abs=1)
    assert shown.sees()


def test_while_a_mistake_is_shown_flags_have_room_above(shown: Shown):
    shown.room = QSize(3000, 450)
    shown.open(NEAR)
    shown.framing.fit_all()
    without = free(shown)[1]
    shown.playback.set_rules(mistake("assign"))
    shown.playback.backward()
    shown.follow()
    shown.framing.fit_all()
    assert free(shown)[1] == pytest.approx(without + FLAG_MARGIN, abs=1)


def test_fitting_again_finds_the_same_room_and_lays_nothing_out(shown: Shown):
    shown.open(NEAR)
    shown.playback.set_rules(mistake("assign"))
    shown.scene.show(shown.playback.now)
    shown.framing.fit_all()
    room = shown.scene.node_layout.spacing.viewport
    assert room is not None
    assert (room.width, room.height) == (1000 - 9 - 9, 700 - 20 - 44)
    boxes = dict(shown.scene.boxes)
    for zoom in (0.3, 0.7, 1.1):
        shown.camera.set_zoom(zoom)
        shown.framing.fit_all()
        assert shown.scene.node_layout.spacing.viewport == room
    assert all(shown.scene.boxes[node] is box for node, box in boxes.items())


def test_an_empty_sheet_is_shown_at_100_per_cent(shown: Shown):
    shown.camera.set_zoom(0.3)
    shown.framing.fit_all()
    assert shown.camera.zoom == 1.0
    assert shown.camera.repeated_fit == shown.framing.fit_all


@pytest.mark.parametrize("places", [NEAR, FAR], ids=["near", "far"])
@pytest.mark.parametrize("fitted", [True, False], ids=["fitted", "by hand"])
def test_a_view_that_shows_everything_is_never_left_by_a_step(
    shown: Shown, places: dict[int, tuple[float, float]], fitted: bool
):
    shown.open(places)
    shown.framing.fit_all()
    if not fitted:
        shown.camera.zoom_by(0.9)
    seen, kept = shown.camera.visible_area, shown.camera.repeated_fit
    for begin in (shown.playback.forward, shown.playback.backward):
        begin()
        while True:
            shown.follow()
            assert shown.sees()
            assert shown.camera.visible_area == seen
            if shown.playback.frame.cursor == shown.playback.frame.total:
                break
            shown.playback.step()
    shown.playback.leave()
    shown.framing.forget_step()
    assert shown.camera.visible_area == seen
    assert shown.camera.repeated_fit == kept
    assert shown.asked == []


def test_a_fitted_view_is_fitted_again_when_an_edit_puts_something_out_of_it(shown: Shown):
    shown.open(NEAR)
    shown.framing.fit_all()
    shown.document.move({2: (0.0, 700.0)})
    shown.follow()
    assert shown.sees()
    shown.camera.pan_by(QPointF(5, 0))
    shown.document.move({2: (0.0, 9000.0)})
    shown.follow()
    assert not shown.sees(2)


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


def test_steps_that_are_not_to_be_followed_move_nothing(shown: Shown):
    shown.open(FAR)
    shown.camera.pan_by(QPointF(-9000, 0))
    offset = shown.camera.offset
    shown.style.set_follows_step(False)
    shown.playback.backward()
    shown.playback.step()
    shown.follow()
    assert shown.camera.offset == offset
    shown.style.set_follows_step(True)
    shown.follow()
    assert shown.camera.offset != offset


def test_no_step_changes_the_zoom(shown: Shown):
    shown.open(FAR)
    for zoom in (0.3, 0.9, 2.0):
        shown.camera.set_zoom(zoom)
        shown.playback.backward()
        for k in (1, 2, 3):
            shown.playback.go(k)
            shown.follow()
            event = shown.playback.frame.event
            assert event is not None
            assert shown.camera.zoom == zoom
            assert shown.camera.repeated_fit is None
            assert shown.sees(event.node)
        shown.playback.leave()
        shown.framing.forget_step()
        assert shown.camera.zoom == zoom


def test_once_a_pass_is_left_its_step_is_brought_in_no_more(shown: Shown):
    shown.open(FAR)
    shown.playback.backward()
    shown.follow()
    shown.playback.leave()
    shown.framing.forget_step()
    shown.camera.pan_by(QPointF(-9000, 0))
    offset = shown.camera.offset
    shown.follow()
    assert shown.camera.offset == offset


def test_no_refit_costs_detail_that_was_there_but_scrolls_to_the_step(shown: Shown):
    shown.open({**NEAR, 4: (700.0, 100.0)})
    shown.room = QSize(620, 500)
    shown.framing.fit_all()
    shown.playback.backward()
    shown.playback.step()
    shown.follow()

    def widen() -> None:
        shown.document.move({2: (-60.0, 900.0)})
        shown.follow()

    def resize() -> None:
        shown.room = QSize(500, 400)
        shown.framing.repeat_fit()

    def make_a_mistake() -> None:
        shown.playback.set_rules(mistake("assign"))
        shown.playback.backward()
        shown.follow()
        shown.framing.refit()

    for case in (widen, resize, make_a_mistake):
        before = shown.scene.detail(shown.camera.scale)
        case()
        assert before >= Detail.RESULTS
        assert shown.scene.detail(shown.camera.scale) == before, case.__name__
        assert not shown.sees()
        step = shown.playback.frame.current
        assert step is None or shown.sees(step.node), case.__name__
    shown.framing.fit_all()  # asked for, everything is shown
    assert shown.sees()


def test_without_a_pass_a_narrower_view_shows_everything_while_its_numbers_do(shown: Shown):
    shown.open({**NEAR, 4: (700.0, 100.0)})
    shown.framing.fit_all()
    assert shown.scene.detail(shown.camera.scale) >= Detail.RESULTS
    shown.room = QSize(500, 400)
    shown.framing.repeat_fit()
    assert shown.scene.detail(shown.camera.scale) == Detail.NUMBERS
    assert shown.sees()


def test_following_the_step_comes_closer_where_all_is_shown_too_small(shown: Shown):
    framing, camera = shown.framing, shown.camera
    shown.open(FAR)
    framing.fit_all()
    assert shown.scene.detail(camera.scale) < Detail.RESULTS
    framing.toggle_follow()
    assert camera.follows
    assert shown.scene.detail(camera.scale) >= Detail.RESULTS
    framing.toggle_follow()
    assert not camera.follows
    framing.toggle_follow()
    assert camera.follows
