"""Sentences about a figure: its size, that of its type, and what helps where that is too small."""

from __future__ import annotations

from msgspec.structs import replace

from app.canvas.layout.respaced import framed
from app.canvas.paint.figure import Figure, Shot, figure_of
from app.document.sheet import Sheet
from engine.frame import Frame
from engine.numbers import short

PAGE_WIDTH = 17.0
"""Width in cm of the text of a page."""
SLIDE = (16.0, 9.0)
"""Width and height in cm of a slide as LaTeX's beamer makes it, whose type is as large as print."""
SCREEN_SLIDE = 33.87
"""Width in cm of the same slide in PowerPoint and Impress."""


def described(figure: Figure, shot: Shot) -> str:
    """Return the size of a figure and of its type, in one sentence."""
    wide, high = map(_short, figure.centimetres)
    size, rows = _type(figure), figure.rows
    if shot.height is not None:
        large = _type(figure, SCREEN_SLIDE / figure.centimetres[0])
        return (
            f"{wide} × {high} cm, type {size}; "
            f"on a slide {_short(SCREEN_SLIDE)} cm wide its type is {large}."
        )
    if rows > 1:
        return f"{wide} × {high} cm, type {size}, in {rows} rows."
    return f"{wide} × {high} cm, type {size}."


def advice(figure: Figure, sheet: Sheet, frame: Frame, shot: Shot) -> str:
    """Return what helps where the type is too small to be read on paper, or an empty text."""
    if shot.width is None or figure.is_readable:
        return ""
    return f"This is small: below 8 pt. {_way_out(figure, sheet, frame, shot)}"


def _way_out(figure: Figure, sheet: Sheet, frame: Frame, shot: Shot) -> str:
    if shot.height is None and shot.width is not None and shot.width < PAGE_WIDTH:
        wider = figure_of(sheet, frame, replace(shot, width=PAGE_WIDTH))
        if wider.is_readable:
            return f"At {_short(PAGE_WIDTH)} cm it is {_type(wider)}."
    if shot.crop is not None:
        return "Crop to a smaller part."
    if not all(framed(figure.scene.node_layout).values()):
        return "An empty section keeps all nodes in their places: delete it, or crop to a part."
    return "Crop to a part of the graph, or collapse groups of nodes first."


def _type(figure: Figure, scale: float = 1.0) -> str:
    """Return the sizes of the smallest and of the largest type."""
    least, most = (_short(size * scale) for size in figure.type_sizes)
    return f"{least} to {most} pt"


def _short(length: float) -> str:
    """Return a length with at most one decimal place."""
    return short(round(length, 1))
