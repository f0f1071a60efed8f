"""Step panel: the picture of a step with its sentence below it, for filmstrips and GIFs.

All panels of a pass have one size, crop and scale. A covered panel shows the step before it is
taken, with `?` in place of its numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from PySide6.QtCore import QPointF, QSizeF, Qt
from PySide6.QtGui import QFont, QPainter

from app.canvas.paint.figure import Figure, Shot, figure_of
from app.controls.rich_text import Spans, height, lay_out, paint_lines
from app.document.sheet import Sheet
from app.style import fonts
from app.style.strokes import draw_text
from app.style.theme import THEMES
from app.takeaway.covered import covered
from app.takeaway.page_text import strip_of, view_of
from app.takeaway.paper import clean
from app.workbench.modes.quiz import Quiz
from app.workbench.words.narration import narrate
from engine.errors import FormatError
from engine.frame import Frame, frame_at
from engine.numbers import Digits
from engine.trace import Trace

MARGIN: Final = 24.0
"""Left and right of the sentence, in px at the scale of the type."""
SENTENCE_GAP: Final = 6.0
_FONT_ROLE: Final = "step"
_LEAST_WIDTH: Final = 300.0
"""Width in px below which a sentence is not squeezed, unless the width is given."""


class Step(Struct, frozen=True):
    """One step of a pass: its number, its frame, and the sentence about it.

    One that `asks` has not been taken yet, and has `?` in place of its numbers.
    """

    number: int
    total: int
    frame: Frame
    sentence: Spans
    asks: bool = False

    @property
    def place(self) -> str:
        """Return the place in the pass: `Step 3 of 7`."""
        return f"Step {self.number} of {self.total}"


def step_of(trace: Trace, number: int, digits: Digits, *, cover: bool = False) -> Step:
    """Return a step of a pass, from 1; FormatError if the pass has none of this number.

    With `cover` it is asked for, where there is something to ask; else it has been taken.
    """
    total = len(trace)
    if not 1 <= number <= total:
        raise FormatError(
            "The {phase} pass has {steps} steps; there is no step {step}.",
            phase=trace.phase,
            steps=total,
            step=number,
        )
    quiz, before, frame = Quiz(covers=True), frame_at(trace, number - 1), frame_at(trace, number)
    if cover and quiz.questions(before):
        view = view_of(before, quiz)
        return Step(number, total, view.frame, clean(strip_of(view, digits).sentence), asks=True)
    shown = covered(frame) if cover else frame
    return Step(number, total, shown, clean(narrate(frame, digits=digits)))


class Panels(Struct, frozen=True):
    """The panels of some steps: their common figure, and the heights of picture and words."""

    steps: tuple[Step, ...]
    figure: Figure
    shot: Shot
    words: float
    """Height in px that the sentences have at most."""

    @property
    def type_scale(self) -> float:
        """Return the px of the sentence's type for one px of its role."""
        return max(self.figure.scale, 0.75)

    @property
    def size(self) -> QSizeF:
        """Return the size of each panel in px of 96 to the inch."""
        figure, least = self.figure.size, _LEAST_WIDTH if self.shot.width is None else 0.0
        return QSizeF(max(figure.width(), least), figure.height() + self.words)

    def paint(self, painter: QPainter, k: int, corner: QPointF) -> None:
        """Paint the panel of one of the steps with its upper left corner at a point."""
        step, theme = self.steps[k], THEMES[self.shot.theme]
        painter.save()
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # whatever a label is
        painter.translate(corner)
        left = (self.size.width() - self.figure.size.width()) / 2
        painter.translate(left, 0)
        self.figure.at(step.frame, self.shot).paint(painter, self.shot.theme, transparent=True)
        painter.translate(-left, self.figure.size.height())
        font, scale = _font(self.type_scale), self.type_scale
        painter.save()
        painter.scale(scale, scale)
        draw_text(painter, step.place, "caption", theme.secondary, (MARGIN, 6))
        painter.restore()
        room = self.size.width() - 2 * MARGIN * scale
        lines = lay_out(step.sentence, font, room)
        at = QPointF(MARGIN * scale, (_PLACE + SENTENCE_GAP) * scale)
        paint_lines(painter, at, lines, font, theme)
        painter.restore()


_PLACE: Final = 14.0
"""Height of the line with the place of a step, in px of its role."""


def _font(scale: float) -> QFont:
    return fonts.font(_FONT_ROLE, scale)


def panels_of(sheet: Sheet, steps: Sequence[Step], shot: Shot) -> Panels:
    """Return the panels of some steps of one pass."""
    figure = figure_of(sheet, steps[0].frame, shot)
    without_words = Panels(tuple(steps), figure, shot, 0.0)
    scale = without_words.type_scale
    room = without_words.size.width() - 2 * MARGIN * scale
    tallest = max(height(lay_out(step.sentence, _font(scale), room)) for step in steps)
    words = tallest + (_PLACE + SENTENCE_GAP + MARGIN / 2) * scale
    return Panels(tuple(steps), figure, shot, words)
