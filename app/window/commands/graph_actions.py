"""Actions that edit the graph: nodes, operations, labels, roots, layout, groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from app.canvas.scene.hit_test import content
from app.document.boxes import COLOURS
from app.window.actions import sheet_action
from app.window.commands import when as when
from engine.graph import Constant, brief
from engine.names import numbered_label
from engine.ops import OPS, Op

if TYPE_CHECKING:
    from app.panels.numeric import NumericPage
    from app.window.context import Context


@sheet_action(
    "&Add a node…", "Tab", icon="plus", on_canvas=True, search="insert create operation node plus"
)
def quick_add(context: Context) -> None:
    """Add a node by typing its name."""
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


@sheet_action(
    "&Mark as root",
    enabled=when.root_candidate_selected,
    icon="flag",
    search="output loss seed end",
)
def mark_root(context: Context) -> None:
    """The number whose gradients are wanted."""
    node = context.selection.only
    if node is not None:
        context.document.mark_root(node)


@sheet_action(
    "Write an operation…", icon="plus", search="own rule function derivative backward mine"
)
def write_operation(context: Context) -> None:
    """Write an operation of your own, with its backward rule, which is judged while you type."""
    page = cast("NumericPage", context.shell.show_page("numeric"))
    page.show_face("rule")
    page.rule.write_new()
    page.rule.name.setFocus()


@sheet_action("Make this the active root", enabled=when.inactive_root_selected)
def activate_root(context: Context) -> None:
    """Compute the gradients of this root."""
    node = context.selection.only
    if node is not None:
        context.document.set_active_root(node)


@sheet_action(
    "&Unfold into simpler operations",
    enabled=when.unfoldable_selected,
    search="expand decompose open parts",
)
def unfold(context: Context) -> None:
    """Open the selected operation in place into those that it is made of."""
    node = context.selection.only
    if node is not None:
        context.document.unfolding.open(node)


@sheet_action(
    "&Fold into one operation", enabled=when.foldable_selected, search="collapse simplify"
)
def fold(context: Context) -> None:
    """Close the parts of an operation that end in the selected node."""
    node = context.selection.only
    if node is not None:
        context.document.unfolding.close(node)


@sheet_action(
    "Make leaf or constant",
    enabled=when.leaf_or_constant_selected,
    search="freeze fixed parameter const",
)
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


def _change_op_action(op: Op) -> None:
    @sheet_action(
        op.name,
        id=f"op-{op.name}",
        enabled=when.op_selected,
        tooltip=f"Make the selected node a {op.name}; wires stay where it has a slot for them",
        checked=lambda c: when.selected_op_is(c, op.name),
    )
    def use(context: Context) -> None:
        change_op(context, op.name)


@sheet_action("&Draw group", "Ctrl+Shift+G", search="section frame box comment annotate")
def draw_group(context: Context) -> None:
    """Draw a titled box around the selection; it moves what lies in it."""
    context.shell.show_work()
    context.canvas.editing.draw_group()


def colour_selected_groups(context: Context, index: int) -> None:
    """Give the selected groups the colour at an index of `COLOURS`, as one step of undo."""
    gesture = context.document.new_gesture()
    for number in context.canvas.groups.selected_groups():
        context.document.groups.colour(number, index, gesture)


@sheet_action("Select next drawn group", "Shift+S", when.has_frames)
def next_group(context: Context) -> None:
    """Select the drawn groups one after the other."""
    context.shell.show_work()
    context.selection.choose_next_frame()
    context.canvas.framing.show_groups(context.selection.frames)


@sheet_action("Select what lies in group", enabled=when.frame_selected)
def select_content(context: Context) -> None:
    """Select the nodes and groups in the selected drawn group as well."""
    context.selection.add(*content(context.canvas.scene, context.selection.frames))


def _colour_action(index: int, name: str) -> None:
    @sheet_action(
        name,
        id=f"group_colour-{name.lower()}",
        enabled=when.group_selected,
        tooltip=f"Make the selected groups {name.lower()}",
        checked=lambda c: when.selected_groups_have_colour(c, index),
    )
    def use(context: Context) -> None:
        colour_selected_groups(context, index)


@sheet_action("&Label", "F2", when.label_target_selected, search="rename name title")
def label(context: Context) -> None:
    """Give the selected node another label, or the selected group another title."""
    context.canvas.editing.label()


@sheet_action(
    "Edit &value", enabled=when.leaf_or_constant_selected, search="number data change set"
)
def edit_value(context: Context) -> None:
    """Type another value for the selected leaf or constant."""
    context.canvas.editing.fields.edit_value(context.selection.focus)


@sheet_action(
    "A&rrange", "Ctrl+L", when.has_nodes, icon="arrange", search="layout tidy order clean align"
)
def arrange(context: Context) -> None:
    """Lay out the whole graph from left to right."""
    context.canvas.editing.arrange()


@sheet_action("Arrange selection", "Ctrl+Shift+L", when.nodes_selected)
def arrange_selection(context: Context) -> None:
    """Lay out the selected nodes from left to right."""
    context.canvas.editing.arrange(only_selected=True)


@sheet_action("Arrange from top to bottom", enabled=when.has_nodes, search="vertical layout")
def arrange_down(context: Context) -> None:
    """Lay out the whole graph from top to bottom."""
    context.canvas.editing.arrange(direction="TB")


@sheet_action("Arrange selection from top to bottom", enabled=when.nodes_selected)
def arrange_selection_down(context: Context) -> None:
    """Lay out the selected nodes from top to bottom."""
    context.canvas.editing.arrange(only_selected=True, direction="TB")


for op in OPS:
    _change_op_action(op)


@sheet_action("&Group selection", "Ctrl+G", when.nodes_selected, search="combine box module block")
def group(context: Context) -> None:
    """Show the selected nodes as one."""
    context.canvas.groups.make()


@sheet_action("Open or collapse group", "Ctrl+J", when.group_selected)
def collapse_group(context: Context) -> None:
    """Show the parts of the selected group in place, or show it as one again."""
    context.canvas.groups.collapse()


@sheet_action("Look inside group", "Ctrl+Return", when.group_of_nodes_selected)
def enter_group(context: Context) -> None:
    """Show nothing but the inside of the selected group; Backspace leaves it."""
    context.canvas.groups.enter_selected()


@sheet_action("Unpack group", "Ctrl+U", when.group_selected)
def unpack_group(context: Context) -> None:
    """Take the group away and leave what is in it."""
    context.canvas.groups.unpack()


for index, name in enumerate(COLOURS):
    _colour_action(index, name)
