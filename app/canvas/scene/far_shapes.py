"""FarShapes: shapes of the zoomed-out sheet by colour, cached between paints.

Only what moved or changed its look is computed again, so a step updates a few of thousands.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from itertools import chain
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Look = TypeVar("Look", bound=Hashable)
Shape = TypeVar("Shape")


class FarShapes(Generic[Key, Look, Shape]):
    """Shapes of one kind; `read` returns the look and the shapes of a key, None if it is gone."""

    def __init__(self, read: Callable[[Key], tuple[Look, list[Shape]] | None]) -> None:
        self._read = read
        self._looks: dict[Key, Look] = {}
        self._sorted: dict[Look, dict[Key, list[Shape]]] = {}
        self._flat: dict[Look, list[Shape]] = {}
        self._stale: set[Key] = set()
        self._all_stale = True

    def forget(self, keys: Iterable[Key] | None = None) -> None:
        """Mark these keys, or all, as changed."""
        if keys is None:
            self._all_stale = True
        elif not self._all_stale:
            self._stale.update(keys)

    def shapes(self, keys: Iterable[Key]) -> dict[Look, list[Shape]]:
        """Return all shapes by their looks; `keys` are all that exist."""
        if self._all_stale:
            self._looks, self._sorted, self._flat = {}, {}, {}
            self._all_stale = False
            self._stale = set(keys)
        for key in self._stale:
            self._sort(key)
        self._stale.clear()
        for look, found in self._sorted.items():
            if look not in self._flat:
                self._flat[look] = list(chain.from_iterable(found.values()))
        return self._flat

    def some(self, keys: Iterable[Key]) -> dict[Look, list[Shape]]:
        """Return the shapes of a few keys by their looks."""
        found: dict[Look, list[Shape]] = {}
        for key in keys:
            read = self._read(key)
            if read is not None:
                found.setdefault(read[0], []).extend(read[1])
        return found

    def _sort(self, key: Key) -> None:
        """Update the shapes of a key."""
        before = self._looks.pop(key, None)
        if before is not None:
            del self._sorted[before][key]
            self._flat.pop(before, None)
        found = self._read(key)
        if found is not None:
            look, shapes = found
            self._looks[key] = look
            self._sorted.setdefault(look, {})[key] = shapes
            self._flat.pop(look, None)
