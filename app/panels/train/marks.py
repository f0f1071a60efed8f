"""Marks of samples: discs, squares and rings, as the boundary and its legend paint them."""

from __future__ import annotations

from typing import Final, Literal

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from app.style.current import Style

DISC, SQUARE, WRONG, CHOSEN = 9.0, 8.0, 15.0, 20.0
"""Diameters in px at 100 %."""
LINE: Final = 2.0
"""Width of the line on which the output is 0, in px at 100 %."""

Mark = Literal["disc", "square", "line", "curve", "wrong", "chosen"]


def paint_mark(painter: QPainter, style: Style, mark: Mark, at: QPointF) -> None:
    """Paint one mark around a point."""
    theme, scale = style.theme, style.control_scale
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if mark in ("line", "curve"):
        painter.setPen(QPen(theme.text if mark == "line" else theme.value, LINE * scale))
        painter.drawLine(at - QPointF(8 * scale, 0), at + QPointF(8 * scale, 0))
    elif mark == "disc":
        painter.setPen(QPen(theme.node, 1.2 * scale))
        painter.setBrush(theme.value)
        painter.drawEllipse(at, DISC * scale / 2, DISC * scale / 2)
    elif mark == "square":
        painter.setPen(QPen(theme.text, 1.5 * scale))
        painter.setBrush(theme.node)
        half = SQUARE * scale / 2
        painter.drawRect(QRectF(at.x() - half, at.y() - half, 2 * half, 2 * half))
    else:
        color, size = (theme.error, WRONG) if mark == "wrong" else (theme.selection, CHOSEN)
        painter.setPen(QPen(color, (1.8 if mark == "wrong" else 2.4) * scale))
        painter.drawEllipse(at, size * scale / 2, size * scale / 2)
