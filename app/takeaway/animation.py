"""Animation: a pass as a GIF, one frame a step, and its narration as a text beside it.

A frame stands 1.2 s, 2.5 s where a contribution is added to others, and the last one 3 s. It plays
once unless it loops. All frames have one palette, so that a frame stores what it changes.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QImage, QPainter

from app.canvas.paint.figure import Shot
from app.controls.rich_text import plain_text
from app.controls.slices import drained
from app.document.sheet import Sheet
from app.style.strokes import usual_text_sizes
from app.style.theme import THEMES, Theme
from app.takeaway.filmstrip import painted_image
from app.takeaway.step_panel import Panels, Step, panels_of, step_of
from engine.errors import FormatError
from engine.numbers import Digits
from engine.trace import Trace

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

STEP_MS, SUM_MS, LAST_MS, BLANK_MS = 1200, 2500, 3000, 1500
"""Times in ms of a step, of one that adds up, of the last one, and of a `?` before its number."""
MAX_WIDTH: Final = 1280
"""Largest width in px."""
COLORS: Final = 64
MOST_STEPS: Final = 100
"""Longest pass that is made a GIF; at 1.2 s a step it takes two minutes."""
_TOO_LONG: Final = "The pass has {steps:,} steps; a GIF has at most {most}."
_NO_STEPS: Final = "The {phase} pass of this graph has no steps, so there is nothing to be shown."


class Animation(Struct, frozen=True):
    """A GIF, and the text of what it shows."""

    content: bytes
    narration: str


class Options(Struct, frozen=True):
    """How a pass is shown: `blank_first` asks before each number, `cover` never shows it."""

    shot: Shot
    digits: Digits
    blank_first: bool = False
    cover: bool = False
    loop: bool = False


class Frames(Struct, frozen=True):
    """The frames of a GIF with their times in ms, and what is told about them."""

    images: list[QImage]
    times: list[int]
    narration: str


def animation(title: str, sheet: Sheet, trace: Trace, options: Options) -> Animation:
    """Return the GIF of a pass; raises FormatError for one that is empty or too long."""
    return gif(drained(frames(title, sheet, trace, options)), options)


def frames(
    title: str, sheet: Sheet, trace: Trace, options: Options
) -> Generator[None, None, Frames]:
    """Draw one frame after the other; raises as `animation`."""
    steps = len(trace)
    if not steps:
        raise FormatError(_NO_STEPS, phase=trace.phase)
    if steps > MOST_STEPS:
        raise FormatError(_TOO_LONG, steps=steps, most=MOST_STEPS)
    shown = list(_shown(trace, options))
    with usual_text_sizes():
        panels = panels_of(sheet, [step for step, _time in shown], options.shot)
    images: list[QImage] = []
    for k in range(len(shown)):
        yield
        with usual_text_sizes():
            images.append(_frame(panels, k))
    return Frames(
        images, [time for _step, time in shown], _narration(title, [step for step, _time in shown])
    )


@usual_text_sizes()
def one_frame(sheet: Sheet, trace: Trace, number: int, options: Options) -> QImage:
    """Return the frame of one step of a pass, from 1; FormatError if it has none of this number."""
    step = step_of(trace, number, options.digits, cover=options.cover)
    return _frame(panels_of(sheet, [step], options.shot), 0)


def gif(drawn: Frames, options: Options) -> Animation:
    """Return the GIF of drawn frames; it paints nothing, so a thread may do it."""
    content = _gif(drawn.images, drawn.times, THEMES[options.shot.theme], loop=options.loop)
    return Animation(content, drawn.narration)


def _shown(trace: Trace, options: Options) -> Iterator[tuple[Step, int]]:
    """Yield the steps as they are shown, each with its time in ms."""
    for k in range(1, len(trace) + 1):
        asked = step_of(trace, k, options.digits, cover=True)
        step = step_of(trace, k, options.digits, cover=options.cover)
        if options.blank_first and not options.cover and asked.asks:
            yield asked, BLANK_MS
        yield step, LAST_MS if k == len(trace) else SUM_MS if _adds_up(trace, k) else STEP_MS


def _adds_up(trace: Trace, step: int) -> bool:
    """Return whether a step brings a node a contribution after its first one."""
    if trace.phase == "forward":
        return False
    event = trace.events[step - 1]
    return event.wire is not None and trace.schedule.arrivals[event.node][0] != step - 1


def _narration(title: str, steps: Sequence[Step]) -> str:
    lines = [f"{step.place}. {plain_text(step.sentence)}" for step in steps]
    return "\n".join((title, "", *lines, ""))


def _frame(panels: Panels, k: int) -> QImage:
    size = panels.size
    scale = min(1.0, MAX_WIDTH / size.width())
    background = QColor(THEMES[panels.shot.theme].canvas)

    def paint(painter: QPainter) -> None:
        painter.fillRect(0, 0, round(size.width()) + 1, round(size.height()) + 1, background)
        panels.paint(painter, k, QPointF())

    wide, high = int(size.width() * scale), int(size.height() * scale)
    return painted_image(paint, wide, high, scale).convertToFormat(QImage.Format.Format_RGB888)


def _gif(images: Sequence[QImage], times: Sequence[int], theme: Theme, *, loop: bool) -> bytes:
    import numpy as np
    from PIL import Image

    arrays = [_pixels(image) for image in images]
    # one palette for all: the theme's colours, which a few pixels would not get, and the commonest
    # of the frames below one another
    own = _colors(theme)
    whole = Image.fromarray(np.concatenate(arrays))
    common = whole.quantize(COLORS - len(own), dither=Image.Dither.NONE).getpalette() or []
    values = [*(part for color in own for part in color), *common][: 3 * COLORS]
    palette = np.array(values, np.int32).reshape(-1, 3)
    frames: list[Image.Image] = []
    for indices in _nearest(arrays, palette):
        frame = Image.fromarray(indices)
        frame.putpalette(values)
        frames.append(frame)
    content = BytesIO()
    repeats = {"loop": 0} if loop else {}
    frames[0].save(
        content, "GIF", save_all=True, append_images=frames[1:], duration=list(times), **repeats
    )
    return content.getvalue()


def _pixels(image: QImage) -> NDArray[np.uint8]:
    """Return the pixels of an image: height × width × 3."""
    import numpy as np

    lines = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1)
    return lines[:, : 3 * image.width()].reshape(image.height(), image.width(), 3)


def _nearest(
    arrays: Sequence[NDArray[np.uint8]], palette: NDArray[np.int32]
) -> list[NDArray[np.uint8]]:
    """Return the index of the nearest colour of a palette for each pixel; Pillow approximates."""
    import numpy as np

    packed = [array.astype(np.int32) @ np.array([65536, 256, 1], np.int32) for array in arrays]
    is_used = np.zeros(1 << 24, np.bool_)
    for each in packed:
        is_used[each] = True
    used = np.flatnonzero(is_used)
    colors = np.stack([used >> 16, (used >> 8) & 255, used & 255], axis=1)
    distances = ((colors[:, None, :] - palette[None, :, :]) ** 2).sum(axis=2)
    table = np.zeros(1 << 24, np.uint8)
    table[used] = distances.argmin(axis=1)
    return [table[each] for each in packed]


def _colors(theme: Theme) -> list[tuple[int, int, int]]:
    """Return the colours of a theme that mean something."""
    named = (
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
    return list(dict.fromkeys((c.red(), c.green(), c.blue()) for c in named))
