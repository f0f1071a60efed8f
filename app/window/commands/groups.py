"""Actions that make, open and leave groups."""

from __future__ import annotations

from app.window.actions import Action, sheet_action
from app.window.commands import conditions as when

GROUPS: tuple[Action, ...] = (
    sheet_action(
        "group",
        "&Group selection",
        lambda c: c.canvas.groups.make(),
        ("Ctrl+G",),
        tip="Show the selected nodes as one",
        enabled=when.some_chosen,
    ),
    sheet_action(
        "collapse_group",
        "Open or collapse group",
        lambda c: c.canvas.groups.collapse(),
        ("Ctrl+J",),
        tip="Show the parts of the selected group in place, or show it as one again",
        enabled=when.group_chosen,
    ),
    sheet_action(
        "enter_group",
        "Look inside group",
        lambda c: c.canvas.groups.enter_chosen(),
        ("Ctrl+Return",),
        tip="Show nothing but the inside of the selected group; Backspace leaves it",
        enabled=when.group_chosen,
    ),
    sheet_action(
        "unpack_group",
        "Unpack group",
        lambda c: c.canvas.groups.unpack(),
        ("Ctrl+U",),
        tip="Take the group away and leave what is in it",
        enabled=when.group_chosen,
    ),
)
