"""Stories on a real X server: palette drags, wires by hand, stepping by keys."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QPushButton

from app.panels.train import TrainPage
from app.window.commands.training_actions import train
from app.window.frame.main_window import MainWindow
from app.workbench.training import nearest_sample
from tests.helpers import x11_input
from tests.helpers.answering import told
from tests.helpers.mouse import at_header, at_nothing, at_number, at_output, at_slot, node_named
from tests.helpers.reading import grad, label, labels, ledger, value
from tests.helpers.window import click, open_example, said
from tests.journeys.test_training import until

pytestmark = pytest.mark.x11

CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def empty(window: MainWindow) -> MainWindow:
    click(window.pages.welcome.empty_button)
    return window


def wire(window: MainWindow, source: str, target: str, slot: int = 0) -> None:
    view = window.canvas
    a, b = node_named(view, source), node_named(view, target)
    x11_input.drag(view.viewport(), at_output(view, a), at_slot(view, b, slot))


def test_nodes_are_dragged_out_of_the_palette_with_the_systems_drag_and_drop(empty: MainWindow):
    assert QGuiApplication.platformName() == "xcb"
    view, palette = empty.canvas, empty.palette_dock.tiles
    for k, entry in enumerate(("leaf", "leaf", "op:mul", "root")):
        end = QPoint(90 + 230 * k, 120 + 60 * k)
        x11_input.carry(palette.tile(entry), view.viewport(), end)
        number = max(empty.document.graph.nodes, default=0)
        assert number == k + 1, f"{entry} was not dropped"
        middle = view.camera.to_screen(view.scene.boxes[number].rect.center())
        assert (middle - QPointF(end)).manhattanLength() < 60
    assert [step.name for step in empty.document.steps[:4]] == [
        "Add leaf",
        "Add leaf",
        "Add mul",
        "Add root",
    ]


def test_a_tile_let_go_outside_the_canvas_adds_nothing(empty: MainWindow):
    x11_input.carry(empty.palette_dock.tiles.tile("leaf"), empty.strip, QPoint(300, 20))
    assert not empty.document.graph.nodes
    x11_input.carry(
        empty.palette_dock.tiles.tile("leaf"), empty.canvas.viewport(), QPoint(300, 200)
    )
    assert len(empty.document.graph.nodes) == 1


def test_rail_and_fly_outs_give_their_tiles_to_the_systems_drag_and_drop(empty: MainWindow):
    empty.resize(1366, 768)
    QApplication.processEvents()
    rail, view = empty.palette_dock.rail, empty.canvas.viewport()
    x11_input.carry(rail.button("leaf"), view, QPoint(300, 120))
    assert len(empty.document.graph.nodes) == 1
    x11_input.click(rail.button("activations"))
    tiles = rail.fly_out("activations")
    assert tiles.isVisible()
    x11_input.carry(tiles.tile("op:tanh"), view, QPoint(90, 300))  # where the fly-out was
    assert len(empty.document.graph.nodes) == 2
    assert not tiles.isVisible()


def test_a_graph_is_wired_valued_and_run_by_hand(empty: MainWindow):
    view, palette = empty.canvas, empty.palette_dock.tiles
    for entry, x, y in (
        ("leaf", 90, 90),
        ("leaf", 90, 300),
        ("op:mul", 400, 150),
        ("root", 700, 150),
    ):
        x11_input.carry(palette.tile(entry), view.viewport(), QPoint(x, y))
    times = 3
    wire(empty, "a", empty.document.graph.names[times], 0)
    wire(empty, "b", empty.document.graph.names[times], 1)
    wire(empty, empty.document.graph.names[times], "root")
    x11_input.double_click(view.viewport(), at_number(view, 1))
    x11_input.write(view, "7")
    x11_input.key(view, Qt.Key.Key_Return)
    assert value(view, "root") == "7"
    x11_input.key(view, Qt.Key.Key_B, Qt.Key.Key_Right, Qt.Key.Key_Right)
    assert label(view, empty.document.graph.names[times], 1) == "1 × 7 = +7"
    assert (grad(view, "a"), grad(view, "b")) == ("1", "7")


def test_wires_are_refused_unplugged_and_taken_back(window: MainWindow):
    open_example(window, "by-hand")
    view = window.canvas
    before = window.document.graph
    wire(window, "L", "e", 0)
    assert said(window).startswith("This wire would close a loop")
    assert window.document.graph == before
    x11_input.drag(view.viewport(), at_slot(view, node_named(view, "L"), 1), at_nothing(view))
    assert window.document.graph.inputs(node_named(view, "L"))[1] is None
    x11_input.key(view, Qt.Key.Key_Z, modifiers=CTRL)
    assert window.document.graph == before


def test_a_pass_is_stepped_with_the_keys_of_a_presenter(window: MainWindow):
    open_example(window, "shared-leaf")
    view = window.canvas
    x11_input.key(window, Qt.Key.Key_B)
    assert told(window).startswith("Step 1 of 7")
    x11_input.key(window, Qt.Key.Key_Right, Qt.Key.Key_PageDown)
    assert told(window).startswith("Step 3 of 7")
    x11_input.key(window, Qt.Key.Key_PageUp)
    assert told(window).startswith("Step 2 of 7")
    x11_input.key(window, Qt.Key.Key_End)
    assert ledger(view, "a") == "0 −2 +6 = 4"
    assert len(labels(view)) == 6
    x11_input.key(window, Qt.Key.Key_Home)
    assert labels(view) == {}
    x11_input.key(window, Qt.Key.Key_Right, modifiers=SHIFT)
    x11_input.key(window, Qt.Key.Key_Right, modifiers=SHIFT)
    assert told(window).startswith("Step 3 of 7")
    x11_input.key(window, Qt.Key.Key_C)
    assert "?" in labels(view).values()
    x11_input.key(window, Qt.Key.Key_Escape)  # ends Cover, and then the pass
    assert "?" not in labels(view).values()
    x11_input.key(window, Qt.Key.Key_Escape)
    assert window.playback.phase == "live"


def test_a_node_is_added_by_typing_its_name(empty: MainWindow):
    x11_input.key(empty, Qt.Key.Key_Tab)
    x11_input.write(empty, "tanh")
    x11_input.key(empty, Qt.Key.Key_Return)
    assert empty.document.graph.names == {1: "v1"}
    assert empty.canvas.hasFocus()


def test_the_bar_lets_the_keyboard_go_after_enter_esc_and_a_click_on_a_button(window: MainWindow):
    open_example(window, "shared-leaf")
    field = window.expression.field
    x11_input.click(field)
    x11_input.key(field, Qt.Key.Key_A, modifiers=CTRL)
    x11_input.write(field, "y = a*b")
    x11_input.key(field, Qt.Key.Key_Return)
    x11_input.key(window, Qt.Key.Key_B, Qt.Key.Key_Right)
    assert told(window).startswith("Step 2 of 3")
    x11_input.click(field)
    x11_input.write(field, "nonsense")
    x11_input.key(field, Qt.Key.Key_Escape)
    assert window.expression.text() == "y = a*b"
    assert window.canvas.hasFocus()
    x11_input.click(field)
    backward = window.toolbar.findChild(QPushButton, "button-backward")
    assert backward is not None
    x11_input.click(backward)
    x11_input.key(window, Qt.Key.Key_PageDown, Qt.Key.Key_Right)
    assert told(window).startswith("0.01 more of a: y falls by about ")


def epoch(window: MainWindow) -> int:
    now = window.context.descents.now
    assert now is not None
    return now.at


def train_page(window: MainWindow) -> TrainPage:
    page = window.bar.get("train")
    assert isinstance(page, TrainPage)
    return page


def test_descent_by_hand_on_a_real_screen(window: MainWindow):
    open_example(window, "two-weights-loss")
    x11_input.key(window.canvas, Qt.Key.Key_D)
    panel = train_page(window).descent
    for button in panel.steps.buttons.values():
        x11_input.click(button)
    assert epoch(window) == 1
    x11_input.click(window.strip.buttons.button("epoch"))
    assert epoch(window) == 2
    line = window.strip.loop_line
    assert line is not None
    x11_input.drag(line, QPointF(line.x_of(2), line.height() / 2), QPointF(line.x_of(0), 30))
    assert epoch(window) == 0
    assert not window.document.steps  # a run that is back at its start has done nothing


def test_a_network_is_trained_by_hand_on_a_real_screen(window: MainWindow):
    """Train, go back, choose the sample nearest the boundary, step its pass, return, and end."""
    train(window.context)
    panel = train_page(window).training
    training, run = panel.training, panel.run_part
    training.set_pace("full")
    x11_input.click(run.one)
    until(lambda: training.epochs == 1 and not training.running)
    x11_input.click(run.several)
    until(lambda: training.epochs == 11 and not training.running)
    line = run.line
    x11_input.drag(line, QPointF(line.x_of(11), line.height() / 2), QPointF(line.x_of(4), 30))
    assert training.state.epochs == 4
    x11_input.click(panel.stage.sample.nearest)
    assert panel.chosen_sample == nearest_sample(training.outputs)
    x11_input.click(panel.stage.sample.step)
    assert window.playback.phase == "backward"
    assert not panel.stage.isVisible()
    train(window.context)
    assert panel.stage.isVisible()
    x11_input.key(panel.stage, Qt.Key.Key_Escape)
    assert not panel.stage.isVisible()


def test_a_pass_by_hand_on_a_real_screen(window: MainWindow):
    """Seed by typing, fire by clicks, one click too early; then the same turn by keys."""
    open_example(window, "shared-leaf")
    view = window.canvas

    def fire(name: str) -> None:
        x11_input.click(view.viewport(), at_header(view, node_named(view, name)))

    x11_input.key(window, Qt.Key.Key_H)
    root = window.document.graph.active_root
    assert root is not None
    x11_input.click(view.viewport(), at_header(view, root))
    field = QApplication.focusWidget()
    assert field is not None
    x11_input.write(field, "1")
    x11_input.key(window, Qt.Key.Key_Return)
    assert grad(view, "L") == "1"
    fire("L")
    fire("e")
    assert window.strip.sentence.text().startswith("e can't fire yet")
    fire("d")
    x11_input.key(window, Qt.Key.Key_Backspace)
    assert grad(view, "e") == "–"
    fire("d")
    fire("e")
    assert (grad(view, "a"), grad(view, "b")) == ("4", "−4")
    assert (
        window.strip.sentence.text() == "All 3 nodes fired, in an order that works; 1 early click."
    )
