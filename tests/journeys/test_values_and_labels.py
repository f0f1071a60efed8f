"""Values and labels: typed in place, scrubbed, slid, turned with the wheel; each one step."""

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QLineEdit

from app.window.frame.main_window import MainWindow
from tests.helpers.mouse import (
    CTRL,
    SHIFT,
    at_header,
    at_number,
    click,
    double_click,
    key,
    node_named,
    type_into_focus,
    wheel,
)
from tests.helpers.reading import value
from tests.helpers.window import inspector, press, said

RETURN, ESCAPE, F2 = Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_F2


@pytest.fixture
def window(shared_leaf: MainWindow) -> MainWindow:
    """(a*b + a) * f at 100 %: L is 8, and a is 2."""
    shared_leaf.canvas.camera.set_zoom(1.0)
    shared_leaf.canvas.camera.pan_by(QPointF(200, 100))
    return shared_leaf


def number(window: MainWindow, name: str) -> QPointF:
    return at_number(window.canvas, node_named(window.canvas, name))


def undone(window: MainWindow) -> list[str]:
    """What can be undone, the oldest first."""
    return [step.name for step in window.document.done]


def test_the_wheel_turns_the_number_of_the_chosen_leaf_and_zooms_elsewhere(window: MainWindow):
    view, zoom = window.canvas, window.status_line.zoom.text()
    click(view, at_header(view, node_named(view, "a")))
    for _ in range(3):
        wheel(view, number(window, "a"), 1)
    assert (value(view, "a"), window.status_line.zoom.text()) == ("2.3", zoom)
    wheel(view, number(window, "a"), -1, CTRL)
    assert value(view, "a") == "1"
    wheel(view, number(window, "a"), 1, SHIFT)
    assert value(view, "a") == "1.01"
    assert undone(window) == ["Set a"]
    wheel(view, number(window, "f"), 1)  # not chosen
    assert value(view, "f") == "−2"
    assert window.status_line.zoom.text() != zoom


def test_a_bad_number_on_a_node_keeps_its_text_turns_red_and_is_told_why(window: MainWindow):
    view = window.canvas
    double_click(view, number(window, "a"))
    field = view.viewport().findChild(QLineEdit)
    assert field is not None
    usual = field.grab().toImage().pixelColor(1, field.height() // 2)
    type_into_focus("1e400")
    key(RETURN)
    assert (field.text(), field.hasFocus()) == ("1e400", True)
    assert "too large" in said(window)
    error = window.context.style.theme.error
    assert field.grab().toImage().pixelColor(1, field.height() // 2) == error
    type_into_focus("7")
    assert field.grab().toImage().pixelColor(1, field.height() // 2) == usual
    key(RETURN)
    assert value(view, "a") == "7"


def test_a_bad_number_in_the_inspector_keeps_its_text_and_is_told_why(window: MainWindow):
    view = window.canvas
    click(view, at_header(view, node_named(view, "a")))
    panel = inspector(window)
    field = next(e for e in panel.value.slider.findChildren(QLineEdit) if e.isVisible())
    click(field, QPointF(field.rect().center()))
    field.selectAll()
    type_into_focus("1/x")
    key(RETURN)
    assert field.text() == "1/x"
    assert said(window).startswith("1/x is no number")
    assert value(view, "a") == "2"
    type_into_focus("0.25")
    key(RETURN)
    assert value(view, "a") == "0.25"


def write_and_click_a_tile(window: MainWindow, text: str, entry: str) -> None:
    """Type into the open field, then press a tile, which does not take the keyboard."""
    type_into_focus(text)
    tile = window.palette_dock.tiles.tile(entry)
    click(tile, tile.rect().center())


def test_a_click_on_the_next_tile_takes_the_name_that_was_typed(window: MainWindow):
    tile = window.palette_dock.tiles.tile("leaf")
    click(tile, tile.rect().center())
    new = window.selection.only
    assert new is not None
    write_and_click_a_tile(window, "w", "op:mul")
    assert window.document.graph.label(new) == "w"
    assert undone(window)[-1] == "Add mul"


@pytest.mark.parametrize("by", ["tile", "toolbar"])
def test_a_click_on_any_control_takes_the_value_that_was_typed(window: MainWindow, by):
    view = window.canvas
    double_click(view, number(window, "a"))
    type_into_focus("5")
    if by == "tile":
        write_and_click_a_tile(window, "0", "op:mul")
        assert value(view, "a") == "50"
        return
    button = window.strip.buttons.button("step")
    click(button, button.rect().center())
    assert value(view, "a") == "5"


def test_a_click_on_a_tile_takes_what_was_typed_in_the_inspector(window: MainWindow):
    click(window.canvas, at_header(window.canvas, node_named(window.canvas, "a")))
    part = inspector(window).node
    part.label.setFocus()
    part.label.selectAll()
    write_and_click_a_tile(window, "weight", "op:mul")
    assert "weight" in window.document.graph.names.values()
    click(window.canvas, at_header(window.canvas, node_named(window.canvas, "weight")))
    field = inspector(window).value.slider.findChild(QLineEdit)
    assert field is not None
    field.setFocus()
    field.selectAll()
    write_and_click_a_tile(window, "4", "op:add")
    assert value(window.canvas, "weight") == "4"


def test_enter_on_a_clicked_leaf_opens_its_number_outside_a_pass(window: MainWindow):
    view = window.canvas
    click(view, at_header(view, node_named(view, "a")))
    press(window, RETURN)
    type_into_focus("3")
    press(window, RETURN)
    assert value(view, "a") == "3"
    press(window, "b", RETURN)
    assert window.playback.playing
