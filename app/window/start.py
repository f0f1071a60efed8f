"""Starting the application: check that Qt can open a window, open it and run the event loop."""

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
"""Exit code where no window can be opened."""
FIRST_FRAME_DELAY = 200
"""Time in ms after which the first frame is surely on the screen."""


def start(argv: Sequence[str]) -> int:
    """Open the window with the first file in `argv`, if any; return the exit code.

    `argv` holds the arguments after the program's name.
    """
    pause = CollectorPause()
    problem = _startup_problem()
    if problem:
        pause.end()
        sys.stderr.write(f"backwire: {problem}\n")
        return NO_DISPLAY
    files = [Path(argument) for argument in argv if not argument.startswith("-")]
    return _run(lambda window: window.begin(files[0] if files else None), pause)


def start_handed_over(said: str | None = None) -> int:
    """Open the window with a graph that `Value.show()` writes to standard input.

    With a sentence, or an empty one, the backward pass is at its end: the program has run one.
    One line is written to standard output: READY once the window is shown, else the problem.
    """
    pause = CollectorPause()
    from engine.errors import EngineError
    from engine.formats.native import read_drawing
    from engine.formats.strict_json import SIZE_LIMIT

    problem = _startup_problem()
    drawing = None
    try:
        drawing = read_drawing(sys.stdin.buffer.read(SIZE_LIMIT + 1).decode("utf-8"))
    except (EngineError, UnicodeDecodeError) as error:
        problem = problem or str(error)
    if problem or drawing is None:
        pause.end()
        _reply(problem)
        return NO_DISPLAY
    return _run(lambda window: _begin_handed_over(window, drawing, said), pause)


def _begin_handed_over(window: MainWindow, drawing: Drawing, said: str | None) -> None:
    from engine.formats.value_display import READY

    window.begin_handed_over(drawing, said)
    _reply(READY)


def _reply(line: str) -> None:
    """Print one line on standard output, then close it: the reader waits for its end."""
    with suppress(OSError):  # the reader may have ended
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
    # not closed altogether, or the next opened file would get its descriptor
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):  # a pipe is read until all have left it
        if stream is not None and not stream.isatty():
            os.dup2(nowhere, stream.fileno())


def _startup_problem() -> str:
    """Return a sentence about why no window can be opened, or ""."""
    # before PySide is loaded, since Qt ends the process without a display
    problem = display_problem()
    if not problem:
        try:
            _load_pyside()
            import app.window.unexpected_ends  # pyright: ignore  # noqa: F401  (it loads Qt)
        except ImportError as error:
            return import_problem(error)
    return problem


def _load_pyside() -> None:
    """Import PySide, and restore the builtin `__import__` that it replaces.

    PySide's version searches the source of each imported module for `PySide6`, to find modules
    that use `__feature__` (snake_case, true_property). We use none; this saves 1/8 of the start.
    """
    python_import = builtins.__import__
    import_module("PySide6")
    builtins.__import__ = python_import


def _run(begin: Callable[[MainWindow], object], pause: CollectorPause) -> int:
    """Run the application until it ends; return the exit code.

    `begin` opens what the window shows first.

    `pause` keeps the garbage collector off until the window is shown: what the start creates lives
    as long as the window, and would be searched in vain.
    """
    from app.window.unexpected_ends import end_watch, watch_crashes

    crashes = watch_crashes()
    from PySide6.QtCore import QTimer

    from app.window.frame.main_window import MainWindow

    application = make_application()
    window = MainWindow()
    window.faults.install()
    begin(window)
    QTimer.singleShot(FIRST_FRAME_DELAY, window, lambda: _after_start(window, pause))
    code = application.exec()
    end_watch(crashes)
    return code


def _after_start(window: MainWindow, pause: CollectorPause) -> None:
    """Do the work that can wait for the first frame."""
    from app.window.unexpected_ends import Interrupt

    Interrupt(window.keep_copies, window)
    window.after_start()
    gc.collect()
    gc.freeze()  # later collections skip the objects of the start
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


_QT_LIBRARIES = {
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libxkbcommon.so.0": "libxkbcommon0",
}
"""Libraries that Qt is linked to, and the Debian packages that contain them."""
_X11_LIBRARIES = {
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb-shape.so.0": "libxcb-shape0",
}
"""The same for libraries that Qt loads to open a window on X11."""


def display_problem() -> str:
    """Return a sentence about a missing display or X11 library, or ""; Qt would abort."""
    platform = os.environ.get("QT_QPA_PLATFORM", "").partition(":")[0]
    if sys.platform != "linux" or platform not in ("", "xcb"):
        return ""
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return "There is no display: neither DISPLAY nor WAYLAND_DISPLAY is set."
    if platform == "" and os.environ.get("WAYLAND_DISPLAY"):
        return ""
    sentence = _missing_libraries(_X11_LIBRARIES)
    if not sentence and not _x_server_answers():
        return f'The display "{os.environ.get("DISPLAY", "")}" does not answer.'
    return sentence


def import_problem(error: ImportError) -> str:
    """Return a sentence about why Qt can't be imported: missing libraries, else the error."""
    return (
        _missing_libraries(_QT_LIBRARIES) if sys.platform == "linux" else ""
    ) or f"Qt can't be loaded: {error}."


def _missing_libraries(packages_by_library: dict[str, str]) -> str:
    """Return a sentence that names the libraries that can't be loaded and their packages, or ""."""
    missing = {
        library: package
        for library, package in packages_by_library.items()
        if not _can_load(library)
    }
    if not missing:
        return ""
    packages = " ".join(missing.values())
    return f"This system lacks {', '.join(missing)}: install {packages} and start again."


def _can_load(library: str) -> bool:
    import ctypes

    bundle = getattr(sys, "_MEIPASS", None)
    if bundle is not None and os.path.exists(os.path.join(bundle, library)):
        return True
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _x_server_answers() -> bool:
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
