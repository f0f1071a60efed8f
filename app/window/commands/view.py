"""Actions of the View menu."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from app.style.current import Extra
from app.style.notation import Notation
from app.window.actions import Action
from app.window.commands import conditions as when
from app.window.settings import FOLLOW_SYSTEM, SCREEN_THEMES, theme_of

if TYPE_CHECKING:
    from app.window.context import Context

_in_view = partial(Action, menu="View")
_in_view_size = partial(Action, menu="View/Size")

SIZES = (1.0, 1.1, 1.25, 1.5, 1.75, 2.0)
"""Sizes of the interface to choose from."""
_EXTRAS: tuple[tuple[Extra, str, str], ...] = (
    ("slopes", "&Local derivatives", "Show every local derivative at its slot, without a pass"),
    ("finals", "Final &gradients", "Show every gradient as it is at the end of backward"),
    ("order", "Numbers of the &order", "Number all nodes as backward takes them, leaves too"),
)
"""What nodes can show beyond the pass: its name, text and tip."""
_ZOOM_STEP = 1.25
"""Factor by which the keys zoom in, and back out."""


def choose_theme(context: Context, name: str) -> None:
    """Set a theme, or follow the system."""
    context.settings.theme = name
    context.style.set_theme(theme_of(name))


def choose_digits(context: Context, name: str) -> None:
    """Set how many digits numbers show."""
    context.style.set_digits("shortest" if name == "shortest" else int(name))


def resize_everything(context: Context, steps: int) -> None:
    """Choose the next larger or smaller interface size; 0 for the default."""
    place = min(max(_size_now(context) + steps, 0), len(SIZES) - 1) if steps else 0
    choose_size(context, SIZES[place])


def choose_size(context: Context, size: float) -> None:
    """Set the size of everything, and say so: panels and controls grow less than the sheet."""
    style = context.style
    style.set_size(size)
    sheet, beside = percent(style.size), percent(style.control_size)
    context.messages.toast(f"Sheet and step sentence: {sheet}, buttons and panels: {beside}")


def percent(share: float) -> str:
    """Write a share as on the screen: "150 %"."""
    return f"{share:.0%}".replace("%", " %")


def _size_now(context: Context) -> int:
    """Return the place of the current size, or the one nearest to it, in `SIZES`."""
    return min(range(len(SIZES)), key=lambda k: abs(SIZES[k] - context.style.size))


def show_node(context: Context, node: int) -> None:
    """Select a node and bring it into view."""
    context.canvas.framing.show_node(node)
    context.selection.focus_on(node)


def _size(place: int, size: float) -> Action:
    return _in_view_size(
        f"size-{size:.0%}",
        percent(size),
        lambda c: choose_size(c, size),
        tip="Size of everything; buttons and panels grow less than sheet and step sentence",
        checked=lambda c: _size_now(c) == place,
        gap=place == 0,
    )


def _theme(name: str, text: str) -> Action:
    return Action(
        f"theme-{name}",
        text,
        lambda c: choose_theme(c, name),
        menu="View/Theme",
        tip="Colours of the window and the graph",
        checked=lambda c: c.settings.theme == name,
    )


def _part(name: str, text: str, gap: bool = False) -> Action:
    return _in_view(
        f"show-{name}",
        text,
        lambda c: c.shell.parts.toggle(name),
        tip=f"Show or hide: {text.lower()}",
        checked=lambda c: c.shell.parts.shown(name),
        gap=gap,
    )


def _folded(name: str, text: str, tip: str) -> Action:
    return _in_view(
        f"fold-{name}",
        text,
        lambda c: c.shell.parts.toggle_folded(name),
        tip=tip,
        checked=lambda c: c.shell.parts.folded(name),
    )


def _extra(name: Extra, text: str, tip: str) -> Action:
    return Action(
        f"extra-{name}",
        text,
        lambda c: c.style.set_extra(name, name not in c.style.extras),
        menu="View/On nodes",
        tip=tip,
        checked=lambda c: name in c.style.extras,
    )


def _notation(name: Notation, text: str) -> Action:
    return Action(
        f"notation-{name}",
        text,
        lambda c: c.style.set_notation(name),
        menu="View/Notation",
        tip="How the derivative of the root is written, wherever it is",
        checked=lambda c: c.style.notation == name,
    )


def _digits(name: str, text: str) -> Action:
    return Action(
        f"digits-{name}",
        text,
        lambda c: choose_digits(c, name),
        menu="View/Digits",
        tip="How precisely numbers are written, decimals and rounding",
        checked=lambda c: str(c.style.digits) == name,
    )


VIEW: tuple[Action, ...] = (
    _in_view(
        "fit_selection",
        "&Fit selection",
        lambda c: c.canvas.framing.fit_selection(),
        ("F",),
        tip="Show the selection, or everything, as large as it fits",
        enabled=when.has_nodes,
    ),
    _in_view(
        "fit_all",
        "Fit &all",
        lambda c: c.canvas.framing.fit_all(),
        ("Shift+1",),
        icon="fit",
        tip="Show the whole graph",
        enabled=when.has_nodes,
    ),
    _in_view(
        "zoom_in",
        "Zoom in",
        lambda c: c.canvas.camera.zoom_by(_ZOOM_STEP),
        ("+", "="),
        icon="plus",
        tip="Look at the graph more closely, larger",
    ),
    _in_view(
        "zoom_out",
        "Zoom out",
        lambda c: c.canvas.camera.zoom_by(1 / _ZOOM_STEP),
        ("-",),
        icon="minus",
        tip="See more of the graph, smaller",
    ),
    _in_view(
        "zoom_one",
        "Zoom to 100 %",
        lambda c: c.canvas.camera.set_zoom(1.0),
        ("0",),
        tip="Show the graph in its actual size",
    ),
    _in_view_size(
        "larger",
        "Everything &larger",
        lambda c: resize_everything(c, +1),
        ("Ctrl++", "Ctrl+="),
        tip="Make sheet and step sentence larger, up to 200 %; buttons and panels grow less",
    ),
    _in_view_size(
        "smaller",
        "Everything &smaller",
        lambda c: resize_everything(c, -1),
        ("Ctrl+-",),
        tip="Make text, controls and graph smaller, down to 100 %",
    ),
    _in_view_size(
        "usual_size",
        "Usual size",
        lambda c: resize_everything(c, 0),
        ("Ctrl+0",),
        tip="Reset the size of text, controls and graph to 100 %",
    ),
    *(_size(place, size) for place, size in enumerate(SIZES)),
    _theme(FOLLOW_SYSTEM, "As the system"),
    *(_theme(name, name.capitalize()) for name in SCREEN_THEMES),
    _digits("2", "2 digits"),
    _digits("4", "4 digits"),
    _digits("shortest", "As many as needed"),
    _notation("partial", "∂L/∂a"),
    _notation("total", "dL/da"),
    _notation("grad", "a.grad"),
    *(_extra(*extra) for extra in _EXTRAS),
    _in_view(
        "motion",
        "&Motion",
        lambda c: c.style.set_motion(not c.style.motion),
        tip="Let things move instead of jump",
        checked=lambda c: c.style.motion,
    ),
    _in_view(
        "follow",
        "Follow the step",
        lambda c: c.style.set_follow(not c.style.follow),
        ("Shift+F",),
        tip="Scroll as little as shows the step, where not everything is in view",
        checked=lambda c: c.style.follow,
    ),
    _in_view(
        "next_part",
        "Next part of the window",
        lambda c: c.shell.focus_next_part(+1),
        ("F6",),
        tip="Move the keyboard to the next part of the window",
        gap=True,
    ),
    _in_view(
        "previous_part",
        "Previous part of the window",
        lambda c: c.shell.focus_next_part(-1),
        ("Shift+F6",),
        tip="Move the keyboard to the part of the window before this one",
    ),
    _part("toolbar", "Toolbar", gap=True),
    _part("palette", "Palette"),
    _folded("palette", "Palette as icons", "Show one column of icons, with the rest in fly-outs"),
    _part("side", "Side panel"),
    _folded("side", "Side panel as tabs", "Show the tabs alone; a panel opens over the sheet"),
    _in_view(
        "sliders",
        "All sl&iders",
        lambda c: c.shell.parts.toggle_tab("sliders"),
        ("S",),
        tip="A slider for every leaf, beside the sheet",
        checked=lambda c: c.shell.parts.shows_tab("sliders"),
    ),
    _part("strip", "Steps"),
    _part("status", "Status line"),
    _in_view(
        "usual_parts",
        "Usua&l parts",
        lambda c: c.shell.parts.reset(),
        tip="Show all parts, as wide as the size of the window suggests",
    ),
    _in_view(
        "presentation",
        "&Presentation",
        lambda c: c.shell.toggle_presentation(),
        ("F5",),
        tip="Full screen with nothing but the graph and the step",
        checked=lambda c: c.shell.presenting,
        gap=True,
    ),
    _in_view(
        "full_screen",
        "F&ull screen",
        lambda c: c.shell.toggle_full_screen(),
        ("F11",),
        icon="fullscreen",
        checked=lambda c: c.shell.full_screen,
    ),
)
