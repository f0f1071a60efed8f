"""What the Graph menu does with groups."""

from __future__ import annotations

from app.window.actions import Action
from app.window.commands import conditions as when

GROUPS: tuple[Action, ...] = (
    Action(
        "group",
        "&Group selection",
        lambda c: c.canvas.groups.make(),
        ("Ctrl+G",),
        "",
        "Graph",
        "Show the selected nodes as one",
        when.some_chosen,
        gap=True,
    ),
    Action(
        "collapse_group",
        "Open or collapse group",
        lambda c: c.canvas.groups.collapse(),
        ("Ctrl+J",),
        "",
        "Graph",
        "Show the parts of the selected group in place, or show it as one again",
        when.group_chosen,
    ),
    Action(
        "enter_group",
        "Look inside group",
        lambda c: c.canvas.groups.enter_chosen(),
        ("Ctrl+Return",),
        "",
        "Graph",
        "Show nothing but the inside of the selected group; Backspace leaves it",
        when.group_chosen,
    ),
    Action(
        "unpack_group",
        "Unpack group",
        lambda c: c.canvas.groups.unpack(),
        ("Ctrl+U",),
        "",
        "Graph",
        "Take the group away and leave what is in it",
        when.group_chosen,
    ),
)
