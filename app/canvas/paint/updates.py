"""Paints what the last update of a training loop did to a leaf: a strip, and the value before."""

from __future__ import annotations

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainter

from app.canvas.appearance.look import UpdateLook
from app.document.node_sizes import AFTER_CAPTION, PAD_LEFT, PAD_RIGHT, body_height, number_middle
from app.style.strokes import pen, put, width
from app.style.theme import Theme

LINES = 13.0, 29.0
"""Middles of the two lines below the rows of a leaf, in sheet px."""


def paint_update(
    painter: QPainter, update: UpdateLook, value: str, wide: float, theme: Theme
) -> None:
    """Paint the strip under a leaf, and its struck old value left of the new `value`."""
    top, x = body_height("leaf", 0), PAD_LEFT
    pieces = (
        (update.before, theme.value),
        (" − ", theme.secondary),
        (update.rate, theme.text),
        (" × ", theme.secondary),
        (update.grad, theme.gradient),
    )
    for text, color in pieces:
        x += put(painter, text, "caption strong", color, (x, top + LINES[0]))
    begun = put(painter, "= ", "caption strong", theme.secondary, (PAD_LEFT, top + LINES[1]))
    at = (PAD_LEFT + begun, top + LINES[1])
    put(painter, update.after, "caption strong", theme.value, at)
    if not update.struck:
        return
    y = number_middle("leaf", 0)
    right = wide - PAD_RIGHT - width(value, "number") - AFTER_CAPTION
    old = put(painter, update.struck, "caption", theme.secondary, (right, y), "right")
    painter.setPen(pen(theme.secondary, 1.2))
    painter.drawLine(QPointF(right - old - 1, y), QPointF(right + 1, y))
