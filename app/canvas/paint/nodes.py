"""Paints a node at the origin, from its look and its size alone."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath

from app.canvas.appearance.face import GRAD, face
from app.canvas.appearance.ledgers import ChipLook
from app.canvas.appearance.look import BodyLook, Figure, NodeLook, NodeState
from app.canvas.layout.node_box import LEDGER_LEFT, chip_width
from app.canvas.layout.text_sizes import BEFORE_FIGURE
from app.canvas.paint.headers import paint_band, paint_titles
from app.canvas.paint.ledgers import paint_chip, paint_ledger
from app.canvas.paint.shapes import header, outline
from app.canvas.paint.updates import paint_update
from app.document.node_sizes import (
    BESIDE_DIVIDER,
    CAPTION,
    PAD_LEFT,
    PAD_RIGHT,
    body_height,
    capsule_middle,
    caption_middle,
    has_columns,
    number_middle,
    row_middle,
)
from app.style import sizes
from app.style.strokes import pen, put, rounded, width
from app.style.theme import Theme, faded
from app.workbench.gradients.verdict import short_flag

BELOW_CAPTION = 2.0
"""Px by which a chip is lower than the number in its place: it is higher, and below a caption."""
MARGIN = 16.0
"""Margin in sheet px by which slots, glow, badge and shadow exceed a node's rectangle."""


@lru_cache(maxsize=2048)
def _foot(kind: str, wide: float, high: float) -> QPainterPath:
    """Return the lowest part of an outline: the body hides the rest of its shadow."""
    band = QPainterPath()
    band.addRect(0, high - sizes.RADIUS_ROUND, wide, sizes.RADIUS_ROUND)
    return outline(kind, wide, high).intersected(band)


def paint_node(
    painter: QPainter, look: NodeLook, wide: float, high: float, left: float, theme: Theme
) -> None:
    """Paint the node with its upper left corner at the origin."""
    paint_body(painter, look.body, wide, high, left, theme)
    paint_texts(painter, look, wide, high, left, theme)


def paint_body(
    painter: QPainter, look: BodyLook, wide: float, high: float, left: float, theme: Theme
) -> None:
    """Paint everything that depends neither on the numbers nor on what the node is called."""
    body = outline(look.kind, wide, high)
    if look.kind == "pill":
        painter.fillPath(body, theme.header_op)
        _edge(painter, look, body, theme)
        return
    _glow(painter, look, (wide, high), theme)
    painter.fillPath(body, theme.node)
    paint_band(painter, look, header(look.kind, wide, high), theme)
    _captions(painter, look, wide, left, theme)
    top = body_height(look.kind, len(look.plugged))
    if high > top:
        painter.setPen(pen(theme.line, 1.0))
        painter.drawLine(QPointF(1, top), QPointF(wide - 1, top))
    _edge(painter, look, body, theme)
    paint_slots(painter, look.kind, look.plugged, theme)
    if look.kind != "root":
        w, h = sizes.CAPSULE_WIDTH, sizes.CAPSULE_HEIGHT
        paint_capsule(
            painter,
            QRectF(wide - w / 2, capsule_middle(look.kind) - h / 2, w, h),
            (look.value_known, look.grad_known),
            theme,
        )


def paint_texts(
    painter: QPainter, look: NodeLook, wide: float, high: float, left: float, theme: Theme
) -> None:
    """Paint over the body what the node is called, its numbers and its badge."""
    if look.kind == "pill":
        at = (wide / 2, high / 2)
        put(painter, look.value.text, "number", figure_color(look.value, theme), at, "middle")
    else:
        paint_titles(painter, look, wide, theme)
        _cells(painter, look, wide, left, theme)
        _below(painter, look, wide, high, theme)
    paint_badge(painter, look, wide, theme)


def _cells(painter: QPainter, look: NodeLook, wide: float, left: float, theme: Theme) -> None:
    """Paint the numbers of the cells, and along what each local derivative is."""
    cells = face(look.kind, len(look.body.plugged))
    begin = left + BESIDE_DIVIDER if has_columns(look.kind) else PAD_LEFT + CAPTION + 6
    for cell, figure in zip(cells, look.figures, strict=True):
        y = number_middle(look.kind, cell.row)
        if cell.column == "left":
            color = theme.local if figure.text else theme.secondary
            at = (PAD_LEFT, caption_middle(look.kind, cell.row))
            put(painter, look.texts.slots[cell.row], "caption", color, at)
            _left_figure(painter, figure, y, theme)
        elif cell is GRAD and look.waiting is not None:
            _waiting(painter, look, look.waiting, (begin, y, wide - PAD_RIGHT), theme)
        else:
            _right_figure(painter, figure, (begin, y, wide - PAD_RIGHT), theme)


def _below(painter: QPainter, look: NodeLook, wide: float, high: float, theme: Theme) -> None:
    """Paint what is below the cells: the ledger, or the update of a training loop."""
    top = body_height(look.kind, len(look.body.plugged))
    if look.ledger.chips or look.correct is not None:
        paint_ledger(painter, look, wide, high, theme)
    elif high > top and not look.body.learns:
        at = (LEDGER_LEFT, top + sizes.LEDGER / 2)
        put(painter, "contributions", "caption", theme.secondary, at)
    if look.update is not None:
        paint_update(painter, look.update, look.value.text, wide, theme)


def _glow(painter: QPainter, look: BodyLook, size: tuple[float, float], theme: Theme) -> None:
    wide, high = size
    if theme.shadows:
        shade = faded(theme.shadow, theme.shadow.alphaF() * 0.5)
        for down in (2, 1):
            painter.fillPath(_foot(look.kind, wide, high).translated(0, down), shade)
    color = state_color(look.state, theme)
    if color is not None:
        paint_glow(painter, outline(look.kind, wide, high), color)


def state_color(state: NodeState, theme: Theme) -> QColor | None:
    """Return the colour of what a node does in the step that is lit, or None."""
    colors = {"forward": theme.value, "firing": theme.gradient, "receiving": theme.gradient}
    return colors.get(state)


def paint_glow(painter: QPainter, body: QPainterPath, color: QColor) -> None:
    """Paint the glow around what takes part in a step."""
    painter.strokePath(body, pen(faded(color, 0.24), 2 * sizes.GLOW + 2))


def _captions(painter: QPainter, look: BodyLook, wide: float, left: float, theme: Theme) -> None:
    """Paint the captions of the right column, and the line beside the left one."""
    x, align = (wide - PAD_RIGHT, "right") if has_columns(look.kind) else (PAD_LEFT, "left")
    for cell in face(look.kind, 0):
        at = (x, caption_middle(look.kind, cell.row))
        put(painter, cell.caption, "caption", theme.secondary, at, align)
    if left:
        painter.setPen(pen(theme.line, 1.0))
        bottom = body_height(look.kind, len(look.plugged)) - 8
        painter.drawLine(QPointF(left, sizes.NODE_HEADER + 8), QPointF(left, bottom))


def figure_color(figure: Figure, theme: Theme) -> QColor:
    """Return the colour of a number by its kind."""
    return {
        "value": theme.value,
        "grad": theme.gradient,
        "local": theme.local,
        "bad": theme.error,
        "asked": theme.selection,
    }.get(figure.kind, theme.secondary)


def _left_figure(painter: QPainter, figure: Figure, y: float, theme: Theme) -> None:
    """Paint a local derivative, with a mark if it is a convention."""
    if not figure.text:
        return
    x = PAD_LEFT + put(painter, figure.text, "number", figure_color(figure, theme), (PAD_LEFT, y))
    if figure.by_convention:
        path = QPainterPath(QPointF(x + 4, y - 4))
        path.lineTo(x + 8, y + 4)
        path.lineTo(x + 12, y - 4)
        painter.strokePath(path, pen(theme.local, 1.6))


Line = tuple[float, float, float]
"""The left end, middle and right end of the room for a number."""


def _right_figure(painter: QPainter, figure: Figure, line: Line, theme: Theme) -> None:
    """Paint value or gradient, and left of it a note where that fits."""
    left, y, right = line
    number = put(painter, figure.text, "number", figure_color(figure, theme), (right, y), "right")
    if figure.note and width(figure.note, "caption") + BEFORE_FIGURE <= right - number - left:
        put(painter, figure.note, "caption", theme.secondary, (left, y))


def _waiting(painter: QPainter, look: NodeLook, chip: ChipLook, line: Line, theme: Theme) -> None:
    """Paint the chip of the one pending contribution, and beside it the gradient if it fits."""
    grad = look.figures[GRAD.row]
    left, y, right = line
    room, down = chip_width(chip.text), BELOW_CAPTION if has_columns(look.kind) else 0.0
    fits = left + room + BEFORE_FIGURE <= right - width(grad.text, "number")
    paint_chip(painter, chip, QPointF(left if fits else right - room, y + down), theme)
    if fits:
        _right_figure(painter, grad, line, theme)


def _edge(painter: QPainter, look: BodyLook, body: QPainterPath, theme: Theme) -> None:
    if not all(look.plugged):
        painter.strokePath(body, pen(theme.error, 1.6, (5.0, 3.0)))
        return
    color, wide = state_color(look.state, theme), float(sizes.OUTLINE_FIRING)
    if look.state == "receiving":
        wide = 2.0
    elif color is None and look.bad:
        color, wide = theme.error, 2.2
    painter.strokePath(body, pen(color or theme.outline, wide if color else sizes.OUTLINE))


def paint_slots(painter: QPainter, kind: str, plugged: tuple[bool, ...], theme: Theme) -> None:
    """Paint the slots of what lies at the origin: an empty one is dashed."""
    radius = sizes.SLOT / 2
    for slot, is_plugged in enumerate(plugged):
        painter.setBrush(theme.node)
        edge = pen(theme.secondary, 1.6) if is_plugged else pen(theme.error, 1.5, (2.6, 1.8))
        painter.setPen(edge)
        painter.drawEllipse(QPointF(0, row_middle(kind, slot)), radius, radius)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def paint_capsule(painter: QPainter, rect: QRectF, known: tuple[bool, bool], theme: Theme) -> None:
    """Paint the capsule of an output: its upper half is a known value, its lower one a gradient."""
    path, half = rounded(rect, rect.width() / 2, rect.width() / 2), rect.height() / 2
    painter.fillPath(path, theme.node)
    for is_known, color, top in zip(
        known, (theme.value, theme.gradient), (rect.top(), rect.center().y()), strict=True
    ):
        if is_known:
            part = QPainterPath()
            part.addRect(rect.left(), top, rect.width(), half)
            painter.fillPath(path.intersected(part), color)
    if theme.value == theme.gradient:  # without colours a line parts the halves
        painter.fillRect(QRectF(rect.left(), rect.center().y() - 1, rect.width(), 2), theme.node)
    painter.strokePath(path, pen(theme.secondary, 1.5))


def badge_middle(wide: float) -> QPointF:
    """Return the middle of the badge on a node's corner, clear of the formula in its header."""
    return QPointF(wide - 3, -3)


def paint_badge(painter: QPainter, look: NodeLook, wide: float, theme: Theme) -> None:
    """Paint the firing order badge on the corner, and beside it the flag of a mistake."""
    if look.flag:
        _flag(painter, look, wide, theme)
    if not look.badge:
        return
    at = badge_middle(wide)
    radius = sizes.BADGE / 2
    painter.setBrush(theme.gradient if look.badge_filled else theme.node)
    painter.setPen(pen(theme.gradient, 1.5))
    painter.drawEllipse(at, radius, radius)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    color = theme.on_fill if look.badge_filled else theme.gradient
    put(painter, str(look.badge), "caption strong", color, (at.x(), at.y()), "middle")


def flag_rect(look: NodeLook, wide: float) -> tuple[str, QRectF]:
    """Return a flag's text for this node width, and its rectangle left of the badge."""
    right = wide - 4 - sizes.BADGE / 2 - 4
    texts = look.flag, short_flag(look.right)
    said = next((text for text in texts if width(text, "caption strong") <= right), "✗")
    room = width(said, "caption strong") + 16
    return said, QRectF(right - room, 1 - MARGIN, room, sizes.CHIP)


def _flag(painter: QPainter, look: NodeLook, wide: float, theme: Theme) -> None:
    said, rect = flag_rect(look, wide)
    painter.fillPath(rounded(rect, sizes.CHIP / 2, sizes.CHIP / 2), theme.error)
    at = (rect.left() + 8, rect.center().y())
    put(painter, said, "caption strong", theme.on_fill, at)
