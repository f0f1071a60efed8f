"""CollectorPause: stops Python's garbage collector for a while.

At the start nothing is garbage yet, so a collection only takes time. While a thread saves, one
could destroy a widget on that thread.

Pauses may overlap; the last one to end resumes the collector.
"""

from __future__ import annotations

import gc


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
