"""Sections on the canvas: where they can be taken hold of, what lies in them, how they look."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath

from app.canvas.ink import pen, rounded
from app.canvas.stage import Stage
from app.canvas.surface import Surface
from app.canvas.text import canvas_font, elided, width
from app.document.grouping import members_of
from app.document.sections import BAR, lies_in, nested
from app.style import sizes
from app.style.theme import Theme, faded, mixed

EDGE = 6.0
"""How far from its outline, in screen pixels, an edge can be grabbed."""
CORNER = 14.0
SLACK = 12.0
"""How far a node may stick out and still lies in a section: numbers of a pass make it wider."""
TITLE = "interface strong"
FAR_BAR = 16.0
"""The least height, in screen pixels, of the place of a title."""
SMALL_TITLE = 11.5
"""The size of a title on the screen when the sheet is drawn small."""

_CURSORS = {
    "l": Qt.CursorShape.SizeHorCursor,
    "r": Qt.CursorShape.SizeHorCursor,
    "t": Qt.CursorShape.SizeVerCursor,
    "b": Qt.CursorShape.SizeVerCursor,
    "lt": Qt.CursorShape.SizeFDiagCursor,
    "rb": Qt.CursorShape.SizeFDiagCursor,
    "rt": Qt.CursorShape.SizeBDiagCursor,
    "lb": Qt.CursorShape.SizeBDiagCursor,
}


# where they are


def section_at(stage: Stage, point: QPointF, scale: float) -> tuple[int, str] | None:
    """The section whose title bar or edge is at a point, and which edges ("rb"); "" is the bar."""
    rects = stage.floorplan.section_rects()
    for number in reversed(_outer_first(rects)):
        rect, reach = rects[number], EDGE / max(scale, 0.05)
        if rect.adjusted(-reach, -reach, reach, reach).contains(point):
            edges = _edges(rect, point, reach, CORNER / max(scale, 0.05))
            if edges or bar_rect(rect, scale).contains(point):
                return number, edges
        elif bar_rect(rect, scale).contains(point):
            return number, ""
    return None


def bar_rect(rect: QRectF, scale: float) -> QRectF:
    """Where the title stands: inside at the top, or above where that would be too small."""
    if is_far(scale):
        high = FAR_BAR / max(scale, 0.05)
        return QRectF(rect.left(), rect.top() - high, rect.width(), high)
    return QRectF(rect.left(), rect.top(), rect.width(), BAR)


def is_far(scale: float) -> bool:
    """Whether the sheet is drawn so small that a title bar can't hold its title."""
    return scale * BAR < FAR_BAR


def title_rect(stage: Stage, number: int) -> QRectF:
    """Where the title of a section is written and edited."""
    rect = stage.floorplan.section_rects()[number]
    return QRectF(rect.left() + 10, rect.top() + 5, min(rect.width() - 20, 320.0), BAR - 10)


def resize_cursor(edges: str) -> Qt.CursorShape:
    """The arrow for pulling these edges."""
    return _CURSORS.get(edges, Qt.CursorShape.ArrowCursor)


def content(stage: Stage, numbers: Iterable[int]) -> tuple[frozenset[int], frozenset[int]]:
    """The nodes and the sections that go along when sections are moved, themselves among them."""
    chosen = frozenset(n for n in numbers if n in stage.sheet.sections)
    boxes = chosen.union(*(nested(stage.sheet, number) for number in chosen))
    nodes: set[int] = set()
    for number in chosen:
        rect = stage.sheet.sections[number].rect
        outer = QRectF(*rect).adjusted(-SLACK, -SLACK, SLACK, SLACK)
        for node in stage.node_grid.within(outer):
            box = stage.boxes[node]
            if lies_in((box.x, box.y, box.w, sizes.NODE_HEIGHT), rect, SLACK):
                nodes.add(node)
        for group, found in stage.group_boxes.items():
            if outer.contains(found.rect):
                nodes |= members_of(stage.sheet.groups, group)
    return frozenset(nodes), boxes


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


def _outer_first(rects: dict[int, QRectF]) -> list[int]:
    return sorted(rects, key=lambda n: (-rects[n].width() * rects[n].height(), n))


# how they look


def paint_sections(
    painter: QPainter, stage: Stage, theme: Theme, area: QRectF, scale: float
) -> None:
    """Draw the sections in an area, outer ones below inner ones."""
    rects = stage.floorplan.section_rects()
    for number in _outer_first(rects):
        rect = rects[number].united(bar_rect(rects[number], scale))
        if rect.adjusted(-4, -4, 4, 4).intersects(area):
            section = stage.sheet.sections[number]
            _paint_section(painter, rects[number], section.title, section.colour, theme, scale)


def tint(theme: Theme, colour: int) -> QColor:
    """The soft surface of a title bar."""
    grey = mixed(theme.canvas, theme.outline, 0.22) if theme.tints else theme.canvas
    return (grey, theme.value_tint, theme.local_tint, theme.root_tint)[colour % 4]


def rim(theme: Theme, colour: int) -> QColor:
    """The outline of a section."""
    strong = (theme.secondary, theme.value, theme.local, theme.root)[colour % 4]
    return mixed(theme.canvas, strong, 0.38)


def paint_section_marks(painter: QPainter, view: Surface, hovered: int | None) -> None:
    """Rings round the sections that are chosen, an ink line round the one under the pointer."""
    stage, theme, scale = view.stage, view.theme, max(view.scale, 0.05)
    for number, rect in stage.floorplan.section_rects().items():
        if number in view.selection.sections:
            gap = 3.0 / min(scale, 1.0)
            path = rounded(rect.adjusted(-gap, -gap, gap, gap), 12.0, 12.0)
            wide = max(sizes.OUTLINE_SELECTED, sizes.OUTLINE_SELECTED / scale)
            if view.walks and number == view.selection.section:
                painter.strokePath(path, pen(faded(theme.selection, 0.35), wide * 3))
            painter.strokePath(path, pen(theme.selection, wide))
        elif number == hovered:
            path = rounded(rect, sizes.RADIUS_CARD, sizes.RADIUS_CARD)
            painter.strokePath(path, pen(theme.text, max(1.4, 1.4 / scale)))


def _paint_section(
    painter: QPainter, rect: QRectF, title: str, colour: int, theme: Theme, scale: float
) -> None:
    radius = float(sizes.RADIUS_CARD)
    path = rounded(rect, radius, radius)
    if theme.tints:
        painter.fillPath(path, faded(tint(theme, colour), 0.5))
        painter.fillPath(_bar_path(rect, radius), tint(theme, colour))
    painter.strokePath(path, pen(rim(theme, colour), max(1.2, 1.0 / scale)))
    _paint_title(painter, rect, title, theme, scale)


def _paint_title(painter: QPainter, rect: QRectF, title: str, theme: Theme, scale: float) -> None:
    factor = max(1.0, SMALL_TITLE / 13.0 / scale)
    aside = 2.0 / scale if is_far(scale) else 12.0
    bar = bar_rect(rect, scale).adjusted(aside, 0, -aside, 0)
    text = elided(title, TITLE, bar.width() / factor)
    if not text or (text != title and width(text, TITLE) * factor > bar.width()):
        return
    font = QFont(canvas_font(TITLE))
    font.setPixelSize(max(1, round(13 * factor)))
    painter.setFont(font)
    painter.setPen(theme.text)
    painter.drawText(bar, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)


def _bar_path(rect: QRectF, radius: float) -> QPainterPath:
    """The title bar: round above, straight below."""
    path = QPainterPath(QPointF(rect.left(), rect.top() + BAR))
    path.lineTo(rect.left(), rect.top() + radius)
    path.arcTo(rect.left(), rect.top(), 2 * radius, 2 * radius, 180, -90)
    path.lineTo(rect.right() - radius, rect.top())
    path.arcTo(rect.right() - 2 * radius, rect.top(), 2 * radius, 2 * radius, 90, -90)
    path.lineTo(rect.right(), rect.top() + BAR)
    path.closeSubpath()
    return path
