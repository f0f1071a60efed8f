"""Actions for the ripple: a small change of one number, run forward."""

from __future__ import annotations

from app.window.actions import Action
from app.window.commands import conditions as when

RIPPLE: tuple[Action, ...] = (
    Action(
        "ripple",
        "R&ipple",
        lambda c: c.ripples.toggle(),
        ("N",),
        tip="Change the selected number a little, and see what it changes up to the root",
        enabled=when.has_nodes,
        checked=lambda c: c.ripples.on,
    ),
    Action(
        "ripple_down",
        "Ripple: lower the change",
        lambda c: c.ripples.lower(),
        ("Shift+N",),
        tip="From 1 to 0.1, 0.01 and 0.001, then again from 1",
        enabled=lambda c: c.ripples.on,
    ),
)
