"""Actions that go to a place in time: breakpoints, and when a gradient became final."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.window.actions import Action, sheet_action
from app.window.commands import conditions as when
from engine.graph import Constant, Root
from engine.rules import CORRECT, UNKNOWN

if TYPE_CHECKING:
    from app.window.context import Context


def _node(context: Context) -> int | None:
    """Return the selected node; for a Root the node plugged into it."""
    only = context.selection.only
    found = None if only is None else context.document.graph.nodes.get(only)
    return found.input if isinstance(found, Root) else only


def gradient_chosen(context: Context) -> bool:
    """Return whether one node is selected that has a gradient, and nothing is asked."""
    node = _node(context)
    if node is None or context.playback.now.asks:
        return False
    return not isinstance(context.document.graph.nodes.get(node), Constant)


def wrong_chosen(context: Context) -> bool:
    """Return whether such a node is selected, and a mistake is on that may be known."""
    return gradient_chosen(context) and context.playback.rules not in (CORRECT, UNKNOWN)


def toggle(context: Context) -> None:
    """Set or clear the breakpoint of the selected node, or ask for a selection."""
    node = _node(context)
    if node is None:
        context.messages.toast("Select a node first: passes then stop there.")
    else:
        context.time_machine.toggle(node)


def to_final(context: Context) -> None:
    """Go to where the gradient of the selected node became final."""
    node = _node(context)
    if node is not None:
        context.time_machine.to_final(node)


def to_first_wrong(context: Context) -> None:
    """Go to where the gradient of the selected node first went wrong."""
    node = _node(context)
    if node is not None:
        context.time_machine.to_first_wrong(node)


TIME_MACHINE: tuple[Action, ...] = (
    sheet_action(
        "toggle_break",
        "Stop at this &node",
        toggle,
        ("F9",),
        tip="Stop a pass whenever the selected node fires or receives",
        enabled=when.has_nodes,
        checked=lambda c: _node(c) in c.time_machine.breakpoints,
    ),
    sheet_action(
        "run_on",
        "&Run to the next stop",
        lambda c: c.time_machine.run_on(),
        ("F8",),
        tip="Go on to the next step at which a node with a stop fires or receives",
        enabled=when.has_steps,
    ),
    sheet_action(
        "clear_breaks",
        "&Clear all stops",
        lambda c: c.time_machine.clear(),
        tip="Let passes run through again",
        enabled=lambda c: bool(c.time_machine.breakpoints),
    ),
    sheet_action(
        "to_final",
        "Go to where its gradient became &final",
        to_final,
        tip="Go to the last step at which the selected node receives",
        enabled=gradient_chosen,
    ),
    sheet_action(
        "to_first_wrong",
        "Go to where its gradient first went &wrong",
        to_first_wrong,
        tip="Go to the first step at which the mistake shows in the selected node",
        enabled=wrong_chosen,
    ),
)
