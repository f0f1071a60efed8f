"""Undo by key in the middle of a drag: what is held may be gone, and is let go of then."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPointF, Qt

from app.document.document_file import whole_text
from app.window.frame.main_window import MainWindow
from tests.helpers.mouse import at_header, glide, key, node_named, release
from tests.helpers.mouse import press as press_at
from tests.helpers.window import CTRL, open_example, press

AWAY = QPointF(40, 40)


@pytest.fixture
def window(window: MainWindow) -> Iterator[MainWindow]:
    """The demonstration; in the end nothing is held or lifted, and undo leads back to it."""
    open_example(window, "demonstration")
    window.canvas.setFocus()
    before = whole_text(window.document.sheet)
    yield window
    assert window.canvas.mouse.gesture is None
    assert not window.canvas.scene.node_layout.preview
    while window.document.done:
        window.document.undo()
    assert whole_text(window.document.sheet) == before


def opened_group(window: MainWindow) -> None:
    window.selection.choose(node_named(window.canvas, name) for name in "cde")
    press(window, "g", modifier=CTRL)
    press(window, Qt.Key.Key_J, modifier=CTRL)
    window.selection.clear()


def take(window: MainWindow, name: str) -> QPointF:
    """Drag a node a little, and hold it."""
    start = at_header(window.canvas, node_named(window.canvas, name))
    press_at(window.canvas, start)
    glide(window.canvas, start, start + AWAY)
    assert window.canvas.mouse.gesture is not None
    return start + AWAY


def test_a_group_that_closes_over_the_node_in_hand_takes_it_back(window: MainWindow):
    opened_group(window)
    at = take(window, "c")
    press(window, "z", modifier=CTRL)
    assert window.canvas.mouse.gesture is None
    glide(window.canvas, at, at + AWAY)
    release(window.canvas, at + AWAY)
    assert window.document.done[-1].name == "Group"


def test_a_wire_begun_by_key_is_given_up_when_its_group_closes(window: MainWindow):
    opened_group(window)
    window.selection.focus_on(node_named(window.canvas, "c"))
    key(Qt.Key.Key_W)
    assert window.canvas.keyboard.wire_choice is not None
    press(window, "z", modifier=CTRL)
    assert window.canvas.keyboard.wire_choice is None


def test_a_drawn_group_that_goes_ends_its_drag(window: MainWindow):
    view = window.canvas
    window.selection.choose_all()
    view.editing.draw_group()
    key(Qt.Key.Key_Return)
    view.framing.fit_all()
    (rect,) = view.scene.node_layout.groups.drawn.values()
    at = view.camera.to_screen(rect.topLeft() + QPointF(60, 15))
    press_at(view, at)
    glide(view, at, at + AWAY)
    press(window, "z", modifier=CTRL)
    assert view.mouse.gesture is None
    release(view, at + AWAY)
    assert not window.document.done


def test_places_that_come_in_mid_drag_do_not_take_the_node_away(window: MainWindow, qtbot):
    opened_group(window)
    move = {node_named(window.canvas, "f"): (-700.0, 900.0)}
    assert window.document.move(move)  # or there would be nothing to arrange
    press(window, "l", modifier=CTRL)
    at = take(window, "a")
    qtbot.waitUntil(lambda: not window.canvas.auto_layout.running, timeout=60_000)
    assert window.document.done[-1].name == "Arrange"
    assert window.canvas.mouse.gesture is not None
    release(window.canvas, at)
    assert window.document.done[-1].name == "Move a"
