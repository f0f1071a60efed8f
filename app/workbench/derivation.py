"""Derivations: why a node's gradient is what it is, in symbols, in numbers and in words."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from app.controls.rich_text import Span
from app.style.numbers import NO_PATH, Digits, short, signed
from app.workbench.formulas import along, bracketed, brief, input_names, names_text
from app.workbench.listing import slope_rule
from engine.frame import Frame
from engine.graph import Constant, Graph, Root, Wire
from engine.problems import first_not_finite
from engine.rules import CORRECT
from engine.trace import Event

Spans = tuple[Span, ...]
State = Literal["sum", "root", "constant", "pathless", "fixed", "rootless"]
"""A sum of contributions, or why there is none: `fixed` nodes are fed by constants alone."""

MOST_TERMS = 4
"""A formula writes so many terms out, and then how many there are."""


@dataclass(frozen=True, slots=True)
class Term:
    """One summand of a gradient: the wire it comes by, and its event once it has arrived."""

    wire: Wire
    place: int
    event: Event | None
    now: bool = False

    @property
    def step(self) -> int:
        """The cursor at which it has just arrived."""
        return self.place + 1


@dataclass(frozen=True)
class Derivation:
    """Why a node's gradient is what it is, as far as the frame knows."""

    frame: Frame
    node: int
    state: State
    terms: tuple[Term, ...] = ()
    start: float = 0.0
    sweep: int = 1

    @property
    def arrived(self) -> tuple[Term, ...]:
        """The terms that have come."""
        return tuple(term for term in self.terms if term.event is not None)

    @property
    def waiting(self) -> int:
        """How many are still to come."""
        return len(self.terms) - len(self.arrived)

    @property
    def gradient(self) -> float | None:
        """The gradient so far, or None before anything came."""
        return self.frame.grads.get(self.node)

    @property
    def root(self) -> int | None:
        """The node whose gradients are wanted."""
        trace = self.frame.trace
        return self.frame.graph.root if trace is None else trace.root

    @property
    def last(self) -> Event | None:
        """What has arrived last, or None."""
        return self.arrived[-1].event if self.arrived else None

    def hue(self, term: Term) -> int:
        """The place of a term's wire among its siblings, which gives hue and mark; -1 if alone."""
        wires = sorted({found.wire for found in self.terms})
        return wires.index(term.wire) if len(wires) > 1 else -1


def derivation(frame: Frame, node: int) -> Derivation:
    """The sum over the firing wires that leave a node; a Root stands for what feeds it."""
    graph = frame.graph
    found = graph.nodes[node]
    if isinstance(found, Root) and found.input is not None:
        return derivation(frame, found.input)
    root = frame.trace.root if frame.trace is not None else graph.root
    if root is None or isinstance(found, Root):
        return Derivation(frame, node, "rootless")
    plan = graph.plan(root)
    if node == root:
        return Derivation(frame, node, "root")
    if isinstance(found, Constant):
        return Derivation(frame, node, "constant")
    if node not in plan.wants:
        return Derivation(frame, node, "fixed" if node in plan.order else "pathless")
    if frame.phase != "backward" or frame.trace is None:
        return Derivation(frame, node, "sum", _foreseen(graph, root, node))
    return _summed(frame, node)


def _foreseen(graph: Graph, root: int, node: int) -> tuple[Term, ...]:
    """The terms that a backward pass would bring, in firing order."""
    places = {found: k for k, found in enumerate(reversed(graph.plan(root).order))}
    wires = [wire for wire in graph.outgoing[node] if wire[0] in places]
    return tuple(Term(w, -1, None) for w in sorted(wires, key=lambda w: (places[w[0]], w[1])))


def _summed(frame: Frame, node: int) -> Derivation:
    trace = frame.trace
    assert trace is not None
    last = frame.event or frame.next_event
    sweep = last.sweep if last is not None else 1
    terms = tuple(
        Term(chip.wire, chip.place, chip.event, chip.place == frame.cursor - 1)
        for chip in frame.ledger(node)
        if trace.events[chip.place].sweep == sweep
    )
    first = next((term.event for term in terms if term.event is not None), None)
    start = frame.grads.get(node, 0.0) if first is None else first.before
    return Derivation(frame, node, "sum", terms, start, sweep)


def question(found: Derivation, digits: Digits = 4) -> Spans:
    """The heading: `Why is ∂L/∂a = 4?`, with what is known of it."""
    graph, root = found.frame.graph, found.root
    if isinstance(graph.nodes[found.node], Root):
        return (Span("Nothing is plugged into this root yet"),)
    if root is None:
        return (Span(f"No root for {brief(graph.title(found.node))} yet"),)
    fraction = _fraction(graph, root, _name(graph, found.node), "text")
    if found.state == "pathless":
        name = _name(graph, found.node)
        return (Span(f"Why does no gradient reach {name} ({NO_PATH})?"),)
    if found.state in ("constant", "fixed"):
        return (Span("Why is there no "), fraction, Span("?"))
    if found.gradient is None:
        return (Span("What is "), fraction, Span("?"))
    text = short(found.gradient, digits)
    role = "gradient" if math.isfinite(found.gradient) else "error"
    trace = found.frame.trace
    if trace is not None and trace.rules is not CORRECT:  # a wrong number is no derivative
        name = f"{_name(graph, found.node)}.grad"
        return (Span(f"Why is {name} = "), Span(text, "error"), Span("?"))
    return (Span("Why is "), fraction, Span(" = "), Span(text, role), Span("?"))


def formula(found: Derivation) -> Spans:
    """The sum in symbols: upstream gradient times local derivative, for each wire."""
    graph, root = found.frame.graph, found.root
    if found.state != "sum" or root is None or not found.terms:
        return ()
    spans = [_fraction(graph, root, _name(graph, found.node), "text"), Span(" = ")]
    for k, term in enumerate(found.terms[:MOST_TERMS]):
        target = term.wire[0]
        spans += [
            Span(" +\u00a0" if k else ""),
            _fraction(graph, root, _name(graph, target), "gradient"),
            Span("\u00a0·\u00a0"),
            _fraction(graph, target, brief(along(graph, term.wire), 12), "local"),
        ]
    more = len(found.terms) - MOST_TERMS
    spans.append(Span(f" + {more} more" if more > 0 else "", "secondary"))
    return tuple(span for span in spans if span.text)


def numbers(found: Derivation, digits: Digits = 4) -> Spans:
    """The same sum with the numbers in; what has not arrived stays hidden."""
    if found.state != "sum" or not found.arrived:
        return ()
    spans: list[Span] = [Span("= ")]
    if found.start:
        spans += [Span(f"{short(found.start, digits)} + ")]
    shown = found.arrived[:MOST_TERMS]
    for k, term in enumerate(shown):
        assert term.event is not None
        spans += [Span(" +\u00a0" if k else ""), *product(term.event, digits)]
    hidden = len(found.arrived) - len(shown)
    spans.append(Span(f" + {hidden} more" if hidden else "", "secondary"))
    if found.waiting:
        spans.append(Span(" + ···", "secondary"))
    elif found.gradient is not None:
        equals = Span(" = ") if _adds_up(found) else Span(" ≠ ", "error", bold=True)
        spans += [equals, _figure(found.gradient, "gradient", short(found.gradient, digits))]
    return tuple(span for span in spans if span.text)


def _adds_up(found: Derivation) -> bool:
    """Whether the gradient is the sum of the terms; under a mistake it may not be."""
    terms = [term.event.contribution for term in found.arrived if term.event is not None]
    whole, gradient = found.start + sum(terms), found.gradient
    if gradient is None or not (math.isfinite(whole) and math.isfinite(gradient)):
        return True
    return abs(whole - gradient) <= 1e-9 * max(1.0, *(abs(term) for term in terms))


def product(event: Event, digits: Digits = 4) -> Spans:
    """`(−2) · (−3)`, in the colours of upstream gradient and local derivative."""
    return (
        _figure(event.upstream, "gradient", bracketed(short(event.upstream, digits))),
        Span("\u00a0·\u00a0"),
        _figure(event.local, "local", bracketed(short(event.local, digits))),
    )


def total(found: Derivation, digits: Digits = 4) -> Spans:
    """The sum line: `0 − 2 + 6 = 4`; under `=` instead of `+=` all but the last are struck."""
    trace = found.frame.trace
    adds = trace is None or trace.rules.accumulate
    arrived = [term.event for term in found.arrived if term.event is not None]
    shown = arrived[-MOST_TERMS - 2 :]
    folded = arrived[: -len(shown)] if shown else []
    start = folded[-1].after if folded else found.start
    spans = [Span(f"{'… ' if folded else ''}{short(start, digits)}", strike=not adds)]
    for k, event in enumerate(shown):
        text = f" {added(event.contribution, digits)}"
        lost = not adds and k < len(shown) - 1
        spans.append(Span(text, "error" if lost else "text", strike=lost))
    if found.gradient is not None:
        spans += [Span(" = "), _figure(found.gradient, "gradient", short(found.gradient, digits))]
    return tuple(spans)


def explanation(found: Derivation, digits: Digits = 4) -> str:
    """What the panel says in words, in one to three sentences."""
    graph = found.frame.graph
    name = brief(graph.title(found.node))
    root = "the root" if found.root is None else brief(graph.title(found.root))
    trace = found.frame.trace
    if found.state == "root" and trace is not None and not trace.rules.seed:
        return f"{name} is the root, but nobody gives it the seed, 1, so its gradient stays 0."
    if found.state != "sum":
        return {
            "rootless": "Choose a root: the number whose gradient you want.",
            "root": f"{name} is the root. Its gradient is the seed, 1, as it changes as fast as"
            " itself.",
            "constant": f"{name} is a constant. It never changes, so no gradient is sent to it.",
            "fixed": f"Only constants feed {name}. It never changes, so no gradient is sent to it.",
            "pathless": f"No wires lead from {name} to {root}, so a change of {name} changes"
            " nothing there.",
        }[found.state]
    return " ".join(part for part in (_count(found), _slope(found, digits), _bad(found)) if part)


def _count(found: Derivation) -> str:
    name, count = brief(found.frame.graph.title(found.node)), len(found.terms)
    if not count:
        return f"No contribution is sent to {name}, so its gradient stays 0."
    if count == 1:
        sentence = f"One wire leaves {name}, so one contribution arrives."
    else:
        word = _WORDS.get(count, f"{count:,}")
        small = word.lower()
        trace = found.frame.trace
        kept = trace is None or trace.rules.accumulate
        end = "arrive and add up." if kept else "arrive, but = keeps only the last."
        sentence = f"{word} wires leave {name}, so {small} contributions {end}"
    if found.arrived and found.waiting:
        return f"{sentence} It waits for {found.waiting} more."
    return sentence


_WORDS = {2: "Two", 3: "Three", 4: "Four", 5: "Five", 6: "Six", 7: "Seven", 8: "Eight"}


def _slope(found: Derivation, digits: Digits) -> str:
    """The rule behind the last local derivative, or the convention where there is none."""
    event, frame = found.last, found.frame
    if event is None or frame.trace is None:
        return ""
    graph, target = frame.graph, event.target
    op = graph.op(target)
    inputs = [frame.trace.values[s] for s in graph.inputs(target) if s is not None]
    if op.kink(*inputs):
        return op.convention
    slot = slope_rule(frame.trace.rules, op, event.slot)
    slope = op.filled(op.slopes[slot], input_names(graph, target))
    along_ = along(graph, (target, event.slot))
    number = short(event.local, digits)
    here = "" if slope == number else f", here {number}"
    whole = names_text(graph, target)
    return f"The local derivative of {whole} with respect to {along_} is {slope}{here}."


def _bad(found: Derivation) -> str:
    """The first bad node, when this gradient is not finite."""
    if found.gradient is None or math.isfinite(found.gradient) or found.frame.trace is None:
        return ""
    problem = first_not_finite(found.frame.graph, found.frame.trace.values)
    return "" if problem is None else problem.sentence


def _fraction(graph: Graph, of: int, by: str, role: str) -> Span:
    return Span(f"∂{_name(graph, of)}", role, under=f"∂{by}")


def _name(graph: Graph, node: int) -> str:
    return brief(graph.names[node], 12)


def _figure(x: float, role: str, text: str) -> Span:
    return Span(text, role if math.isfinite(x) else "error", bold=True)


def added(contribution: float, digits: Digits = 4) -> str:
    """A contribution as a further summand: `+ 6`, `− 2`, `+ 0`."""
    text = signed(contribution, digits)
    about = "≈ " if text.startswith("≈") else ""
    bare = text.removeprefix("≈ ")
    sign, rest = (bare[0], bare[1:]) if bare[:1] in ("+", "−") else ("+", bare)
    return f"{sign} {about}{rest}"
