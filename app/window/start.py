"""start: check what the window needs, open it, and keep it running until it is closed."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app.window.obstacles import obstacle

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

NO_DISPLAY = 3
SEEN = 200
"""Milliseconds after which the first picture is on the screen."""


def start(argv: Sequence[str]) -> int:
    """Open the window, with the file that is named; returns the exit code.

    `argv` are the arguments behind the program's name.
    """
    problem = obstacle()
    if problem:
        sys.stderr.write(f"backwire: {problem}\n")
        return NO_DISPLAY
    try:
        from app.window.faults import end_watch, watch_crashes
    except ImportError as error:
        sys.stderr.write(f"backwire: Qt can't be loaded: {error}.\n")
        return NO_DISPLAY
    gc.disable()  # until the window is seen: what is made now stays
    crashes = watch_crashes()
    code = _run(argv)
    end_watch(crashes)
    return code


def _run(argv: Sequence[str]) -> int:
    from PySide6.QtCore import QTimer

    from app.window.main_window import MainWindow

    application = make_application()
    window = MainWindow()
    window.faults.install()
    files = [argument for argument in argv if not argument.startswith("-")]
    window.begin(Path(files[0]) if files else None)
    QTimer.singleShot(SEEN, window, window.after_start)
    return application.exec()


def make_application() -> QApplication:
    """The one QApplication, with its name and its icon."""
    from PySide6.QtWidgets import QApplication

    from app.style.mark import app_icon

    QApplication.setApplicationName("Backwire")
    QApplication.setOrganizationName("Backwire")
    QApplication.setDesktopFileName("backwire")
    application = QApplication(["backwire"])
    application.setWindowIcon(app_icon())
    return application
