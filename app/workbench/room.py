"""Room: how much the parts beside the canvas give up for it."""

from __future__ import annotations

from enum import IntEnum


class Room(IntEnum):
    """Each level gives up what the one before does, and one thing more."""

    USUAL = 0
    """Everything as wide as the window allows."""
    RAIL = 1
    """The palette is a rail of icons."""
    TABS = 2
    """The side panel shows only its tabs, and opens over the sheet."""
