"""Actions for a pass by hand."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from app.window.actions import Action
from app.window.commands import conditions as when

if TYPE_CHECKING:
    from app.window.context import Context

_by_hand = partial(Action, enabled=when.by_hand)


def may_force(context: Context) -> bool:
    """Return whether a node was refused that could fire all the same."""
    run, graph = context.modes.by_hand.now, context.playback.frame.graph
    return run is not None and run.refused is not None and run.may_force(graph, run.refused)


BY_HAND: tuple[Action, ...] = (
    Action(
        "by_hand",
        "D&o the pass by hand",
        lambda c: c.modes.by_hand.toggle(),
        ("H",),
        icon="by_hand",
        tip="Set the seed, then click the node that fires next; any valid order is right",
        checked=when.by_hand,
    ),
    _by_hand(
        "take_turn",
        "Take the &next turn for me",
        lambda c: c.modes.by_hand.take_turn(),
        tip="Take the turn that the program would take",
    ),
    _by_hand(
        "take_back",
        "&Take back",
        lambda c: c.modes.by_hand.take_back(),
        icon="undo",
        tip="Take back the last turn; Backspace does so, too",
    ),
    _by_hand(
        "fire_anyway",
        "&Fire anyway",
        lambda c: c.modes.by_hand.force(),
        ("Shift+Return", "Shift+Enter"),
        tip="Let the refused node fire before all has come, and see the damage",
        enabled=may_force,
    ),
    _by_hand(
        "hand_hint",
        "&Hint",
        lambda c: c.modes.by_hand.hint(),
        icon="hint",
        tip="How many nodes may fire; once more: which one",
    ),
    _by_hand(
        "show_ready",
        "&Show who is ready",
        lambda c: c.modes.by_hand.set_shows_ready(not c.modes.by_hand.shows_ready),
        tip="Mark the nodes that may fire now",
        checked=lambda c: c.modes.by_hand.shows_ready,
    ),
)
