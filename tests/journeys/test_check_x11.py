"""Check and nudge on a real X server: a doubter opens the tab and drags the point."""

import pytest
from PySide6.QtCore import QDeadlineTimer, QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from app.panels.numeric import NumericPage
from app.window.frame.main_window import MainWindow
from engine.numbers import full
from tests.helpers import x11_input
from tests.helpers.graphs import reference
from tests.helpers.window import node, open_example, press, value

pytestmark = pytest.mark.x11


def until(condition) -> None:
    waiting = QDeadlineTimer(20_000)
    while not condition():
        assert not waiting.hasExpired()
        QApplication.processEvents()


@pytest.fixture
def panel(window: MainWindow) -> NumericPage:
    open_example(window, "by-hand")
    x11_input.click(window.bar.tiles["numeric"])
    found = window.bar.get("numeric")
    assert isinstance(found, NumericPage)
    until(lambda: found.isVisible() and len(found.table.cells()) == 4)
    return found


def plot(panel: NumericPage, row: int):
    """The curve of a row, after a click on it."""
    x11_input.click(panel.table.viewport(), panel.table.rect_of(row).center())
    until(lambda: panel.nudge.plot is not None and panel.nudge.plot.isVisible())
    assert panel.nudge.plot is not None
    until(lambda: not panel.nudge.waits)
    return panel.nudge.plot


def test_the_numbers_of_the_lesson_are_read_and_h_is_changed_by_hand(panel: NumericPage):
    assert QGuiApplication.platformName() == "xcb"
    lesson = reference("by_hand_check")["quotients"]
    shown = {row[0]: row[2] for row in panel.table.cells()}
    assert shown == {name: full(x) for name, x in lesson.items()}
    button = panel.method._buttons["exact"]
    x11_input.click(button)
    until(lambda: [row[2] for row in panel.table.cells()] == ["6", "−4", "−2", "4"])


def test_the_point_is_dragged_by_the_mouse_and_moved_by_keys(
    panel: NumericPage, window: MainWindow
):
    curve, steps = plot(panel, 3), len(window.document.steps)
    start = curve.point_at()
    x11_input.drag(curve, start, start + QPointF(40, 0))
    until(lambda: not panel.nudge.waits)
    moved = value(window, "f")
    assert moved > -2
    assert len(window.document.steps) == steps + 1
    assert panel.nudge.words.text().startswith(f"f from {full(moved)} to")
    press(window, "z", modifier=Qt.KeyboardModifier.ControlModifier)
    assert value(window, "f") == -2
    curve.setFocus()
    press(window, Qt.Key.Key_Right)
    assert window.playback.frame.values[node(window, "f")] > -2


def test_nothing_in_the_panel_lies_on_anything_else(panel: NumericPage, window: MainWindow):
    window.resize(1366, 768)
    plot(panel, 3)
    until(lambda: panel.verdict.geometry().top() >= panel.table.geometry().bottom())
    page = panel.nudge.parentWidget()
    assert page is not None
    layout = page.layout()
    assert layout is not None
    until(lambda: page.height() >= layout.minimumHeightForWidth(page.width()))
