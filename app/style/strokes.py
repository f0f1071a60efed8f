"""Small strokes that node, wire and label painters share."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from app.style.text_widths import canvas_font, metrics, width

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
    where, font = QPointF(x, y + _drop(role)), canvas_font(role)
    if is_svg(painter):
        # an SVG names fonts and holds none: outlines look the same everywhere, and the text
        # lies over them unseen, to be searched and read aloud
        path = QPainterPath()
        path.setFillRule(Qt.FillRule.WindingFill)
        path.addText(where, font, text)
        painter.fillPath(path, color)
        color = QColor(0, 0, 0, 0)
    painter.setFont(font)
    painter.setPen(color)
    painter.drawText(where, text)
    return wide


def is_svg(painter: QPainter) -> bool:
    """Whether what is painted becomes an SVG; its library is loaded only for that."""
    return type(painter.device()).__name__ == "QSvgGenerator"


@lru_cache(64)
def _drop(role: str) -> float:
    """How far the baseline of a text is below its middle line."""
    measure = metrics(role)
    return (measure.ascent() - measure.descent()) / 2


def pen(color: QColor, wide: float, dash: tuple[float, ...] = ()) -> QPen:
    """A round pen; dashes are lengths in pixels. It is shared, never to be changed."""
    return _pen(color.rgba(), wide, dash)


@lru_cache(1024)
def _pen(color: int, wide: float, dash: tuple[float, ...]) -> QPen:
    result = QPen(QColor.fromRgba(color), wide)
    result.setCapStyle(Qt.PenCapStyle.FlatCap if dash else Qt.PenCapStyle.RoundCap)
    result.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    if dash:
        result.setDashPattern([length / wide for length in dash])
    return result


def hairline(color: QColor, wide: float = 1.0, dash: tuple[float, ...] = ()) -> QPen:
    """A pen as wide on the screen at every zoom; shared, never to be changed."""
    return _hairline(color.rgba(), wide, dash)


@lru_cache(256)
def _hairline(color: int, wide: float, dash: tuple[float, ...]) -> QPen:
    result = QPen(_pen(color, wide, ()))
    result.setCosmetic(True)
    if dash:
        result.setDashPattern(dash)
    return result


def rounded(rect: QRectF, left: float, right: float) -> QPainterPath:
    """A rectangle with one radius on its left corners and one on its right."""
    return _rounded(rect.width(), rect.height(), left, right).translated(rect.topLeft())


@lru_cache(2048)
def _rounded(wide: float, high: float, left: float, right: float) -> QPainterPath:
    path = QPainterPath()
    path.moveTo(left, 0)
    path.lineTo(wide - right, 0)
    path.arcTo(wide - 2 * right, 0, 2 * right, 2 * right, 90, -90)
    path.lineTo(wide, high - right)
    path.arcTo(wide - 2 * right, high - 2 * right, 2 * right, 2 * right, 0, -90)
    path.lineTo(left, high)
    path.arcTo(0, high - 2 * left, 2 * left, 2 * left, 270, -90)
    path.lineTo(0, left)
    path.arcTo(0, 0, 2 * left, 2 * left, 180, -90)
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
    path = _mark(max(place, 0) % len(MARKS), size).translated(at)
    if hollow or place >= len(MARKS):
        painter.strokePath(path, pen(color, 1.4))
    else:
        painter.fillPath(path, color)


@lru_cache(64)
def _mark(place: int, size: float) -> QPainterPath:
    half, name = size / 2, MARKS[place]
    path = QPainterPath()
    if name == "circle":
        path.addEllipse(QPointF(), half, half)
    elif name == "square":
        path.addRect(-half * 0.9, -half * 0.9, size * 0.9, size * 0.9)
    else:
        points = {
            "triangle": ((0, -1.1), (1.05, 0.8), (-1.05, 0.8)),
            "diamond": ((0, -1.2), (1.2, 0), (0, 1.2), (-1.2, 0)),
        }[name]
        path.moveTo(points[0][0] * half, points[0][1] * half)
        for x, y in points[1:]:
            path.lineTo(x * half, y * half)
        path.closeSubpath()
    return path
