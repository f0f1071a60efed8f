"""What the Graph menu does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.window.actions import Action
from app.window.commands import conditions as when
from engine.graph import Constant

if TYPE_CHECKING:
    from app.window.context import Context


def quick_add(context: Context) -> None:
    """Ask on the canvas what to add."""
    context.shell.show_work()
    context.canvas.quick_add()


def mark_root(context: Context) -> None:
    """Mark the selected node as the root."""
    node = context.selection.only
    if node is not None:
        context.document.mark_root(node)


def activate_root(context: Context) -> None:
    """Make the selected Root the active one."""
    node = context.selection.only
    if node is not None:
        context.document.set_active_root(node)


def toggle_constant(context: Context) -> None:
    """Turn the selected leaf into a constant, or back."""
    node = context.selection.only
    if node is not None:
        constant = isinstance(context.document.graph.nodes[node], Constant)
        context.document.set_constant(node, not constant)


GRAPH: tuple[Action, ...] = (
    Action(
        "quick_add",
        "&Add a node…",
        quick_add,
        ("Tab",),
        "plus",
        "Graph",
        "Add a node by typing its name",
        on_canvas=True,
    ),
    Action(
        "label",
        "&Label",
        lambda c: c.canvas.editing.label(),
        ("F2",),
        "",
        "Graph",
        "Give the selected node another label, or the selected section another title",
        when.labelled_chosen,
    ),
    Action(
        "edit_value",
        "Edit &value",
        lambda c: c.canvas.editing.fields.edit_value(c.selection.focus),
        menu="Graph",
        tip="Type another value for the selected leaf or constant",
        enabled=when.number_chosen,
    ),
    Action(
        "mark_root",
        "&Mark as root",
        mark_root,
        icon="flag",
        menu="Graph",
        tip="The number whose gradients are wanted",
        enabled=when.markable_chosen,
        gap=True,
    ),
    Action(
        "activate_root",
        "Make this the active root",
        activate_root,
        menu="Graph",
        enabled=when.other_root_chosen,
    ),
    Action(
        "toggle_constant",
        "Make leaf or constant",
        toggle_constant,
        menu="Graph",
        tip="Turn the selected leaf into a constant, or back",
        enabled=when.number_chosen,
    ),
    Action(
        "arrange",
        "A&rrange",
        lambda c: c.canvas.editing.arrange(),
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
        lambda c: c.canvas.editing.arrange(only_selected=True),
        ("Ctrl+Shift+L",),
        "",
        "Graph",
        enabled=when.some_chosen,
    ),
    Action(
        "arrange_down",
        "Arrange from top to bottom",
        lambda c: c.canvas.editing.arrange(direction="TB"),
        menu="Graph",
        enabled=when.has_nodes,
    ),
    Action(
        "arrange_selection_down",
        "Arrange selection from top to bottom",
        lambda c: c.canvas.editing.arrange(only_selected=True, direction="TB"),
        menu="Graph",
        enabled=when.some_chosen,
    ),
)
