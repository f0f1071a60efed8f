import math

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.controls.text_fields import FilterEdit, NumberEdit


@pytest.fixture
def edit(qtbot, style) -> NumberEdit:
    widget = NumberEdit(style, 2.0)
    qtbot.addWidget(widget)
    widget.show()
    widget.selectAll()
    return widget


def test_it_shows_all_digits_of_its_number(edit):
    edit.set_value(-0.1)
    assert edit.text() == "−0.1"
    edit.set_value(1 / 3)
    assert edit.text() == "0.3333333333333333"


@pytest.mark.parametrize(
    ("typed", "number"), [("3.5", 3.5), ("-2", -2.0), ("1e-3", 0.001), ("inf", math.inf)]
)
def test_enter_commits_what_is_typed(qtbot, edit, typed, number):
    with qtbot.waitSignal(edit.committed) as said:
        qtbot.keyClicks(edit, typed)
        qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert said.args == [number]
    assert edit.value() == number


def test_a_number_too_long_for_its_field_is_rounded_with_a_sign_until_it_has_the_focus(
    qtbot, styled
):
    edit = NumberEdit(styled)
    qtbot.addWidget(edit)
    edit.resize(94, 32)
    with qtbot.waitExposed(edit):
        edit.show()
    edit.clearFocus()
    for number, shown in (
        (-3.5, "−3.5"),
        (0.8813735870195432, "≈ 0.8814"),
        (-0.8813735870195432, "≈ −0.881"),
        (1.23456789e-15, "≈ 1e−15"),
        (123456789012.0, "≈ 1.2e11"),
        (-1e300 / 3, "≈ −3e299"),
        (0.1 + 0.2, "≈ 0.3"),
    ):
        edit.set_value(number)
        assert edit.shown_text() == shown
        assert edit.toolTip() == (edit.text() if "≈" in shown else ""), number
    left = edit.grab().toImage().copy(3, 4, 30, 24)
    assert {left.pixel(x, y) for x in range(30) for y in range(24)} == {left.pixel(0, 0)}, "≈ 0.3"
    edit.setFocus()
    assert edit.shown_text() == "0.30000000000000004"
    edit.resize(400, 32)
    assert edit.toolTip() == ""


def test_esc_goes_back_to_the_number_before(qtbot, edit):
    qtbot.keyClicks(edit, "99")
    with qtbot.assertNotEmitted(edit.committed), qtbot.waitSignal(edit.cancelled):
        qtbot.keyClick(edit, Qt.Key.Key_Escape)
    assert (edit.text(), edit.value()) == ("2", 2.0)


def test_what_is_no_number_is_marked_and_not_committed(qtbot, edit):
    qtbot.keyClicks(edit, "1,000")
    assert edit.property("valid") == "false"
    assert edit.accessibleDescription() == "Not a number"
    with qtbot.assertNotEmitted(edit.committed):
        qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert edit.value() == 2.0
    qtbot.keyClicks(edit, "15")
    assert edit.property("valid") == "true"
    assert edit.accessibleDescription() == ""


def test_setting_a_number_emits_nothing(qtbot, edit):
    with qtbot.assertNotEmitted(edit.committed), qtbot.assertNotEmitted(edit.cancelled):
        edit.set_value(7)


def test_leaving_the_field_commits_a_number_once_and_forgets_anything_else(qtbot, style):
    window = QWidget()
    column = QVBoxLayout(window)
    edit, other = NumberEdit(style, 2.0), QLineEdit()
    column.addWidget(edit)
    column.addWidget(other)
    qtbot.addWidget(window)
    with qtbot.waitActive(window):
        window.show()
    edit.setFocus()
    edit.selectAll()
    said: list[float] = []
    edit.committed.connect(said.append)
    qtbot.keyClicks(edit, "5")
    other.setFocus()
    edit.setFocus()
    other.setFocus()
    assert said == [5.0]
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, "five")
    with qtbot.waitSignal(edit.cancelled):
        other.setFocus()
    assert (said, edit.text()) == ([5.0], "5")


def test_enter_followed_by_hiding_commits_once(qtbot, edit):
    said: list[float] = []
    edit.committed.connect(said.append)
    edit.committed.connect(edit.hide)
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, "5")
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert said == [5.0]


def test_its_keys_are_not_taken_by_shortcuts_of_the_window(qtbot, style):
    window = QWidget()
    edit = NumberEdit(style, 2.0, parent=window)
    qtbot.addWidget(window)
    taken: list[str] = []
    for keys in ("Esc", "Return"):
        QShortcut(QKeySequence(keys), window).activated.connect(lambda: taken.append("taken"))
    with qtbot.waitActive(window):
        window.show()
    edit.setFocus()
    qtbot.keyClicks(edit, "5")
    with qtbot.waitSignal(edit.cancelled):
        qtbot.keyClick(edit, Qt.Key.Key_Escape)
    with qtbot.waitSignal(edit.committed):
        qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert taken == []


def test_no_more_is_typed_than_a_number_can_have(qtbot, edit):
    edit.setText("1" * 500)
    assert len(edit.text()) == 64


@pytest.fixture
def field(qtbot, style) -> FilterEdit:
    widget = FilterEdit(style, "Filter")
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
