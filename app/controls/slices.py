"""Long work that keeps the window responsive: in time slices, in a thread, imports in a thread."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from math import ceil
from threading import Thread
from time import perf_counter, sleep
from typing import Final, Generic, TypeVar

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from app.collector import CollectorPause, CollectorPausingThread
from engine.errors import EngineError

Work = Generator[int | None, None, object]
"""Yields None where a slice may end, and a number to end it here: the milliseconds from the
beginning of this slice to that of the next."""


class Slices(QObject):
    """Runs one generator at a time; an exception ends it and propagates to the event loop."""

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
        """Return whether this slice has used up its time; a generator may ask, and yield then."""
        return self._clock() >= self._slice_end

    def start(self, work: Work, after: int | None = None) -> None:
        """Replace the generator; its first slice runs after some ms, or at once with None."""
        self._work, self._started = work, False
        if after is None:
            self._timer.stop()
            self._run_slice()
        else:
            self._timer.start(after)

    def cancel(self) -> None:
        """Drop the generator, which may call this itself."""
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
            # the generator may have cancelled itself, or started another one
            while pause is None and self._work is work and not self.spent:
                pause = next(work)
        except BaseException as end:  # StopIteration: it has returned
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


Result = TypeVar("Result")


def drained(work: Generator[int | None, None, Result]) -> Result:
    """Run a generator to its end, and return what it returns; wait as long as it says."""
    while True:
        try:
            sleep((next(work) or 0) / 1000)
        except StopIteration as end:
            return end.value


def with_error_as_result(
    work: Generator[int | None, None, Result],
) -> Generator[int | None, None, Result | EngineError]:
    """Do the work and return its result, or its EngineError as a value.

    `Slices` would raise the error in the event loop, where it counts as a fault.
    """
    try:
        return (yield from work)
    except EngineError as error:
        return error


Item = TypeVar("Item")

POLL: Final = 16
"""Milliseconds between two polls of a thread."""


def in_background(items: Iterable[Item | None]) -> Generator[Item | None, None, None]:
    """Yield the items that a thread finds, and None while there is no new one.

    The thread ends after its current item once this iterator is closed or garbage collected.
    `items` must not use Qt. No garbage is collected meanwhile: the thread could destroy widgets.
    """
    work, yielded, pause = _Iteration(items), 0, CollectorPause()
    work.start()
    try:
        while True:
            alive = work.is_alive()  # read before the items, or the last ones could be missed
            while yielded < len(work.found):
                yield work.found[yielded]
                yielded += 1
            if not alive:
                break
            yield None
    finally:
        work.stopped = True
        pause.end()
    if work.error is not None:
        raise work.error


class _Iteration(Thread, Generic[Item]):
    """The daemon thread, with the items found."""

    def __init__(self, items: Iterable[Item | None]) -> None:
        super().__init__(daemon=True)
        self._items = items
        self.found: list[Item] = []
        self.error: Exception | None = None
        self.stopped = False

    def run(self) -> None:
        try:
            for item in self._items:
                if self.stopped:
                    return
                if item is not None:
                    self.found.append(item)
        except Exception as error:
            self.error = error


_IMPORT_POLL_MS: Final = 30
"""Milliseconds between two checks whether the libraries are imported."""


class BackgroundImport(QObject):
    """Imports libraries in a quiet thread, for they take up to half a second."""

    ended = Signal()

    def __init__(self, names: tuple[str, ...], parent: QObject) -> None:
        super().__init__(parent)
        self._names = names
        self._thread: CollectorPausingThread | None = None
        self._timer = QTimer(self, interval=_IMPORT_POLL_MS)
        self._timer.timeout.connect(self._end_pause)

    @property
    def finished(self) -> bool:
        """Return whether the import was started and has ended."""
        return self._thread is not None and self._thread.finished

    def start(self) -> None:
        """Import the libraries; a second call does nothing."""
        if self._thread is None:
            self._thread = CollectorPausingThread(_import_all, self._names)
            self._timer.start()

    def _end_pause(self) -> None:
        """Collect garbage again once the thread has ended."""
        if self._thread is not None and self._thread.finished:
            self._timer.stop()
            self._thread.wait()
            self.ended.emit()


def _import_all(names: tuple[str, ...]) -> None:
    for name in names:
        __import__(name)
