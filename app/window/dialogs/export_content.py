"""The content of an export: its text, the settings of its picture, and previews."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QSizeF
from PySide6.QtGui import QImage

from app.canvas.paint.figure import Figure, PictureOptions, figure_of
from app.canvas.paint.picture_export import image_of
from app.document.boxes import clusters
from app.window.dialogs.export_forms import AS_DRAWN, CLASSIC, PAPERS, RESOLUTIONS, Export
from engine.asking.question import covered_pass
from engine.errors import EngineError
from engine.formats import FORMATS, dot
from engine.formats.dot import DPI, draw
from engine.formats.native import write_drawing
from engine.trace import Trace, run

if TYPE_CHECKING:
    from app.guide.play.guide import Room
    from app.window.context import Context

MAX_PREVIEW_NODES = 400
"""Nodes of the largest graph with a preview, which takes about half a second."""
MAX_CLASSIC_PREVIEW_NODES = 100
"""The same for Graphviz, which draws in a process of its own."""
GRAPHVIZ_PREVIEW_TIMEOUT = 2.0
"""Timeout in seconds of Graphviz for a preview."""


def text_of(context: Context, form: str) -> str:
    """Return the graph in a text format, at the current step if the format can show one."""
    frame, sheet = context.playback.frame, context.document.sheet
    if form == "native":
        return write_drawing(sheet.drawing())
    if form == "dot":
        return dot.write(frame.graph, frame, clusters(sheet))
    if form == dot.CLASSIC.name:
        return draw(frame, "gv").decode("utf-8")
    found = next(f for f in FORMATS if f.name == form)
    assert found.write is not None
    if found.write_pass is not None and (frame.hidden or context.playback.now.asks):
        return found.write_pass(covered_pass(frame))
    return found.write(frame.graph)


def pass_of(context: Context) -> Trace:
    """Return the pass that is shown, else the backward pass of the graph."""
    trace = context.playback.frame.unhidden
    return trace if trace is not None else run(context.document.graph, rules=context.playback.rules)


def lecture_of(context: Context) -> Room | None:
    """Return the slides to hand out: those before the room, of the lesson on, or of the sheet.

    None without a lesson, for a test, and for Daily five.
    """
    if context.guides.room is not None:
        return context.guides.room
    return context.recorders.for_room()


def picture_options_of(context: Context, export: Export) -> PictureOptions:
    """Return the settings with which the picture of an export is painted."""
    paper, style = PAPERS[export.paper], context.style
    asks = context.playback.now.asks  # then extras on nodes would show the answers
    return PictureOptions(
        theme=export.theme,
        dpi=export.dpi,
        transparent=export.transparent,
        digits=style.digits,
        least_dpi=min(RESOLUTIONS),
        width=paper.width,
        height=paper.height,
        rows=export.rows,
        min_type=export.min_type,
        crop=export.crop,
        margin=export.margin,
        optional_numbers=frozenset() if asks else style.extras,
        notation=style.notation,
        text=export.text,
    )


def is_too_large_for_preview(context: Context, export: Export) -> bool:
    """Return whether a preview would keep the user waiting."""
    maximum = MAX_CLASSIC_PREVIEW_NODES if export.form in CLASSIC else MAX_PREVIEW_NODES
    return len(context.document.graph.nodes) > maximum


def current_figure(context: Context, export: Export) -> Figure:
    """Return the figure of the current step; raises EngineError if there can be none."""
    return figure_of(
        context.document.sheet, context.playback.frame, picture_options_of(context, export)
    )


def whole_figure(context: Context, export: Export) -> Figure:
    """Return the figure of the whole graph as drawn, without crop or margin."""
    as_drawn = replace(export, crop=None, paper=AS_DRAWN, margin=None, rows=None)
    return current_figure(context, as_drawn)


def preview_image(figure: Figure, export: Export, context: Context, room: QSizeF) -> QImage:
    """Return a figure as large as it fits into `room`, in device px."""
    scale = min(room.width() / figure.size.width(), room.height() / figure.size.height())
    # without a width, which would decide the number of px
    return image_of(
        figure, replace(picture_options_of(context, export), dpi=DPI * scale, width=None)
    )


def classic_preview(context: Context, export: Export) -> QImage:
    """Return micrograd's picture of the current step; raises EngineError if it takes too long."""
    content = draw(context.playback.frame, "png", DPI, export.transparent, GRAPHVIZ_PREVIEW_TIMEOUT)
    image = QImage.fromData(content)
    if image.isNull():
        raise EngineError("There is no preview of this picture.")
    return image
