"""The content of handouts: pages, worksheets, strips and GIFs of the graph on the sheet.

The work is a generator, so that the window stays responsive and can cancel it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QSizeF, Qt
from PySide6.QtGui import QColor, QImage

from app.canvas.paint.figure import PictureOptions
from app.canvas.paint.picture_export import Paint, painted_image
from app.controls.slices import in_background
from app.takeaway import handout, worksheet
from app.takeaway.filmstrip import (
    Animation,
    DrawnFrames,
    GifOptions,
    draw_frames,
    encoded,
    filmstrip,
    frame_of_step,
    step_of,
)
from app.takeaway.graph_page import PageOptions, outline_of_graph, page_of_graph
from app.takeaway.html_page import html_page
from app.takeaway.page_data import PageData, StepData
from app.takeaway.paper import PAPERS, Paper
from app.window.dialogs.export_content import lecture_of, pass_of
from app.window.dialogs.export_forms import (
    GIF,
    HANDOUT,
    PAGE,
    WORKSHEET,
    Export,
    export_paths,
    graph_name,
)
from engine.errors import FormatError
from engine.formats.dot import DPI
from engine.formats.native import Drawing
from engine.numbers import counted

if TYPE_CHECKING:
    from app.guide.play.guide import Room
    from app.window.context import Context

Files = dict[Path, bytes]

_ASKS: Final = ("The page asks {count} number.", "The page asks {count} numbers.")
_NO_LECTURE: Final = "There is nothing to hand out: add a step first, with A on the sheet."
_HANDOUT_NOTE: Final = (
    "A page, or a part of one, for each step; the key with each slip is at the end."
)
_SHOWS: Final = "The page asks nothing."


def make_files(context: Context, export: Export) -> Generator[None, None, Files]:
    """Return the content of each file of a handout; raises EngineError if there can be none."""
    files = export_paths(export, None)
    if export.form == PAGE:
        yield
        return {files[0]: html_page(_page(context, export)).encode()}
    if export.form == WORKSHEET:
        made = yield from worksheet.worksheets(
            _source(context, export), _sheet_options(export, context)
        )
        return dict(zip(files, made, strict=True))
    if export.form == HANDOUT:
        written = yield from handout.handouts(_lecture(context), _handout_options(export, context))
        return {files[0]: written}
    if export.form == GIF:
        options = _animation_options(context, export)
        sheet, trace = context.document.sheet, pass_of(context)
        drawn = yield from draw_frames(_title(context), sheet, trace, options)
        made = yield from _encoded_in_thread(drawn, options)
        return dict(zip(files, (made.content, made.narration.encode()), strict=True))
    yield
    return {files[0]: _strip(context, export, export.path.suffix.lower(), export.dpi)}


def _encoded_in_thread(drawn: DrawnFrames, options: GifOptions) -> Generator[None, None, Animation]:
    """Encode the frames in a thread, which takes as long as drawing them."""

    def animation() -> Iterator[Animation]:
        yield encoded(drawn, options)

    for made in in_background(animation()):
        if made is not None:
            return made
        yield
    raise AssertionError("the thread has ended without a GIF")


def _title(context: Context) -> str:
    return graph_name(context.document)


def _drawing(context: Context) -> Drawing:
    """Return the drawing of the sheet, all of whose nodes have positions."""
    return context.document.sheet.drawing()


def _page(context: Context, export: Export) -> PageData:
    return page_of_graph(_drawing(context), _title(context), _page_options(context, export))


def _page_options(context: Context, export: Export) -> PageOptions:
    chosen = export.handout
    return PageOptions(
        chosen.ask, chosen.cover, context.playback.rules, chosen.page_theme, context.style.digits
    )


def _source(context: Context, export: Export) -> worksheet.Source:
    return worksheet.Source(_drawing(context), _title(context), export.path.stem)


def _sheet_options(export: Export, context: Context) -> worksheet.Options:
    chosen = export.handout
    return worksheet.Options(
        chosen.blank,
        copies=chosen.copies,
        paper=PAPERS[chosen.sheet_paper],
        digits=context.style.digits,
    )


def _lecture(context: Context) -> Room:
    found = lecture_of(context)
    if found is None:
        raise FormatError(_NO_LECTURE)
    return found


def _handout_options(export: Export, context: Context) -> handout.Options:
    chosen, digits = export.handout, context.style.digits
    return handout.Options(chosen.per_page, chosen.notes, PAPERS[chosen.sheet_paper], digits)


def _animation_options(context: Context, export: Export) -> GifOptions:
    chosen = export.handout
    return GifOptions(
        PictureOptions(
            theme=export.theme, digits=context.style.digits, notation=context.style.notation
        ),
        blank_first=chosen.blank_first,
        cover=chosen.cover,
        loop=chosen.loop,
    )


def _strip(context: Context, export: Export, suffix: str, dpi: float) -> bytes:
    chosen, digits = export.handout, context.style.digits
    trace = pass_of(context)
    steps = [step_of(trace, k, digits, cover=chosen.cover) for k in chosen.steps]
    picture_options = PictureOptions(
        theme=export.theme,
        dpi=dpi,
        transparent=export.transparent,
        digits=digits,
        notation=context.style.notation,
        text=export.text,
    )
    return filmstrip(suffix, context.document.sheet, steps, picture_options, upright=chosen.upright)


# the preview


class Preview(NamedTuple):
    """The preview of a handout: a picture or a text, and a sentence about it."""

    picture: QImage | None = None
    text: str = ""
    note: str = ""


def preview(context: Context, export: Export, room: QSizeF) -> Preview:
    """Return the preview in at most `room` device px; raises EngineError if there can be none."""
    if export.form == PAGE:
        outline = list(outline_of_graph(_drawing(context), _page_options(context, export)))
        count = sum(questions for _step, questions in outline)
        note = counted(count, *_ASKS) if count else _SHOWS
        return Preview(text=_text_of(_title(context), outline), note=note)
    if export.form == WORKSHEET:
        return Preview(_first_page(context, export, room), note=_worksheet_note(export))
    if export.form == HANDOUT:
        options = _handout_options(export, context)
        paint = handout.first_page(_lecture(context), options)
        return Preview(_page_image(paint, options.paper, room), note=_HANDOUT_NOTE)
    if export.form == GIF:
        trace = pass_of(context)
        frame = frame_of_step(
            context.document.sheet,
            trace,
            max(context.playback.cursor, 1),
            _animation_options(context, export),
        )
        return Preview(_fitted(frame, room), note="Beside it a text tells what each step shows.")
    content = _strip(context, export, ".png", DPI)
    return Preview(_fitted(QImage.fromData(content), room))


def _fitted(picture: QImage, room: QSizeF) -> QImage:
    """Return a picture, scaled down if it is larger than `room`."""
    size = picture.size().toSizeF()
    if size.width() <= room.width() and size.height() <= room.height():
        return picture
    return picture.scaled(
        room.toSize(),
        Qt.AspectRatioMode.KeepAspectRatio,
        Qt.TransformationMode.SmoothTransformation,
    )


def _text_of(title: str, outline: Iterable[tuple[StepData, int]]) -> str:
    """Return the sentences of a page, one step below the other."""
    lines = [title, ""]
    for step, questions in outline:
        words = "".join(part if isinstance(part, str) else part[0] for part in step.says)
        place = f"{step.title}, {step.position.lower()}" if step.position else step.title
        lines.append(f"{place}. {words}")
        if questions:
            lines.append(f"– asked: {questions}")
    return "\n".join(lines)


def _worksheet_note(export: Export) -> str:
    copies = export.handout.copies
    one = "One sheet with the numbers as they are; the key is a file of its own."
    many = f"{copies} sheets, each with numbers of its own; one key for all, a file of its own."
    return one if copies == 1 else many


def _first_page(context: Context, export: Export, room: QSizeF) -> QImage:
    options = worksheet.Options(
        export.handout.blank, paper=PAPERS[export.handout.sheet_paper], digits=context.style.digits
    )
    paint = worksheet.first_page(_source(context, export), options)
    return _page_image(paint, options.paper, room)


def _page_image(paint: Paint, paper: Paper, room: QSizeF) -> QImage:
    """Return the picture of a page as large as a space of device px."""
    size = paper.size
    scale = min(room.width() / size.width(), room.height() / size.height())
    wide, high = int(size.width() * scale), int(size.height() * scale)
    return painted_image(paint, wide, high, scale, QColor("white"))
