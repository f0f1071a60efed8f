"""WindowLayout: how a window divides its size between the canvas and the parts around it."""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from PySide6.QtCore import QSize

from app.panels.strip import strip_height
from app.style import sizes
from app.style.current import Style
from app.workbench.room import Room

LEAST_SHEET: Final = 540
"""Width of the sheet, in px at 100 % of its size, below which the side panel shows its tabs only.

With the rail and a side panel of 300 px at 100 %, that is a window of 900 px.
"""
_LINE = 1
"""Width of the line between two parts, in px."""


class Choices(Struct, frozen=True):
    """What the user has chosen; None leaves it to the window.

    `rail` and `tabs` tell whether palette and side panel are folded to icons and tabs.
    `side_width` is in px at 100 %, `hidden` names parts that are not shown.
    """

    rail: bool | None = None
    tabs: bool | None = None
    side_width: float | None = None
    hidden: frozenset[str] = frozenset()


class WindowLayout(Struct, frozen=True):
    """The form of every part, its width or height in px, and what is left for the canvas."""

    small: bool
    rail: bool
    tabs: bool
    palette: int
    side: int
    panel: int
    """Width of the side panel when it is open, beside the sheet or over it."""
    playback: int
    canvas: QSize


def lay_out_window(
    window: QSize,
    style: Style,
    choices: Choices,
    room: Room = Room.USUAL,
    two_lines: bool = False,
) -> WindowLayout:
    """Return the layout of a window; the user's choices win over what `room` asks for.

    `two_lines` says that the strip's sentence takes two.
    """
    px, hidden = style.px, choices.hidden
    small = window.width() < px(sizes.SMALL_WINDOW[0]) or window.height() < px(
        sizes.SMALL_WINDOW[1]
    )
    rail = small or room >= Room.RAIL if choices.rail is None else choices.rail
    palette = 0 if "palette" in hidden else px(sizes.RAIL if rail else sizes.PALETTE) + _LINE
    usual = sizes.DOCK_SMALL if small else sizes.DOCK
    beside = window.width() - palette - _LINE
    panel = min(px(choices.side_width or usual), beside - px(sizes.RAIL))
    narrow = beside - panel < LEAST_SHEET * style.scale - 2 * _LINE
    tabs = narrow or room >= Room.TABS if choices.tabs is None else choices.tabs
    side = 0 if "side" in hidden else (px(sizes.DOCK_TABS) if tabs else panel) + _LINE
    bars = {"menus": sizes.MENU, "toolbar": sizes.TOOLBAR, "status": sizes.STATUS}
    above = sum(px(height) for name, height in bars.items() if name not in hidden)
    playback = strip_height(style, two_lines)
    below = 0 if "strip" in hidden else playback + _LINE
    canvas = QSize(window.width() - palette - side, window.height() - above - below)
    return WindowLayout(small, rail, tabs, palette, side, panel, playback, canvas)
