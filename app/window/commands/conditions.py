"""When an action can be done: one question each, asked of the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.graph import Constant, Leaf, OpNode, Root

if TYPE_CHECKING:
    from app.window.frame.main_window import MainWindow


def has_nodes(window: MainWindow) -> bool:
    """Something stands on the sheet."""
    return bool(window.document.graph.nodes)


def can_undo(window: MainWindow) -> bool:
    """There is a step to take back."""
    return window.document.stack.canUndo()


def can_redo(window: MainWindow) -> bool:
    """There is a step to do again."""
    return window.document.stack.canRedo()


def some_chosen(window: MainWindow) -> bool:
    """Nodes are chosen."""
    return bool(window.selection.nodes)


def anything_chosen(window: MainWindow) -> bool:
    """Nodes, wires or sections are chosen."""
    return window.selection.anything


def content_chosen(window: MainWindow) -> bool:
    """Nodes or sections are chosen."""
    return bool(window.selection.nodes or window.selection.sections)


def one_chosen(window: MainWindow) -> bool:
    """Exactly one node is chosen."""
    return window.selection.only is not None


def op_chosen(window: MainWindow) -> bool:
    """Exactly one op node is chosen."""
    return isinstance(_only(window), OpNode)


def op_is(window: MainWindow, name: str) -> bool:
    """Exactly one op node is chosen, and it is this operation."""
    node = _only(window)
    return isinstance(node, OpNode) and node.op == name


def wires_chosen(window: MainWindow) -> bool:
    """Wires are chosen."""
    return bool(window.selection.wires)


def number_chosen(window: MainWindow) -> bool:
    """Exactly one leaf or constant is chosen."""
    return isinstance(_only(window), Leaf | Constant)


def group_chosen(window: MainWindow) -> bool:
    """Every node of some group is chosen."""
    return bool(window.canvas.groups.chosen())


def markable_chosen(window: MainWindow) -> bool:
    """Exactly one node is chosen that could be the root."""
    node = _only(window)
    return node is not None and not isinstance(node, Root)


def section_chosen(window: MainWindow) -> bool:
    """Sections are chosen."""
    return bool(window.selection.sections)


def has_sections(window: MainWindow) -> bool:
    """There are sections on the sheet."""
    return bool(window.document.sheet.sections)


def labelled_chosen(window: MainWindow) -> bool:
    """Exactly one node that can have a label is chosen, or one section, or a group."""
    one = markable_chosen(window) or window.selection.section is not None
    return one or group_chosen(window)


def other_root_chosen(window: MainWindow) -> bool:
    """A Root is chosen that is not the active one."""
    chosen = isinstance(_only(window), Root)
    return chosen and window.selection.only != window.document.graph.active_root


def in_a_pass(window: MainWindow) -> bool:
    """A forward or backward pass is shown."""
    return window.playback.phase != "live"


def can_step_back(window: MainWindow) -> bool:
    """A pass is shown and has begun."""
    return in_a_pass(window) and window.playback.cursor > 0


def needs_zeroing(window: MainWindow) -> bool:
    """A mistake is on that forgets to zero gradients."""
    rules = window.playback.rules
    return rules.passes > 1 and rules.zeroed != "all"


def _only(window: MainWindow) -> object:
    only = window.selection.only
    return None if only is None else window.document.graph.nodes.get(only)
