"""Pauses of Python's garbage collector that may overlap: the last one to end switches it on."""

from __future__ import annotations

import gc


class CollectorPause:
    """Keeps the collector off from now on until `end`; one that is off already stays off."""

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
