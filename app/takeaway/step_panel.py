"""Step panel: the picture of a step with its sentence below it, for filmstrips and GIFs.

All panels of a pass have one size, crop and scale. Under Cover, a panel shows the frame before its
step, with `?` for the numbers of that step.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QPointF, QSizeF, Qt
from PySide6.QtGui import QFont, QPainter

from app.canvas.paint.figure import Figure, Shot, figure_of
from app.controls.rich_text import Spans, height, lay_out, paint_lines
from app.document.sheet import Sheet
from app.style import fonts
from app.style.strokes import draw_text
from app.style.theme import THEMES
from app.takeaway.covered import covered
from app.takeaway.page_text import strip_of
from app.takeaway.paper import clean
from app.workbench.modes.quiz import Quiz
from app.workbench.playback.view_state import view_of
from app.workbench.words.narration import narrate
from engine.errors import FormatError
from engine.frame import Frame, frame_at
from engine.numbers import Digits
from engine.trace import Trace

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
    """One step of a pass: its number from 1, the frame that its panel shows, and its sentence.

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
    """Return a step of a pass, from 1; raises FormatError if the pass has none of this number.

    With `cover` it asks for its numbers, if there are any; a seed has none.
    """
    total = len(trace)
    if not 1 <= number <= total:
        raise FormatError(
            "The {phase} pass has {steps} steps; there is no step {step}.",
            phase=trace.phase,
            steps=total,
            step=number,
        )
    before, frame = frame_at(trace, number - 1), frame_at(trace, number)
    quiz = Quiz(covers=True)
    if cover and quiz.questions(before):
        view = view_of(before, quiz)
        return Step(number, total, view.frame, clean(strip_of(view, digits).sentence), asks=True)
    shown = covered(frame) if cover else frame
    return Step(number, total, shown, clean(narrate(frame, digits=digits)))


class Panels(Struct, frozen=True):
    """The panels of some steps; sizes are in px of 96 to the inch.

    `figure` is that of the first step; the others have its crop, layout and scale.
    """

    steps: tuple[Step, ...]
    figure: Figure
    shot: Shot
    caption_height: float
    """Height below the picture, for the position and the tallest sentence."""

    @property
    def type_scale(self) -> float:
        """Return the px of the caption's type for one px of its role: as on the picture above."""
        return max(self.figure.scale, _MIN_TYPE_SCALE)

    @property
    def size(self) -> QSizeF:
        """Return the size of each panel."""
        figure, least = self.figure.size, _MIN_WIDTH if self.shot.width is None else 0.0
        return QSizeF(max(figure.width(), least), figure.height() + self.caption_height)

    @property
    def sentence_width(self) -> float:
        """Return the width of the lines of a sentence."""
        return self.size.width() - 2 * MARGIN * self.type_scale

    def paint(self, painter: QPainter, k: int, corner: QPointF) -> None:
        """Paint the panel of `steps[k]` with its upper left corner at a point."""
        step, theme = self.steps[k], THEMES[self.shot.theme]
        painter.save()
        # also where a label is written from right to left
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        painter.translate(corner)
        left = (self.size.width() - self.figure.size.width()) / 2
        painter.translate(left, 0)
        self.figure.at(step.frame, self.shot).paint(painter, self.shot.theme, transparent=True)
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


def panels_of(sheet: Sheet, steps: Sequence[Step], shot: Shot) -> Panels:
    """Return the panels of one or more steps of one pass.

    Raises FormatError for a graph with too many nodes for a picture.
    """
    figure = figure_of(sheet, steps[0].frame, shot)
    pictures = Panels(tuple(steps), figure, shot, caption_height=0.0)
    font, scale = _font(pictures.type_scale), pictures.type_scale
    tallest = max(height(lay_out(s.sentence, font, pictures.sentence_width)) for s in steps)
    caption_height = tallest + (_POSITION_HEIGHT + SENTENCE_GAP + MARGIN / 2) * scale
    return replace(pictures, caption_height=caption_height)
