"""Question words: a question about a pass as it is put, and what is offered beside its answer."""

from __future__ import annotations

from app.controls.rich_text import Span, Spans, filled
from app.style.notation import Notation
from app.workbench.asking import Asking, Given, predicts
from app.workbench.chain_rule import figure
from app.workbench.formulas import (
    bracketed,
    grad_name,
    local_fraction,
    names_text,
    values_text,
)
from engine.errors import sentence
from engine.frame import Frame
from engine.graph import OpNode
from engine.numbers import DIGITS_SHOWN, Digits, short, signed
from engine.problems import spoken
from engine.study.grading import fields
from engine.study.question import Kind, Question, answer, event_of, facts, receiver
from engine.trace import Trace

_ASKED: dict[Kind, str] = {
    "value": "What is the value of {node}?",
    "local": "What is the slope of {node} along {receiver}?",
    "contribution": "What does {node} pass to {receiver}?",
    "sum": "What does {held_in} hold after this step?",
    "final": "What will {held_in} be at the end of the pass?",
    "sign": "Does {root} rise, fall or stay when {receiver} rises a little?",
}
_LED_TO = {
    "local": "**{node}** got {upstream}. What is its local derivative along **{receiver}**?",
    "first": "**{node}** got {upstream}. Its local derivative along {receiver} is {local}."
    " What goes to **{receiver}**?",
    "contribution": "**{node}** got {upstream}. Its local derivative along {receiver} is {local}."
    " What goes to **{receiver}**, which holds {before}?",
    "sum": "**{node}** passes {contribution} to **{receiver}**, which holds {before}."
    " What does it hold then?",
}
ROLES: dict[Kind, str] = {"value": "value", "local": "local"}
"""Colour of an answer, where it is not that of a gradient."""


def asked(question: Question, trace: Trace, digits: Digits = DIGITS_SHOWN) -> str:
    """Return a question as a sentence."""
    return sentence(
        _ASKED[question.kind],
        {
            **fields(question, trace, digits),
            "held_in": grad_name(trace.graph, receiver(question, trace)),
        },
    )


def put(asking: Asking | None, frame: Frame, digits: Digits = DIGITS_SHOWN) -> Spans:
    """Return the sentence that leads to what Predict asks now; () if it asks nothing."""
    trace = frame.whole
    question = None if asking is None or not predicts(asking) else asking.question(frame)
    if question is None or trace is None:
        return ()
    if question.wire is None:
        return filled(asked(question, trace, digits))
    at = facts(question, trace)
    numbers = {
        "upstream": figure(at.upstream, "gradient", short(at.upstream, digits)),
        "before": figure(at.before, "gradient", short(at.before, digits)),
    }
    if question.kind != "local":  # known by now
        numbers["local"] = figure(at.local, "local", short(at.local, digits))
    if question.kind == "sum":
        numbers["contribution"] = figure(
            at.contribution, "gradient", signed(at.contribution, digits)
        )
    kind = question.kind
    if kind == "contribution" and is_first(question, trace):
        kind = "first"
    return filled(
        _LED_TO[kind],
        node=spoken(trace.graph, question.node, brief=True),
        receiver=trace.graph.brief(receiver(question, trace)),
        **numbers,
    )


def is_first(question: Question, trace: Trace) -> bool:
    """Return whether the receiver gets nothing before the step asked about."""
    event = event_of(question, trace)
    return event is not None and trace.schedule.arrivals[event.node][0] == question.step - 1


def keys_told(asking: Asking | None, frame: Frame) -> Spans:
    """Return what the keys do while Predict has a question; () if it has none."""
    if asking is None or not predicts(asking) or asking.question(frame) is None:
        return ()
    told = "Enter checks, Esc closes" if asking.card_open else "Enter opens the card"
    return filled(told, "secondary")


def part(question: Question, trace: Trace, notation: Notation = "partial") -> Spans:
    """Return what is asked in a few words: `local derivative ∂e/∂a`, `contribution`."""
    graph = trace.graph
    received = receiver(question, trace)
    if question.kind == "local" and question.wire is not None:
        over, under = local_fraction(graph, question.wire, notation)
        return filled("local derivative {ratio}", ratio=Span(over, "local", under=under))
    return filled(
        {
            "value": "{name}",
            "contribution": "contribution",
            "sum": "new {held_in}",
            "final": "{held_in}",
        }.get(question.kind, question.kind),
        name=graph.brief(received, 12),
        held_in=grad_name(graph, received, 12),
    )


def known(question: Question, trace: Trace, now: bool, digits: Digits = DIGITS_SHOWN) -> Spans:
    """Return what is known beside a question, as far as it is its turn `now`; () if nothing."""
    graph, node = trace.graph, question.node
    if question.kind == "value" or (question.kind == "local" and now):
        if not isinstance(graph.nodes[node], OpNode):
            return ()
        return filled(
            "{formula}, here {numbers}" if question.kind == "local" else "{formula} = {numbers}",
            "secondary",
            formula=names_text(graph, node, digits),
            numbers=values_text(trace.values, graph, node, digits),
        )
    if question.wire is None:
        return ()
    at, name = facts(question, trace), graph.brief(receiver(question, trace), 12)
    if question.kind == "sum":
        more = "{name} holds {before} now; {contribution} comes along this wire"
        before = figure(at.before, "gradient", short(at.before, digits))
        come = figure(at.contribution, "gradient", signed(at.contribution, digits))
        template = more if now else "{name} holds {before} now"
        return filled(template, "secondary", name=name, before=before, contribution=come)
    if question.kind == "contribution" and now:
        upstream = figure(at.upstream, "gradient", short(at.upstream, digits))
        local = figure(at.local, "local", bracketed(short(at.local, digits)))
        return filled(
            "{upstream} × {local} = your number, then Enter",
            "secondary",
            upstream=upstream,
            local=local,
        )
    return ()


def right_number(question: Question, trace: Trace, digits: Digits = DIGITS_SHOWN) -> str:
    """Return the answer as it is written on the canvas."""
    write = signed if question.kind == "contribution" else short
    return write(answer(question, trace), digits)


def verdict(given: Given, trace: Trace, digits: Digits = DIGITS_SHOWN) -> str:
    """Return what is said of an answer, for those who hear it: right or not, and why."""
    number = right_number(given.question, trace, digits)
    if given.skipped:
        return f"Skipped: it is {number}."
    if given.verdict is None:
        return f"Shown: it is {number}."
    if given.right:
        return f"Right: {number}. {given.verdict.sentence}".rstrip()
    return f"Not right: you said {given.text.strip()}, it is {number}. {given.verdict.sentence}"
