"""Pauses Python's garbage collector; pauses may overlap, and the last one to end resumes it."""

from __future__ import annotations

import gc


class CollectorPause:
    """Disables the collector until `end`; a collector that was disabled before stays disabled."""

    _open = 0
    _was_enabled = True

    def __init__(self) -> None:
        if not CollectorPause._open:
            CollectorPause._was_enabled = gc.isenabled()
        CollectorPause._open += 1
        self._ended = False
        gc.disable()

    def end(self) -> None:
        """End this pause; a second call does nothing."""
        if self._ended:
            return
        self._ended = True
        CollectorPause._open -= 1
        if not CollectorPause._open and CollectorPause._was_enabled:
            gc.enable()
