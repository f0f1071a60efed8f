"""Icons drawn by ourselves: a 16 px grid, a 1.6 px stroke with round caps, one colour."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from itertools import pairwise
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPainterPath, QPen, QPixmap

from app.style.icon_shapes import SHAPES, THIN
from app.style.theme import THEMES, Theme, mixed

GRID: Final = 16.0
STROKE: Final = 1.6
NAMES: Final = tuple(SHAPES)

_THIN_STROKE: Final = 0.7
_SIZES: Final = (16, 20, 24, 32, 64)
_TOKEN: Final = re.compile(r"[A-Z]|-?\d+(?:\.\d+)?")


def icon(
    name: str,
    theme: Theme,
    color: QColor | None = None,
    checked: QColor | None = None,
    gap: float = 0.0,
) -> QIcon:
    """The icon for a button or menu, in text colour unless told; faded while disabled.

    A gap, in sides of the icon, leaves room to its right, or to its left when below zero.
    """
    chosen = color or theme.text
    return _icon(name, theme.name, chosen.rgba(), (checked or chosen).rgba(), gap)


def paint_icon(painter: QPainter, rect: QRectF, name: str, color: QColor) -> None:
    """Draw an icon as large as it fits into the middle of rect."""
    stroked, filled = _paths(name)
    scale = min(rect.width(), rect.height()) / GRID
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(rect.center() - QPointF(GRID / 2, GRID / 2) * scale)
    painter.scale(scale, scale)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(_round_pen(color, _THIN_STROKE if name in THIN else STROKE))
    painter.drawPath(stroked)
    painter.fillPath(filled, color)
    painter.restore()


def pixmap(name: str, size: int, color: QColor, ratio: float = 1.0, gap: float = 0.0) -> QPixmap:
    """An icon as a picture of so many logical pixels, with a gap as for `icon`."""
    _paths(name)  # an unknown name must be an error before there is a painter
    room = round(size * abs(gap))
    result = QPixmap(QSize(size + room, size) * ratio)
    result.setDevicePixelRatio(ratio)
    result.fill(Qt.GlobalColor.transparent)
    painter = QPainter(result)
    paint_icon(painter, QRectF(room if gap < 0 else 0, 0, size, size), name, color)
    painter.end()
    return result


def _round_pen(color: QColor, width: float) -> QPen:
    pen = QPen(color, width)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    return pen


@lru_cache(maxsize=1024)
def _icon(name: str, theme_name: str, color: int, checked: int, gap: float) -> QIcon:
    theme = THEMES[theme_name]
    normal, on = QColor.fromRgba(color), QColor.fromRgba(checked)
    result = QIcon()
    disabled = mixed(normal, theme.panel, 0.6)
    for size in _SIZES:
        result.addPixmap(pixmap(name, size, normal, gap=gap))
        result.addPixmap(pixmap(name, size, disabled, gap=gap), QIcon.Mode.Disabled)
        if on != normal:
            result.addPixmap(pixmap(name, size, on, gap=gap), QIcon.Mode.Normal, QIcon.State.On)
    return result


@cache
def _paths(name: str) -> tuple[QPainterPath, QPainterPath]:
    """The stroked and the filled part of an icon."""
    stroked, _, filled = SHAPES[name].partition("F")
    return _path(stroked), _path(filled)


def _path(text: str) -> QPainterPath:
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    tokens = _TOKEN.findall(text)
    starts = [place for place, token in enumerate(tokens) if token.isalpha()]
    for start, end in pairwise([*starts, len(tokens)]):
        _COMMANDS[tokens[start]](path, [float(token) for token in tokens[start + 1 : end]])
    return path


def _rounded_box(path: QPainterPath, a: list[float]) -> None:
    path.addRoundedRect(QRectF(a[0], a[1], a[2], a[3]), a[4], a[4])


def _dot(path: QPainterPath, a: list[float]) -> None:
    path.moveTo(a[0], a[1])
    path.lineTo(a[0] + 0.01, a[1])


_COMMANDS: Final[dict[str, Callable[[QPainterPath, list[float]], None]]] = {
    "M": lambda path, a: path.moveTo(*a),
    "L": lambda path, a: path.lineTo(*a),
    "H": lambda path, a: path.lineTo(a[0], path.currentPosition().y()),
    "V": lambda path, a: path.lineTo(path.currentPosition().x(), a[0]),
    "Q": lambda path, a: path.quadTo(*a),
    "C": lambda path, a: path.cubicTo(*a),
    "Z": lambda path, _: path.closeSubpath(),
    "O": lambda path, a: path.addEllipse(QPointF(a[0], a[1]), a[2], a[2]),
    "E": lambda path, a: path.addEllipse(QPointF(a[0], a[1]), a[2], a[3]),
    "R": _rounded_box,
    "D": _dot,
}
