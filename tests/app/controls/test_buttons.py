"""Buttons with an icon, and buttons that paint themselves."""

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QIcon, QPaintEvent
from pytestqt.qtbot import QtBot

from app.controls.painted_buttons import IconButton, PaintedButton
from app.style.current import Style


@pytest.fixture
def button(qtbot, styled) -> IconButton:
    widget = IconButton(styled, "plus", "Zoom in", "Ctrl++")
    qtbot.addWidget(widget)
    widget.show()
    return widget


def ink(button: IconButton, state: QIcon.State = QIcon.State.Off) -> str:
    picture = button.icon().pixmap(QSize(16, 16), QIcon.Mode.Normal, state)
    return picture.toImage().pixelColor(8, 8).name()


def test_the_tooltip_names_the_keys_and_the_name_does_not(button):
    assert button.toolTip() == "Zoom in (Ctrl++)"
    assert button.accessibleName() == "Zoom in"


def test_the_icon_has_the_colour_of_what_is_written_beside_it(button, styled):
    for kind, color in (
        ("primary", styled.theme.panel),
        ("forward", styled.theme.on_fill),
        ("backward", styled.theme.on_fill),
        ("question", styled.theme.selection),
        ("mistake", styled.theme.error),
        ("quiet", styled.theme.text),
    ):
        button.set_kind(kind)
        assert ink(button) == color.name()


def test_the_icon_is_violet_while_the_button_is_checked(button, styled):
    assert ink(button, QIcon.State.On) == styled.theme.selection.name()


def test_the_icon_grows_with_everything(button, styled):
    styled.set_size(2.0)
    assert button.iconSize() == QSize(23, 23)  # 16 px, times the square root of 2


def test_it_is_large_enough_to_be_hit(button):
    assert button.sizeHint().width() >= 32
    assert button.sizeHint().height() >= 32


def test_it_does_what_its_action_does(qtbot, button):
    action = QAction("Zoom in", button)
    action.setCheckable(True)
    button.bind(action)
    with qtbot.waitSignal(action.triggered):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert action.isChecked()
    assert button.isChecked()
    action.setChecked(False)
    assert not button.isChecked()
    action.setEnabled(False)
    assert not button.isEnabled()


def test_another_icon_can_be_shown(button):
    before = button.icon().pixmap(16, 16).toImage()
    button.set_icon("minus")
    assert button.icon().pixmap(16, 16).toImage() != before


def test_a_word_beside_the_icon_makes_room_between_them(qtbot, button):
    narrow = button.sizeHint().width()
    button.setText("Mistakes")
    assert button.sizeHint().width() > narrow + 40
    assert button.iconSize() == QSize(20, 16)
    button.setText("")
    assert button.sizeHint().width() == narrow


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
