"""On Ctrl-C in the terminal, or SIGTERM, keeps unsaved work and closes the window."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable
from types import FrameType

from PySide6.QtCore import QCoreApplication, QObject, QSocketNotifier

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupt(QObject):
    """Ends the program on a signal, with exit code 128 plus its number, as shells do.

    Python runs signal handlers only between two of its own instructions, and Qt's event loop may
    wait long before the next one. So the number of the signal arrives through a socket that Qt
    watches.
    """

    def __init__(self, keep: Callable[[], object], parent: QObject) -> None:
        """`keep` writes unsaved work to where the next start finds it."""
        super().__init__(parent)
        self._keep = keep
        self._reading, self._writing = socket.socketpair()
        for end in (self._reading, self._writing):
            end.setblocking(False)
        signal.set_wakeup_fd(self._writing.fileno())
        self._taken = [n for n in SIGNALS if signal.getsignal(n) is not signal.SIG_IGN]
        for number in self._taken:
            signal.signal(number, _take)
        read = QSocketNotifier.Type.Read
        self._notifier = QSocketNotifier(self._reading.fileno(), read, self)
        self._notifier.activated.connect(self._keep_and_exit)
        application = QCoreApplication.instance()
        assert application is not None
        application.aboutToQuit.connect(self._end)

    def _end(self) -> None:
        """Let signals end the process at once again, after the window is closed."""
        signal.set_wakeup_fd(-1)
        for number in self._taken:
            signal.signal(number, signal.SIG_DFL)

    def _keep_and_exit(self) -> None:
        number = self._reading.recv(1)[0]
        self._keep()
        QCoreApplication.exit(128 + number)  # as a shell reports a process ended by a signal


def _take(_number: int, _frame: FrameType | None) -> None:
    """Do nothing; the socket has the number already."""
