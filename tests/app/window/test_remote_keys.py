"""What the keys of keyboards and remotes mean in a lecture, and where people find them."""

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent

from app.window.dialogs.action_list import Shortcuts
from app.window.frame.main_window import MainWindow
from app.window.remote_keys import DEBOUNCE_MS, Debounce, Meaning, meaning_of
from tests.helpers.mouse import NONE
from tests.helpers.tables import in_turn
from tests.helpers.window import dialog_of, press

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


def test_a_second_press_counts_after_a_quarter_of_a_second_or_in_the_other_direction():
    debounce = Debounce()
    assert debounce.counts("on", 0)
    assert not debounce.counts("on", DEBOUNCE_MS - 1)
    assert debounce.counts("on", DEBOUNCE_MS)
    assert debounce.counts("back", DEBOUNCE_MS + 1)
    assert debounce.counts("on", DEBOUNCE_MS + 2)


def test_the_list_of_shortcuts_has_the_keys_of_a_remote(shared_leaf: MainWindow):
    press(shared_leaf, Key.Key_F1)
    shortcuts = dialog_of(shared_leaf, Shortcuts)
    shortcuts.filter.setText("remote")
    keys = {item.text(1) for item in shortcuts._items() if "Lecture" in item.text(0)}
    assert {"PageDown, Right or Space", "F5 or Esc, as remotes send them", "B"} <= keys
