import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QPushButton

from app.controls.filter_edit import FilterEdit


@pytest.fixture
def field(qtbot, style) -> FilterEdit:
    widget = FilterEdit(style)
    qtbot.addWidget(widget)
    widget.show()
    return widget


def test_typing_says_what_to_look_for(qtbot, field):
    said: list[str] = []
    field.filter_changed.connect(said.append)
    qtbot.keyClicks(field, " Ta")
    assert said[-1] == "ta"
    assert field.filter() == "ta"


def test_esc_clears_first_and_is_passed_on_when_there_is_nothing_to_clear(qtbot, field):
    qtbot.keyClicks(field, "tanh")
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == ""


def test_down_asks_for_the_list(qtbot, field):
    with qtbot.waitSignal(field.list_wanted):
        qtbot.keyClick(field, Qt.Key.Key_Down)


def test_the_button_that_clears_is_there_only_when_there_is_something(qtbot, field):
    clear = field.findChildren(QPushButton)[0]
    assert not clear.isVisible()
    qtbot.keyClicks(field, "t")
    assert clear.isVisible()
    qtbot.mouseClick(clear, Qt.MouseButton.LeftButton)
    assert field.text() == ""
    assert not clear.isVisible()


def test_esc_without_text_is_left_to_the_window(field):
    event = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(field, event)
    assert not event.isAccepted()


def test_it_says_what_it_is_for(field):
    assert field.placeholderText() == "Filter"
    assert field.accessibleName() == "Filter"
