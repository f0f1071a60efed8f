"""Page text: sentences of the strip and of lessons, as spans of a page, without a window.

A page has the buttons Back, Show me and Step or Next, choices, and no panels of the window, so
some phrases of lessons are said in another way. A step that a page cannot do keeps the words of the
window: it only says that it needs a computer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from app.controls import rich_text
from app.takeaway.page_data import PageSpan, PageText
from app.workbench.playback.view_state import ViewState, view_of
from app.workbench.words.help import PRAISE_BY_TRIES
from app.workbench.words.narration import step_text
from app.workbench.words.strip import BLANK_ROLE_PREFIX, Say, Strip
from app.workbench.words.writers import strip
from engine.frame import Frame
from engine.numbers import ASKED, Digits
from engine.study.judging import EMPTY, UNREAD

TYPED: Final = "+0000.000e00"
"""Placeholder of the reader's answer in a sentence of the strip: a spelling that nobody types."""
TYPED_PLACEHOLDER: Final = "…"
"""Shown in place of the reader's answer where no script runs."""
PAGE_WORDS: Final[Mapping[str, str]] = {
    "unread": UNREAD,
    "empty": EMPTY,
    "second": PRAISE_BY_TRIES[2],
    "third": PRAISE_BY_TRIES[3],
    "open": "Whoever looks into the source of this page finds the answers. For marks, use the"
    " report of the program.",
}
"""`PageData.words`: the sentences that belong to no step."""
PHRASES: Final = {
    # where the window has Backward, Step begins the pass as well
    "press **Backward**, and **Step** to the end": "press **Step** to the end",
    "press Backward, step": "press Step",
    # Step seeds the root, and fires the next node
    "**By hand** is on: nothing fires by itself. Click the root o, type its seed, 1, and press"
    " Enter. A node fires when you click it: first o, then n.": "Each **Step** is one thing that"
    " somebody does by hand: give the root o its seed, 1; then let a node fire, first o, then n.",
    "s before n: **Fire anyway** lets you.": "s before n.",
    "Click the node that may go next.": "Choose the node that may go next.",
    "Then open Mistakes, and name": "Then name",
    "Watch the losses below the sheet:": "Watch the losses:",
    " Afterwards ask the referee.": "",
    # what only the window lists
    "The page **Why** lists": "On a computer, the page **Why** lists",
    "step to the end; then click a and open Why": "step to the end",
}
"""The wording on a page of each phrase of a lesson, both with `**` for bold."""
STRIP_PHRASES: Final = {"Click it.": "Choose it."}
"""The same for spans of the strip."""


def strip_of(view: ViewState, digits: Digits) -> Strip:
    """Return the strip of a view: its sentence, and the line below it."""
    return strip(view, Say(digits=digits))


def text_of(spans: Sequence[rich_text.Span]) -> PageText:
    """Return spans of the window as those of a page; TYPED becomes a span of role `typed`."""
    found: PageText = []
    for span in spans:
        for k, words in enumerate(span.text.split(TYPED)):
            if k:
                found.append([TYPED_PLACEHOLDER, "typed", *(["b"] if span.bold else [])])
            if words:
                found.append(_span(words, span))
    return found


def without_box(text: PageText) -> PageText:
    """Return a text with a plain `?` in place of the box of its question."""
    plain = [ASKED, "selection", "b"]
    return [plain if isinstance(span, list) and span[1] == "blank" else span for span in text]


def narration_text(frame: Frame, digits: Digits) -> PageText:
    """Return the sentence about the last step of a frame; [] before the first one."""
    if frame.current is None:
        return []
    return text_of(step_text(view_of(frame), "plain", digits))


def on_page(text: str) -> str:
    """Return a text of a lesson as a page says it.

    >>> on_page("set x to 4, press Backward, step until u has a gradient")
    'set x to 4, press Step until u has a gradient'
    """
    for phrase, replacement in PHRASES.items():
        text = text.replace(phrase, replacement)
    return text


def _span(words: str, span: rich_text.Span) -> PageSpan:
    """Return one span in its shortest form: a string, or a list without empty marks."""
    if span.under:
        words = f"{words}/{span.under}"
    if span.role == f"{BLANK_ROLE_PREFIX}0":
        return [words, "blank"]
    if span.role.startswith(BLANK_ROLE_PREFIX):  # a page has one box at a time
        return [ASKED, "selection", "b"]
    role = span.role
    marks = "b" * span.bold + "c" * span.code + "s" * span.strike
    if marks:
        return [words, role, marks]
    return words if role == "text" else [words, role]
