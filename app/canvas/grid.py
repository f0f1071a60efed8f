"""Grid: finds what lies in a rectangle without looking at everything."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Generic, TypeVar

from PySide6.QtCore import QRectF

CELL = 320.0

Key = TypeVar("Key", bound=Hashable)


class Grid(Generic[Key]):
    """Rectangles by key, sorted into square cells."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], set[Key]] = {}
        self._places: dict[Key, tuple[int, int, int, int]] = {}
        self._rects: dict[Key, QRectF] = {}

    def put(self, key: Key, rect: QRectF) -> None:
        """Add a rectangle, or move it."""
        self._rects[key] = rect
        span = _span(rect)
        if self._places.get(key) == span:
            return
        self.take(key, forget=False)
        self._places[key] = span
        for cell in _cells(span):
            self._cells.setdefault(cell, set()).add(key)

    def take(self, key: Key, forget: bool = True) -> None:
        """Remove a rectangle, if it is there."""
        if forget:
            self._rects.pop(key, None)
        span = self._places.pop(key, None)
        if span is not None:
            for cell in _cells(span):
                self._cells[cell].discard(key)

    def within(self, rect: QRectF) -> list[Key]:
        """The keys of all rectangles that touch this one."""
        rects = self._rects
        span = _span(rect)
        if (span[2] - span[0] + 1) * (span[3] - span[1] + 1) > len(self._cells):
            return [key for key, found in rects.items() if found.intersects(rect)]
        found: set[Key] = set()
        for cell in _cells(span):
            found |= self._cells.get(cell, set())
        return [key for key in found if rects[key].intersects(rect)]

    def clear(self) -> None:
        """Forget everything."""
        self._cells.clear()
        self._places.clear()
        self._rects.clear()


def _span(rect: QRectF) -> tuple[int, int, int, int]:
    return (
        int(rect.left() // CELL),
        int(rect.top() // CELL),
        int(rect.right() // CELL),
        int(rect.bottom() // CELL),
    )


def _cells(span: tuple[int, int, int, int]) -> Iterator[tuple[int, int]]:
    for i in range(span[0], span[2] + 1):
        for j in range(span[1], span[3] + 1):
            yield i, j
