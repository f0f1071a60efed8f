"""Filmstrip: 2 to 6 steps of a pass on one page, at one crop and scale, each with its sentence.

Two or three panels stand side by side, more in two rows; upright all stand below one another.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QColor, QImage, QPainter

from app.canvas.paint.figure import INCH_CM, Shot
from app.canvas.paint.pdf import Paint, pdf
from app.canvas.paint.picture_export import MAX_AREA, MAX_SIDE, png, svg
from app.document.sheet import Sheet
from app.style.strokes import pen, usual_text_sizes
from app.style.theme import THEMES
from app.takeaway.step_panel import Panels, Step, panels_of
from engine.errors import FormatError
from engine.formats.dot_classic import DPI

FEWEST, MOST = 2, 6
"""Number of steps of a strip."""
GAP: Final = 12.0
"""Space between panels, in px; a line runs in its middle."""
IN_A_ROW: Final = 3
"""Panels that stand in a row; more are in two rows."""
_WRONG_COUNT: Final = "A strip has {fewest} to {most} steps, not {count}."
_TOO_LARGE: Final = "The strip would be {wide:,} × {high:,} pixels. Choose SVG or PDF."


def columns(count: int) -> int:
    """Return the number of columns for so many panels.

    >>> [columns(count) for count in range(2, 7)]
    [2, 3, 2, 3, 3]
    """
    return count if count <= IN_A_ROW else math.ceil(count / 2)


@usual_text_sizes()
def filmstrip(
    suffix: str, sheet: Sheet, steps: Sequence[Step], shot: Shot, *, upright: bool = False
) -> bytes:
    """Return a strip as PNG, SVG or PDF; `shot` has its theme, its width in cm and its dots.

    Raises FormatError for another number of steps, and for a picture that is too large.
    """
    if not FEWEST <= len(steps) <= MOST:
        raise FormatError(_WRONG_COUNT, fewest=FEWEST, most=MOST, count=len(steps))
    most = 1 if upright else columns(len(steps))
    # at a given width the columns that need the least paper for type that can be read
    counts = range(1, most + 1) if shot.width is not None else (most,)
    found = [(panels_of(sheet, steps, _panel_shot(shot, across)), across) for across in counts]
    panels, across = min(found, key=lambda each: _paper_needed(*each))
    size = _size(panels, across)
    paint = _painter_of(panels, across, size)
    if suffix == ".pdf":
        return pdf([paint], size)
    if suffix == ".svg":
        return svg(paint, size, shot.text, "Backwire steps")
    return png(_image(paint, size, shot))


def _size(panels: Panels, across: int) -> QSizeF:
    """Return the size in px of panels in so many columns."""
    down = math.ceil(len(panels.steps) / across)
    return QSizeF(
        across * panels.size.width() + (across - 1) * GAP,
        down * panels.size.height() + (down - 1) * GAP,
    )


def _paper_needed(panels: Panels, across: int) -> tuple[bool, float]:
    """Return whether type is too small, and the height: the least is the best."""
    return not panels.figure.is_readable, _size(panels, across).height()


def _panel_shot(shot: Shot, across: int) -> Shot:
    """Return the shot of one panel, whose share of the width is that of the columns."""
    if shot.width is None:
        return shot
    gaps = (across - 1) * GAP / DPI * INCH_CM
    return replace(shot, width=(shot.width - gaps) / across)


def _painter_of(panels: Panels, across: int, size: QSizeF) -> Paint:
    theme, shot = THEMES[panels.shot.theme], panels.shot
    wide, high = panels.size.width() + GAP, panels.size.height() + GAP

    def paint(painter: QPainter) -> None:
        if not shot.transparent:
            painter.fillRect(QRectF(QPointF(), size), QColor(theme.canvas))
        for k in range(len(panels.steps)):
            row, column = divmod(k, across)
            panels.paint(painter, k, QPointF(column * wide, row * high))
        painter.setPen(pen(theme.line, 1.0))
        for column in range(1, across):
            x = column * wide - GAP / 2
            painter.drawLine(QPointF(x, 0), QPointF(x, size.height()))
        for row in range(1, math.ceil(len(panels.steps) / across)):
            y = row * high - GAP / 2
            painter.drawLine(QPointF(0, y), QPointF(size.width(), y))

    return paint


def _image(paint: Paint, size: QSizeF, shot: Shot) -> QImage:
    scale = shot.dpi / DPI
    wide, high = math.ceil(size.width() * scale), math.ceil(size.height() * scale)
    if max(wide, high) > MAX_SIDE or wide * high > MAX_AREA:
        raise FormatError(_TOO_LARGE, wide=wide, high=high)
    return painted_image(paint, wide, high, scale)


def painted_image(paint: Paint, wide: int, high: int, scale: float) -> QImage:
    """Return an image of a size in pixels, painted at a scale."""
    result = QImage(wide, high, QImage.Format.Format_ARGB32_Premultiplied)
    result.fill(QColor(0, 0, 0, 0))
    painter = QPainter(result)
    try:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(scale, scale)
        paint(painter)
    finally:
        painter.end()
    return result
