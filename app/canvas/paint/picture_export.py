"""Pictures of a sheet: the same painter as on the screen, on PNG, SVG, PDF and the clipboard.

`painted_image` and `svg` take any painter of a page; `pdf` is in a module of its own.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF, QSize, QSizeF
from PySide6.QtGui import QColor, QImage, QPainter

from app.canvas.paint.figure import (
    INCH_CM,
    PLAIN,
    Figure,
    Shot,
    TextKind,
    figure_of,
    picture_rect,
    scene_of,
)
from app.canvas.paint.pdf import Paint, pdf
from app.canvas.paint.svg_text import with_text
from app.document.sheet import Sheet
from app.style.strokes import usual_text_sizes
from app.style.theme import THEMES
from engine.errors import FormatError
from engine.formats.dot import DPI
from engine.formats.files import check_target, write_atomically
from engine.frame import Frame

__all__ = ("PLAIN", "Shot", "image", "picture_rect", "save_picture", "scene_of")

MAX_SIDE = 20_000
"""Maximum width or height of an image in px; beyond this Qt returns no image."""
MAX_AREA = 100_000_000
"""Maximum number of px of an image, which take 400 MB."""

SUFFIXES = (".png", ".svg", ".pdf")


@usual_text_sizes()
def image(sheet: Sheet, frame: Frame, shot: Shot = PLAIN) -> QImage:
    """Return the picture as an image; raises FormatError if it would be too large."""
    return image_of(figure_of(sheet, frame, shot), shot)


@usual_text_sizes()
def image_of(figure: Figure, shot: Shot) -> QImage:
    """Return a figure as an image; raises FormatError if it would be too large."""
    scale = shot.dpi / DPI
    wide, high = _pixels(figure.size.width() * scale), _pixels(figure.size.height() * scale)
    if shot.width is not None:  # the width that the user chose, to the nearest px
        wide = round(figure.size.width() * scale)
    if is_too_large(wide, high):
        raise FormatError(
            "The picture would be {wide:,} × {high:,} pixels; {side:,} along a side and "
            "{area:,} in all are the most. {advice}",
            wide=wide,
            high=high,
            side=MAX_SIDE,
            area=MAX_AREA,
            advice=_advice(figure.size, shot),
        )
    result = QImage(wide, high, QImage.Format.Format_ARGB32_Premultiplied)
    result.setDotsPerMeterX(round(shot.dpi / INCH_CM * 100))
    result.setDotsPerMeterY(round(shot.dpi / INCH_CM * 100))
    theme = THEMES[shot.theme]
    result.fill(QColor(0, 0, 0, 0) if shot.transparent else theme.canvas)
    painter = QPainter(result)
    # transparent, since the image has been filled: it may be a part of a px larger than the figure
    figure.paint(painter, shot.theme, transparent=True, scale=scale)
    painter.end()
    return result


def is_too_large(wide: float, high: float) -> bool:
    """Return whether an image of this size in px exceeds MAX_SIDE or MAX_AREA."""
    return max(wide, high) > MAX_SIDE or wide * high > MAX_AREA


def painted_image(paint: Paint, wide: int, high: int, scale: float) -> QImage:
    """Return a transparent image of a size in px, painted at a scale, antialiased."""
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


def _pixels(length: float) -> int:
    """Return a length in whole px that holds it, unless a rounding error is all it exceeds."""
    return math.ceil(length - 1e-6)


def _advice(size: QSizeF, shot: Shot) -> str:
    """Return the advice for an image that would be too large."""
    wide, high = size.width() * shot.least_dpi / DPI, size.height() * shot.least_dpi / DPI
    if is_too_large(wide, high) or shot.dpi <= shot.least_dpi:
        return "Choose SVG or PDF."
    return "Choose fewer dots per inch, or SVG."


def save_picture(
    path: Path, sheet: Sheet, frame: Frame, shot: Shot = PLAIN, replace_protected: bool = False
) -> None:
    """Write the picture as PNG, SVG or PDF, by the path's suffix, atomically.

    Raises FormatError if it is too large or can't be written; see `write_atomically`.
    """
    save_pictures([path], sheet, [frame], shot, replace_protected)


@usual_text_sizes()
def save_pictures(
    paths: Sequence[Path],
    sheet: Sheet,
    frames: Sequence[Frame],
    shot: Shot = PLAIN,
    replace_protected: bool = False,
) -> Figure:
    """Write the pictures of some frames, all of one size: a file each, or as pages of one PDF.

    Every file is checked and the first picture made before anything is written. Returns the first.
    """
    suffix = paths[0].suffix.lower()
    if suffix not in SUFFIXES:
        raise FormatError(
            '"{suffix}" is no picture format; choose {known}.',
            suffix=suffix,
            known=", ".join(SUFFIXES),
        )
    for path in paths:
        check_target(path)
    figure = figure_of(sheet, frames[0], shot)
    if suffix == ".pdf":
        pages = [figure, *(figure.at(frame, shot) for frame in frames[1:])]
        write_atomically(paths[0], _pdf(pages, shot), replace_protected)
        return figure
    for path, frame in zip(paths, frames, strict=True):
        picture = figure if frame is frames[0] else figure.at(frame, shot)
        content = (
            png(image_of(picture, shot))
            if suffix == ".png"
            else svg(_painted(picture, shot), picture.size, shot.text)
        )
        write_atomically(path, content, replace_protected)
    return figure


def png(picture: QImage) -> bytes:
    """Return an image as PNG."""
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    # PySide's stubs declare the format as bytes, but it takes a str
    picture.save(buffer, "PNG")  # type: ignore[call-overload]
    buffer.close()
    return bytes(content.data())


def svg(
    paint: Paint, size: QSizeF, text: TextKind = "outlines", title: str = "Backwire graph"
) -> bytes:
    """Return an SVG of a size in px, painted by a function; `text` is how its text is written."""
    from PySide6.QtSvg import QSvgGenerator

    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setResolution(DPI)
    wide, high = size.width(), size.height()
    generator.setSize(QSize(math.ceil(wide), math.ceil(high)))
    generator.setViewBox(QRectF(0, 0, wide, high))
    generator.setTitle(title)
    painter = QPainter(generator)
    try:
        paint(painter)
    finally:
        painter.end()
        buffer.close()
    # Qt rounds the size to whole px
    lengths = (f"{length / DPI * INCH_CM * 10:.4f}mm" for length in (wide, high))
    exact = '<svg width="{}" height="{}"'.format(*lengths).encode()
    written = re.sub(rb'<svg width="[^"]*" height="[^"]*"', exact, bytes(content.data()), count=1)
    return with_text(written, text)


def _painted(figure: Figure, shot: Shot) -> Paint:
    return lambda painter: figure.paint(painter, shot.theme, shot.transparent)


def _pdf(pages: Sequence[Figure], shot: Shot) -> bytes:
    """Return a PDF with a page for each figure, all of the size of the first."""
    size = pages[0].size
    return pdf([_painted(replace(figure, size=size), shot) for figure in pages], size)
