import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent
from pytestqt.qtbot import QtBot

from app.controls.buttons import PaintedButton
from app.style.current import Style


class Plain(PaintedButton):
    def paintEvent(self, event: QPaintEvent) -> None:
        pass


@pytest.mark.parametrize("key", [Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_space_and_enter_press_it(qtbot: QtBot, style: Style, key: Qt.Key):
    button = Plain(style)
    qtbot.addWidget(button)
    button.show()
    button.setFocus()
    qtbot.waitUntil(button.hasFocus)
    with qtbot.waitSignal(button.clicked):
        qtbot.keyClick(button, key)


def test_it_is_drawn_anew_when_the_style_changes(qtbot: QtBot, style: Style):
    button = Plain(style)
    qtbot.addWidget(button)
    button.show()
    style.set_size(2.0)
    assert button.isVisible()
