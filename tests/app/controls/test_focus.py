"""What is made late is visited where it stands."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from app.controls.focus import set_tab_order_after


def test_tab_visits_what_is_made_late_where_it_stands(qtbot):
    window, place = QWidget(), QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    buttons = {text: QPushButton(text) for text in "adbc"}
    for widget in (buttons["a"], place, buttons["d"]):
        column.addWidget(widget)
    for text in "bc":
        buttons[text].setParent(place)
    set_tab_order_after(place, [buttons["b"], QWidget(place), buttons["c"]])
    assert place.focusPolicy() == Qt.FocusPolicy.NoFocus
    window.show()
    buttons["a"].setFocus()
    seen = ""
    for _ in "abcd":
        focused = window.focusWidget()
        assert isinstance(focused, QPushButton)
        seen += focused.text()
        qtbot.keyClick(focused, Qt.Key.Key_Tab)
    assert seen == "abcd"
