"""MovedRects: rectangles of nodes and groups that moved since the last query.

Wires that run near them are routed again."""

from __future__ import annotations

from collections.abc import Callable

from app.canvas.layout.geometry import Sides


class MovedRects:
    """Remembers rectangles before they change; what returns to its place has not changed."""

    def __init__(self, room: Callable[[int], Sides | None]) -> None:
        self._room = room
        self._before: dict[int, Sides | None] = {}

    def notice(self, key: int) -> None:
        """Something is about to move, change size, appear or go."""
        if key not in self._before:
            self._before[key] = self._room(key)

    def told(self) -> list[Sides]:
        """The rectangles left or taken since the last call."""
        before, self._before = self._before, {}
        found: list[Sides] = []
        for key, old in before.items():
            now = self._room(key)
            if now != old:
                found += [sides for sides in (old, now) if sides is not None]
        return found

    def forget(self) -> None:
        """Forget all changes so far."""
        self._before.clear()
