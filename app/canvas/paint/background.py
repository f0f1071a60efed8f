"""The background: the colour of the canvas with its grid of dots."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPixmap, QPolygonF

from app.style import sizes
from app.style.strokes import pen
from app.style.theme import Theme


class Backdrop:
    """The canvas colour with dots every 24 px, fewer when zoomed out; one row of dots is cached."""

    def __init__(self) -> None:
        self._key: object = None
        self._rows: dict[bool, QPixmap] = {}

    def paint(
        self,
        painter: QPainter,
        exposed: QRectF,
        wide: int,
        offset: QPointF,
        scale: float,
        theme: Theme,
    ) -> None:
        """Paint the exposed part, in screen px; the sheet's origin is at `offset`."""
        painter.fillRect(exposed, theme.canvas)
        step = float(sizes.GRID)
        while step * scale < 14:
            step *= 4
        step *= scale
        ratio = painter.device().devicePixelRatioF()
        phase, begin = offset.x(), 0.0
        if (step * ratio).is_integer():  # then a row shifted by one step has the same pixels
            phase, begin = 0.0, offset.x() % step - step
        key = (phase, step, wide, theme.name, ratio)
        if key != self._key:
            self._key, self._rows = key, {}
        first = math.floor((exposed.top() - 2 - offset.y()) / step)
        last = math.ceil((exposed.bottom() + 2 - offset.y()) / step)
        for row in range(first, last + 1):
            y = (offset.y() + row * step) * ratio
            between = 0.187 < y - math.floor(y) < 0.813  # then dots lie between pixel rows
            top = math.floor(y) if between else round(y)
            if between not in self._rows:
                down = 0.5 if between else 0.0
                room = wide + 2 * math.ceil(step)
                self._rows[between] = _row(phase, step, room, theme, ratio, down)
            painter.drawPixmap(QPointF(begin, (top - 2) / ratio), self._rows[between])


def _row(phase: float, step: float, wide: int, theme: Theme, ratio: float, down: float) -> QPixmap:
    """Return one row of dots with a dot at `phase`, shifted down by `down` device px."""
    row = QPixmap(math.ceil(wide * ratio), math.ceil(4 * ratio))
    row.setDevicePixelRatio(ratio)
    row.fill(theme.canvas)
    first = math.floor(-phase / step)
    count = math.ceil(wide / step) + 2
    dots = [QPointF(phase + (first + k) * step, (2 + down) / ratio) for k in range(count)]
    painter = QPainter(row)
    painter.setPen(pen(theme.grid, 1.6))
    painter.drawPoints(QPolygonF(dots))
    painter.end()
    return row
