"""start: checks what Qt needs to not abort, opens the window, and runs it until it is closed."""

from __future__ import annotations

import builtins
import gc
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from app.collector import CollectorPause

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from app.window.frame.main_window import MainWindow
    from engine.formats.native import Drawing


NO_DISPLAY = 3
SEEN = 200
"""Delay in milliseconds after which the first frame is on the screen."""


def start(argv: Sequence[str]) -> int:
    """Open the window with the file in `argv`, if any; returns the exit code.

    `argv` are the arguments after the program's name.
    """
    pause = CollectorPause()
    problem = _problem()
    if problem:
        pause.end()
        sys.stderr.write(f"backwire: {problem}\n")
        return NO_DISPLAY
    files = [Path(argument) for argument in argv if not argument.startswith("-")]
    return _run(lambda window: window.begin(files[0] if files else None), pause)


def start_handed_over() -> int:
    """Open the window with a graph that `Value.show()` hands over on standard input.

    Standard output gets one line: that the window is shown, or what prevents it.
    """
    pause = CollectorPause()
    from engine.errors import EngineError
    from engine.formats.native import read_drawing
    from engine.formats.strict_json import SIZE_LIMIT

    problem = _problem()
    drawing = None
    try:
        drawing = read_drawing(sys.stdin.buffer.read(SIZE_LIMIT + 1).decode("utf-8"))
    except (EngineError, UnicodeDecodeError) as error:
        problem = problem or str(error)
    if problem or drawing is None:
        pause.end()
        _answer(problem)
        return NO_DISPLAY
    return _run(lambda window: _begin_handed_over(window, drawing), pause)


def _begin_handed_over(window: MainWindow, drawing: Drawing) -> None:
    from engine.formats.value_display import READY

    window.begin_handed_over(drawing)
    _answer(READY)


def _answer(line: str) -> None:
    """Print one line on standard output, then close it."""
    with suppress(OSError):  # the reader may have ended
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _problem() -> str:
    """Return what prevents the window from opening, as a sentence, or ""."""
    problem = obstacle()
    if not problem:
        try:
            _load_pyside()
            import app.window.faults  # pyright: ignore  # noqa: F401  (it loads Qt)
        except ImportError as error:
            return import_obstacle(error)
    return problem


def _load_pyside() -> None:
    """Load PySide, and put back the `import` of Python that it replaces.

    Its own one notes which modules name PySide6 in their source, to know where its switches for
    other names of methods count. We use none, and an eighth of the start is saved.
    """
    own = builtins.__import__
    import_module("PySide6")
    builtins.__import__ = own


def _run(begin: Callable[[MainWindow], object], pause: CollectorPause) -> int:
    """Run the application until its end; returns the exit code.

    `pause` keeps the collector off until the window is visible: objects created now stay.
    """
    from app.window.faults import end_watch, watch_crashes

    crashes = watch_crashes()
    from PySide6.QtCore import QTimer

    from app.window.frame.main_window import MainWindow

    application = make_application()
    window = MainWindow()
    window.faults.install()
    begin(window)
    QTimer.singleShot(SEEN, window, lambda: _after_start(window, pause))
    code = application.exec()
    end_watch(crashes)
    return code


def _after_start(window: MainWindow, pause: CollectorPause) -> None:
    from app.window.interrupt import Interrupt

    Interrupt(window.context.files.recovery.keep, window)
    window.after_start()
    gc.collect()
    gc.freeze()
    pause.end()


def make_application() -> QApplication:
    """Create the QApplication with its name and its icon."""
    from PySide6.QtWidgets import QApplication

    from app.style.mark import app_icon
    from app.style.stylesheet import ARGUMENTS

    QApplication.setApplicationName("Backwire")
    QApplication.setOrganizationName("Backwire")
    QApplication.setDesktopFileName("backwire")
    application = QApplication(list(ARGUMENTS))
    application.setWindowIcon(app_icon())
    return application


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
