"""A graph typed as a formula, and a formula read off a graph.

A formula is changed where it stands: what was not touched stays as and where it is, and what was
typed stays in the bar as it was typed, until the graph is another one.
"""

from itertools import combinations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QTextCharFormat
from PySide6.QtWidgets import QApplication, QPushButton

from app.document.files import whole_text
from app.document.placement import MOST_CROSSING
from app.window.frame.main_window import MainWindow
from engine.formats.native import Drawing
from engine.graph import Graph, Leaf, OpNode, Root
from tests.helpers.answering import told
from tests.helpers.mouse import click as click_at
from tests.helpers.mouse import draw_wire, drop_entry, key, type_into_focus
from tests.helpers.reading import grad, value
from tests.helpers.window import CTRL, click, forget_changes, node, open_example, press, said

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


SHARED = "e = a*b; d = e + a; L = d*f"


def places(window: MainWindow, names: str) -> dict[str, tuple[float, float]]:
    boxes = window.canvas.scene.boxes
    return {name: (boxes[node(window, name)].x, boxes[node(window, name)].y) for name in names}


def test_a_tanh_put_into_the_middle_moves_nothing_else(shared_leaf: MainWindow):
    window = shared_leaf
    before, content = places(window, "abdefL"), whole_text(window.document.sheet)
    ids = dict(window.document.graph.names)
    type_formula(window, "e = a*b; d = tanh(e) + a; L = d*f")
    assert places(window, "abdefL") == before
    assert {n: window.document.graph.names[n] for n in ids} == ids
    assert value(window.canvas, "a") == "2"
    assert value(window.canvas, "L") == "≈ −2"
    press(window, "z", modifier=CTRL)
    assert whole_text(window.document.sheet) == content
    assert window.expression.text() == SHARED


def test_the_new_node_is_seen_and_stands_on_no_other(shared_leaf: MainWindow):
    window = shared_leaf
    before = set(window.document.graph.nodes)
    type_formula(window, "e = a*b; d = tanh(e) + a; L = d*f")
    (new,) = set(window.document.graph.nodes) - before
    scene = window.canvas.scene
    for other in before:
        assert not scene.boxes[new].rect.intersects(scene.boxes[other].rect)
    assert scene.boxes[node(window, "e")].x < scene.boxes[new].x < scene.boxes[node(window, "d")].x


def test_typing_what_is_shown_changes_not_a_byte(shared_leaf: MainWindow):
    window = shared_leaf
    content = whole_text(window.document.sheet)
    type_formula(window, SHARED + " ")
    assert whole_text(window.document.sheet) == content
    assert not window.document.modified
    assert not window.document.steps


def test_a_sketch_beside_the_graph_is_left_alone(shared_leaf: MainWindow):
    window = shared_leaf
    canvas = window.canvas
    canvas.camera.set_zoom(0.6)
    sketch = drop_entry(canvas, "op:exp", canvas.viewport().rect().bottomLeft() * 0.8)
    there = canvas.scene.boxes[sketch]
    type_formula(window, "L = a*f")
    assert window.document.graph.nodes.keys() >= {sketch}
    assert canvas.scene.boxes[sketch] == there
    assert window.expression.text() == "L = a*f"


def test_with_an_empty_slot_the_bar_can_only_be_read(shared_leaf: MainWindow):
    window = shared_leaf
    window.document.wires.disconnect(node(window, "d"), 1)
    assert window.expression.text() == "e = a*b; d = e + ?; L = d*f"
    content = whole_text(window.document.sheet)
    type_formula(window, "x")
    assert window.expression.text() == "e = a*b; d = e + ?; L = d*f"
    assert "Slot 2 of + (d) is empty" in window.expression.field.toolTip()
    assert whole_text(window.document.sheet) == content
    window.canvas.camera.set_zoom(0.8)
    draw_wire(window.canvas, "a", "d", 1)
    type_formula(window, "e = a*b; d = e + a + 1; L = d*f")
    assert window.expression.text() == "e = a*b; d = e + a + 1; L = d*f"


def test_a_step_of_a_pass_goes_back_to_the_start_when_the_formula_changes(shared_leaf: MainWindow):
    window = shared_leaf
    window.playback.backward()
    window.playback.step()
    type_formula(window, "e = a*b; d = e - a; L = d*f")
    assert window.playback.cursor == 0
    assert "start" in said(window)


@pytest.mark.parametrize("name", ["a", "b"])
def test_a_value_typed_in_the_formula_is_taken_and_others_stay(shared_leaf: MainWindow, name: str):
    window = shared_leaf
    type_formula(window, f"{name} = 9; {SHARED}")
    assert value(window.canvas, name) == "9"
    assert value(window.canvas, "f") == "−2"
    assert len(window.document.steps) == 1


def test_an_edit_while_loose_nodes_lie_about_makes_no_heap(window: MainWindow, qtbot):
    nodes = {
        1: Leaf(1.0, "a"),
        2: OpNode("mul", (1, 3)),
        3: Leaf(1.0, "beta"),
        4: Leaf(1.0, "w"),
        5: Leaf(1.0, "x"),
        6: OpNode("mul", (4, 5)),
        7: Leaf(1.0, "b"),
        8: OpNode("add", (6, 7)),
        9: OpNode("tanh", (8,), "y"),
        10: Root(9),
    }
    loose = {1: (0.0, 0.0), 3: (0.0, 144.0), 2: (312.0, 48.0)}
    others = {4: (0.0, 312.0), 5: (0.0, 432.0), 6: (312.0, 336.0), 7: (312.0, 480.0),
              8: (624.0, 360.0), 9: (936.0, 360.0), 10: (1152.0, 360.0)}  # fmt: skip
    window.document.start(Drawing(Graph(nodes, 10, 11), loose | others))
    window.show_work()
    layout = window.canvas.auto_layout
    type_formula(window, "y = tanh(w*x + b + w*u)")
    qtbot.waitUntil(lambda: not layout.running, timeout=20_000)
    rects = [box.rect for box in window.canvas.scene.boxes.values()]
    assert not any(one.intersects(two) for one, two in combinations(rects, 2))
    assert {n: window.document.positions[n] for n in loose} == loose


TYPED = "relu( w*x+b )"


@pytest.mark.parametrize(
    "text",
    [
        "relu(w*x + b)",
        TYPED,
        "(a*b+a) * f",
        "y = ((a))*b",
        "a=2;b=-3;y=a*b",
        "c=a+b; d=a*b; e=c+d; f=c*d; y=e+f",
        "x.tanh()",
        "1/(1+exp(-x))",
        "s = a*b; s*s",
    ],
)
@pytest.mark.parametrize("on", ["blank", "an example"])
def test_a_formula_stays_as_it_was_typed(window: MainWindow, text: str, on: str):
    if on == "blank":
        press(window, "n", modifier=CTRL)
    else:
        click(window.pages.welcome.examples.cards[0])
    type_formula(window, text)
    assert window.expression.text() == text


def test_a_formula_typed_on_the_start_page_stays_as_it_was_typed(window: MainWindow):
    field = window.pages.welcome.formula.field
    field.selectAll()
    type_into_focus(TYPED)
    key(Qt.Key.Key_Return)
    assert window.expression.text() == TYPED


def test_a_formula_pasted_on_the_canvas_stays_as_it_was_copied(window: MainWindow):
    press(window, "n", modifier=CTRL)
    QGuiApplication.clipboard().setText("c = a+b\ny = c*c")
    press(window, "v", modifier=CTRL)
    key(Qt.Key.Key_Return)
    QApplication.processEvents()
    assert window.expression.text() == "c = a+b; y = c*c"


def test_undo_and_redo_bring_each_formula_as_it_was_typed(shared_leaf: MainWindow):
    window = shared_leaf
    for text in (TYPED, "relu(w*x  - b)"):
        type_formula(window, text)
    texts = [window.expression.text()]
    for _step in range(2):
        press(window, "z", modifier=CTRL)
        texts.append(window.expression.text())
    assert texts == ["relu(w*x  - b)", TYPED, SHARED]
    press(window, "y", modifier=CTRL)
    assert window.expression.text() == TYPED


def test_an_edit_by_hand_writes_the_formula_anew_and_its_undo_brings_it_back(
    shared_leaf: MainWindow,
):
    window = shared_leaf
    type_formula(window, TYPED)
    graph = window.document.graph
    (product,) = (n for n in graph.nodes if node(window, "w") in graph.inputs(n))
    window.document.wires.connect(node(window, "b"), product, 0)
    assert window.expression.text() == "relu(b*x + b)"
    press(window, "z", modifier=CTRL)
    assert window.expression.text() == TYPED


def test_a_label_given_by_hand_is_written(shared_leaf: MainWindow):
    window = shared_leaf
    type_formula(window, TYPED)
    window.document.set_label(node(window, "w"), "k")
    assert window.expression.text() == "relu(k*x + b)"


def test_a_value_set_by_hand_changes_only_a_formula_that_gives_it(shared_leaf: MainWindow):
    window = shared_leaf
    type_formula(window, TYPED)
    window.document.set_value(node(window, "w"), 5.0)
    assert window.expression.text() == TYPED
    type_formula(window, "w=2; tanh(w*x+b)")
    window.document.set_value(node(window, "w"), 5.0)
    assert window.expression.text() == "tanh(w*x + b)"
    press(window, "z", modifier=CTRL)
    assert window.expression.text() == "w=2; tanh(w*x+b)"


def test_typing_the_same_graph_otherwise_changes_the_text_and_nothing_else(shared_leaf: MainWindow):
    window = shared_leaf
    type_formula(window, "relu(w*x + b)")
    before, count = window.document.sheet, len(window.document.steps)
    type_formula(window, TYPED)
    assert window.expression.text() == TYPED
    assert window.document.sheet is before
    assert len(window.document.steps) == count


def test_another_document_does_not_know_what_was_typed_in_this_one(window: MainWindow):
    click(window.pages.welcome.examples.cards[2])
    written = window.expression.text()
    type_formula(window, "a  *  a")
    press(window, "z", modifier=CTRL)
    forget_changes(window)
    open_example(window, "square")
    assert window.expression.text() == written
