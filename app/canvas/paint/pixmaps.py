"""Pixmaps: the pixels of what has been drawn, at the scale at which it was drawn last."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import NamedTuple

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPixmap

from app.style.theme import Theme

LEAST = 4_000_000
"""Capacity in px for a small screen."""
SCREENS = 2
"""Number of screens that the capacity is for."""


class Surface(NamedTuple):
    """What a pixmap is drawn for: theme, scale and device pixel ratio."""

    theme: Theme
    scale: float
    ratio: float


class Drawn(NamedTuple):
    """A pixmap, what it was drawn for, and how that looked."""

    pixmap: QPixmap
    surface: Surface
    look: object


class Pixmaps:
    """Keeps pixmaps by what they are of; those used longest ago are dropped first."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, Drawn] = OrderedDict()
        self._size, self._capacity = 0, LEAST

    def fit(self, screen: float) -> None:
        """Set the capacity for a screen with this number of px."""
        self._capacity = max(LEAST, round(SCREENS * screen))

    def find(self, what: Hashable, surface: Surface, look: object = None) -> QPixmap | None:
        """Return the pixmap of something that looks like this on this surface, or None."""
        found = self._kept.get(what)
        if found is None or found.surface != surface or found.look != look:
            return None
        self._kept.move_to_end(what)
        return found.pixmap

    def find_scaled(
        self, what: Hashable, surface: Surface, look: object = None
    ) -> tuple[QPixmap, float] | None:
        """Return the same for any scale, and how much larger it is needed."""
        found = self._kept.get(what)
        if found is None or found.look != look:
            return None
        if found.surface._replace(scale=surface.scale) != surface:
            return None
        return found.pixmap, surface.scale / found.surface.scale

    def keep(self, what: Hashable, pixmap: QPixmap, surface: Surface, look: object = None) -> None:
        """Keep a pixmap in place of another one of the same thing."""
        self._drop(what)
        self._kept[what] = Drawn(pixmap, surface, look)
        self._size += _pixels(pixmap)
        while self._size > self._capacity and len(self._kept) > 1:
            self._drop(next(iter(self._kept)))

    def clear(self) -> None:
        """Drop all pixmaps."""
        self._kept.clear()
        self._size = 0

    def _drop(self, what: Hashable) -> None:
        found = self._kept.pop(what, None)
        if found is not None:
            self._size -= _pixels(found.pixmap)


def whole_px(x: float, y: float, ratio: float) -> QPointF:
    """Return the nearest point of whole device px, where pixels stay sharp."""
    return QPointF(round(x * ratio) / ratio, round(y * ratio) / ratio)


def _pixels(pixmap: QPixmap) -> int:
    return pixmap.width() * pixmap.height()
