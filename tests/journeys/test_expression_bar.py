"""A graph typed as a formula, and a formula read off a graph."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCharFormat
from PySide6.QtWidgets import QPushButton

from app.document.bands import MOST_CROSSING
from app.document.files import whole_text
from app.window.frame.main_window import MainWindow
from tests.helpers.answering import told
from tests.helpers.mouse import click as click_at
from tests.helpers.mouse import draw_wire, key, type_into_focus
from tests.helpers.reading import grad, value
from tests.helpers.window import CTRL, click, press

RETURN = Qt.Key.Key_Return


def type_formula(window: MainWindow, text: str) -> None:
    field = window.expression.field
    click_at(field, field.viewport().rect().center())
    field.selectAll()
    type_into_focus(text)
    key(RETURN)


def settled(window: MainWindow, qtbot) -> None:
    qtbot.waitUntil(lambda: not window.canvas.auto_layout.running, timeout=20_000)


def underlined(window: MainWindow) -> str:
    """The piece of the text that carries the red wave."""
    text = window.expression.text()
    for mark in window.expression.field.extraSelections():
        wave = QTextCharFormat.UnderlineStyle.WaveUnderline
        if mark.format.underlineStyle() == wave:  # type: ignore[attr-defined]
            cursor = mark.cursor  # type: ignore[attr-defined]
            return text[cursor.selectionStart() : cursor.selectionEnd()]
    return ""


def test_enter_makes_the_typed_graph_as_one_step(shared_leaf: MainWindow, qtbot):
    window = shared_leaf
    before = whole_text(window.document.sheet)
    type_formula(window, "y = tanh(w*x + b); L = y**2")
    settled(window, qtbot)
    names = set(window.document.graph.names.values())
    assert {"w", "x", "b", "y", "L"} <= names
    assert len(window.document.steps) == 1
    assert value(window.canvas, "L") != "–"
    press(window, "z", modifier=CTRL)
    assert whole_text(window.document.sheet) == before


def test_the_new_graph_is_laid_out_from_left_to_right_and_in_bands_as_text_is_in_lines(
    window: MainWindow, qtbot
):
    page = window.pages.welcome
    page.expression_entered.emit("tanh(x1*w1 + x2*w2 + b)")  # type: ignore[attr-defined]
    settled(window, qtbot)
    boxes = window.canvas.scene.boxes
    back = 0
    for source, (target, _slot) in window.document.graph.wires():
        if boxes[source].rect.right() >= boxes[target].x:  # to the next band, below
            assert boxes[source].rect.bottom() < boxes[target].y
            back += 1
    assert back <= MOST_CROSSING


def test_the_bar_follows_what_is_done_on_the_canvas(shared_leaf: MainWindow):
    window = shared_leaf
    assert window.expression.text() == "e = a*b; d = e + a; L = d*f"
    window.canvas.camera.set_zoom(0.8)
    draw_wire(window.canvas, "b", "d", 1)
    assert window.expression.text() == "e = a*b; d = e + b; L = d*f"
    press(window, "z", modifier=CTRL)
    assert window.expression.text() == "e = a*b; d = e + a; L = d*f"


@pytest.mark.parametrize(
    ("typed", "wrong"),
    [("a * (b +", ""), ("a $ b", "$"), ("foo(a)", "foo"), ("a = 1; a = 2", "a"), ("1 +* 2", "*")],
)
def test_a_wrong_text_is_underlined_with_a_sentence_and_changes_nothing(
    shared_leaf: MainWindow, typed: str, wrong: str
):
    window = shared_leaf
    before = whole_text(window.document.sheet)
    type_formula(window, typed)
    assert window.expression.error()
    assert underlined(window)
    assert wrong in underlined(window)
    assert window.expression.text() == typed
    assert whole_text(window.document.sheet) == before
    assert not window.document.steps
    key(Qt.Key.Key_Escape)
    assert window.expression.error() == ""
    assert window.expression.text() == "e = a*b; d = e + a; L = d*f"


def test_typing_on_takes_the_wave_away(shared_leaf: MainWindow):
    type_formula(shared_leaf, "a $ b")
    assert underlined(shared_leaf)
    type_into_focus("c")
    assert underlined(shared_leaf) == ""
    assert shared_leaf.expression.error() == ""


def test_leaves_keep_their_values_under_the_same_names(shared_leaf: MainWindow, qtbot):
    window = shared_leaf
    type_formula(window, "z = a*b*f")
    settled(window, qtbot)
    assert [value(window.canvas, name) for name in ("a", "b", "f")] == ["2", "−3", "−2"]
    assert value(window.canvas, "z") == "12"


def test_values_can_be_typed_with_the_formula(window: MainWindow, qtbot):
    page = window.pages.welcome
    page.expression_entered.emit("a = 2; b = -3; (a*b + a) * 4")  # type: ignore[attr-defined]
    settled(window, qtbot)
    assert value(window.canvas, "a") == "2"
    press(window, "b", Qt.Key.Key_End)
    assert grad(window.canvas, "b") == "8"


def test_keys_typed_into_the_bar_are_not_the_windows(shared_leaf: MainWindow):
    window = shared_leaf
    zoom = window.canvas.camera.zoom
    field = window.expression.field
    field.setFocus()
    field.selectAll()
    type_into_focus("b*c - f + 0")
    assert window.expression.text() == "b*c - f + 0"
    assert window.playback.phase == "live"
    assert window.canvas.camera.zoom == zoom


def test_after_enter_the_keys_run_the_typed_graph(shared_leaf: MainWindow, qtbot):
    window = shared_leaf
    type_formula(window, "y = tanh(w*x + b)")
    settled(window, qtbot)
    assert window.canvas.hasFocus()
    key(Qt.Key.Key_B)
    key(Qt.Key.Key_Right)
    assert told(window).startswith("Step 2 of 6")
    assert window.expression.text() == "y = tanh(w*x + b)"


def test_enter_on_a_text_that_is_not_changed_goes_to_the_canvas(shared_leaf: MainWindow):
    window = shared_leaf
    field = window.expression.field
    click_at(field, field.viewport().rect().center())
    key(RETURN)
    assert window.canvas.hasFocus()
    assert not window.document.steps


def test_a_refused_text_keeps_the_keyboard_to_be_mended(shared_leaf: MainWindow):
    type_formula(shared_leaf, "a $ b")
    assert shared_leaf.expression.field.hasFocus()


def test_esc_in_the_bar_gives_up_what_was_typed_and_goes_to_the_canvas(shared_leaf: MainWindow):
    window = shared_leaf
    field = window.expression.field
    click_at(field, field.viewport().rect().center())
    field.selectAll()
    type_into_focus("nonsense")
    key(Qt.Key.Key_Escape)
    assert window.expression.text() == "e = a*b; d = e + a; L = d*f"
    assert window.canvas.hasFocus()
    key(Qt.Key.Key_B)
    assert told(window).startswith("Step 1 of 7")


@pytest.mark.parametrize("onward", [Qt.Key.Key_Right, Qt.Key.Key_PageDown])
@pytest.mark.parametrize("pressed", ["button-backward", "button-forward", "step"])
def test_a_click_that_runs_takes_the_keyboard_out_of_the_bar(
    shared_leaf: MainWindow, pressed: str, onward: Qt.Key
):
    window = shared_leaf
    field = window.expression.field
    click_at(field, field.viewport().rect().center())
    button = window.strip.buttons.button("step")
    click(window.findChild(QPushButton, pressed) or button)
    begun = window.playback.cursor
    assert window.playback.phase != "live"
    key(onward)
    assert window.playback.cursor == begun + 1
    assert window.expression.text() == "e = a*b; d = e + a; L = d*f"


def test_a_click_on_a_leaf_in_the_bar_leaves_the_keys_to_the_canvas(shared_leaf: MainWindow):
    window = shared_leaf
    field = window.expression.field
    click_at(field, field.viewport().rect().center())
    chip = window.expression.chips.chip(1)
    assert chip is not None
    click(chip)
    assert window.selection.only == 1
    assert window.canvas.hasFocus()


def test_a_line_of_our_own_code_panel_can_be_typed(shared_leaf: MainWindow, qtbot):
    window = shared_leaf
    type_formula(window, "mul_1 = a*b; y = mul_1.tanh()")
    settled(window, qtbot)
    assert window.expression.text() == "mul_1 = a*b; y = mul_1.tanh()"
