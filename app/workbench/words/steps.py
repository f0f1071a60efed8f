"""Step words: what is said of the step just taken, and of the next one.

A collapsed group fires as one node, so its steps are told as one.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

from app.controls.rich_text import Span, Spans, filled
from app.style.notation import Notation
from app.workbench.gradients.chain_rule import figure
from app.workbench.gradients.comparison import Comparison
from app.workbench.gradients.verdict import on_step
from app.workbench.playback.collapsed_steps import (
    FoldedStep,
    collapsed_around,
    folded_done,
    folded_next,
)
from app.workbench.playback.view_state import ViewState
from app.workbench.words.narration import narrate, upcoming
from app.workbench.words.sentences import Voice
from engine.numbers import Digits, counted, short

_MOST = 3
"""Nodes that are named with their numbers; of more only the count is said."""


def step_text(
    shown: ViewState,
    voice: Voice,
    digits: Digits,
    notation: Notation = "partial",
    presented: bool = False,
) -> Spans:
    """Return what the step just taken did, and what the correct pass does there instead."""
    told = taken_text(shown, voice, digits, notation, presented)
    return told + correct_text(shown, digits)


def taken_text(
    shown: ViewState,
    voice: Voice,
    digits: Digits,
    notation: Notation = "partial",
    presented: bool = False,
) -> Spans:
    """Return what the step just taken did."""
    if several := _group_told(shown, digits):
        return several
    return narrate(shown.frame, voice, digits, shown.comparison, notation, presented)


def correct_text(shown: ViewState, digits: Digits) -> Spans:
    """Return what the correct pass does instead of the step just taken, if that goes wrong."""
    return () if folded_done(shown) else on_step(shown.frame, shown.comparison, digits)


def next_step_text(shown: ViewState, digits: Digits) -> Spans:
    """Return what comes next, without its number."""
    return _group_next_told(shown) or upcoming(shown.frame, digits)


def _group_told(shown: ViewState, digits: Digits) -> Spans:
    """Return what a collapsed group has just done in several steps; nothing of a single step."""
    done, frame = folded_done(shown), shown.frame
    if done is None:
        return ()
    forward = frame.phase == "forward"
    sweeps = frame.trace is not None and frame.trace.rules.passes > 1 and not forward
    spans = filled(
        "{sweep}**{group}** {acts} in steps {first} to {last}{told}.",
        sweep=Span(f"Pass {frame.sweep}: ", "secondary") if sweeps else (),
        group=done.title,
        acts="is computed" if forward else "fires",
        first=f"{done.steps.start + 1:,}",
        last=f"{done.steps.stop:,}",
        told=_enumerated(shown, _outputs(shown, done), "{name} = {number}", digits)
        if forward
        else _enumerated(shown, _receivers(shown, done), "{name} now holds {number}", digits),
    )
    return (*spans, *_differing(done, shown.comparison))


def _group_next_told(shown: ViewState) -> Spans:
    """Return which collapsed group fires next, if the next step is several of the pass."""
    coming, cursor = folded_next(shown), shown.frame.cursor
    if coming is None or coming.steps.stop == cursor + 1:
        return ()
    return filled(
        "next: {group}, steps {first} to {last}",
        "secondary",
        group=coming.title,
        first=f"{cursor + 1:,}",
        last=f"{coming.steps.stop:,}",
    )


def _receivers(shown: ViewState, done: FoldedStep) -> Mapping[int, float]:
    """Return what nodes outside hold now to which the group has sent contributions."""
    frame = shown.frame
    assert frame.trace is not None
    events = (frame.trace.events[k] for k in done.steps)
    return {e.node: frame.grads[e.node] for e in events if e.node not in done.members}


def _outputs(shown: ViewState, done: FoldedStep) -> Mapping[int, float]:
    """Return the values that nodes outside read, or that are the root's."""
    frame, graph = shown.frame, shown.frame.graph
    assert frame.trace is not None
    computed = (frame.trace.schedule.actors[k] for k in done.steps)
    return {
        node: frame.values[node]
        for node in computed
        if node == graph.root or any(t not in done.members for t, _slot in graph.outgoing[node])
    }


def _enumerated(
    shown: ViewState, numbers: Mapping[int, float], template: str, digits: Digits
) -> Spans:
    """Return numbers with their names after a colon; of many the rest is counted."""
    role = "value" if shown.frame.phase == "forward" else "gradient"
    spans: list[Span] = []
    for node in islice(numbers, _MOST):
        number = figure(numbers[node], role, short(numbers[node], digits))
        name = Span(_name(shown, node), bold=True)
        spans += [Span(", " if spans else ": "), *filled(template, name=name, number=number)]
    if not numbers:
        return (Span("; all of it stays inside"),)
    if len(numbers) > _MOST:
        spans.append(Span(f" and {len(numbers) - _MOST:,} more"))
    return tuple(spans)


def _name(shown: ViewState, node: int) -> str:
    """Return the name of a node, and of the collapsed group that hides it, unless it has fired."""
    groups, name = shown.sheet.groups, shown.frame.graph.brief(node)
    hidden_by = collapsed_around(groups, node, shown.inside)
    done = folded_done(shown)
    if hidden_by is None or (done is not None and node in done.members):
        return name
    return f"{name} in {groups[hidden_by].title}"


def _differing(done: FoldedStep, beside: Comparison | None) -> Spans:
    """Return how many of the steps go wrong under the mistake that is on."""
    wrong = 0 if beside is None else sum(k + 1 in beside.wrong for k in done.steps)
    if not wrong:
        return ()
    told = counted(
        wrong, "{count} of these steps goes wrong.", "{count:,} of these steps go wrong."
    )
    return (Span(" "), Span(f"✗ {told}", "error"))
