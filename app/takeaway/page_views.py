"""Page views: a frame with its mode as the strip writes it, without a window."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from app.controls import rich_text
from app.takeaway.page_data import Span, Text
from app.workbench.playback.view_state import ViewState
from app.workbench.words.help import PRAISE_BY_TRIES
from app.workbench.words.strip import BLANK_ROLE_PREFIX, Say, Strip
from app.workbench.words.writers import strip
from engine.numbers import ASKED, Digits
from engine.study.judging import EMPTY, UNREAD

TYPED: Final = "+0000.000e00"
"""A number that nobody writes so: in sentences it stands for the answer of the reader."""


def strip_of(view: ViewState, digits: Digits) -> Strip:
    """Return the strip of a view: its sentence, and the line below it."""
    return strip(view, Say(digits=digits))


def text_of(spans: Sequence[rich_text.Span]) -> Text:
    """Return spans as a page has them; the reader's own number gets the role `typed`."""
    found: Text = []
    for span in spans:
        for k, words in enumerate(span.text.split(TYPED)):
            if k:
                found.append([TYPED_WORD, "typed", *(["b"] if span.bold else [])])
            if words:
                found.append(_span(words, span))
    return found


def without_box(text: Text) -> Text:
    """Return a text in which the box of a question is a plain `?`."""
    plain = [ASKED, "selection", "b"]
    return [plain if isinstance(span, list) and span[1] == "blank" else span for span in text]


TYPED_WORD: Final = "…"
"""What a reader without script sees for an answer."""
PAGE_WORDS: Final[Mapping[str, str]] = {
    "unread": UNREAD,
    "empty": EMPTY,
    "second": PRAISE_BY_TRIES[2],
    "third": PRAISE_BY_TRIES[3],
    "open": "Whoever looks into the source of this page finds the answers. For marks, use the"
    " report of the program.",
}
"""The sentences that no step of a page owns."""


def _span(words: str, span: rich_text.Span) -> Span:
    """Return one span; the plainest is a string."""
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
