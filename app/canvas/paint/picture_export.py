"""Pictures of a sheet: the same painter as on the screen, on PNG, SVG, PDF and the clipboard."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QRectF, QSizeF
from PySide6.QtGui import QColor, QImage, QPageLayout, QPageSize, QPainter, QPdfWriter

from app.canvas.appearance.visible_nodes import visible_nodes
from app.canvas.paint.painter import paint_scene
from app.canvas.paint.pdf_text import readable
from app.canvas.scene.scene import Scene
from app.document.sheet import Sheet, sheet_of
from app.style.strokes import usual_texts
from app.style.theme import THEMES, Theme
from app.workbench.comparison import compared
from app.workbench.shown import Shown
from engine import numbers
from engine.errors import FormatError
from engine.formats.dot_classic import DPI
from engine.formats.files import write_whole
from engine.formats.native import Drawing
from engine.frame import Frame, frame_at, live_frame
from engine.graph import Graph
from engine.rules import CORRECT
from engine.trace import run, run_forward

INCH = 0.0254
"""An inch in metres."""
MARGIN = 24.0
LEAST_DPI = 24
"""A quarter of 1:1, the smallest picture in which shapes can be told apart."""
LARGEST = 20_000
"""Maximum width or height of an image in px; beyond this Qt returns no image."""
LARGEST_AREA = 100_000_000
"""Maximum number of px of an image, which take 400 MB."""
MOST_NODES = 3_000
"""Maximum number of nodes in a picture; they take about five seconds, and 40 MB as SVG."""

SUFFIXES = (".png", ".svg", ".pdf")


def scene_of(
    sheet: Sheet, frame: Frame, covered: bool = False, digits: numbers.Digits = numbers.DIGITS_SHOWN
) -> Scene:
    """Return a new scene of a sheet at a frame."""
    scene = Scene(
        lambda x: numbers.short(x, digits),
        lambda x: numbers.signed(x, digits),
    )
    beside = None if frame.trace is None else compared(frame.trace)
    rules = CORRECT if frame.trace is None else frame.trace.rules
    shown = Shown(sheet, frame, cover=covered, covered=covered, comparison=beside, rules=rules)
    scene.show(shown, remeasure=True)
    return scene


def picture_rect(scene: Scene) -> QRectF:
    """Return the rectangle of a picture: all content at any step of the pass, with a margin."""
    found = scene.bounds()
    for wire, course in scene.courses.items() if scene.looks.frame.trace is not None else ():
        right = scene.wire_layout.label_layout[wire].right
        found = found.united(QRectF(right - 4, course.y - 12, 4, 24))
    if found.isEmpty():
        found = QRectF(0, 0, 240, 120)
    return found.adjusted(-MARGIN, -MARGIN, MARGIN, MARGIN)


@dataclass(frozen=True, slots=True)
class Shot:
    """How a picture is made: its theme, dots per inch (DPI is 1:1), and what is left out."""

    theme: str = "light"
    dpi: float = DPI
    transparent: bool = False
    covered: bool = False
    digits: numbers.Digits = numbers.DIGITS_SHOWN
    least_dpi: float = LEAST_DPI
    """Minimum dots per inch that can be chosen instead."""


PLAIN = Shot()


@usual_texts()
def image(sheet: Sheet, frame: Frame, shot: Shot = PLAIN) -> QImage:
    """Return the picture as an image; raises FormatError if it would be too large."""
    scene = _scene_of(sheet, frame, shot)
    rect = picture_rect(scene)
    scale = shot.dpi / DPI
    wide, high = math.ceil(rect.width() * scale), math.ceil(rect.height() * scale)
    if max(wide, high) > LARGEST or wide * high > LARGEST_AREA:
        raise FormatError(
            "The picture would be {wide:,} × {high:,} pixels; {side:,} along a side and "
            "{area:,} in all are the most. {advice}",
            wide=wide,
            high=high,
            side=LARGEST,
            area=LARGEST_AREA,
            advice=_way_out(rect, shot),
        )
    result = QImage(wide, high, QImage.Format.Format_ARGB32_Premultiplied)
    result.setDotsPerMeterX(round(shot.dpi / INCH))
    result.setDotsPerMeterY(round(shot.dpi / INCH))
    theme = THEMES[shot.theme]
    result.fill(QColor(0, 0, 0, 0) if shot.transparent else theme.canvas)
    painter = QPainter(result)
    _paint(painter, scene, theme, rect, scale)
    painter.end()
    return result


def _scene_of(sheet: Sheet, frame: Frame, shot: Shot) -> Scene:
    """Return the scene of a picture; raises FormatError if it has too many nodes."""
    visible = visible_nodes(sheet)
    drawn = len(visible.shown) + len(visible.folded)
    if drawn > MOST_NODES:
        raise FormatError(
            "A picture holds up to {limit:,} nodes, and this graph shows {drawn:,}. "
            "Collapse groups, copy a part of it into a graph of its own, or export DOT.",
            limit=MOST_NODES,
            drawn=drawn,
        )
    return scene_of(sheet, frame, shot.covered, shot.digits)


def _way_out(rect: QRectF, shot: Shot) -> str:
    """Return advice for an image that would be too large."""
    wide, high = rect.width() * shot.least_dpi / DPI, rect.height() * shot.least_dpi / DPI
    if max(wide, high) > LARGEST or wide * high > LARGEST_AREA or shot.dpi <= shot.least_dpi:
        return "Choose SVG or PDF."
    return "Choose fewer dots per inch, or SVG."


@usual_texts()
def save_picture(
    path: Path, sheet: Sheet, frame: Frame, shot: Shot = PLAIN, replace_protected: bool = False
) -> None:
    """Write the picture as PNG, SVG or PDF, by the path's suffix, atomically.

    Raises FormatError if it is too large or can't be written; see `write_whole`.
    """
    suffix = path.suffix.lower()
    if suffix == ".png":
        content = _png(image(sheet, frame, shot))
    elif suffix in (".svg", ".pdf"):
        scene = _scene_of(sheet, frame, shot)
        write = _svg if suffix == ".svg" else _pdf
        content = write(scene, THEMES[shot.theme], shot.transparent)
    else:
        raise FormatError(
            '"{suffix}" is no picture format; choose {known}.',
            suffix=suffix,
            known=", ".join(SUFFIXES),
        )
    write_whole(path, content, replace_protected)


def export_pictures(
    drawing: Drawing, out: Path, step: int | str | None = None, shot: Shot = PLAIN
) -> list[Path]:
    """Write one picture, or with `step` "all" one per step, numbered and of one size.

    `step` is a cursor of the backward pass, "forward", "backward", "all", or None for values.
    """
    sheet = sheet_of(drawing)
    if step != "all":
        save_picture(out, sheet, _frame(sheet.graph, step), shot)
        return [out]
    trace = run(sheet.graph)
    figures = len(str(len(trace)))
    paths = [out.with_name(f"{out.stem}-{k:0{figures}}{out.suffix}") for k in range(len(trace) + 1)]
    for k, path in enumerate(paths):
        save_picture(path, sheet, frame_at(trace, k), shot)
    return paths


def _frame(graph: Graph, step: int | str | None) -> Frame:
    if step is None:
        return live_frame(graph)
    if step == "forward":
        forward = run_forward(graph)
        return frame_at(forward, len(forward))
    trace = run(graph)
    cursor = len(trace) if step == "backward" else int(step)
    if not 0 <= cursor <= len(trace):
        raise FormatError(
            "Step {step} is not there: the pass has steps 0 to {steps}.",
            step=cursor,
            steps=len(trace),
        )
    return frame_at(trace, cursor)


def _paint(painter: QPainter, scene: Scene, theme: Theme, rect: QRectF, scale: float) -> None:
    painter.scale(scale, scale)
    painter.translate(-rect.topLeft())
    paint_scene(painter, scene, theme, rect, 1.0)


def _png(picture: QImage) -> bytes:
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    picture.save(buffer, "PNG")  # type: ignore[call-overload]
    buffer.close()
    return bytes(content.data())


def _svg(scene: Scene, theme: Theme, transparent: bool) -> bytes:
    from PySide6.QtSvg import QSvgGenerator

    rect = picture_rect(scene)
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setResolution(DPI)
    generator.setSize(rect.size().toSize())
    generator.setViewBox(QRectF(0, 0, rect.width(), rect.height()))
    generator.setTitle("Backwire graph")
    painter = QPainter(generator)
    if not transparent:
        painter.fillRect(QRectF(0, 0, rect.width(), rect.height()), theme.canvas)
    _paint(painter, scene, theme, rect, 1.0)
    painter.end()
    buffer.close()
    return bytes(content.data())


def _pdf(scene: Scene, theme: Theme, transparent: bool) -> bytes:
    rect = picture_rect(scene)
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(DPI)
    points = QSizeF(rect.width() * 0.75, rect.height() * 0.75)
    writer.setPageLayout(
        QPageLayout(
            QPageSize(points, QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch),
            QPageLayout.Orientation.Portrait,
            QMarginsF(0, 0, 0, 0),
        )
    )
    painter = QPainter(writer)
    if not transparent:
        painter.fillRect(QRectF(0, 0, rect.width(), rect.height()), theme.canvas)
    _paint(painter, scene, theme, rect, 1.0)
    painter.end()
    buffer.close()
    return readable(bytes(content.data()))
