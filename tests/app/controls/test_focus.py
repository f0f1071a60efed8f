"""A key is claimed while the focus is there; what is made late is visited where it stands."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QPushButton, QVBoxLayout, QWidget

from app.controls.focus import claim_keys, set_tab_order_after


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


def claims(widget: QWidget, key: Qt.Key) -> bool:
    """Whether a widget keeps the window's shortcuts from taking a key."""
    pressed = QKeyEvent(QEvent.Type.ShortcutOverride, key, Qt.KeyboardModifier.NoModifier)
    pressed.ignore()
    QApplication.sendEvent(widget, pressed)
    return pressed.isAccepted()


def test_a_widget_claims_its_keys_and_no_others_while_it_has_the_focus(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    one, other = QPushButton(), QPushButton()
    for button in (one, other):
        column.addWidget(button)
    claim_keys(one, Qt.Key.Key_Left)
    claim_keys(one, Qt.Key.Key_Home)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    for focused, claimed in ((other, False), (one, True), (other, False), (one, True)):
        focused.setFocus()
        assert [claims(one, k) for k in (Qt.Key.Key_Left, Qt.Key.Key_Home)] == [claimed] * 2
        assert not claims(one, Qt.Key.Key_Right)
        assert not claims(other, Qt.Key.Key_Left)
