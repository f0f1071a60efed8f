"""Actions that edit the graph: nodes, operations, labels, roots, layout, groups, sections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from app.canvas.scene.hit_test import section_content
from app.document.boxes import COLOURS
from app.window.actions import Action, sheet_action
from app.window.commands import when as when
from engine.graph import Constant, brief
from engine.names import numbered_label
from engine.ops import OPS, Op

if TYPE_CHECKING:
    from app.window.context import Context


def quick_add(context: Context) -> None:
    """Open the quick-add box, which adds a node by name, on the canvas."""
    context.shell.show_work()
    context.canvas.quick_add()


def offer_free_label(context: Context, node: int) -> None:
    """Warn that another node has the same label as this one, and offer a free one."""
    document = context.document
    graph = document.graph
    label = graph.label(node)
    taken = {*graph.names.values(), *map(graph.label, graph.nodes)}
    free = numbered_label(label, taken)

    def use_free_label() -> None:
        if node in document.graph.nodes:
            document.set_label(node, free)

    context.messages.offer(
        f"Another node is called {brief(label)} already.",
        f"Call it {free}",
        use_free_label,
        on_enter=True,
    )


def mark_root(context: Context) -> None:
    """Mark the selected node as the root."""
    node = context.selection.only
    if node is not None:
        context.document.mark_root(node)


def activate_root(context: Context) -> None:
    """Make the selected Root the active one, whose gradients are computed."""
    node = context.selection.only
    if node is not None:
        context.document.set_active_root(node)


def unfold(context: Context) -> None:
    """Unfold the selected operation into the simpler ones that it is made of."""
    node = context.selection.only
    if node is not None:
        context.document.unfolding.open(node)


def fold(context: Context) -> None:
    """Fold the operations that end in the selected node into one again."""
    node = context.selection.only
    if node is not None:
        context.document.unfolding.close(node)


def toggle_constant(context: Context) -> None:
    """Turn the selected leaf into a constant, or back."""
    node = context.selection.only
    if node is not None:
        constant = isinstance(context.document.graph.nodes[node], Constant)
        context.document.set_constant(node, not constant)


def change_op(context: Context, op: str) -> None:
    """Change the operation of the selected node."""
    node = context.selection.only
    if node is not None:
        context.document.set_op(node, op)


def _change_op_action(op: Op) -> Action:
    return sheet_action(
        f"op-{op.name}",
        lambda c: change_op(c, op.name),
        when.op_selected,
        text=op.name,
        tooltip=f"Make the selected node a {op.name}; wires stay where it has a slot for them",
        checked=lambda c: when.selected_op_is(c, op.name),
    )


def add_section(context: Context) -> None:
    """Draw a section around the selection, and edit its title."""
    context.shell.show_work()
    context.canvas.editing.add_section()


def colour_selected_sections(context: Context, index: int) -> None:
    """Give the selected sections the colour at an index of `COLOURS`, as one step of undo."""
    document = context.document
    gesture = document.new_gesture()
    for number in sorted(context.selection.sections):
        changed = replace(document.sheet.sections[number], colour=index)
        document.sections.set(number, changed, "Colour section", gesture)


def select_next_section(context: Context) -> None:
    """Select the next section, bring it into view, and focus the canvas."""
    context.shell.show_work()
    context.selection.choose_next_section()
    context.canvas.framing.show_sections(context.selection.sections)


def select_section_content(context: Context) -> None:
    """Add the nodes and sections inside the selected sections to the selection."""
    nodes, sections = section_content(context.canvas.scene, context.selection.sections)
    context.selection.add(nodes, sections)


def _colour_action(index: int, name: str) -> Action:
    return sheet_action(
        f"section_colour-{name.lower()}",
        lambda c: colour_selected_sections(c, index),
        when.section_selected,
        text=name,
        tooltip=f"Make the selected sections {name.lower()}",
        checked=lambda c: when.selected_sections_have_colour(c, index),
    )


GRAPH: tuple[Action, ...] = (
    sheet_action("quick_add", quick_add, on_canvas=True),
    sheet_action("label", lambda c: c.canvas.editing.label(), when.label_target_selected),
    sheet_action(
        "edit_value",
        lambda c: c.canvas.editing.fields.edit_value(c.selection.focus),
        when.leaf_or_constant_selected,
    ),
    sheet_action("mark_root", mark_root, when.root_candidate_selected),
    sheet_action("activate_root", activate_root, when.inactive_root_selected),
    sheet_action("toggle_constant", toggle_constant, when.leaf_or_constant_selected),
    sheet_action("unfold", unfold, when.unfoldable_selected),
    sheet_action("fold", fold, when.foldable_selected),
    sheet_action("arrange", lambda c: c.canvas.editing.arrange(), when.has_nodes),
    sheet_action(
        "arrange_selection",
        lambda c: c.canvas.editing.arrange(only_selected=True),
        when.nodes_selected,
    ),
    sheet_action(
        "arrange_down", lambda c: c.canvas.editing.arrange(direction="TB"), when.has_nodes
    ),
    sheet_action(
        "arrange_selection_down",
        lambda c: c.canvas.editing.arrange(only_selected=True, direction="TB"),
        when.nodes_selected,
    ),
)


OPERATIONS: tuple[Action, ...] = tuple(_change_op_action(op) for op in OPS)


GROUPS: tuple[Action, ...] = (
    sheet_action("group", lambda c: c.canvas.groups.make(), when.nodes_selected),
    sheet_action("collapse_group", lambda c: c.canvas.groups.collapse(), when.group_selected),
    sheet_action("enter_group", lambda c: c.canvas.groups.enter_selected(), when.group_selected),
    sheet_action("unpack_group", lambda c: c.canvas.groups.unpack(), when.group_selected),
)


SECTIONS: tuple[Action, ...] = (
    sheet_action("section", add_section),
    sheet_action("next_section", select_next_section, when.has_sections),
    sheet_action("select_content", select_section_content, when.section_selected),
    *(_colour_action(index, name) for index, name in enumerate(COLOURS)),
)
