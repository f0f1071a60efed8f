"""Everything without a mouse: add, walk, wire, label, value, run, step, undo."""

from PySide6.QtCore import Qt

from app.window.main_window import MainWindow
from tests.helpers.mouse import key, type_into_focus
from tests.helpers.reading import grad, label, value
from tests.helpers.window import CTRL, SHIFT, press, said

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
    while window.document.stack.canUndo():
        press(window, "z", modifier=CTRL)
    assert window.document.empty


def test_arrows_walk_while_a_node_has_the_keyboard_and_step_otherwise(shared_leaf: MainWindow):
    window = shared_leaf
    press(window, "b", RIGHT)
    assert window.transport.count.text() == "Step 2 of 7"
    press(window, DOWN)
    before = window.selection.focus
    press(window, RIGHT)
    assert window.selection.focus != before
    assert window.transport.count.text() == "Step 2 of 7"
    press(window, ESCAPE, RIGHT)
    assert window.transport.count.text() == "Step 3 of 7"


def test_what_w_can_not_do_is_said(shared_leaf: MainWindow):
    window = shared_leaf
    window.selection.focus_on(window.document.graph.active_root)
    press(window, W)
    assert said(window) == "Choose a node first; W then starts a wire from it."


def test_the_presenters_keys_step_back_and_forth(shared_leaf: MainWindow):
    window = shared_leaf
    press(window, "b")
    for pressed, expected in (
        (Qt.Key.Key_PageDown, 2),
        (Qt.Key.Key_PageDown, 3),
        (Qt.Key.Key_PageUp, 2),
        (Qt.Key.Key_End, 7),
        (Qt.Key.Key_Home, 0),
    ):
        press(window, pressed)
        assert window.transport.count.text() == f"Step {expected} of 7"
    press(window, RIGHT, modifier=SHIFT)
    press(window, RIGHT, modifier=SHIFT)
    assert window.transport.count.text() == "Step 3 of 7"


def test_escape_lets_go_of_one_thing_after_the_other(shared_leaf: MainWindow):
    window = shared_leaf
    press(window, "b")
    window.selection.choose_all()
    press(window, W)
    press(window, ESCAPE)  # the wire
    press(window, ESCAPE)  # walking: the arrows step again
    assert window.selection.nodes
    press(window, ESCAPE)
    assert not window.selection.nodes
    assert window.playback.phase == "backward"
    press(window, ESCAPE)
    assert window.playback.phase == "live"


def test_the_size_of_everything_and_the_zoom_have_keys(shared_leaf: MainWindow):
    window = shared_leaf
    zoom = window.canvas.zoom
    press(window, "+")
    assert window.canvas.zoom > zoom
    press(window, "0")
    assert window.canvas.zoom == 1.0
    press(window, Qt.Key.Key_Plus, modifier=CTRL)
    assert window.look.size > 1.0
    press(window, Qt.Key.Key_0, modifier=CTRL)
    assert window.look.size == 1.0
