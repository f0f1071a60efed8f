"""What `tests/helpers/forks.py` promises: each test gets a window that nothing else has touched."""

import pytest

from app.window.frame.main_window import MainWindow
from tests.helpers.frames import EACH
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
