"""Narration: one sentence for the step that has just happened, in one of three voices.

A sentence is a tuple of spans, each with the role that gives its colour; `plain_text` joins them
for a screen reader. Sentences are in the present tense, name the sender first, and the receiver by
label.
"""

from __future__ import annotations

import math
from typing import Literal

from msgspec.structs import replace

from app.controls.rich_text import Span, Spans, filled
from app.style.notation import Notation
from app.workbench.chain_rule import figure
from app.workbench.comparison import Comparison
from app.workbench.formulas import (
    derivative_text,
    grad_name,
    names_text,
    term,
    values_text,
    variable,
)
from app.workbench.listing import event_code, forward_code
from app.workbench.words.maths_voice import as_maths
from engine.frame import Frame
from engine.graph import ASIDE, LONGEST_NAME, Graph
from engine.numbers import ASKED, DIGITS_SHOWN, HIDDEN, Digits, short, signed
from engine.problems import by_convention, first_not_finite, pass_obstacle, spoken
from engine.rules import CORRECT, UNKNOWN
from engine.trace import Computed, Event

Voice = Literal["plain", "maths", "code"]
REMOTE = "PageDown"
"""The key of a remote that goes on, whatever comes next."""
VOICES: tuple[Voice, ...] = ("plain", "maths", "code")


def narrate(
    frame: Frame,
    voice: Voice = "plain",
    digits: Digits = DIGITS_SHOWN,
    beside: Comparison | None = None,
    notation: Notation = "partial",
    presented: bool = False,
) -> Spans:
    """Return what the step just taken does; outside a pass, what can be done.

    In a presentation, which has no buttons, it is done with a key of the remote. In the maths voice
    a wrong pass is compared with the correct one, which is run here unless given.
    """
    current = frame.current
    if frame.trace is not None and frame.trace.rules is UNKNOWN:
        voice = "plain"  # the others show the rule
    if isinstance(current, Event):
        return _Teller(frame, digits, beside, notation).backward(current, voice)
    if isinstance(current, Computed):
        return _Teller(frame, digits).forward(current, voice)
    return _before(frame, presented)


def upcoming(frame: Frame, digits: Digits = DIGITS_SHOWN) -> Spans:
    """Return what comes next without its number; while a learner is asked, with what is shown."""
    step = frame.upcoming
    if step is None and frame.end_hidden:
        return ()
    if step is None:
        return filled("end of the pass", "secondary") if frame.phase != "live" else ()
    graph = frame.graph
    if isinstance(step, Computed):
        return filled("next: {node}", "secondary", node=spoken(graph, step.node, brief=True))
    receiver = graph.brief(step.node)
    if step.kind == "seed":
        return filled("next: the seed at {receiver}", "secondary", receiver=receiver)
    if step.kind == "zero":
        return filled("next: {receiver} back to 0", "secondary", receiver=receiver)
    sent = figure(step.contribution, "gradient", signed(step.contribution, digits))
    return filled(
        "next: {node} to {receiver} = {sent}" if frame.asked else "next: {node} to {receiver}",
        "secondary",
        node=spoken(graph, step.target, brief=True),
        receiver=receiver,
        sent=Span(ASKED, "selection", bold=True) if step.contribution is HIDDEN else sent,
    )


def _before(frame: Frame, presented: bool) -> Spans:
    """Return the sentence before the first step."""
    if frame.phase == "live":
        return _before_a_pass(frame.graph, presented)
    step = REMOTE if presented else "Step"
    if frame.phase == "forward":
        known = "Leaves and constants are known. Press **{step}** to compute the first node."
        return filled(known, step=step)
    seeds = "No gradient is known yet. Press **{step}** to seed the root with 1."
    if frame.trace is not None and frame.trace.rules is UNKNOWN:
        seeds = "No gradient is known yet. Press **{step}** to see what this program does."
    return filled(seeds, step=step)


def _before_a_pass(graph: Graph, presented: bool) -> Spans:
    if not graph.nodes:
        if presented:
            return filled("Nothing to run yet.")
        return filled("Nothing to run yet. Press Tab on the canvas to add a node.")
    problem = pass_obstacle(graph)
    several = problem is not None and graph.active_root is None and len(graph.sinks()) > 1
    if problem is not None and several and not presented:
        # no button offers the only node that can be meant
        return filled("{choose} Select its node and press **Backward**.", choose=problem.sentence)
    if problem is not None:
        return (Span(problem.sentence),)
    assert graph.root is not None
    return filled(
        "Every value is known. Press **{backward}** to start at {root}.",
        backward=REMOTE if presented else "Backward",
        root=graph.brief(graph.root),
    )


def _joined(spans: Spans, remark: Spans) -> Spans:
    """Join a step and a remark; separated, as `= inf ÷ (w)` would read as a quotient."""
    if not remark:
        return spans
    return (*spans, Span(" " if spans[-1].text.endswith(".") else ". "), *remark)


def _quiet_aside(graph: Graph, node: int, text: str) -> Spans:
    """Return a text about a node in bold, but with the name beside its label, if any, in grey."""
    aside = f"{ASIDE}{graph.name_beside(node)}"
    head, found, tail = text.rpartition(aside) if aside != ASIDE else ("", "", text)
    spans = (Span(head, bold=True), Span(found, "secondary"), Span(tail, bold=True))
    return tuple(span for span in spans if span.text)


class _Teller:
    """Says steps of one frame."""

    def __init__(
        self,
        frame: Frame,
        digits: Digits,
        beside: Comparison | None = None,
        notation: Notation = "partial",
    ) -> None:
        assert frame.trace is not None
        self.beside = beside
        self.frame = frame
        self.trace = frame.trace
        self.graph = frame.graph
        self.digits: Digits = digits
        self.notation: Notation = notation

    def forward(self, step: Computed, voice: Voice) -> Spans:
        """Say that an op node gets its value."""
        spans = filled(
            {
                "plain": "**{name}** = {formula} = {numbers} = {value}.",
                "maths": "**{name}** = {formula} = {numbers} = {value}",
                "code": "{code}  # {numbers} = {value}",
            }[voice],
            "secondary" if voice == "code" else "text",
            name=term(self.graph, step.node, LONGEST_NAME),
            formula=names_text(self.graph, step.node, self.digits),
            numbers=self._inputs(step.node),
            value=figure(step.value, "value", self._short(step.value)),
            code=Span(forward_code(self.graph, step.node), code=True),
        )
        return _joined(spans, self._bad_value(step))

    def _bad_value(self, step: Computed) -> Spans:
        if math.isfinite(step.value):
            return ()
        problem = first_not_finite(self.graph, self.trace.values)
        if problem is None or problem.node != step.node:
            return ()
        return (Span(problem.sentence, "error"),)

    def backward(self, event: Event, voice: Voice) -> Spans:
        """Say the seed, a contribution, or a gradient set back to 0."""
        if voice == "maths" and event.wire is not None:
            spans = as_maths(self.frame, event, self.digits, self.beside, self.notation)
        else:
            role = "secondary" if voice == "code" else "text"
            spans = filled(self._template(event, voice), role, **self._fields(event, voice))
        if self.trace.rules.passes > 1:
            sweep = Span(f"Pass {event.sweep}: ", "secondary")
            spans = filled("{sweep}{sentence}", sweep=sweep, sentence=spans)
        return _joined(spans, self._remark(event))

    def _template(self, event: Event, voice: Voice) -> str:
        """Return the sentence about an event, but for a contribution as an equation."""
        if event.kind == "seed" and event.after != CORRECT.seed:
            return {
                "plain": "**{receiver}** starts with grad {one}, not 1: every gradient will be"
                " {one} × a derivative.",
                "maths": "{held_in} = {one}, not 1: every gradient will be {one} × a derivative.",
                "code": "{code}  # not 1, so every gradient will be this × a derivative",
            }[voice]
        if event.kind == "seed":
            return {
                "plain": "**{receiver}** starts with grad {one}: {itself} changes as fast"
                " as itself.",
                "maths": "{seeded} = {one}: {itself} changes as fast as itself.",
                "code": "{code}  # {itself} changes as fast as itself",
            }[voice]
        if event.kind == "zero":
            return {
                "plain": "**{receiver}** is set back from {held} to {after}.",
                "maths": "{held_in} = {after}.",
                "code": "{code}  # held {held}",
            }[voice]
        first, adds = self._first(event), self.trace.rules.accumulate
        if voice == "code":
            if first or not adds:
                return "{code}  # {product} = {after}"
            return "{code}  # {held} + ({product}) = {after}"
        if first:
            return (
                "**{node}** got {upstream} and passes {upstream} × {local} = {contribution}"
                " to **{receiver}**: now {after}."
            )
        if adds:
            return (
                "**{node}** got {upstream} and passes {upstream} × {local} = {contribution}"
                " to **{receiver}**, which held {held}: now {after}."
            )
        return (
            "**{node}** got {upstream} and passes {upstream} × {local} = {contribution}"
            " to **{receiver}**, which held {held}:"
            " {assigned} forgets the {held} and keeps {kept}."
        )

    def _fields(self, event: Event, voice: Voice) -> dict[str, Span | Spans | str]:
        """Return the fields of all sentences about an event; nobody sends a seed."""
        target = event.node if event.wire is None else event.target
        receiver, after = self.graph.brief(event.node), self._gradient(event.after)
        if self.graph.inputs(target).count(event.node) > 1:
            receiver = f"{receiver} (slot {event.slot + 1})"
        sent = signed(event.contribution, self.digits)
        name = variable(self.graph, event.node, LONGEST_NAME)
        return {
            "node": _quiet_aside(self.graph, target, spoken(self.graph, target, brief=True)),
            "receiver": _quiet_aside(self.graph, event.node, receiver),
            "itself": receiver,
            "held_in": grad_name(self.graph, event.node),
            "seeded": derivative_text(name, name, self.notation),
            "code": Span(event_code(self.trace, event), code=True) if voice == "code" else "",
            "upstream": self._gradient(event.upstream),
            "local": figure(event.local, "local", self._short(event.local)),
            "product": f"{self._short(event.upstream)} × {self._short(event.local)}",
            "contribution": figure(event.contribution, "gradient", sent),
            "held": self._short(event.before),
            "after": after,
            "one": Span(self._short(event.after), "root", bold=True),
            "assigned": Span("=", "error", bold=True),
            "kept": replace(after, role="error"),
        }

    def _remark(self, event: Event) -> Spans:
        """Remark on a convention for the derivative, or on numbers that become infinite or nan."""
        if event.wire is None:
            return ()
        op = self.graph.op(event.target)
        if by_convention(self.graph, event.wire, self.trace.values):
            return (Span(op.convention, "secondary"),)
        if math.isfinite(event.contribution) or self._bad_before():
            return ()
        problem = first_not_finite(self.graph, self.trace.values)
        if problem is not None:
            return (Span(problem.sentence, "error"),)
        if math.isfinite(event.local):
            return filled("Here the gradient grows past the largest number there is.", "error")
        local = self._short(event.local)
        return filled("Here the slope of {op} is {local}.", "error", op=op.symbol, local=local)

    def _bad_before(self) -> bool:
        """Return whether an earlier contribution of the pass was not finite already."""
        events = self.trace.events[: self.frame.cursor - 1]
        return any(not math.isfinite(event.contribution) for event in events)

    def _first(self, event: Event) -> bool:
        """Return whether the receiver got nothing before this."""
        places = self.trace.schedule.arrivals.get(event.node, ())
        return event.before == 0 and places[0] == self.frame.cursor - 1

    def _inputs(self, node: int) -> str:
        return values_text(self.trace.values, self.graph, node, self.digits)

    def _short(self, x: float) -> str:
        return short(x, self.digits)

    def _gradient(self, x: float) -> Span:
        return figure(x, "gradient", self._short(x))
