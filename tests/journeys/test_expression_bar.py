"""A graph typed as a formula, and a formula read off a graph.

A formula is changed where it stands: what was not touched stays as and where it is, and what was
typed stays in the bar as it was typed, until the graph is another one.
"""

from itertools import combinations, product

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QTextCharFormat
from PySide6.QtWidgets import QApplication, QPushButton

from app.document.placement import MOST_CROSSING
from app.window.commands import file_actions
from app.window.frame.main_window import MainWindow
from engine.formats.native import Drawing
from engine.graph import Graph, Leaf, OpNode, Root
from tests.helpers.answering import told
from tests.helpers.mouse import click as click_at
from tests.helpers.mouse import draw_wire, key, type_into_focus
from tests.helpers.reading import grad, value
from tests.helpers.sampling import sampled
from tests.helpers.window import CTRL, click, forget_changes, node, open_example, press

RETURN = Qt.Key.Key_Return


def type_formula(window: MainWindow, text: str) -> None:
    field = window.expression.field
    click_at(field, field.viewport().rect().center())
    field.selectAll()
    type_into_focus(text)
    key(RETURN)


def settled(window: MainWindow, qtbot) -> None:
    qtbot.waitUntil(lambda: not window.canvas.auto_layout.running, timeout=60_000)


def underlined(window: MainWindow) -> str:
    """The piece of the text that carries the red wave."""
    text = window.expression.text()
    for mark in window.expression.field.extraSelections():
        wave = QTextCharFormat.UnderlineStyle.WaveUnderline
        if mark.format.underlineStyle() == wave:  # type: ignore[attr-defined]
            cursor = mark.cursor  # type: ignore[attr-defined]
            return text[cursor.selectionStart() : cursor.selectionEnd()]
    return ""


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


def test_a_refused_text_keeps_the_keyboard_and_typing_on_takes_the_wave_away(
    shared_leaf: MainWindow,
):
    type_formula(shared_leaf, "a $ b")
    assert shared_leaf.expression.field.hasFocus()
    assert underlined(shared_leaf) == "$"
    type_into_focus("c")
    assert underlined(shared_leaf) == ""
    assert shared_leaf.expression.error() == ""


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


def test_a_click_that_runs_takes_the_keyboard_out_of_the_bar(shared_leaf: MainWindow):
    window = shared_leaf
    field = window.expression.field
    ways = ("button-backward", "button-forward", "step"), (Qt.Key.Key_Right, Qt.Key.Key_PageDown)
    for pressed, onward in product(*ways):
        click_at(field, field.viewport().rect().center())
        button = window.strip.buttons.button("step")
        click(window.findChild(QPushButton, pressed) or button)
        begun = window.playback.cursor
        assert window.playback.phase != "live"
        key(onward)
        assert window.playback.cursor == begun + 1, (pressed, onward)
        assert window.expression.text() == "e = a*b; d = e + a; L = d*f"
        window.playback.leave()


def test_a_click_on_a_leaf_in_the_bar_opens_its_field(shared_leaf: MainWindow):
    window = shared_leaf
    for text, shown in (("7", "7"), ("-1,5", "−1.5")):
        chip = window.expression.chips.chip(1)
        assert chip is not None
        click(chip)
        assert window.selection.only == 1
        type_into_focus(text)
        key(RETURN)
        assert value(window.canvas, "a") == shown
        assert window.canvas.hasFocus()


def test_a_key_leads_to_the_formula_and_enter_back_to_the_canvas(shared_leaf: MainWindow):
    window = shared_leaf
    press(window, "k", modifier=CTRL)
    assert window.expression.field.hasFocus()
    type_into_focus("a*b")
    key(RETURN)
    assert window.expression.text() == "a*b"
    assert window.canvas.hasFocus()


def test_a_comma_in_a_number_is_refused_with_the_reason(shared_leaf: MainWindow):
    before = shared_leaf.document.sheet
    for text, mark in (("-1,5", "1,5"), ("tanh(2,5*a)", "2,5")):
        type_formula(shared_leaf, text)
        reason = f"a comma separates arguments; write the decimal point: {mark.replace(',', '.')}."
        assert shared_leaf.expression.error().endswith(reason), text
        assert underlined(shared_leaf) == mark
        assert shared_leaf.document.sheet is before


def test_a_line_of_our_own_code_panel_can_be_typed(shared_leaf: MainWindow, qtbot):
    window = shared_leaf
    type_formula(window, "mul_1 = a*b; y = mul_1.tanh()")
    settled(window, qtbot)
    assert window.expression.text() == "mul_1 = a*b; y = mul_1.tanh()"


SHARED = "e = a*b; d = e + a; L = d*f"


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
    qtbot.waitUntil(lambda: not layout.running, timeout=60_000)
    rects = [box.rect for box in window.canvas.scene.boxes.values()]
    assert not any(one.intersects(two) for one, two in combinations(rects, 2))
    assert {n: window.document.positions[n] for n in loose} == loose


TYPED = "relu( w*x+b )"


TEXTS = (
    "relu(w*x + b)",
    TYPED,
    "(a*b+a) * f",
    "y = ((a))*b",
    "a=2;b=-3;y=a*b",
    "c=a+b; d=a*b; e=c+d; f=c*d; y=e+f",
    "x.tanh()",
    "1/(1+exp(-x))",
    "s = a*b; s*s",
)


def test_a_formula_stays_as_it_was_typed(shared_leaf: MainWindow):
    window = shared_leaf
    for k, text in sampled(enumerate(TEXTS), 2):  # on a graph, on an example, on a blank canvas
        if k % 3:
            file_actions.open_example(window.context, "square") if k % 3 == 1 else file_actions.new(
                window.context
            )
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
