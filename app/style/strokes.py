"""Text and line drawing shared by the painters of the canvas; widths of texts, cached."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import lru_cache
from typing import Literal, ParamSpec, TypeVar, cast

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen

from app.style import fonts

Align = Literal["left", "right", "middle"]
MARKS = ("circle", "square", "triangle", "diamond")

_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")
_CLEAR: list[Callable[[], None]] = []
"""Functions that clear the caches of text metrics."""


def cached_metric(most: int) -> Callable[[Callable[_Given, _Result]], Callable[_Given, _Result]]:
    """Cache up to `most` results of a function, for as long as texts keep their sizes."""

    def cached(measure: Callable[_Given, _Result]) -> Callable[_Given, _Result]:
        kept = lru_cache(most)(measure)
        _CLEAR.append(kept.cache_clear)
        return cast(Callable[_Given, _Result], kept)

    return cached


def draw_text(
    painter: QPainter,
    text: str,
    role: str,
    color: QColor,
    at: tuple[float, float],
    align: Align = "left",
) -> float:
    """Draw a text vertically centred on a point; returns its width."""
    x, y = at
    wide = width(text, role)
    if align != "left":
        x -= wide if align == "right" else wide / 2
    where, font = QPointF(x, y + baseline_drop(role)), canvas_font(role)
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
    """Return whether the painter writes SVG; QtSvg is imported only if it may."""
    return type(painter.device()).__name__ == "QSvgGenerator"


@cached_metric(64)
def baseline_drop(role: str) -> float:
    """Return how far the baseline of a text is below its middle line."""
    measure = metrics(role)
    return (measure.ascent() - measure.descent()) / 2


def pen(color: QColor, wide: float, dash: tuple[float, ...] = ()) -> QPen:
    """Return a shared pen with round caps; dash lengths are in px; callers must not modify it."""
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
    """Return a shared pen with the same width at every zoom; callers must not modify it."""
    return _hairline(color.rgba(), wide, dash)


@lru_cache(256)
def _hairline(color: int, wide: float, dash: tuple[float, ...]) -> QPen:
    result = QPen(_pen(color, wide, ()))
    result.setCosmetic(True)
    if dash:
        result.setDashPattern(dash)
    return result


def rounded(rect: QRectF, left: float, right: float) -> QPainterPath:
    """Return a rectangle with one radius on its left corners and one on its right."""
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
    """Return a rectangle with its corners cut off."""
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


def draw_sibling_mark(
    painter: QPainter, place: int, at: QPointF, size: float, color: QColor, hollow: bool = False
) -> None:
    """Draw the mark of a sibling wire: circle, square, triangle, diamond, then hollow ones."""
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


_presented = False


def is_presented() -> bool:
    """Return whether texts have the sizes of a presentation."""
    return _presented


def set_presented(on: bool) -> None:
    """Give the texts of all sheets the sizes of a presentation, or their usual ones.

    One screen is presented on at a time; so this is a switch of the process, and the many callers
    of `draw_text` and `width` need not hand it on.
    """
    global _presented
    if on != _presented:
        _presented = on
        for clear in _CLEAR:
            clear()


@contextmanager
def usual_texts() -> Generator[None]:
    """Give texts their usual sizes meanwhile, also during a presentation."""
    before = _presented
    set_presented(False)
    try:
        yield
    finally:
        set_presented(before)


@cached_metric(64)
def canvas_font(role: str) -> QFont:
    """Return the shared font of a role at 100 %; callers must not modify it."""
    return fonts.presented_font(role) if _presented else fonts.font(role)


@cached_metric(64)
def metrics(role: str) -> QFontMetricsF:
    """Return the metrics of a role's font at 100 %."""
    return QFontMetricsF(canvas_font(role))


@cached_metric(50_000)
def width(text: str, role: str) -> float:
    """Return the width of a text in px at 100 %."""
    return metrics(role).horizontalAdvance(text)


@cached_metric(5_000)
def elided(text: str, role: str, room: float) -> str:
    """Return the text, elided if it is wider than `room`."""
    if width(text, role) <= room:
        return text
    return metrics(role).elidedText(text, Qt.TextElideMode.ElideRight, room)


def paint_box(
    painter: QPainter, rect: QRectF, fill: QColor, line: QColor, radius: float, width: float = 1.0
) -> None:
    """Paint a rounded box whose outline lies within the rectangle."""
    painter.setPen(QPen(line, width))
    painter.setBrush(fill)
    inset = width / 2
    painter.drawRoundedRect(rect.adjusted(inset, inset, -inset, -inset), radius, radius)
