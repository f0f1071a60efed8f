"""The list of keyboard shortcuts, searchable by name or key, and of mouse gestures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QTreeWidgetItem

from app.window.actions import Action, Actions
from app.window.dialogs.action_list import ActionList

if TYPE_CHECKING:
    from app.window.context import Context

GESTURES = (
    ("Edit the value of a leaf or a constant", "Enter on it, or double-click its number"),
    ("Change a value by hand", "drag its number, or wheel on it"),
    ("Pan", "Space + drag, middle button, or two fingers"),
    ("Zoom at the pointer", "wheel, or pinch"),
    ("Fit all, outside a pass", "Home"),
    ("Select several nodes", "drag a box"),
    ("Add to the selection", "Shift + click"),
    ("Add a node fed by the selected one", "Tab, or click in the palette"),
    ("Fill a free slot of the selected node", "Tab, then a name or a number"),
    ("Add a node without a wire", "Shift + Enter in quick add"),
    ("Unplug a wire", "Alt + click, or Ctrl + Shift + click"),
    ("Move all wires of an output", "Ctrl + drag"),
    ("Walk along wires", "arrow keys on a node"),
    ("Wire from the selected node", "W"),
)
"""Mouse gestures on the canvas."""


class Shortcuts(ActionList):
    """Every action with a shortcut, and the mouse gestures on the canvas."""

    def __init__(self, context: Context, actions: Actions) -> None:
        super().__init__(
            context, actions, "Keyboard shortcuts", 2, lambda action: bool(action.keys)
        )

    def _fill(self, query: str) -> None:
        super()._fill(query)
        for text, keys in GESTURES:
            if all(word in f"{text} {keys}".casefold() for word in query.split()):
                self.list.addTopLevelItem(QTreeWidgetItem([text, keys]))

    def _look_of(self, item: QTreeWidgetItem, action: Action) -> None:
        super()._look_of(item, action)
        form = QKeySequence.SequenceFormat.NativeText
        item.setText(1, ", ".join(QKeySequence(key).toString(form) for key in action.keys))
        item.setForeground(0, self._style.theme.text)

    def _walk(self, steps: int) -> None:
        """Scroll, because no entry can be selected."""
        bar = self.list.verticalScrollBar()
        bar.setValue(bar.value() + steps)

    def _activated(self, item: QTreeWidgetItem) -> None:
        """Ignore activation: the list is only for reading."""
