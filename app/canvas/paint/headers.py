"""Paints a node's header: symbol, label, name and formula."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QPainterPath

from app.canvas.appearance.look import BodyLook, NodeLook
from app.document.node_sizes import BEFORE_FORMULA, HEAD_RIGHT, PAD_LEFT, name_aside
from app.style import sizes
from app.style.icons import paint_icon
from app.style.strokes import elided, pen, put, rounded, width
from app.style.theme import Theme


def paint_band(painter: QPainter, look: BodyLook, band: QPainterPath, theme: Theme) -> None:
    """Paint the header of a node at the origin without its titles; `band` is its outline."""
    painter.fillPath(band, _color(look, theme))
    middle = sizes.NODE_HEADER / 2
    if look.symbol:
        box = _symbol_box(look)
        path = rounded(box, sizes.RADIUS_SYMBOL, sizes.RADIUS_SYMBOL)
        painter.fillPath(path, theme.node)
        painter.strokePath(path, pen(theme.outline, 1.0))
        put(painter, look.symbol, "done", theme.text, (box.center().x(), middle), "middle")
    if look.kind == "root":
        paint_icon(painter, QRectF(_left(look) - 4, middle - 8, 16, 16), "flag", theme.root)


def paint_titles(painter: QPainter, look: NodeLook, wide: float, theme: Theme) -> None:
    """Paint the label, the name and the formula in the header of a node at the origin."""
    body, texts, middle = look.body, look.texts, sizes.NODE_HEADER / 2
    x = _symbol_box(body).right() + 8 if body.symbol else _left(body)
    if look.kind == "root":
        x += 15
    room = wide - x - HEAD_RIGHT
    label = elided(texts.label, "label", min(room, sizes.LABEL_WIDTH))
    if label:
        x += put(painter, label, "label", theme.text, (x, middle))
    if texts.name:
        name = elided(name_aside(label, texts.name), "name", wide - x - HEAD_RIGHT)
        x += put(painter, name, "name", theme.secondary, (x, middle))
    room = wide - x - HEAD_RIGHT - BEFORE_FORMULA
    captions = () if look.kind == "root" else texts.captions
    caption = next((text for text in captions if width(text, "caption") <= room), "")
    if caption:
        color = theme.error if caption.endswith("empty") else theme.secondary
        put(painter, caption, "caption", color, (wide - HEAD_RIGHT, middle), "right")


def _left(look: BodyLook) -> float:
    """Return where the first sign of a header begins."""
    return 8.0 if look.kind == "op" else float(PAD_LEFT)


def _symbol_box(look: BodyLook) -> QRectF:
    """Return the box around the symbol of an op."""
    wide = max(20.0, width(look.symbol, "done") + 8)
    return QRectF(_left(look), sizes.NODE_HEADER / 2 - 10, wide, 20)


def _color(look: BodyLook, theme: Theme) -> QColor:
    if look.kind == "root" and look.active:
        return theme.header_root
    return theme.header_leaf if look.kind == "leaf" else theme.header_op
