"""Where a card goes: near what it is about, without covering it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QPointF, QRectF, QSizeF

EDGE = 12.0
"""Distance of a card from the border of the canvas, in screen px."""
GAP = 18.0
"""Distance of a card from what it must not cover, in screen px."""
GRID = 48.0
"""Distance of the places that are tried, in screen px."""


def card_place(
    size: QSizeF, canvas: QRectF, about: Sequence[QRectF], others: Sequence[QRectF]
) -> QRectF:
    """Return a rectangle for a card: the place nearest to `about[0]` that covers nothing.

    Where every place covers something, it is the one that covers the least of `others`; and where
    every one covers something of `about`, the upper right corner.
    """
    free = canvas.adjusted(EDGE, EDGE, -EDGE, -EDGE)
    corner = QRectF(QPointF(max(free.right() - size.width(), free.left()), free.top()), size)
    kept = [rect.adjusted(-GAP, -GAP, GAP, GAP) for rect in about]
    target = about[0].center() if about else corner.center()
    places = sorted(
        (place for place in (corner, *_places(size, free)) if not _covers(place, kept)),
        key=lambda place: (place.center() - target).manhattanLength(),
    )
    best, least = corner, float("inf")
    for place in places:
        covered = sum(_area(place.intersected(other)) for other in others)
        if covered < least:
            best, least = place, covered
        if not covered:
            break
    return best


def _places(size: QSizeF, free: QRectF) -> Iterator[QRectF]:
    """Yield places all over the canvas, the last row and column at its border."""
    wide, high = free.width() - size.width(), free.height() - size.height()
    if wide < 0 or high < 0:
        return
    for x in _stops(wide):
        for y in _stops(high):
            yield QRectF(QPointF(free.left() + x, free.top() + y), size)


def _stops(length: float) -> list[float]:
    return [k * GRID for k in range(int(length / GRID) + 1)] + [length]


def _covers(place: QRectF, rects: Sequence[QRectF]) -> bool:
    return any(place.intersects(rect) for rect in rects)


def _area(rect: QRectF) -> float:
    return max(rect.width(), 0.0) * max(rect.height(), 0.0)


def leader(card: QRectF, target: QRectF) -> list[QPointF]:
    """Return the line from a card to what it is about: straight, or with one bend."""
    middle = target.center()
    if card.left() + EDGE < middle.x() < card.right() - EDGE:
        below = middle.y() > card.center().y()
        start = QPointF(middle.x(), card.bottom() if below else card.top())
        return [start, QPointF(middle.x(), target.top() if below else target.bottom())]
    right = middle.x() > card.center().x()
    edge = card.right() if right else card.left()
    if card.top() + EDGE < middle.y() < card.bottom() - EDGE:
        return [
            QPointF(edge, middle.y()),
            QPointF(target.left() if right else target.right(), middle.y()),
        ]
    below = middle.y() > card.center().y()
    start = QPointF(edge, card.center().y())
    end = QPointF(middle.x(), target.top() if below else target.bottom())
    return [start, QPointF(middle.x(), start.y()), end]
