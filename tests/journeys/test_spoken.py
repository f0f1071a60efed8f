"""What a screen reader finds in the window: things by name, where the keyboard is, each step."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface

from app.canvas import accessibility as accessible
from app.window.frame.main_window import MainWindow
from tests.helpers.mouse import at_output, at_slot, drag, key, node_named, type_into_focus
from tests.helpers.reading import label
from tests.helpers.seeing import ringed
from tests.helpers.window import CTRL, SHIFT, press

NAME = QAccessible.Text.Name
NEXT, DOWN, END, ESCAPE = (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_End, Qt.Key.Key_Escape)


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch):
    """The sentences spoken while a screen reader is there."""
    found: list[str] = []
    announcement = accessible.QAccessibleAnnouncementEvent

    def announce(view, text: str):
        found.append(text)
        return announcement(view, text)

    monkeypatch.setattr(accessible, "QAccessibleAnnouncementEvent", announce)
    QAccessible.setActive(True)
    yield found
    QAccessible.setActive(False)


def whole(window: MainWindow) -> QAccessibleInterface:
    return QAccessible.queryAccessibleInterface(window.canvas)


def names(window: MainWindow) -> list[str]:
    """What is found on the canvas, in the order in which it is read."""
    canvas = whole(window)
    found = [canvas.child(k).text(NAME) for k in range(canvas.childCount())]
    return [name for name in found if name]


def focused(window: MainWindow) -> str:
    """What a screen reader says has the keyboard."""
    return whole(window).focusChild().text(NAME)


def test_nodes_and_wires_are_named_with_the_numbers_that_are_seen(shared_leaf: MainWindow):
    window = shared_leaf
    assert whole(window).text(NAME) == "Canvas"
    assert "e, times, value −6, inputs a and b" in names(window)
    press(window, "b", END)
    assert "e, times, value −6, gradient −2, inputs a and b" in names(window)
    assert "from a to e, slot 1, −2 × −3 = +6" in names(window)
    assert label(window.canvas, "e", 0) == "−2 × −3 = +6"


def test_each_step_is_announced_in_the_words_below_the_canvas(
    shared_leaf: MainWindow, heard: list[str]
):
    window = shared_leaf
    press(window, "b")
    assert "starts with grad 1" in heard[-1]
    press(window, NEXT)
    assert "passes" in heard[-1]
    assert "d" in window.strip.sentence.text()
    before = len(heard)
    press(window, NEXT, NEXT)
    assert len(heard) == before + 2
    press(window, Qt.Key.Key_Left)
    assert heard[-1] == heard[-3]  # back at the step before
    press(window, ESCAPE)
    assert len(heard) == before + 3


def test_the_keyboard_is_told_and_seen_where_it_walks(shared_leaf: MainWindow, heard: list[str]):
    window = shared_leaf
    press(window, DOWN)
    assert focused(window).startswith("a, leaf")
    press(window, NEXT)
    assert focused(window).split(",")[0] in ("e", "d")
    only = window.selection.only
    assert only is not None
    parts = [whole(window).child(k) for k in range(whole(window).childCount())]
    parts = [part for part in parts if part.text(NAME)]
    told = [part.text(NAME) for part in parts if part.state().focused]
    assert told == [focused(window)]
    assert [part.text(NAME) for part in parts if part.state().selected] == told
    assert ringed(window.canvas) == {told[0].split(",")[0]}
    assert heard == []  # only steps are spoken as sentences


def test_what_is_built_and_taken_away_is_found_or_not(shared_leaf: MainWindow):
    window, view = shared_leaf, shared_leaf.canvas
    view.camera.zoom_by(0.8)
    press(window, Qt.Key.Key_Tab)
    type_into_focus("leaf")
    key(Qt.Key.Key_Return)
    only = window.selection.only
    assert only is not None
    name = window.document.graph.names[only]
    assert f"{name}, leaf, value 1" in names(window)
    drag(view, at_output(view, only), at_slot(view, node_named(view, "L"), 1))
    assert f"from {name} to L, slot 2" in names(window)
    view.context.selection.focus_on(only)
    press(window, Qt.Key.Key_Delete)
    assert not any(name in found.split() for found in names(window))
    assert "L, times, value not computed, inputs d and nothing" in names(window)


def test_groups_and_sections_are_named_with_how_much_is_in_them(shared_leaf: MainWindow):
    window, view = shared_leaf, shared_leaf.canvas
    window.selection.choose(node_named(view, name) for name in "ed")
    press(window, "g", modifier=CTRL)
    assert any("group of 2 nodes" in name for name in names(window))
    assert not any(name.startswith("e, times") for name in names(window))
    window.selection.choose(node_named(view, name) for name in "ab")
    press(window, "g", modifier=CTRL | SHIFT)
    type_into_focus("Inputs")
    key(Qt.Key.Key_Return)
    assert "section Inputs, 2 nodes" in names(window)
