"""Alternative text: what a picture of steps says to a reader who can't see it.

It holds no number that its frames hide.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from app.controls.spans import plain_text
from app.style.derivative_notation import Notation
from app.workbench.words.narration import narrate
from engine.errors import FormatError
from engine.formats.expression import write
from engine.frame import Frame
from engine.numbers import DIGITS_SHOWN, Digits

_LONGEST_TITLE: Final = 200
"""Characters of a formula in a title: a longer one would be read out for minutes."""


class AltText(NamedTuple):
    """The title of a picture, and a line for each of its steps."""

    title: str = "Backwire graph"
    description: str = ""


def alt_text(
    frames: Sequence[Frame], digits: Digits = DIGITS_SHOWN, notation: Notation = "partial"
) -> AltText:
    """Return the formula of a graph, and the sentence of each step."""
    try:
        title = write(frames[0].graph, values=False)
    except FormatError:  # without a root, or with an open slot, there is no formula
        title = ""
    lines = [_line(frame, digits, notation) for frame in frames]
    return AltText(title if 0 < len(title) <= _LONGEST_TITLE else AltText().title, "\n".join(lines))


def place_text(frame: Frame) -> str:
    """Return at which step of which pass a frame is, as a sentence."""
    return f"Step {frame.cursor} of {frame.total} of the {frame.phase} pass."


def _line(frame: Frame, digits: Digits, notation: Notation) -> str:
    if frame.trace is None:
        return "The graph with its values, before a pass."
    if frame.current is None:
        return f"{place_text(frame)} Nothing is known yet."
    return f"{place_text(frame)} {plain_text(narrate(frame, digits=digits, notation=notation))}"
