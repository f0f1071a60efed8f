"""Flash: what is refused flashes a few times, then stays lit."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, QObject, QTimer

TICK = 16
PERIOD, TIMES = 260.0, 3
"""Milliseconds from one flash to the next, and how many there are."""


def strength_after(milliseconds: float) -> float:
    """How strongly it is lit, from 0 to 1: three waves that begin and end bright."""
    if milliseconds >= PERIOD * TIMES:
        return 1.0
    return 0.5 + 0.5 * math.cos(2 * math.pi * milliseconds / PERIOD)


class Flash:
    """The flashing of one thing after the other; without motion it is lit at once."""

    def __init__(self, parent: QObject, redraw: Callable[[], None]) -> None:
        self._redraw = redraw
        self._since = QElapsedTimer()
        self._clock = QTimer(parent)
        self._clock.setInterval(TICK)
        self._clock.timeout.connect(self._tick)

    @property
    def strength(self) -> float:
        """How strongly it is lit now, from 0 to 1."""
        return strength_after(self._since.elapsed()) if self._clock.isActive() else 1.0

    def restart(self, wanted: bool) -> None:
        """Begin to flash anew, or flash no more."""
        self._since.start()
        if wanted:
            self._clock.start()
        else:
            self._clock.stop()

    def close(self) -> None:
        """It is not needed any more."""
        self._clock.stop()
        self._clock.deleteLater()

    def _tick(self) -> None:
        if self._since.elapsed() >= PERIOD * TIMES:
            self._clock.stop()
        self._redraw()
