"""The dialogs of the Help menu, each made when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.window.frame.main_window import MainWindow


def show_commands(window: MainWindow) -> None:
    """The list of everything the window can do, to type into."""
    from app.window.dialogs.command_palette import CommandPalette

    CommandPalette(window).open()


def show_shortcuts(window: MainWindow) -> None:
    """The keys, to look up."""
    from app.window.dialogs.shortcuts import Shortcuts

    Shortcuts(window).open()


def show_about(window: MainWindow) -> None:
    """What this program is."""
    from app.window.dialogs.about import About

    About(window).open()
