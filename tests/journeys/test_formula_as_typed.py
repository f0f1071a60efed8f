"""The formula that was typed stays in the bar as it was typed, until the graph is another one."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from app.window.frame.main_window import MainWindow
from tests.helpers.mouse import click as click_at
from tests.helpers.mouse import key, type_into_focus
from tests.helpers.window import CTRL, click, forget_changes, node, open_example, press

SHARED = "e = a*b; d = e + a; L = d*f"
TYPED = "relu( w*x+b )"


def type_formula(window: MainWindow, text: str) -> None:
    field = window.expression.field
    click_at(field, field.viewport().rect().center())
    field.selectAll()
    type_into_focus(text)
    key(Qt.Key.Key_Return)


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
