"""Building node by node: each node goes where it is wanted, and few gestures are needed."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QApplication

from app.canvas.editing.canvas_cards import QuickAdd
from app.window.frame.main_window import MainWindow
from engine.formats.expression import write
from engine.graph import Constant, Leaf, Root
from tests.helpers.mouse import (
    at_nothing,
    drop_entry,
    key,
    move,
    node_named,
    release,
    type_into_focus,
)
from tests.helpers.mouse import press as press_button
from tests.helpers.reading import in_view, value
from tests.helpers.sampling import sampled
from tests.helpers.window import CTRL, SHIFT, click, opened_window, press

TAB, RETURN, ESCAPE = Qt.Key.Key_Tab, Qt.Key.Key_Return, Qt.Key.Key_Escape
AT_MOST_BY_KEYS, AT_MOST_BY_MOUSE = 14, 10


@dataclass
class Hands:
    """All that a hand does in a test, counted: chords, words with their Enter, clicks."""

    window: MainWindow
    gestures: int = 0

    def chord(self, pressed: Qt.Key | str, modifier=Qt.KeyboardModifier.NoModifier) -> None:
        self.gestures += 1
        press(self.window, pressed, modifier=modifier)

    def word(self, text: str) -> None:
        assert text.isidentifier(), "one word, no formula"
        self.gestures += 1
        type_into_focus(text)
        key(RETURN)

    def click_tile(self, entry: str) -> None:
        self.gestures += 1
        click(self.window.palette_dock.tiles.tile(entry))


def begin(window: MainWindow) -> None:
    click(window.pages.welcome.empty_button)  # type: ignore[attr-defined]
    window.canvas.setFocus()


@pytest.fixture
def empty(qtbot) -> Iterator[MainWindow]:
    """The window with an empty sheet."""
    with opened_window(qtbot, prepare=begin) as window:
        yield window


@pytest.fixture
def hands(empty: MainWindow) -> Hands:
    return Hands(empty)


def is_the_neuron(window: MainWindow) -> bool:
    return write(window.document.graph, values=False).strip() == "relu(w*x + b)"


def boxes_are_apart(window: MainWindow) -> bool:
    rects = [box.rect for box in window.canvas.scene.boxes.values()]
    return not any(a.intersects(b) for k, a in enumerate(rects) for b in rects[:k])


def quick_add(window: MainWindow) -> QuickAdd:
    return next(box for box in window.canvas.findChildren(QuickAdd) if box.isVisible())


def add(window: MainWindow, text: str, modifier=Qt.KeyboardModifier.NoModifier) -> int:
    """Add by Tab and a text; returns the new node."""
    number = window.document.graph.next_id
    press(window, TAB)
    type_into_focus(text)
    key(RETURN, modifier)
    assert number in window.document.graph.nodes
    return number


def box_of(window: MainWindow, node: int):
    return window.canvas.scene.boxes[node].rect


# the counting test


def test_a_neuron_is_built_by_keys_in_at_most_14_gestures(hands: Hands):
    for word in ("w", "mul", "x", "add", "b", "relu", "root"):
        hands.chord(TAB)
        hands.word(word)
    assert is_the_neuron(hands.window)
    assert hands.gestures <= AT_MOST_BY_KEYS
    assert boxes_are_apart(hands.window)
    assert all(in_view(hands.window.canvas, n) for n in hands.window.document.graph.nodes)


def test_a_neuron_is_built_by_mouse_in_at_most_10_gestures(hands: Hands):
    hands.click_tile("leaf")
    hands.word("w")
    hands.click_tile("op:mul")
    hands.click_tile("leaf")
    hands.word("x")
    hands.click_tile("op:add")
    hands.click_tile("leaf")
    hands.word("b")
    hands.click_tile("op:relu")
    hands.click_tile("root")
    assert is_the_neuron(hands.window)
    assert hands.gestures <= AT_MOST_BY_MOUSE
    assert boxes_are_apart(hands.window)
    assert all(in_view(hands.window.canvas, n) for n in hands.window.document.graph.nodes)


def test_on_a_laptop_it_takes_no_more_since_one_drag_chooses_from_a_fly_out(hands: Hands):
    window = hands.window
    window.resize(1366, 768)
    QApplication.processEvents()

    def tile(entry: str) -> None:
        hands.gestures += 1
        click(window.palette_dock.rail.button(entry))

    words = {"leaf": iter("wxb")}
    for entry in ("leaf", "op:mul", "leaf", "op:add", "leaf"):
        tile(entry)
        if entry in words:
            hands.word(next(words[entry]))
    family = window.palette_dock.rail.button("activations")
    hands.gestures += 1
    press_button(family, QPoint(20, 20))
    move(family, QPoint(70, 20))
    relu = window.palette_dock.rail.fly_out("activations").tile("op:relu")
    at = family.mapFromGlobal(relu.mapToGlobal(relu.rect().center()))
    move(family, at)
    release(family, at)
    tile("root")
    assert is_the_neuron(window)
    assert hands.gestures <= AT_MOST_BY_MOUSE
    assert all(in_view(window.canvas, n) for n in window.document.graph.nodes)


# where a node goes


def test_an_op_stands_right_of_the_selected_node_and_is_fed_by_it(empty: MainWindow):
    w = add(empty, "w")
    tanh = add(empty, "tanh")
    assert empty.document.graph.inputs(tanh) == (w,)
    assert empty.selection.only == tanh
    assert box_of(empty, tanh).left() > box_of(empty, w).right()
    assert abs(box_of(empty, tanh).top() - box_of(empty, w).top()) < 2
    assert empty.commands["undo"].text() == "&Undo Add tanh"


def test_shift_enter_adds_it_there_without_a_wire(empty: MainWindow):
    w = add(empty, "w")
    tanh = add(empty, "tanh", SHIFT)
    assert empty.document.graph.inputs(tanh) == (None,)
    assert box_of(empty, tanh).left() > box_of(empty, w).right()


@pytest.mark.parametrize(
    ("typed", "kind"), sampled([("x", Leaf), ("leaf", Leaf), ("2.5", Constant)], 2)
)
def test_a_number_goes_into_the_free_slot_on_the_left_and_the_selection_stays(
    empty: MainWindow, typed: str, kind: type
):
    add(empty, "w")
    times = add(empty, "mul")
    number = add(empty, typed)
    assert isinstance(empty.document.graph.nodes[number], kind)
    assert empty.document.graph.inputs(times)[1] == number
    assert empty.selection.only == times
    assert box_of(empty, number).right() < box_of(empty, times).left()
    assert boxes_are_apart(empty)


def test_a_leaf_beside_a_node_without_a_free_slot_stands_right_of_it(empty: MainWindow):
    w = add(empty, "w")
    x = add(empty, "x")
    assert box_of(empty, x).left() > box_of(empty, w).right()
    assert empty.selection.only == x


def test_an_op_goes_before_a_root_that_waits_for_one(empty: MainWindow):
    root = add(empty, "root")
    tanh = add(empty, "tanh")
    assert empty.document.graph.inputs(root) == (tanh,)
    assert empty.selection.only == tanh
    assert isinstance(empty.document.graph.nodes[root], Root)


@pytest.mark.parametrize("at", sampled([QPoint(300, 200), QPoint(5, 5), QPoint(700, 500)], 3))
def test_nodes_never_pile_up_wherever_the_pointer_rests(empty: MainWindow, at: QPoint):
    for _ in range(3):
        empty.selection.clear()
        empty.canvas.hover.set_menu_point(QPointF(at))
        add(empty, "leaf")
        empty.canvas.hover.set_menu_point(None)
    for word in ("mul", "leaf", "tanh", "add"):
        add(empty, word)
    assert boxes_are_apart(empty)


def test_each_new_node_is_in_view_however_long_the_chain(empty: MainWindow):
    add(empty, "x")
    for _ in range(9):
        assert in_view(empty.canvas, add(empty, "tanh"))


def test_what_the_menu_of_the_canvas_adds_stands_where_it_was_opened(empty: MainWindow):
    add(empty, "w")
    at = QPointF(at_nothing(empty.canvas))
    empty.canvas.hover.set_menu_point(at)
    tanh = add(empty, "tanh")
    assert empty.document.graph.inputs(tanh) == (None,)
    assert (box_of(empty, tanh).center() - empty.canvas.camera.to_sheet(at)).manhattanLength() < 60


# what quick add says


def test_a_symbol_offers_the_leaf_first_though_operations_match(empty: MainWindow):
    for name in ("w", "e", "x_2"):
        press(empty, TAB)
        type_into_focus(name)
        assert quick_add(empty).entries[0] == f"leaf:{name}"
        key(ESCAPE)


def test_a_name_within_the_name_of_an_operation_is_offered_last(empty: MainWindow):
    press(empty, TAB)
    type_into_focus("sig")
    assert quick_add(empty).entries[0] == "op:sign"
    key(Qt.Key.Key_Up)
    key(RETURN)
    assert node_named(empty.canvas, "sig")


def test_it_says_what_enter_will_do(empty: MainWindow):
    def says(text: str) -> str:
        press(empty, TAB)
        type_into_focus(text)
        said = " ".join(quick_add(empty).visible_lines())
        key(ESCAPE)
        return said

    assert "Enter adds leaf w." in says("w")
    add(empty, "w")
    assert "Enter adds mul, wired from w." in says("mul")
    times = add(empty, "mul")
    name = empty.document.graph.title(times)
    assert f"Enter adds leaf x into {name}, slot 2." in says("x")
    says_formula = f"Enter adds this formula into {name}, slot 2: 5 new nodes."
    assert says_formula in says("p*q + 1")


def test_a_block_is_told_with_its_size_and_a_picture(empty: MainWindow):
    press(empty, TAB)
    type_into_focus("mlp(2, 4, 1)")
    assert "network, 49 nodes" in " ".join(quick_add(empty).visible_lines())
    assert quick_add(empty).shows_drawing
    key(RETURN)
    assert len(empty.document.graph.nodes) == 49


# named at once


def test_a_leaf_added_by_mouse_is_named_by_typing(empty: MainWindow):
    click(empty.palette_dock.tiles.tile("leaf"))
    type_into_focus("speed")
    key(RETURN)
    assert value(empty.canvas, "speed") == "1"
    assert empty.canvas.hasFocus()
    drop_entry(empty.canvas, "leaf", QPoint(500, 80))
    type_into_focus("time")
    key(RETURN)
    assert value(empty.canvas, "time") == "1"


def test_keys_that_name_nothing_act_on_the_sheet_though_a_name_is_asked_for(empty: MainWindow):
    click(empty.palette_dock.tiles.tile("leaf"))
    press(empty, "z", modifier=CTRL)
    assert not empty.document.graph.nodes
    click(empty.palette_dock.tiles.tile("leaf"))
    press(empty, TAB)
    assert quick_add(empty).isVisible()
    key(ESCAPE)
    press(empty, Qt.Key.Key_Delete)
    assert not empty.document.graph.nodes


def test_a_leaf_that_is_not_named_keeps_its_letter(empty: MainWindow):
    click(empty.palette_dock.tiles.tile("leaf"))
    click(empty.palette_dock.tiles.tile("op:mul"))
    click(empty.palette_dock.tiles.tile("leaf"))
    click(empty.palette_dock.tiles.tile("root"))
    assert write(empty.document.graph, values=False).strip() == "a*b"
