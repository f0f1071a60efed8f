"""Looking at the sheet: zoom at the pointer, fit, sizes, themes, and what stays put."""

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication

from app.canvas.editing.canvas_cards import QuickAdd
from engine.graph import Leaf
from tests.helpers.canvas import CanvasFixture, example_drawing
from tests.helpers.mouse import (
    ALT,
    CTRL,
    LEFT,
    SHIFT,
    at_header,
    at_number,
    at_output,
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
def sheet(canvas: CanvasFixture) -> CanvasFixture:
    canvas.open_example("demonstration")
    return canvas


@pytest.mark.parametrize("notches", [1, -5])
def test_the_wheel_zooms_at_the_pointer_and_back_and_it_is_told(sheet: CanvasFixture, notches: int):
    zooms: list[float] = []
    sheet.view.zoom_changed.connect(zooms.append)
    below, before = sheet.view.camera.to_sheet(AT), sheet.view.camera.zoom
    wheel(sheet.view, AT, notches)
    assert near(sheet.view.camera.to_screen(below), AT, 1.5)  # the sheet lies on whole pixels
    assert (sheet.view.camera.zoom > before) == (notches > 0)
    wheel(sheet.view, AT, -notches)
    assert sheet.view.camera.zoom == zooms[-1] == pytest.approx(before)
    assert near(sheet.view.camera.to_sheet(AT), below, 1.5)


def test_two_fingers_move_the_sheet_and_with_ctrl_zoom(sheet: CanvasFixture):
    below = sheet.view.camera.to_sheet(AT)
    two_fingers(sheet.view, AT, QPoint(30, -20))
    assert near(sheet.view.camera.to_sheet(AT + QPointF(30, -20)), below)
    two_fingers(sheet.view, AT, QPoint(0, 20), CTRL)
    assert sheet.view.camera.zoom > 1.0


def test_shift_and_the_wheel_move_sideways(sheet: CanvasFixture):
    below = sheet.view.camera.to_sheet(AT)
    wheel(sheet.view, AT, 1, SHIFT)
    assert sheet.view.camera.zoom == 1.0
    assert sheet.view.camera.to_sheet(AT).y() == below.y()
    assert sheet.view.camera.to_sheet(AT).x() != below.x()


def test_an_opened_graph_is_seen_whole(canvas: CanvasFixture):
    canvas.view.camera.pan_by(QPointF(-5000, 3000))
    canvas.document.start(example_drawing("demonstration"))
    assert canvas.view.camera.visible_area.contains(canvas.scene.bounds())


def test_an_edit_or_a_step_does_not_move_the_sheet(sheet: CanvasFixture):
    corner = sheet.view.camera.to_sheet(QPointF(0, 0))
    sheet.document.set_value(sheet.node("a"), -1234.5)
    sheet.playback.backward()
    sheet.playback.to_end()
    sheet.playback.leave()
    sheet.document.add_node(Leaf(), (900.0, 900.0))
    sheet.document.undo()
    assert sheet.view.camera.to_sheet(QPointF(0, 0)) == corner


def test_another_theme_repaints_everything(sheet: CanvasFixture):
    sheet.playback.backward()
    sheet.playback.go(3)
    for theme in ("dark", "projector", "print", "light"):
        sheet.style.set_theme(theme)
        shown = sheet.view.grab().toImage()
        ground = shown.pixelColor(3, shown.height() - 3)
        assert ground.getRgb() == sheet.view.context.theme.canvas.getRgb()


def test_other_digits_write_every_number_anew(sheet: CanvasFixture):
    a = sheet.node("a")
    sheet.document.set_value(a, 1 / 3)
    assert sheet.scene.node(a).value.text == "0.3333"
    sheet.style.set_digits(2)
    assert sheet.scene.node(a).value.text == "0.33"
    assert "0.33" in sheet.texts()


def test_near_the_border_a_drag_pulls_the_view_along(sheet: CanvasFixture, qtbot):
    start = at_header(sheet.view, sheet.node("a"))
    edge = QPointF(1595, 450)
    put_pointer(sheet.view, edge)
    press(sheet.view, start)
    glide(sheet.view, start, edge)
    before = sheet.view.camera.to_sheet(QPointF(0, 0)).x()
    qtbot.waitUntil(
        lambda: sheet.view.camera.to_sheet(QPointF(0, 0)).x() > before + 50, timeout=60_000
    )
    key(Qt.Key.Key_Escape)
    release(sheet.view, edge)


def test_alt_ignores_the_grid_also_while_the_view_scrolls(sheet: CanvasFixture, qtbot):
    view, a = sheet.view, sheet.node("a")
    start = at_header(view, a)
    edge = QPointF(1595, start.y() + 7)  # on no line of the grid
    put_pointer(view, edge)
    pressed, before = view.camera.to_sheet(start), QPointF(*sheet.document.positions[a])
    press(view, start)
    glide(view, start, edge, ALT)
    left = view.camera.to_sheet(QPointF(0, 0)).x()
    qtbot.waitUntil(lambda: view.camera.to_sheet(QPointF(0, 0)).x() > left + 50, timeout=60_000)
    release(view, edge, ALT)
    moved = QPointF(*sheet.document.positions[a]) - before
    assert near(moved, view.camera.to_sheet(edge) - pressed)


def test_the_pointer_tells_what_it_can_do(sheet: CanvasFixture):
    for at, shape in ((at_header, "Arrow"), (at_output, "Cross"), (at_number, "SizeHor")):
        hover(sheet.view, at(sheet.view, sheet.node("a")))
        assert sheet.view.viewport().cursor().shape().name == f"{shape}Cursor"


def test_numbers_of_another_graph_are_never_shown(sheet: CanvasFixture):
    """Old numbers and a new graph do not mix, whatever comes first."""
    sheet.playback.backward()
    seen: list[bool] = []
    scene = sheet.scene
    sheet.playback.shown.connect(
        lambda _shown: seen.append(scene.looks.graph is scene.sheet.graph is sheet.graph)
    )
    sheet.document.set_value(sheet.node("a"), 5.0)
    sheet.document.remove([sheet.node("f")])
    sheet.document.undo()
    assert seen
    assert all(seen)


def test_the_canvas_shows_the_document_one_to_one(sheet: CanvasFixture):
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


def test_a_click_gives_the_canvas_the_keyboard(sheet: CanvasFixture):
    sheet.view.clearFocus()
    click(sheet.view, at_header(sheet.view, sheet.node("a")), button=LEFT)
    assert sheet.view.hasFocus()


def test_a_right_click_asks_for_a_menu_of_what_is_there(sheet: CanvasFixture):
    asked: list[object] = []
    sheet.view.menu_wanted.connect(lambda found, _place: asked.append(found))
    at = at_header(sheet.view, sheet.node("c")).toPoint()
    place = sheet.view.viewport().mapToGlobal(at)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, place)
    QApplication.sendEvent(sheet.view.viewport(), event)
    assert len(asked) == 1
    assert sheet.selection.only == sheet.node("c")


def test_a_view_without_size_keeps_its_place(canvas: CanvasFixture):
    canvas.view.resize(0, 0)
    canvas.open_example("square")
    canvas.view.framing.fit_all()
    canvas.view.resize(800, 600)
    canvas.view.grab()
    assert canvas.view.camera.visible_area.intersects(QRectF(canvas.scene.bounds()))


def test_the_corner_and_the_origin_are_places_like_any_other(sheet: CanvasFixture):
    sheet.view.hover.set_menu_point(QPointF(0, 0))
    assert sheet.view.hover.on_sheet() == sheet.view.camera.to_sheet(QPointF(0, 0))
    sheet.view.editing.adding.open_quick_add(QPointF(0, 0))
    box = sheet.view.findChild(QuickAdd)
    assert box is not None
    away = QPointF(box.pos()) - sheet.view.camera.to_screen(QPointF(0, 0)) - QPointF(12, 12)
    assert away.manhattanLength() <= 2
