"""Actions of the menu View: zoom, pages and parts of the window, style, full screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from app.style.current import Extra
from app.style.derivative_notation import Notation
from app.window.actions import Action
from app.window.commands import when as when
from app.window.settings import FOLLOW_SYSTEM, SCREEN_THEMES, theme_of

if TYPE_CHECKING:
    from app.window.context import Context

SIZES = (1.0, 1.1, 1.25, 1.5, 1.75, 2.0)
"""Scales of the interface to choose from, ascending; the first is the default."""
_EXTRAS: tuple[tuple[Extra, str, str], ...] = (
    ("slopes", "&Local derivatives", "Show every local derivative at its slot, without a pass"),
    ("finals", "Final &gradients", "Show every gradient as it is at the end of backward"),
    ("order", "Numbers of the &order", "Number all nodes as backward takes them, leaves too"),
)
"""What nodes can show without a pass: its name in `Style.extras`, menu text and tooltip."""
_ZOOM_STEP = 1.25
"""Zoom factor of one press of + or -."""


def choose_theme(context: Context, name: str) -> None:
    """Set a theme, or follow the system."""
    context.settings.theme = name
    context.style.set_theme(theme_of(name))


def choose_digits(context: Context, name: str) -> None:
    """Set how many digits numbers show."""
    context.style.set_digits("shortest" if name == "shortest" else int(name))


def change_size(context: Context, steps: int) -> None:
    """Choose the next larger or smaller interface size; 0 for the default."""
    index = min(max(_size_index(context) + steps, 0), len(SIZES) - 1) if steps else 0
    choose_size(context, SIZES[index])


def choose_size(context: Context, size: float) -> None:
    """Set the interface size, and show both sizes: controls grow less than the sheet."""
    style = context.style
    style.set_size(size)
    sheet, controls = percent(style.size), percent(style.control_size)
    context.messages.toast(f"Sheet and step sentence: {sheet}, buttons and panels: {controls}")


def percent(share: float) -> str:
    """Format a share as "150 %"."""
    return f"{share:.0%}".replace("%", " %")


def _size_index(context: Context) -> int:
    """Return the index in `SIZES` of the size nearest to the current one."""
    return min(range(len(SIZES)), key=lambda k: abs(SIZES[k] - context.style.size))


def show_node(context: Context, node: int) -> None:
    """Select a node and bring it into view."""
    context.canvas.framing.show_node(node)
    context.selection.focus_on(node)


class PageEntry(Struct, frozen=True):
    """The title, icon, keys and tooltip of a page of the right bar."""

    title: str
    icon: str
    keys: str
    tooltip: str


PAGES: dict[str, PageEntry] = {
    "lesson": PageEntry("Lesson", "lesson", "Ctrl+1", "What was asked and answered in this run"),
    "why": PageEntry("Why", "why", "Ctrl+2", "Why a gradient is what it is"),
    "numeric": PageEntry("Numeric", "check", "Ctrl+3", "Compare with numerical gradients"),
    "mistakes": PageEntry(
        "Mistakes", "mistakes", "Ctrl+4", "Switch a classic mistake on, or hunt one"
    ),
    "train": PageEntry("Train", "train", "Ctrl+5", "Descent on this graph, or train a network"),
    "code": PageEntry("Code", "code", "Ctrl+6", "The pass as code, step by step, or one function"),
    "history": PageEntry(
        "History", "history", "Ctrl+7", "Every change of the sheet, to go back to"
    ),
}
"""The pages of the right bar by name, from top to bottom."""


def _toggle_page(context: Context, name: str) -> None:
    """Open a page and focus it, or fold it if it is open; on the start page always open it."""
    if context.shell.on_full_page:
        context.shell.show_page(name)
    else:
        context.shell.parts.toggle_page(name)


def _page_action(name: str, page: PageEntry) -> Action:
    return Action(
        f"page-{name}",
        lambda c: _toggle_page(c, name),
        text=page.title,
        shortcuts=page.keys,
        icon=page.icon,
        tooltip=page.tooltip,
        checked=lambda c: c.shell.parts.page == name,
    )


def toggle_all_tools(context: Context) -> None:
    """Show all pages and menu lines, or only those that have been used."""
    context.settings.all_tools = not context.settings.all_tools
    context.shell.parts.show_tools()


def _size_action(index: int, size: float) -> Action:
    return Action(
        f"size-{size:.0%}",
        lambda c: choose_size(c, size),
        text=percent(size),
        tooltip="Size of everything; buttons and panels grow less than sheet and step sentence",
        checked=lambda c: _size_index(c) == index,
    )


def _theme_action(name: str, text: str) -> Action:
    return Action(
        f"theme-{name}",
        lambda c: choose_theme(c, name),
        text=text,
        tooltip="Colours of the window and the graph",
        checked=lambda c: c.settings.theme == name,
    )


def _part_action(name: str, text: str) -> Action:
    return Action(
        f"show-{name}",
        lambda c: c.shell.parts.toggle(name),
        text=text,
        tooltip=f"Show or hide: {text.lower()}",
        checked=lambda c: c.shell.parts.shown(name),
    )


def show_sliders(context: Context) -> None:
    """Open the page Why with a slider for every leaf, or fold it if it shows them."""
    parts = context.shell.parts
    # Why has the sliders of all leaves while nothing is selected
    if parts.page == "why" and not context.selection.anything:
        parts.toggle_page("why")
        return
    context.selection.clear()
    context.shell.show_page("why")


def _extra_action(name: Extra, text: str, tooltip: str) -> Action:
    return Action(
        f"extra-{name}",
        lambda c: c.style.set_extra(name, name not in c.style.extras),
        text=text,
        tooltip=tooltip,
        checked=lambda c: name in c.style.extras,
    )


def _notation_action(name: Notation, text: str) -> Action:
    return Action(
        f"notation-{name}",
        lambda c: c.style.set_notation(name),
        text=text,
        tooltip="How the derivative of the root is written, wherever it is",
        checked=lambda c: c.style.notation == name,
    )


def _digits_action(name: str, text: str) -> Action:
    return Action(
        f"digits-{name}",
        lambda c: choose_digits(c, name),
        text=text,
        tooltip="How precisely numbers are written, decimals and rounding",
        checked=lambda c: str(c.style.digits) == name,
    )


VIEW: tuple[Action, ...] = (
    Action("fit_selection", lambda c: c.canvas.framing.fit_selection(), when.has_nodes),
    Action("fit_all", lambda c: c.canvas.framing.fit_all(), when.has_nodes),
    Action("zoom_in", lambda c: c.canvas.camera.zoom_by(_ZOOM_STEP)),
    Action("zoom_out", lambda c: c.canvas.camera.zoom_by(1 / _ZOOM_STEP)),
    Action(
        "leave_group", lambda c: c.canvas.groups.leave(), lambda c: c.document.inside is not None
    ),
    Action("zoom_one", lambda c: c.canvas.camera.set_zoom(1.0)),
    Action("larger", lambda c: change_size(c, +1)),
    Action("smaller", lambda c: change_size(c, -1)),
    Action("usual_size", lambda c: change_size(c, 0)),
    *(_size_action(index, size) for index, size in enumerate(SIZES)),
    _theme_action(FOLLOW_SYSTEM, "As the system"),
    *(_theme_action(name, name.capitalize()) for name in SCREEN_THEMES),
    _digits_action("2", "2 digits"),
    _digits_action("4", "4 digits"),
    _digits_action("shortest", "As many as needed"),
    _notation_action("partial", "∂L/∂a"),
    _notation_action("total", "dL/da"),
    _notation_action("grad", "a.grad"),
    *(_extra_action(*extra) for extra in _EXTRAS),
    Action(
        "motion", lambda c: c.style.set_motion(not c.style.motion), checked=lambda c: c.style.motion
    ),
    Action(
        "follow", lambda c: c.canvas.framing.toggle_follow(), checked=lambda c: c.style.follows_step
    ),
    Action("formula", lambda c: c.shell.focus_formula()),
    Action("next_part", lambda c: c.shell.focus_next_part(+1)),
    Action("previous_part", lambda c: c.shell.focus_next_part(-1)),
    _part_action("toolbar", "Toolbar"),
    _part_action("palette", "Palette"),
    Action(
        "fold-palette",
        lambda c: c.shell.parts.toggle_rail(),
        checked=lambda c: c.shell.parts.rail(),
    ),
    _part_action("bar", "Right bar"),
    *(_page_action(*item) for item in PAGES.items()),
    Action("sliders", show_sliders),
    Action("all_tools", toggle_all_tools, checked=lambda c: c.settings.all_tools),
    _part_action("strip", "Steps"),
    _part_action("status", "Status line"),
    Action("usual_parts", lambda c: c.shell.parts.reset()),
    Action(
        "full_screen",
        lambda c: c.shell.toggle_full_screen(),
        checked=lambda c: c.shell.widget.isFullScreen(),
    ),
)
