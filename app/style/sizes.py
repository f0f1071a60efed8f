"""Sizes in px at 100 %, with their meaning in the design pictures."""

from __future__ import annotations

from typing import Final

SPACES: Final = (4, 8, 12, 16, 24, 32, 48)
GRID: Final = 24
LARGEST_SCALE: Final = 2.0

# Bars, panels and controls
MENU: Final = 34
TOOLBAR: Final = 48
PALETTE: Final = 152
RAIL: Final = 60
"""Width of the palette as a column of icons, and of the right bar."""
PAGE: Final = 320
PAGE_SMALL: Final = 300
"""Widths of a page of the right bar, with the line at its left."""
PAGE_EDGE: Final = 14
"""Space at both sides of a page."""
SMALL_WINDOW: Final = (1440, 850)
"""A window narrower or lower than this is small: rail and page are smaller there."""
STATUS: Final = 24
CONTROL: Final = 32
CLICK_TARGET: Final = 24
ICON: Final = 16

# Radii
RADIUS_SYMBOL: Final = 6
RADIUS_NODE: Final = 8
RADIUS_BUTTON: Final = 8
RADIUS_CARD: Final = 10
RADIUS_ROUND: Final = 18
"""Radius of the round side of a leaf and of a root."""
CORNER_CUT: Final = 10
"""Size of the cut corners of a constant."""

# Node anatomy
NODE_HEADER: Final = 28
NODE_ROW: Final = 26
"""Height of a row, caption beside number, in leaves, constants and collapsed groups."""
NODE_CELL: Final = 38
"""Height of a cell, caption above number, in ops and roots; also the pitch of their slots."""
CELL_CAPTION: Final = 0.27
CELL_NUMBER: Final = 0.69
"""Middle lines of caption and number, as shares of a cell's height."""
NODE_PADDING: Final = 4
NODE_HEIGHT: Final = 112
"""Height of an op with up to two slots."""
NODE_STEP: Final = 4
"""Widths of nodes are rounded up to a multiple of this."""
LEAF_WIDTH: Final = 80
OP_WIDTH: Final = 96
"""Usual width of an op, whose numbers are short."""
ROOT_WIDTH: Final = 48
LABEL_WIDTH: Final = 160
"""Width above which a label in a header is shortened."""
PILL: Final = 24
"""Height of a constant that is drawn at the slot of its only reader."""
PILL_CUT: Final = 6
"""Size of its cut corners."""
SYMBOL: Final = 20
SLOT: Final = 10
SLOT_REACH: Final = 24
CAPSULE_WIDTH: Final = 10
CAPSULE_HEIGHT: Final = 44
OUTPUT_SPREAD: Final = 24
UPDATE_STRIP: Final = 42
"""Height of the strip under the rows of a leaf that shows its last update."""
LEDGER: Final = 30
LEDGER_LINE: Final = 26
"""Height of a second line of chips."""
CHIP: Final = 20
CAUSE_LINE: Final = 15
"""Height of a line that says why a mistake makes a node wrong."""
CAUSE_EDGE: Final = 8
"""Space above and below those lines together."""
CHIPS_IN_LINE: Final = 3
CHIPS_SHOWN: Final = 2 * CHIPS_IN_LINE
"""Chips that a ledger shows at a time; earlier ones are folded into its start."""
BADGE: Final = 21
OUTLINE: Final = 1.4
OUTLINE_FIRING: Final = 2.6
GLOW: Final = 5
OUTLINE_SELECTED: Final = 2.2
SELECTION_GAP: Final = 5

# Wires
HALO: Final = 2.0
WIRE_IDLE: Final = 2.0
WIRE_FORWARD: Final = 3.4
WIRE_FIRING: Final = 4.2
WIRE_NEXT: Final = 2.2
WIRE_DONE: Final = 2.2
WIRE_ZERO: Final = 2.0
WIRE_ASKED: Final = 3.4
WIRE_HOVER: Final = 3.4
WIRE_PREVIEW: Final = 2.6
BEND: Final = 46
"""Distance from its source within which a wire bends, before its level run."""
BEND_PRESENTED: Final = 36

# Labels on wires
LABEL: Final = 35.5
"""Height of a label: factors above, contribution below."""
LABEL_LINE: Final = 21.0
"""Height of a label shortened to its contribution."""
LABEL_MIDDLES: Final = (-7.5, 8.0)
"""Middle lines of a label's two lines, relative to its own."""
LABEL_TO_SLOT: Final = 11

# Motion, in milliseconds, all easing out
MOTION_WIRE: Final = 220
MOTION_CHIP: Final = 80
MOTION_SUM: Final = 120
MOTION_NODE: Final = 160
MOTION_ARRANGE: Final = 240
MOTION_COLUMN: Final = 420
MOTION_PANEL: Final = 120


def stepped(pixels: float, step: float = NODE_STEP) -> float:
    """Return a width rounded up to a multiple of step."""
    return -(-pixels // step) * step
