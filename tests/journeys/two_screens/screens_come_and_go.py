"""Stories of a projector that is unplugged and plugged in while a lecture is on."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app.window.frame.main_window import MainWindow
from tests.helpers.lecturing import lecture_of
from tests.helpers.monitors import Monitors
from tests.helpers.window import press, until

LAPTOP, PROJECTOR = (0, 1366, 768), (1366, 1920, 1080)


@pytest.fixture
def monitors() -> Iterator[Monitors]:
    """The two monitors; both are there again after the test."""
    with Monitors() as found:
        yield found
        found.set("projector", *PROJECTOR)
        until(lambda: len(QGuiApplication.screens()) == 2)


def unplug(monitors: Monitors) -> None:
    monitors.remove("projector")
    until(lambda: len(QGuiApplication.screens()) == 1)


def plug_in(monitors: Monitors) -> None:
    monitors.set("projector", *PROJECTOR)
    until(lambda: len(QGuiApplication.screens()) == 2)


def lies_on(window: QWidget, place: tuple[int, int, int]) -> bool:
    """Whether the whole of a visible window lies on a monitor."""
    x, width, height = place
    seen = window.geometry()
    inside = x <= seen.left() and seen.right() < x + width and seen.top() >= 0
    return window.isVisible() and inside and seen.bottom() < height


def speaker_of(window: MainWindow) -> QWidget:
    assert window.speaker.window is not None
    return window.speaker.window


def test_without_the_projector_both_windows_are_on_the_laptop(
    shared_leaf: MainWindow, monitors: Monitors
):
    shared_leaf.present_lesson(lecture_of(shared_leaf))
    until(lambda: lies_on(shared_leaf, PROJECTOR) and lies_on(speaker_of(shared_leaf), LAPTOP))
    unplug(monitors)
    until(lambda: lies_on(shared_leaf, LAPTOP) and lies_on(speaker_of(shared_leaf), LAPTOP))
    assert shared_leaf.isFullScreen()
    assert shared_leaf.context.guides.room is not None
    plug_in(monitors)
    until(lambda: lies_on(shared_leaf, PROJECTOR) and lies_on(speaker_of(shared_leaf), LAPTOP))
    press(shared_leaf, Qt.Key.Key_PageDown)
    assert shared_leaf.context.guides.room.at == 1


def test_a_projector_plugged_in_during_a_lecture_gets_the_presentation(
    shared_leaf: MainWindow, monitors: Monitors
):
    unplug(monitors)
    shared_leaf.present_lesson(lecture_of(shared_leaf))
    assert not shared_leaf.speaker.is_open
    plug_in(monitors)
    until(lambda: shared_leaf.speaker.is_open)
    until(lambda: lies_on(shared_leaf, PROJECTOR) and lies_on(speaker_of(shared_leaf), LAPTOP))


def test_after_the_projector_has_gone_the_end_leaves_the_window_on_the_laptop(
    shared_leaf: MainWindow, monitors: Monitors
):
    shared_leaf.present_lesson(lecture_of(shared_leaf))
    until(lambda: lies_on(shared_leaf, PROJECTOR))
    press(shared_leaf, Qt.Key.Key_X)
    until(lambda: lies_on(shared_leaf, LAPTOP) and lies_on(speaker_of(shared_leaf), PROJECTOR))
    unplug(monitors)
    until(lambda: lies_on(speaker_of(shared_leaf), LAPTOP))
    press(shared_leaf, Qt.Key.Key_Escape, Qt.Key.Key_Escape)
    until(lambda: not shared_leaf.isFullScreen())
    assert shared_leaf.geometry().intersects(QGuiApplication.primaryScreen().geometry())
