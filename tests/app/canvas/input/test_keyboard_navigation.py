"""Everything on the canvas without a mouse."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

from engine.asking.question import Task
from engine.graph import Graph, Leaf, OpNode, Root
from tests.helpers.canvas import CanvasFixture
from tests.helpers.graphs import chain, count_looks
from tests.helpers.mouse import SHIFT, at_header, click, key, type_into_focus

LEFT, RIGHT, UP, DOWN = Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down
RETURN, ESCAPE, TAB, W = Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Tab, Qt.Key.Key_W
NODES = {
    1: Leaf(2.0, "a"),
    2: Leaf(3.0, "b"),
    3: OpNode("mul", (1, None), "c"),
    4: OpNode("tanh", (3,), "d"),
    5: Root(None),
}
PLACES = {1: (0.0, 0.0), 2: (0.0, 192.0), 3: (360.0, 48.0), 4: (720.0, 48.0), 5: (1080.0, 48.0)}


@pytest.fixture
def sheet(canvas: CanvasFixture) -> CanvasFixture:
    canvas.show(Graph(NODES, 5, 6), PLACES)
    click(canvas.view, at_header(canvas.view, 1))
    return canvas


def focus(sheet: CanvasFixture) -> str:
    node = sheet.selection.focus
    assert node is not None
    return sheet.graph.title(node)


def claims(sheet: CanvasFixture, pressed: Qt.Key) -> bool:
    """Whether the canvas wants a key before any shortcut of the window gets it."""
    event = QKeyEvent(QKeyEvent.Type.ShortcutOverride, pressed, Qt.KeyboardModifier.NoModifier)
    event.ignore()
    QApplication.sendEvent(sheet.view, event)
    return event.isAccepted()


@pytest.mark.parametrize(
    ("pressed", "focused"),
    [([RIGHT], "c"), ([RIGHT, RIGHT], "d"), ([RIGHT, LEFT], "a"), ([DOWN], "b"), ([LEFT], "a")],
)
def test_arrows_walk_along_wires_and_to_neighbours_and_it_is_seen(
    sheet: CanvasFixture, pressed, focused
):
    before = sheet.view.grab().toImage()
    for arrow in pressed:
        key(arrow)
    assert focus(sheet) == focused
    assert sheet.view.grab().toImage() != before


def test_a_node_out_of_view_comes_into_it(sheet: CanvasFixture):
    sheet.document.move({4: (4000.0, 48.0)})
    key(RIGHT)
    key(RIGHT)
    assert focus(sheet) == "d"
    assert sheet.view.camera.visible_area.contains(sheet.scene.boxes[4].rect)


def test_arrows_are_the_windows_unless_the_keyboard_walks(sheet: CanvasFixture):
    key(RIGHT)
    assert claims(sheet, RIGHT)
    key(ESCAPE)
    sheet.selection.clear()
    assert not claims(sheet, RIGHT)
    sheet.document.wires.connect(2, 3, 1)
    sheet.document.wires.connect(4, 5, 0)
    sheet.playback.backward()
    assert not claims(sheet, RIGHT)
    key(DOWN)
    assert claims(sheet, RIGHT)


def test_w_starts_a_wire_arrows_choose_and_enter_plugs(sheet: CanvasFixture):
    key(DOWN)
    key(W)
    assert sheet.hint.startswith("b → c, slot 2: Enter plugs")
    key(RETURN)
    assert sheet.graph.inputs(3) == (1, 2)
    assert sheet.document.done[-1].name == "Connect b → c"
    assert len(sheet.document.steps) == 1
    assert sheet.hint == ""


def test_arrows_offer_every_slot_that_would_take_it_and_no_other(sheet: CanvasFixture):
    sheet.selection.focus_on(3)
    key(W)
    offered = set()
    for _ in range(6):
        offered.add(sheet.hint.split(":")[0])
        key(DOWN)
    assert offered == {"c → d, slot 1", "c → root, slot 1"}


def test_the_wire_that_enter_would_plug_is_drawn(sheet: CanvasFixture):
    before = sheet.view.grab().toImage()
    key(W)
    shown = sheet.view.grab().toImage()
    assert shown != before
    key(DOWN)
    assert sheet.view.grab().toImage() != shown


@pytest.mark.parametrize("end", ["Esc", "a click"])
def test_esc_or_the_mouse_ends_the_wire(sheet: CanvasFixture, end):
    before = sheet.bytes()
    key(W)
    if end == "Esc":
        key(ESCAPE)
    else:
        click(sheet.view, at_header(sheet.view, 2))
    key(RETURN)
    assert sheet.graph.inputs(3) == (1, None)
    assert sheet.bytes() == before


def test_w_says_why_no_wire_starts(sheet: CanvasFixture):
    for node in (5, None):
        sheet.selection.focus_on(node)
        key(W)
        assert sheet.said[-1] == "Choose a node first; W then starts a wire from it."
    sheet.show(Graph({1: Leaf()}, None, 2), {1: (0.0, 0.0)})
    sheet.selection.focus_on(1)
    key(W)
    assert sheet.said[-1] == "There is no slot that this node could be plugged into."


def test_w_offers_no_slot_where_the_wiring_is_locked(sheet: CanvasFixture):
    sheet.document.set_task(Task(locked=True))
    key(W)
    assert sheet.said[-1] == "There is no slot that this node could be plugged into."


def test_w_looks_at_each_node_a_few_times_and_not_from_each_slot(
    sheet: CanvasFixture, monkeypatch: pytest.MonkeyPatch
):
    sheet.show(chain(many := 150))
    sheet.selection.focus_on(many // 2)
    looked = count_looks(monkeypatch)
    key(W)
    assert "Enter plugs" in sheet.hint
    assert 0 < len(looked) < 10 * many


def test_nodes_that_go_away_take_the_wire_with_them(sheet: CanvasFixture):
    key(W)
    sheet.document.remove([2, 3, 4, 5])
    sheet.view.grab()
    key(RETURN)
    assert set(sheet.graph.nodes) == {1}


def wire_by_keys(canvas: CanvasFixture, source: int, target: int) -> None:
    """Plug the node with the keyboard into the first empty slot of another."""
    graph = canvas.graph
    slot = graph.inputs(target).index(None) + 1
    key(W)
    for _ in range(8):
        if canvas.hint.startswith(f"{graph.title(source)} → {graph.title(target)}, slot {slot}:"):
            break
        key(DOWN)
    key(RETURN)


def test_a_graph_is_built_wired_labelled_and_valued_by_keys_alone(canvas: CanvasFixture):
    for typed in ("leaf", "leaf", "*", "root"):
        key(TAB)
        type_into_focus(typed)
        key(RETURN, SHIFT)  # without a wire
    a, b, times, root = sorted(canvas.graph.nodes)
    for source, target in ((a, times), (b, times), (times, root)):
        canvas.selection.focus_on(source)
        wire_by_keys(canvas, source, target)
    assert canvas.graph.inputs(times) == (a, b)
    assert canvas.graph.root == times
    canvas.selection.focus_on(times)
    canvas.view.editing.label()
    type_into_focus("y")
    key(RETURN)
    key(LEFT)
    changed = canvas.selection.focus
    other = a if changed == b else b
    key(RETURN)
    type_into_focus("7")
    key(RETURN)
    assert canvas.scene.node(times).value.text == "7"
    canvas.playback.backward()
    canvas.playback.to_end()
    grad = canvas.scene.node(other).grad
    assert grad is not None
    assert grad.text == "7"
