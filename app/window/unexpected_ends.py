"""Unexpected ends: errors, crashes, and signals such as that of Ctrl-C in the terminal.

Faults handles errors: log, rollback, dialog. `watch_crashes` logs crashes. Interrupt writes the
recovery copy and closes the window on a signal.
"""

from __future__ import annotations

import contextlib
import faulthandler
import inspect
import os
import signal
import socket
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, TextIO

from PySide6.QtCore import QCoreApplication, QObject, QSocketNotifier, QTimer
from PySide6.QtGui import QGuiApplication

from app.document.change import Change
from app.document.document import Document
from app.document.history import Edit
from app.document.recovery import state_folder
from app.window.dialogs.ask import Role, ask
from app.window.window_files import log_file, write_log

if TYPE_CHECKING:
    from app.window.context import Context


class Faults(QObject):
    """The `sys.excepthook` of a window: logs, rolls back, and shows each error once."""

    def __init__(self, context: Context) -> None:
        super().__init__(context.shell.widget)
        self._context = context
        self._reported: set[tuple[str, str, int]] = set()
        """The errors shown already: class, file and line where each was raised."""

    def install(self) -> None:
        """Handle all uncaught exceptions from now on."""
        sys.excepthook = self.handle

    def handle(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        """Log the error; roll back and show it once the event loop runs again."""
        if issubclass(kind, KeyboardInterrupt):
            self._context.shell.widget.close()
            return
        text = "".join(traceback.format_exception(kind, error, trace))
        write_log(text)
        # an error of a view that follows an edit: `Document.commit` is still on the stack here
        step = _step_being_committed(inspect.currentframe())
        frames = traceback.extract_tb(trace)[-1:] if trace else []
        # errors of one kind from one line count as the same error
        key = (text, "", 0)
        if frames:
            key = (kind.__name__, frames[0].filename, frames[0].lineno or 0)
        QTimer.singleShot(0, self, lambda: self._recover_and_report(key, text, step))

    def _recover_and_report(self, key: tuple[str, str, int], text: str, step: Edit | None) -> None:
        """Roll back, and show a dialog unless the same error was reported before."""
        rolled_back = step is not None and self._roll_back(step)
        if key in self._reported:
            return  # before the views rebuild, which may raise the same error again without end
        self._reported.add(key)
        self._rebuild_views()
        details = f"You can go on working. The details are in {log_file()}."
        if rolled_back:
            details = f"The change that was under way has been taken back. {details}"
        ask(
            self._context.shell.widget,
            "Something went wrong inside Backwire.",
            details,
            {
                ("Close", Role.REJECT): None,
                ("Copy details", Role.OTHER): lambda: QGuiApplication.clipboard().setText(text),
            },
        )

    def _roll_back(self, step: Edit) -> bool:
        """Undo the step that was being committed, without redo; never an earlier or later one."""
        document = self._context.document
        last = document.current
        # the commits of one gesture are merged into one step
        if last is not step and not (last.gesture == step.gesture != 0):
            return False
        with contextlib.suppress(Exception):  # of a view: the step is off the stack by then
            document.take_back()
        return True

    def _rebuild_views(self) -> None:
        """End the gesture, and let every view rebuild its content."""
        document = self._context.document
        with contextlib.suppress(Exception):
            self._context.cancel()
        nodes = frozenset(document.graph.nodes)
        document.changed.emit(Change(updated=nodes, moved=nodes, whole=True))


def watch_crashes() -> TextIO | None:
    """Let the interpreter write its stack to a file if it crashes; log files of earlier crashes."""
    folder = state_folder()
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        _log_earlier_crashes(folder)
        file = (folder / f"crash-{os.getpid()}.log").open("w", encoding="utf-8")
        faulthandler.enable(file)
        return file
    return None


def end_watch(file: TextIO | None) -> None:
    """Stop watching at a normal exit, and delete the file."""
    if file is None:
        return
    faulthandler.disable()
    file.close()
    with contextlib.suppress(OSError):
        Path(file.name).unlink(missing_ok=True)


def _log_earlier_crashes(folder: Path) -> None:
    """Move traces of crashed runs to the log, and remove empty files of killed ones."""
    for path in folder.glob("crash-*.log"):
        if path.stat().st_size:
            write_log(f"A run ended with a crash:\n{path.read_text('utf-8', 'replace')}")
            path.unlink(missing_ok=True)
        elif not _is_running(path.stem.removeprefix("crash-")):
            with contextlib.suppress(OSError):  # on Windows this fails for a running process
                path.unlink(missing_ok=True)


def _is_running(number: str) -> bool:
    """Return whether a process with this id is running; False if that is unknown."""
    if os.name != "posix" or not number.isdecimal():
        return False
    try:
        os.kill(int(number), 0)  # signal 0 is not sent: it only asks whether one could be
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):  # a process of another user
        return True
    return True


def _step_being_committed(frame: FrameType | None) -> Edit | None:
    """Return the step that a `Document.commit` on the stack is committing, or None."""
    while frame is not None:
        if frame.f_code is Document.commit.__code__:
            return frame.f_locals.get("step")
        frame = frame.f_back
    return None


SIGNALS = tuple(each for each in signal.Signals if each.name in ("SIGHUP", "SIGINT", "SIGTERM"))
"""SIGHUP, which Windows lacks, is sent when the terminal is closed."""


class Interrupt(QObject):
    """Ends the program on a signal, with exit code 128 plus its number, as shells report it.

    Python calls signal handlers between two of its bytecodes, and Qt's event loop may wait long
    before the next one. So `set_wakeup_fd` writes the number of the signal to a socket pair, whose
    other end Qt watches.
    """

    def __init__(self, write_recovery: Callable[[], object], parent: QObject) -> None:
        """`write_recovery` writes the copy of unsaved work that the next start offers."""
        super().__init__(parent)
        self._write_recovery = write_recovery
        self._read_end, self._write_end = socket.socketpair()
        for end in (self._read_end, self._write_end):
            end.setblocking(False)
        signal.set_wakeup_fd(self._write_end.fileno())
        # an ignored signal stays ignored, as nohup and background jobs of a shell expect
        self._handled = [n for n in SIGNALS if signal.getsignal(n) is not signal.SIG_IGN]
        for number in self._handled:
            signal.signal(number, _do_nothing)
        read = QSocketNotifier.Type.Read
        self._notifier = QSocketNotifier(self._read_end.fileno(), read, self)
        self._notifier.activated.connect(self._write_and_exit)
        application = QCoreApplication.instance()
        assert application is not None
        application.aboutToQuit.connect(self._restore_handlers)

    def _restore_handlers(self) -> None:
        """Restore the default handlers, which end the process, once the window is closed."""
        signal.set_wakeup_fd(-1)
        for number in self._handled:
            signal.signal(number, signal.SIG_DFL)

    def _write_and_exit(self) -> None:
        number = self._read_end.recv(1)[0]
        self._write_recovery()
        QCoreApplication.exit(128 + number)


def _do_nothing(_number: int, _frame: FrameType | None) -> None:
    """Replace the default handler, which would end the process; the socket has the number."""
