"""Arrivals: what comes into view and may be drawn whole a few frames later."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import NamedTuple

from PySide6.QtCore import QRectF

FRESH = 3
"""How many nodes without a pixmap a frame draws after the view has changed; labels cost less."""
LATER = 8
"""The same for a frame that follows, which has less else to do."""
MayWait = Callable[[Hashable, QRectF, float], bool]
"""Whether a node or label without a pixmap, in this area of the sheet, may be left out for now;
the last number is what drawing it costs, relative to a node with all its texts."""


class View(NamedTuple):
    """What one frame shows: which wiring, and which area of it at which scale."""

    structure: object
    area: QRectF
    scale: float


class Arrivals:
    """Lets a frame in time leave out details of what has just come into view.

    Whatever was in view before at this scale is drawn whole at once, so that numbers never vanish
    while they change.
    """

    def __init__(self) -> None:
        self._before: View | None = None
        self._now: View | None = None
        self._left = 0.0
        self._late: set[Hashable] = set()
        self._taken: frozenset[Hashable] = frozenset()

    @property
    def all_drawn(self) -> bool:
        """Return whether nothing is left out of what is in view."""
        return not self._late and not self._taken

    def begin(self, view: View) -> None:
        """Begin a frame."""
        self._before, self._now = self._now, view
        self._left = LATER if view == self._before else FRESH
        if self._before is None or self._before.structure is not view.structure:
            self._late, self._taken = set(), frozenset()

    def may_wait(self, what: Hashable, area: QRectF, cost: float) -> bool:
        """Return whether a node or label without a pixmap may be left to a later frame."""
        if what not in self._late and what not in self._taken and not self._arrives(area):
            return False
        self._late.discard(what)
        if self._left > 0:
            self._left -= cost
            return False
        self._late.add(what)
        return True

    def take_late(self) -> bool:
        """Return whether anything was left out; it may wait again if others come before it."""
        self._taken, self._late = frozenset(self._late), set()
        return bool(self._taken)

    def _arrives(self, area: QRectF) -> bool:
        before, now = self._before, self._now
        if before is None or now is None or before.structure is not now.structure:
            return False
        return before.scale != now.scale or not before.area.intersects(area)


def at_once(_what: Hashable, _area: QRectF, _cost: float) -> bool:
    """Return that nothing may wait, as in a picture."""
    return False
