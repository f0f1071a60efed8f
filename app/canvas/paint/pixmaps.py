"""Pixmaps: the pixels of what has been drawn, at the scale at which it was drawn last."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import NamedTuple

from PySide6.QtGui import QPixmap

from app.style.theme import Theme

KEPT = 4_000_000
"""Capacity in px, about two screens."""


class Surface(NamedTuple):
    """What a pixmap is drawn for: theme, scale and device pixel ratio."""

    theme: Theme
    scale: float
    ratio: float


class Pixmaps:
    """Keeps pixmaps by what they show; those used longest ago are dropped first."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, tuple[QPixmap, Surface]] = OrderedDict()
        self._size = 0

    def find(self, what: Hashable, surface: Surface) -> QPixmap | None:
        """Return the pixmap drawn for this surface, or None."""
        found = self._kept.get(what)
        if found is None or found[1] != surface:
            return None
        self._kept.move_to_end(what)
        return found[0]

    def find_scaled(self, what: Hashable, surface: Surface) -> tuple[QPixmap, float] | None:
        """Return the pixmap drawn for this theme and screen, and how much larger it is needed."""
        found = self._kept.get(what)
        if found is None:
            return None
        pixmap, drawn_for = found
        if drawn_for._replace(scale=surface.scale) != surface:
            return None
        return pixmap, surface.scale / drawn_for.scale

    def keep(self, what: Hashable, pixmap: QPixmap, surface: Surface) -> None:
        """Keep a pixmap in place of the one that showed the same."""
        self.drop(what)
        self._kept[what] = (pixmap, surface)
        self._size += _pixels(pixmap)
        while self._size > KEPT and len(self._kept) > 1:
            self.drop(next(iter(self._kept)))

    def drop(self, what: Hashable) -> None:
        """Drop a pixmap, if there is one."""
        found = self._kept.pop(what, None)
        if found is not None:
            self._size -= _pixels(found[0])

    def clear(self) -> None:
        """Drop all pixmaps."""
        self._kept.clear()
        self._size = 0


def _pixels(pixmap: QPixmap) -> int:
    return pixmap.width() * pixmap.height()
