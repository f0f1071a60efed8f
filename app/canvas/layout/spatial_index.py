"""SpatialIndex: a uniform grid of rectangles for area queries."""

from __future__ import annotations

from collections.abc import Callable, Hashable, KeysView
from typing import Generic, Protocol, TypeVar

Sides = tuple[float, float, float, float]
"""Left, top, right and bottom."""

CELL = 320.0
"""Side of a cell, in sheet px: about two nodes with the wire between them."""
MAX_CELLS = 1_000
"""A rectangle over more cells than this is kept apart and checked in every query."""

Key = TypeVar("Key", bound=Hashable)


class Rect(Protocol):
    """A rectangle of Qt, which this file does not import: pages are written without it."""

    def left(self) -> float: ...
    def top(self) -> float: ...
    def right(self) -> float: ...
    def bottom(self) -> float: ...


class SpatialIndex(Generic[Key]):
    """Rectangles by key, sorted into square cells.

    Painting may exceed an entry's rectangle by `margin_x` on both sides, by `margin_y` above and
    below.
    """

    def __init__(self, margin_x: float = 0.0, margin_y: float = 0.0) -> None:
        self._margin_x, self._margin_y = margin_x, margin_y
        self._cells: dict[tuple[int, int], set[Key]] = {}
        self._spans: dict[Key, tuple[int, int, int, int]] = {}
        """The first column and row of cells of each rectangle, then the last ones."""
        self._huge: set[Key] = set()
        """The rectangles over more than MAX_CELLS cells."""
        self._sides: dict[Key, Sides] = {}

    def insert(self, key: Key, sides: Sides) -> None:
        """Add a rectangle, or replace it."""
        self._sides[key] = sides
        span = _cell_span(sides)
        before = self._spans.get(key)
        if before == span:
            return
        if before is not None:
            self.remove(key, forget=False)
        self._spans[key] = span
        if _cell_count(span) > MAX_CELLS:
            self._huge.add(key)
            return
        for cell in _cells(span):
            self._cells.setdefault(cell, set()).add(key)

    def remove(self, key: Key, forget: bool = True) -> None:
        """Remove a rectangle, if it is there; unless `forget`, from its cells alone."""
        if forget:
            self._sides.pop(key, None)
        span = self._spans.pop(key, None)
        if key in self._huge:
            self._huge.discard(key)
        elif span is not None:
            for cell in _cells(span):
                self._cells[cell].discard(key)

    def within(self, rect: Rect) -> list[Key]:
        """Return the keys of all entries whose painting may touch a rectangle."""
        left, top, right, bottom = sides_of(rect)
        x, y = self._margin_x, self._margin_y
        return self.touching((left - x, top - y, right + x, bottom + y))

    def touching(self, sides: Sides) -> list[Key]:
        """Return the keys of all rectangles that touch this one."""
        left, top, right, bottom = sides
        span = _cell_span(sides)
        # then checking every rectangle is faster than every cell
        if _cell_count(span) > len(self._cells):
            return [
                key
                for key, (a, b, c, d) in self._sides.items()
                if a < right and c > left and b < bottom and d > top
            ]
        found = set(self._huge)
        for cell in _cells(span):
            found |= self._cells.get(cell, set())
        rects = self._sides
        return [
            key
            for key in found
            if (r := rects[key])[0] < right and r[2] > left and r[1] < bottom and r[3] > top
        ]

    def lies_in(self, rect: Rect) -> bool:
        """Return whether all rectangles lie in this one; stops at the first that does not."""
        left, top, right, bottom = sides_of(rect)
        return all(
            a >= left and b >= top and c <= right and d <= bottom
            for a, b, c, d in self._sides.values()
        )

    def covered_share(self, rect: Rect) -> float:
        """Return the share of all cells that a rectangle covers; above 1 if it is larger."""
        first, above, last, below = _cell_span(
            (rect.left(), rect.top(), rect.right(), rect.bottom())
        )
        return (last - first + 1) * (below - above + 1) / max(1, len(self._cells))

    def keys(self) -> KeysView[Key]:
        """Return the keys of all rectangles."""
        return self._sides.keys()

    def sides(self, key: Key) -> Sides:
        """Return the rectangle of a key."""
        return self._sides[key]

    def get(self, key: Key) -> Sides | None:
        """Return the rectangle of a key, or None."""
        return self._sides.get(key)


def overlap(one: Sides, other: Sides) -> bool:
    """Return whether two rectangles overlap."""
    return one[0] < other[2] and one[2] > other[0] and one[1] < other[3] and one[3] > other[1]


def _cell_span(sides: Sides) -> tuple[int, int, int, int]:
    return (
        int(sides[0] // CELL),
        int(sides[1] // CELL),
        int(sides[2] // CELL),
        int(sides[3] // CELL),
    )


def _cell_count(span: tuple[int, int, int, int]) -> int:
    first, above, last, below = span
    return (last - first + 1) * (below - above + 1)


def _cells(span: tuple[int, int, int, int]) -> list[tuple[int, int]]:
    first, above, last, below = span
    return [(i, j) for i in range(first, last + 1) for j in range(above, below + 1)]


class MovedRects(Generic[Key]):
    """Records rectangles before they change; one that returns to its place does not count."""

    def __init__(self, rect_of: Callable[[Key], Sides | None]) -> None:
        self._rect_of = rect_of
        self._before: dict[Key, Sides | None] = {}

    def note(self, key: Key) -> None:
        """Record a rectangle that is about to move, change size, appear or disappear."""
        if key not in self._before:
            self._before[key] = self._rect_of(key)

    def pop_areas(self) -> list[Sides]:
        """Return the old and new rectangles of all entries changed since the last call."""
        before, self._before = self._before, {}
        found: list[Sides] = []
        for key, old in before.items():
            now = self._rect_of(key)
            if now != old:
                found += [sides for sides in (old, now) if sides is not None]
        return found


def sides_of(rect: Rect) -> Sides:
    """Return the sides of a rectangle as plain numbers."""
    return rect.left(), rect.top(), rect.right(), rect.bottom()
