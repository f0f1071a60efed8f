"""Looking at the sheet: zoom at the pointer, fit, sizes, themes, and what stays put."""

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt

from app.canvas.context.framing import LARGEST
from app.canvas.editing.quick_add import QuickAdd
from engine.graph import Graph, Leaf
from tests.helpers.easel import Easel
from tests.helpers.graphs import demonstration
from tests.helpers.mouse import (
    CTRL,
    LEFT,
    SHIFT,
    at_header,
    click,
    glide,
    hover,
    key,
    press,
    put_pointer,
    release,
    two_fingers,
    wheel,
)

AT = QPointF(420, 333)


def near(a: QPointF, b: QPointF, reach: float = 0.01) -> bool:
    return (a - b).manhattanLength() < reach


@pytest.fixture
def sheet(easel: Easel) -> Easel:
    easel.open_example("demonstration")
    return easel


@pytest.mark.parametrize("notches", [1, -1, 5, -5])
def test_the_wheel_zooms_at_the_pointer(sheet: Easel, notches: int):
    below, before = sheet.view.camera.to_sheet(AT), sheet.view.camera.zoom
    wheel(sheet.view, AT, notches)
    assert near(sheet.view.camera.to_screen(below), AT, 1.5)  # the sheet lies on whole pixels
    assert (sheet.view.camera.zoom > before) == (notches > 0)


def test_the_wheel_comes_back_to_where_it_was(sheet: Easel):
    before, corner = sheet.view.camera.zoom, sheet.view.camera.to_sheet(QPointF(0, 0))
    for notches in (1, 1, -1, -1):
        wheel(sheet.view, AT, notches)
    assert sheet.view.camera.zoom == pytest.approx(before)
    assert near(sheet.view.camera.to_sheet(QPointF(0, 0)), corner)


def test_zoom_has_its_limits(sheet: Easel):
    for notches, limit in ((100, 4.0), (-300, 0.05)):
        wheel(sheet.view, AT, notches)
        assert sheet.view.camera.zoom == limit
        sheet.view.grab()


def test_two_fingers_move_the_sheet_and_with_ctrl_zoom(sheet: Easel):
    below = sheet.view.camera.to_sheet(AT)
    two_fingers(sheet.view, AT, QPoint(30, -20))
    assert near(sheet.view.camera.to_sheet(AT + QPointF(30, -20)), below)
    two_fingers(sheet.view, AT, QPoint(0, 20), CTRL)
    assert sheet.view.camera.zoom > 1.0


def test_shift_and_the_wheel_move_sideways(sheet: Easel):
    below = sheet.view.camera.to_sheet(AT)
    wheel(sheet.view, AT, 1, SHIFT)
    assert sheet.view.camera.zoom == 1.0
    assert sheet.view.camera.to_sheet(AT).y() == below.y()
    assert sheet.view.camera.to_sheet(AT).x() != below.x()


def test_fit_all_shows_everything_but_never_larger_than_130_per_cent(sheet: Easel):
    sheet.view.camera.set_zoom(3.0)
    sheet.view.framing.fit_all()
    assert sheet.view.camera.visible_area.contains(sheet.scene.bounds())
    assert sheet.view.camera.zoom <= LARGEST
    sheet.show(Graph({1: Leaf()}, None, 2), {1: (5000.0, 5000.0)})
    sheet.view.framing.fit_all()
    assert sheet.view.camera.zoom == LARGEST == 1.3
    assert sheet.view.camera.visible_area.contains(sheet.scene.boxes[1].rect)


def test_fit_selection_shows_what_is_chosen(sheet: Easel):
    sheet.document.move({sheet.node("a"): (-9000.0, 0.0), sheet.node("b"): (-8800.0, 300.0)})
    sheet.selection.choose((sheet.node("a"), sheet.node("b")))
    sheet.view.framing.fit_selection()
    area = sheet.view.camera.visible_area
    for name in "ab":
        assert area.contains(sheet.scene.boxes[sheet.node(name)].rect)
    assert not area.contains(sheet.scene.boxes[sheet.node("y")].rect)


def test_fitting_an_empty_sheet_does_nothing(easel: Easel):
    before = easel.view.camera.to_sheet(AT)
    easel.view.framing.fit_all()
    easel.view.framing.fit_selection()
    assert easel.view.camera.to_sheet(AT) == before


def test_an_opened_graph_is_seen_whole(easel: Easel):
    from tests.helpers.easel import example_drawing

    easel.view.camera.pan_by(QPointF(-5000, 3000))
    easel.document.start(example_drawing("demonstration"))
    assert easel.view.camera.visible_area.contains(easel.scene.bounds())


def test_zoom_about_the_middle_keeps_the_middle(sheet: Easel):
    middle = QPointF(*sheet.view.camera.centre)
    sheet.view.camera.zoom_by(1.5)
    assert near(QPointF(*sheet.view.camera.centre), middle, 2)


def test_the_zoom_is_told(sheet: Easel):
    told: list[float] = []
    sheet.view.zoom_changed.connect(lambda zoom: told.append(zoom))
    sheet.view.camera.set_zoom(0.5)
    sheet.view.camera.zoom_by(2.0)
    assert told == [0.5, 1.0]


def test_screen_and_sheet_are_inverse(sheet: Easel):
    sheet.style.set_size(1.5)
    sheet.view.camera.set_zoom(0.7)
    for at in (QPointF(0, 0), QPointF(37, 911), QPointF(-400, 12)):
        assert near(sheet.view.camera.to_screen(sheet.view.camera.to_sheet(at)), at)


def test_the_size_of_everything_scales_the_sheet_as_well(sheet: Easel):
    before = sheet.view.camera.scale
    sheet.style.set_size(2.0)
    assert sheet.view.camera.scale == 2 * before
    assert sheet.view.camera.zoom == 1.0


def test_an_edit_or_a_step_does_not_move_the_sheet(sheet: Easel):
    corner = sheet.view.camera.to_sheet(QPointF(0, 0))
    sheet.document.set_value(sheet.node("a"), -1234.5)
    sheet.playback.backward()
    sheet.playback.to_end()
    sheet.playback.leave()
    sheet.document.add_node(Leaf(), (900.0, 900.0))
    sheet.document.undo()
    assert sheet.view.camera.to_sheet(QPointF(0, 0)) == corner


@pytest.mark.parametrize("theme", ["dark", "projector", "print", "light"])
def test_another_theme_repaints_everything(sheet: Easel, theme: str):
    sheet.playback.backward()
    sheet.playback.go(3)
    sheet.style.set_theme(theme)
    shown = sheet.view.grab().toImage()
    assert (
        shown.pixelColor(3, shown.height() - 3).getRgb() == sheet.view.context.theme.canvas.getRgb()
    )


def test_other_digits_write_every_number_anew(sheet: Easel):
    a = sheet.node("a")
    sheet.document.set_value(a, 1 / 3)
    assert sheet.scene.node(a).value.text == "0.3333"
    sheet.style.set_digits(2)
    assert sheet.scene.node(a).value.text == "0.33"
    assert "0.33" in sheet.texts()


def test_near_the_border_a_drag_pulls_the_view_along(sheet: Easel, qtbot):
    start = at_header(sheet.view, sheet.node("a"))
    edge = QPointF(1595, 450)
    put_pointer(sheet.view, edge)
    press(sheet.view, start)
    glide(sheet.view, start, edge)
    before = sheet.view.camera.to_sheet(QPointF(0, 0)).x()
    qtbot.waitUntil(
        lambda: sheet.view.camera.to_sheet(QPointF(0, 0)).x() > before + 50, timeout=20_000
    )
    key(Qt.Key.Key_Escape)
    release(sheet.view, edge)


def test_the_pointer_tells_what_it_can_do(sheet: Easel):
    hover(sheet.view, at_header(sheet.view, sheet.node("a")))
    assert sheet.view.viewport().cursor().shape() == Qt.CursorShape.ArrowCursor
    from tests.helpers.mouse import at_number, at_output

    hover(sheet.view, at_output(sheet.view, sheet.node("a")))
    assert sheet.view.viewport().cursor().shape() == Qt.CursorShape.CrossCursor
    hover(sheet.view, at_number(sheet.view, sheet.node("a")))
    assert sheet.view.viewport().cursor().shape() == Qt.CursorShape.SizeHorCursor


def test_numbers_of_another_graph_are_never_shown(easel: Easel):
    """Old numbers and a new graph do not mix, whatever comes first."""
    easel.show(demonstration())
    easel.playback.backward()
    seen: list[bool] = []

    def check() -> None:
        seen.append(
            easel.scene.looks.graph is easel.graph and easel.scene.sheet.graph is easel.graph
        )

    easel.playback.shown.connect(lambda _shown: check())
    easel.document.set_value(easel.node("a"), 5.0)
    easel.document.remove([easel.node("f")])
    easel.document.undo()
    assert seen
    assert all(seen)


def test_the_canvas_shows_the_document_one_to_one(sheet: Easel):
    for change in (
        lambda: sheet.document.add_node(Leaf(), (0.0, 600.0)),
        lambda: sheet.document.remove([sheet.node("c")]),
        lambda: sheet.document.undo(),
        lambda: sheet.document.move({sheet.node("a"): (-240.0, 24.0)}),
        lambda: sheet.document.wires.disconnect(sheet.node("f"), 0),
        lambda: sheet.document.undo(),
    ):
        change()
        positions = sheet.document.positions
        assert sheet.scene.boxes.keys() == sheet.graph.nodes.keys() == positions.keys()
        for node, box in sheet.scene.boxes.items():
            assert (box.x, box.y) == positions[node]
        assert sheet.scene.courses.keys() == {wire for _source, wire in sheet.graph.wires()}


def test_a_click_gives_the_canvas_the_keyboard(sheet: Easel):
    sheet.view.clearFocus()
    click(sheet.view, at_header(sheet.view, sheet.node("a")), button=LEFT)
    assert sheet.view.hasFocus()


def test_a_right_click_asks_for_a_menu_of_what_is_there(sheet: Easel):
    from PySide6.QtGui import QContextMenuEvent
    from PySide6.QtWidgets import QApplication

    asked: list[object] = []
    sheet.view.menu_wanted.connect(lambda found, _place: asked.append(found))
    at = at_header(sheet.view, sheet.node("c")).toPoint()
    place = sheet.view.viewport().mapToGlobal(at)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, place)
    QApplication.sendEvent(sheet.view.viewport(), event)
    assert len(asked) == 1
    assert sheet.selection.only == sheet.node("c")


def test_a_view_without_size_keeps_its_place(easel: Easel):
    easel.view.resize(0, 0)
    easel.open_example("square")
    easel.view.framing.fit_all()
    easel.view.resize(800, 600)
    easel.view.grab()
    assert easel.view.camera.visible_area.intersects(QRectF(easel.scene.bounds()))


def test_the_corner_and_the_origin_are_places_like_any_other(sheet: Easel):
    sheet.view.hover.aim(QPointF(0, 0))
    assert sheet.view.hover.on_sheet() == sheet.view.camera.to_sheet(QPointF(0, 0))
    sheet.view.editing.adding.open_quick_add(QPointF(0, 0))
    box = sheet.view.findChild(QuickAdd)
    assert box is not None
    away = QPointF(box.pos()) - sheet.view.camera.to_screen(QPointF(0, 0)) - QPointF(12, 12)
    assert away.manhattanLength() <= 2
