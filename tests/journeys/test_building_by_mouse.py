"""Building a graph in the window with the mouse: each thing that hands expect."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QMenu

from app.document.files import whole_text
from app.window.frame.main_window import MainWindow
from engine.graph import OpNode
from tests.helpers.mouse import (
    ALT,
    CTRL,
    SHIFT,
    at_header,
    at_label,
    at_nothing,
    at_number,
    at_output,
    at_slot,
    at_wire,
    click,
    double_click,
    drag,
    draw_wire,
    draw_wire_back,
    drop_entry,
    held,
    hover,
    key,
    node_named,
    type_into_focus,
    wheel,
)
from tests.helpers.reading import grad, in_view, label, value
from tests.helpers.window import click as click_widget
from tests.helpers.window import open_example, opened_page, press, said

RETURN, ESCAPE = Qt.Key.Key_Return, Qt.Key.Key_Escape


@pytest.fixture
def window(shared_leaf: MainWindow) -> MainWindow:
    """(a*b + a) * f on the canvas, with room around it."""
    shared_leaf.canvas.camera.zoom_by(0.8)
    return shared_leaf


def steps(window: MainWindow) -> int:
    return len(window.document.steps)


def test_quick_add_by_a_double_click(window: MainWindow):
    double_click(window.canvas, at_nothing(window.canvas))
    type_into_focus("times")
    key(RETURN)
    added = window.selection.only
    assert added is not None
    found = window.document.graph.nodes[added]
    assert isinstance(found, OpNode)
    assert found.op == "mul"
    assert window.commands["undo"].text() == "&Undo Add mul"


def test_a_wire_from_a_slot_to_an_output(window: MainWindow):
    number = drop_entry(window.canvas, "op:exp", at_nothing(window.canvas))
    draw_wire_back(window.canvas, window.document.graph.names[number], 0, "d")
    assert value(window.canvas, window.document.graph.names[number]) == "0.01832"


def test_a_loop_is_refused_with_a_sentence_in_the_status_line_and_a_toast(window: MainWindow):
    view = window.canvas
    before = whole_text(window.document.sheet)
    with held(view, at_output(view, node_named(view, "L")), at_slot(view, node_named(view, "e"))):
        assert "This wire would close a loop: e → d → L → e" in window.status_line.text()
    assert said(window).startswith("This wire would close a loop")
    assert whole_text(window.document.sheet) == before
    assert steps(window) == 0


def test_a_wire_dropped_in_the_empty_adds_what_is_typed_and_wires_it(window: MainWindow):
    view = window.canvas
    drag(view, at_output(view, node_named(view, "L")), at_nothing(view))
    type_into_focus("log")
    key(RETURN)
    added = window.selection.only
    assert added is not None
    assert window.document.graph.inputs(added) == (node_named(view, "L"),)
    assert steps(window) == 1


def test_an_op_of_the_palette_dropped_on_a_wire_goes_into_it(window: MainWindow):
    view = window.canvas
    target = node_named(view, "L")
    number = drop_entry(view, "op:neg", at_wire(view, (target, 0)))
    assert window.document.graph.inputs(number) == (node_named(view, "d"),)
    assert window.document.graph.source((target, 0)) == number
    assert value(view, "L") == "−8"


def test_a_wire_is_moved_to_another_slot_or_broken_with_alt(window: MainWindow):
    view = window.canvas
    d, ell = node_named(view, "d"), node_named(view, "L")
    drag(view, at_slot(view, d, 1), at_slot(view, ell, 1))
    assert window.document.graph.source((ell, 1)) == node_named(view, "a")
    assert window.document.graph.source((d, 1)) is None
    click(view, at_wire(view, (d, 0)), ALT)
    assert window.document.graph.source((d, 0)) is None
    assert steps(window) == 2


def test_ctrl_drag_moves_all_wires_of_an_output(window: MainWindow):
    view = window.canvas
    a, f = node_named(view, "a"), node_named(view, "f")
    drag(view, at_output(view, a), at_output(view, f), CTRL)
    assert window.document.graph.outgoing[a] == ()
    assert len(window.document.graph.outgoing[f]) == 3
    assert window.commands["undo"].text() == "&Undo Move wires a → f"


def test_nodes_are_chosen_added_and_toggled_and_moved_together(window: MainWindow):
    view = window.canvas
    a, b = node_named(view, "a"), node_named(view, "b")
    click(view, at_header(view, a))
    click(view, at_header(view, b), SHIFT)
    assert window.selection.nodes == {a, b}
    before = dict(window.document.positions)
    start = at_header(view, b)
    drag(view, start, start + QPointF(0, 60))
    moved = {n for n, place in window.document.positions.items() if before[n] != place}
    assert moved == {a, b}
    assert window.commands["undo"].text() == "&Undo Move 2 nodes"
    click(view, at_header(view, a), CTRL)
    assert window.selection.nodes == {b}


def test_a_rubber_band_chooses_and_escape_lets_go(window: MainWindow):
    view = window.canvas
    rect = view.scene.bounds().adjusted(-20, -20, 20, 20)
    corner = QPointF(max(2.0, view.camera.to_screen(rect.topLeft()).x()), 4.0)
    drag(view, corner, view.camera.to_screen(rect.bottomRight()))
    assert len(window.selection.nodes) >= 6
    press(window, ESCAPE)
    assert not window.selection.nodes


def test_a_value_is_typed_dragged_and_slid(window: MainWindow):
    view = window.canvas
    a = node_named(view, "a")
    double_click(view, at_number(view, a))
    type_into_focus("4")
    key(RETURN)
    assert value(view, "L") == "16"
    start = at_number(view, a)
    drag(view, start, start + QPointF(40, 0))
    assert value(view, "a") != "4"
    assert steps(window) == 2
    press(window, "z", modifier=CTRL)
    assert value(view, "a") == "4"


def test_a_typed_value_that_is_none_is_not_taken(window: MainWindow):
    view = window.canvas
    double_click(view, at_number(view, node_named(view, "a")))
    type_into_focus("four")
    key(RETURN)
    assert value(view, "a") == "2"
    key(ESCAPE)
    assert value(view, "a") == "2"
    assert steps(window) == 0


def test_delete_and_delete_with_healing(window: MainWindow):
    view = window.canvas
    number = drop_entry(view, "op:neg", at_wire(view, (node_named(view, "L"), 0)))
    assert window.selection.only == number
    press(window, Qt.Key.Key_Delete, modifier=CTRL)
    assert window.document.graph.source((node_named(view, "L"), 0)) == node_named(view, "d")
    click(view, at_header(view, node_named(view, "f")))
    press(window, Qt.Key.Key_Delete)
    assert value(view, "L") == "–"
    assert "slot 2 empty" in [
        view.scene.node(n).texts.captions[0] for n in window.document.graph.nodes
    ]


def test_the_wheel_zooms_at_the_pointer_and_the_status_line_says_how_far(window: MainWindow):
    view = window.canvas
    at = QPointF(200, 150)
    below = view.camera.to_sheet(at)
    wheel(view, at, 2)
    assert (view.camera.to_screen(below) - at).manhattanLength() <= 2
    assert window.status_line.zoom.text() == f"{view.camera.zoom * 100:.0f} %"
    drag(view, QPoint(300, 300), QPoint(200, 250), button=Qt.MouseButton.MiddleButton)
    assert (view.camera.to_screen(below) - at - QPointF(-100, -50)).manhattanLength() <= 3


def test_a_graph_panned_out_of_sight_comes_back_with_fit(window: MainWindow):
    view = window.canvas
    view.camera.pan_by(QPointF(4000, 4000))
    assert not in_view(view, node_named(view, "a"))
    press(window, "f")
    assert all(in_view(view, node) for node in window.document.graph.nodes)


def test_arrange_lays_the_graph_out_as_one_step(window: MainWindow, qtbot):
    start = at_header(window.canvas, node_named(window.canvas, "e"))
    drag(window.canvas, start, start + QPointF(-150, 130))
    before = whole_text(window.document.sheet)
    press(window, "l", modifier=CTRL)
    qtbot.waitUntil(lambda: not window.canvas.auto_layout.running, timeout=20_000)
    boxes = window.canvas.scene.boxes
    for source, (target, _slot) in window.document.graph.wires():
        assert boxes[source].rect.right() < boxes[target].x
    assert steps(window) == 2
    press(window, "z", modifier=CTRL)
    assert whole_text(window.document.sheet) == before


def test_a_label_is_read_by_hovering_and_a_wire_chosen_by_a_click(window: MainWindow):
    press(window, "b", Qt.Key.Key_End)
    view = window.canvas
    wire = (node_named(view, "e"), 0)
    hover(view, at_label(view, wire))
    assert "a → e, slot 1: −2 × −3 = 6" in window.status_line.text()
    click(view, at_label(view, wire))
    assert window.selection.wires == {wire}
    press(window, Qt.Key.Key_Delete)
    assert window.document.graph.source(wire) is None


@pytest.mark.qt_log_ignore("This plugin does not support grabbing the keyboard")
def test_a_right_click_offers_what_can_be_done_here(window: MainWindow):
    view = window.canvas
    for at, expected in (
        (at_header(view, node_named(view, "a")), "Edit value"),
        (at_wire(view, (node_named(view, "L"), 0)), "Unplug"),
        (at_nothing(view), "Paste"),
    ):
        _ask_for_menu(window, at)
        menu = next(m for m in window.findChildren(QMenu) if m.isVisible())
        assert expected in [a.text().replace("&", "") for a in menu.actions()]
        menu.close()


def test_the_history_names_every_step_and_goes_to_any(window: MainWindow):
    view = window.canvas
    first = whole_text(window.document.sheet)
    draw_wire(view, "b", "d", 1)
    press(window, "b", Qt.Key.Key_End)
    assert label(view, "d", 1) == "−2 × 1 = −2"
    window.document.set_value(node_named(view, "b"), 9.0)
    panel = opened_page(window, "history")
    shown = panel.view.model()  # type: ignore[attr-defined]
    names = [shown.index(row, 0).data() for row in range(shown.rowCount())]
    assert names == ["As it was opened", "Connect b → d", "Set b"]
    panel.view.setCurrentIndex(shown.index(0, 0))  # type: ignore[attr-defined]
    assert whole_text(window.document.sheet) == first
    panel.view.setCurrentIndex(shown.index(2, 0))  # type: ignore[attr-defined]
    assert value(view, "b") == "9"


def test_numbers_are_the_same_everywhere(window: MainWindow):
    """No panel shows an old number after a change: loud pain elsewhere."""
    view = window.canvas
    press(window, "b", Qt.Key.Key_End)
    window.document.set_value(node_named(view, "a"), 10.0)
    assert grad(view, "b") == "−20"
    window.selection.focus_on(node_named(view, "b"))
    why = opened_page(window, "why")
    assert "−20" in why.why.head.text()  # type: ignore[attr-defined]
    assert window.playback.frame.graph is window.document.graph


def test_an_example_can_be_left_and_another_opened(window: MainWindow):
    open_example(window, "square")
    assert len(window.document.graph.nodes) == 3
    window.commands["start_page"].trigger()
    assert window.on_start_page
    click_widget(window.pages.welcome.examples.cards[0])
    assert not window.on_start_page


def _ask_for_menu(window: MainWindow, at: QPointF) -> None:
    view = window.canvas
    place = view.viewport().mapToGlobal(at.toPoint())
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at.toPoint(), place)
    QApplication.sendEvent(view.viewport(), event)
