"""Section rectangles: where title bars are, which edges can be pulled; pure geometry."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF

from app.document.sections import BAR

EDGE = 6.0
"""How far from its outline, in screen pixels, an edge can be grabbed."""
CORNER = 14.0
"""How far from a corner, in screen pixels, both of its edges are grabbed."""
FAR_BAR = 16.0
"""The least height, in screen pixels, of the place of a title."""


def title_rect(rect: QRectF) -> QRectF:
    """Where the title of a section with this rectangle is written and edited."""
    return QRectF(rect.left() + 10, rect.top() + 5, min(rect.width() - 20, 320.0), BAR - 10)


def bar_rect(rect: QRectF, scale: float) -> QRectF:
    """Where the title stands: inside at the top, or above where that would be too small."""
    if is_far(scale):
        high = FAR_BAR / max(scale, 0.05)
        return QRectF(rect.left(), rect.top() - high, rect.width(), high)
    return QRectF(rect.left(), rect.top(), rect.width(), BAR)


def is_far(scale: float) -> bool:
    """Whether the sheet is drawn so small that a title bar can't hold its title."""
    return scale * BAR < FAR_BAR


def grabbed_edges(rect: QRectF, point: QPointF, scale: float) -> str | None:
    """Which edges of a section are at a point ("rb"); "" is its title bar, None nothing of it."""
    scale = max(scale, 0.05)
    reach = EDGE / scale
    if rect.adjusted(-reach, -reach, reach, reach).contains(point):
        edges = _edges(rect, point, reach, CORNER / scale)
        if edges:
            return edges
    return "" if bar_rect(rect, scale).contains(point) else None


def outer_first(rects: dict[int, QRectF]) -> list[int]:
    """The numbers of sections, larger ones before those that may lie in them."""
    return sorted(rects, key=lambda n: (-rects[n].width() * rects[n].height(), n))


def _edges(rect: QRectF, point: QPointF, reach: float, corner: float) -> str:
    """The edges near a point: horizontal first, so that "lt" is the upper left corner."""
    sides = {
        "l": abs(point.x() - rect.left()),
        "r": abs(point.x() - rect.right()),
        "t": abs(point.y() - rect.top()),
        "b": abs(point.y() - rect.bottom()),
    }
    if min(sides.values()) > reach:
        return ""
    near = [side for side, away in sides.items() if away <= corner]
    across = [side for side in near if side in "lr"][:1]
    along = [side for side in near if side in "tb"][:1]
    if across and along:
        return across[0] + along[0]
    return min(sides, key=lambda side: sides[side])
