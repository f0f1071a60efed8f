"""Everything without a mouse: add, walk, wire, label, value, run, step, undo."""

from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QApplication

from app.window.frame.main_window import MainWindow
from tests.helpers.mouse import at_slot, at_wire, drop_entry, key, node_named, type_into_focus
from tests.helpers.reading import grad, in_view, label, value, written
from tests.helpers.seeing import differs, picture, ringed
from tests.helpers.window import CTRL, NONE, SHIFT, press, said

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


def test_arrows_walk_while_a_node_has_the_keyboard_and_step_otherwise(shared_leaf: MainWindow):
    window = shared_leaf
    press(window, "b", RIGHT)
    assert window.playback.cursor == 2
    press(window, DOWN)
    before = window.selection.focus
    press(window, RIGHT)
    assert window.selection.focus != before
    assert window.playback.cursor == 2
    press(window, ESCAPE, RIGHT)
    assert window.playback.cursor == 3


def test_arrows_step_in_a_pass_that_begins_while_they_walked(shared_leaf: MainWindow):
    window = shared_leaf
    press(window, "a", modifier=CTRL)
    press(window, RIGHT, RIGHT)
    assert window.playback.phase == "live"
    press(window, "b", RIGHT, RIGHT)
    assert window.playback.cursor == 3


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
        assert window.playback.cursor == expected
    press(window, RIGHT, modifier=SHIFT)
    press(window, RIGHT, modifier=SHIFT)
    assert window.playback.cursor == 3


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
    zoom = window.canvas.camera.zoom
    press(window, "+")
    assert window.canvas.camera.zoom > zoom
    press(window, "0")
    assert window.canvas.camera.zoom == 1.0
    press(window, Qt.Key.Key_Plus, modifier=CTRL)
    assert window.context.style.size > 1.0
    press(window, Qt.Key.Key_0, modifier=CTRL)
    assert window.context.style.size == 1.0


def test_the_whole_window_can_be_filled_and_esc_leads_back(shared_leaf: MainWindow):
    window = shared_leaf
    press(window, Qt.Key.Key_F11)
    assert window.isFullScreen()
    press(window, ESCAPE)
    assert not window.isFullScreen()


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


def test_passes_are_started_played_and_covered_by_their_keys(shared_leaf: MainWindow):
    window, view = shared_leaf, shared_leaf.canvas
    press(window, "b", modifier=SHIFT)
    assert "forward, step 0 of 3" in window.status_line.text()
    assert (value(view, "e"), value(view, "d")) == ("–", "–")
    press(window, RIGHT)
    assert (value(view, "e"), value(view, "d")) == ("−6", "–")
    press(window, "b", RIGHT, "c")
    assert label(view, "L", 1) == "?"
    press(window, RIGHT)
    assert label(view, "L", 1) == "1 × −4 = −4"
    press(window, "c", RETURN)
    assert window.playback.playing
    press(window, RETURN)
    assert not window.playback.playing


def test_a_whole_node_is_stepped_there_and_back_with_shift(shared_leaf: MainWindow):
    window = shared_leaf
    press(window, "b")
    steps = [window.playback.cursor]
    for keys in ((RIGHT,), (RIGHT,), (LEFT,), (Qt.Key.Key_PageDown,), (Qt.Key.Key_PageUp,)):
        press(window, *keys, modifier=SHIFT)
        steps.append(window.playback.cursor)
    assert steps[:3] == [1, 3, 5]
    assert steps[3] < steps[2]
    assert steps[4] == steps[2]
    assert steps[5] == steps[3]


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


def test_the_wire_that_w_has_begun_is_seen_and_esc_leaves_none(shared_leaf: MainWindow):
    window, view = shared_leaf, shared_leaf.canvas
    view.camera.set_zoom(0.6)
    exp = add(window, "exp")
    walk_to(window, node_named(view, "f"))
    calm = picture(view)
    before = len(window.document.steps)
    press(window, W)
    for _ in range(12):
        if f"→ {window.document.graph.title(exp)}, slot 1:" in window.status_line.text():
            break
        press(window, RIGHT)
    slot = at_slot(view, exp)
    assert differs(calm, picture(view), slot + QPointF(-12, 0))
    press(window, ESCAPE)
    assert not differs(calm, picture(view), slot + QPointF(-12, 0))
    assert len(window.document.steps) == before
    wire(window, exp, 1)
    assert value(view, window.document.graph.names[exp]) == "0.1353"
    assert window.commands["undo"].text().startswith("&Undo Connect f →")


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
