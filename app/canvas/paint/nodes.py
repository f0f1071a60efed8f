"""Paints a node at the origin, from its look and its size alone."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath

from app.canvas.appearance.ledgers import ChipLook, as_shown, is_asked
from app.canvas.appearance.look import EMPTY_FIGURE, NO_PATH_NOTE, Figure, NodeLook
from app.canvas.layout.node_box import LEDGER_LEFT, chip_width
from app.canvas.paint.headers import paint_band, paint_titles
from app.canvas.paint.ledgers import paint_chip, paint_ledger
from app.canvas.paint.shapes import outline
from app.canvas.paint.updates import paint_update
from app.document.node_sizes import (
    BESIDE_DIVIDER,
    CAPTION,
    PAD_LEFT,
    PAD_RIGHT,
    body_height,
    capsule_middle,
    caption_middle,
    number_middle,
    row_middle,
)
from app.style import sizes
from app.style.strokes import pen, put, rounded, width
from app.style.theme import Theme, faded
from app.workbench.gradients.verdict import short_flag

HEAD_RIGHT, BEFORE_FORMULA = 8.0, 5.0
"""Right margin of a header, and the least gap between its label and its formula."""
BELOW_CAPTION = 2.0
"""Px by which a chip is lower than the number in its place: it is higher, and below a caption."""
MARGIN = 16.0
"""Margin in sheet px by which slots, glow, badge and shadow exceed a node's rectangle."""


@lru_cache(maxsize=2048)
def _header(kind: str, wide: float, high: float) -> QPainterPath:
    band = QPainterPath()
    band.addRect(0, 0, wide, sizes.NODE_HEADER)
    return outline(kind, wide, high).intersected(band)


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
    paint_body(painter, look, wide, high, left, theme)
    paint_texts(painter, look, wide, high, left, theme)


def paint_body(
    painter: QPainter, look: NodeLook, wide: float, high: float, left: float, theme: Theme
) -> None:
    """Paint everything that depends neither on the numbers nor on what the node is called."""
    body = outline(look.kind, wide, high)
    if look.kind == "pill":
        painter.fillPath(body, theme.header_op)
        _edge(painter, look, body, theme)
        return
    _glow(painter, look, (wide, high), theme)
    painter.fillPath(body, theme.node)
    paint_band(painter, look, _header(look.kind, wide, high), theme)
    _captions(painter, look, wide, left, theme)
    top = body_height(look.kind, len(look.plugged))
    if high > top:
        painter.setPen(pen(theme.line, 1.0))
        painter.drawLine(QPointF(1, top), QPointF(wide - 1, top))
    _edge(painter, look, body, theme)
    _slots(painter, look, theme)
    if look.kind != "root":
        _capsule(painter, look, wide, theme)


def paint_texts(
    painter: QPainter, look: NodeLook, wide: float, high: float, left: float, theme: Theme
) -> None:
    """Paint over the body what the node is called, its numbers and its badge."""
    paint_names(painter, look, wide, theme)
    paint_numbers(painter, look, wide, high, left, theme)
    paint_badge(painter, look, wide, theme)


def paint_names(painter: QPainter, look: NodeLook, wide: float, theme: Theme) -> None:
    """Paint the titles over the body, and along what the local derivative of each slot is."""
    if look.kind == "pill":
        return
    paint_titles(painter, look, wide, theme)
    for slot, text in enumerate(look.slot_captions):
        color = theme.local if look.locals[slot][0] else theme.secondary
        put(painter, text, "caption", color, (PAD_LEFT, caption_middle(look.kind, slot)))


def paint_numbers(
    painter: QPainter, look: NodeLook, wide: float, high: float, left: float, theme: Theme
) -> None:
    """Paint the numbers over the body."""
    if look.kind == "pill":
        at = (wide / 2, high / 2)
        put(painter, look.value.text, "number", _figure_color(look.value, theme), at, "middle")
        return
    for slot, (text, kink) in enumerate(look.locals):
        _local(painter, text, kink, number_middle(look.kind, slot), theme)
    _figure(painter, look, look.value, 0, _line(look, wide, left), theme)
    if look.grad is not None:
        alone = look.grad.kind == "no path"
        was = f"was {look.was}" if look.was else NO_PATH_NOTE if alone else ""
        grad = look.grad
        if look.waiting is not None:
            grad = _waiting(painter, look, look.waiting, _line(look, wide, left), theme)
        _figure(painter, look, grad, 1, _line(look, wide, left, was), theme)
    top = body_height(look.kind, len(look.plugged))
    if look.chips or look.correct is not None:
        paint_ledger(painter, look, wide, high, theme)
    elif high > top and not look.learns:
        at = (LEDGER_LEFT, top + sizes.LEDGER / 2)
        put(painter, "contributions", "caption", theme.secondary, at)
    if look.update is not None:
        paint_update(painter, look.update, look.value.text, wide, theme)


def _glow(painter: QPainter, look: NodeLook, size: tuple[float, float], theme: Theme) -> None:
    wide, high = size
    if theme.shadows:
        shade = faded(theme.shadow, theme.shadow.alphaF() * 0.5)
        for down in (2, 1):
            painter.fillPath(_foot(look.kind, wide, high).translated(0, down), shade)
    color = {"forward": theme.value, "firing": theme.gradient, "receiving": theme.gradient}
    if look.state in color:
        stroke = pen(faded(color[look.state], 0.24), 2 * sizes.GLOW + 2)
        painter.strokePath(outline(look.kind, wide, high), stroke)


def _captions(painter: QPainter, look: NodeLook, wide: float, left: float, theme: Theme) -> None:
    """Paint `data` and `grad`, and the line beside the local derivatives."""
    columns = look.kind in ("op", "root")
    x, align = (wide - PAD_RIGHT, "right") if columns else (PAD_LEFT, "left")
    names = ("data",) if look.grad is None else ("data", "grad")
    for place, name in enumerate(names):
        at = (x, caption_middle(look.kind, place))
        put(painter, name, "caption", theme.secondary, at, align)
    if left:
        painter.setPen(pen(theme.line, 1.0))
        bottom = body_height(look.kind, len(look.plugged)) - 8
        painter.drawLine(QPointF(left, sizes.NODE_HEADER + 8), QPointF(left, bottom))


def _local(painter: QPainter, text: str, kink: bool, y: float, theme: Theme) -> None:
    if not text:
        return
    color = theme.selection if is_asked(text) else theme.local
    wide = put(painter, as_shown(text), "number", color, (PAD_LEFT, y))
    if kink:
        path = QPainterPath(QPointF(PAD_LEFT + wide + 4, y - 4))
        path.lineTo(PAD_LEFT + wide + 8, y + 4)
        path.lineTo(PAD_LEFT + wide + 12, y - 4)
        painter.strokePath(path, pen(theme.local, 1.6))


def _figure_color(figure: Figure, theme: Theme) -> QColor:
    return {
        "unknown": theme.secondary,
        "value": theme.value,
        "stale": theme.secondary,
        "grad": theme.gradient,
        "bad": theme.error,
        "no path": theme.secondary,
        "asked": theme.selection,
    }[figure.kind]


def _figure(
    painter: QPainter, look: NodeLook, figure: Figure, place: int, line: _Line, theme: Theme
) -> None:
    """Paint value (place 0) or gradient (place 1), and left of it a note where that fits."""
    y = number_middle(look.kind, place)
    number = put(
        painter, figure.text, "number", _figure_color(figure, theme), (line.right, y), "right"
    )
    if line.note and width(line.note, "caption") + 6 <= line.right - number - line.left:
        put(painter, line.note, "caption", theme.secondary, (line.left, y))


class _Line(NamedTuple):
    """The free part of a line with a number, and the note that may stand there."""

    left: float
    right: float
    note: str = ""


def _line(look: NodeLook, wide: float, left: float, note: str = "") -> _Line:
    begin = left + BESIDE_DIVIDER if look.kind in ("op", "root") else PAD_LEFT + CAPTION + 6
    return _Line(begin, wide - PAD_RIGHT, note)


def _waiting(
    painter: QPainter, look: NodeLook, chip: ChipLook, line: _Line, theme: Theme
) -> Figure:
    """Paint the chip of the one pending contribution; without space it replaces the number."""
    assert look.grad is not None
    room, y = chip_width(chip.text), number_middle(look.kind, 1)
    if look.kind in ("op", "root"):
        y += BELOW_CAPTION
    if line.left + room + 6 <= line.right - width(look.grad.text, "number"):
        paint_chip(painter, chip, QPointF(line.left, y), theme)
        return look.grad
    paint_chip(painter, chip, QPointF(line.right - room, y), theme)
    return EMPTY_FIGURE


def _edge(painter: QPainter, look: NodeLook, body: QPainterPath, theme: Theme) -> None:
    if not all(look.plugged):
        painter.strokePath(body, pen(theme.error, 1.6, (5.0, 3.0)))
        return
    color, wide = theme.outline, sizes.OUTLINE
    if look.state == "forward":
        color, wide = theme.value, sizes.OUTLINE_FIRING
    elif look.state == "firing":
        color, wide = theme.gradient, sizes.OUTLINE_FIRING
    elif look.state == "receiving":
        color, wide = theme.gradient, 2.0
    elif look.bad:
        color, wide = theme.error, 2.2
    painter.strokePath(body, pen(color, wide))


def _slots(painter: QPainter, look: NodeLook, theme: Theme) -> None:
    radius = sizes.SLOT / 2
    for slot, plugged in enumerate(look.plugged):
        at = QPointF(0, row_middle(look.kind, slot))
        painter.setBrush(theme.node)
        painter.setPen(pen(theme.secondary, 1.6) if plugged else pen(theme.error, 1.5, (2.6, 1.8)))
        painter.drawEllipse(at, radius, radius)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _capsule(painter: QPainter, look: NodeLook, wide: float, theme: Theme) -> None:
    w, h = sizes.CAPSULE_WIDTH, sizes.CAPSULE_HEIGHT
    rect = QRectF(wide - w / 2, capsule_middle(look.kind) - h / 2, w, h)
    path = rounded(rect, w / 2, w / 2)
    painter.fillPath(path, theme.node)
    for known, color, top in (
        (look.value_known, theme.value, rect.top()),
        (look.grad_known, theme.gradient, rect.center().y()),
    ):
        if known:
            half = QPainterPath()
            half.addRect(rect.left(), top, w, h / 2)
            painter.fillPath(path.intersected(half), color)
    if theme.value == theme.gradient:  # without colours a line parts the halves
        painter.fillRect(QRectF(rect.left(), rect.center().y() - 1, w, 2), theme.node)
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
