"""Without a mouse or a screen: build, run and answer by keys, and what a screen reader says."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QApplication, QWidget

from app.canvas import accessibility as accessible
from app.panels.strip import strip_panel as panel
from app.panels.strip.sentence import BlankField
from app.window.frame.main_window import MainWindow
from tests.helpers.mouse import (
    at_output,
    at_slot,
    at_wire,
    drag,
    drop_entry,
    key,
    node_named,
    type_into_focus,
)
from tests.helpers.reading import grad, in_view, label, value, written
from tests.helpers.seeing import ringed
from tests.helpers.window import CTRL, NONE, SHIFT, node, press, said

TAB, RETURN, ESCAPE, W = Qt.Key.Key_Tab, Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_W
LEFT, RIGHT, UP, DOWN = Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down


def add(window: MainWindow, name: str) -> int:
    press(window, TAB)
    type_into_focus(name)
    key(RETURN)
    only = window.selection.only
    assert only is not None
    return only


def wire(window: MainWindow, target: int, slot: int) -> None:
    """W, then arrows until the status line names the slot, then Enter."""
    title = window.document.graph.title(target)
    press(window, W)
    for _ in range(12):
        if f"→ {title}, slot {slot}:" in window.status_line.text():
            break
        press(window, DOWN)
    press(window, RETURN)


def walk_to(window: MainWindow, node: int) -> None:
    """Up and down through the sheet until the keyboard is on a node."""
    for way in (UP,) * 4 + (DOWN,) * 8:
        if window.selection.focus == node:
            return
        press(window, way)
    window.selection.focus_on(node)


def test_a_graph_is_made_run_and_taken_back_without_a_mouse(window: MainWindow):
    press(window, TAB)  # from the start page
    key(ESCAPE)
    window.show_work()
    x = add(window, "leaf")
    square = add(window, "square")
    root = add(window, "root")
    walk_to(window, x)
    wire(window, square, 1)
    walk_to(window, square)
    wire(window, root, 1)
    press(window, Qt.Key.Key_F2)
    type_into_focus("y")
    key(RETURN)
    walk_to(window, x)
    press(window, LEFT, RETURN)
    type_into_focus("5")
    key(RETURN)
    view = window.canvas
    assert value(view, "y") == "25"
    press(window, ESCAPE, "b", Qt.Key.Key_PageDown)
    assert label(view, "y") == "1 × 10 = +10"
    assert grad(view, "a") == "10"
    while window.document.done:
        press(window, "z", modifier=CTRL)
    assert window.document.empty


def test_arrows_step_in_a_pass_that_begins_while_they_walked(shared_leaf: MainWindow):
    window = shared_leaf
    press(window, "a", modifier=CTRL)
    press(window, RIGHT, RIGHT)
    assert window.playback.phase == "live"
    press(window, "b", RIGHT, RIGHT)
    assert window.playback.cursor == 3


def test_everything_grows_to_twice_its_size_and_no_further(shared_leaf: MainWindow):
    window = shared_leaf
    small = window.strip.note.font().pixelSize()
    header = (
        window.canvas.scene.boxes[node_named(window.canvas, "a")].w * window.canvas.camera.scale
    )
    for _ in range(6):
        press(window, Qt.Key.Key_Plus, modifier=CTRL)
    assert said(window) == "Sheet and step sentence: 200 %, buttons and panels: 141 %"
    assert window.strip.note.font().pixelSize() == round(2**0.5 * small)
    press(window, "0")
    box = window.canvas.scene.boxes[node_named(window.canvas, "a")]
    assert box.w * window.canvas.camera.scale > header
    press(window, Qt.Key.Key_Minus, modifier=CTRL)
    assert said(window) == "Sheet and step sentence: 175 %, buttons and panels: 132 %"


def test_where_the_keyboard_is_can_always_be_seen(shared_leaf: MainWindow):
    window, view = shared_leaf, shared_leaf.canvas
    window.bar.open("history")
    QApplication.processEvents()
    view.camera.set_zoom(2.0)
    seen = []
    for way in (DOWN, RIGHT, RIGHT, LEFT, UP, DOWN):
        press(window, way)
        only = window.selection.only
        assert only is not None
        assert in_view(view, only)
        assert ringed(view) == {window.document.graph.names[only]}
        seen += ringed(view)
    assert seen[0] == "a"
    assert len(set(seen)) >= 3


def test_delete_and_join_are_keys(shared_leaf: MainWindow):
    window, view = shared_leaf, shared_leaf.canvas
    for pressed, held_down in ((Qt.Key.Key_Delete, CTRL), (Qt.Key.Key_Backspace, NONE)):
        number = drop_entry(view, "op:neg", at_wire(view, (node_named(view, "L"), 0)))
        assert value(view, "L") == "−8"
        press(window, pressed, modifier=held_down)
        assert number not in window.document.graph.nodes
        assert value(view, "L") == "8"
        assert window.commands["undo"].text().endswith("and join")
    walk_to(window, node_named(view, "b"))
    press(window, Qt.Key.Key_Delete)
    assert "b" not in written(view)
    assert (value(view, "e"), value(view, "L")) == ("–", "–")
    assert window.commands["undo"].text() == "&Undo Delete b"
    press(window, "z", modifier=CTRL)
    assert value(view, "L") == "8"


ENTER, PAGE_DOWN = Qt.Key.Key_Return, Qt.Key.Key_PageDown


@pytest.fixture
def asked(shared_leaf: MainWindow) -> MainWindow:
    """The window at step 6, its two blanks empty, the caret in the first."""
    ask(shared_leaf)
    return shared_leaf


def ask(window: MainWindow) -> None:
    window.context.modes.choose("contribution and sum", "every")
    press(window, "p", PAGE_DOWN, PAGE_DOWN, PAGE_DOWN, PAGE_DOWN)


def focused() -> QWidget | None:
    return QApplication.focusWidget()


def blank() -> str:
    """The name of the blank that has the caret."""
    field = focused()
    assert isinstance(field, BlankField)
    return field.accessibleName()


def described(window: MainWindow) -> list[str]:
    return [field.accessibleDescription() for field in window.strip.sentence.fields]


def test_the_sentence_is_one_group_that_names_its_blanks(asked: MainWindow):
    assert asked.strip.sentence.accessibleName() == (
        "× (e) passes blank 1 of 2, contribution of × (e) → a, empty to a;"
        " a.grad is now blank 2 of 2, sum after × (e) → a, empty."
    )
    assert blank() == "contribution of × (e) → a"
    assert described(asked) == ["", ""]


def test_a_wrong_answer_is_said_once_and_the_caret_stands_in_the_first_wrong_blank(
    asked: MainWindow, monkeypatch: pytest.MonkeyPatch
):
    heard: list[str] = []
    event = panel.QAccessibleAnnouncementEvent

    def announce(widget: QWidget, text: str):
        heard.append(text)
        return event(widget, text)

    monkeypatch.setattr(panel, "QAccessibleAnnouncementEvent", announce)
    QAccessible.setActive(True)
    press(asked, "6", ENTER, "5", ENTER)
    QAccessible.setActive(False)
    (text,) = heard
    assert text == asked.strip.answer.text()
    assert text.startswith("✘ 5 ")
    assert blank() == "sum after × (e) → a"
    assert described(asked) == ["5 was wrong"]


def test_a_text_that_is_no_number_keeps_the_caret_and_alone_is_said_to_be_refused(
    asked: MainWindow,
):
    press(asked, "3a", ENTER, "4", ENTER)
    assert asked.strip.answer.text().startswith("Can't read 3a.")
    assert blank() == "contribution of × (e) → a"
    first, second = described(asked)
    assert first == asked.strip.answer.text()
    assert second == ""


def test_title_and_status_say_what_is_asked(asked: MainWindow):
    assert asked.windowTitle().startswith("Shared leaf[*], Ask me ")
    assert asked.top_line.name.text() == "Shared leaf, Ask me"
    assert "Ask me: contribution and sum, every step" in asked.status_line.text()
    asked.context.modes.choose("final gradients", "every")
    assert asked.status_line.text().endswith("Ask me: final gradients")
    asked.context.modes.choose("sum", "last")
    assert asked.status_line.text().endswith("Ask me: sum, last step")
    asked.context.modes.leave()
    assert asked.windowTitle().startswith("Shared leaf[*] ")


def test_a_presentation_says_why_a_node_can_not_fire_yet(shared_leaf: MainWindow):
    window = shared_leaf
    window.toggle_presentation()
    press(window, "h")
    hand = window.context.modes.by_hand
    hand.set_seed(1.0)
    hand.click(node(window, "e"))
    assert window.strip.sentence.text() == "e can't fire yet: it waits for 1 of 1."
    assert window.strip.answer.isVisible()
    assert window.strip.answer.text().startswith("✘ The wire from + (d) has brought nothing yet")


NAME = QAccessible.Text.Name
NEXT, END = Qt.Key.Key_Right, Qt.Key.Key_End


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


def focused_name(window: MainWindow) -> str:
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
    assert focused_name(window).startswith("a, leaf")
    press(window, NEXT)
    assert focused_name(window).split(",")[0] in ("e", "d")
    only = window.selection.only
    assert only is not None
    parts = [whole(window).child(k) for k in range(whole(window).childCount())]
    parts = [part for part in parts if part.text(NAME)]
    told = [part.text(NAME) for part in parts if part.state().focused]
    assert told == [focused_name(window)]
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
    assert "group Inputs, 2 nodes" in names(window)
