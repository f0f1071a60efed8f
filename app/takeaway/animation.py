"""Animation: a pass as a GIF, one frame a step, and its narration as a text file.

It plays once unless it loops. All frames share one palette, so that a frame stores only the pixels
that it changes.

    drawn = yield from draw_frames(…)    on the thread of the window, frame by frame
    encoded(drawn, options)              on any thread
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QImage, QPainter

from app.canvas.paint.figure import Shot
from app.canvas.paint.picture_export import painted_image
from app.controls.rich_text import plain_text
from app.controls.slices import drained
from app.document.sheet import Sheet
from app.style.strokes import usual_text_sizes
from app.style.theme import THEMES, Theme
from app.takeaway.step_panel import Panels, Step, panels_of, step_of
from engine.errors import FormatError
from engine.trace import Trace

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

STEP_MS: Final = 1200
"""Duration of a frame in ms."""
SUM_MS: Final = 2500
"""Duration of a step that adds a contribution to earlier ones: its sum is to be checked."""
LAST_MS: Final = 3000
"""Duration of the last step."""
BLANK_MS: Final = 1500
"""Duration of a frame that asks, before the one with the numbers."""
MAX_WIDTH: Final = 1280
"""Largest width in px; a wider panel is scaled down."""
COLORS: Final = 64
"""Number of colours in the palette; pictures of flat colours differ in their edges alone."""
MOST_STEPS: Final = 100
"""Number of steps of the longest pass; at 1.2 s a step it plays for two minutes."""
_TOO_LONG: Final = "The pass has {steps:,} steps; a GIF has at most {most}."
_NO_STEPS: Final = "The {phase} pass of this graph has no steps, so there is nothing to be shown."


class Animation(Struct, frozen=True):
    """A GIF, and its narration: the title, then a line for each step."""

    content: bytes
    narration: str


class Options(Struct, frozen=True):
    """The look of the frames, and how they ask.

    `blank_first`: each frame with numbers has one with `?` before it; `cover`: only that one.
    """

    shot: Shot
    blank_first: bool = False
    cover: bool = False
    loop: bool = False


class DrawnFrames(Struct, frozen=True):
    """The frames of a GIF in RGB, their durations in ms, and their narration."""

    images: list[QImage]
    durations: list[int]
    narration: str


def animation_of(title: str, sheet: Sheet, trace: Trace, options: Options) -> Animation:
    """Return the GIF of a pass; raises FormatError for an empty pass and for a too long one."""
    return encoded(drained(draw_frames(title, sheet, trace, options)), options)


def draw_frames(
    title: str, sheet: Sheet, trace: Trace, options: Options
) -> Generator[None, None, DrawnFrames]:
    """Yield before each frame is drawn, then return all; raises as `animation_of`."""
    steps = len(trace)
    if not steps:
        raise FormatError(_NO_STEPS, phase=trace.phase)
    if steps > MOST_STEPS:
        raise FormatError(_TOO_LONG, steps=steps, most=MOST_STEPS)
    timed = list(_timed_steps(trace, options))
    shown, durations = [step for step, _ms in timed], [ms for _step, ms in timed]
    with usual_text_sizes():
        panels = panels_of(sheet, shown, options.shot)
    images: list[QImage] = []
    for k in range(len(shown)):
        yield
        with usual_text_sizes():  # not across a yield, where the window paints in its own sizes
            images.append(_frame_image(panels, k))
    return DrawnFrames(images, durations, _narration(title, shown))


@usual_text_sizes()
def frame_of_step(sheet: Sheet, trace: Trace, number: int, options: Options) -> QImage:
    """Return the frame of a step, from 1; raises FormatError for a number beyond the pass."""
    step = step_of(trace, number, options.shot.digits, cover=options.cover)
    return _frame_image(panels_of(sheet, [step], options.shot), 0)


def encoded(drawn: DrawnFrames, options: Options) -> Animation:
    """Return the GIF of drawn frames; nothing is painted, so it may run on any thread."""
    theme = THEMES[options.shot.theme]
    content = _gif(drawn.images, drawn.durations, theme, loop=options.loop)
    return Animation(content, drawn.narration)


def _timed_steps(trace: Trace, options: Options) -> Iterator[tuple[Step, int]]:
    """Yield the steps in the order of their frames, each with its duration in ms."""
    digits = options.shot.digits
    for k in range(1, len(trace) + 1):
        blank = step_of(trace, k, digits, cover=True)
        step = step_of(trace, k, digits, cover=options.cover)
        if options.blank_first and not options.cover and blank.asks:
            yield blank, BLANK_MS
        yield step, LAST_MS if k == len(trace) else SUM_MS if _adds_up(trace, k) else STEP_MS


def _adds_up(trace: Trace, step: int) -> bool:
    """Return whether a step, from 1, adds to a gradient that has a contribution already."""
    if trace.phase == "forward":
        return False
    event = trace.events[step - 1]
    return event.wire is not None and trace.schedule.arrivals[event.node][0] != step - 1


def _narration(title: str, steps: Sequence[Step]) -> str:
    lines = [f"{step.position_text}. {plain_text(step.sentence)}" for step in steps]
    return "\n".join((title, "", *lines, ""))


def _frame_image(panels: Panels, k: int) -> QImage:
    size = panels.size
    scale = min(1.0, MAX_WIDTH / size.width())
    background = QColor(THEMES[panels.shot.theme].canvas)

    def paint(painter: QPainter) -> None:
        # a px more, or a rounded size would leave a transparent edge
        painter.fillRect(0, 0, round(size.width()) + 1, round(size.height()) + 1, background)
        panels.paint(painter, k, QPointF())

    wide, high = int(size.width() * scale), int(size.height() * scale)
    return painted_image(paint, wide, high, scale).convertToFormat(QImage.Format.Format_RGB888)


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
