"""Obstacles: checks what Qt needs before Qt would abort, and says in a sentence what is missing."""

from __future__ import annotations

import os
import sys

_LINKED = {
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libxkbcommon.so.0": "libxkbcommon0",
}
_NEEDED_FOR_X11 = {
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb-shape.so.0": "libxcb-shape0",
}


def obstacle() -> str:
    """Return one sentence about a missing display or a library for it, or ""."""
    platform = os.environ.get("QT_QPA_PLATFORM", "").partition(":")[0]
    if sys.platform != "linux" or platform not in ("", "xcb"):
        return ""
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return "There is no display: neither DISPLAY nor WAYLAND_DISPLAY is set."
    if platform == "" and os.environ.get("WAYLAND_DISPLAY"):
        return ""
    sentence = _lack(_NEEDED_FOR_X11)
    if not sentence and not _display_answers():
        return f'The display "{os.environ.get("DISPLAY", "")}" does not answer.'
    return sentence


def import_obstacle(error: ImportError) -> str:
    """Return one sentence about why Qt can't be imported: the libraries it is linked to, if any."""
    return (_lack(_LINKED) if sys.platform == "linux" else "") or f"Qt can't be loaded: {error}."


def _lack(wanted: dict[str, str]) -> str:
    missing = {name: package for name, package in wanted.items() if not _is_there(name)}
    if not missing:
        return ""
    packages = " ".join(missing.values())
    return f"This system lacks {', '.join(missing)}: install {packages} and start again."


def _is_there(name: str) -> bool:
    import ctypes

    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def _display_answers() -> bool:
    """Return whether the X server can be reached; Qt would abort if not."""
    import ctypes

    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return True  # Qt ships its own copy; let it try
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connect.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    xcb.xcb_connection_has_error.argtypes = [ctypes.c_void_p]
    xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(None, None)
    failed = bool(xcb.xcb_connection_has_error(connection))
    xcb.xcb_disconnect(connection)
    return not failed
