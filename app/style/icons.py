"""Icons drawn by ourselves: a 16 px grid, a 1.6 px stroke with round caps, one colour."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from itertools import pairwise
from typing import Final

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QIconEngine, QPainter, QPainterPath, QPixmap

from app.guard import exception_safe
from app.style.strokes import pen
from app.style.theme import THEMES, Theme, mixed

GRID: Final = 16.0
"""Side of the square in which icons are drawn."""
STROKE: Final = 1.6
"""Width of their lines, in the same unit."""
_THIN_STROKE: Final = 0.7
"""The same of the icons in THIN."""
_TOKEN: Final = re.compile(r"[A-Z]|-?\d+(?:\.\d+)?")
"""A command letter or a number of a path text; see `SHAPES`."""


def icon(
    name: str,
    theme: Theme,
    color: QColor | None = None,
    checked: QColor | None = None,
    gap: float = 0.0,
) -> QIcon:
    """Return the icon for a button or menu, by default in text colour; faded while disabled.

    `checked` is its colour on a checked button. `gap`, in widths of the icon, leaves space to its
    right, or to its left if negative.
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
    painter.setPen(pen(color, _THIN_STROKE if name in THIN else STROKE))
    painter.drawPath(stroked)
    painter.fillPath(filled, color)
    painter.restore()


def pixmap(name: str, size: int, color: QColor, ratio: float = 1.0) -> QPixmap:
    """Return an icon as a pixmap of `size` logical px."""
    _paths(name)  # raises for an unknown name before a painter exists
    result = QPixmap(QSize(size, size) * ratio)
    result.setDevicePixelRatio(ratio)
    result.fill(Qt.GlobalColor.transparent)
    with QPainter(result) as painter:
        paint_icon(painter, QRectF(0, 0, size, size), name, color)
    return result


@lru_cache(maxsize=1024)
def _icon(name: str, theme_name: str, color: int, checked: int, gap: float) -> QIcon:
    _paths(name)  # raises for an unknown name here, not while painting
    normal = QColor.fromRgba(color)
    faded = mixed(normal, THEMES[theme_name].panel, 0.6)
    return QIcon(_PathIcon(name, normal, faded, QColor.fromRgba(checked), gap))


@exception_safe
class _PathIcon(QIconEngine):
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
        box.translate(-self._gap * side / 2, 0)  # half the gap, as the box was centred with it
        paint_icon(painter, box, self._name, self._color(mode, state))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        result = QPixmap(size)
        result.fill(Qt.GlobalColor.transparent)
        with QPainter(result) as painter:
            self.paint(painter, result.rect(), mode, state)
        return result

    def clone(self) -> QIconEngine:
        return _PathIcon(self._name, self._normal, self._faded, self._checked, self._gap)

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
    starts = [index for index, token in enumerate(tokens) if token.isalpha()]
    for start, end in pairwise([*starts, len(tokens)]):
        _COMMANDS[tokens[start]](path, [float(token) for token in tokens[start + 1 : end]])
    return path


# the commands of a path text; `a` are the numbers after the letter


def _rounded_box(path: QPainterPath, a: list[float]) -> None:
    path.addRoundedRect(QRectF(a[0], a[1], a[2], a[3]), a[4], a[4])


def _dot(path: QPainterPath, a: list[float]) -> None:
    path.moveTo(a[0], a[1])
    path.lineTo(a[0] + 0.01, a[1])  # Qt draws no caps on a line of length 0


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


# Path text: M x y starts, L H V Q C draw as in SVG (absolute), Z closes, O x y r is a circle,
# E x y rx ry an ellipse, R x y w h r a rounded box, D x y a dot as wide as the stroke; what follows
# F is filled.
SHAPES: Final[dict[str, str]] = {
    # Edit and file
    "undo": "M5.8 3 L2.8 6 L5.8 9 M2.8 6 H9.5 C14 6 14 12.5 9.5 12.5 H6.5",
    "redo": "M10.2 3 L13.2 6 L10.2 9 M13.2 6 H6.5 C2 6 2 12.5 6.5 12.5 H9.5",
    "new": "M9.5 2.2 H4.8 Q3.5 2.2 3.5 3.5 V12.5 Q3.5 13.8 4.8 13.8 H11.2 Q12.5 13.8 12.5 12.5"
    " V5.2 Z M9.2 2.4 V5.5 H12.3",
    "open": "M2.2 12.6 V4 Q2.2 3 3.2 3 H6 L7.6 5 H11.6 Q12.6 5 12.6 6 V7.2"
    " M2.2 12.6 L4.2 7.4 H14.3 L12.4 12.6 Z",
    "folder": "M2.2 12 V4 Q2.2 3 3.2 3 H6 L7.6 5 H12.8 Q13.8 5 13.8 6 V12 Q13.8 13 12.8 13 H3.2"
    " Q2.2 13 2.2 12 Z",
    "new_folder": "M2.2 12 V4 Q2.2 3 3.2 3 H6 L7.6 5 H12.8 Q13.8 5 13.8 6 V12 Q13.8 13 12.8 13 H3.2"
    " Q2.2 13 2.2 12 Z M8 7 V11 M6 9 H10",
    "computer": "R2.2 3 11.6 7.4 1.2 M8 10.6 V13 M5.2 13.2 H10.8",
    "tiles": "R2.6 2.6 4 4 0.8 R9.4 2.6 4 4 0.8 R2.6 9.4 4 4 0.8 R9.4 9.4 4 4 0.8",
    "save": "M2.6 3.6 Q2.6 2.6 3.6 2.6 H10.4 L13.4 5.6 V12.4 Q13.4 13.4 12.4 13.4 H3.6"
    " Q2.6 13.4 2.6 12.4 Z M5.4 13.2 V9.2 H10.6 V13.2 M5.4 2.8 V5.6 H9.2",
    "export": "M8 10 V2.4 M5 5.2 L8 2.2 L11 5.2 M2.6 9.4 V12.2 Q2.6 13.6 4 13.6 H12"
    " Q13.4 13.6 13.4 12.2 V9.4",
    "copy": "R5.6 5.6 8 8 1.6 M10.4 2.4 H4 Q2.4 2.4 2.4 4 V10.4",
    "picture": "R2 3 12 10 1.6 M2.4 11.4 L5.8 7.8 L8.8 10.8 L10.4 9.4 L13.6 12 D10.6 5.9",
    "trash": "M2.6 4.4 H13.4 M6 4.2 V2.4 H10 V4.2 M4 4.6 L4.6 12.6 Q4.7 13.6 5.7 13.6 H10.3"
    " Q11.3 13.6 11.4 12.6 L12 4.6 M6.7 7.2 V10.8 M9.3 7.2 V10.8",
    "search": "O7 7 4.4 M10.3 10.3 L13.8 13.8",
    "history": "M3 5.2 C5.4 1 13.4 2 13.4 8 C13.4 14 5 15 2.8 9.6 M2.6 2.4 V5.6 H5.8"
    " M8 5 V8.2 L10.2 9.6",
    # Passes and steps
    "forward": "M5.4 4 L11.4 8 L5.4 12 Z",
    "backward": "M10.6 4 L4.6 8 L10.6 12 Z",
    "step": "M5.4 4 L11.4 8 L5.4 12 Z",
    "step_back": "M10.6 4 L4.6 8 L10.6 12 Z",
    "first": "M3.4 3.6 V12.4 M12.4 3.8 L6.4 8 L12.4 12.2 Z",
    "last": "M12.6 3.6 V12.4 M3.6 3.8 L9.6 8 L3.6 12.2 Z",
    "play": "M4.4 2.8 L12.8 8 L4.4 13.2 Z",
    "pause": "M5.4 3.2 V12.8 M10.6 3.2 V12.8",
    "zero": "E8 8 3.7 5.4 M11.8 2.6 L4.2 13.4",
    "predict": "M5.2 5.4 C5.2 1.6 10.8 1.6 10.8 5.2 C10.8 7.6 8 7.4 8 9.8 D8 13.2",
    "by_hand": "M5.6 9.4 V3.6 Q5.6 2.2 6.7 2.2 Q7.8 2.2 7.8 3.6 V7.4 L11.6 8.2 Q12.8 8.5 12.8 9.8"
    " L12.2 13.8 H7 L3.8 9.8 Q3.2 8.8 4.2 8.3 Q5 8 5.6 8.8",
    "mistakes": "R5 5.6 6 8 3 M6 5.2 C6 2.2 10 2.2 10 5.2 M8 8 V13.4 M4.8 8 L2.4 6.2"
    " M4.6 10.2 H2 M4.8 12 L2.6 13.8 M11.2 8 L13.6 6.2 M11.4 10.2 H14 M11.2 12 L13.4 13.8",
    "hint": "M6 11 C6 9.4 3.8 8.8 3.8 6.2 C3.8 0.8 12.2 0.8 12.2 6.2 C12.2 8.8 10 9.4 10 11 Z"
    " M6.6 13.8 H9.4",
    "cover": "M3.6 5.6 Q2.4 6.6 1.6 8 C4 12.6 9.6 13.4 12.4 10.4 M6 4.2 C9.6 3.4 13 5.2 14.4 8"
    " M2.6 2.6 L13.4 13.4",
    "skip": "M3.6 3.6 L8 8 L3.6 12.4 M8.6 3.6 L13 8 L8.6 12.4",
    # Looking at the graph
    "arrange": "R2 2.6 4 4 1 R10.4 2.2 3.6 3.6 0.8 R10.4 10.2 3.6 3.6 0.8"
    " M6.2 4.4 H10 M8 4.4 V12 H10",
    "fit": "M2.4 5.4 V2.4 H5.4 M10.6 2.4 H13.6 V5.4 M13.6 10.6 V13.6 H10.6 M5.4 13.6 H2.4 V10.6"
    " R5.4 6 5.2 4 1",
    "follow": "E8 8 5 5 D8 8 M8 1.4 V4 M8 12 V14.6 M1.4 8 H4 M12 8 H14.6",
    "fullscreen": "M2.4 6 V2.4 H6 M10 2.4 H13.6 V6 M13.6 10 V13.6 H10 M6 13.6 H2.4 V10",
    "plus": "M8 3 V13 M3 8 H13",
    "minus": "M3 8 H13",
    "theme": "M13.4 9.6 C8.6 11.6 4.4 7.4 6.4 2.6 C0.6 4.4 1 12.8 7 13.6 C10 14 12.6 12.2"
    " 13.4 9.6 Z",
    "menu": "M2.6 4 H13.4 M2.6 8 H13.4 M2.6 12 H13.4",
    "close": "M3.8 3.8 L12.2 12.2 M12.2 3.8 L3.8 12.2",
    "left": "M10 3.6 L5.6 8 L10 12.4",
    "right": "M6 3.6 L10.4 8 L6 12.4",
    "up": "M3.6 10 L8 5.6 L12.4 10",
    "down": "M3.6 6 L8 10.4 L12.4 6",
    "home": "M2.4 7.6 L8 2.6 L13.6 7.6 M4 6.4 V13.4 H12 V6.4 M6.6 13.2 V9.6 H9.4 V13.2",
    "why": "M5.6 4.2 C6.8 1.4 11.6 2 11.6 7.4 C11.6 15 4.4 14.8 4.4 10.8 C4.4 7 10 6.6 11.4 9.2",
    "train": "M2.6 2.4 V13.4 H13.8 M5 4 C5.8 9.4 8.6 10.4 13 10.8",
    "code": "M4.8 4.6 L1.6 8 L4.8 11.4 M11.2 4.6 L14.4 8 L11.2 11.4 M9.2 3.2 L6.8 12.8",
    "lesson": "M8 4.4 C6.6 2.8 4.2 2.6 2.2 2.8 V12 C4.2 11.8 6.6 12 8 13.6 C9.4 12 11.8 11.8 13.8"
    " 12 V2.8 C11.8 2.6 9.4 2.8 8 4.4 V13.2",
    "keyboard": "R1.4 3.6 13.2 8.8 1.8 D4.6 6.6 D8 6.6 D11.4 6.6 M5 9.6 H11",
    "help": "O8 8 6 M6.2 6.6 C6.2 4.4 9.8 4.4 9.8 6.6 C9.8 8 8 7.8 8 9 D8 11.2",
    # Marks
    "check": "M3 8.6 L6.4 12 L13.2 4.4",
    "warning": "M8 2.4 L14.2 13.2 H1.8 Z M8 6.4 V9.2 D8 11.2",
    "flag": "M3.8 2.6 V13.8 M3.8 3 H12.4 L10.6 5.8 L12.4 8.6 H3.8",
    # Kinds of nodes and blocks
    "root": "M3.8 2.6 V13.8 F M3.8 2.6 H12.8 L10.8 5.7 L12.8 8.8 H3.8 Z",
    "leaf": "M6.6 3.4 H12 Q13.4 3.4 13.4 4.8 V11.2 Q13.4 12.6 12 12.6 H6.6 C1 12.6 1 3.4 6.6 3.4 Z",
    "constant": "M5 3.4 H11 L13.6 6 V10 L11 12.6 H5 L2.4 10 V6 Z",
    "op": "R2.4 3.4 11.2 9.2 1.6",
    "group": "M2.2 5 V2.2 H5 M11 2.2 H13.8 V5 M13.8 11 V13.8 H11 M5 13.8 H2.2 V11"
    " R4.8 5 3.2 2.6 0.6 R8.2 8.8 3.2 2.6 0.6",
    "wire": "O3.6 4 1.6 O12.4 12 1.6 M5.4 4 C9.6 4 6.4 12 10.6 12",
    "neuron": "M3.6 2.8 L12 8 M3.6 8 H12 M3.6 13.2 L12 8 F O3 2.8 1.8 O3 8 1.8 O3 13.2 1.8"
    " O12.8 8 1.8",
    "layer": "M3.4 5 L12.6 2.8 M3.4 5 L12.6 8 M3.4 5 L12.6 13.2 M3.4 11 L12.6 2.8"
    " M3.4 11 L12.6 8 M3.4 11 L12.6 13.2 F O3 5 1.7 O3 11 1.7 O13 2.8 1.7 O13 8 1.7 O13 13.2 1.7",
    "mlp": "M2.4 5.6 L7.8 3 M2.4 5.6 L7.8 8 M2.4 10.4 L7.8 8 M2.4 10.4 L7.8 13 M7.8 3 L13.4 8"
    " M7.8 8 H13.4 M7.8 13 L13.4 8 F O2.4 5.6 1.6 O2.4 10.4 1.6 O7.8 3 1.6 O7.8 8 1.6 O7.8 13 1.6"
    " O13.6 8 1.6",
}
THIN: Final = {"neuron", "layer", "mlp"}
"""Icons whose lines only connect their dots."""

NAMES: Final = tuple(SHAPES)
