"""Remote keys: the act of a key press in a lecture, for any keyboard layout or remote.

    meaning_of(event)   act of a press: Meaning("hand", 2) of the key 3
    Debounce            two presses of a page key within 250 ms count once
    REMOTE              the keys of a lecture, for people

Digits are identified by scan code: their keys give `!`, `"`, `§` or `&` in some layouts.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Final, Literal

from msgspec import Struct
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent

Act = Literal[
    "on",
    "back",
    "step on",
    "step back",
    "reveal",
    "black",
    "code",
    "edit",
    "end",
    "toggle",
    "hand",
    "take back",
    "clear",
    "count",
    "timer",
    "ask again",
    "swap",
    "nothing",
]
"""Acts of keys: "toggle" begins or ends the lecture; "nothing" consumes a key without an act."""
PAGE_ACTS: Final[tuple[Act, ...]] = ("on", "back")
"""The acts that a remote's button may send twice for one press."""
DEBOUNCE_MS: Final = 250
"""Milliseconds within which a second press of the same page key is a bounce."""

_SHIFT, _ALT = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.AltModifier
_KEYPAD, _GROUP = Qt.KeyboardModifier.KeypadModifier, Qt.KeyboardModifier.GroupSwitchModifier
_NONE = Qt.KeyboardModifier.NoModifier
_DIGIT_ACTS: Final[Mapping[Qt.KeyboardModifier, Act]] = {
    _NONE: "hand",
    _SHIFT: "take back",
    _ALT: "count",
}
_ACTS: Final[Mapping[Qt.Key, Act]] = {
    Qt.Key.Key_PageDown: "on",
    Qt.Key.Key_Right: "on",
    Qt.Key.Key_Space: "on",
    Qt.Key.Key_PageUp: "back",
    Qt.Key.Key_Left: "back",
    Qt.Key.Key_Down: "step on",
    Qt.Key.Key_Up: "step back",
    Qt.Key.Key_Period: "reveal",
    Qt.Key.Key_B: "black",
    Qt.Key.Key_Q: "code",
    Qt.Key.Key_E: "edit",
    Qt.Key.Key_T: "timer",
    Qt.Key.Key_R: "ask again",
    Qt.Key.Key_X: "swap",
    Qt.Key.Key_F5: "toggle",
    Qt.Key.Key_Escape: "end",
}
VOLUME_KEYS: Final = frozenset(
    {
        *(Qt.Key.Key_VolumeUp, Qt.Key.Key_VolumeDown, Qt.Key.Key_VolumeMute),
        *(Qt.Key.Key_MicMute, Qt.Key.Key_MicVolumeUp, Qt.Key.Key_MicVolumeDown),
    }
)
MODIFIER_KEYS: Final = frozenset(
    {
        *(Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_AltGr),
        *(Qt.Key.Key_Meta, Qt.Key.Key_CapsLock, Qt.Key.Key_NumLock),
    }
)
REMOTE: Final[dict[str, tuple[str, str]]] = {
    "on": ("Lecture, remote: next step, or the answer", "PageDown, Right or Space"),
    "back": ("Lecture, remote: question again, or step before", "PageUp, Left or Shift + Space"),
    "step": ("Lecture: on and back within the step", "Down and Up"),
    "reveal": ("Lecture, remote: answer, or cover the next number", "."),
    "hand": ("Lecture: count a hand, take one back, none", "1 to 4, with Shift, 0"),
    "count": ("Lecture: type a count in the speaker's window", "Alt + 1 to 4"),
    "ask again": ("Lecture: ask again with other numbers", "R"),
    "timer": ("Lecture: start or stop the timer", "T"),
    "black": ("Lecture, remote: black screen, until the next key", "B"),
    "code": ("Lecture: code of the page's address", "Q"),
    "swap": ("Lecture: change the two screens", "X"),
    "edit": ("Lecture: open or lock editing", "E"),
    "toggle": ("Lecture, remote: begin, and end", "F5 or Esc, as remotes send them"),
}
"""What keys do in a lecture, and which, by act: for the list of shortcuts and docs/lessons.md."""

_DIGITS: Final = (0, 1, 2, 3, 4)
_DIGIT_KEYS: Final = {getattr(Qt.Key, f"Key_{digit}"): digit for digit in _DIGITS}
_EVDEV: Final = {10: 1, 11: 2, 12: 3, 13: 4, 19: 0, 87: 1, 88: 2, 89: 3, 83: 4, 90: 0}
"""The digit of each scan code of X11 and Wayland: of the top row, then of the keypad."""
_WINDOWS: Final = {2: 1, 3: 2, 4: 3, 5: 4, 11: 0}
"""The digit of each scan code of Windows; those of the keypad are shared with the arrows."""
_MAC: Final = {18: 1, 19: 2, 20: 3, 21: 4, 29: 0, 83: 1, 84: 2, 85: 3, 86: 4, 82: 0}
"""The digit of each virtual key of macOS."""
_KEYPAD_SCANS: Final = frozenset({87, 88, 89, 83, 90})


class Meaning(Struct, frozen=True):
    """An act, with the index of the choice for "hand", "take back" and "count", else −1."""

    act: Act
    choice: int = -1


def meaning_of(event: QKeyEvent) -> Meaning | None:
    """Return the act of a press in a lecture, or None for a key without one."""
    modifiers = event.modifiers() & ~(_KEYPAD | _GROUP)
    digit = _digit_of(event)
    if digit is not None and modifiers in (_NONE, _SHIFT, _ALT):
        if digit == 0:
            return Meaning("clear") if modifiers == _NONE else None
        return Meaning(_DIGIT_ACTS[modifiers], digit - 1)
    key = Qt.Key(event.key())
    if key == Qt.Key.Key_Space and modifiers == _SHIFT:
        return Meaning("back")
    if modifiers == _NONE and key in _ACTS:
        return Meaning(_ACTS[key])
    if modifiers == _SHIFT and event.text() == ".":  # where the full stop needs Shift
        return Meaning("reveal")
    return None


def _digit_of(event: QKeyEvent) -> int | None:
    """Return the digit of a key by its scan code, 0 to 4, or None."""
    scan, platform = event.nativeScanCode(), QGuiApplication.platformName()
    if platform in ("xcb", "wayland") and scan in _EVDEV:
        # without Num Lock the keypad has arrows and page keys
        with_arrows = scan in _KEYPAD_SCANS and not event.modifiers() & _SHIFT
        if not with_arrows or event.key() in _DIGIT_KEYS:
            return _EVDEV[scan]
    if platform == "windows" and scan in _WINDOWS:
        return _WINDOWS[scan]
    if sys.platform == "darwin" and platform == "cocoa":
        return _MAC.get(event.nativeVirtualKey())
    return _DIGIT_KEYS.get(event.key())


class Debounce:
    """Filters the second of two presses that a remote sends for one."""

    def __init__(self) -> None:
        self._act: Act = "nothing"
        self._accepted_at = -DEBOUNCE_MS

    def counts(self, act: Act, at: int) -> bool:
        """Return whether a press at a time in ms is no bounce; the other page key never is one."""
        if act == self._act and at - self._accepted_at < DEBOUNCE_MS:
            return False
        self._act, self._accepted_at = act, at
        return True
