import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QApplication,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QSlider,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app.window.keys import FocusKeys

KEYS = ("B", "C", "F", "Return", "Left", "Right", "Home", "End", "PgDown", "Del", "Ctrl+S", "F2")


@pytest.fixture
def window(qtbot):
    """A window with the short keys of ours and one control of each kind."""
    window = QWidget()
    window.fired = []
    FocusKeys(QApplication.instance(), window)
    column = QVBoxLayout(window)
    for kind in (QLineEdit, QPlainTextEdit, QSpinBox, QSlider, QListWidget, QPushButton):
        window.__dict__[kind.__name__] = control = kind()
        column.addWidget(control)
    window.QListWidget.addItems(["one", "two", "three"])
    window.QListWidget.setCurrentRow(0)
    for keys in KEYS:
        shortcut = QShortcut(QKeySequence(keys), window)
        shortcut.activated.connect(lambda keys=keys: window.fired.append(keys))
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window


def _press(qtbot, control, *keys, modifier=Qt.KeyboardModifier.NoModifier):
    control.setFocus()
    for key in keys:
        qtbot.keyClick(control, key, modifier)


def test_a_letter_typed_into_a_field_runs_nothing(window, qtbot):
    _press(qtbot, window.QLineEdit, "b", "c", "f")
    assert window.QLineEdit.text() == "bcf"
    assert window.fired == []


@pytest.mark.parametrize("kind", ["QLineEdit", "QPlainTextEdit", "QSpinBox"])
def test_enter_arrows_and_delete_in_a_field_run_nothing(window, qtbot, kind):
    keys = (Qt.Key.Key_Return, Qt.Key.Key_Left, Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_Delete)
    _press(qtbot, getattr(window, kind), *keys)
    assert window.fired == []


def test_a_presenters_keys_and_commands_still_work_in_a_field(window, qtbot):
    _press(qtbot, window.QLineEdit, Qt.Key.Key_PageDown, Qt.Key.Key_F2)
    _press(qtbot, window.QLineEdit, Qt.Key.Key_S, modifier=Qt.KeyboardModifier.ControlModifier)
    assert window.fired == ["PgDown", "F2", "Ctrl+S"]


def test_arrows_move_a_slider_and_run_nothing(window, qtbot):
    _press(qtbot, window.QSlider, Qt.Key.Key_Right, Qt.Key.Key_Right)
    assert window.QSlider.value() == 2
    assert window.fired == []


def test_arrows_walk_in_a_list_while_letters_are_the_windows(window, qtbot):
    _press(qtbot, window.QListWidget, Qt.Key.Key_End, "b")
    assert window.QListWidget.currentRow() == 2
    assert window.fired == ["B"]


def test_a_button_leaves_every_key_to_the_window(window, qtbot):
    _press(qtbot, window.QPushButton, "b", Qt.Key.Key_Right, Qt.Key.Key_Return)
    assert window.fired == ["B", "Right", "Return"]
