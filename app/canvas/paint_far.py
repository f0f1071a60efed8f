"""Draws nodes small: fewer things, each still readable, down to bare silhouettes."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter

from app.canvas.geometry import Box
from app.canvas.ink import pen
from app.canvas.look import NodeLook
from app.canvas.paint_node import outline
from app.canvas.text import canvas_font
from app.style.theme import Theme

TEXT = 11.5
"""The size of writing on the screen when nodes are drawn small."""


def state_color(look: NodeLook, theme: Theme) -> QColor:
    """The one colour that stands for a node from afar."""
    if look.bad or not all(look.plugged):
        return theme.error
    if look.state == "forward":
        return theme.value
    if look.state in ("firing", "receiving") or look.grad_known:
        return theme.gradient
    if look.kind == "root":
        return theme.root
    return theme.value if look.kind == "leaf" else theme.wire


def paint_mid(painter: QPainter, look: NodeLook, box: Box, theme: Theme, scale: float) -> None:
    """Symbol, label and the two numbers, in writing of one size on the screen."""
    _body(painter, look, box, theme)
    font = _font("label", scale)
    painter.setFont(font)
    painter.setPen(theme.text)
    title = f"{look.symbol} {look.label}".strip()
    half = box.rect.adjusted(8, 4, -box.w * 0.42, -4)
    painter.drawText(half, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, title)
    numbers = [(look.value.text, theme.error if look.bad else theme.value)]
    if look.grad is not None:
        known = look.grad.kind == "grad"
        numbers.append((look.grad.text, theme.gradient if known else theme.secondary))
    painter.setFont(_font("number", scale))
    for row, (text, color) in enumerate(numbers):
        painter.setPen(color)
        high = box.h / len(numbers)
        rect = QRectF(box.x + box.w * 0.4, box.y + row * high, box.w * 0.6 - 12, high)
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, text)


def paint_small(painter: QPainter, look: NodeLook, box: Box, theme: Theme, scale: float) -> None:
    """The operation's symbol, or the label, alone."""
    _body(painter, look, box, theme)
    painter.setFont(_font("label", scale))
    painter.setPen(theme.text)
    painter.drawText(box.rect, Qt.AlignmentFlag.AlignCenter, look.symbol or look.label)


def _body(painter: QPainter, look: NodeLook, box: Box, theme: Theme) -> None:
    path = outline(look.kind, box.w, box.h).translated(box.x, box.y)
    fill = {"leaf": theme.header_leaf, "root": theme.header_root}.get(look.kind, theme.header_op)
    painter.fillPath(path, fill)
    lit = look.state in ("firing", "receiving", "forward") or look.bad or not all(look.plugged)
    painter.strokePath(path, pen(state_color(look, theme) if lit else theme.outline, 3.0 if lit else 1.5))


def _font(role: str, scale: float) -> QFont:
    font = QFont(canvas_font(role))
    font.setPixelSize(max(1, round(TEXT / scale)))
    return font


def silhouette_points(box: Box) -> tuple[QPointF, QPointF]:
    """The corners of a node's rectangle."""
    return QPointF(box.x, box.y), QPointF(box.x + box.w, box.y + box.h)
