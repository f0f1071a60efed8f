"""Background: an iteration in a thread, for what takes longer than events may wait."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from threading import Thread
from typing import Final, Generic, TypeVar

Item = TypeVar("Item")

POLL: Final = 16
"""Milliseconds between two looks at what a thread has found."""


def in_background(items: Iterable[Item | None]) -> Iterator[Item | None]:
    """Yield what is found in a thread, and None while there is nothing new.

    The thread ends after its current item once the iterator is closed or forgotten. What is
    iterated must not use Qt.
    """
    work, taken = _Work(items), 0
    work.start()
    try:
        while True:
            alive = work.is_alive()  # asked first: then nothing can come after the last item
            while taken < len(work.found):
                yield work.found[taken]
                taken += 1
            if not alive:
                break
            yield None
    finally:
        work.stopped = True
    if work.error is not None:
        raise work.error


class _Work(Thread, Generic[Item]):
    """The thread, with what it has found; it does not keep the program from ending."""

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
