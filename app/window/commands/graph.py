"""What the Graph menu does."""

from __future__ import annotations

from app.window.actions import Action
from app.window.commands import conditions as when

GRAPH: tuple[Action, ...] = (
    Action(
        "quick_add",
        "&Add a node…",
        lambda w: w.quick_add(),
        ("Tab",),
        "plus",
        "Graph",
        "Add a node by typing its name",
        on_canvas=True,
    ),
    Action(
        "label",
        "&Label",
        lambda w: w.canvas.editing.label(),
        ("F2",),
        "",
        "Graph",
        "Give the selected node another label, or the selected section another title",
        when.labelled_chosen,
    ),
    Action(
        "edit_value",
        "Edit &value",
        lambda w: w.canvas.editing.fields.edit_value(w.canvas.context.selection.focus),
        menu="Graph",
        tip="Type another value for the selected leaf or constant",
        enabled=when.number_chosen,
    ),
    Action(
        "mark_root",
        "&Mark as root",
        lambda w: w.running.mark_chosen(),
        icon="flag",
        menu="Graph",
        tip="The number whose gradients are wanted",
        enabled=when.markable_chosen,
        gap=True,
    ),
    Action(
        "activate_root",
        "Make this the active root",
        lambda w: w.running.activate_chosen(),
        menu="Graph",
        enabled=when.other_root_chosen,
    ),
    Action(
        "toggle_constant",
        "Make leaf or constant",
        lambda w: w.running.toggle_constant(),
        menu="Graph",
        tip="Turn the selected leaf into a constant, or back",
        enabled=when.number_chosen,
    ),
    Action(
        "arrange",
        "A&rrange",
        lambda w: w.canvas.editing.arrange(),
        ("Ctrl+L",),
        "arrange",
        "Graph",
        "Lay out the whole graph from left to right",
        when.has_nodes,
        gap=True,
    ),
    Action(
        "arrange_selection",
        "Arrange selection",
        lambda w: w.canvas.editing.arrange(only_selected=True),
        ("Ctrl+Shift+L",),
        "",
        "Graph",
        enabled=when.some_chosen,
    ),
    Action(
        "arrange_down",
        "Arrange from top to bottom",
        lambda w: w.canvas.editing.arrange(direction="TB"),
        menu="Graph",
        enabled=when.has_nodes,
    ),
    Action(
        "arrange_selection_down",
        "Arrange selection from top to bottom",
        lambda w: w.canvas.editing.arrange(only_selected=True, direction="TB"),
        menu="Graph",
        enabled=when.some_chosen,
    ),
)
