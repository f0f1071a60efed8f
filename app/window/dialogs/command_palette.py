"""The command palette: any action, block or example by typing a part of its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtGui import QAction

from app.window.actions import Action
from app.window.commands.palette_extras import offers
from app.window.dialogs.action_list import ListedActions

if TYPE_CHECKING:
    from app.window.frame.main_window import MainWindow


class CommandPalette(ListedActions):
    """Enter does it, when it can be done now."""

    def __init__(self, window: MainWindow) -> None:
        window.commands.extend(offers())
        super().__init__(window, "Commands", 3, lambda action: action.id != "commands")

    def choose(self, action: Action, made: QAction) -> None:
        """Do it, once this dialog is gone."""
        if made.isEnabled():
            self.accept()
            QTimer.singleShot(0, made, made.trigger)
