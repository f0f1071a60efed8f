"""Paints a node at the origin, from its look and its size alone."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath

from app.canvas.appearance.ledgers import ChipLook
from app.canvas.appearance.look import Figure, NodeLook
from app.canvas.layout.text_sizes import (
    capsule_middle,
    chip_width,
    slot_row,
)
from app.document.node_sizes import body_height
from app.style import sizes
from app.style.icons import paint_icon
from app.style.strokes import cut, elided, mark, pen, put, rounded, width
from app.style.theme import Theme, faded

PAD_LEFT = 10.0
EMPTY_FIGURE = Figure("", "unknown")
"""Stands in for a number whose place the chip takes."""

MARGIN = 16.0
"""Margin in sheet px by which slots, glow, badge and shadow exceed a node's rectangle."""


@lru_cache(maxsize=2048)
def outline(kind: str, wide: float, high: float) -> QPainterPath:
    """Return the outline, whose shape tells the kind; shared, callers must not modify it."""
    rect = QRectF(0, 0, wide, high)
    if kind == "constant":
        return cut(rect, sizes.CORNER_CUT)
    left = sizes.RADIUS_ROUND if kind == "leaf" else sizes.RADIUS_NODE
    right = sizes.RADIUS_ROUND if kind == "root" else sizes.RADIUS_NODE
    return rounded(rect, left, right)


@lru_cache(maxsize=2048)
def _header(kind: str, wide: float, high: float) -> QPainterPath:
    band = QPainterPath()
    band.addRect(0, 0, wide, sizes.NODE_HEADER)
    return outline(kind, wide, high).intersected(band)


def paint_node(
    painter: QPainter, look: NodeLook, wide: float, high: float, left: float, theme: Theme
) -> None:
    """Paint the node with its upper left corner at the origin."""
    paint_body(painter, look, wide, high, left, theme)
    paint_numbers(painter, look, wide, left, theme)
    paint_badge(painter, look, wide, theme)


def paint_body(
    painter: QPainter, look: NodeLook, wide: float, high: float, left: float, theme: Theme
) -> None:
    """Paint everything that does not change with the numbers."""
    body = outline(look.kind, wide, high)
    _glow(painter, look, body, theme)
    painter.fillPath(body, theme.node)
    painter.fillPath(_header(look.kind, wide, high), _header_color(look, theme))
    _head(painter, look, wide, theme)
    _row_names(painter, look, left, theme)
    if look.chips:
        top = body_height(len(look.plugged))
        painter.setPen(pen(theme.line, 1.0))
        painter.drawLine(QPointF(1, top), QPointF(wide - 1, top))
    _edge(painter, look, body, theme)
    _slots(painter, look, theme)
    if look.kind != "root":
        _capsule(painter, look, wide, theme)


def paint_numbers(
    painter: QPainter, look: NodeLook, wide: float, left: float, theme: Theme
) -> None:
    """Paint the numbers over the body."""
    for slot, (text, kink) in enumerate(look.locals):
        _local(painter, text, kink, slot_row(slot), theme)
    right, x = wide - 14, _names_at(look, left)
    _figure(painter, look.value, "", (x, slot_row(0)), right, theme)
    if look.grad is not None:
        was = f"was {look.was}" if look.was else ("no path" if look.grad.kind == "no path" else "")
        grad = look.grad
        if look.waiting is not None:
            grad = paint_waiting(painter, look.waiting, grad, x, right, theme)
        _figure(painter, grad, was, (x, slot_row(1)), right, theme)
    if look.chips:
        paint_ledger(painter, look, wide, theme)


def _glow(painter: QPainter, look: NodeLook, body: QPainterPath, theme: Theme) -> None:
    if theme.shadows:
        painter.fillPath(body.translated(0, 2), faded(theme.shadow, theme.shadow.alphaF() * 0.5))
        painter.fillPath(body.translated(0, 1), faded(theme.shadow, theme.shadow.alphaF() * 0.5))
    color = {"forward": theme.value, "firing": theme.gradient, "receiving": theme.gradient}
    if look.state in color:
        painter.strokePath(body, pen(faded(color[look.state], 0.24), 2 * sizes.GLOW + 2))


def _header_color(look: NodeLook, theme: Theme) -> QColor:
    if look.kind == "root" and look.active:
        return theme.header_root
    return theme.header_leaf if look.kind == "leaf" else theme.header_op


def _head(painter: QPainter, look: NodeLook, wide: float, theme: Theme) -> None:
    middle = sizes.NODE_HEADER / 2
    x = 12.0 if look.kind != "op" else 8.0
    if look.symbol:
        box = QRectF(x, middle - 10, max(20.0, width(look.symbol, "done") + 8), 20)
        path = rounded(box, sizes.RADIUS_SYMBOL, sizes.RADIUS_SYMBOL)
        painter.fillPath(path, theme.node)
        painter.strokePath(path, pen(theme.outline, 1.0))
        put(painter, look.symbol, "done", theme.text, (box.center().x(), middle), "middle")
        x = box.right() + 8
    if look.kind == "root":
        paint_icon(painter, QRectF(x - 2, middle - 8, 16, 16), "flag", theme.root)
        x += 20
    room = wide - x - 12
    caption = _fitting_caption(look, room)
    label = elided(look.label, "label", room - (width(caption, "caption") + 8 if caption else 0))
    put(painter, label, "label", theme.text, (x, middle))
    if caption:
        color = theme.error if caption.endswith("empty") else theme.secondary
        put(painter, caption, "caption", color, (wide - 12, middle), "right")


def _fitting_caption(look: NodeLook, room: float) -> str:
    """Return the caption if it fits beside the label; the label is never cut for it."""
    rest = room - width(look.label, "label") - 8
    return look.caption if width(look.caption, "caption") <= rest else ""


def _names_at(look: NodeLook, left: float) -> float:
    return left + 12 if left else (16.0 if look.kind == "root" else 12.0)


def _row_names(painter: QPainter, look: NodeLook, left: float, theme: Theme) -> None:
    if left:
        painter.setPen(pen(theme.line, 1.0))
        bottom = body_height(len(look.plugged)) - 8
        painter.drawLine(QPointF(left, sizes.NODE_HEADER + 8), QPointF(left, bottom))
    x = _names_at(look, left)
    put(painter, "data", "caption", theme.secondary, (x, slot_row(0)))
    if look.grad is not None:
        put(painter, "grad", "caption", theme.secondary, (x, slot_row(1)))


def _local(painter: QPainter, text: str, kink: bool, y: float, theme: Theme) -> None:
    if not text:
        return
    wide = put(painter, f"∂ {text}", "done", theme.local, (PAD_LEFT, y))
    if kink:
        path = QPainterPath(QPointF(PAD_LEFT + wide + 4, y - 4))
        path.lineTo(PAD_LEFT + wide + 8, y + 4)
        path.lineTo(PAD_LEFT + wide + 12, y - 4)
        painter.strokePath(path, pen(theme.local, 1.6))


def _figure(
    painter: QPainter,
    figure: Figure,
    note: str,
    at: tuple[float, float],
    right: float,
    theme: Theme,
) -> None:
    colors = {
        "unknown": theme.secondary,
        "value": theme.value,
        "grad": theme.gradient,
        "bad": theme.error,
        "no path": theme.secondary,
        "asked": theme.selection,
    }
    number = put(painter, figure.text, "number", colors[figure.kind], (right, at[1]), "right")
    x = at[0] + width("grad", "caption") + 6
    if note and width(note, "caption") + 6 <= right - number - x:
        put(painter, note, "caption", theme.secondary, (x, at[1]))


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
        at = QPointF(0, slot_row(slot))
        painter.setBrush(theme.node)
        painter.setPen(pen(theme.secondary, 1.6) if plugged else pen(theme.error, 1.5, (2.6, 1.8)))
        painter.drawEllipse(at, radius, radius)
        if look.letters and not (look.locals and look.locals[slot][0]):
            put(painter, look.letters[slot], "caption", theme.secondary, (PAD_LEFT, at.y()))
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _capsule(painter: QPainter, look: NodeLook, wide: float, theme: Theme) -> None:
    w, h = sizes.CAPSULE_WIDTH, sizes.CAPSULE_HEIGHT
    rect = QRectF(wide - w / 2, capsule_middle() - h / 2, w, h)
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
    painter.strokePath(path, pen(theme.secondary, 1.5))


def paint_badge(painter: QPainter, look: NodeLook, wide: float, theme: Theme) -> None:
    """Paint the firing order badge on the corner, and beside it the flag of a mistake."""
    if look.flag:
        _flag(painter, look.flag, wide, theme)
    if not look.badge:
        return
    at = QPointF(wide - 4, 0)
    radius = sizes.BADGE / 2
    painter.setBrush(theme.gradient if look.badge_filled else theme.node)
    painter.setPen(pen(theme.gradient, 1.5))
    painter.drawEllipse(at, radius, radius)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    color = theme.on_fill if look.badge_filled else theme.gradient
    put(painter, str(look.badge), "caption strong", color, (at.x(), at.y()), "middle")


def flag_rect(text: str, wide: float) -> tuple[str, QRectF]:
    """Return a flag's text for this node width, and its rectangle left of the badge."""
    right = wide - 4 - sizes.BADGE / 2 - 4
    fitting = (
        said for said in (text, text.split(",")[0]) if width(said, "caption strong") <= right
    )
    said = next(fitting, "✗")
    room = width(said, "caption strong") + 16
    return said, QRectF(right - room, 1 - MARGIN, room, sizes.CHIP)


def _flag(painter: QPainter, text: str, wide: float, theme: Theme) -> None:
    said, rect = flag_rect(text, wide)
    painter.fillPath(rounded(rect, sizes.CHIP / 2, sizes.CHIP / 2), theme.error)
    at = (rect.left() + 8, rect.center().y())
    put(painter, said, "caption strong", theme.on_fill, at)


def paint_waiting(
    painter: QPainter, chip: ChipLook, grad: Figure, x: float, right: float, theme: Theme
) -> Figure:
    """Paint the chip of the one pending contribution; without space it replaces the number."""
    begin = x + width("grad", "caption") + 6
    wide = chip_width(chip.text)
    if begin + wide + 6 <= right - width(grad.text, "number"):
        paint_chip(painter, chip, QPointF(begin, slot_row(1)), theme)
        return grad
    paint_chip(painter, chip, QPointF(right - wide, slot_row(1)), theme)
    return EMPTY_FIGURE


def paint_ledger(painter: QPainter, look: NodeLook, wide: float, theme: Theme) -> None:
    """Paint the lane of chips and their sum under the body of a node at the origin."""
    middle = body_height(len(look.plugged)) + sizes.LEDGER / 2
    begun = put(painter, look.start, "caption", theme.secondary, (12, middle))
    x = 12 + begun + 6
    if look.start.startswith("…") and look.chips[0].state == "overwritten":
        _strike(painter, 12, middle, begun, theme.error)
    for chip in look.chips:
        x += paint_chip(painter, chip, QPointF(x, middle), theme) + 4
    if look.more:
        put(painter, f"{look.more} more", "caption", theme.secondary, (x + 2, middle))
    put(painter, f"= {look.total}", "number", theme.text, (wide - 14, middle), "right")


def paint_chip(painter: QPainter, chip: ChipLook, at: QPointF, theme: Theme) -> float:
    """Paint a chip whose left side is centred on a point; returns its width."""
    wide = chip_width(chip.text)
    half = sizes.CHIP / 2
    rect = QRectF(at.x(), at.y() - half, wide, sizes.CHIP).adjusted(0.5, 0.5, -0.5, -0.5)
    path = rounded(rect, half - 0.5, half - 0.5)
    color = theme.error if chip.state == "overwritten" else theme.sibling(max(chip.hue, 0))
    spot = QPointF(at.x() + (14 if not chip.text else 11), at.y())
    if chip.state == "waiting":
        painter.strokePath(path, pen(color, 1.3, (3.0, 2.4)))
        mark(painter, chip.hue, spot, 7, color, hollow=True)
        return wide
    landed = chip.state == "landed"
    tint = theme.error_tint if chip.state == "overwritten" else theme.sibling_tint(max(chip.hue, 0))
    painter.fillPath(path, color if landed else tint)
    painter.strokePath(path, pen(color, 1.2))
    ink = theme.on_fill if landed else color
    mark(painter, chip.hue, spot, 7, ink)
    x = at.x() + 19
    number = put(painter, chip.text, "caption strong", ink, (x, at.y()))
    if chip.state == "overwritten":
        _strike(painter, x, at.y(), number, color)
    return wide


def _strike(painter: QPainter, x: float, middle: float, wide: float, color: QColor) -> None:
    """Strike through a number that was overwritten."""
    painter.setPen(pen(color, 1.4))
    painter.drawLine(QPointF(x - 1, middle), QPointF(x + wide + 1, middle))
