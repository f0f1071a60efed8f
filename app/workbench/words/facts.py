"""StepFacts: what one step of a backward pass is, as numbers and node ids, without any text."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from engine.trace import Trace


class StepFacts(Struct, frozen=True):
    """Who sends what to whom in one step.

    The seed and a gradient set back to 0 have no `sender` and `slot`: both are None. `first` says
    that the receiver got nothing before this in its sweep, `arrived` of `expected` contributions
    have come with this step, `sweep` of `sweeps` is the pass of a mistake that runs backward twice.
    `adds` is False where a contribution replaces what the receiver held.
    """

    kind: Literal["seed", "contribution", "zero"]
    sender: int | None
    slot: int | None
    receiver: int
    upstream: float
    local: float
    contribution: float
    before: float
    after: float
    first: bool
    arrived: int
    expected: int
    sweep: int
    sweeps: int
    adds: bool


def step_facts(trace: Trace, step: int) -> StepFacts:
    """Return the facts of a step of a backward pass, counted from 1."""
    event = trace.events[step - 1]
    places = [
        k
        for k in trace.schedule.arrivals.get(event.node, ())
        if trace.events[k].sweep == event.sweep
    ]
    arrived = sum(k < step for k in places)
    wire = event.wire
    return StepFacts(
        event.kind,
        None if wire is None else event.target,
        None if wire is None else event.slot,
        event.node,
        event.upstream,
        event.local,
        event.contribution,
        event.before,
        event.after,
        arrived <= 1,
        arrived,
        len(places),
        event.sweep,
        trace.rules.passes,
        trace.rules.accumulate,
    )
