"""When an action can be done: one question each, asked of the context."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.graph import Constant, Leaf, OpNode, Root

if TYPE_CHECKING:
    from app.window.context import Context


def has_nodes(context: Context) -> bool:
    """Something stands on the sheet."""
    return bool(context.document.graph.nodes)


def can_undo(context: Context) -> bool:
    """There is a step to take back."""
    return context.document.stack.canUndo()


def can_redo(context: Context) -> bool:
    """There is a step to do again."""
    return context.document.stack.canRedo()


def some_chosen(context: Context) -> bool:
    """Nodes are chosen."""
    return bool(context.selection.nodes)


def anything_chosen(context: Context) -> bool:
    """Nodes, wires or sections are chosen."""
    return context.selection.anything


def content_chosen(context: Context) -> bool:
    """Nodes or sections are chosen."""
    return bool(context.selection.nodes or context.selection.sections)


def one_chosen(context: Context) -> bool:
    """Exactly one node is chosen."""
    return context.selection.only is not None


def op_chosen(context: Context) -> bool:
    """Exactly one op node is chosen."""
    return isinstance(_only(context), OpNode)


def op_is(context: Context, name: str) -> bool:
    """Exactly one op node is chosen, and it is this operation."""
    node = _only(context)
    return isinstance(node, OpNode) and node.op == name


def wires_chosen(context: Context) -> bool:
    """Wires are chosen."""
    return bool(context.selection.wires)


def number_chosen(context: Context) -> bool:
    """Exactly one leaf or constant is chosen."""
    return isinstance(_only(context), Leaf | Constant)


def group_chosen(context: Context) -> bool:
    """Every node of some group is chosen."""
    return bool(context.canvas.groups.chosen())


def markable_chosen(context: Context) -> bool:
    """Exactly one node is chosen that could be the root."""
    node = _only(context)
    return node is not None and not isinstance(node, Root)


def section_chosen(context: Context) -> bool:
    """Sections are chosen."""
    return bool(context.selection.sections)


def section_colour_is(context: Context, place: int) -> bool:
    """Sections are chosen, and all have this colour of `COLOURS`."""
    sections = context.document.sheet.sections
    chosen = [sections[n] for n in context.selection.sections if n in sections]
    return bool(chosen) and all(section.colour == place for section in chosen)


def has_sections(context: Context) -> bool:
    """There are sections on the sheet."""
    return bool(context.document.sheet.sections)


def labelled_chosen(context: Context) -> bool:
    """Exactly one node that can have a label is chosen, or one section, or a group."""
    one = markable_chosen(context) or context.selection.section is not None
    return one or group_chosen(context)


def other_root_chosen(context: Context) -> bool:
    """A Root is chosen that is not the active one."""
    chosen = isinstance(_only(context), Root)
    return chosen and context.selection.only != context.document.graph.active_root


def in_a_pass(context: Context) -> bool:
    """A forward or backward pass is shown."""
    return context.playback.phase != "live"


def can_step_back(context: Context) -> bool:
    """A pass is shown and has begun."""
    return in_a_pass(context) and context.playback.cursor > 0


def needs_zeroing(context: Context) -> bool:
    """A mistake is on that forgets to zero gradients."""
    rules = context.playback.rules
    return rules.passes > 1 and rules.zeroed != "all"


def _only(context: Context) -> object:
    only = context.selection.only
    return None if only is None else context.document.graph.nodes.get(only)
