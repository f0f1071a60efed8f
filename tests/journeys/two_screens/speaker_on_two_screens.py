"""Stories of a lecture on two screens; `test_speaker_screens.py` runs them where there are two."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.window.frame.main_window import MainWindow
from tests.helpers.lecturing import ASKED, steps_of
from tests.helpers.steps import lesson_of
from tests.helpers.window import press, said

SHIFT = Qt.KeyboardModifier.ShiftModifier


def screens() -> tuple[QScreen, QScreen]:
    laptop, projector = QGuiApplication.screens()
    return laptop, projector


def begin(window: MainWindow) -> QWidget:
    """Begin the lecture of the sheet, and return the speaker's window, which opens by itself."""
    window.document.set_lesson(lesson_of(steps_of(window), window.document.graph), "Add steps")
    press(window, Qt.Key.Key_F5)
    QApplication.processEvents()
    assert window.speaker.is_open
    assert window.speaker.window is not None
    return window.speaker.window


def fills(window: QWidget, screen: QScreen) -> bool:
    """Whether a window is on a screen and takes nearly all of it."""
    shared = window.frameGeometry().intersected(screen.geometry())
    area = screen.geometry().width() * screen.geometry().height()
    return window.screen() is screen and shared.width() * shared.height() > 0.95 * area


def test_the_presentation_goes_to_the_other_screen_and_comes_back(shared_leaf: MainWindow):
    laptop, projector = screens()
    before = shared_leaf.geometry()
    assert shared_leaf.screen() is laptop
    speaker = begin(shared_leaf)
    assert fills(shared_leaf, projector)
    assert shared_leaf.isFullScreen()
    assert fills(speaker, laptop)
    assert shared_leaf.isActiveWindow(), "the speaker's window takes no key from the room's"
    press(shared_leaf, Qt.Key.Key_Escape)
    assert shared_leaf.presenting, "it is asked, there alone"
    assert said(shared_leaf) == ""
    press(shared_leaf, Qt.Key.Key_Escape)
    assert not speaker.isVisible()
    assert shared_leaf.screen() is laptop
    assert shared_leaf.size() == before.size()
    assert not shared_leaf.isFullScreen()


def test_x_swaps_the_screens_in_both_windows(shared_leaf: MainWindow):
    laptop, projector = screens()
    speaker = begin(shared_leaf)
    press(shared_leaf, Qt.Key.Key_X)
    assert fills(shared_leaf, laptop)
    assert shared_leaf.isFullScreen()
    assert fills(speaker, projector)
    speaker.activateWindow()
    QApplication.processEvents()
    QTest.keyClick(speaker, Qt.Key.Key_X)
    assert fills(shared_leaf, projector)
    assert fills(speaker, laptop)


def test_a_window_without_steps_is_presented_where_it_is(shared_leaf: MainWindow):
    laptop, _projector = screens()
    press(shared_leaf, Qt.Key.Key_F5)
    assert shared_leaf.presenting
    assert shared_leaf.screen() is laptop
    assert not shared_leaf.speaker.is_open


def test_a_window_of_whose_steps_none_fits_comes_back(shared_leaf: MainWindow):
    laptop, _projector = screens()
    shared_leaf.document.set_lesson('[[step]]\nkind = "say"\nstart = "g.1"\n', "Add a step")
    press(shared_leaf, Qt.Key.Key_F5)
    assert shared_leaf.presenting
    assert said(shared_leaf) == "None of the steps fits the graph."
    press(shared_leaf, Qt.Key.Key_Escape)
    assert shared_leaf.screen() is laptop
    assert not shared_leaf.isFullScreen()


def test_a_maximized_window_is_maximized_again(shared_leaf: MainWindow):
    laptop, projector = screens()
    shared_leaf.showMaximized()
    begin(shared_leaf)
    assert fills(shared_leaf, projector)
    press(shared_leaf, Qt.Key.Key_F5, Qt.Key.Key_F5)
    assert shared_leaf.isMaximized()
    assert shared_leaf.screen() is laptop


def test_the_speakers_window_can_be_closed_and_opened_again_on_its_screen(shared_leaf: MainWindow):
    laptop, projector = screens()
    speaker = begin(shared_leaf)
    press(shared_leaf, Qt.Key.Key_F5, modifier=SHIFT)
    assert not speaker.isVisible()
    assert fills(shared_leaf, projector)
    press(shared_leaf, Qt.Key.Key_F5, modifier=SHIFT)
    assert fills(speaker, laptop)


def test_keys_do_the_same_in_both_windows(shared_leaf: MainWindow):
    speaker = begin(shared_leaf)
    lecture = shared_leaf.context.guides
    lecture.go_to(ASKED)
    speaker.activateWindow()
    QApplication.processEvents()
    for key in (Qt.Key.Key_4, Qt.Key.Key_4, Qt.Key.Key_1):
        QTest.keyClick(speaker, key)
    assert lecture.room is not None
    assert lecture.room.poll is not None
    assert lecture.room.poll.hands == (1, 0, 0, 2)
    QTest.keyClick(speaker, Qt.Key.Key_PageDown)
    assert lecture.room is not None
    assert lecture.room.stage == "revealed"
    QTest.keyClick(speaker, Qt.Key.Key_Escape)
    QTest.keyClick(speaker, Qt.Key.Key_Escape)
    assert not shared_leaf.presenting
