"""Actions that build the graph: nodes, labels, roots, arranging."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.window.actions import Action, sheet_action
from app.window.commands import conditions as when
from engine.graph import Constant, brief
from engine.names import numbered_label

if TYPE_CHECKING:
    from app.window.context import Context


def quick_add(context: Context) -> None:
    """Open the quick-add box on the canvas."""
    context.shell.show_work()
    context.canvas.quick_add()


def offer_free_label(context: Context, node: int) -> None:
    """Warn that another node has the label of this one, and offer one that is free."""
    document = context.document
    graph = document.graph
    label = graph.label(node)
    taken = {*graph.names.values(), *map(graph.label, graph.nodes)}
    free = numbered_label(label, taken)

    def take() -> None:
        if node in document.graph.nodes:
            document.set_label(node, free)

    context.messages.offer(
        f"Another node is called {brief(label)} already.", f"Call it {free}", take, on_enter=True
    )


def mark_root(context: Context) -> None:
    """Mark the selected node as the root."""
    node = context.selection.only
    if node is not None:
        context.document.mark_root(node)


def activate_root(context: Context) -> None:
    """Make the selected Root active."""
    node = context.selection.only
    if node is not None:
        context.document.set_active_root(node)


def unfold(context: Context) -> None:
    """Open the selected operation into its parts."""
    node = context.selection.only
    if node is not None:
        context.document.unfolding.open(node)


def fold(context: Context) -> None:
    """Close the parts that end in the selected node."""
    node = context.selection.only
    if node is not None:
        context.document.unfolding.close(node)


def toggle_constant(context: Context) -> None:
    """Turn the selected leaf into a constant, or back."""
    node = context.selection.only
    if node is not None:
        constant = isinstance(context.document.graph.nodes[node], Constant)
        context.document.set_constant(node, not constant)


GRAPH: tuple[Action, ...] = (
    sheet_action(
        "quick_add",
        "&Add a node…",
        quick_add,
        ("Tab",),
        icon="plus",
        tip="Add a node by typing its name",
        on_canvas=True,
    ),
    sheet_action(
        "label",
        "&Label",
        lambda c: c.canvas.editing.label(),
        ("F2",),
        tip="Give the selected node another label, or the selected section another title",
        enabled=when.labelled_chosen,
    ),
    sheet_action(
        "edit_value",
        "Edit &value",
        lambda c: c.canvas.editing.fields.edit_value(c.selection.focus),
        tip="Type another value for the selected leaf or constant",
        enabled=when.number_chosen,
    ),
    sheet_action(
        "mark_root",
        "&Mark as root",
        mark_root,
        icon="flag",
        tip="The number whose gradients are wanted",
        enabled=when.markable_chosen,
    ),
    sheet_action(
        "activate_root", "Make this the active root", activate_root, enabled=when.other_root_chosen
    ),
    sheet_action(
        "toggle_constant",
        "Make leaf or constant",
        toggle_constant,
        tip="Turn the selected leaf into a constant, or back",
        enabled=when.number_chosen,
    ),
    sheet_action(
        "unfold",
        "&Unfold into simpler operations",
        unfold,
        tip="Open the selected operation in place into those that it is made of",
        enabled=when.unfoldable_chosen,
    ),
    sheet_action(
        "fold",
        "&Fold into one operation",
        fold,
        tip="Close the parts of an operation that end in the selected node",
        enabled=when.foldable_chosen,
    ),
    sheet_action(
        "arrange",
        "A&rrange",
        lambda c: c.canvas.editing.arrange(),
        ("Ctrl+L",),
        icon="arrange",
        tip="Lay out the whole graph from left to right",
        enabled=when.has_nodes,
    ),
    sheet_action(
        "arrange_selection",
        "Arrange selection",
        lambda c: c.canvas.editing.arrange(only_selected=True),
        ("Ctrl+Shift+L",),
        enabled=when.some_chosen,
    ),
    sheet_action(
        "arrange_down",
        "Arrange from top to bottom",
        lambda c: c.canvas.editing.arrange(direction="TB"),
        enabled=when.has_nodes,
    ),
    sheet_action(
        "arrange_selection_down",
        "Arrange selection from top to bottom",
        lambda c: c.canvas.editing.arrange(only_selected=True, direction="TB"),
        enabled=when.some_chosen,
    ),
)
