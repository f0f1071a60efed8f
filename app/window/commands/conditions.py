"""Conditions of actions: each returns whether an action is enabled in a context."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.graph import Constant, Leaf, OpNode, Root

if TYPE_CHECKING:
    from app.window.context import Context


def has_nodes(context: Context) -> bool:
    """Return whether the sheet is not empty."""
    return bool(context.document.graph.nodes)


def can_undo(context: Context) -> bool:
    """Return whether a step can be undone."""
    return bool(context.document.done) and not context.document.locked


def can_redo(context: Context) -> bool:
    """Return whether a step can be redone."""
    return bool(context.document.undone) and not context.document.locked


def some_chosen(context: Context) -> bool:
    """Return whether nodes are selected."""
    return bool(context.selection.nodes)


def anything_chosen(context: Context) -> bool:
    """Return whether nodes, wires or sections are selected."""
    return context.selection.anything


def content_chosen(context: Context) -> bool:
    """Return whether nodes or sections are selected."""
    return bool(context.selection.nodes or context.selection.sections)


def op_chosen(context: Context) -> bool:
    """Return whether exactly one op node is selected."""
    return isinstance(_only(context), OpNode)


def unfoldable_chosen(context: Context) -> bool:
    """Return whether exactly one node is selected that is made of simpler operations."""
    node = context.selection.only
    return node is not None and context.document.unfolding.can_open(node)


def foldable_chosen(context: Context) -> bool:
    """Return whether exactly one node is selected that ends the parts of an operation."""
    node = context.selection.only
    return node is not None and bool(context.document.unfolding.closes_to(node))


def op_is(context: Context, name: str) -> bool:
    """Return whether exactly one op node is selected, and it is this operation."""
    node = _only(context)
    return isinstance(node, OpNode) and node.op == name


def wires_chosen(context: Context) -> bool:
    """Return whether wires are selected."""
    return bool(context.selection.wires)


def number_chosen(context: Context) -> bool:
    """Return whether exactly one leaf or constant is selected."""
    return isinstance(_only(context), Leaf | Constant)


def group_chosen(context: Context) -> bool:
    """Return whether every node of some group is selected."""
    return bool(context.canvas.groups.selected_groups())


def markable_chosen(context: Context) -> bool:
    """Return whether exactly one node is selected that could be the root and is none yet."""
    only = context.selection.only
    return (
        only is not None and _can_have_label(context) and not context.document.graph.has_root(only)
    )


def section_chosen(context: Context) -> bool:
    """Return whether sections are selected."""
    return bool(context.selection.sections)


def section_colour_is(context: Context, place: int) -> bool:
    """Return whether sections are selected that all have this colour of `COLOURS`."""
    sections = context.document.sheet.sections
    chosen = [sections[n] for n in context.selection.sections if n in sections]
    return bool(chosen) and all(section.colour == place for section in chosen)


def has_sections(context: Context) -> bool:
    """Return whether there are sections on the sheet."""
    return bool(context.document.sheet.sections)


def labelled_chosen(context: Context) -> bool:
    """Return whether one node that can have a label, one section, or a group is selected."""
    one = _can_have_label(context) or context.selection.section is not None
    return one or group_chosen(context)


def other_root_chosen(context: Context) -> bool:
    """Return whether a Root is selected that is not active."""
    chosen = isinstance(_only(context), Root)
    return chosen and context.selection.only != context.document.graph.active_root


def in_a_pass(context: Context) -> bool:
    """Return whether a forward or backward pass is shown."""
    return context.playback.phase != "live"


def in_a_pass_or_lesson(context: Context) -> bool:
    """Return whether there may be a step before: of a pass, or of a lesson."""
    return context.lessons.active or context.playback.phase != "live"


def by_hand(context: Context) -> bool:
    """Return whether a pass is done by hand."""
    return context.modes.by_hand.now is not None


def has_steps(context: Context) -> bool:
    """Return whether a pass could be stepped through: the sheet is not empty, nor by hand."""
    return has_nodes(context) and not by_hand(context)


def in_a_stepped_pass(context: Context) -> bool:
    """Return whether a pass is shown that is not done by hand."""
    return context.playback.phase != "live" and not by_hand(context)


def needs_zeroing(context: Context) -> bool:
    """Return whether the current mistake is one that forgets to zero gradients."""
    return context.playback.rules.leaves_gradients


def _can_have_label(context: Context) -> bool:
    node = _only(context)
    return node is not None and not isinstance(node, Root)


def _only(context: Context) -> object:
    only = context.selection.only
    return None if only is None else context.document.graph.nodes.get(only)
