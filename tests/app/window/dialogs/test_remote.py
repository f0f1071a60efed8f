"""View, Presentation, Remote: a lecturer tries a remote before the room is full."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

from app.window.dialogs.remote import RemoteDialog
from app.window.frame.main_window import MainWindow
from tests.helpers.window import choose, dialog_of

Key = Qt.Key


def test_it_takes_every_key_and_closes_with_the_second_esc_in_a_row(shared_leaf: MainWindow):
    choose(shared_leaf, "View/Presentation", "Remote")
    dialog = dialog_of(shared_leaf, RemoteDialog)
    shown = {}
    for key in (Key.Key_PageDown, Key.Key_Period, Key.Key_F5, Key.Key_Tab, Key.Key_Escape):
        QTest.keyClick(dialog, key)
        QApplication.processEvents()
        shown[dialog.key.text()] = dialog.act.text()
    assert shown == {
        "PgDown": "next mark, or the answer",
        ".": "the answer; without a question it covers the next number",
        "F5": "begins and ends the lecture",
        "Tab": "nothing",
        "Esc": "ends the lecture",
    }
    assert not shared_leaf.presenting
    QTest.keyClick(dialog, Key.Key_1)
    QTest.keyClick(dialog, Key.Key_Escape)
    assert dialog.isVisible()
    QTest.keyClick(dialog, Key.Key_Escape)
    assert not isValid(dialog) or not dialog.isVisible()
