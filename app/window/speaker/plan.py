"""Plan: the rectangles of the parts of the speaker's window, for any size of it.

Where space is short the pictures shrink first, then the marks are left out, but never the notes.
Constants are in px at 100 %.

>>> plan = plan_of(1366, 768)
>>> [round(x) for x in (plan.now.width(), plan.now.height(), plan.following.width())]
[780, 439, 532]
"""

from __future__ import annotations

from functools import partial
from typing import Final

from msgspec import Struct
from PySide6.QtCore import QRectF

TOP: Final = 48.0
"""Height of the top line."""
EDGE: Final = 16.0
GAP: Final = 22.0
"""Space at the edges, and between the columns."""
HEAD: Final = 34.0
"""Height of the line above a picture or the notes, with the space over it."""
CARDS, TALL_CARDS = 64.0, 80.0
"""Heights of the cards of hands; tall ones fit the name of a slip on two lines."""
WIDE_CARDS: Final = 740.0
"""Width of the left column from which names of slips fit on one line."""
BUTTONS: Final = 40.0
MARKS: Final = 46.0
HANDS_HEAD: Final = 44.0
SPACES: Final = (14.0, 18.0, 21.0)
"""Spaces below the cards, above the marks, and below the lowest part."""
LEAST_PICTURE: Final = 320.0
"""Height of the left picture below which the marks are left out."""
LEAST_NOTES: Final = 200.0
NOTES_SPACE: Final = 6.0
"""Space above the head of the notes."""
LEFT_SHARES: Final = (0.58, 0.66)
"""Least and largest width of the left column, as shares of both columns' width."""
LEAST_LEFT: Final = 610.0
"""Least width of the left column within `LEFT_SHARES`: four cards with numbers of four digits."""
SMALLEST: Final = (1024.0, 600.0)
"""Width and height of the smallest window."""


class Plan(Struct, frozen=True):
    """The rectangles of all parts in px; `marks` is None if they are left out."""

    top: QRectF
    now_head: QRectF
    now: QRectF
    next_head: QRectF
    following: QRectF
    hands_head: QRectF
    cards: QRectF
    buttons: QRectF
    marks: QRectF | None
    notes_head: QRectF
    notes: QRectF


def plan_of(
    width: float,
    height: float,
    aspect: float = 16 / 9,
    scale: float = 1.0,
    *,
    in_words: bool = False,
) -> Plan:
    """Return the plan of a window of this size in px.

    `aspect` is width / height of the room's window, `scale` that of all controls, and `in_words`
    whether any choices are in words, which need two lines.
    """
    wide, high = width / scale, height / scale  # in px at 100 %, as all below
    left, below, cards, has_marks = _left_column(wide, high, aspect, in_words)
    now_height = min(left / aspect, high - TOP - HEAD - below)
    right = wide - 2 * EDGE - GAP - left
    x, top = EDGE + left + GAP, TOP + HEAD
    notes_space = HEAD + NOTES_SPACE + LEAST_NOTES + EDGE
    next_height = min(right / aspect, high - top - notes_space)
    notes_top = top + next_height + HEAD + NOTES_SPACE
    y = top + now_height
    cards_top = y + HANDS_HEAD
    buttons_top = cards_top + cards + SPACES[0]
    marks_top = buttons_top + BUTTONS + SPACES[1]
    now_width = now_height * aspect
    rect = partial(_scaled_rect, scale)
    return Plan(
        top=rect(0, 0, wide, TOP),
        now_head=rect(EDGE, TOP, now_width, HEAD),
        now=rect(EDGE, top, now_width, now_height),
        next_head=rect(x, TOP, right, HEAD),
        following=rect(x, top, right, next_height),
        hands_head=rect(EDGE, y, left, HANDS_HEAD),
        cards=rect(EDGE, cards_top, left, cards),
        buttons=rect(EDGE, buttons_top, left, BUTTONS),
        marks=rect(EDGE, marks_top, left, MARKS) if has_marks else None,
        notes_head=rect(x, notes_top - HEAD, right, HEAD),
        notes=rect(x, notes_top, right, high - notes_top - EDGE),
    )


def _scaled_rect(scale: float, x: float, y: float, w: float, h: float) -> QRectF:
    return QRectF(x * scale, y * scale, w * scale, h * scale)


def _left_column(
    wide: float, high: float, aspect: float, in_words: bool
) -> tuple[float, float, float, bool]:
    """Return the width of the left column, the heights below its picture and of the cards, and
    whether it has marks.

    Of the arrangements, the first with a picture of at least `LEAST_PICTURE`, else the last.
    """
    free = wide - 2 * EDGE - GAP
    least, most = (share * free for share in LEFT_SHARES)
    least = max(least, min(LEAST_LEFT, most))
    found, picture = (0.0, 0.0, 0.0, False), 0.0
    for has_marks in (True, False):
        for cards in (TALL_CARDS,) if in_words else (CARDS, TALL_CARDS):
            below = HANDS_HEAD + cards + SPACES[0] + BUTTONS + SPACES[2]
            below += (SPACES[1] + MARKS) if has_marks else 0.0
            picture = high - TOP - HEAD - below
            left = min(max(picture * aspect, least), most)
            found, picture = (left, below, cards, has_marks), min(picture, left / aspect)
            if cards == TALL_CARDS or left >= WIDE_CARDS:
                break
        if picture >= LEAST_PICTURE:
            break
    return found
