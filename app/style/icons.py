"""Icons drawn by ourselves: a 16 px grid, a 1.6 px stroke with round caps, one colour."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from itertools import pairwise
from typing import Final

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QIconEngine, QPainter, QPainterPath, QPen, QPixmap

from app.guard import guarded
from app.style.icon_shapes import SHAPES, THIN
from app.style.theme import THEMES, Theme, mixed

GRID: Final = 16.0
STROKE: Final = 1.6
NAMES: Final = tuple(SHAPES)

_THIN_STROKE: Final = 0.7
_TOKEN: Final = re.compile(r"[A-Z]|-?\d+(?:\.\d+)?")


def icon(
    name: str,
    theme: Theme,
    color: QColor | None = None,
    checked: QColor | None = None,
    gap: float = 0.0,
) -> QIcon:
    """Return the icon for a button or menu, by default in text colour; faded while disabled.

    `gap`, in widths of the icon, leaves space to its right, or to its left if negative.
    """
    chosen = color or theme.text
    return _icon(name, theme.name, chosen.rgba(), (checked or chosen).rgba(), gap)


def paint_icon(painter: QPainter, rect: QRectF, name: str, color: QColor) -> None:
    """Paint an icon centred in rect, as large as it fits."""
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
    """Return an icon as a pixmap of `size` logical px, with a gap as in `icon`."""
    _paths(name)  # raises for an unknown name before a painter exists
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
    _paths(name)  # raises for an unknown name here, not while painting
    normal = QColor.fromRgba(color)
    faded = mixed(normal, THEMES[theme_name].panel, 0.6)
    return QIcon(_Drawn(name, normal, faded, QColor.fromRgba(checked), gap))


@guarded
class _Drawn(QIconEngine):
    """An icon engine that paints the icon in the size requested."""

    def __init__(
        self, name: str, normal: QColor, faded: QColor, checked: QColor, gap: float
    ) -> None:
        super().__init__()
        self._name, self._gap = name, gap
        self._normal, self._faded, self._checked = normal, faded, checked

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        side = min(rect.height(), round(rect.width() / (1 + abs(self._gap))))
        box = QRectF(0, 0, side, side)
        box.moveCenter(QRectF(rect).center())
        box.translate(-self._gap * side / 2, 0)
        paint_icon(painter, box, self._name, self._color(mode, state))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        result = QPixmap(size)
        result.fill(Qt.GlobalColor.transparent)
        with QPainter(result) as painter:
            self.paint(painter, result.rect(), mode, state)
        return result

    def clone(self) -> QIconEngine:
        return _Drawn(self._name, self._normal, self._faded, self._checked, self._gap)

    def _color(self, mode: QIcon.Mode, state: QIcon.State) -> QColor:
        if mode == QIcon.Mode.Disabled:
            return self._faded
        return self._checked if state == QIcon.State.On else self._normal


@cache
def _paths(name: str) -> tuple[QPainterPath, QPainterPath]:
    """Return the stroked and the filled part of an icon."""
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
