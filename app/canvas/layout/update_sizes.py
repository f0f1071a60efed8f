"""UpdateSizes: the room that a training loop gives its numbers, the same from its first epoch on.

All in px at 100 %.
"""

from __future__ import annotations

from typing import Final

from app.canvas.appearance.looks import Looks, NumberRooms
from app.canvas.appearance.room import LONGEST, STRIP
from app.canvas.layout.node_box import Box
from app.document.node_sizes import AFTER_CAPTION, BESIDE_DIVIDER, PAD_LEFT, PAD_RIGHT, TextWidths
from app.style.strokes import width

USUAL_RATE: Final = "0.0001"
_UPDATE: Final = "{number} − {rate} × {number}"


def strip_room(looks: Looks, node: int) -> float:
    """Return the width for what an update does to a leaf, and for its value before it."""
    loop = looks.descending
    assert loop is not None
    room = width(_UPDATE.format(number=LONGEST, rate=""), STRIP)
    rates = (looks.short(loop.loop.rate), USUAL_RATE)
    room += max(width(rate, STRIP) for rate in rates)
    row = width("data", "caption") + AFTER_CAPTION + width(LONGEST, "caption") + AFTER_CAPTION
    number = max(width(looks.short(looks.frame.values[node]), "number"), width(LONGEST, "number"))
    return max(room + 2 * PAD_LEFT, row + number + PAD_LEFT + PAD_RIGHT)


def rooms_in(box: Box, learns: bool) -> NumberRooms:
    """Return the widths that a node has for its numbers."""
    right = box.w - PAD_LEFT - PAD_RIGHT
    if box.kind == "pill":  # a constant, which has the room it needs
        return NumberRooms(0.0, box.w, box.w)
    if box.kind == "op":
        right = box.w - box.left - BESIDE_DIVIDER - PAD_RIGHT
        return NumberRooms(box.left - PAD_LEFT - BESIDE_DIVIDER, right, right)
    if box.kind != "root":
        right -= width("data", "caption") + AFTER_CAPTION
    struck = width(LONGEST, "caption") + AFTER_CAPTION if learns else 0.0
    return NumberRooms(0.0, right, right - struck, box.w - 2 * PAD_LEFT)


def rooms_of(texts: TextWidths) -> NumberRooms:
    """Return the widths that the numbers of a node have in the line of a collapsed group."""
    return NumberRooms(texts.left, texts.right, texts.right)
