"""Selecting and moving: what is chosen is seen to be; nodes move together, on the grid, in line."""

import pytest
from PySide6.QtCore import QPointF, Qt

from app.document.document_file import whole_text
from app.window.frame.main_window import MainWindow
from tests.helpers.mouse import (
    CTRL,
    SHIFT,
    at_header,
    at_nothing,
    click,
    drag,
    drop_entry,
    held,
    hover,
    node_named,
)
from tests.helpers.reading import in_view
from tests.helpers.seeing import differs, picture, ringed
from tests.helpers.window import choose, press

ESCAPE, LEFT, RIGHT = Qt.Key.Key_Escape, Qt.Key.Key_Left, Qt.Key.Key_Right


@pytest.fixture
def window(shared_leaf: MainWindow) -> MainWindow:
    """(a*b + a) * f on the canvas, with room around it."""
    shared_leaf.canvas.camera.zoom_by(0.8)
    return shared_leaf


def pick(window: MainWindow, name: str, held_down=Qt.KeyboardModifier.NoModifier) -> None:
    view = window.canvas
    click(view, at_header(view, node_named(view, name)), held_down)
    hover(view, at_nothing(view))


def band(window: MainWindow, names: str, held_down=Qt.KeyboardModifier.NoModifier) -> None:
    """Drag a box round nodes, from a corner at which nothing is."""
    view = window.canvas
    rect = view.scene.bounds(node_named(view, name) for name in names).adjusted(-14, -14, 14, 14)
    start, end = view.camera.to_screen(rect.topLeft()), view.camera.to_screen(rect.bottomRight())
    assert view.hover.hit_at(start).part == "canvas"
    drag(view, start, end, held_down)
    hover(view, at_nothing(view))


def test_a_click_chooses_shift_adds_ctrl_toggles_and_the_empty_lets_go(window: MainWindow):
    assert ringed(window.canvas) == set()
    pick(window, "a")
    assert ringed(window.canvas) == {"a"}
    pick(window, "b")
    assert ringed(window.canvas) == {"b"}
    pick(window, "d", SHIFT)
    pick(window, "f", SHIFT)
    pick(window, "d", SHIFT)
    assert ringed(window.canvas) == {"b", "d", "f"}
    pick(window, "d", CTRL)
    pick(window, "a", CTRL)
    assert ringed(window.canvas) == {"a", "b", "f"}
    click(window.canvas, at_nothing(window.canvas))
    assert ringed(window.canvas) == set()
    assert not window.document.steps


def test_a_rubber_band_is_seen_chooses_what_it_touches_and_adds_or_toggles(window: MainWindow):
    view = window.canvas
    band(window, "ab")
    assert ringed(view) == {"a", "b"}
    band(window, "f", SHIFT)
    assert ringed(view) == {"a", "b", "f"}
    band(window, "ab", CTRL)
    assert ringed(view) == {"f"}
    rect = view.scene.bounds((node_named(view, "e"),)).adjusted(-14, -14, 14, 14)
    start, end = view.camera.to_screen(rect.topLeft()), view.camera.to_screen(rect.bottomRight())
    edge, calm = QPointF(start.x(), (start.y() + end.y()) / 2), picture(view)
    with held(view, start, end):
        assert differs(calm, picture(view), edge)
        press(window, ESCAPE)
    hover(view, at_nothing(view))
    assert ringed(view) == {"f"}


def test_ancestors_and_descendants_are_chosen_by_key_and_from_the_menu(window: MainWindow):
    view = window.canvas
    pick(window, "e")
    press(window, LEFT, modifier=CTRL | SHIFT)
    assert ringed(view) == {"a", "b", "e"}
    pick(window, "e")
    choose(window, "Edit/Select", "Select descendants")
    assert ringed(view) == {"e", "d", "L", "root"}
    pick(window, "f")
    press(window, RIGHT, modifier=CTRL | SHIFT)
    assert ringed(view) == {"f", "L", "root"}
    press(window, "a", modifier=CTRL)
    assert ringed(view) == {"a", "b", "e", "d", "f", "L", "root"}
    press(window, ESCAPE)
    assert ringed(view) == set()


def test_what_is_placed_by_hand_stays_when_the_graph_is_run_and_changed(window: MainWindow):
    view = window.canvas
    drag(view, at_header(view, node_named(view, "f")), at_nothing(view))
    place = window.document.positions[node_named(view, "f")]
    drop_entry(view, "op:exp", at_nothing(view))
    press(window, "b", Qt.Key.Key_End, ESCAPE)
    assert window.document.positions[node_named(view, "f")] == place


def test_arrange_lays_out_all_or_only_what_is_chosen_from_left_or_from_the_top(
    window: MainWindow, qtbot
):
    view = window.canvas

    def calm() -> None:
        qtbot.waitUntil(lambda: not view.auto_layout.running, timeout=60_000)

    first = whole_text(window.document.sheet)
    drag(view, at_header(view, node_named(view, "a")), at_nothing(view))
    drag(view, at_header(view, node_named(view, "f")), at_nothing(view))
    f = window.document.positions[node_named(view, "f")]
    press(window, ESCAPE)
    for name in "abe":
        pick(window, name, SHIFT)
    choose(window, "Build/Arrange", "Arrange selection from top")
    calm()
    boxes = view.scene.boxes
    a, b, e = (boxes[node_named(view, name)] for name in "abe")
    assert max(a.rect.bottom(), b.rect.bottom()) < e.y
    assert window.document.positions[node_named(view, "f")] == f  # what was placed stays
    assert window.commands["undo"].text() == "&Undo Arrange"
    press(window, "l", modifier=CTRL)
    calm()
    boxes = view.scene.boxes
    order = [boxes[node_named(view, name)].x for name in ("a", "e", "d", "L", "root")]
    assert order == sorted(order)
    qtbot.waitUntil(lambda: all(in_view(view, n) for n in window.document.graph.nodes))
    for _ in range(4):
        press(window, "z", modifier=CTRL)
    assert whole_text(window.document.sheet) == first
