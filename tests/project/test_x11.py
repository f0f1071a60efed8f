"""The stage x11 is what it says: a real X server, and a window that gets the keyboard."""

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit

pytestmark = pytest.mark.x11


def test_the_platform_is_x11(qapp):
    assert QGuiApplication.platformName() == "xcb"
    assert QGuiApplication.primaryScreen().size().width() == 1600


def test_a_window_that_is_shown_gets_the_keyboard(qtbot, qapp):
    line = QLineEdit()
    qtbot.addWidget(line)
    line.show()
    line.activateWindow()
    with qtbot.waitActive(line):
        pass
    qtbot.keyClicks(qapp.focusWidget(), "a*b + c")
    assert line.text() == "a*b + c"
