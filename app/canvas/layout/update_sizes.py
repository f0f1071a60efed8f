"""UpdateSizes: the room that a training loop gives its numbers, the same from its first epoch on.

All in px at 100 %.
"""

from __future__ import annotations

from typing import Final

from app.canvas.appearance.looks import Looks, NumberRooms
from app.canvas.layout.node_box import Box
from app.document.node_sizes import (
    AFTER_CAPTION,
    BESIDE_DIVIDER,
    PAD_LEFT,
    PAD_RIGHT,
    TextWidths,
)
from app.style.strokes import width
from engine.graph import Constant, Graph

LONGEST: Final = "−8.8e308"
"""The longest text of a number with two digits: each number of a loop has room for it."""
USUAL_RATE: Final = "0.0001"
_UPDATE: Final = "{number} − {rate} × {number}"
_CONSTANT_SLOPES: Final = frozenset({"add", "sub", "neg"})


def strip_room(looks: Looks, node: int) -> float:
    """Return the width for what an update does to a leaf, and for its value before it."""
    loop = looks.descending
    assert loop is not None
    room = width(_UPDATE.format(number=LONGEST, rate=""), "caption strong")
    rates = (looks.short(loop.loop.rate), USUAL_RATE)
    room += max(width(rate, "caption strong") for rate in rates)
    row = width("data", "caption") + AFTER_CAPTION + width(LONGEST, "caption") + AFTER_CAPTION
    number = max(width(looks.short(looks.frame.values[node]), "number"), width(LONGEST, "number"))
    return max(room + 2 * PAD_LEFT, row + number + PAD_LEFT + PAD_RIGHT)


def varies(graph: Graph, node: int) -> bool:
    """Return whether a local derivative of an op may become another number in a loop."""
    op, inputs = graph.op(node).name, graph.inputs(node)
    fixed = [s is not None and isinstance(graph.nodes[s], Constant) for s in inputs]
    return op not in _CONSTANT_SLOPES and not (op == "mul" and any(fixed))


def rooms_in(box: Box, learns: bool) -> NumberRooms:
    """Return the widths that a node has for its numbers."""
    row = box.w - PAD_LEFT - PAD_RIGHT
    if box.kind == "pill":  # a constant, which has the room it needs
        return NumberRooms(box.w, box.w, 0.0)
    if box.kind == "op":
        value = box.w - box.left - BESIDE_DIVIDER - PAD_RIGHT
        return NumberRooms(value, value, box.left - PAD_LEFT - BESIDE_DIVIDER)
    if box.kind != "root":
        row -= width("data", "caption") + AFTER_CAPTION
    struck = width(LONGEST, "caption") + AFTER_CAPTION if learns else 0.0
    return NumberRooms(row - struck, row, 0.0, row, box.w - 2 * PAD_LEFT)


def rooms_of(texts: TextWidths) -> NumberRooms:
    """Return the widths that the numbers of a node have in the line of a collapsed group."""
    number = max(texts.value, texts.grad)
    return NumberRooms(number, number, texts.local)
