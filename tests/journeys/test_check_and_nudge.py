"""Is the gradient right? Check, nudge, and what PyTorch says, in the real window."""

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.panels.numeric import NumericPage
from app.runner import default_python
from app.window.frame.main_window import MainWindow
from engine.numbers import full
from tests.helpers import mouse
from tests.helpers.graphs import reference
from tests.helpers.seeing import picture
from tests.helpers.window import (
    click,
    node,
    open_example,
    opened_page,
    opened_window,
    press,
    until,
    value,
)


@pytest.fixture
def by_hand(qtbot):
    with opened_window(qtbot, example="by-hand") as window:
        window.canvas.setFocus()
        yield window


def check_panel(window: MainWindow) -> NumericPage:
    panel = opened_page(window, "numeric")
    assert isinstance(panel, NumericPage)
    until(lambda: len(panel.table.cells()) == len(leaves(window)))
    return panel


def leaves(window: MainWindow) -> list[str]:
    graph = window.document.graph
    return [graph.names[n] for n in graph.nodes if type(graph.nodes[n]).__name__ == "Leaf"]


def plotted(window: MainWindow, name: str):
    """The plot of a leaf, after a click on its row."""
    panel = check_panel(window)
    settle(window)
    row = leaves(window).index(name)
    table = panel.table
    mouse.click(table.viewport(), QPointF(table.rect_of(row).center()))
    assert window.selection.only == node(window, name)
    until(lambda: panel.nudge.plot is not None and panel.nudge.plot.isVisible())
    settle(window)
    plot = panel.nudge.plot
    assert plot is not None
    return plot


def settle(window: MainWindow) -> None:
    part = check_panel(window).nudge
    until(lambda: not part.waits and not window.context.checks.waits)
    QApplication.processEvents()


def badge(window: MainWindow):
    """The picture of the canvas below the root."""
    root = window.document.graph.active_root
    assert root is not None
    box = window.canvas.scene.boxes[root]
    below = box.rect.translated(0, box.h + 8).adjusted(-10, 0, 10, 0)
    area = window.canvas.context.camera.rect_on_screen(below).toAlignedRect()
    return picture(window.canvas).copy(area)


def test_the_numbers_of_the_by_hand_lesson_stand_on_the_screen_to_the_digit(by_hand):
    lesson = reference("by_hand_check")
    panel = check_panel(by_hand)
    assert (panel.method.choice(), panel.step.field.text()) == (lesson["method"], full(lesson["h"]))
    shown = {row[0]: row[2] for row in panel.table.cells()}
    assert shown == {name: full(x) for name, x in lesson["quotients"].items()}
    assert shown["b"] == "−3.9999999999995595"
    assert not any(panel.table._painter.is_cut(row) for row in panel.table.rows)
    assert panel.verdict.text() == "All 4 gradients are right. ✓"
    assert panel.table.texts()[3] == "f: backward 4, numerical 3.9999999999995595, right"


def test_h_and_method_are_played_with(by_hand):
    panel = check_panel(by_hand)
    panel.step.slider.setFocus()
    panel.step.slider.setValue(15)
    assert panel.step.field.text() == "1e−15"
    mouse.click(panel.table.viewport(), QPointF(panel.table.rect_of(0).center()))
    until(lambda: "h is too small" in panel.words.text())
    click(panel.method._buttons["exact"])
    until(lambda: [row[2] for row in panel.table.cells()] == ["6", "−4", "−2", "4"])
    assert not panel.step.isEnabled()
    click(panel.method._buttons["central"])
    panel.step.field.setFocus()
    panel.step.field.setText("0")
    panel.step.field.commit()
    assert panel.step.field.text() == "1e−15"


def test_the_badge_says_that_exactly_this_graph_was_checked(by_hand):
    opened_page(by_hand, "why")
    QApplication.processEvents()
    without = badge(by_hand)
    check_panel(by_hand)
    until(lambda: by_hand.context.checks.verdict == "agrees")
    opened_page(by_hand, "why")
    QApplication.processEvents()
    checked = badge(by_hand)
    assert checked != without
    by_hand.document.set_value(node(by_hand, "a"), 3.0)
    QApplication.processEvents()
    assert badge(by_hand) == without
    by_hand.commands["undo"].trigger()
    QApplication.processEvents()
    assert badge(by_hand) == checked


def test_the_badge_is_dashed_where_the_check_can_not_tell(by_hand):
    panel = check_panel(by_hand)
    until(lambda: by_hand.context.checks.verdict == "agrees")
    QApplication.processEvents()
    checked = badge(by_hand)
    panel.step.slider.setValue(15)
    until(lambda: by_hand.context.checks.verdict == "can't tell")
    QApplication.processEvents()
    doubtful = badge(by_hand)
    assert doubtful != checked
    click(panel.other_h)
    until(lambda: by_hand.context.checks.verdict == "agrees")
    QApplication.processEvents()
    assert badge(by_hand) == checked


def test_the_point_is_dragged_and_the_leaf_follows_in_one_step(by_hand):
    plot = plotted(by_hand, "f")
    steps = len(by_hand.document.steps)
    start = plot.point_at()
    with mouse.held(plot, start, start + QPointF(30, 0)):
        moved = value(by_hand, "f")
        assert moved > -2
        assert by_hand.playback.frame.values[node(by_hand, "L")] == pytest.approx(4 * moved)
    settle(by_hand)
    assert len(by_hand.document.steps) == steps + 1
    words = check_panel(by_hand).nudge.words.text()
    assert words.startswith(f"f from {full(moved)} to {full(moved + 0.001)} moves L")
    by_hand.commands["undo"].trigger()
    assert value(by_hand, "f") == -2


def test_esc_takes_a_drag_back_and_the_arrow_keys_move_the_point(by_hand):
    plot = plotted(by_hand, "f")
    steps = len(by_hand.document.steps)
    start = plot.point_at()
    with mouse.held(plot, start, start + QPointF(30, 0)):
        assert value(by_hand, "f") != -2
        QTest.keyClick(plot, Qt.Key.Key_Escape)
        assert value(by_hand, "f") == -2
    assert value(by_hand, "f") == -2
    assert len(by_hand.document.steps) == steps
    assert not by_hand.document.undone
    cursor = by_hand.playback.cursor
    plot.setFocus()
    press(by_hand, Qt.Key.Key_Right)
    settle(by_hand)
    once = value(by_hand, "f")
    assert once > -2
    press(by_hand, Qt.Key.Key_Left)
    assert value(by_hand, "f") == pytest.approx(-2)
    assert by_hand.playback.cursor == cursor


def test_a_straight_line_says_so_and_a_curve_does_not(by_hand):
    plotted(by_hand, "f")
    words = check_panel(by_hand).nudge.words.text()
    assert "f from −2 to −1.999 moves L from −8 to −7.996" in words
    assert "3.9999999999995595 times as far" in words
    assert "tangent and secant coincide" in words
    open_example(by_hand, "demonstration")
    plotted(by_hand, "a")
    check_panel(by_hand).step.field.setText("1")
    check_panel(by_hand).step.field.commit()
    settle(by_hand)
    words = check_panel(by_hand).nudge.words.text()
    assert words == "a from 2 to 3 moves y from 41 to 69: 28 times as far."


def test_without_pytorch_the_panel_says_how_to_get_it(by_hand, tmp_path):
    panel = check_panel(by_hand)
    panel.torch.set_collapsed(False)
    assert panel.torch.python.rows.texts() == ["Backwire's Python"]
    (tmp_path / "none").write_text("no program")
    (tmp_path / "none").chmod(0o755)
    panel.torch.python.other.setText(str(tmp_path / "none"))
    panel.torch.python.other.editingFinished.emit()
    settings = by_hand.context.settings
    assert settings.python == str(tmp_path / "none")
    panel.torch.button.click()
    until(lambda: "name a Python" in panel.torch.words.text())
    by_hand.document.set_value(node(by_hand, "a"), 3.0)
    until(lambda: not panel.torch.words.isVisible())
    panel.torch.python.rows.chosen.emit(0)
    assert settings.python == default_python()
