"""Paints nodes when zoomed out: fewer texts, each readable, down to bare outlines."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter

from app.canvas.appearance.look import NodeLook, Tone
from app.canvas.layout.node_box import Box
from app.canvas.paint.nodes import outline
from app.style import sizes
from app.style.strokes import canvas_font, pen, put
from app.style.theme import Theme

MIDDLE = Qt.AlignmentFlag.AlignVCenter
LEFT = MIDDLE | Qt.AlignmentFlag.AlignLeft
RIGHT = MIDDLE | Qt.AlignmentFlag.AlignRight
CENTRE = Qt.AlignmentFlag.AlignCenter
TEXT = 11.5
"""Text size on the screen, in px, when zoomed out."""


def tone_color(tone: Tone, theme: Theme) -> QColor:
    """Return the colour of a node's state when zoomed out."""
    return {
        "bad": theme.error,
        "value": theme.value,
        "grad": theme.gradient,
        "root": theme.root,
        "idle": theme.wire,
    }[tone]


def paint_mid(painter: QPainter, look: NodeLook, box: Box, theme: Theme, scale: float) -> None:
    """Paint the name and below it the two numbers, at a fixed text size on the screen."""
    _body(painter, look, box, theme)
    if look.kind == "pill":
        put(painter, look.value.text, "number", theme.value, box.rect.center().toTuple(), "middle")
        return
    numbers = [(look.value.text, theme.error if look.bad else theme.value)]
    row = min(box.h, sizes.NODE_HEIGHT) / 3
    rect = QRectF(box.x + 6, box.y + 1, box.w - 12, row)
    size = _size(scale)
    if look.flag:
        numbers.append((_flagged(look, size, int(rect.width())), theme.error))
    elif look.grad is not None:
        known = look.grad.kind == "grad"
        numbers.append((look.grad.text, theme.gradient if known else theme.secondary))
    room = int(rect.width())
    title = _title(look, size, room)
    painter.setFont(_font("label" if look.label else "name", size))
    painter.setPen(theme.text if look.label else theme.secondary)
    painter.drawText(rect, LEFT, _shortened(title, size, room))
    for text, color in numbers:
        rect.translate(0, row - 1)
        painter.setFont(_font("number", _size_that_fits(text, size, int(rect.width()) + 8)))
        painter.setPen(color)
        painter.drawText(rect, RIGHT, text)


def paint_small(painter: QPainter, look: NodeLook, box: Box, theme: Theme, scale: float) -> None:
    """Paint the operation's symbol, the label, or the number, alone."""
    _body(painter, look, box, theme)
    size, quiet = _size(scale), bool(look.name and not look.label)
    painter.setFont(_font("name" if quiet else "label", size))
    painter.setPen(theme.error if look.flag else theme.secondary if quiet else theme.text)
    text = _title(look, size, int(box.w - 12)) or look.value.text
    painter.drawText(box.rect, CENTRE, f"✗ {text}" if look.flag else text)


def _body(painter: QPainter, look: NodeLook, box: Box, theme: Theme) -> None:
    path = outline(look.kind, box.w, box.h).translated(box.x, box.y)
    fill = {"leaf": theme.header_leaf, "root": theme.header_root}.get(look.kind, theme.header_op)
    painter.fillPath(path, fill)
    color, wide = theme.outline, 1.5
    if look.bad or not all(look.plugged):
        color, wide = theme.error, 3.0
    elif look.state == "forward":
        color, wide = theme.value, 3.0
    elif look.state in ("firing", "receiving"):
        color, wide = theme.gradient, 3.0
    elif look.flag:
        color, wide = theme.error, 3.0
    painter.strokePath(path, pen(color, wide))


def _title(look: NodeLook, size: int, room: int) -> str:
    """Return symbol, label and name, as many of them as there is space for."""
    short = look.name or look.label
    return _widest_title(look.symbol, look.title, short, size, room)


@lru_cache(2048)
def _widest_title(symbol: str, title: str, short: str, size: int, room: int) -> str:
    measure = QFontMetrics(_font("label", size))
    for text in (f"{symbol} {title}".strip(), f"{symbol} {short}".strip()):
        if measure.horizontalAdvance(text) <= room:
            return text
    return short or symbol  # the sign of an op can be told from its neighbours


def _flagged(look: NodeLook, size: int, room: int) -> str:
    """Return what is wrong with a gradient, in full if there is space."""
    assert look.grad is not None
    measure = QFontMetrics(_font("number", size))
    return look.flag if measure.horizontalAdvance(look.flag) <= room else f"✗ {look.grad.text}"


def _size(scale: float) -> int:
    """Return the font size in sheet px that gives the fixed size on the screen."""
    return max(1, round(TEXT / scale))


@lru_cache(2048)
def _size_that_fits(text: str, size: int, room: int) -> int:
    """Return the size at which a number fits: a cut number would be another one."""
    wide = QFontMetrics(_font("number", size)).horizontalAdvance(text)
    return size if wide <= room else max(1, size * room // wide)


@lru_cache(64)
def _font(role: str, size: int) -> QFont:
    """Return the shared font of a role; callers must not modify it."""
    font = QFont(canvas_font(role))
    font.setPixelSize(size)
    return font


@lru_cache(2048)
def _shortened(title: str, size: int, room: int) -> str:
    return QFontMetrics(_font("label", size)).elidedText(title, Qt.TextElideMode.ElideRight, room)
