"""Quick add: a box that types at once, ranks well, wires what came from a wire, leaves no trace."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QListWidget

from app.canvas.editing.canvas_cards import QuickAdd
from app.document.document_file import whole_text
from app.window.frame.main_window import MainWindow
from tests.helpers.mouse import (
    at_nothing,
    at_output,
    at_slot,
    at_wire,
    click,
    double_click,
    drag,
    drop_entry,
    key,
    node_named,
    type_into_focus,
)
from tests.helpers.reading import value, written
from tests.helpers.window import CTRL, press, said

RETURN, ESCAPE, TAB = Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Tab


@pytest.fixture
def window(shared_leaf: MainWindow) -> MainWindow:
    """(a*b + a) * f on the canvas, with room around it."""
    shared_leaf.canvas.camera.zoom_by(0.8)
    return shared_leaf


def box(window: MainWindow) -> QuickAdd | None:
    found = window.canvas.findChild(QuickAdd)
    return found if isinstance(found, QuickAdd) and found.isVisible() else None


def field(window: MainWindow) -> QLineEdit:
    shown = box(window)
    assert shown is not None
    found = shown.findChild(QLineEdit)
    assert found is not None
    return found


def listed(window: MainWindow) -> list[str]:
    """What is seen in the list, best first."""
    shown = box(window)
    assert shown is not None
    found = shown.findChild(QListWidget)
    assert found is not None
    return [found.item(row).text() for row in range(found.count())]


def told(window: MainWindow) -> list[str]:
    """The lines of the box around its list."""
    shown = box(window)
    assert shown is not None
    return [label.text() for label in shown.findChildren(QLabel) if label.isVisible()]


def ask(window: MainWindow, text: str) -> None:
    """Type something else into the box."""
    field(window).selectAll()
    type_into_focus(text)


def test_tab_opens_the_box_and_the_first_letter_is_typed_into_it(window: MainWindow):
    press(window, TAB)
    assert field(window).hasFocus()
    press(window, "t")
    assert field(window).text() == "t"
    assert "tanh" in listed(window)
    press(window, "a", "n", "h", RETURN)
    assert box(window) is None
    assert "tanh" in "".join(written(window.canvas))
    assert window.canvas.hasFocus()


def test_times_is_found_by_its_sign_its_name_and_its_words_and_others_by_theirs(window: MainWindow):
    press(window, TAB)
    for typed, first in (
        *(("*", "mul"), ("mul", "mul"), ("times", "mul"), ("product", "mul"), ("×", "mul")),
        *(("+", "add"), ("-", "sub"), ("/", "div"), ("**", "pow"), ("tanh", "tanh")),
        *(("leaf", "leaf"), ("weight", "leaf"), ("const", "constant"), ("loss", "root")),
        *(("sigm", "sigmoid"), ("ln", "log"), ("mlp", "MLP")),
    ):
        ask(window, typed)
        assert listed(window)[0] == first, typed


def test_arrows_choose_another_entry_and_a_click_takes_one(window: MainWindow):
    press(window, TAB)
    ask(window, "sin")
    second = listed(window)[1]
    press(window, Qt.Key.Key_Down, RETURN)
    (added,) = window.selection.nodes
    assert getattr(window.document.graph.nodes[added], "op", "") == second
    press(window, TAB)
    ask(window, "cos")
    shown = box(window)
    assert shown is not None
    entries = shown.findChild(QListWidget)
    assert entries is not None
    click(entries, entries.visualItemRect(entries.item(0)).center())
    (added,) = window.selection.nodes
    assert getattr(window.document.graph.nodes[added], "op", "") == "cos"


def test_a_wire_let_go_in_the_empty_lists_what_it_can_go_into_and_plugs_it_in(window: MainWindow):
    view = window.canvas
    drag(view, at_output(view, node_named(view, "e")), at_nothing(view))
    assert "from e" in told(window)
    assert not {"leaf", "constant", "neuron", "layer", "MLP"} & set(listed(window))
    type_into_focus("neg")
    key(RETURN)
    (added,) = window.selection.nodes
    assert value(view, window.document.graph.names[added]) == "6"
    assert window.commands["undo"].text() == "&Undo Add neg"


def test_a_slot_dragged_into_the_empty_lists_what_can_feed_it_and_plugs_it_in(window: MainWindow):
    view = window.canvas
    number = drop_entry(view, "op:exp", at_nothing(view))
    name = window.document.graph.names[number]
    drag(view, at_slot(view, number), at_nothing(view))
    assert any(line.startswith("into ") for line in told(window))
    assert not {"root", "neuron", "layer", "MLP"} & set(listed(window))
    type_into_focus("leaf")
    key(RETURN)
    assert value(view, name) == "2.718"
    assert window.commands["undo"].text() == "&Undo Add leaf"


def test_a_formula_fills_the_slot_uses_the_leaves_and_leaves_the_root(window: MainWindow):
    view, roots = window.canvas, window.document.graph.roots()
    for beside in (False, True):  # a slot dragged into the empty, and that of the selected node
        number = drop_entry(view, "op:exp", at_nothing(view))
        if beside:
            press(window, TAB)
        else:
            drag(view, at_slot(view, number), at_nothing(view))
        before = window.document.graph
        type_into_focus("tanh(a*q)" if beside else "a*q + b")
        name = window.document.graph.title(number)
        nodes = 2 if beside else 3
        assert f"Enter adds this formula into {name}, slot 1: {nodes} new nodes." in told(window)
        key(RETURN)
        graph = window.document.graph
        assert len(graph.nodes) == len(before.nodes) + nodes
        assert graph.roots() == roots
        assert graph.inputs(number)[0] is not None
        labels = [graph.label(leaf) for leaf in graph.leaves]
        assert sorted(labels) == ["a", "b", "f", "q"]


def test_what_can_not_be_wired_is_not_added_beside_the_wire(window: MainWindow):
    view = window.canvas
    before = whole_text(window.document.sheet)
    drag(view, at_output(view, node_named(view, "e")), at_nothing(view))
    for typed in ("nothing_like_this", "p*q + 1", "neuron(3)"):
        ask(window, typed)
        assert listed(window) == []
        assert not any(line.startswith("Enter adds") for line in told(window))
        key(RETURN)
        assert field(window).text() == typed  # to be typed anew
    key(ESCAPE)
    assert whole_text(window.document.sheet) == before


def test_what_was_refused_before_covers_nothing_of_the_box(window: MainWindow):
    window.document.refused.emit("This wire would close a loop: e → d → e.")
    assert said(window)
    press(window, TAB)
    assert box(window) is not None
    assert said(window) == ""


def test_with_one_wire_selected_an_operation_is_inserted_into_it(window: MainWindow):
    view, graph = window.canvas, window.document.graph
    e, d = node_named(view, "e"), node_named(view, "d")
    wire = next((d, k) for k, source in enumerate(graph.inputs(d)) if source == e)
    click(view, at_wire(view, wire))
    assert window.selection.wires == {wire}
    press(window, TAB)
    assert told(window)[0] == "into the wire e → d"
    type_into_focus("sin")
    assert "Enter inserts sin into the wire e → d." in told(window)
    press(window, RETURN)
    new = window.selection.only
    assert new is not None
    after = window.document.graph
    assert (after.inputs(new), after.source(wire)) == ((e,), new)
    assert window.document.done[-1].name == "Insert sin"
    boxes = view.scene.boxes
    assert boxes[new].rect.right() < boxes[d].x
    press(window, "z", modifier=CTRL)
    assert window.document.graph == graph


def test_with_a_wire_selected_what_is_no_operation_stays_unwired(window: MainWindow):
    view, wires = window.canvas, tuple(window.document.graph.wires())
    click(view, at_wire(view, (node_named(view, "d"), 0)))
    press(window, TAB)
    type_into_focus("q")
    press(window, RETURN)
    assert tuple(window.document.graph.wires()) == wires
    node_named(view, "q")


@pytest.mark.parametrize(("text", "number"), [("w=2", "2"), ("w = -0.5", "−0.5")])
def test_a_name_with_a_number_adds_a_leaf_with_that_value(window: MainWindow, text, number):
    roots = window.document.graph.roots()
    double_click(window.canvas, at_nothing(window.canvas))
    type_into_focus(text)
    assert listed(window) == [f"w = {number}"]
    press(window, RETURN)
    assert value(window.canvas, "w") == number
    assert window.document.graph.roots() == roots
