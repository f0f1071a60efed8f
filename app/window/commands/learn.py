"""What the Learn and the Help menu do."""

from __future__ import annotations

from app.window.actions import Action
from app.window.commands import help_dialogs as dialogs

LEARN: tuple[Action, ...] = (
    Action(
        "start_page",
        "&Start page",
        lambda w: w.show_work() if w.on_start_page else w.show_start_page(),
        (),
        "home",
        "Learn",
        "Examples, recent files, and a place to type a formula",
        checked=lambda w: w.on_start_page,
    ),
)

HELP: tuple[Action, ...] = (
    Action(
        "commands",
        "&Command palette…",
        dialogs.show_commands,
        ("Ctrl+Shift+P",),
        "search",
        "Help",
        "Find any action by typing",
    ),
    Action(
        "shortcuts",
        "&Keyboard shortcuts…",
        dialogs.show_shortcuts,
        ("F1", "?"),
        "keyboard",
        "Help",
    ),
    Action("about", "&About Backwire", dialogs.show_about, menu="Help", gap=True),
)
