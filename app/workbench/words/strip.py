"""The strip as a value: a sentence with its blanks, an answer line and buttons.

Each mode has a function that writes it, all listed in `app.workbench.words.strip_writers`; the
widget, `app.panels.strip`, draws it and knows no mode.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final, Literal

from msgspec import Struct

from app.controls.spans import Span, Spans, filled
from app.document.typed_formulas import DrawnNumbers
from app.style.derivative_notation import Notation
from app.workbench.playback.view_state import ViewState
from app.workbench.words.sentences import Voice
from engine.asking.question import Question
from engine.frame import Frame
from engine.numbers import ABOUT, DIGITS_SHOWN, Digits, parse_quotient

Act = Literal[
    "back",
    "step",
    "last",
    "play",
    "ask",
    "answer",
    "go on",
    "hint",
    "another",
    "show",
    "skip",
    "next",
    "put back",
    "take back",
    "ready",
    "force",
    "why",
    "three more",
    "again",
    "save report",
    "epoch",
    "epochs",
    "run",
    "step this",
    "resume",
    "ripple",
    "ripple 1",
    "ripple 0.1",
    "ripple 0.01",
    "ripple 0.001",
    "try",
    "others",
    "ones",
]
"""The acts of buttons; `app.panels.strip.strip_buttons` has their icons and tooltips."""
RIPPLE_CHANGES: Final[Mapping[Act, float]] = {
    "ripple 1": 1.0,
    "ripple 0.1": 0.1,
    "ripple 0.01": 0.01,
    "ripple 0.001": 0.001,
}
"""The change of each button of a ripple."""
EPOCHS_PER_CLICK: Final = 10
"""Epochs of the act `epochs`."""
EXAMPLE_FORMULA: Final = "(a*b + a) * f"
"""The formula that an empty sheet and the start page offer."""
BLANK_ROLE_PREFIX: Final = "blank "
"""Prefix of the role of a blank: `blank 0`, `blank 1`."""


class Button(Struct, frozen=True):
    """One button: its act, its text, whether it is enabled and, of one that can be, checked."""

    act: Act
    text: str = ""
    enabled: bool = True
    on: bool = False


class Blank(Struct, frozen=True):
    """One blank of the sentence: its question, its typed text, its accessible name and verdict.

    `refused` says that its text is why nothing could be judged.
    """

    question: Question
    typed: str
    title: str
    verdict: str = ""
    refused: bool = False
    chosen: bool = False
    """Whether its text is chosen from the options, not typed."""


class Option(Struct, frozen=True):
    """One option of a multiple choice: its question, label, text as an answer, and state."""

    question: Question
    label: str
    text: str
    state: Literal["", "chosen", "struck"] = ""

    @property
    def number(self) -> float | None:
        """Return the finite number that the label is; None for another text."""
        found = parse_quotient(self.label.removeprefix(ABOUT))
        return found if found is not None and math.isfinite(found) else None


def are_numbers(options: Sequence[Option]) -> bool:
    """Return whether a number is among options: then a digit is one of a number, and no key."""
    return any(option.number is not None for option in options)


class Strip(Struct, frozen=True):
    """The content of the strip.

    `sentence` has a span of role `blank k` for each of `blanks`; `fullest` is the longest form of
    the sentence in this pass, which fixes its size. `unshortened` is the sentence with
    full names, for tooltip and screen reader; () where it is the same. `answer` is the answer line,
    with `offers` behind it, or at its right end if `offers_last`; `note` is the button at its right
    end that opens the choice of blanks. `widest` is the longest number of the pass, all digits 0,
    which gives a blank its width. `answer_over_timeline`: in a presentation, the answer line takes
    the place of the timeline.
    """

    sentence: Spans
    answer: Spans = ()
    buttons: tuple[Button, ...] = ()
    offers: tuple[Button, ...] = ()
    offers_last: bool = False
    blanks: tuple[Blank, ...] = ()
    options: tuple[Option, ...] = ()
    """The options before the answer line."""
    widest: str = ""
    fullest: Spans = ()
    unshortened: Spans = ()
    note: str = ""
    answer_over_timeline: bool = False
    caption: str = ""
    """The label before the buttons."""


class StripContext(Struct, frozen=True):
    """How the strip writes, and the state of the window that it mentions."""

    voice: Voice = "plain"
    digits: Digits = DIGITS_SHOWN
    notation: Notation = "partial"
    presented: bool = False
    """Whether the window presents, so that a room reads it."""
    shows_ready: bool = True
    """Whether a pass by hand marks the nodes that may fire now."""
    running: bool = False
    """Whether a training loop is running."""
    begun: DrawnNumbers | None = None
    """The draw that gave the graph its numbers, or None."""
    playing: bool = False
    """Whether a pass is playing."""
    in_lesson: bool = False
    """Whether a step of a lesson leads on, which adds its own to what is written here."""
    waiting_epoch: int | None = None
    """The epoch of a training loop that waits while a pass is stepped through."""


def is_over(now: ViewState) -> bool:
    """Return whether a backward pass is at its end, and the learner may know it."""
    frame = now.frame
    at_end = frame.phase == "backward" and frame.cursor == frame.total > 0
    return at_end and frame.hides != "end"


def mistake_name(now: ViewState, context: StripContext) -> Spans:
    """Return the name of the mistake that is on, for a presentation, which has no toolbar."""
    rules = now.rules
    if not context.presented or not rules.is_mistake:
        return ()
    return filled("{name}: ", "error", name=Span(rules.title, "error", bold=True))


def step_count_text(frame: Frame) -> str:
    """Return the position in the pass; "" outside one; without its length while that is asked."""
    if frame.phase == "live":
        return ""
    if frame.hides == "end":
        return f"Step {frame.cursor:,}"
    return f"Step {frame.cursor:,} of {frame.total:,}"


def with_step_count(frame: Frame, rest: Spans) -> Spans:
    """Return the position in the pass, then the rest of the answer line."""
    count = step_count_text(frame)
    return joined((Span(count, "secondary"),) if count else (), rest)


def joined(first: Spans, rest: Spans) -> Spans:
    """Return two parts of the answer line with space between them."""
    between = (Span("    "),) if first and rest else ()
    return tuple(span for span in (*first, *between, *rest) if span.text)


def transport_buttons(now: ViewState) -> tuple[Button, ...]:
    """Return the buttons that move through a pass, and Ask me."""
    frame = now.frame
    can_go_back = frame.phase != "live" and frame.cursor > 0
    is_at_end = frame.phase == "backward" and frame.cursor >= frame.total and frame.hides != "end"
    has_nodes = bool(frame.graph.nodes)
    ask = () if now.mode.asks else (Button("ask", "Ask me", has_nodes),)
    if is_at_end:
        ripple = (Button("ripple", "Ripple"),) if frame.graph.leaves and ask else ()
        return (Button("back", enabled=can_go_back), *ripple, *ask)
    return (
        Button("back", enabled=can_go_back),
        Button("step", "Step", has_nodes),
        Button("last", enabled=has_nodes),
        Button("play", enabled=has_nodes),
        *ask,
    )
