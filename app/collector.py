"""CollectorPause: stops Python's garbage collector for a while; QuietThread: a thread without it.

`BackgroundImport` imports libraries in such a thread.

At the start nothing is garbage yet, so a collection only takes time. While a thread runs, one could
destroy a widget on that thread.

Pauses may overlap; the last one to end resumes the collector.
"""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

_POLL_MS = 30
"""Milliseconds between two checks whether the libraries are imported."""


class CollectorPause:
    """Disables the collector until `end`; a collector that was disabled before stays disabled."""

    _open_pauses = 0
    _was_enabled = True

    def __init__(self) -> None:
        if not CollectorPause._open_pauses:
            CollectorPause._was_enabled = gc.isenabled()
        CollectorPause._open_pauses += 1
        self._ended = False
        gc.disable()

    def end(self) -> None:
        """End this pause; a second call does nothing."""
        if self._ended:
            return
        self._ended = True
        CollectorPause._open_pauses -= 1
        if not CollectorPause._open_pauses and CollectorPause._was_enabled:
            gc.enable()


class QuietThread:
    """A running thread that accesses no Qt object, and during which no garbage is collected."""

    def __init__(self, work: Callable[..., object], *arguments: object) -> None:
        self._thread = threading.Thread(target=work, args=arguments)
        self.wait = weakref.finalize(self, _join, self._thread, CollectorPause())
        """Waits for the end, and collects again; also called when this object is collected."""
        self._thread.start()

    @property
    def finished(self) -> bool:
        """Return whether the thread has ended."""
        return not self._thread.is_alive()


def _join(thread: threading.Thread, pause: CollectorPause) -> None:
    thread.join()
    pause.end()


class BackgroundImport(QObject):
    """Imports libraries in a quiet thread, for they take up to half a second."""

    def __init__(self, names: tuple[str, ...], parent: QObject) -> None:
        super().__init__(parent)
        self._names = names
        self._thread: QuietThread | None = None
        self._timer = QTimer(self, interval=_POLL_MS)
        self._timer.timeout.connect(self._end_pause)

    @property
    def finished(self) -> bool:
        """Return whether the import was started and has ended."""
        return self._thread is not None and self._thread.finished

    def start(self) -> None:
        """Import the libraries; a second call does nothing."""
        if self._thread is None:
            self._thread = QuietThread(_import_all, self._names)
            self._timer.start()

    def _end_pause(self) -> None:
        """Collect garbage again once the thread has ended."""
        if self._thread is not None and self._thread.finished:
            self._timer.stop()
            self._thread.wait()


def _import_all(names: tuple[str, ...]) -> None:
    for name in names:
        __import__(name)
