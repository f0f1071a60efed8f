"""What the keys of keyboards and remotes mean in a lecture, and how a remote is tried before it."""

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

from app.window.frame.main_window import MainWindow
from app.window.remote_keys import (
    DEBOUNCE_MS,
    Debounce,
    Meaning,
    RemoteDialog,
    key_description,
    meaning_of,
)
from tests.helpers.mouse import NONE
from tests.helpers.tables import in_turn
from tests.helpers.window import choose, dialog_of

SHIFT, ALT = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.AltModifier
KEYPAD = Qt.KeyboardModifier.KeypadModifier
Key = Qt.Key


def pressed(key: Key, modifiers=NONE, scan: int = 0, text: str = "") -> QKeyEvent:
    return QKeyEvent(QEvent.Type.KeyPress, key, modifiers, scan, 0, 0, text)


@pytest.fixture
def on_x11(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scan codes are those of an X server."""
    monkeypatch.setattr(QGuiApplication, "platformName", lambda: "xcb")


@in_turn(
    ("key", "modifiers", "meaning"),
    [
        (Key.Key_3, NONE, Meaning("hand", 2)),
        (Key.Key_3, KEYPAD, Meaning("hand", 2)),
        (Key.Key_1, ALT, Meaning("count", 0)),
        (Key.Key_Exclam, SHIFT, Meaning("take back", 0)),
        (Key.Key_QuoteDbl, SHIFT, Meaning("take back", 1)),
        (Key.Key_section, SHIFT, Meaning("take back", 2)),
        (Key.Key_Dollar, SHIFT, Meaning("take back", 3)),
        (Key.Key_0, NONE, Meaning("clear")),
        (Key.Key_0, SHIFT, None),
        (Key.Key_5, NONE, None),
        (Key.Key_Space, SHIFT, Meaning("back")),
        *((key, NONE, Meaning("on")) for key in (Key.Key_PageDown, Key.Key_Right, Key.Key_Space)),
        *((key, NONE, Meaning("back")) for key in (Key.Key_PageUp, Key.Key_Left)),
        (Key.Key_PageDown, SHIFT, None),
        (Key.Key_PageDown, KEYPAD, Meaning("on")),
    ],
)
def test_digits_count_by_their_key_where_no_scan_code_is_known(qapp, key, modifiers, meaning):
    assert meaning_of(pressed(key, modifiers)) == meaning


@pytest.mark.usefixtures("on_x11")
@pytest.mark.parametrize(
    ("key", "modifiers", "scan", "meaning"),
    [
        (Key.Key_Ampersand, NONE, 10, Meaning("hand", 0)),  # French: digits need Shift
        (Key.Key_1, SHIFT, 10, Meaning("take back", 0)),
        (Key.Key_Eacute, NONE, 11, Meaning("hand", 1)),
        (Key.Key_QuoteDbl, SHIFT, 48, None),  # American: the key beside Enter
        (Key.Key_QuoteDbl, SHIFT, 11, Meaning("take back", 1)),  # German
        (Key.Key_End, SHIFT | KEYPAD, 87, Meaning("take back", 0)),  # Shift undoes Num Lock
        (Key.Key_PageDown, KEYPAD, 89, Meaning("on")),  # without Num Lock
        (Key.Key_3, KEYPAD, 89, Meaning("hand", 2)),
        (Key.Key_Agrave, NONE, 19, Meaning("clear")),
    ],
)
def test_digits_count_by_their_place_on_the_keyboard(key, modifiers, scan, meaning):
    assert meaning_of(pressed(key, modifiers, scan)) == meaning


def test_a_full_stop_reveals_also_where_it_needs_shift(qapp):
    assert meaning_of(pressed(Key.Key_Period)) == Meaning("reveal")
    assert meaning_of(pressed(Key.Key_Period, SHIFT, text=".")) == Meaning("reveal")
    assert meaning_of(pressed(Key.Key_Greater, SHIFT, text=">")) is None


def test_a_key_is_explained_by_its_name_and_what_it_does(qapp):
    assert key_description(pressed(Key.Key_PageDown)) == ("PgDown", "next mark, or the answer")
    assert key_description(pressed(Key.Key_VolumeUp)) == ("Volume Up", "ignored")
    assert key_description(pressed(Key.Key_2)) == ("2", "one hand for B")
    assert key_description(pressed(Key.Key_F9)) == ("F9", "nothing")


def test_a_second_press_counts_after_a_quarter_of_a_second_or_in_the_other_direction():
    debounce = Debounce()
    assert debounce.counts("on", 0)
    assert not debounce.counts("on", DEBOUNCE_MS - 1)
    assert debounce.counts("on", DEBOUNCE_MS)
    assert debounce.counts("back", DEBOUNCE_MS + 1)
    assert debounce.counts("on", DEBOUNCE_MS + 2)


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
