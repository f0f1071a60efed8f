from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton

from app.controls.panel import EmptyState


def test_it_says_what_to_do_and_offers_it(qtbot, style):
    empty = EmptyState(style, "Run backward first.", "Run backward")
    qtbot.addWidget(empty)
    empty.show()
    label, button = empty.findChildren(QLabel)[0], empty.findChildren(QPushButton)[0]
    assert (label.text(), button.text()) == ("Run backward first.", "Run backward")
    with qtbot.waitSignal(empty.action_clicked):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_without_an_action_there_is_no_button(qtbot, style):
    empty = EmptyState(style, "Nothing to undo yet.")
    qtbot.addWidget(empty)
    empty.show()
    button = empty.findChildren(QPushButton)[0]
    assert not button.isVisible()
    empty.show_state("× (e) has an empty slot 2.", "Select it")
    assert button.isVisible()
    assert empty.findChildren(QLabel)[0].text() == "× (e) has an empty slot 2."
