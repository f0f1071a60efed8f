"""The command palette: any action, block or example by typing a part of its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtGui import QAction

from app.window.actions import Action, Actions
from app.window.dialogs.action_list import ActionList

if TYPE_CHECKING:
    from app.window.context import Context


class CommandPalette(ActionList):
    """Runs the chosen action, if it is enabled."""

    def __init__(self, context: Context, actions: Actions) -> None:
        super().__init__(context, actions, "Commands", 3, lambda action: action.id != "commands")

    def choose(self, action: Action, made: QAction) -> None:
        """Run the action after this dialog is closed."""
        if made.isEnabled():
            self.accept()
            QTimer.singleShot(0, made, made.trigger)
