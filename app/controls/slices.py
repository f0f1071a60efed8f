"""Slices: runs a generator a few milliseconds at a time, so that events get their turn."""

from __future__ import annotations

from collections.abc import Callable, Generator
from math import ceil
from time import perf_counter

from PySide6.QtCore import QObject, Qt, QTimer, Signal

Work = Generator[int | None, None, object]
"""Yields None where a slice may end, and a number to end it here: the milliseconds from the
beginning of this slice to that of the next."""


class Slices(QObject):
    """Runs one generator at a time; an exception in it ends it and leaves the slice."""

    progressed = Signal()
    """Emitted after each slice but the last."""
    finished = Signal(object)
    """Emitted with the return value of the generator."""

    def __init__(
        self, parent: QObject, budget: int = 8, clock: Callable[[], float] = perf_counter
    ) -> None:
        """`budget` is the length of a slice in ms; the default is half a frame."""
        super().__init__(parent)
        self._budget, self._clock = budget / 1000, clock
        self._work: Work | None = None
        self._started, self._slice_start, self._slice_end = False, 0.0, 0.0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._run_slice)

    @property
    def active(self) -> bool:
        """Return whether there is a generator, running or about to start."""
        return self._work is not None

    @property
    def started(self) -> bool:
        """Return whether the generator has had its first slice."""
        return self.active and self._started

    @property
    def spent(self) -> bool:
        """Return whether this slice has used up its time."""
        return self._clock() >= self._slice_end

    def start(self, work: Work, after: int | None = None) -> None:
        """Run a generator in place of the one before: after some ms, or a first slice at once."""
        self._work, self._started = work, False
        if after is None:
            self._timer.stop()
            self._run_slice()
        else:
            self._timer.start(after)

    def cancel(self) -> None:
        """Give the generator up; a generator may call this itself."""
        self._timer.stop()
        self._work = None

    def _run_slice(self) -> None:
        work = self._work
        if work is None:
            return
        self._started, self._slice_start = True, self._clock()
        self._slice_end = self._slice_start + self._budget
        try:
            pause = next(work)
            while pause is None and self._work is work and not self.spent:
                pause = next(work)
        except BaseException as end:
            if self._work is work:
                self._work = None
                if isinstance(end, StopIteration):
                    self.finished.emit(end.value)
            if not isinstance(end, StopIteration):
                raise
            return
        if self._work is work:
            elapsed = 1000 * (self._clock() - self._slice_start)
            self._timer.start(max(0, ceil((pause or 0) - elapsed)))
            self.progressed.emit()
