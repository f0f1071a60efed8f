"""Texts about the marks of a lecture that is prepared: rows of the list, places, questions, values.

`LecturePart` shows them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from app.controls.rich_text import Span
from app.controls.row_list import ListRow
from app.lessons.lecture import Place, Slide, place_of, title_of
from app.lessons.poll import LETTERS, poll_choices, right_choice
from engine.graph import Graph
from engine.numbers import DIGITS_SHOWN, Digits, counted, short
from engine.rules import BY_NAME
from engine.study.lecture import AskedKind, Mark, MarkKind

KINDS: Final[Mapping[MarkKind, str]] = {
    "show": "Stop here and show the sheet",
    "ask": "Ask the room a question about this step",
    "blank": "A black screen with one line of text",
}
"""The kinds of marks, with their tooltips."""
ASKED_TITLES: Final[Mapping[AskedKind, str]] = {
    "value": "value",
    "local": "local derivative",
    "contribution": "contribution",
    "sum": "sum: the gradient after it",
    "final": "final gradient",
    "next": "which node fires next",
    "sign": "does the root rise or fall?",
    "change": "change of the value",
    "paths": "number of paths",
    "mistake": "which mistake is on",
    "text": "in my own words",
}
"""The questions that a mark can ask, as the list of them names each."""
HOW_TO_SET: Final = (
    "Go to a step, or select a node or a wire, and press A: a mark is set there, with a flag in the"
    " timeline. F5 shows the marks one by one."
)
IN_A_FILE: Final = (
    "This lecture is the file {name}, over {count} graphs. Choose a mark to edit those of its"
    " graph; to mix their order, edit the file in a text editor."
)
_MARK: Final = "mark {number}, {kind}: {title}"
_SECONDS_PER_MINUTE: Final = 60
NO_VALUES: Final = "as on the sheet"
CALLED: Final = "Right is {label}. You type what is called out."
NO_CHOICES: Final = "No known slip gives another number here: ask for numbers."


def mark_row(index: int, slide: Slide, graph: Graph, is_current: bool, graphs: int) -> ListRow:
    """Return the row of a mark; red with its reason if it no longer fits."""
    mark = slide.mark
    title = title_of(mark, graph)
    right: tuple[Span, ...] = ()
    if mark.seconds:
        right = (Span(seconds_text(mark.seconds), "secondary"),)
    if mark.kind == "ask":
        gap = (Span("  "),) if right else ()
        right = (*right, *gap, Span("?", "selection", bold=True))
    below: tuple[Span, ...] = ()
    if graphs > 1:
        below = (Span(f"graph {slide.placed.graph + 1} of {graphs}", "secondary"),)
    if slide.misfit:
        right, below = (Span("✗", "error", bold=True),), (Span(slide.misfit, "error"),)
    cells = (
        (Span(f"{index + 1}", "secondary"),),
        (Span(mark.kind, "secondary", bold=True),),
        (Span(title, "error" if slide.misfit else "text", bold=is_current),),
        right,
    )
    spoken = _MARK.format(number=index + 1, kind=mark.kind, title=title)
    if below:
        spoken = f"{spoken}, {''.join(span.text for span in below)}"
    return ListRow(cells, spoken, below, "asked" if is_current else "", tooltip=title)


def place_text(slide: Slide, graph: Graph) -> str:
    """Return the place of a mark, `step 6: × (e) → a`; its old one if it no longer fits."""
    mark = slide.mark
    place = place_of(slide) or Place(mark.phase, mark.step)
    if place.phase == "live":
        return "the values"
    if not place.step:
        return f"start of {place.phase}"
    text = f"step {place.step:,}" if place.phase == "backward" else f"forward step {place.step:,}"
    bare = replace(mark, kind="show", asks="", title="", text="")
    return f"{text}: {title_of(bare, graph)}"


def preview_text(slide: Slide, digits: Digits = DIGITS_SHOWN) -> str:
    """Return the generated choices, the right one ticked; the answer if numbers are called out."""
    if slide.misfit:
        return ""
    if slide.mark.form == "number" and (right := right_choice(slide, digits)) is not None:
        return CALLED.format(label=right.label)
    found = poll_choices(slide, digits)
    if not found:
        return NO_CHOICES
    letters = zip(LETTERS, found, strict=False)
    return "   ".join(f"{a} {c.label}{' ✓' if c.right else ''}" for a, c in letters)


def values_text(mark: Mark, graph: Graph) -> str:
    """Return the leaves with a number of their own at a mark, and its mistake."""
    parts = [
        f"{graph.names.get(leaf, 'a leaf that is gone')} = {short(value)}"
        for leaf, value in mark.values
    ]
    if mark.mistake:
        rules = BY_NAME.get(mark.mistake)
        parts.append(f"mistake: {rules.title if rules else mark.mistake}")
    return ", ".join(parts) or NO_VALUES


def reading_text(slide: Slide, graph: Graph) -> str:
    """Return the fields of a mark of a file as lines: title, question, text, notes, misfit."""
    mark = slide.mark
    asked = f"Asks: {ASKED_TITLES[mark.asks]}" if mark.asks else ""
    parts = (title_of(mark, graph), asked, mark.text, mark.notes, slide.misfit)
    return "\n".join(part for part in parts if part)


def timers_text(slides: Sequence[Slide]) -> str:
    """Return how many marks there are, and the total of their timers: `8 marks, timers 4:30`."""
    if not slides:
        return ""
    marks = counted(len(slides), "{count} mark", "{count} marks")
    total = sum(slide.mark.seconds for slide in slides if not slide.misfit)
    return f"{marks}, timers {seconds_text(total)}" if total else marks


def seconds_text(seconds: int) -> str:
    """Return a time as `1:30`."""
    minutes, rest = divmod(seconds, _SECONDS_PER_MINUTE)
    return f"{minutes}:{rest:02}"


def seconds_of(text: str) -> int | None:
    """Return the seconds of a typed time, 0 for an empty text; None for an invalid one.

    >>> [seconds_of(text) for text in ("90", "1:30", "", "soon")]
    [90, 90, 0, None]
    """
    parts = text.strip().split(":")
    if not text.strip():
        return 0
    if len(parts) > 2 or not all(part.isascii() and part.isdecimal() for part in parts):
        return None
    minutes, seconds = (0, parts[0]) if len(parts) == 1 else (int(parts[0]), parts[1])
    if len(seconds) > 5:
        return None
    return minutes * _SECONDS_PER_MINUTE + int(seconds)
