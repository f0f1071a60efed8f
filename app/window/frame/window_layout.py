"""WindowLayout: how a window divides its size between the canvas and the parts around it."""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from PySide6.QtCore import QSize

from app.panels.strip import strip_height
from app.style import sizes
from app.style.current import Style

BESIDE: Final = 1280
"""Width of a window, in px at 100 %, from which on a page is open beside the sheet."""
_LINE = 1
"""Width of the line between two parts, in px."""


class Choices(Struct, frozen=True):
    """What the user has chosen.

    `rail`: the palette shows icons only; None leaves that to the window. `page`: one is open;
    `over`: over the canvas in any window. `hidden` names parts that are not shown.
    """

    rail: bool | None = None
    page: bool = False
    over: bool = False
    hidden: frozenset[str] = frozenset()


class WindowLayout(Struct, frozen=True):
    """The form of every part, its width or height in px, and what is left for the canvas."""

    small: bool
    rail: bool
    over: bool
    """Whether a page that is open lies over the canvas."""
    palette: int
    page: int
    """Width of a page when it is open."""
    strip: int
    canvas: QSize


def lay_out_window(
    window: QSize, style: Style, choices: Choices, rail: bool = False, more_lines: int = 0
) -> WindowLayout:
    """Return the layout of a window; the user's choices win over the `rail` that is asked for.

    `more_lines` are those of the strip beyond its usual ones.
    """
    px, hidden = style.px, choices.hidden
    least_width, least_height = sizes.SMALL_WINDOW
    small = window.width() < px(least_width) or window.height() < px(least_height)
    rail = small or rail if choices.rail is None else choices.rail
    palette = 0 if "palette" in hidden else px(sizes.RAIL if rail else sizes.PALETTE) + _LINE
    bar = 0 if "bar" in hidden else px(sizes.RAIL) + _LINE
    page = px(sizes.PAGE_SMALL if small else sizes.PAGE)
    over = choices.over or window.width() < px(BESIDE)
    beside = page if choices.page and not over else 0
    bars = {"menus": sizes.MENU, "toolbar": sizes.TOOLBAR, "status": sizes.STATUS}
    above = sum(px(height) for name, height in bars.items() if name not in hidden)
    strip = strip_height(style, more_lines)
    below = 0 if "strip" in hidden else strip + _LINE
    canvas = QSize(window.width() - palette - bar - beside, window.height() - above - below)
    return WindowLayout(small, rail, over, palette, page, strip, canvas)
