"""What the room reads in a lecture: the sentence below the sheet, a question with its cards.

A `Band` is a value that the strip of a presentation, the speaker's window and the handout paint. It
holds no number that the room may not see yet.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from app.controls.rich_text import Spans

BandKind = Literal["sentence", "question", "reveal", "blank"]
"""The step sentence with its timeline; an open question; its answer; a black screen with a line."""
CardState = Literal["open", "right", "wrong"]


class Card(Struct, frozen=True):
    """One choice: its letter, label and hands; `say` explains it once it is right or wrong.

    `earlier` are the hands of the first count, None unless the question was asked again.
    """

    letter: str
    label: str
    hands: int = 0
    state: CardState = "open"
    say: str = ""
    slip: str = ""
    """The name of the slip, for the speaker alone."""
    earlier: int | None = None


class Band(Struct, frozen=True):
    """The content below the sheet: `foot` is its last line, at the left and at the right.

    `hands` and `earlier_hands` are the totals, of which the bars show the shares.
    """

    kind: BandKind
    sentence: Spans
    cards: tuple[Card, ...] = ()
    foot: tuple[str, str] = ("", "")
    hands: int = 0
    earlier_hands: int = 0
