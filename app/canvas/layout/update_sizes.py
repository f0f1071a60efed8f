"""UpdateSizes: the texts that a training loop adds to those of a pass, and their widths.

All in px at 100 %.
"""

from __future__ import annotations

from typing import Final

from app.canvas.appearance.looks import Looks
from app.document.node_sizes import AFTER_CAPTION, PAD_LEFT, PAD_RIGHT
from app.style.strokes import width

USUAL_UPDATE: Final = "1.0625 − {rate} × −0.125"
"""An update for whose numbers a leaf that learns has room from the start."""


def strip_room(looks: Looks, node: int) -> float:
    """Return the width for what an update did to a leaf, and for its value before it."""
    loop = looks.descending
    assert loop is not None
    update, before = looks.update(node), ""
    room = width(USUAL_UPDATE.format(rate=looks.short(loop.loop.rate)), "caption strong")
    if update is not None:
        before = update.before
        room = max(room, *(width(line, "caption strong") for line in update.lines))
    row = width("data", "caption") + AFTER_CAPTION + width(before, "caption") + AFTER_CAPTION
    row += width(looks.short(loop.value(node)), "number") + PAD_LEFT + PAD_RIGHT
    return max(room + 2 * PAD_LEFT, row)


def held_texts(looks: Looks, node: int, shown: int) -> tuple[list[str], list[str]]:
    """Return the gradient that a node holds, and its local derivatives.

    They may be those of another graph than the pass that comes next: from before an update.
    """
    held, fired = looks.frame.grads.get(shown), looks.frame.fired
    slots = range(len(looks.graph.inputs(node)))
    sent = [looks.short(fired[node, k].local) for k in slots if (node, k) in fired]
    return ([] if held is None else [looks.short(held)]), sent
