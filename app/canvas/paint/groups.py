"""Draws groups: collapsed ones as a stack of sheets, opened ones as a frame with a title."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from app.canvas.appearance.group_look import paint_group, title_growth
from app.canvas.scene.scene import Scene
from app.style import sizes
from app.style.strokes import pen, put, rounded
from app.style.text_widths import elided
from app.style.theme import Theme, faded


def paint_groups(painter: QPainter, scene: Scene, theme: Theme, area: QRectF) -> None:
    """Draw the collapsed groups in an area."""
    for group, box in scene.group_boxes.items():
        if box.rect.adjusted(-16, -16, 16, 16).intersects(area):
            painter.save()
            painter.translate(box.x, box.y)
            paint_group(painter, scene.group(group), box.w, box.h, theme)
            painter.restore()


def paint_frames(painter: QPainter, scene: Scene, theme: Theme, area: QRectF, scale: float) -> None:
    """Draw the frames of opened groups, outer ones first, and the names of wires from outside."""
    titles = scale >= sizes.ZOOM_CONTRIBUTIONS
    opened = sorted(scene.visible.opened, key=lambda g: -len(scene.visible.opened[g]))
    for group in opened:
        rect = scene.node_layout.groups.frame_rect(group)
        if rect.intersects(area):
            _paint_frame(painter, rect, theme)
            if titles:
                painter.save()
                _grow(painter, rect.topLeft(), scale)
                _paint_title(painter, rect, scene.sheet.groups[group].title, theme, scale)
                painter.restore()
    if not titles:
        return
    for wire, name in scene.wire_layout.stubs():
        start = scene.courses[wire].start
        painter.save()
        _grow(painter, start, scale)
        put(painter, name, "caption strong", theme.secondary, (start.x() - 8, start.y()), "right")
        painter.restore()


def _grow(painter: QPainter, about: QPointF, scale: float) -> None:
    """Draw larger than the zoom says, from a point that stays where it is."""
    growth = title_growth(scale)
    painter.translate(about)
    painter.scale(growth, growth)
    painter.translate(-about)


def _paint_frame(painter: QPainter, rect: QRectF, theme: Theme) -> None:
    path = rounded(rect, sizes.RADIUS_CARD, sizes.RADIUS_CARD)
    if theme.tints:
        painter.fillPath(path, faded(theme.outline, 0.12))
    painter.strokePath(path, pen(theme.outline, 1.4, (6.0, 4.0)))


def _paint_title(painter: QPainter, rect: QRectF, title: str, theme: Theme, scale: float) -> None:
    middle = rect.top() + 16
    button = QRectF(rect.left() + 8, middle - 10, 20, 20)
    shape = rounded(button, sizes.RADIUS_SYMBOL, sizes.RADIUS_SYMBOL)
    painter.fillPath(shape, theme.node)
    painter.strokePath(shape, pen(theme.outline, 1.0))
    painter.setPen(pen(theme.text, 1.6))
    painter.drawLine(QPointF(button.left() + 5, middle), QPointF(button.right() - 5, middle))
    text = elided(title, "caption strong", rect.width() / title_growth(scale) - 48)
    put(painter, text, "caption strong", theme.secondary, (rect.left() + 36, middle))
