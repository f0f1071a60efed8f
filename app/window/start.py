"""start: checks what the window needs, opens it, and runs it until it is closed."""

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
from app.window.obstacles import import_obstacle, obstacle

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
