"""The map and the buttons for zooming: when they are there, where they lead, what they cost."""

import random
from functools import reduce

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QContextMenuEvent, QImage, QPaintEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.canvas.scene.hit_test import NO_HIT, Hit
from app.style import sizes
from engine.graph import Graph, Leaf
from engine.rules import MISTAKES
from tests.helpers.canvas import CanvasFixture, color_at
from tests.helpers.mouse import (
    LEFT,
    MIDDLE,
    at_number,
    click,
    double_click,
    drag,
    hover,
    over_sheet,
)
from tests.helpers.sampling import sized
from tests.helpers.seeing import map_frame, minimap, on_map, place_of, tip_at, zoom_button

FAR = {1: (0.0, 0.0), 2: (6000.0, 0.0), 3: (0.0, 4000.0), 4: (6000.0, 4000.0)}


@pytest.fixture
def wide(canvas: CanvasFixture) -> CanvasFixture:
    """Four leaves far apart, of which one is in view."""
    canvas.show(Graph({n: Leaf(1.0, "abcd"[n - 1]) for n in FAR}, None, 5), FAR)
    canvas.view.grab()
    return canvas


def at_node(canvas: CanvasFixture, node: int) -> QPointF:
    """The place on the map that stands for the middle of a node."""
    return on_map(canvas.view, canvas.scene.boxes[node].rect.center())


def button(canvas: CanvasFixture, name: str) -> QPointF:
    return place_of(canvas.view, zoom_button(canvas.view, name)).center()


def zoom_row(canvas: CanvasFixture) -> QWidget:
    return canvas.view.overlay.zoom_buttons


def test_the_map_is_there_only_when_something_is_out_of_sight(wide):
    for look, there in ((wide.view.grab, True), (wide.view.framing.fit_all, False),
                        (lambda: wide.view.camera.set_zoom(1.0), True)):  # fmt: skip
        look()
        wide.view.grab()
        assert minimap(wide.view).isVisible() == there


def test_a_small_canvas_has_no_map_and_a_tiny_or_empty_one_no_buttons(wide):
    wide.view.resize(500, 300)
    wide.view.grab()
    assert not minimap(wide.view).isVisible()
    assert zoom_button(wide.view, "Zoom in").isVisible()
    wide.view.resize(240, 180)
    wide.view.grab()
    assert wide.view.overlay.area.isEmpty()
    wide.view.resize(1600, 900)
    wide.document.start()
    wide.view.grab()
    assert wide.view.overlay.area.isEmpty()


def test_the_map_shows_nodes_where_they_stand_once_they_are_no_more_on_their_way(wide):
    content = minimap(wide.view).content
    wide.scene.show_dragged({2: (60000.0, 0.0)})
    wide.view.grab()
    assert minimap(wide.view).content != content
    wide.scene.show_dragged({})
    wide.view.grab()
    assert minimap(wide.view).content == content


@pytest.mark.parametrize("node", FAR)
def test_a_press_on_the_map_brings_what_is_there_into_the_middle_and_chooses_nothing(wide, node):
    wide.selection.focus_on(1)
    click(wide.view, at_node(wide, node))
    assert wide.view.camera.visible_area.contains(wide.scene.boxes[node].rect)
    assert wide.selection.focus == 1
    assert not wide.document.steps


def test_dragging_the_frame_looks_around(wide):
    frame = map_frame(wide.view)
    before = wide.view.camera.visible_area.center()
    drag(wide.view, frame.center(), frame.center() + QPointF(20, 10))
    gone = wide.view.camera.visible_area.center() - before
    after = map_frame(wide.view)
    assert gone.x() > 500
    assert gone.y() > 250
    assert (after.center() - frame.center() - QPointF(20, 10)).manhattanLength() < 3


def test_the_frame_stays_on_the_card_however_far_one_looks(wide):
    card = place_of(wide.view, minimap(wide.view))
    for shift in (QPointF(-90_000, 0), QPointF(0, -90_000), QPointF(180_000, 180_000)):
        wide.view.camera.pan_by(shift)
        frame = map_frame(wide.view)
        assert card.contains(frame)
        assert min(frame.width(), frame.height()) >= 6


def test_the_buttons_zoom_and_fit_unless_let_go_elsewhere(wide):
    drag(wide.view, button(wide, "Zoom in"), button(wide, "Fit all"))
    assert wide.view.camera.zoom == 1.0
    click(wide.view, button(wide, "Zoom in"))
    assert wide.view.camera.zoom == pytest.approx(1.25)
    double_click(wide.view, button(wide, "Zoom out"))
    assert wide.view.camera.zoom == pytest.approx(0.8)
    click(wide.view, button(wide, "Fit all"))
    assert wide.view.camera.visible_area.contains(wide.scene.bounds())


def test_buttons_are_large_enough_and_name_their_keys(wide):
    for found in wide.view.overlay.zoom_buttons.buttons:
        assert min(found.width(), found.height()) >= sizes.CLICK_TARGET
    hover(wide.view, button(wide, "Zoom in"))
    assert wide.hint == "Zoom in (+)"
    hover(wide.view, QPointF(700, 400))
    assert wide.hint == ""
    wide.view.activateWindow()
    assert tip_at(wide.view, button(wide, "Fit all")) == "Fit all (Shift+1)"


def test_the_buttons_are_one_row_that_stays_where_it_is_when_the_map_comes(wide):
    wide.view.framing.fit_all()
    wide.view.grab()
    place = button(wide, "Zoom in")
    hover(wide.view, place)
    for _press in range(3):
        click(wide.view, place)
        wide.view.grab()
    assert wide.view.camera.zoom > wide.view.camera.interface_scale * 0.3
    assert button(wide, "Zoom in") == place
    assert minimap(wide.view).isVisible()
    row = place_of(wide.view, zoom_row(wide))
    assert row.size().toTuple() == (146, 32)
    assert not row.intersects(place_of(wide.view, minimap(wide.view)))


def test_the_map_shows_states_in_their_colours(canvas):
    canvas.open_example("demonstration")
    canvas.view.camera.set_zoom(2.0)
    canvas.view.grab()
    leaf = next(n for n in canvas.graph.nodes if canvas.scene.looks.tone(n) == "value")
    assert near(color_at(canvas.view, at_node(canvas, leaf)), canvas.style.theme.value)
    canvas.playback.to_end()
    assert near(color_at(canvas.view, at_node(canvas, leaf)), canvas.style.theme.gradient)


def test_a_map_that_was_put_off_is_painted_once_there_is_time(wide, qtbot):
    areas: list[QRectF] = []

    class Painted(QObject):
        def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
            if isinstance(event, QPaintEvent):
                areas.append(QRectF(event.region().boundingRect()))
            return False

    QApplication.processEvents()
    painted = Painted()
    wide.view.viewport().installEventFilter(painted)
    minimap(wide.view)._redraw_timer.start(0)
    card = place_of(wide.view, minimap(wide.view))
    qtbot.waitUntil(lambda: any(area.contains(card.center()) for area in areas))
    wide.view.viewport().removeEventFilter(painted)


AT_EDGES = 12
"""Pixels on the edge of a newly exposed strip, where Qt cuts antialiased wires differently."""


def differing(a: QImage, b: QImage) -> int:
    """The number of pixels in which two pictures of one size differ."""
    one, other = (np.frombuffer(found.constBits(), np.uint32) for found in (a, b))
    return int((one != other).sum())


def test_what_panning_leaves_on_the_screen_is_what_a_whole_paint_shows(canvas):
    canvas.open_example("demonstration")
    canvas.playback.to_end()
    canvas.view.camera.pan_by(QPointF(-300, 0))
    QApplication.processEvents()
    assert minimap(canvas.view).isVisible()
    assert canvas.view.overlay.legend.shown
    for shifts in (((-30, 12),), ((70, -41), (3, 5), (-9, 60)), ((40, 30), (-50, 20))):
        for shift in shifts:
            canvas.view.camera.pan_by(QPointF(*shift))
        QApplication.processEvents()
        left = on_screen(canvas)
        canvas.view.viewport().repaint()
        QApplication.processEvents()
        assert differing(left, on_screen(canvas)) <= AT_EDGES


def test_a_large_map_is_not_drawn_anew_for_every_step(canvas, monkeypatch):
    nodes = {n: Leaf(1.0) for n in range(1, 2001)}
    places = {n: (n % 50 * 300.0, n // 50 * 200.0) for n in nodes}
    canvas.show(Graph(nodes, None, 2001), places)
    drawn: list[int] = []
    draw = minimap(canvas.view)._draw
    monkeypatch.setattr(minimap(canvas.view), "_draw", lambda *a: (drawn.append(1), draw(*a)))
    for value in range(5):
        canvas.document.set_value(1, float(value))
        QApplication.processEvents()
    assert len(drawn) <= 1


@pytest.mark.parametrize("zoom", [1.0, 1.5, 2.0])
def test_no_step_happens_under_the_map(canvas, zoom):
    canvas.open_example("demonstration")
    canvas.view.camera.set_zoom(zoom)
    canvas.playback.backward()
    for _step in range(canvas.steps - 1):
        rect = canvas.scene.boxes[canvas.playback.frame.next_event.sender].rect
        below = canvas.view.overlay.area.center()
        canvas.view.camera.pan_by(below - canvas.view.camera.to_screen(rect.center()))
        canvas.playback.step()
        canvas.view.grab()
        corner = canvas.view.camera.to_screen(rect.topLeft())
        seen = QRectF(corner, rect.size() * canvas.view.camera.scale)
        assert not canvas.view.overlay.area.intersects(seen)


def on_screen(canvas: CanvasFixture) -> QImage:
    return canvas.view.screen().grabWindow(canvas.view.winId()).toImage()


def near(a: QColor, b: QColor) -> bool:
    return sum(abs(x - y) for x, y in zip(a.getRgb(), b.getRgb(), strict=True)) < 30  # type: ignore[operator]


def drawn_around(canvas: CanvasFixture) -> QRectF:
    """The rectangle around all nodes as they are drawn."""
    return reduce(QRectF.united, (box.rect for box in canvas.scene.boxes.values()), QRectF())


@pytest.mark.parametrize("change", ["move", "longer number", "smaller window"])
def test_the_map_follows_nodes_that_are_moved_or_widened(canvas, change):
    canvas.open_example("neuron")
    canvas.playback.set_rules(MISTAKES[1])
    canvas.view.framing.fit_all()
    canvas.view.grab()
    before, node = minimap(canvas.view).content, max(canvas.graph.leaves)
    if change == "move":
        canvas.document.move({node: (9000.0, 4000.0)})
    elif change == "longer number":
        canvas.document.set_value(node, -123456.789)
    else:
        canvas.view.resize(600, 700)
    canvas.view.grab()
    assert minimap(canvas.view).content == drawn_around(canvas) != before


def test_the_map_follows_nodes_that_a_mistake_moves_apart_once_numbers_rest(canvas, qtbot):
    canvas.open_example("demonstration")
    canvas.view.camera.set_zoom(2.5)
    canvas.playback.set_rules(MISTAKES[1])
    for leaf in canvas.graph.leaves:
        canvas.document.set_value(leaf, -123456.789 * (1 + leaf / 7))
    canvas.view.grab()
    before = minimap(canvas.view).content
    assert not canvas.scene.is_layout_complete
    qtbot.waitUntil(lambda: canvas.scene.is_layout_complete)
    canvas.view.grab()
    assert minimap(canvas.view).content == drawn_around(canvas) != before


def test_the_states_on_the_map_are_those_of_the_nodes_however_one_came_there(canvas):
    canvas.open_example("demonstration")
    canvas.view.camera.set_zoom(2.0)
    chance = random.Random(5)
    play = canvas.playback
    for _round in range(sized(30, 90)):
        chance.choice([play.step, play.step_back, play.forward, play.backward, play.to_end])()
        if chance.random() < 0.2:
            canvas.document.set_value(canvas.node("a"), chance.choice([2.0, float("inf")]))
        canvas.view.grab()
        tones = minimap(canvas.view)._tones
        assert tones == {n: canvas.scene.looks.tone(n) for n in canvas.graph.nodes}


def test_the_wheel_over_the_map_zooms_the_sheet_below_the_pointer(wide):
    at = place_of(wide.view, minimap(wide.view)).center()
    below = wide.view.camera.to_sheet(at)
    QTest.wheelEvent(wide.view.window().windowHandle(), at, QPoint(0, 120))
    QApplication.processEvents()
    assert wide.view.camera.zoom > 1.0
    assert (wide.view.camera.to_screen(below) - at).manhattanLength() < 2


@pytest.mark.parametrize("over", ["Zoom out", "Map", "with Space"])
def test_the_middle_button_or_space_drags_the_sheet_from_anywhere(wide, over):
    target = minimap(wide.view) if over == "Map" else zoom_button(wide.view, "Zoom out")
    at, before = QPointF(place_of(wide.view, target).toRect().center()), wide.view.camera.offset
    if over == "with Space":
        QTest.keyPress(wide.view, Qt.Key.Key_Space)
    drag(wide.view, at, at - QPointF(70, 40), button=LEFT if over == "with Space" else MIDDLE)
    QTest.keyRelease(wide.view, Qt.Key.Key_Space)
    assert wide.view.camera.offset == before - QPointF(70, 40)
    assert wide.view.camera.zoom == 1.0
    click(wide.view, button(wide, "Zoom in"))
    assert wide.view.camera.zoom == 1.25


@pytest.mark.parametrize("hidden", [False, True])
def test_what_is_scrolled_leaves_map_and_buttons_in_their_corner(wide, hidden):
    places = [place_of(wide.view, w) for w in (minimap(wide.view), zoom_row(wide))]
    wide.view.setHidden(hidden)
    wide.view.camera.pan_by(QPointF(-100, -50))
    wide.view.show()
    wide.view.grab()
    assert [place_of(wide.view, w) for w in (minimap(wide.view), zoom_row(wide))] == places


def test_what_lies_under_the_map_answers_the_keyboard_and_not_the_mouse(wide):
    at = leaf_under_the_map(wide)
    asked: list[Hit] = []
    wide.view.menu_wanted.connect(lambda found, _at: asked.append(found))
    wide.view.activateWindow()
    assert not tip_at(wide.view, at)
    right_click(wide, at)
    assert asked == [NO_HIT]
    assert not wide.selection.nodes
    wide.selection.focus_on(1)
    right_click(wide, at, QContextMenuEvent.Reason.Keyboard)
    assert asked[1].node == 1
    QTest.wheelEvent(wide.view.window().windowHandle(), at, QPoint(0, 120))
    QApplication.processEvents()
    assert wide.graph.nodes[1] == Leaf(1.0, "a")
    assert wide.view.camera.zoom > 1.0


def leaf_under_the_map(canvas: CanvasFixture) -> QPointF:
    """Scroll the number of a leaf to the middle of the map, and return its place there."""
    at = QPointF(place_of(canvas.view, minimap(canvas.view)).center().toPoint())
    canvas.view.camera.pan_by(at - at_number(canvas.view, 1))
    canvas.view.grab()
    assert minimap(canvas.view).isVisible()
    return at


def right_click(canvas: CanvasFixture, at: QPointF, reason=QContextMenuEvent.Reason.Mouse) -> None:
    place, target = at.toPoint(), over_sheet(canvas.view, at)
    beyond = canvas.view.viewport().mapToGlobal(place)
    event = QContextMenuEvent(reason, target.mapFromGlobal(beyond), beyond)
    QApplication.sendEvent(target, event)


def test_map_and_buttons_grow_with_the_interface_and_stay_in_their_corner(wide):
    corner = place_of(wide.view, zoom_row(wide)).bottomRight()
    wide.style.set_size(2.0)
    row = place_of(wide.view, zoom_row(wide))
    scale = wide.style.control_scale
    assert row.width() == round(146 * scale)
    edge = QPointF(1, 1) * (wide.style.px(12) - 12)
    assert row.bottomRight() == corner - edge
    assert place_of(wide.view, minimap(wide.view)).right() == row.right()
