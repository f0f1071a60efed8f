"""Texts, pens, outlines and sibling marks for all painters, and cached metrics of texts."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import lru_cache
from typing import Literal, ParamSpec, TypeVar, cast

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPaintDevice, QPainter, QPainterPath, QPen

from app.style import fonts, sizes
from engine.names import abbreviated

Align = Literal["left", "right", "middle"]
_SIBLING_MARKS = ("circle", "square", "triangle", "diamond")
"""Marks that tell the wires out of one node apart, whose contributions add up in it."""
_SIBLING_GLYPHS = "●■▲◆○□△◇"
_MARK_OUTLINE = 1.4
"""Width of the outline of a hollow mark, in px."""

_Params = ParamSpec("_Params")
_Result = TypeVar("_Result")
_clear_functions: list[Callable[[], None]] = []
"""Functions that clear the caches of text metrics: those made by `cached_metric`."""


def cached_metric(
    maxsize: int,
) -> Callable[[Callable[_Params, _Result]], Callable[_Params, _Result]]:
    """Cache up to `maxsize` results of a function until the sizes of texts change."""

    def decorate(measure: Callable[_Params, _Result]) -> Callable[_Params, _Result]:
        cached = lru_cache(maxsize)(measure)
        _clear_functions.append(cached.cache_clear)
        return cast(Callable[_Params, _Result], cached)

    return decorate


@contextmanager
def antialiased(device: QPaintDevice) -> Generator[QPainter]:
    """Paint on a widget or a picture with smooth edges, in a `with` block."""
    with QPainter(device) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        yield painter


def draw_text(
    painter: QPainter,
    text: str,
    role: str,
    color: QColor,
    at: tuple[float, float],
    align: Align = "left",
) -> float:
    """Draw a text vertically centred on a point; returns its width.

    `role` is a key of `fonts.ROLES`; the point is the left end, the right end or the middle.
    """
    x, y = at
    text_width = width(text, role)
    if align != "left":
        x -= text_width if align == "right" else text_width / 2
    paint_on_baseline(painter, QPointF(x, y + baseline_drop(role)), canvas_font(role), text, color)
    return text_width


def paint_on_baseline(
    painter: QPainter, origin: QPointF, font: QFont, text: str, color: QColor
) -> None:
    """Draw a text from the left end of its baseline."""
    painter.setFont(font)
    painter.setPen(color)
    painter.drawText(origin, text)


@cached_metric(64)
def baseline_drop(role: str) -> float:
    """Return how far the baseline of a text is below its middle line."""
    measure = metrics(role)
    return (measure.ascent() - measure.descent()) / 2


def pen(color: QColor, line_width: float, dash: tuple[float, ...] = ()) -> QPen:
    """Return a shared pen with round caps, flat ones on dashes; callers must not modify it.

    Dash lengths are in px.
    """
    return _pen(color.rgba(), line_width, dash)


@lru_cache(1024)
def _pen(color: int, line_width: float, dash: tuple[float, ...]) -> QPen:
    result = QPen(QColor.fromRgba(color), line_width)
    result.setCapStyle(Qt.PenCapStyle.FlatCap if dash else Qt.PenCapStyle.RoundCap)
    result.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    if dash:  # Qt's dash lengths are multiples of the width
        result.setDashPattern([length / line_width for length in dash])
    return result


def hairline(color: QColor, line_width: float = 1.0, dash: tuple[float, ...] = ()) -> QPen:
    """Return a shared pen with the same width at every zoom; callers must not modify it."""
    return _hairline(color.rgba(), line_width, dash)


@lru_cache(256)
def _hairline(color: int, line_width: float, dash: tuple[float, ...]) -> QPen:
    result = QPen(_pen(color, line_width, ()))
    result.setCosmetic(True)
    if dash:
        result.setDashPattern(dash)
    return result


def rounded(rect: QRectF, left: float, right: float) -> QPainterPath:
    """Return a rounded rectangle: one radius for its left corners, one for its right ones."""
    return _rounded(rect.width(), rect.height(), left, right).translated(rect.topLeft())


@lru_cache(2048)
def _rounded(width: float, height: float, left_radius: float, right_radius: float) -> QPainterPath:
    path = QPainterPath()
    path.moveTo(left_radius, 0)
    path.lineTo(width - right_radius, 0)
    path.arcTo(width - 2 * right_radius, 0, 2 * right_radius, 2 * right_radius, 90, -90)
    path.lineTo(width, height - right_radius)
    path.arcTo(
        width - 2 * right_radius,
        height - 2 * right_radius,
        2 * right_radius,
        2 * right_radius,
        0,
        -90,
    )
    path.lineTo(left_radius, height)
    path.arcTo(0, height - 2 * left_radius, 2 * left_radius, 2 * left_radius, 270, -90)
    path.lineTo(0, left_radius)
    path.arcTo(0, 0, 2 * left_radius, 2 * left_radius, 180, -90)
    path.closeSubpath()
    return path


def cut_corners(rect: QRectF, corner: float) -> QPainterPath:
    """Return a rectangle whose corners are cut off diagonally, `corner` px from each."""
    left, top, right, bottom = rect.left(), rect.top(), rect.right(), rect.bottom()
    path = QPainterPath(QPointF(left + corner, top))
    for x, y in (
        (right - corner, top),
        (right, top + corner),
        (right, bottom - corner),
        (right - corner, bottom),
        (left + corner, bottom),
        (left, bottom - corner),
        (left, top + corner),
    ):
        path.lineTo(x, y)
    path.closeSubpath()
    return path


def draw_sibling_mark(
    painter: QPainter, index: int, at: QPointF, size: float, color: QColor, hollow: bool = False
) -> None:
    """Draw the mark of a sibling wire: circle, square, triangle, diamond, then the same hollow."""
    path = _sibling_mark(max(index, 0) % len(_SIBLING_MARKS), size).translated(at)
    if hollow or index >= len(_SIBLING_MARKS):
        painter.strokePath(path, pen(color, _MARK_OUTLINE))
    else:
        painter.fillPath(path, color)


@lru_cache(64)
def _sibling_mark(index: int, size: float) -> QPainterPath:
    half, name = size / 2, _SIBLING_MARKS[index]
    path = QPainterPath()
    if name == "circle":
        path.addEllipse(QPointF(), half, half)
    elif name == "square":
        # its corners stick out, so it is drawn smaller to look as large as the circle
        path.addRect(-half * 0.9, -half * 0.9, size * 0.9, size * 0.9)
    else:
        points = {  # in half sizes, drawn larger so that they look as large as the circle
            "triangle": ((0, -1.1), (1.05, 0.8), (-1.05, 0.8)),
            "diamond": ((0, -1.2), (1.2, 0), (0, 1.2), (-1.2, 0)),
        }[name]
        path.moveTo(points[0][0] * half, points[0][1] * half)
        for x, y in points[1:]:
            path.lineTo(x * half, y * half)
        path.closeSubpath()
    return path


def sibling_glyph(index: int) -> str:
    """Return the mark of a wire among its siblings as a character."""
    return _SIBLING_GLYPHS[index % len(_SIBLING_GLYPHS)]


def is_presented() -> bool:
    """Return whether texts have their larger sizes for a presentation."""
    return sizes.presented


def set_presented(on: bool) -> None:
    """Choose between the text sizes of a presentation and the usual ones.

    Global because a process has one window, which is presented or not; the many callers of
    `draw_text` and `width` need not pass it on.
    """
    if on != sizes.presented:
        sizes.presented = on
        for clear in _clear_functions:
            clear()


@contextmanager
def text_sizes_outside_presentation() -> Generator[None]:
    """Set the text sizes outside a presentation in a `with` block, even during one."""
    before = sizes.presented
    set_presented(False)
    try:
        yield
    finally:
        set_presented(before)


@cached_metric(64)
def canvas_font(role: str) -> QFont:
    """Return the shared font of a role at 100 %; callers must not modify it."""
    return fonts.presented_font(role) if sizes.presented else fonts.font(role)


@cached_metric(64)
def metrics(role: str) -> QFontMetricsF:
    """Return the metrics of a role's font at 100 %."""
    return QFontMetricsF(canvas_font(role))


@cached_metric(50_000)
def width(text: str, role: str) -> float:
    """Return the width of a text in px at 100 %."""
    return metrics(role).horizontalAdvance(text)


@cached_metric(5_000)
def elided(text: str, role: str, max_width: float) -> str:
    """Return the text, shortened if it is wider than `max_width`; a label in its middle."""
    if width(text, role) <= max_width or width(text := abbreviated(text), role) <= max_width:
        return text
    # of n.layers[0].neurons[2].w[1] and its siblings only the ends differ
    mode = Qt.TextElideMode.ElideMiddle if role == "label" else Qt.TextElideMode.ElideRight
    return metrics(role).elidedText(text, mode, max_width)


def paint_box(
    painter: QPainter, rect: QRectF, fill: QColor, line: QColor, radius: float, width: float = 1.0
) -> None:
    """Paint a rounded box whose outline is inside the rectangle, not centred on its edge."""
    painter.setPen(QPen(line, width))
    painter.setBrush(fill)
    inset = width / 2
    painter.drawRoundedRect(rect.adjusted(inset, inset, -inset, -inset), radius, radius)
