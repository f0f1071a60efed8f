"""Sizes in px at 100 %, with their meaning in the design pictures."""

from __future__ import annotations

from typing import Final

SPACES: Final = (4, 8, 12, 16, 24, 32, 48)
GRID: Final = 24
LARGEST_SCALE: Final = 2.0
SMALLEST_NUMBER: Final = 9.0
"""Numbers whose text is smaller than this on the screen are left out."""

# Bars, panels and controls
MENU: Final = 34
TOOLBAR: Final = 48
PALETTE: Final = 152
RAIL: Final = 60
"""Width of the palette as a column of icons."""
DOCK: Final = 320
DOCK_SMALL: Final = 300
DOCK_TABS: Final = 36
"""Width of the side panel that shows only its tabs."""
PLAYBACK: Final = 170
PLAYBACK_SMALL: Final = 146
SMALL_WINDOW: Final = (1440, 850)
"""A window narrower or lower than this is small: rail, dock and playback are smaller there."""
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
NODE_PADDING: Final = 4
NODE_HEIGHT: Final = 88
NODE_STEP: Final = 8
"""A node grows with its longest number in steps of this width."""
LEAF_WIDTH: Final = 128
OP_WIDTH: Final = 132
ROOT_WIDTH: Final = 88
SYMBOL: Final = 20
SLOT: Final = 10
SLOT_REACH: Final = 24
CAPSULE_WIDTH: Final = 10
CAPSULE_HEIGHT: Final = 40
OUTPUT_SPREAD: Final = 24
LEDGER: Final = 32
CHIP: Final = 20
CHIPS_SHOWN: Final = 3
BADGE: Final = 21
OUTLINE: Final = 1.4
OUTLINE_FIRING: Final = 2.6
GLOW: Final = 5
OUTLINE_SELECTED: Final = 2.2
SELECTION_GAP: Final = 5

# Wires
HALO: Final = 2.5
WIRE_IDLE: Final = 2.0
WIRE_FORWARD: Final = 3.4
WIRE_FIRING: Final = 4.2
WIRE_NEXT: Final = 2.2
WIRE_DONE: Final = 2.2
WIRE_ZERO: Final = 2.0
WIRE_ASKED: Final = 3.4
WIRE_HOVER: Final = 3.4
WIRE_PREVIEW: Final = 2.6
BEND: Final = (40, 90)
"""Minimum and maximum distance from its source within which a wire bends."""

# Labels on wires
LABEL: Final = 21
LABEL_FIRING: Final = 23
LABEL_TO_SLOT: Final = 11

# Zoom below which less is shown
ZOOM_LABELS: Final = 0.795  # shown as 80 %
ZOOM_CONTRIBUTIONS: Final = 0.45

# Motion, in milliseconds, all easing out
MOTION_WIRE: Final = 220
MOTION_CHIP: Final = 80
MOTION_SUM: Final = 120
MOTION_NODE: Final = 160
MOTION_ARRANGE: Final = 240
MOTION_PANEL: Final = 120


def stepped(pixels: float, step: float = NODE_STEP) -> float:
    """Return the width rounded up to a multiple of step."""
    return -(-pixels // step) * step
