"""Section rectangles, their title bars, and which edges can be pulled; pure geometry."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from PySide6.QtCore import QPointF, QRectF

from app.document.sections import BAR
from app.document.sheet import Rect, Sheet

EDGE = 6.0
"""Distance from the outline, in screen px, within which an edge can be dragged."""
CORNER = 14.0
"""Distance from a corner, in screen px, within which both of its edges are dragged."""
FAR_BAR = 16.0
"""Minimum height of the title area, in screen px."""


def title_rect(rect: QRectF) -> QRectF:
    """Return the rectangle in which a section's title is painted and edited."""
    return QRectF(rect.left() + 10, rect.top() + 5, min(rect.width() - 20, 320.0), BAR - 10)


def bar_rect(rect: QRectF, scale: float) -> QRectF:
    """Return the title bar: inside at the top, or above the section where that is too small."""
    if is_far(scale):
        high = FAR_BAR / max(scale, 0.05)
        return QRectF(rect.left(), rect.top() - high, rect.width(), high)
    return QRectF(rect.left(), rect.top(), rect.width(), BAR)


def is_far(scale: float) -> bool:
    """Return whether the zoom is so small that a title bar can't hold its title."""
    return scale * BAR < FAR_BAR


def grabbed_edges(rect: QRectF, point: QPointF, scale: float) -> str | None:
    """Return the edges of a section at a point ("rb"); "" for its title bar, None outside."""
    scale = max(scale, 0.05)
    reach = EDGE / scale
    if rect.adjusted(-reach, -reach, reach, reach).contains(point):
        edges = _edges(rect, point, reach, CORNER / scale)
        if edges:
            return edges
    return "" if bar_rect(rect, scale).contains(point) else None


def _edges(rect: QRectF, point: QPointF, reach: float, corner: float) -> str:
    """Return the edges near a point: horizontal first, so that "lt" is the upper left corner."""
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


class SectionLayout:
    """The sections' rectangles; empty while the inside of a group is shown."""

    def __init__(self) -> None:
        self._sheet = Sheet()
        self._shown = True
        self._lifted: Mapping[int, Rect] = {}
        self.rects: dict[int, QRectF] = {}
        """The rectangle of each section, larger ones before those that may lie in them."""

    def follow(self, sheet: Sheet, shown: bool) -> None:
        """Switch to the next sheet."""
        self._sheet, self._shown = sheet, shown
        self._find()

    def lift(self, rects: Mapping[int, Rect]) -> None:
        """Show sections at other rectangles while they are dragged, without changing the sheet."""
        self._lifted = rects
        self._find()

    def bounds(self, numbers: Iterable[int] | None = None) -> QRectF:
        """Return the rectangle around some sections, or all."""
        found = QRectF()
        for number in self.rects if numbers is None else numbers:
            found = found.united(self.rects.get(number, QRectF()))
        return found

    def _find(self) -> None:
        given = self._sheet.sections.items() if self._shown else ()
        found = {n: QRectF(*self._lifted.get(n, box.rect)).normalized() for n, box in given}
        size = {n: rect.width() * rect.height() for n, rect in found.items()}
        self.rects = {n: found[n] for n in sorted(found, key=lambda n: (-size[n], n))}


def as_rect(rect: QRectF) -> Rect:
    """Return a rectangle in the form that the sheet stores."""
    return (rect.x(), rect.y(), rect.width(), rect.height())
