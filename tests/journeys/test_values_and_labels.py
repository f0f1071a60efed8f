"""Values and labels: typed in place, scrubbed, slid, turned with the wheel; each one step."""

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QLineEdit, QSlider

from app.document.files import whole_text
from app.window.frame.main_window import MainWindow
from tests.helpers.mouse import (
    CTRL,
    SHIFT,
    at_header,
    at_nothing,
    at_number,
    click,
    double_click,
    drag,
    drop_entry,
    held,
    key,
    move,
    node_named,
    type_into_focus,
    wheel,
)
from tests.helpers.reading import label, ledger, value, written
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


def test_a_double_click_opens_the_number_in_place_and_enter_takes_it(window: MainWindow):
    view = window.canvas
    double_click(view, number(window, "a"))
    field = view.viewport().findChild(QLineEdit)
    assert field is not None
    assert field.hasFocus()
    assert field.selectedText() == field.text() == "2"
    assert field.geometry().contains(number(window, "a").toPoint())
    type_into_focus("-1.5")
    key(RETURN)
    assert (value(view, "a"), value(view, "L")) == ("−1.5", "−6")
    assert "−1.5" in written(view)
    assert undone(window) == ["Set a"]


def test_enter_on_a_leaf_that_has_the_keyboard_opens_its_number(window: MainWindow):
    view = window.canvas
    press(window, Qt.Key.Key_Down)
    while window.selection.only != node_named(view, "f"):
        press(window, Qt.Key.Key_Down)
    press(window, RETURN)
    type_into_focus("10")
    press(window, Qt.Key.Key_Tab)
    assert value(view, "L") == "−40"
    assert not window.playback.playing
    assert view.hasFocus()


def test_a_number_is_scrubbed_fine_with_shift_coarse_with_ctrl_and_all_follows(window: MainWindow):
    view = window.canvas
    press(window, "b", Qt.Key.Key_End)
    start = number(window, "a")
    with held(view, start, start + QPointF(40, 0)):
        assert value(view, "a") == "3"
        assert label(view, "e", 1) == ""  # its ripple is shown while it is dragged
        move(view, start + QPointF(48, 0), SHIFT)
        move(view, start + QPointF(56, 0), SHIFT)
        assert value(view, "a") == "3.02"
        move(view, start + QPointF(56, 0), CTRL)
        move(view, start + QPointF(60, 0), CTRL)
        assert value(view, "a") == "4"
        assert view.viewport().cursor().shape() == Qt.CursorShape.SizeHorCursor
    assert value(view, "L") == "16"
    assert label(view, "e", 1) == "−2 × 4 = −8"
    assert ledger(view, "a") == "0 −2 +6 = 4"
    assert undone(window) == ["Set a"]
    assert window.playback.cursor == 7
    press(window, "z", modifier=CTRL)
    assert (value(view, "a"), value(view, "L")) == ("2", "8")


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


def test_the_slider_of_the_chosen_leaf_moves_its_number_and_undo_moves_the_slider(
    window: MainWindow,
):
    view = window.canvas
    click(view, at_header(view, node_named(view, "b")))
    slider = next(s for s in inspector(window).findChildren(QSlider) if s.isVisible())
    before = slider.value()
    handle = QPointF(_handle(slider), slider.height() / 2)
    drag(slider, handle, handle + QPointF(30, 0))
    assert slider.value() > before
    assert value(view, "b") != "−3"
    assert undone(window) == ["Set b"]
    press(window, "z", modifier=CTRL)
    assert (value(view, "b"), slider.value()) == ("−3", before)


def _handle(slider: QSlider) -> float:
    share = (slider.value() - slider.minimum()) / (slider.maximum() - slider.minimum())
    return 8 + share * (slider.width() - 16)


@pytest.mark.parametrize("how", ["typed", "scrubbed", "labelled"])
def test_esc_takes_back_what_was_begun_and_leaves_no_redo(window: MainWindow, how: str):
    view = window.canvas
    before = whole_text(window.document.sheet)
    at = number(window, "a")
    if how == "scrubbed":
        with held(view, at, at + QPointF(80, 0)):
            assert value(view, "a") == "4"
            press(window, ESCAPE)
    else:
        click(view, at_header(view, node_named(view, "a")))
        if how == "typed":
            double_click(view, at)
        else:
            press(window, F2)
        type_into_focus("77")
        key(ESCAPE)
    assert whole_text(window.document.sheet) == before
    assert (value(view, "a"), value(view, "L")) == ("2", "8")
    assert undone(window) == []
    assert not window.commands["redo"].isEnabled()


def test_f2_labels_in_place_and_the_label_stands_as_it_is(window: MainWindow):
    view = window.canvas
    panel = inspector(window)
    click(view, at_header(view, node_named(view, "e")))
    press(window, F2)
    type_into_focus("x1*w1")
    key(RETURN)
    assert "x1*w1" in written(view)
    assert panel.node.name.text() == ""
    assert "x1_w1_3 = a*b" in window.expression.text()
    assert undone(window) == ["Label e"]
    press(window, F2)
    type_into_focus("y" * 210)
    key(RETURN)
    assert panel.node.label.text() == "y" * 200
    assert any("…" in text and text.startswith("yy") for text in written(view))


def test_a_label_may_repeat_and_is_plain_text(window: MainWindow):
    view = window.canvas
    added = drop_entry(view, "leaf", at_nothing(view))
    press(window, F2)
    type_into_focus("<b>a</b>")
    key(RETURN)
    assert "<b>a</b>" in written(view)
    press(window, F2)
    type_into_focus("a")
    key(RETURN)
    assert written(view).count("a") == 2
    assert window.document.graph.names[added] == f"a_{added}"


@pytest.mark.parametrize(
    ("typed", "told"), [("abc", "no number"), ("1e400", "too large"), ("1/3", "no number")]
)
def test_a_bad_number_on_a_node_keeps_its_text_turns_red_and_is_told_why(
    window: MainWindow, typed: str, told: str
):
    view = window.canvas
    double_click(view, number(window, "a"))
    field = view.viewport().findChild(QLineEdit)
    assert field is not None
    usual = field.grab().toImage().pixelColor(1, field.height() // 2)
    type_into_focus(typed)
    key(RETURN)
    assert (field.text(), field.hasFocus()) == (typed, True)
    assert told in said(window)
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
    type_into_focus("1/3")
    key(RETURN)
    assert field.text() == "1/3"
    assert said(window).startswith("1/3 is no number")
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
