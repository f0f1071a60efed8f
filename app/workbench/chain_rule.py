"""The chain rule of one node: its question, and its sum in symbols and in numbers.

∂ is written only of gradients that are complete and right; of any other number it is said that
the node's `grad` is it. Under a mistake the true rule stands first, and then what was sent.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from app.controls.rich_text import Span
from app.style.numbers import NO_PATH, Digits, short, signed
from app.workbench.comparison import same
from app.workbench.derivation import Derivation, so_far
from app.workbench.formulas import bracketed, brief, local_fraction
from engine.graph import Graph, Root
from engine.trace import Event

Spans = tuple[Span, ...]

MOST_TERMS = 4
"""A formula writes so many terms out, and then how many there are."""


def question(found: Derivation, digits: Digits = 4) -> Spans:
    """The heading: `Why is ∂L/∂a = 4?`, with what is known of it."""
    graph, root = found.frame.graph, found.root
    if isinstance(graph.nodes[found.node], Root):
        return (Span("Nothing is plugged into this root yet"),)
    if root is None:
        return (Span(f"No root for {brief(graph.title(found.node))} yet"),)
    name = short_name(graph, found.node)
    fraction = _fraction(graph, root, name, "text")
    if found.state == "pathless":
        return (Span(f"Why does no gradient reach {name} ({NO_PATH})?"),)
    if found.state in ("constant", "fixed"):
        return (Span("Why is there no "), fraction, Span("?"))
    if found.gradient is None:
        return (Span("What is "), fraction, Span("?"))
    text = short(found.gradient, digits)
    role = "gradient" if math.isfinite(found.gradient) else "error"
    if found.is_derivative:
        return (Span("Why is "), fraction, Span(" = "), Span(text, role), Span("?"))
    if found.waiting:
        rest = f"{so_far(found.frame, found.node)}?"
        return (Span(f"Why is {name}.grad = "), Span(text, role), Span(rest))
    return (Span(f"Why is {name}.grad = "), Span(text, "error"), Span("?"))


def formula(found: Derivation) -> Spans:
    """The true sum in symbols: upstream gradient times local derivative, for each wire."""
    graph, root = found.frame.graph, found.root
    wires = found.wires
    if found.state != "sum" or root is None or not wires:
        return ()
    spans = [_fraction(graph, root, short_name(graph, found.node), "text"), Span(" = ")]
    for k, wire in enumerate(wires[:MOST_TERMS]):
        over, under = local_fraction(graph, wire)
        spans += [
            Span(" +\u00a0" if k else ""),
            _fraction(graph, root, short_name(graph, wire[0]), "gradient"),
            Span("\u00a0·\u00a0"),
            Span(over, "local", under=under),
        ]
    spans.append(_more(len(wires)))
    return tuple(span for span in spans if span.text)


def numbers(found: Derivation, digits: Digits = 4) -> Spans:
    """The same sum with the numbers in; what has not arrived stays hidden.

    Where something else was sent than the rule says, the rule's numbers stand first, and then,
    after ≠, the sum that was really sent.
    """
    if found.state != "sum" or not (found.arrived or found.complete):
        return ()
    events = [term.event for term in found.arrived if term.event is not None]
    if found.waiting:
        head = Span("= " if found.faithful else "sent so far: ")
        spans = (head, *_left_over(found, digits), *_products(events, digits))
        return (*spans, Span(" + ···", "secondary"))
    assert found.gradient is not None
    whole = found.start + sum(event.contribution for event in events)
    if found.beside is None:
        return (Span("= "), *_products(events, digits), *_ends(whole, found.gradient, digits))
    correct = found.beside.correct
    rule = [correct[wire] for wire in found.wires if wire in correct]
    right = found.beside.final.get(found.node, 0.0)
    digits = told_apart(right, found.gradient, rule + events, digits)
    if found.faithful:
        return (Span("= "), *_products(events, digits), *_ends(whole, found.gradient, digits))
    spans = (Span("= "), *_products(rule, digits), *_ends(right, right, digits))
    if not events:
        return (*spans, _relation(right, found.gradient), _gradient(found.gradient, digits))
    sent = (*_left_over(found, digits), *_products(events, digits))
    end = _ends(whole, found.gradient, digits)
    return (*spans, _relation(right, whole, rule + events, "\n"), *sent, *end)


def told_apart(a: float, b: float, events: Sequence[Event], digits: Digits) -> Digits:
    """How many digits show that two sums of contributions differ; all, where they are close."""
    sizes = [abs(event.contribution) for event in events if math.isfinite(event.contribution)]
    if a == b or digits == "shortest" or not math.isfinite(a - b):
        return digits
    coarse = 2 * len(sizes) * max(abs(a), abs(b), *sizes, 0.0) * 10.0 ** (1 - digits)
    return "shortest" if abs(a - b) <= coarse else digits


def _ends(whole: float, gradient: float, digits: Digits) -> Spans:
    """` = 4` behind a sum, or ` ≠ 1` where the node holds something else."""
    return (_relation(whole, gradient), _gradient(gradient, digits))


def _relation(a: float, b: float, events: Sequence[Event] = (), before: str = " ") -> Span:
    sizes = [abs(event.contribution) for event in events if math.isfinite(event.contribution)]
    agree = same(a, b, max(sizes, default=0.0))
    return Span(f"{before}= ") if agree else Span(f"{before}≠ ", "error", bold=True)


def _left_over(found: Derivation, digits: Digits) -> Spans:
    """`25 left over + ` where an earlier pass has left something."""
    if not found.start:
        return ()
    return (Span(f"{short(found.start, digits)} left over"), Span(" +\u00a0"))


def _products(events: Sequence[Event], digits: Digits) -> Spans:
    """The first products of a sum, and how many more there are."""
    spans: list[Span] = []
    for k, event in enumerate(events[:MOST_TERMS]):
        spans += [Span(" +\u00a0" if k else ""), *product(event, digits)]
    spans.append(_more(len(events)))
    return tuple(span for span in spans if span.text)


def _more(count: int) -> Span:
    hidden = count - MOST_TERMS
    return Span(f" + {hidden} more" if hidden > 0 else "", "secondary")


def product(event: Event, digits: Digits = 4, dot: str = "\u00a0·\u00a0") -> Spans:
    """`(−2) · (−3)`, in the colours of upstream gradient and local derivative."""
    return (
        figure(event.upstream, "gradient", bracketed(short(event.upstream, digits))),
        Span(dot),
        figure(event.local, "local", bracketed(short(event.local, digits))),
    )


def total(found: Derivation, digits: Digits = 4) -> Spans:
    """The sum line: `0 − 2 + 6 = 4`; under `=` instead of `+=` all but the last are struck."""
    trace = found.frame.trace
    adds = trace is None or trace.rules.accumulate
    arrived = [term.event for term in found.arrived if term.event is not None]
    shown = arrived[-MOST_TERMS - 2 :]
    folded = arrived[: -len(shown)] if shown else []
    start = f"… {short(folded[-1].after, digits)}" if folded else short(found.start, digits)
    if found.start and not folded:
        start += " left over"
    spans = [Span(start, strike=not adds)]
    for k, event in enumerate(shown):
        text = f" {added(event.contribution, digits)}"
        lost = not adds and k < len(shown) - 1
        spans.append(Span(text, "error" if lost else "text", strike=lost))
    if found.gradient is not None:
        spans += [Span(" = "), _gradient(found.gradient, digits)]
    return tuple(spans)


def added(contribution: float, digits: Digits = 4) -> str:
    """A contribution as a further summand: `+ 6`, `− 2`, `+ 0`."""
    text = signed(contribution, digits)
    about = "≈ " if text.startswith("≈") else ""
    bare = text.removeprefix("≈ ")
    sign, rest = (bare[0], bare[1:]) if bare[:1] in ("+", "−") else ("+", bare)
    return f"{sign} {about}{rest}"


def short_name(graph: Graph, node: int) -> str:
    """A node's name, short enough for a fraction."""
    return brief(graph.names[node], 12)


def figure(x: float, role: str, text: str) -> Span:
    """A number that stands out, in the colour of an error where it is not finite."""
    return Span(text, role if math.isfinite(x) else "error", bold=True)


def _gradient(x: float, digits: Digits) -> Span:
    return figure(x, "gradient", short(x, digits))


def _fraction(graph: Graph, of: int, by: str, role: str) -> Span:
    return Span(f"∂{short_name(graph, of)}", role, under=f"∂{by}")
