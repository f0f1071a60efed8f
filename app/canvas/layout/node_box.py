"""Box: a node's rectangle with its slots and its capsule; and where the chips of a ledger are."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF

from app.canvas.appearance.ledgers import ChipLook, sum_text
from app.canvas.appearance.look import NodeLook
from app.document.node_sizes import (
    CAPTION,
    PAD_LEFT,
    body_height,
    capsule_middle,
    ledger_height,
    row_middle,
)
from app.style import sizes
from app.style.strokes import width

LEDGER_LEFT, CHIP_GAP, LEDGER_RIGHT = 8.0, 3.0, 10.0
"""Left edge of a ledger's first text, gap between its chips, and right margin of its total."""
AFTER_START, BEFORE_TOTAL = 5.0, 6.0
"""Gaps behind what a ledger starts from, and before its total."""
CAUSE, CAUSE_GAP = "caption strong", 6.0
"""Text role of `here` and `before` in the lane of a mistake, and the gap behind them."""
CHIP_TEXT, CHIP_RIGHT = 17.0, 7.0
"""Where the text of a chip begins, behind its mark, and its right margin."""


class Box(Struct, frozen=True):
    """A node's rectangle, its kind, and the width of its left column."""

    x: float
    y: float
    w: float
    h: float
    left: float = 0.0
    kind: str = "op"

    @property
    def rect(self) -> QRectF:
        """Return the rectangle of the body with its ledger."""
        return QRectF(self.x, self.y, self.w, self.h)

    @property
    def number_row(self) -> QRectF:
        """Return the rectangle of a leaf's or constant's number, where it is clicked and edited."""
        if self.kind == "pill":
            return self.rect
        left = PAD_LEFT + CAPTION
        middle, high = self.y + row_middle(self.kind, 0), sizes.NODE_ROW
        return QRectF(self.x + left, middle - high / 2, self.w - left, high)

    def slot(self, slot: int) -> QPointF:
        """Return the middle of a slot."""
        return QPointF(self.x, self.y + row_middle(self.kind, slot))

    def output(self, place: int = 0, count: int = 1) -> QPointF:
        """Return the point where wire number `place` of `count` leaves the capsule."""
        if self.kind == "pill":
            return QPointF(self.x + self.w, self.y + self.h / 2)
        spread = sizes.OUTPUT_SPREAD * (place / (count - 1) - 0.5) if count > 1 else 0.0
        return QPointF(
            self.x + self.w + sizes.CAPSULE_WIDTH / 2,
            self.y + capsule_middle(self.kind) + spread,
        )


# ledgers


def chip_width(text: str) -> float:
    """Return the width of a chip in a ledger."""
    return 28.0 if not text else CHIP_TEXT + width(text, "caption strong") + CHIP_RIGHT


def ledger_lines(chips: Sequence[str]) -> tuple[Sequence[str], ...]:
    """Return the texts of a ledger's chips by line."""
    lines = tuple(
        chips[k : k + sizes.CHIPS_IN_LINE] for k in range(0, len(chips), sizes.CHIPS_IN_LINE)
    )
    return lines or ((),)


def chip_places(look: NodeLook) -> list[QPointF]:
    """Return the left middles of a node's chips, relative to the node's upper left corner."""
    above = 0.0 if look.correct is None else ledger_height(len(look.correct.chips))
    return lane_places(look.start, look.chips, body_top(look) + above)


def total_middle(look: NodeLook) -> float:
    """Return the y of the sum of a node's chips, from the node's top."""
    above = 0.0 if look.correct is None else ledger_height(len(look.correct.chips))
    return body_top(look) + above + ledger_height(len(look.chips)) - sizes.LEDGER / 2


def body_top(look: NodeLook) -> float:
    """Return the height of a node's body, below which its ledger begins."""
    return body_height(look.kind, len(look.plugged))


def lane_places(start: str, chips: Sequence[ChipLook], top: float) -> list[QPointF]:
    """Return the left middles of the chips of a lane that begins at a height."""
    first = top + sizes.LEDGER / 2
    places: list[QPointF] = []
    for row, line in enumerate(ledger_lines([chip.text for chip in chips])):
        x = LEDGER_LEFT + (width(start, "caption") + AFTER_START if not row else 0.0)
        for text in line:
            places.append(QPointF(x, first + row * sizes.LEDGER_LINE))
            x += chip_width(text) + CHIP_GAP
    return places


def ledger_width(chips: Sequence[str], more: int, total: str, start: str = "0") -> float:
    """Return the width of a ledger."""
    widths = [
        LEDGER_LEFT + sum(chip_width(text) + CHIP_GAP for text in line)
        for line in ledger_lines(chips)
    ]
    widths[0] += width(start, "caption") + AFTER_START
    if more:
        widths[-1] += width(f"+{more} more", "caption") + 6
    widths[-1] += BEFORE_TOTAL + width(sum_text(total), "number") + LEDGER_RIGHT
    return max(widths)
