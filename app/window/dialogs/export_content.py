"""The content of an export: its text, the settings of its picture, and previews."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QSizeF
from PySide6.QtGui import QImage

from app.canvas.paint.figure import Figure, PictureOptions, figure_of
from app.canvas.paint.picture_export import image_of
from app.document.boxes import clusters
from app.takeaway.options import (
    AS_DRAWN,
    RESOLUTIONS,
    SIZES,
    ClassicOptions,
    FigureOptions,
    Source,
    usual_theme,
)
from app.window.dialogs.export_forms import Export, graph_name
from engine.asking.question import covered_pass
from engine.errors import EngineError
from engine.formats import FORMATS, dot
from engine.formats.dot import DPI, draw
from engine.formats.native import write_drawing

if TYPE_CHECKING:
    from app.guide.play.guide import Room
    from app.window.context import Context

MAX_PREVIEW_NODES = 400
"""Nodes of the largest graph with a preview, which takes about half a second."""
MAX_CLASSIC_PREVIEW_NODES = 100
"""The same for Graphviz, which draws in a process of its own."""
GRAPHVIZ_PREVIEW_TIMEOUT = 2.0
"""Timeout in seconds of Graphviz for a preview."""


def text_of(context: Context, kind: str) -> str:
    """Return the graph in a text format, at the current step if the format can show one."""
    frame, sheet = context.playback.frame, context.document.sheet
    if kind == "native":
        return write_drawing(sheet.drawing())
    if kind == "dot":
        return dot.write(frame.graph, frame, clusters(sheet))
    if kind == dot.CLASSIC.name:
        return draw(frame, "gv").decode("utf-8")
    found = next(f for f in FORMATS if f.name == kind)
    assert found.write is not None
    if found.write_pass is not None and (frame.hidden or context.playback.now.asks):
        return found.write_pass(covered_pass(frame))
    return found.write(frame.graph)


def lecture_of(context: Context) -> Room | None:
    """Return the slides to hand out: those before the room, of the lesson on, or of the sheet.

    None without a lesson, for a test, and for Daily five.
    """
    if context.guides.room is not None:
        return context.guides.room
    return context.recorders.for_room()


def source_of(context: Context, export: Export) -> Source:
    """Return what a form is made of, on the sheet: the pass shown, else the backward pass."""
    document, playback = context.document, context.playback
    return Source(
        document.sheet.drawing(),
        graph_name(document),
        export.path.stem,
        trace=playback.frame.unhidden,
        rules=playback.rules,
        cursor=playback.cursor,
        room=lecture_of(context) if export.form.of_lesson else None,
        notation=context.style.notation,
    )


def options_of(context: Context, export: Export) -> Struct:
    """Return the options with those that the sheet decides in the window: digits and rules."""
    of_sheet = {"digits": context.style.digits, "rules": context.playback.rules}
    shared = of_sheet.keys() & set(export.options.__struct_fields__)
    return replace(export.options, **{name: of_sheet[name] for name in shared})


def picture_options_of(context: Context, export: Export) -> PictureOptions:
    """Return the settings with which a picture in Backwire's look is painted."""
    look, style = export.options, context.style
    assert isinstance(look, FigureOptions)
    size = SIZES[look.paper]
    asks = context.playback.now.asks  # then extras on nodes would show the answers
    return PictureOptions(
        theme=look.theme or usual_theme(export.suffix),
        dpi=look.dpi,
        transparent=look.transparent,
        digits=style.digits,
        least_dpi=min(RESOLUTIONS),
        width=size.width,
        height=size.height,
        rows=look.rows,
        min_type=look.min_type,
        crop=look.crop,
        margin=look.margin,
        optional_numbers=frozenset() if asks else style.extras,
        notation=style.notation,
        text=look.text,
    )


def is_too_large_for_preview(context: Context, export: Export) -> bool:
    """Return whether a preview would keep the user waiting."""
    is_classic = isinstance(export.options, ClassicOptions)
    maximum = MAX_CLASSIC_PREVIEW_NODES if is_classic else MAX_PREVIEW_NODES
    return len(context.document.graph.nodes) > maximum


def current_figure(context: Context, export: Export) -> Figure:
    """Return the figure of the current step; raises EngineError if there can be none."""
    return figure_of(
        context.document.sheet, context.playback.frame, picture_options_of(context, export)
    )


def whole_figure(context: Context, export: Export) -> Figure:
    """Return the figure of the whole graph as drawn, without crop or margin."""
    as_drawn = replace(export.options, crop=None, paper=AS_DRAWN, margin=None, rows=None)
    return current_figure(context, replace(export, options=as_drawn))


def preview_image(figure: Figure, export: Export, context: Context, room: QSizeF) -> QImage:
    """Return a figure as large as it fits into `room`, in device px."""
    scale = min(room.width() / figure.size.width(), room.height() / figure.size.height())
    # without a width, which would decide the number of px
    return image_of(
        figure, replace(picture_options_of(context, export), dpi=DPI * scale, width=None)
    )


def classic_preview(context: Context, options: ClassicOptions) -> QImage:
    """Return micrograd's picture of the current step; raises EngineError if it takes too long."""
    frame, seconds = context.playback.frame, GRAPHVIZ_PREVIEW_TIMEOUT
    image = QImage.fromData(draw(frame, "png", DPI, options.transparent, seconds))
    if image.isNull():
        raise EngineError("There is no preview of this picture.")
    return image
