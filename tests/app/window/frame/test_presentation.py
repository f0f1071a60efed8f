"""The presentation: what it takes over, and what it gives back."""

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QApplication

from app.window.commands import file
from app.window.frame.main_window import MainWindow
from tests.helpers.graphs import mistake
from tests.helpers.mouse import at_nothing, at_output, held
from tests.helpers.window import press


@pytest.fixture
def presenting(shared_leaf: MainWindow) -> MainWindow:
    shared_leaf.canvas.camera.set_zoom(0.5)
    shared_leaf.canvas.camera.pan_by(QPointF(-3000, 0))  # a view that the user has chosen
    press(shared_leaf, Qt.Key.Key_F5)
    return shared_leaf


def test_the_view_before_it_comes_back(presenting: MainWindow):
    camera = presenting.canvas.camera
    zoom = camera.zoom
    assert presenting.canvas.framing.shows_all
    assert zoom != 0.5
    press(presenting, Qt.Key.Key_Escape)
    assert not presenting.presenting
    assert camera.zoom == 0.5


def test_a_document_opened_during_it_is_seen_after_it(presenting: MainWindow):
    file.open_example(presenting.context, "by-hand")
    press(presenting, Qt.Key.Key_Escape)
    QApplication.processEvents()
    assert presenting.canvas.framing.shows_all


def test_nodes_moved_for_a_mistake_are_where_they_were_before_it(shared_leaf: MainWindow):
    scene = shared_leaf.canvas.scene
    shared_leaf.playback.set_rules(mistake("assign"))
    shared_leaf.canvas.camera.pan_by(QPointF(10, 0))
    boxes, room = dict(scene.boxes), scene.node_layout.spacing.viewport
    press(shared_leaf, Qt.Key.Key_F5)
    assert scene.node_layout.spacing.viewport != room
    press(shared_leaf, Qt.Key.Key_F5)
    assert scene.boxes == boxes
    assert scene.node_layout.spacing.viewport == room


def test_esc_ends_a_drag_before_it_ends_the_presentation(presenting: MainWindow):
    press(presenting, Qt.Key.Key_E)
    view = presenting.canvas
    node = next(iter(presenting.document.graph.nodes))
    with held(view, at_output(view, node), at_nothing(view)):
        assert view.mouse.gesture is not None
        press(presenting, Qt.Key.Key_Escape)
        assert view.mouse.gesture is None
        assert presenting.presenting
    press(presenting, Qt.Key.Key_Escape)
    assert not presenting.presenting


def test_keys_are_those_of_the_start_page_while_it_is_shown(presenting: MainWindow):
    presenting.show_start_page()
    presenting.setFocus()  # not in the field for a formula
    press(presenting, Qt.Key.Key_E)
    assert presenting.document.locked
    press(presenting, Qt.Key.Key_F5)
    assert not presenting.presenting
