"""The legend: there while a backward pass is read, and out of the way of everything else."""

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtWidgets import QApplication

from app.canvas.appearance.detail import READABLE_IN_SMALL_GRAPH, scale_for_text_size
from tests.helpers.canvas import CanvasFixture
from tests.helpers.mouse import hover


@pytest.fixture
def read(canvas: CanvasFixture) -> CanvasFixture:
    """A backward pass at 100 %, with the lower left corner free."""
    canvas.open_example("demonstration")
    canvas.playback.to_end()
    painted(canvas)
    return canvas


def painted(canvas: CanvasFixture) -> bool:
    """Whether the legend is there once the canvas is painted."""
    QApplication.processEvents()
    canvas.view.grab()
    return canvas.view.overlay.legend.shown


def test_it_is_there_in_a_backward_pass_only_and_where_it_has_room(read):
    play = read.playback
    for act, there in ((play.to_end, 1), (play.leave, 0), (play.forward, 0), (play.backward, 1)):
        act()
        assert painted(read) == bool(there)
    read.view.resize(380, 800)  # map and buttons need it
    assert not painted(read)


def test_it_is_there_only_where_labels_are_read_in_their_place(read):
    read.view.camera.set_zoom(scale_for_text_size(READABLE_IN_SMALL_GRAPH) - 0.01)
    assert not painted(read)
    read.view.camera.set_zoom(scale_for_text_size(READABLE_IN_SMALL_GRAPH) + 0.001)
    read.view.camera.pan_by(QPointF(0, -200))
    assert painted(read)


def test_it_gives_way_to_the_pointer_and_comes_back(read):
    legend = read.view.overlay.legend
    hover(read.view, QPointF(legend.geometry().center()))
    assert not painted(read)
    hover(read.view, QPointF(legend.geometry().topRight()) + QPointF(200, -200))
    assert painted(read)


def test_it_comes_back_from_under_a_resting_pointer_that_it_has_moved_to(read):
    legend, view = read.view.overlay.legend, read.view
    hover(view, QPointF(legend.geometry().center()) - QPointF(0, 150))
    assert painted(read)
    view.resize(view.width(), view.height() - 150)
    QApplication.processEvents()
    assert not legend.shown
    hover(view, QPointF(legend.geometry().topRight()) + QPointF(200, -200))
    QApplication.processEvents()
    assert legend.shown


def test_it_gives_way_to_nodes_and_labels(read):
    legend = read.view.overlay.legend
    node = read.scene.boxes[read.node("y")].rect.center()
    label = read.scene.labels.rect(read.wire("e", 1))
    assert label is not None
    for point in (node, label.center()):
        read.view.camera.pan_by(
            QPointF(legend.geometry().center()) - read.view.camera.to_screen(point)
        )
        assert not painted(read)
        read.look()
        assert painted(read)


def test_with_motion_it_fades(read, qtbot):
    read.style.set_motion(True)
    legend = read.view.overlay.legend
    read.playback.leave()
    painted(read)
    assert legend.isVisible()
    qtbot.waitUntil(lambda: not legend.isVisible())
