"""What `tests/helpers/forks.py` promises: each test gets a window that nothing else has touched."""

import pytest
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget

from app.window.frame.main_window import MainWindow
from tests.helpers.frames import EACH
from tests.helpers.sampling import is_whole
from tests.helpers.window import node, opened_window


def step(window: MainWindow) -> None:
    window.playback.backward()
    window.playback.go(3)


@pytest.fixture
def window(qtbot):
    """The shared leaf, made ready at its third step once for all these tests."""
    with opened_window(qtbot, example="shared-leaf", prepare=step) as window:
        yield window


@pytest.mark.parametrize("turn", range(3))
def test_a_window_made_ready_once_is_as_new_in_each_test(window: MainWindow, turn: int):
    assert window.playback.cursor == 3
    assert not window.selection.nodes
    window.playback.go(5)
    window.selection.focus_on(node(window, "a"))


def test_each_picture_that_is_taken_is_drawn_though_few_frames_are(window: MainWindow):
    pictures = [window.canvas.grab().toImage() for _ in range(2 * EACH)]
    first = pictures[0]
    assert all(picture == first for picture in pictures)
    places = [(x, y) for x in range(0, first.width(), 5) for y in range(0, first.height(), 5)]
    assert len({first.pixel(x, y) for x, y in places}) > 10


class Painted(QWidget):
    """Counts how often it is painted."""

    count = 0

    def paintEvent(self, _event: QPaintEvent) -> None:
        self.count += 1


def test_few_frames_are_drawn_and_what_was_left_out_is_drawn_with_the_next(window: MainWindow):
    parts = [Painted(window) for _ in range(2)]
    parts[1].move(200, 0)
    for part in parts:
        part.show()
    for _ in range(2 * EACH):
        parts[0].update()
        QApplication.processEvents()
    assert parts[0].count == (2 * EACH if is_whole() else 2)
    assert parts[1].count == 1, "it was shown at first, and has not changed since"


@pytest.fixture
def shared_leaf(qtbot, monkeypatch):
    """A window that is made after something was patched, and what was shown at first in it."""
    begin, begun = MainWindow.begin, []

    def noted(window: MainWindow, path: object) -> None:
        begun.append(path)
        begin(window, None)

    monkeypatch.setattr(MainWindow, "begin", noted)
    with opened_window(qtbot):
        yield begun


@pytest.mark.parametrize("turn", range(2))
def test_what_is_patched_before_a_window_is_asked_for_takes_part_in_making_it(shared_leaf, turn):
    assert shared_leaf == [None]
