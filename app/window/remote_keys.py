"""Remote keys: the act of a key press in a lecture, for any keyboard layout or remote.

    meaning_of(event)   act of a press: Meaning("hand", 2) of the key 3
    Debounce            two presses of a page key within 250 ms count once
    RemoteDialog        shows the name and the act of each pressed key

Digits are identified by scan code: their keys give `!`, `"`, `§` or `&` in some layouts.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Final, Literal

from msgspec import Struct
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QDialog, QLabel, QWidget

from app.controls.layouts import in_column, plain_label
from app.guard import exception_safe
from app.style import sizes
from app.style.current import Style

Act = Literal[
    "on",
    "back",
    "step on",
    "step back",
    "reveal",
    "black",
    "white",
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
    Qt.Key.Key_W: "white",
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
_DESCRIPTIONS: Final[Mapping[Act, str]] = {
    "on": "next mark, or the answer",
    "back": "the question again, or the mark before",
    "step on": "one step on within the mark",
    "step back": "one step back within the mark",
    "reveal": "the answer; without a question it covers the next number",
    "black": "black screen, until the next key",
    "white": "white screen, until the next key",
    "code": "code of the page's address, until the next key",
    "edit": "opens and locks editing",
    "end": "ends the lecture",
    "toggle": "begins and ends the lecture",
    "clear": "no hands",
    "timer": "starts and stops the timer",
    "ask again": "the same question with new numbers",
    "swap": "the two screens change places",
    "nothing": "nothing",
}

_DIGITS: Final = (0, 1, 2, 3, 4)
_DIGIT_KEYS: Final = {getattr(Qt.Key, f"Key_{digit}"): digit for digit in _DIGITS}
_EVDEV: Final = {10: 1, 11: 2, 12: 3, 13: 4, 19: 0, 87: 1, 88: 2, 89: 3, 83: 4, 90: 0}
"""The digit of each scan code of X11 and Wayland: of the top row, then of the keypad."""
_WINDOWS: Final = {2: 1, 3: 2, 4: 3, 5: 4, 11: 0}
"""The digit of each scan code of Windows; those of the keypad are shared with the arrows."""
_MAC: Final = {18: 1, 19: 2, 20: 3, 21: 4, 29: 0, 83: 1, 84: 2, 85: 3, 86: 4, 82: 0}
"""The digit of each virtual key of macOS."""
_KEYPAD_SCANS: Final = frozenset({87, 88, 89, 83, 90})
_SHIFTED: Final = {
    Qt.Key.Key_Exclam: 1,
    Qt.Key.Key_At: 2,
    Qt.Key.Key_QuoteDbl: 2,
    Qt.Key.Key_NumberSign: 3,
    Qt.Key.Key_section: 3,
    Qt.Key.Key_sterling: 3,
    Qt.Key.Key_Dollar: 4,
    Qt.Key.Key_currency: 4,
    Qt.Key.Key_ParenRight: 0,
    Qt.Key.Key_Equal: 0,
}
"""The digit of each shifted key of the top row in common layouts, for lack of a scan code."""


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


def key_description(event: QKeyEvent) -> tuple[str, str]:
    """Return the name of the pressed key, and the description of its act in a lecture."""
    key = Qt.Key(event.key())
    name = QKeySequence(event.keyCombination()).toString(QKeySequence.SequenceFormat.NativeText)
    if key in VOLUME_KEYS:
        return name, "ignored"
    meaning = meaning_of(event)
    if meaning is None:
        return name or event.text() or "a key without a name", "nothing"
    letter = "ABCD"[meaning.choice]
    description_of_choice = {
        "hand": f"one hand for {letter}",
        "take back": f"one hand less for {letter}",
        "count": f"the count of {letter} in the speaker's window",
    }
    return name, description_of_choice.get(meaning.act) or _DESCRIPTIONS[meaning.act]


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
    if event.key() in _DIGIT_KEYS:
        return _DIGIT_KEYS[event.key()]
    if not scan and event.modifiers() & _SHIFT:
        return _SHIFTED.get(Qt.Key(event.key()))
    return None


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


# to try a remote

_SIZE = (420, 190)
"""Width and height of the dialog, in px at 100 %."""
_PROMPT = "Press a key of the remote."
_CLOSES = "Esc twice closes this."


@exception_safe
class RemoteDialog(QDialog):
    """Shows every key instead of obeying it, to try a remote before the lecture."""

    def __init__(self, style: Style, parent: QWidget) -> None:
        super().__init__(parent)
        px = style.px
        self._last_was_escape = False
        """Whether the last key was Esc."""
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Remote")
        self.key = _remote_label(_PROMPT, "title")
        """The name of the last key."""
        self.act = _remote_label("", "")
        """The description of its act in a lecture."""
        in_column(
            1,
            self.key,
            self.act,
            1,
            _remote_label(_CLOSES, "caption"),
            parent=self,
            style=style,
            edges=sizes.SPACES[4],
            gap=sizes.SPACES[2],
        )
        self.setFixedSize(px(_SIZE[0]), px(_SIZE[1]))

    def event(self, event: QEvent) -> bool:
        """Consume a key before it becomes a shortcut, moves the focus or closes the dialog."""
        if not isinstance(event, QKeyEvent) or event.type() not in (
            QEvent.Type.ShortcutOverride,
            QEvent.Type.KeyPress,
        ):
            return super().event(event)
        event.accept()
        is_press = event.type() == QEvent.Type.KeyPress and not event.isAutoRepeat()
        if is_press and Qt.Key(event.key()) not in MODIFIER_KEYS:
            self._show_key(event)
        return True

    def _show_key(self, event: QKeyEvent) -> None:
        is_escape = event.key() == Qt.Key.Key_Escape
        if is_escape and self._last_was_escape:
            self.reject()
            return
        self._last_was_escape = is_escape
        name, act = key_description(event)
        self.key.setText(name)
        self.act.setText(act)
        self.setAccessibleDescription(f"{name}: {act}")


def _remote_label(text: str, kind: str) -> QLabel:
    label = plain_label(text, kind, wraps=True)
    label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
    label.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return label
