"""A view that jumps is painted in time: at first without the texts of most nodes."""

from typing import Any

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QWidget

from app.canvas.appearance.looks import NodeLook
from app.canvas.paint import painter as scene_painter
from app.canvas.paint.far_view import FarText
from app.canvas.paint.pixmap_cache import BUDGET_AFTER_VIEW_CHANGE
from tests.benchmarks.layers import layered
from tests.helpers.canvas import CanvasFixture
from tests.helpers.colors import apart

JUMP = QPointF(-2600.0, -300.0)


@pytest.fixture
def drawn(large: CanvasFixture, monkeypatch: pytest.MonkeyPatch) -> list[NodeLook]:
    """The looks of the nodes whose texts are drawn from now on."""
    looks: list[NodeLook] = []
    paint = scene_painter.paint_texts

    def count(painter: QPainter, look: NodeLook, *rest: Any) -> None:
        looks.append(look)
        paint(painter, look, *rest)

    monkeypatch.setattr(scene_painter, "paint_texts", count)
    return looks


@pytest.fixture
def large(canvas: CanvasFixture, qtbot) -> CanvasFixture:
    """A large graph at 1:1, with everything in view painted."""
    canvas.document.start(layered(450))
    canvas.view.camera.set_zoom(1.0)
    canvas.view.resize(1600, 900)
    canvas.view.show()
    canvas.view.viewport().repaint()
    qtbot.waitUntil(lambda: canvas.view.compositor.is_complete)
    return canvas


def nodes_in_view(canvas: CanvasFixture) -> list[int]:
    return canvas.scene.node_index.within(canvas.view.camera.visible_area)


def looks_in_view(canvas: CanvasFixture) -> set[NodeLook]:
    return {canvas.scene.node(node) for node in nodes_in_view(canvas)}


def jump(canvas: CanvasFixture) -> None:
    canvas.view.camera.pan_by(JUMP)
    canvas.view.viewport().repaint()


def screen(canvas: CanvasFixture) -> QImage:
    """What is on the screen, with what it leaves out."""
    return canvas.view.screen().grabWindow(canvas.view.winId()).toImage()


def test_a_jump_draws_a_few_nodes_at_once_and_the_rest_right_after(large, drawn, qtbot):
    jump(large)
    looks = looks_in_view(large)
    assert 0 < len(drawn) <= BUDGET_AFTER_VIEW_CHANGE < len(looks) / 2
    assert not large.view.compositor.is_complete
    qtbot.waitUntil(lambda: large.view.compositor.is_complete)
    assert looks <= set(drawn)
    drawn.clear()
    large.view.viewport().repaint()
    assert not drawn


def test_what_the_screen_shows_in_the_end_is_the_whole_picture(large, qtbot):
    jump(large)
    first = screen(large)
    qtbot.waitUntil(lambda: large.view.compositor.is_complete)
    picture = large.view.grab().toImage()
    assert apart(first, picture).max() > 0
    assert apart(screen(large), picture).max() == 0


def test_a_picture_of_the_canvas_right_after_a_jump_leaves_out_nothing(large, drawn):
    large.view.camera.pan_by(JUMP)
    large.view.grab()
    assert looks_in_view(large) <= set(drawn)


def test_the_step_that_made_the_view_jump_is_shown_whole_at_once(large, drawn):
    large.playback.backward()
    large.playback.go(large.steps // 2)
    large.view.viewport().repaint()
    area = large.view.camera.visible_area
    while large.view.camera.visible_area == area:
        large.playback.step()
    large.view.viewport().repaint()
    event = large.playback.frame.event
    assert {large.scene.node(event.node), large.scene.node(event.sender)} <= set(drawn)


def test_the_picture_is_whole_too_where_an_opaque_widget_hides_a_part_of_it(large, qtbot):
    over = QWidget(large.view)
    over.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
    over.setGeometry(100, 100, 300, 50)
    over.show()
    jump(large)
    assert not large.view.compositor.is_complete
    qtbot.waitUntil(lambda: large.view.compositor.is_complete)


def test_following_and_motion_leave_sizes_and_pixmaps_alone(large, drawn, qtbot):
    sizes = large.scene.text_sizes
    large.style.set_follows_step(False)
    large.style.set_motion(True)
    large.style.set_motion(False)
    large.view.viewport().repaint()
    assert large.scene.text_sizes is sizes
    assert not drawn
    large.style.set_digits(2)
    assert large.scene.text_sizes is not sizes


def test_numbers_that_change_in_view_are_never_left_out(large, drawn):
    before = looks_in_view(large)
    change_leaves(large)
    large.view.viewport().repaint()
    changed = looks_in_view(large) - before
    assert len(changed) > BUDGET_AFTER_VIEW_CHANGE
    assert changed <= set(drawn)


def test_numbers_that_change_while_others_are_late_are_never_left_out(large, drawn):
    large.view.camera.pan_by(JUMP / 4)
    large.view.viewport().repaint()
    assert not large.view.compositor.is_complete
    seen = large.view.camera.visible_area
    stayed = set(large.scene.node_index.within(seen.intersected(seen.translated(JUMP / 4))))
    before = {large.scene.node(node) for node in stayed}
    change_leaves(large)
    large.view.viewport().repaint()
    changed = {large.scene.node(node) for node in stayed} - before
    assert len(changed) > BUDGET_AFTER_VIEW_CHANGE
    assert changed <= set(drawn)


def test_a_zoom_shows_nodes_enlarged_until_they_are_drawn_sharp(large, drawn, qtbot):
    large.view.camera.zoom_by(1.15)
    large.view.viewport().repaint()
    assert len(drawn) <= BUDGET_AFTER_VIEW_CHANGE
    blurred = screen(large)
    qtbot.waitUntil(lambda: large.view.compositor.is_complete)
    picture = large.view.grab().toImage()
    assert apart(blurred, picture).max() > 0
    assert apart(screen(large), picture).max() == 0


def change_leaves(canvas: CanvasFixture) -> None:
    for place, leaf in enumerate(canvas.document.graph.leaves):
        canvas.document.set_value(leaf, 0.31 + place / 7)


def test_zoomed_out_a_text_is_drawn_once_for_all_scales(large, qtbot, monkeypatch):
    drawn = counted_texts(monkeypatch)
    large.view.camera.set_zoom(0.4)
    qtbot.waitUntil(lambda: bool(drawn) and large.view.compositor.is_complete)
    assert len(drawn) == len(set(drawn))
    drawn.clear()
    large.view.camera.zoom_by(1.05)
    large.view.viewport().repaint()
    qtbot.waitUntil(lambda: large.view.compositor.is_complete)
    assert len(drawn) < len(nodes_in_view(large)) / 10


def counted_texts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that are drawn from now on while zoomed out."""
    texts: list[str] = []
    paint = scene_painter.paint_far_text

    def count(painter: object, text: FarText, at: object) -> None:
        texts.append(f"{text.text} {text.font.role} {text.font.factor} {text.color.name()}")
        paint(painter, text, at)  # type: ignore[arg-type]

    monkeypatch.setattr(scene_painter, "paint_far_text", count)
    return texts
