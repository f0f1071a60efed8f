"""Draws sections: outer ones below inner ones, each with its title."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath

from app.canvas.layout.section_rects import bar_rect, is_far, outer_first
from app.canvas.scene.scene import Scene
from app.document.sections import BAR
from app.style import sizes
from app.style.strokes import is_svg, pen, put, rounded
from app.style.text_widths import canvas_font, elided, width
from app.style.theme import Theme, faded, mixed

TITLE = "interface strong"
SMALL_TITLE = 11.5
"""The size of a title on the screen when the sheet is drawn small."""


def paint_sections(
    painter: QPainter, scene: Scene, theme: Theme, area: QRectF, scale: float
) -> None:
    """Draw the sections in an area, outer ones below inner ones."""
    rects = scene.node_layout.sections.rects()
    for number in outer_first(rects):
        rect = rects[number].united(bar_rect(rects[number], scale))
        if rect.adjusted(-4, -4, 4, 4).intersects(area):
            section = scene.sheet.sections[number]
            _paint_section(painter, rects[number], section.title, section.colour, theme, scale)


def tint(theme: Theme, colour: int) -> QColor:
    """The soft surface of a title bar."""
    grey = mixed(theme.canvas, theme.outline, 0.22) if theme.tints else theme.canvas
    return (grey, theme.value_tint, theme.local_tint, theme.root_tint)[colour % 4]


def rim(theme: Theme, colour: int) -> QColor:
    """The outline of a section."""
    strong = (theme.secondary, theme.value, theme.local, theme.root)[colour % 4]
    return mixed(theme.canvas, strong, 0.38)


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
    if is_svg(painter):
        painter.save()
        painter.translate(bar.left(), bar.center().y())
        painter.scale(factor, factor)
        put(painter, text, TITLE, theme.text, (0.0, 0.0))
        painter.restore()
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
