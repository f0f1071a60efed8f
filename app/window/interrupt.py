"""Ctrl-C in the terminal and SIGTERM: write the recovery copy and close the window."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable
from types import FrameType

from PySide6.QtCore import QCoreApplication, QObject, QSocketNotifier

SIGNALS = (signal.SIGINT, signal.SIGTERM)


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
