"""Several roots, no root, constants, no path, kinks, and numbers that are none."""

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QApplication

from app.canvas.appearance.looks import NumberLook
from app.window.commands.file_actions import open_now
from app.window.commands.save_actions import save_now
from app.window.frame.main_window import MainWindow
from engine import from_expression
from engine.formats.native import Drawing
from engine.graph import Constant, Graph, Leaf, OpNode, Root
from tests.helpers.answering import acts
from tests.helpers.answering import button as strip_button
from tests.helpers.answering import told as strip_says
from tests.helpers.mouse import at_header, drop_entry, key, node_named
from tests.helpers.mouse import click as click_at
from tests.helpers.reading import grad, label, labels, look_of, value, written
from tests.helpers.window import click, inspector, press, said


def open_graph(window: MainWindow, graph: Graph, places=None) -> None:
    window.document.start(Drawing(graph, places or {}))
    window.canvas.auto_layout.cancel()
    window.show_work()
    window.canvas.framing.fit_all()


def open_text(window: MainWindow, text: str, **values: float) -> None:
    open_graph(window, from_expression(text, values))


# roots


@pytest.fixture
def two_roots(window: MainWindow) -> MainWindow:
    nodes = {
        1: Leaf(3.0, "x"),
        2: OpNode("square", (1,), "y"),
        3: OpNode("neg", (1,), "z"),
        4: Root(2),
        5: Root(3),
    }
    places = {
        1: (0.0, 96.0),
        2: (312.0, 0.0),
        3: (312.0, 192.0),
        4: (624.0, 0.0),
        5: (624.0, 192.0),
    }
    open_graph(window, Graph(nodes, 4, 6), places)
    return window


def test_one_of_several_roots_is_active_and_another_can_be_made_so(two_roots: MainWindow):
    window = two_roots
    view = window.canvas
    press(window, "b", Qt.Key.Key_End)
    assert grad(view, "x") == "6"
    assert grad(view, "z") == "–"
    window.canvas.framing.fit_all()
    click_at(view, at_header(view, 5))
    window.commands["activate_root"].trigger()
    assert said(window) == "The root changed: the pass is back at its start."
    press(window, Qt.Key.Key_End)
    assert grad(view, "x") == "−1"
    assert window.document.done[-1].name == "Choose root"
    window.document.undo()
    press(window, "b", Qt.Key.Key_End)
    assert grad(view, "x") == "6"


def test_the_wire_of_a_root_never_carries_a_contribution(two_roots: MainWindow):
    press(two_roots, "b", Qt.Key.Key_End)
    assert (4, 0) not in labels(two_roots.canvas)
    assert (5, 0) not in labels(two_roots.canvas)


# constants and paths


def test_a_constant_has_no_gradient_and_its_wire_no_label(window: MainWindow):
    open_text(window, "y = x * 3", x=2.0)
    press(window, "b", Qt.Key.Key_End)
    view = window.canvas
    assert grad(view, "x") == "3"
    nodes = window.document.graph.nodes.items()
    constant = next(n for n, found in nodes if isinstance(found, Constant))
    assert view.scene.node(constant).grad is None
    assert len(labels(view)) == 1


def test_a_leaf_without_a_path_shows_the_sign_for_it(window: MainWindow):
    open_text(window, "y = x * 3", x=2.0)
    window.canvas.camera.set_zoom(0.8)
    alone = drop_entry(window.canvas, "leaf", window.canvas.viewport().rect().center() / 4)
    key(Qt.Key.Key_Return)  # it keeps its name
    press(window, "b", Qt.Key.Key_End)
    name = window.document.graph.names[alone]
    assert grad(window.canvas, name) == "∅"
    assert "no path" in written(window.canvas)
    press(window, Qt.Key.Key_Home)
    assert grad(window.canvas, "x") == "–"


def test_a_computed_zero_is_a_zero(window: MainWindow):
    open_text(window, "y = relu(x)", x=-2.0)
    press(window, "b", Qt.Key.Key_End)
    assert grad(window.canvas, "x") == "0"
    assert label(window.canvas, "y") == "1 × 0 = 0"


# kinks and what is not finite


@pytest.mark.parametrize(
    ("formula", "at", "slope"),
    [("relu(x)", 0.0, "0"), ("abs(x)", 0.0, "0"), ("leaky_relu(x)", 0.0, "0.01")],
)
def test_a_kink_says_which_convention_was_used(
    window: MainWindow, formula: str, at: float, slope: str
):
    open_text(window, f"y = {formula}", x=at)
    press(window, "b", Qt.Key.Key_Right)
    assert look_of(window.canvas, "y").numbers[2:] == (
        NumberLook(slope, "local", by_convention=True),
    )
    assert "convention" in strip_says(window)


def test_the_first_bad_node_is_named(window: MainWindow):
    open_text(window, "q = a / b; L = q * a", a=0.0, b=0.0)
    view = window.canvas
    assert value(view, "q") == "nan"
    assert value(view, "L") == "nan"
    press(window, "b")
    told: list[str] = []
    while "step" in acts(window):
        press(window, Qt.Key.Key_Right)
        told.append(window.strip.sentence.text())
    assert any("÷ (q) is the first bad node" in sentence for sentence in told), told


def test_infinity_is_shown_and_travels(window: MainWindow):
    open_text(window, "y = exp(x)", x=1000.0)
    view = window.canvas
    assert value(view, "y") == "inf"
    press(window, "b", Qt.Key.Key_End)
    assert grad(view, "x") == "inf"


def test_a_nan_goes_through_save_undo_and_picture_without_harm(window: MainWindow, tmp_path):
    open_text(window, "y = x * w", x=1.0, w=2.0)
    x = node_named(window.canvas, "x")
    assert window.document.set_value(x, float("nan"))
    assert value(window.canvas, "y") == "nan"
    assert save_now(window.context, tmp_path / "nan.backwire")
    assert open_now(window.context, tmp_path / "nan.backwire")
    assert value(window.canvas, "y") == "nan"
    assert not window.canvas.grab().isNull()


def test_a_number_that_is_only_nearly_one_is_not_written_as_one(window: MainWindow):
    open_text(window, "y = tanh(x)", x=9.0)
    assert value(window.canvas, "y") == "≈ 1"


@pytest.mark.parametrize("by", ["menu", "inspector", "playback"])
def test_a_node_marked_as_root_at_the_border_brings_its_root_into_view(window: MainWindow, by):
    nodes = {1: Leaf(3.0, "x"), 2: OpNode("square", (1,), "y"), 3: OpNode("neg", (2,), "z")}
    open_graph(window, Graph(nodes, None, 4))
    view = window.canvas
    view.camera.set_zoom(1.0)
    right = view.camera.to_sheet(QPointF(view.viewport().width() - 8, 0)).x()
    view.camera.pan_by(QPointF((right - view.scene.boxes[3].rect.right()) * view.camera.scale, 0))
    window.selection.choose((3,))
    if by == "menu":
        window.commands["mark_root"].trigger()
    else:
        click(
            inspector(window).node.change_kind
            if by == "inspector"
            else strip_button(window, "step")
        )
    QApplication.processEvents()
    root = window.document.graph.active_root
    assert root is not None
    assert view.camera.visible_area.contains(view.scene.bounds((root,)))


def test_a_node_with_a_root_is_not_offered_to_be_marked_again(two_roots: MainWindow):
    window = two_roots
    for root in window.document.graph.roots():
        [marked] = window.document.graph.inputs(root)
        assert marked is not None
        window.selection.choose((marked,))
        window.commands.refresh()
        assert not window.commands["mark_root"].isEnabled()
        assert window.commands["label"].isEnabled()
        assert inspector(window).node.change_kind.text() != "Mark as root"
