"""Actions for the start page and for help."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.window.actions import Action

if TYPE_CHECKING:
    from app.window.context import Context


def toggle_start_page(context: Context) -> None:
    """Show the start page, or go back to the canvas."""
    if context.shell.on_start_page:
        context.shell.show_work()
    else:
        context.shell.show_start_page()


def show_about(context: Context) -> None:
    """Show the About dialog."""
    from app.window.dialogs.about import About

    About(context).open()


LEARN: tuple[Action, ...] = (
    Action(
        "start_page",
        "&Start page",
        toggle_start_page,
        icon="home",
        tip="Examples, recent files, and a place to type a formula",
        checked=lambda c: c.shell.on_start_page,
    ),
)

HELP: tuple[Action, ...] = (
    Action(
        "commands",
        "&Command palette…",
        lambda c: c.shell.show_command_palette(),
        ("Ctrl+Shift+P",),
        icon="search",
        tip="Find any action by typing",
    ),
    Action(
        "shortcuts",
        "&Keyboard shortcuts…",
        lambda c: c.shell.show_shortcuts(),
        ("F1", "?"),
        icon="keyboard",
    ),
    Action("about", "&About Backwire", show_about),
)
