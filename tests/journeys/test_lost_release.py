"""A release that goes astray: what was held is put back, and does not stick to the pointer."""

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from app.document.document_file import whole_text
from app.window.frame.main_window import MainWindow
from tests.helpers import x11_input
from tests.helpers.mouse import (
    LEFT,
    MIDDLE,
    RIGHT,
    at_header,
    at_nothing,
    click,
    glide,
    hover,
    key,
    move,
    press,
    release,
)
from tests.helpers.window import CTRL, node, open_dialogs


@pytest.fixture
def dragging(shared_leaf: MainWindow) -> MainWindow:
    """With b held, a little off its place."""
    view = shared_leaf.canvas
    start = at_header(view, node(shared_leaf, "b"))
    press(view, start)
    glide(view, start, start + QPointF(40, 40))
    assert view.mouse.gesture is not None
    return shared_leaf


def nothing_held(window: MainWindow) -> bool:
    return window.canvas.mouse.gesture is None and not window.canvas.scene.node_layout.preview


def test_a_dialog_opened_in_mid_drag_puts_the_node_back(dragging: MainWindow):
    view, before = dragging.canvas, whole_text(dragging.document.sheet)
    key(Qt.Key.Key_O, CTRL)
    QApplication.processEvents()
    (dialog,) = open_dialogs(dragging)
    assert nothing_held(dragging)
    dialog.reject()
    QApplication.processEvents()
    hover(view, at_nothing(view))
    click(view, at_nothing(view))
    assert nothing_held(dragging)
    assert whole_text(dragging.document.sheet) == before
    assert not dragging.document.steps


def test_another_window_in_front_puts_the_node_back(dragging: MainWindow, qtbot):
    other = QWidget()
    qtbot.addWidget(other)
    other.show()
    other.activateWindow()
    qtbot.waitUntil(lambda: not dragging.isActiveWindow())
    assert nothing_held(dragging)


def test_a_move_without_the_button_puts_the_node_back(dragging: MainWindow):
    hover(dragging.canvas, at_nothing(dragging.canvas))
    assert nothing_held(dragging)
    assert not dragging.document.steps


def test_a_press_after_a_lost_release_begins_anew(dragging: MainWindow):
    view = dragging.canvas
    x11_input.press(view.viewport(), at_nothing(view))
    x11_input.release(view.viewport(), at_nothing(view))
    assert nothing_held(dragging)
    assert not dragging.document.steps


def test_only_the_button_that_began_it_ends_a_drag(dragging: MainWindow):
    view = dragging.canvas
    at = at_header(view, node(dragging, "b"))
    for other in (MIDDLE, RIGHT):
        release(view, at, button=other)
        assert view.mouse.gesture is not None
    move(view, at, button=LEFT | MIDDLE)
    release(view, at)
    assert nothing_held(dragging)
    assert dragging.document.done[-1].name == "Move b"


def test_no_menu_opens_over_a_drag(dragging: MainWindow):
    view = dragging.canvas
    at = at_header(view, node(dragging, "a")).toPoint()
    reason, place = QContextMenuEvent.Reason.Mouse, view.viewport().mapToGlobal(at)
    QApplication.sendEvent(view.viewport(), QContextMenuEvent(reason, at, place))
    assert not [menu for menu in dragging.findChildren(QMenu) if menu.isVisible()]
    assert view.mouse.gesture is not None
