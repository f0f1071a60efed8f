"""Sizes in px at 100 %, with their meaning in the design pictures."""

from __future__ import annotations

from typing import Final

SPACES: Final = (4, 8, 12, 16, 24, 32, 48)
"""The spaces between things, from which every other one is chosen."""
GRID: Final = 24
"""Distance of the dots of the sheet, to which nodes snap (at half of it)."""
LARGEST_SCALE: Final = 2.0
"""The largest interface size."""

# Bars, panels and controls
MENU: Final = 34
TOOLBAR: Final = 48
"""Heights of the menu bar and of the toolbar."""
PALETTE: Final = 152
"""Width of the palette with its texts."""
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
"""Heights of the status bar, and of a button or field."""
CLICK_TARGET: Final = 24
"""Least side of anything that is clicked."""
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
"""Space below the lowest row of a node."""
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
"""Side of the box around the symbol of an op."""
SLOT: Final = 10
"""Diameter of a slot."""
SLOT_REACH: Final = 24
"""Distance from which the end of a drawn wire snaps to a slot or an output."""
CAPSULE_WIDTH: Final = 10
CAPSULE_HEIGHT: Final = 44
"""Size of the capsule at an output."""
OUTPUT_SPREAD: Final = 24
"""Distance, at the capsule, of the first from the last wire that leaves it."""
UPDATE_STRIP: Final = 42
"""Height of the strip under the rows of a leaf that shows its last update."""
LEDGER: Final = 30
"""Height of a ledger with one line of chips."""
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
"""Diameter of the badge with the place in the firing order."""
OUTLINE: Final = 1.4
OUTLINE_FIRING: Final = 2.6
"""Width of the outline of a node, at rest and while it fires."""
GLOW: Final = 5
"""How far the glow of a node in the current step reaches."""
OUTLINE_SELECTED: Final = 2.2
SELECTION_GAP: Final = 5
"""Width of the ring around a selected node, and its distance from it."""

# Wires: widths by state (WireState in the canvas)
HALO: Final = 2.0
"""How far a wire has the colour of the canvas on both sides, so that crossings can be followed."""
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
"""The same in a presentation, where larger numbers need the space."""
presented = False
"""Whether the canvas is presented; `strokes.set_presented` sets it."""

# Labels on wires
LABEL: Final = 35.5
"""Height of a label: factors above, contribution below."""
LABEL_LINE: Final = 21.0
"""Height of a label shortened to its contribution."""
LABEL_MIDDLES: Final = (-7.5, 8.0)
"""Middle lines of a label's two lines, relative to its own."""
LABEL_TO_SLOT: Final = 11
"""Distance of a label, or of a pill, from the middle of its slot."""

# Motion, in milliseconds, easing out but for the slower one of Play
MOTION_WIRE: Final = 220
MOTION_CHIP: Final = 80
MOTION_SUM: Final = 120
MOTION_STEP: Final = MOTION_WIRE + MOTION_CHIP + MOTION_SUM
MOTION_PLAYED, MOTION_SLOWEST = 595, 1090
"""Duration of a step that is played at one a second, in proportion at other speeds, and at most."""
MOTION_NODE: Final = 160
MOTION_ARRANGE: Final = 240
MOTION_COLUMN: Final = 420
MOTION_PANEL: Final = 120


def stepped(pixels: float, step: float = NODE_STEP) -> float:
    """Return a width rounded up to a multiple of step."""
    return -(-pixels // step) * step
