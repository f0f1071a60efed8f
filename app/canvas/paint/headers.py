"""Paints a node's header: symbol, label, name and formula."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QPainterPath

from app.canvas.appearance.look import NodeLook
from app.document.node_sizes import BEFORE_FORMULA, HEAD_RIGHT, PAD_LEFT, name_aside
from app.style import sizes
from app.style.icons import paint_icon
from app.style.strokes import elided, pen, put, rounded, width
from app.style.theme import Theme


def paint_header(painter: QPainter, look: NodeLook, band: QPainterPath, theme: Theme) -> None:
    """Paint the header of a node at the origin; `band` is its outline."""
    wide, middle = band.boundingRect().width(), sizes.NODE_HEADER / 2
    painter.fillPath(band, _color(look, theme))
    x = _symbol(painter, look, middle, theme)
    room = wide - x - HEAD_RIGHT
    label = elided(look.label, "label", min(room, sizes.LABEL_WIDTH))
    if label:
        x += put(painter, label, "label", theme.text, (x, middle))
    if look.name:
        name = elided(name_aside(label, look.name), "name", wide - x - HEAD_RIGHT)
        x += put(painter, name, "name", theme.secondary, (x, middle))
    room = wide - x - HEAD_RIGHT - BEFORE_FORMULA
    captions = () if look.kind == "root" else (look.caption, *look.shorter)
    caption = next((text for text in captions if width(text, "caption") <= room), "")
    if caption:
        color = theme.error if caption.endswith("empty") else theme.secondary
        put(painter, caption, "caption", color, (wide - HEAD_RIGHT, middle), "right")


def _symbol(painter: QPainter, look: NodeLook, middle: float, theme: Theme) -> float:
    """Paint the symbol of an op or the flag of a root; return where the label begins."""
    x = PAD_LEFT if look.kind != "op" else 8.0
    if look.symbol:
        box = QRectF(x, middle - 10, max(20.0, width(look.symbol, "done") + 8), 20)
        path = rounded(box, sizes.RADIUS_SYMBOL, sizes.RADIUS_SYMBOL)
        painter.fillPath(path, theme.node)
        painter.strokePath(path, pen(theme.outline, 1.0))
        put(painter, look.symbol, "done", theme.text, (box.center().x(), middle), "middle")
        x = box.right() + 8
    if look.kind == "root":
        paint_icon(painter, QRectF(x - 4, middle - 8, 16, 16), "flag", theme.root)
        x += 15
    return x


def _color(look: NodeLook, theme: Theme) -> QColor:
    if look.kind == "root" and look.active:
        return theme.header_root
    return theme.header_leaf if look.kind == "leaf" else theme.header_op
