"""Small strokes that node, wire and label painters share."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPaintEngine, QPainter, QPainterPath, QPen

from app.canvas.text import canvas_font, metrics, width

Align = Literal["left", "right", "middle"]
MARKS = ("circle", "square", "triangle", "diamond")


def put(
    painter: QPainter,
    text: str,
    role: str,
    color: QColor,
    at: tuple[float, float],
    align: Align = "left",
) -> float:
    """Write a text with its middle line at a height; returns its width."""
    x, y = at
    wide = width(text, role)
    if align != "left":
        x -= wide if align == "right" else wide / 2
    measure = metrics(role)
    at_point = QPointF(x, y + (measure.ascent() - measure.descent()) / 2)
    engine = painter.paintEngine()
    if engine is not None and engine.type() == QPaintEngine.Type.SVG:
        # an SVG names fonts and holds none: outlines look the same everywhere, and the text
        # lies over them unseen, to be searched and read aloud
        path = QPainterPath()
        path.setFillRule(Qt.FillRule.WindingFill)
        path.addText(at_point, canvas_font(role), text)
        painter.fillPath(path, color)
        color = QColor(0, 0, 0, 0)
    painter.setFont(canvas_font(role))
    painter.setPen(color)
    painter.drawText(at_point, text)
    return wide


def pen(color: QColor, wide: float, dash: tuple[float, ...] = ()) -> QPen:
    """A round pen; dashes are lengths in pixels."""
    result = QPen(color, wide)
    result.setCapStyle(Qt.PenCapStyle.FlatCap if dash else Qt.PenCapStyle.RoundCap)
    result.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    if dash:
        result.setDashPattern([length / wide for length in dash])
    return result


def rounded(rect: QRectF, left: float, right: float) -> QPainterPath:
    """A rectangle with one radius on its left corners and one on its right."""
    path = QPainterPath()
    x, y, r, b = rect.left(), rect.top(), rect.right(), rect.bottom()
    path.moveTo(x + left, y)
    path.lineTo(r - right, y)
    path.arcTo(r - 2 * right, y, 2 * right, 2 * right, 90, -90)
    path.lineTo(r, b - right)
    path.arcTo(r - 2 * right, b - 2 * right, 2 * right, 2 * right, 0, -90)
    path.lineTo(x + left, b)
    path.arcTo(x, b - 2 * left, 2 * left, 2 * left, 270, -90)
    path.lineTo(x, y + left)
    path.arcTo(x, y, 2 * left, 2 * left, 180, -90)
    path.closeSubpath()
    return path


def cut(rect: QRectF, corner: float) -> QPainterPath:
    """A rectangle with its corners cut off."""
    x, y, r, b = rect.left(), rect.top(), rect.right(), rect.bottom()
    path = QPainterPath(QPointF(x + corner, y))
    for px, py in (
        (r - corner, y),
        (r, y + corner),
        (r, b - corner),
        (r - corner, b),
        (x + corner, b),
        (x, b - corner),
        (x, y + corner),
    ):
        path.lineTo(px, py)
    path.closeSubpath()
    return path


def mark(
    painter: QPainter, place: int, at: QPointF, size: float, color: QColor, hollow: bool = False
) -> None:
    """The mark of a sibling wire: circle, square, triangle, diamond; the fifth starts hollow."""
    half = size / 2
    path = QPainterPath()
    name = MARKS[max(place, 0) % len(MARKS)]
    if name == "circle":
        path.addEllipse(at, half, half)
    elif name == "square":
        path.addRect(at.x() - half * 0.9, at.y() - half * 0.9, size * 0.9, size * 0.9)
    else:
        points = {
            "triangle": ((0, -1.1), (1.05, 0.8), (-1.05, 0.8)),
            "diamond": ((0, -1.2), (1.2, 0), (0, 1.2), (-1.2, 0)),
        }[name]
        path.moveTo(at.x() + points[0][0] * half, at.y() + points[0][1] * half)
        for x, y in points[1:]:
            path.lineTo(at.x() + x * half, at.y() + y * half)
        path.closeSubpath()
    if hollow or place >= len(MARKS):
        painter.strokePath(path, pen(color, 1.4))
    else:
        painter.fillPath(path, color)
