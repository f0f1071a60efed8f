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
    document = context.document
    return len(document.done) > document.undo_floor and not document.locked


def can_redo(context: Context) -> bool:
    """Return whether a step can be redone."""
    return bool(context.document.undone) and not context.document.locked


def nodes_selected(context: Context) -> bool:
    return bool(context.selection.nodes)


def anything_selected(context: Context) -> bool:
    """Return whether nodes, wires or drawn groups are selected."""
    return context.selection.anything


def content_selected(context: Context) -> bool:
    """Return whether nodes or drawn groups are selected."""
    return bool(context.selection.nodes or context.selection.frames)


def op_selected(context: Context) -> bool:
    """Return whether exactly one op node is selected."""
    return isinstance(_only_node(context), OpNode)


def unfoldable_selected(context: Context) -> bool:
    """Return whether exactly one node is selected whose operation unfolds into simpler ones."""
    node = context.selection.only
    return node is not None and context.document.unfolding.can_open(node)


def foldable_selected(context: Context) -> bool:
    """Return whether exactly one node is selected that is the output of an unfolded operation."""
    node = context.selection.only
    return node is not None and bool(context.document.unfolding.closes_to(node))


def selected_op_is(context: Context, name: str) -> bool:
    """Return whether exactly one op node is selected, and it is this operation."""
    node = _only_node(context)
    return isinstance(node, OpNode) and node.op == name


def wires_selected(context: Context) -> bool:
    return bool(context.selection.wires)


def leaf_or_constant_selected(context: Context) -> bool:
    return isinstance(_only_node(context), Leaf | Constant)


def group_selected(context: Context) -> bool:
    """Return whether a drawn group, or every node of some group, is selected."""
    return bool(context.canvas.groups.selected_groups())


def group_of_nodes_selected(context: Context) -> bool:
    return any(g not in context.selection.frames for g in context.canvas.groups.selected_groups())


def root_candidate_selected(context: Context) -> bool:
    """Return whether exactly one node is selected that could be the root and is none yet."""
    only = context.selection.only
    return (
        only is not None and _can_have_label(context) and not context.document.graph.has_root(only)
    )


def frame_selected(context: Context) -> bool:
    """Return whether drawn groups are selected."""
    return bool(context.selection.frames)


def selected_groups_have_colour(context: Context, colour: int) -> bool:
    """Return whether groups are selected that all have this colour, an index of `COLOURS`."""
    chosen, groups = context.canvas.groups.selected_groups(), context.document.sheet.groups
    return bool(chosen) and all(groups[n].colour == colour for n in chosen)


def has_frames(context: Context) -> bool:
    """Return whether there are drawn groups on the sheet."""
    return bool(context.document.sheet.drawn)


def label_target_selected(context: Context) -> bool:
    """Return whether one node that can have a label, or a group is selected."""
    return _can_have_label(context) or group_selected(context)


def inactive_root_selected(context: Context) -> bool:
    chosen = isinstance(_only_node(context), Root)
    return chosen and context.selection.only != context.document.graph.active_root


def in_a_pass(context: Context) -> bool:
    """Return whether a forward or backward pass is shown."""
    return context.playback.phase != "live"


def has_step_before(context: Context) -> bool:
    """Return whether there may be a step to go back to: of a pass, a lesson, or Descent."""
    phase = context.playback.phase
    return context.guides.active or context.descents.shown or phase != "live"


def by_hand(context: Context) -> bool:
    """Return whether a pass is done by hand."""
    return context.modes.by_hand.now is not None


def has_steps(context: Context) -> bool:
    """Return whether a pass could be stepped through: there are nodes, and none is done by hand."""
    return has_nodes(context) and not by_hand(context)


def in_a_stepped_pass(context: Context) -> bool:
    """Return whether a pass is shown that is not done by hand."""
    return context.playback.phase != "live" and not by_hand(context)


def needs_zeroing(context: Context) -> bool:
    """Return whether the current mistake is one that forgets to zero gradients."""
    return context.playback.rules.keeps_old_gradients


def _can_have_label(context: Context) -> bool:
    """Return whether exactly one node is selected that is no Root."""
    node = _only_node(context)
    return node is not None and not isinstance(node, Root)


def _only_node(context: Context) -> object:
    """Return the node object that is selected alone, or None."""
    only = context.selection.only
    return None if only is None else context.document.graph.nodes.get(only)
