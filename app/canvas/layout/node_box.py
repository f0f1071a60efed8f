"""Box: a node's rectangle with its slots and its output; and the positions of ledger chips."""

from __future__ import annotations

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF

from app.canvas.appearance.looks import LedgerLook, NodeLook
from app.document.node_sizes import (
    CAPTION_WIDTH,
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
START_GAP, TOTAL_GAP = 5.0, 6.0
"""Gaps behind the start of a ledger, and before its total."""
CAUSE_ROLE, CAUSE_GAP = "caption strong", 6.0
"""Text role of `here` and `before` under the ledger of a mistake, and the gap behind them."""
CHIP_TEXT_LEFT, CHIP_RIGHT = 17.0, 7.0
"""Where the text of a chip begins, behind its mark, and its right margin."""
EMPTY_CHIP_WIDTH = 28.0
"""Width of a chip without a number, which has its mark in the middle."""


class Box(Struct, frozen=True):
    """An item's rectangle, its kind, and the width of its left column; all in sheet px."""

    x: float
    y: float
    w: float
    h: float
    left: float = 0.0
    """Width of the column with local derivatives; 0 for a node with one column."""
    kind: str = "op"
    """As in `kind_of`: a `pill` is a constant drawn inside the slot of its only reader, a `group`
    a folded one, with an output per row."""

    @property
    def rect(self) -> QRectF:
        """Return the rectangle of the body with its ledger."""
        return QRectF(self.x, self.y, self.w, self.h)

    @property
    def number_row(self) -> QRectF:
        """Return the rectangle of a leaf's or constant's number, where it is clicked and edited."""
        if self.kind == "pill":
            return self.rect
        left = PAD_LEFT + CAPTION_WIDTH
        middle, high = self.y + row_middle(self.kind, 0), sizes.NODE_ROW
        return QRectF(self.x + left, middle - high / 2, self.w - left, high)

    def slot(self, slot: int) -> QPointF:
        """Return the middle of a slot."""
        return QPointF(self.x, self.y + row_middle(self.kind, slot))

    def output(self, index: int = 0, count: int = 1) -> QPointF:
        """Return where wire number `index` of `count` leaves the capsule, or output `index` is."""
        if self.kind == "pill":
            return QPointF(self.x + self.w, self.y + self.h / 2)
        x = self.x + self.w + sizes.CAPSULE_WIDTH / 2
        if self.kind == "group":
            return QPointF(x, self.y + row_middle(self.kind, index))
        spread = sizes.OUTPUT_SPREAD * (index / (count - 1) - 0.5) if count > 1 else 0.0
        return QPointF(x, self.y + capsule_middle(self.kind) + spread)

    @property
    def opener(self) -> QRectF:
        """Return the rectangle of the button that opens a folded group in place."""
        return QRectF(self.x + 6, self.y + 4, 20, 20)


# ledgers


def chip_width(text: str) -> float:
    """Return the width of a chip in a ledger."""
    if not text:
        return EMPTY_CHIP_WIDTH
    return CHIP_TEXT_LEFT + width(text, "caption strong") + CHIP_RIGHT


def ledger_tops(look: NodeLook) -> list[tuple[LedgerLook, float]]:
    """Return the ledgers below a node's cells with their tops: of two, the correct one first."""
    top = body_height(look.kind, len(look.body.plugged))
    if look.correct is None:
        return [(look.ledger, top)]
    return [(look.correct, top), (look.ledger, top + ledger_height(len(look.correct.chips)))]


def chip_positions(look: NodeLook) -> list[QPointF]:
    """Return the left middles of a node's chips, relative to the node's upper left corner."""
    return ledger_chip_positions(*ledger_tops(look)[-1])


def total_middle(ledger: LedgerLook, top: float) -> float:
    """Return the y of the total of a ledger with this top."""
    return top + ledger_height(len(ledger.chips)) - sizes.LEDGER / 2


def ledger_chip_positions(ledger: LedgerLook, top: float) -> list[QPointF]:
    """Return the left middles of the chips of a ledger with this top."""
    positions: list[QPointF] = []
    x = LEDGER_LEFT + width(ledger.start, "caption") + START_GAP
    for k, chip in enumerate(ledger.chips):
        row, column = divmod(k, sizes.CHIPS_IN_LINE)
        x = LEDGER_LEFT if row and not column else x
        positions.append(QPointF(x, top + sizes.LEDGER / 2 + row * sizes.LEDGER_LINE))
        x += chip_width(chip.text) + CHIP_GAP
    return positions


def ledger_width(ledger: LedgerLook) -> float:
    """Return the width of a ledger."""
    ends = [
        at.x() + chip_width(chip.text) + CHIP_GAP
        for chip, at in zip(ledger.chips, ledger_chip_positions(ledger, 0.0), strict=True)
    ] or [LEDGER_LEFT + width(ledger.start, "caption") + START_GAP]
    # `+2 more` begins 2 px behind the last chip and ends 4 px before the total
    more = width(f"+{ledger.more} more", "caption") + 6 if ledger.more else 0.0
    return max(*ends, ends[-1] + more + TOTAL_GAP + width(ledger.total, "number") + LEDGER_RIGHT)
