"""Unrest: what stands elsewhere, or takes other room, than when one last looked."""

from __future__ import annotations

from collections.abc import Callable

from app.canvas.layout.geometry import Sides


class ChangedRooms:
    """Remembers the room of all that is about to change; what comes back home has not changed."""

    def __init__(self, room: Callable[[int], Sides | None]) -> None:
        self._room = room
        self._before: dict[int, Sides | None] = {}

    def notice(self, key: int) -> None:
        """Something is about to take other room, to go, or to come."""
        if key not in self._before:
            self._before[key] = self._room(key)

    def told(self) -> list[Sides]:
        """The rooms that were left or taken since this was last told."""
        before, self._before = self._before, {}
        found: list[Sides] = []
        for key, old in before.items():
            now = self._room(key)
            if now != old:
                found += [sides for sides in (old, now) if sides is not None]
        return found

    def forget(self) -> None:
        """All is as it should be."""
        self._before.clear()
