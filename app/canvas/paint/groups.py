"""Draws groups: outer ones below inner ones, each with its title."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath

from app.canvas.appearance.detail import Detail
from app.canvas.appearance.group_look import (
    MAX_OUTPUT_NAME_WIDTH,
    GroupLook,
    OutputLine,
    size_text,
    title_growth,
)
from app.canvas.appearance.items import GroupKey
from app.canvas.layout.group_layout import bar_rect, is_far
from app.canvas.layout.node_box import Box
from app.canvas.paint.node_painting import (
    header,
    number_color,
    outline,
    paint_capsule,
    paint_glow,
    paint_slots,
    state_color,
)
from app.canvas.scene.scene import Scene
from app.document.boxes import TITLE_BAR_HEIGHT
from app.document.sheet import Group
from app.style import sizes
from app.style.strokes import canvas_font, draw_text, elided, pen, rounded, width
from app.style.theme import Theme, faded, mixed

TITLE_ROLE = "interface strong"
TITLE_SIZE = 13
"""Size of this role in sheet px, in a presentation too."""
FAR_TITLE_SIZE = 11.5
"""Text size of a title on the screen, in px, when zoomed out."""


def group_tint(theme: Theme, colour: int) -> QColor:
    """Return the fill colour of a group's title bar; `colour` numbers the colours of a theme."""
    grey = mixed(theme.canvas, theme.outline, 0.22) if theme.tints else theme.canvas
    return (grey, theme.value_tint, theme.local_tint, theme.root_tint)[colour % 4]


def group_edge_color(theme: Theme, colour: int) -> QColor:
    strong = (theme.secondary, theme.value, theme.local, theme.root)[colour % 4]
    return mixed(theme.canvas, strong, 0.38)


def _paint_drawn(painter: QPainter, rect: QRectF, group: Group, theme: Theme, scale: float) -> None:
    """Paint a drawn group, whose title bar lies above it when zoomed out."""
    radius, colour = float(sizes.RADIUS_CARD), group.colour or 0
    path = rounded(rect, radius, radius)
    if theme.tints:
        painter.fillPath(path, faded(group_tint(theme, colour), 0.5))
        painter.fillPath(_bar_path(rect, radius), group_tint(theme, colour))
    painter.strokePath(path, pen(group_edge_color(theme, colour), max(1.2, 1.0 / scale)))
    _paint_title(painter, rect, group.title, theme, scale)


def _paint_title(painter: QPainter, rect: QRectF, title: str, theme: Theme, scale: float) -> None:
    factor = max(1.0, FAR_TITLE_SIZE / TITLE_SIZE / scale)
    padding = 2.0 / scale if is_far(scale) else 12.0
    bar = bar_rect(rect, scale).adjusted(padding, 0, -padding, 0)
    text = elided(title, TITLE_ROLE, bar.width() / factor)
    # not even a first letter with an ellipsis fits
    if not text or (text != title and width(text, TITLE_ROLE) * factor > bar.width()):
        return
    font = QFont(canvas_font(TITLE_ROLE))
    font.setPixelSize(max(1, round(TITLE_SIZE * factor)))
    painter.setFont(font)
    painter.setPen(theme.text)
    painter.drawText(bar, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)


def _bar_path(rect: QRectF, radius: float) -> QPainterPath:
    """Return the outline of a title bar: rounded at the top, straight at the bottom."""
    path = QPainterPath(QPointF(rect.left(), rect.top() + TITLE_BAR_HEIGHT))
    path.lineTo(rect.left(), rect.top() + radius)
    path.arcTo(rect.left(), rect.top(), 2 * radius, 2 * radius, 180, -90)
    path.lineTo(rect.right() - radius, rect.top())
    path.arcTo(rect.right() - 2 * radius, rect.top(), 2 * radius, 2 * radius, 90, -90)
    path.lineTo(rect.right(), rect.top() + TITLE_BAR_HEIGHT)
    path.closeSubpath()
    return path


def paint_groups(painter: QPainter, scene: Scene, theme: Theme, groups: Iterable[GroupKey]) -> None:
    """Paint folded groups."""
    for key in groups:
        box = scene.boxes[key]
        painter.save()
        painter.translate(box.x, box.y)
        paint_group(painter, scene.group(key), box.w, box.h, theme)
        painter.restore()


def paint_frames(painter: QPainter, scene: Scene, theme: Theme, area: QRectF, scale: float) -> None:
    """Paint the frames of open groups, outer first, and the names of wires from outside."""
    titles, opened = scene.detail(scale) >= Detail.NUMBERS, scene.visible.opened
    frames = scene.node_layout.groups.frames.items()
    for number, rect in sorted(frames, key=lambda f: (f[0] in opened, -len(opened.get(f[0], ())))):
        group = scene.sheet.groups[number]
        if number not in opened:
            if rect.united(bar_rect(rect, scale)).adjusted(-4, -4, 4, 4).intersects(area):
                _paint_drawn(painter, rect, group, theme, scale)
        elif rect.intersects(area):
            _paint_frame(painter, rect, group.colour, theme)
            if titles:
                painter.save()
                _scale_up(painter, rect.topLeft(), scale)
                _paint_frame_title(painter, rect, group.title, theme, scale)
                painter.restore()
    if not titles or scene.visible.inside is None:
        return
    for wire, name in scene.wire_layout.stubs():
        start = QPointF(*scene.courses[wire].start)
        painter.save()
        _scale_up(painter, start, scale)
        draw_text(
            painter, name, "caption strong", theme.secondary, (start.x() - 8, start.y()), "right"
        )
        painter.restore()


def _scale_up(painter: QPainter, about: QPointF, scale: float) -> None:
    """Scale the painter up around a fixed point."""
    growth = title_growth(scale)
    painter.translate(about)
    painter.scale(growth, growth)
    painter.translate(-about)


def _paint_frame(painter: QPainter, rect: QRectF, colour: int | None, theme: Theme) -> None:
    path = rounded(rect, sizes.RADIUS_CARD, sizes.RADIUS_CARD)
    fill, edge = faded(theme.outline, 0.12), theme.outline
    if colour is not None:
        fill, edge = faded(group_tint(theme, colour), 0.5), group_edge_color(theme, colour)
    if theme.tints:
        painter.fillPath(path, fill)
    painter.strokePath(path, pen(edge, 1.4, (6.0, 4.0)))


def _paint_frame_title(
    painter: QPainter, rect: QRectF, title: str, theme: Theme, scale: float
) -> None:
    button = QRectF(rect.left() + 8, rect.top() + 6, 20, 20)
    _paint_button(painter, button, theme)
    text = elided(title, "caption strong", rect.width() / title_growth(scale) - 48)
    draw_text(
        painter, text, "caption strong", theme.secondary, (rect.left() + 36, button.center().y())
    )


def _paint_button(painter: QPainter, rect: QRectF, theme: Theme) -> None:
    """Paint the button that folds a group: a minus."""
    path, middle = rounded(rect, sizes.RADIUS_SYMBOL, sizes.RADIUS_SYMBOL), rect.center()
    painter.fillPath(path, theme.node)
    painter.strokePath(path, pen(theme.outline, 1.0))
    painter.setPen(pen(theme.text, 1.6))
    painter.drawLine(middle - QPointF(5, 0), middle + QPointF(5, 0))


def paint_group(painter: QPainter, look: GroupLook, wide: float, high: float, theme: Theme) -> None:
    """Paint a collapsed group at the origin, as a stack of sheets."""
    body, color = outline("group", wide, high), state_color(look.state, theme)
    for shift in (6.0, 3.0):
        under = body.translated(shift, shift)
        painter.fillPath(under, theme.muted)
        painter.strokePath(under, pen(theme.outline, 1.0))
    if color is not None:
        paint_glow(painter, body, color)
    painter.fillPath(body, theme.node)
    tint = theme.header_op if look.colour is None else group_tint(theme, look.colour)
    painter.fillPath(header("group", wide, high), tint)
    edge = sizes.OUTLINE_FIRING if color else sizes.OUTLINE
    painter.strokePath(body, pen(color or theme.outline, edge))
    _paint_header(painter, look, wide, theme)
    paint_slots(painter, "group", (True,) * look.slots, theme)
    for row, line in enumerate(look.lines):
        _paint_line(painter, line, Box(0, 0, wide, high, kind="group"), row, theme)


def _paint_header(painter: QPainter, look: GroupLook, wide: float, theme: Theme) -> None:
    # the painter's origin is the corner of the group, so its button is that of a box there
    middle, button = sizes.NODE_HEADER / 2, Box(0, 0, wide, 0).opener
    _paint_button(painter, button, theme)
    half = QPointF(0, 5)  # of the stroke, with the same pen, that turns the minus into a plus
    painter.drawLine(button.center() - half, button.center() + half)
    caption = size_text(look.count)
    draw_text(painter, caption, "caption", theme.secondary, (wide - 12, middle), "right")
    room = wide - 34 - width(caption, "caption") - 20
    draw_text(painter, elided(look.title, "label", room), "label", theme.text, (34, middle))


def _paint_line(painter: QPainter, line: OutputLine, box: Box, row: int, theme: Theme) -> None:
    y, right = box.output(row).y(), box.w - 14
    for k, number in enumerate(reversed(line.numbers)):
        if k:
            right -= draw_text(painter, "·", "number", theme.secondary, (right, y), "right") + 8
        color = number_color(number, theme)
        right -= draw_text(painter, number.text, "number", color, (right, y), "right") + 8
    name = elided(line.name, "caption strong", MAX_OUTPUT_NAME_WIDTH)
    draw_text(painter, name, "caption strong", theme.secondary, (right - 4, y), "right")
    paint_capsule(painter, QRectF(box.w - 5, y - 9, 10, 18), line.known, theme)
