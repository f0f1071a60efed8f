"""Flash: refused things flash a few times, then stay lit."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, QObject, QTimer

TICK = 16
PERIOD, TIMES = 260.0, 3
"""Duration of one flash in milliseconds, and the number of flashes."""


def strength_after(milliseconds: float) -> float:
    """Return the brightness, 0 to 1, at a time: three cosine waves that start and end bright."""
    if milliseconds >= PERIOD * TIMES:
        return 1.0
    return 0.5 + 0.5 * math.cos(2 * math.pi * milliseconds / PERIOD)


class Flash:
    """Flashes one thing at a time; with animations switched off it is lit steadily."""

    def __init__(self, parent: QObject, redraw: Callable[[], None]) -> None:
        self._redraw = redraw
        self._since = QElapsedTimer()
        self._clock = QTimer(parent)
        self._clock.setInterval(TICK)
        self._clock.timeout.connect(self._tick)

    @property
    def strength(self) -> float:
        """Return the current brightness, from 0 to 1."""
        return strength_after(self._since.elapsed()) if self._clock.isActive() else 1.0

    def restart(self, wanted: bool) -> None:
        """Start the flashes from the beginning, or stop flashing if `wanted` is None."""
        self._since.start()
        if wanted:
            self._clock.start()
        else:
            self._clock.stop()

    def close(self) -> None:
        """Stop the timer for good."""
        self._clock.stop()
        self._clock.deleteLater()

    def _tick(self) -> None:
        if self._since.elapsed() >= PERIOD * TIMES:
            self._clock.stop()
        self._redraw()
