"""Where a card goes: near what it is about, without covering it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf
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


LABEL, NODE, WIRE, OTHER, CORNER = 1000.0, 40.0, 20.0, 4.0, 1.0
"""Weights: the label asked about, its nodes, its wire, any other node, map and legend."""


def card_place(size: QSizeF, canvas: QRectF, taken: Sequence[Taken]) -> QRectF:
    """Return the rectangle for a card that covers least, nearest to what is taken first.

    Where the canvas is too small for it, it begins in the upper right corner.
    """
    free = canvas.adjusted(EDGE, EDGE, -EDGE, -EDGE)
    corner = QRectF(QPointF(max(free.right() - size.width(), free.left()), free.top()), size)
    target = taken[0].rect.center() if taken else corner.center()
    places = sorted(
        _places(size, free),
        key=lambda place: (place.center() - target).manhattanLength(),
    )
    best, least, sides = corner, cost(corner, taken), _sides(taken)
    for place in places:
        found = _cost(place, sides, least)
        if found < least or (found == least and best is corner):
            best, least = place, found
        if not found:
            break
    return best


def cost(place: QRectF, taken: Sequence[Taken]) -> float:
    """Return how bad it is to cover what lies under a place."""
    return _cost(place, _sides(taken), inf)


def _sides(taken: Sequence[Taken]) -> list[_Sides]:
    return [(*rect.getCoords(), weight) for rect, weight in taken]  # type: ignore[misc]


def _cost(place: QRectF, taken: Sequence[_Sides], most: float) -> float:
    """Return the cost of a place, or something above `most`; plain numbers, as there are many."""
    left, top = place.left(), place.top()
    right, bottom, found = place.right(), place.bottom(), 0.0
    for begin, high, end, low, weight in taken:
        if begin < right and end > left and high < bottom and low > top:
            wide = min(right, end) - max(left, begin)
            found += wide * (min(bottom, low) - max(top, high)) * weight
            if found > most:
                break
    return found


def _places(size: QSizeF, free: QRectF) -> Iterator[QRectF]:
    """Yield places all over the canvas, the last row and column at its border."""
    wide, high = free.width() - size.width(), free.height() - size.height()
    if wide < 0 or high < 0:
        return
    for x in _stops(wide):
        for y in _stops(high):
            yield QRectF(QPointF(free.left() + x, free.top() + y), size)


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
