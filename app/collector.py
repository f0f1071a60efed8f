"""Python's garbage collector, stopped for a while (CollectorPause) or during a thread's work.

At the start nothing is garbage yet, so a collection only takes time, and so while a page is
written. While a thread runs, one could destroy a widget on that thread.

Pauses may overlap; the last one to end resumes the collector.
"""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Callable


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

    def __enter__(self) -> CollectorPause:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.end()

    def end(self) -> None:
        """End this pause; a second call does nothing."""
        if self._ended:
            return
        self._ended = True
        CollectorPause._open_pauses -= 1
        if not CollectorPause._open_pauses and CollectorPause._was_enabled:
            gc.enable()


class CollectorPausingThread:
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
