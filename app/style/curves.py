"""Paints the curve of a one-input operation as its icon: `paint_curve`."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from app.style.theme import faded

_SAMPLES: Final = 97
"""Odd, so that the middle of the span, where relu and abs bend, is a sample."""
_STROKE_WIDTH: Final = 1.6
_MIN_JUMP: Final = 0.4
"""A change between two samples by more than this share of the height is drawn as a gap."""

Points = tuple[tuple[float, float], ...]
"""One unbroken piece of a curve, in the unit square."""


def paint_curve(
    painter: QPainter,
    rect: QRectF,
    function: Callable[[float], float],
    color: QColor,
    span: tuple[float, float] = (-3.0, 3.0),
) -> None:
    """Paint the curve of a function over `span` so that it fills rect, with a pale line at zero.

    Values that are not finite, or larger than the ends of the span, are left out; what remains is
    scaled to the whole rectangle.
    """
    pieces, zero = curve(function, span)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if zero is not None:
        y = rect.bottom() - zero * rect.height()
        painter.setPen(QPen(faded(color, 0.22), 1.0))
        painter.drawLine(QPointF(rect.left(), y), QPointF(rect.right(), y))
    pen = QPen(color, _STROKE_WIDTH)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.drawPath(_path(pieces, rect))
    painter.restore()


@lru_cache(maxsize=256)
def curve(
    function: Callable[[float], float], span: tuple[float, float]
) -> tuple[tuple[Points, ...], float | None]:
    """Return the pieces of the curve in the unit square (y upwards), and the y of zero or None."""
    limit = max(abs(span[0]), abs(span[1]))
    # sample twice: to find the part of the span with a curve, then that part at full resolution
    drawn = [x for x, y in _sampled(function, span) if abs(y) <= limit]
    if not drawn:
        return (), None
    left, right = drawn[0], drawn[-1]
    samples = [
        (x, y if abs(y) <= limit else math.nan) for x, y in _sampled(function, (left, right))
    ]
    heights = [y for _, y in samples if math.isfinite(y)]
    low, high = min(heights), max(heights)
    width = right - left or 1.0
    height = high - low
    if height == 0:  # a constant: half-way up
        low, height = low - 0.5, 1.0
    normalized = [((x - left) / width, (y - low) / height) for x, y in samples]
    zero = -low / height
    return tuple(_pieces(normalized)), zero if 0 <= zero <= 1 else None


def _sampled(
    function: Callable[[float], float], span: tuple[float, float]
) -> list[tuple[float, float]]:
    step = (span[1] - span[0]) / (_SAMPLES - 1)
    xs = [span[0] + step * i for i in range(_SAMPLES)]
    return [(x, _value(function, x)) for x in xs]


def _value(function: Callable[[float], float], x: float) -> float:
    """Return the value of the function, nan where it has none or gives no real number."""
    try:
        return float(function(x))
    except (ArithmeticError, ValueError, TypeError):
        return math.nan


def _pieces(samples: list[tuple[float, float]]) -> list[Points]:
    """Split the curve where it has no value and where it jumps."""
    pieces: list[list[tuple[float, float]]] = [[]]
    for x, y in samples:
        last = pieces[-1]
        if not math.isfinite(y):
            pieces.append([])
        elif last and abs(y - last[-1][1]) > _MIN_JUMP:
            pieces.append([(x, y)])
        else:
            last.append((x, y))
    return [tuple(piece) for piece in pieces if piece]


def _path(pieces: tuple[Points, ...], rect: QRectF) -> QPainterPath:
    path = QPainterPath()
    for piece in pieces:
        points = [
            QPointF(rect.left() + x * rect.width(), rect.bottom() - y * rect.height())
            for x, y in piece
        ]
        path.moveTo(points[0])
        for point in points[1:]:
            path.lineTo(point)
    return path
