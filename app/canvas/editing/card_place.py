"""Where a card goes: near what it is about, without covering it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from PySide6.QtCore import QPointF, QRectF, QSizeF

EDGE = 12.0
"""Distance of a card from the border of the canvas, in screen px."""
GAP = 18.0
"""Distance of a card from what it must not cover, in screen px."""
_GRID = 40.0
"""Distance of the places that are tried, in screen px."""


_Sides: TypeAlias = tuple[float, float, float, float, float]
"""Left, top, right and bottom of what is taken, and its weight."""


class Taken(NamedTuple):
    """A rectangle of the canvas, and how bad it is to cover a px of it."""

    rect: QRectF
    weight: float


READY, LABEL, NODE, WIRE, OTHER, CORNER = 1000.0, 1000.0, 40.0, 20.0, 4.0, 1.0
"""Weights: a node to be clicked next, the label asked about, its nodes, its wire, any other node,
map and legend."""


def card_place(size: QSizeF, canvas: QRectF, taken: Sequence[Taken]) -> QRectF:
    """Return the rectangle for a card that covers least, nearest to what is taken first.

    Where the canvas is too small for it, it begins in the upper right corner.
    """
    free = canvas.adjusted(EDGE, EDGE, -EDGE, -EDGE)
    wide, high = size.width(), size.height()
    corner = max(free.right() - wide, free.left()), free.top()
    target = taken[0].rect.center() if taken else QRectF(QPointF(*corner), size).center()
    right, down = target.x() - wide / 2, target.y() - high / 2
    places = [(abs(x - right) + abs(y - down), x, y) for x, y in _places(size, free)]
    sides = _sides(taken)
    best, least = corner, _cost(*corner, wide, high, sides, inf)
    for _far, x, y in sorted(places, key=itemgetter(0)):
        found = _cost(x, y, wide, high, sides, least)
        if found < least or (found == least and best is corner):
            best, least = (x, y), found
        if not found:
            break
    return QRectF(QPointF(*best), size)


def cost(place: QRectF, taken: Sequence[Taken]) -> float:
    """Return how bad it is to cover what lies under a place."""
    left, top = place.left(), place.top()
    return _cost(left, top, place.width(), place.height(), _sides(taken), inf)


def _sides(taken: Sequence[Taken]) -> list[_Sides]:
    return [(*rect.getCoords(), weight) for rect, weight in taken]  # type: ignore[misc]


def _cost(
    left: float, top: float, wide: float, high: float, taken: Sequence[_Sides], most: float
) -> float:
    """Return the cost of a place, or something above `most`; plain numbers, as there are many."""
    right, bottom, found = left + wide, top + high, 0.0
    for begin, upper, end, low, weight in taken:
        if begin < right and end > left and upper < bottom and low > top:
            across = min(right, end) - max(left, begin)
            found += across * (min(bottom, low) - max(top, upper)) * weight
            if found > most:
                break
    return found


def _places(size: QSizeF, free: QRectF) -> Iterator[tuple[float, float]]:
    """Yield upper left corners all over the canvas, the last row and column at its border."""
    wide, high = free.width() - size.width(), free.height() - size.height()
    if wide >= 0 and high >= 0:
        downs = [free.top() + y for y in _stops(high)]
        for x in _stops(wide):
            for y in downs:
                yield free.left() + x, y


def _stops(length: float) -> list[float]:
    return [k * _GRID for k in range(int(length / _GRID) + 1)] + [length]


def leader(card: QRectF, target: QRectF) -> list[QPointF]:
    """Return the line from a card to what it is about: straight, or with one bend; () if under it.

    It ends at the border of both.
    """
    if card.intersects(target):
        return []
    middle = target.center()
    below, right = middle.y() > card.center().y(), middle.x() > card.center().x()
    edge = card.right() if right else card.left()
    if card.left() + EDGE < middle.x() < card.right() - EDGE:
        start = QPointF(middle.x(), card.bottom() if below else card.top())
        return [start, QPointF(middle.x(), target.top() if below else target.bottom())]
    if card.top() + EDGE < middle.y() < card.bottom() - EDGE:
        end = QPointF(target.left() if right else target.right(), middle.y())
        return [QPointF(edge, middle.y()), end]
    start = QPointF(edge, card.center().y())
    end = QPointF(middle.x(), target.top() if below else target.bottom())
    return [start, QPointF(middle.x(), start.y()), end]
