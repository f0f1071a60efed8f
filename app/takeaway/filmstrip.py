"""Filmstrip: 2 to 6 steps of a pass on one page, at one crop and scale, each with its sentence.

Two or three panels are in one row, more in two; an upright strip has one column.
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
from app.canvas.paint.picture_export import is_too_large, painted_image, png, svg
from app.document.sheet import Sheet
from app.style.strokes import pen, usual_text_sizes
from app.style.theme import THEMES
from app.takeaway.step_panel import Panels, Step, panels_of
from engine.errors import FormatError
from engine.formats.dot import DPI

MIN_PANELS, MAX_PANELS = 2, 6
"""Limits of the number of steps of a strip."""
GAP: Final = 12.0
"""Space between panels in px, with a line in its middle."""
_MAX_PER_ROW: Final = 3
"""Most panels in one row; more are in two rows."""
_WRONG_COUNT: Final = "A strip has {fewest} to {most} steps, not {count}."
_TOO_LARGE: Final = "The strip would be {wide:,} × {high:,} pixels. Choose SVG or PDF."


def column_count(panels: int) -> int:
    """Return the number of columns for a number of panels.

    >>> [column_count(panels) for panels in range(2, 7)]
    [2, 3, 2, 3, 3]
    """
    return panels if panels <= _MAX_PER_ROW else math.ceil(panels / 2)


@usual_text_sizes()
def filmstrip(
    suffix: str, sheet: Sheet, steps: Sequence[Step], shot: Shot, *, upright: bool = False
) -> bytes:
    """Return a strip as PNG, SVG or PDF, by its suffix; `shot` has the width of the whole strip.

    Raises FormatError for another number of steps, and for an image that is too large.
    """
    if not MIN_PANELS <= len(steps) <= MAX_PANELS:
        raise FormatError(_WRONG_COUNT, fewest=MIN_PANELS, most=MAX_PANELS, count=len(steps))
    most = 1 if upright else column_count(len(steps))
    # at a given width, fewer columns have larger type, and more columns need less paper
    counts = range(1, most + 1) if shot.width is not None else (most,)
    layouts = [(panels_of(sheet, steps, _panel_shot(shot, count)), count) for count in counts]
    panels, columns = min(layouts, key=lambda layout: _layout_cost(*layout))
    size = _size(panels, columns)
    paint = _painter_of(panels, columns, size)
    if suffix == ".pdf":
        return pdf([paint], size)
    if suffix == ".svg":
        return svg(paint, size, shot.text, "Backwire steps")
    return png(_image(paint, size, shot))


def _size(panels: Panels, columns: int) -> QSizeF:
    """Return the size of a strip in px."""
    rows = math.ceil(len(panels.steps) / columns)
    return QSizeF(
        columns * panels.size.width() + (columns - 1) * GAP,
        rows * panels.size.height() + (rows - 1) * GAP,
    )


def _layout_cost(panels: Panels, columns: int) -> tuple[bool, float]:
    """Return whether the type is too small, then the height in px of the strip."""
    return not panels.figure.is_readable, _size(panels, columns).height()


def _panel_shot(shot: Shot, columns: int) -> Shot:
    """Return the shot of one panel, with its share of the width."""
    if shot.width is None:
        return shot
    gaps = (columns - 1) * GAP / DPI * INCH_CM
    return replace(shot, width=(shot.width - gaps) / columns)


def _painter_of(panels: Panels, columns: int, size: QSizeF) -> Paint:
    theme, shot = THEMES[panels.shot.theme], panels.shot
    wide, high = panels.size.width() + GAP, panels.size.height() + GAP

    def paint(painter: QPainter) -> None:
        if not shot.transparent:
            painter.fillRect(QRectF(QPointF(), size), QColor(theme.canvas))
        for k in range(len(panels.steps)):
            row, column = divmod(k, columns)
            panels.paint(painter, k, QPointF(column * wide, row * high))
        painter.setPen(pen(theme.line, 1.0))
        for column in range(1, columns):
            x = column * wide - GAP / 2
            painter.drawLine(QPointF(x, 0), QPointF(x, size.height()))
        for row in range(1, math.ceil(len(panels.steps) / columns)):
            y = row * high - GAP / 2
            painter.drawLine(QPointF(0, y), QPointF(size.width(), y))

    return paint


def _image(paint: Paint, size: QSizeF, shot: Shot) -> QImage:
    scale = shot.dpi / DPI
    wide, high = math.ceil(size.width() * scale), math.ceil(size.height() * scale)
    if is_too_large(wide, high):
        raise FormatError(_TOO_LARGE, wide=wide, high=high)
    return painted_image(paint, wide, high, scale)
