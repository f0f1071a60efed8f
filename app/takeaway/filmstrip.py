"""Filmstrips: steps of a pass as pictures, each with its sentence; on one page, or as a GIF.

    step_of(…)           a step of a pass: its frame and its sentence
    panels_of(…)         the panels of some steps, at one crop and scale
    filmstrip(…)         2 to 6 panels on one page: a row of two or three, more in two rows
    animation_of(…)      a whole pass as a GIF, one frame a step, and its narration as a text

A GIF plays once unless it loops. Its frames share one palette, so that a frame stores only the
pixels that it changes. A window makes it in two parts:

    drawn = yield from draw_frames(…)    on the thread of the window, frame by frame
    encoded(drawn, options)              on any thread
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter

from app.canvas.paint.figure import INCH_CM, MIN_TYPE, Figure, PictureOptions, figure_of
from app.canvas.paint.picture_export import Paint, image_of_page, painted_image, pdf, png, svg
from app.controls.rich_text import height, lay_out, paint_lines
from app.controls.slices import POLL, drained, in_background
from app.controls.spans import Spans, plain_text
from app.document.sheet import Sheet, sheet_of
from app.style import fonts
from app.style.strokes import draw_text, pen, text_sizes_outside_presentation
from app.style.theme import THEMES, Theme
from app.takeaway.options import (
    MAX_GIF_WIDTH,
    GifOptions,
    Look,
    Maker,
    Preview,
    Source,
    StripOptions,
    usual_theme,
)
from app.takeaway.page_parts import strip_of
from app.takeaway.paper import clean
from app.workbench.modes.quiz import Quiz
from app.workbench.playback.view_state import view_of
from app.workbench.words.alt_text import AltText
from app.workbench.words.narration import narrate
from engine.asking.question import hide_order
from engine.errors import FormatError
from engine.formats.dot import DPI
from engine.frame import Frame, frame_at
from engine.numbers import Digits, short
from engine.trace import Trace

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MARGIN: Final = 24.0
"""Left and right margin of the sentence; below it half of that. In px of the type's role."""
_POSITION_HEIGHT: Final = 14.0
"""Height of the line with the position of a step, in px of its role."""
SENTENCE_GAP: Final = 6.0
"""Space between that line and the sentence, in px of its role."""
_MIN_TYPE_SCALE: Final = 0.75
"""Least scale of the sentence's type of 17 px, which then has 9.6 pt."""
_MIN_WIDTH: Final = 300.0
"""Least width of a panel in px, so that its sentence has few lines; a given width overrides it."""


class Step(Struct, frozen=True):
    """One step of a pass, 0 before it: its number, the frame of its panel, and its sentence.

    One that `asks` shows the frame before the step, with `?` for its numbers.
    """

    number: int
    total: int
    frame: Frame
    sentence: Spans
    asks: bool = False

    @property
    def position_text(self) -> str:
        """Return the position in the pass: `Step 3 of 7`."""
        return f"Step {self.number} of {self.total}"


def step_of(trace: Trace, number: int, digits: Digits, *, cover: bool = False) -> Step:
    """Return a step of a pass, 0 before it; raises FormatError if the pass has none of this number.

    With `cover` it asks for its numbers, if there are any; a seed has none.
    """
    _check_step(trace, number)
    total = len(trace)
    before, frame = frame_at(trace, max(number - 1, 0)), frame_at(trace, number)
    quiz = Quiz(is_cover=True)
    if number and cover and quiz.questions(before):
        view = view_of(before, quiz)
        return Step(number, total, view.frame, clean(strip_of(view, digits).sentence), asks=True)
    shown = Quiz(is_cover=True).hide(frame) if cover else frame
    return Step(number, total, shown, clean(narrate(frame, digits=digits)))


def _check_step(trace: Trace, number: int) -> None:
    if not 0 <= number <= len(trace):
        raise FormatError(
            "The {phase} pass has {steps} steps; there is no step {step}.",
            phase=trace.phase,
            steps=len(trace),
            step=number,
        )


class Panels(Struct, frozen=True):
    """The panels of some steps; sizes are in px of 96 to the inch.

    `figure` is that of the first step; the others have its crop, layout and scale.
    """

    steps: tuple[Step, ...]
    figure: Figure
    picture_options: PictureOptions
    caption_height: float
    """Height below the picture, for the position and the tallest sentence."""

    @property
    def type_scale(self) -> float:
        """Return the px of the caption's type for one px of its role: as on the picture above."""
        return max(self.figure.scale, _MIN_TYPE_SCALE)

    @property
    def size(self) -> QSizeF:
        figure, least = self.figure.size, _MIN_WIDTH if self.picture_options.width is None else 0.0
        return QSizeF(max(figure.width(), least), figure.height() + self.caption_height)

    @property
    def sentence_width(self) -> float:
        return self.size.width() - 2 * MARGIN * self.type_scale

    def paint(self, painter: QPainter, k: int, corner: QPointF) -> None:
        """Paint the panel of `steps[k]` with its upper left corner at a point."""
        step, theme = self.steps[k], THEMES[self.picture_options.theme]
        painter.save()
        # also where a label is written from right to left
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        painter.translate(corner)
        left = (self.size.width() - self.figure.size.width()) / 2
        painter.translate(left, 0)
        self.figure.at(step.frame, self.picture_options).paint(
            painter, self.picture_options.theme, transparent=True
        )
        painter.translate(-left, self.figure.size.height())
        font, scale = _font(self.type_scale), self.type_scale
        painter.save()
        painter.scale(scale, scale)
        draw_text(painter, step.position_text, "caption", theme.secondary, (MARGIN, 6))
        painter.restore()
        lines = lay_out(step.sentence, font, self.sentence_width)
        text_corner = QPointF(MARGIN * scale, (_POSITION_HEIGHT + SENTENCE_GAP) * scale)
        paint_lines(painter, text_corner, lines, font, theme)
        painter.restore()


def _font(scale: float) -> QFont:
    return fonts.font("step", scale)


def panels_of(sheet: Sheet, steps: Sequence[Step], picture_options: PictureOptions) -> Panels:
    """Return the panels of one or more steps of one pass.

    Raises FormatError for a graph with too many nodes for a picture.
    """
    figure = figure_of(sheet, steps[0].frame, picture_options)
    pictures = Panels(tuple(steps), figure, picture_options, caption_height=0.0)
    font, scale = _font(pictures.type_scale), pictures.type_scale
    tallest = max(height(lay_out(s.sentence, font, pictures.sentence_width)) for s in steps)
    caption_height = tallest + (_POSITION_HEIGHT + SENTENCE_GAP + MARGIN / 2) * scale
    return replace(pictures, caption_height=caption_height)


MIN_PANELS, MAX_PANELS = 2, 6
"""Limits of the number of steps of a strip."""
GAP: Final = 12.0
"""Space between panels in px, with a line in its middle."""
_MAX_PER_ROW: Final = 3
"""Most panels in one row; more are in two rows."""
_IN_A_COLUMN: Final = (
    "{width} × {height} cm: the steps are below one another, since in a row their type has {beside}"
    " pt. --min-type 6 makes it lower; --upright asks for a column."
)
_WRONG_COUNT: Final = "A strip has {fewest} to {most} steps, not {count}."


def column_count(panels: int) -> int:
    """Return the number of columns for a number of panels.

    >>> [column_count(panels) for panels in range(2, 7)]
    [2, 3, 2, 3, 3]
    """
    return panels if panels <= _MAX_PER_ROW else math.ceil(panels / 2)


def check_steps(trace: Trace, numbers: Sequence[int]) -> None:
    """Raise FormatError for steps that no strip of a pass has, or that are too few or too many."""
    _check_count(len(numbers))
    for number in numbers:
        _check_step(trace, number)


def _check_count(panels: int) -> None:
    if not MIN_PANELS <= panels <= MAX_PANELS:
        raise FormatError(_WRONG_COUNT, fewest=MIN_PANELS, most=MAX_PANELS, count=panels)


@text_sizes_outside_presentation()
def filmstrip(
    suffix: str,
    sheet: Sheet,
    steps: Sequence[Step],
    picture_options: PictureOptions,
    *,
    upright: bool = False,
) -> bytes:
    """Return a strip as PNG, SVG or PDF, by its suffix.

    `picture_options` has the width of the whole strip. Raises FormatError for another number of
    steps, and for an image that is too large.
    """
    _check_count(len(steps))
    most = 1 if upright else column_count(len(steps))
    panels, columns = min(_layouts(sheet, steps, picture_options, most), key=_layout_cost)
    size = _size(panels, columns)
    paint = _painter_of(panels, columns, size)
    alt = AltText("Backwire steps", "\n".join(_lines(steps)))
    if suffix == ".pdf":
        return pdf([paint], size, alt)
    if suffix == ".svg":
        return svg(paint, size, picture_options.text, alt)
    return png(image_of_page(paint, size, picture_options), alt)


def _look_of(source: Source, options: Look, suffix: str) -> PictureOptions:
    """Return how the pictures of a strip or a GIF look, but for their size."""
    return PictureOptions(
        theme=options.theme or usual_theme(suffix), digits=options.digits, notation=source.notation
    )


def _write_strip(
    source: Source, options: StripOptions, suffix: str
) -> Generator[None, None, tuple[bytes]]:
    yield
    sheet, trace = sheet_of(source.drawing), source.shown_pass
    steps = [step_of(trace, k, options.digits, cover=options.cover) for k in options.strip]
    picture_options = replace(
        _look_of(source, options, suffix),
        dpi=options.dpi,
        transparent=options.transparent,
        width=options.width,
        min_type=options.min_type,
        text=options.text,
    )
    if not options.upright and (remark := column_remark(sheet, steps, picture_options)):
        source.remark(remark)
    return (filmstrip(suffix, sheet, steps, picture_options, upright=options.upright),)


def _preview_strip(source: Source, options: StripOptions, room: tuple[float, float]) -> Preview:
    (content,) = drained(_write_strip(source, replace(options, dpi=DPI), ".png"))
    return Preview(_fitted(QImage.fromData(content), room))


def _fitted(picture: QImage, room: tuple[float, float]) -> QImage:
    """Return a picture, scaled down if it is larger than `room`."""
    space, whole = QSizeF(*room).toSize(), Qt.AspectRatioMode.KeepAspectRatio
    if picture.size().boundedTo(space) == picture.size():
        return picture
    return picture.scaled(space, whole, Qt.TransformationMode.SmoothTransformation)


def _check_strip(options: StripOptions, trace: Trace) -> None:
    check_steps(trace, options.strip)


STRIP: Final = Maker(_write_strip, _preview_strip, _check_strip)


def _layouts(
    sheet: Sheet, steps: Sequence[Step], picture_options: PictureOptions, most: int
) -> list[tuple[Panels, int]]:
    """Return the panels at each number of columns up to the most, those without the least type."""
    # at a given width, fewer columns have larger type, and more columns need less paper
    counts = range(1, most + 1) if picture_options.width is not None else (most,)
    found: list[tuple[Panels, int]] = []
    for count in counts:
        try:
            options = _panel_picture_options(picture_options, count)
            found.append((panels_of(sheet, steps, options), count))
        except FormatError:
            if not found or picture_options.min_type is None:
                raise
    return found


def column_remark(sheet: Sheet, steps: Sequence[Step], picture_options: PictureOptions) -> str:
    """Return why the steps are below one another though nobody asked for it, or an empty text."""
    if picture_options.width is None or picture_options.min_type is not None:
        return ""
    layouts = _layouts(sheet, steps, picture_options, column_count(len(steps)))
    if (chosen := min(layouts, key=_layout_cost))[1] > 1:
        return ""
    high = _size(*chosen).height() / DPI * INCH_CM
    lengths = (picture_options.width, high, layouts[-1][0].figure.type_sizes[0])
    width, height, beside = (short(round(length, 1)) for length in lengths)
    return _IN_A_COLUMN.format(width=width, height=height, beside=beside)


def _size(panels: Panels, columns: int) -> QSizeF:
    rows = math.ceil(len(panels.steps) / columns)
    return QSizeF(
        columns * panels.size.width() + (columns - 1) * GAP,
        rows * panels.size.height() + (rows - 1) * GAP,
    )


def _layout_cost(layout: tuple[Panels, int]) -> tuple[bool, float]:
    """Return whether the type is too small, then the height in px of the strip."""
    least = layout[0].picture_options.min_type or MIN_TYPE
    return not layout[0].figure.has_type(least), _size(*layout).height()


def _panel_picture_options(picture_options: PictureOptions, columns: int) -> PictureOptions:
    """Return the picture options of one panel, with its share of the width."""
    if picture_options.width is None:
        return picture_options
    gaps = (columns - 1) * GAP / DPI * INCH_CM
    return replace(picture_options, width=(picture_options.width - gaps) / columns)


def _painter_of(panels: Panels, columns: int, size: QSizeF) -> Paint:
    theme, picture_options = THEMES[panels.picture_options.theme], panels.picture_options
    wide, high = panels.size.width() + GAP, panels.size.height() + GAP

    def paint(painter: QPainter) -> None:
        if not picture_options.transparent:
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


STEP_MS: Final = 1200
"""Duration of a frame in ms."""
SUM_MS: Final = 2500
"""Duration of a step that adds a contribution to earlier ones: its sum is to be checked."""
LAST_MS: Final = 3000
"""Duration of the last step."""
BLANK_MS: Final = 1500
"""Duration of a frame that asks, before the one with the numbers."""
"""Limits of the width in px; a wider panel is scaled down. At a width that is chosen, nodes are
moved into rows instead, as in a figure with a width."""
COLORS: Final = 64
"""Number of colours in the palette; pictures of flat colours differ in their edges alone."""
MOST_STEPS: Final = 100
"""Number of steps of the longest pass; at 1.2 s a step it plays for two minutes."""
_TOO_LONG: Final = "The pass has {steps:,} steps; a GIF has at most {most}."
_NO_STEPS: Final = "The {phase} pass of this graph has no steps, so there is nothing to be shown."


def _check_length(_options: GifOptions, trace: Trace) -> None:
    """Raise FormatError for a pass without a step, or with too many for a GIF."""
    if not len(trace):
        raise FormatError(_NO_STEPS, phase=trace.phase)
    if len(trace) > MOST_STEPS:
        raise FormatError(_TOO_LONG, steps=len(trace), most=MOST_STEPS)


def _write_gif(
    source: Source, options: GifOptions, suffix: str
) -> Generator[int | None, None, tuple[bytes, bytes]]:
    """Yield before each frame is drawn and while they are encoded; return GIF and narration."""
    trace, picture_options = source.shown_pass, _gif_look(source, options, suffix)
    _check_length(options, trace)
    timed = list(_timed_steps(trace, options))
    pace = options.seconds * 1000 / STEP_MS
    shown, durations = [step for step, _ms in timed], [round(ms * pace) for _step, ms in timed]
    with text_sizes_outside_presentation():
        panels = panels_of(sheet_of(source.drawing), shown, picture_options)
    images: list[QImage] = []
    for k in range(len(shown)):
        yield
        with (
            text_sizes_outside_presentation()
        ):  # not across a yield, where the window paints in its own sizes
            images.append(_frame_image(panels, k))
    theme, content = THEMES[picture_options.theme], b""
    # in a thread, as it takes as long as drawing
    for made in in_background(_gif(images, durations, theme, loop=options.loop) for _ in "1"):
        content = made or content
        yield None if made else POLL
    return content, _narration(source.title, shown).encode()


@text_sizes_outside_presentation()
def _preview_gif(source: Source, options: GifOptions, room: tuple[float, float]) -> Preview:
    step = _shown_step(source.shown_pass, max(source.cursor, 1), options)
    look = _gif_look(source, options, ".gif")
    picture = _frame_image(panels_of(sheet_of(source.drawing), [step], look), 0)
    return Preview(_fitted(picture, room), note="Beside it a text tells what each step shows.")


def _gif_look(source: Source, options: GifOptions, suffix: str) -> PictureOptions:
    width = None if options.width is None else options.width / DPI * INCH_CM
    look = _look_of(source, options, suffix)
    return replace(look, width=width)


GIF: Final = Maker(_write_gif, _preview_gif, _check_length)


def _timed_steps(trace: Trace, options: GifOptions) -> Iterator[tuple[Step, int]]:
    """Yield the steps in the order of their frames, each with its duration in ms."""
    digits = options.digits
    for k in range(1, len(trace) + 1):
        blank = step_of(trace, k, digits, cover=True)
        if options.blank_first and not options.cover and blank.asks:
            yield blank, BLANK_MS
        step = _shown_step(trace, k, options)
        yield step, LAST_MS if k == len(trace) else SUM_MS if _adds_up(trace, k) else STEP_MS


def _shown_step(trace: Trace, number: int, options: GifOptions) -> Step:
    step = step_of(trace, number, options.digits, cover=options.cover)
    if not options.blank_first or options.cover:
        return step
    # the next frame asks for the next step, whose factors would give its answer away
    return replace(step, frame=hide_order(step.frame))


def _adds_up(trace: Trace, step: int) -> bool:
    """Return whether a step, from 1, adds to a gradient that has a contribution already."""
    if trace.phase == "forward":
        return False
    event = trace.events[step - 1]
    return event.wire is not None and trace.schedule.arrivals[event.node][0] != step - 1


def _narration(title: str, steps: Sequence[Step]) -> str:
    return "\n".join((title, "", *_lines(steps), ""))


def _lines(steps: Sequence[Step]) -> list[str]:
    """Return a line for each step, with its position and its sentence."""
    return [f"{step.position_text}. {plain_text(step.sentence)}" for step in steps]


def _frame_image(panels: Panels, k: int) -> QImage:
    size = panels.size
    scale = min(1.0, MAX_GIF_WIDTH / size.width())
    wide, high = round(size.width() * scale), int(size.height() * scale)
    image = painted_image(
        lambda painter: panels.paint(painter, k, QPointF()),
        wide,
        high,
        scale,
        QColor(THEMES[panels.picture_options.theme].canvas),
    )
    return image.convertToFormat(QImage.Format.Format_RGB888)


def _gif(images: Sequence[QImage], durations: Sequence[int], theme: Theme, *, loop: bool) -> bytes:
    import numpy as np
    from PIL import Image

    arrays = [_pixels(image) for image in images]
    # one palette for all frames: the theme's colours, as those of few pixels would be lost, and the
    # most common ones of all frames, quantized as one tall image
    theme_colors = _colors(theme)
    stacked = Image.fromarray(np.concatenate(arrays))
    others = COLORS - len(theme_colors)
    common = stacked.quantize(others, dither=Image.Dither.NONE).getpalette() or []
    channels = [*(channel for color in theme_colors for channel in color), *common][: 3 * COLORS]
    palette = np.array(channels, np.int32).reshape(-1, 3)
    frames: list[Image.Image] = []
    for indices in _nearest(arrays, palette):
        frame = Image.fromarray(indices)
        frame.putpalette(channels)
        frames.append(frame)
    content = BytesIO()
    repeats = {"loop": 0} if loop else {}  # 0: forever
    frames[0].save(
        content, "GIF", save_all=True, append_images=frames[1:], duration=list(durations), **repeats
    )
    return content.getvalue()


def _pixels(image: QImage) -> NDArray[np.uint8]:
    """Return the pixels of an RGB888 image, of shape (height, width, 3), without row padding."""
    import numpy as np

    lines = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1)
    return lines[:, : 3 * image.width()].reshape(image.height(), image.width(), 3)


def _nearest(
    arrays: Sequence[NDArray[np.uint8]], palette: NDArray[np.int32]
) -> list[NDArray[np.uint8]]:
    """Return the index of each pixel's nearest colour; Pillow's `quantize` only approximates it.

    `arrays` have the shape (height, width, 3), `palette` (colours, 3), the result (height, width).
    Distances are computed once for each colour that occurs.
    """
    import numpy as np

    packed = [array.astype(np.int32) @ np.array([65536, 256, 1], np.int32) for array in arrays]
    occurs = np.zeros(1 << 24, np.bool_)
    for pixels in packed:
        occurs[pixels] = True
    used = np.flatnonzero(occurs)
    colors = np.stack([used >> 16, (used >> 8) & 255, used & 255], axis=1)
    distances = ((colors[:, None, :] - palette[None, :, :]) ** 2).sum(axis=2)
    index_of_color = np.zeros(1 << 24, np.uint8)
    index_of_color[used] = distances.argmin(axis=1)
    return [index_of_color[pixels] for pixels in packed]


def _colors(theme: Theme) -> list[tuple[int, int, int]]:
    """Return the RGB channels of the theme's colours that have a meaning, each once."""
    colors = (
        theme.canvas,
        theme.node,
        theme.text,
        theme.secondary,
        theme.value,
        theme.gradient,
        theme.local,
        theme.root,
        theme.error,
        theme.selection,
        theme.selection_tint,
        theme.header_op,
        theme.header_leaf,
        theme.header_root,
        theme.wire,
        theme.line,
        *theme.siblings,
    )
    return list(dict.fromkeys((c.red(), c.green(), c.blue()) for c in colors))
