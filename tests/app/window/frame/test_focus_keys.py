import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QComboBox,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QSlider,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app.controls.focus import NAVIGATION_KEYS, OnPurpose
from app.window.dialogs.export import ExportDialog
from app.window.frame.focus_keys import FocusKeys
from tests.helpers.sampling import sampled
from tests.helpers.window import dialog_of, inspector, node, opened_window, the_application

KEYS = ("B", "C", "F", "Return", "Left", "Right", "Home", "End", "PgDown", "Del", "Ctrl+S", "F2")


class Controls(QWidget):
    """A window with the short keys of ours and one control of each kind."""

    def __init__(self) -> None:
        super().__init__()
        self.fired: list[str] = []
        self.field, self.text, self.spin = QLineEdit(), QPlainTextEdit(), QSpinBox()
        self.slider, self.list, self.button = QSlider(), QListWidget(), QPushButton()
        self.choice = QComboBox()
        self.choice.setEditable(True)
        OnPurpose(self.slider, *NAVIGATION_KEYS)
        column = QVBoxLayout(self)
        column.addWidget(self.choice)
        for control in (self.field, self.text, self.spin, self.slider, self.list, self.button):
            column.addWidget(control)
        self.list.addItems(["one", "two", "three"])
        self.list.setCurrentRow(0)
        for keys in KEYS:
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.activated.connect(lambda keys=keys: self.fired.append(keys))


@pytest.fixture
def window(qtbot):
    window = Controls()
    keys = FocusKeys(the_application(), window)
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    yield window
    keys.deleteLater()


def _press(qtbot, control, *keys, modifier=Qt.KeyboardModifier.NoModifier):
    control.setFocus()
    for key in keys:
        qtbot.keyClick(control, key, modifier)


def test_a_letter_typed_into_a_field_runs_nothing(window, qtbot):
    _press(qtbot, window.field, "b", "c", "f")
    assert window.field.text() == "bcf"
    assert window.fired == []


def test_a_letter_and_an_arrow_in_a_box_that_takes_other_texts_run_nothing(window, qtbot):
    _press(qtbot, window.choice, "c", Qt.Key.Key_Left, "b")
    assert window.choice.currentText() == "bc"
    assert window.fired == []


@pytest.mark.parametrize("kind", ["field", "text", "spin"])
def test_enter_arrows_and_delete_in_a_field_run_nothing(window, qtbot, kind):
    keys = (Qt.Key.Key_Return, Qt.Key.Key_Left, Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_Delete)
    _press(qtbot, getattr(window, kind), *keys)
    assert window.fired == []


def test_a_presenters_keys_and_commands_still_work_in_a_field(window, qtbot):
    _press(qtbot, window.field, Qt.Key.Key_PageDown, Qt.Key.Key_F2)
    _press(qtbot, window.field, Qt.Key.Key_S, modifier=Qt.KeyboardModifier.ControlModifier)
    assert window.fired == ["PgDown", "F2", "Ctrl+S"]


def test_arrows_move_a_slider_that_tab_led_to_and_are_else_the_windows(window, qtbot):
    _press(qtbot, window.slider, Qt.Key.Key_Right)
    assert (window.slider.value(), window.fired) == (0, ["Right"])
    window.list.setFocus()
    window.slider.setFocus(Qt.FocusReason.TabFocusReason)
    _press(qtbot, window.slider, Qt.Key.Key_Right, Qt.Key.Key_Right)
    assert (window.slider.value(), window.fired) == (2, ["Right"])


def test_page_keys_are_the_windows_whatever_has_the_focus(window, qtbot):
    controls = (window.field, window.text, window.spin, window.slider, window.list, window.button)
    for control in controls:
        control.setFocus(Qt.FocusReason.TabFocusReason)
        qtbot.keyClick(control, Qt.Key.Key_PageDown)
    assert window.fired == ["PgDown"] * len(controls)


def test_arrows_walk_in_a_list_while_letters_are_the_windows(window, qtbot):
    _press(qtbot, window.list, Qt.Key.Key_End, "b")
    assert window.list.currentRow() == 2
    assert window.fired == ["B"]


def test_left_and_right_are_the_windows_in_a_list(window, qtbot):
    _press(qtbot, window.list, Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Left)
    assert window.list.currentRow() == 1
    assert window.fired == ["Right", "Left"]


def test_a_button_leaves_every_key_to_the_window(window, qtbot):
    _press(qtbot, window.button, "b", Qt.Key.Key_Right, Qt.Key.Key_Return)
    assert window.fired == ["B", "Right", "Return"]


ENABLED = Qt.ItemFlag.ItemIsEnabled


@pytest.mark.qt_log_ignore("This plugin does not support grabbing the keyboard")
@pytest.mark.parametrize("by", sampled(["Return", "Enter", "Space"], every=2))
def test_a_key_chooses_in_the_open_list_of_every_combo_box_of_the_program(qtbot, by):
    with opened_window(qtbot, example="neuron") as window:
        window.selection.choose((node(window, "o"),))
        inspector(window)
        window.commands["export-pdf"].trigger()
        dialog = dialog_of(window, ExportDialog)
        choices = window.findChildren(QComboBox)
        assert set(dialog.findChildren(QComboBox)) < set(choices)
        for box in (box for box in choices if box.isVisible() and box.isEnabled()):
            box.window().activateWindow()
            box.setFocus()
            enabled = [k for k in range(box.count()) if box.model().index(k, 0).flags() & ENABLED]
            box.setCurrentIndex(enabled[0])  # the first row may be the name of a group
            assert chosen_by_keys(box, Qt.Key.Key_Down, getattr(Qt.Key, f"Key_{by}")) == enabled[1]
            assert chosen_by_keys(box, Qt.Key.Key_Up, Qt.Key.Key_Escape) == enabled[1]
            assert dialog.isVisible()
        assert len(choices) >= 7


@pytest.mark.qt_log_ignore("This plugin does not support grabbing the keyboard")
def test_the_list_of_a_combo_box_shows_all_its_rows_whole(qtbot):
    with opened_window(qtbot, example="neuron") as window:
        window.commands["export-pdf"].trigger()
        box = dialog_of(window, ExportDialog).fields["paper"]
        box.showPopup()
        view = box.view()
        last = view.visualRect(box.model().index(box.count() - 1, 0))
        assert view.viewport().rect().contains(last)
        box.hidePopup()


def chosen_by_keys(box: QComboBox, *keys: Qt.Key) -> int:
    """Open the list of a box, press keys in it, and return the row that is chosen then."""
    box.showPopup()
    for key in keys:
        focus = the_application().focusWidget()
        assert focus is not None
        QTest.keyClick(focus, key)
    assert not box.view().isVisible()
    return box.currentIndex()
