"""Narration: one sentence for the step that has just happened, in one of three voices.

A sentence is a tuple of spans, each with the meaning that gives it its colour; `spoken_text`
joins them for a screen reader. Present tense, actor first, receiver by label.
"""

from __future__ import annotations

import math
from typing import Literal

from app.controls.rich_text import Span, plain_text
from app.style.numbers import Digits, short, signed
from app.workbench.comparison import Comparison
from app.workbench.formulas import brief, names_text, values_text
from app.workbench.listing import event_code, forward_code
from app.workbench.maths_voice import as_maths
from engine.frame import Frame
from engine.graph import Graph, OpNode
from engine.problems import first_not_finite, obstacle
from engine.trace import Computed, Event

Voice = Literal["plain", "maths", "code"]
VOICES: tuple[Voice, ...] = ("plain", "maths", "code")

Spans = tuple[Span, ...]


def narrate(
    frame: Frame,
    voice: Voice = "plain",
    digits: Digits = 4,
    beside: Comparison | None = None,
) -> Spans:
    """What the step that has just happened does; outside a pass, what can be done.

    As maths, a wrong pass is told beside the correct one, which is run here unless it is given.
    """
    current = frame.current
    if isinstance(current, Event):
        return _Teller(frame, digits, beside).backward(current, voice)
    if isinstance(current, Computed):
        return _Teller(frame, digits).forward(current, voice)
    return _before(frame)


def upcoming(
    frame: Frame, covered: bool = False, revealed: bool = False, digits: Digits = 4
) -> Spans:
    """What comes next, without its number; covered as a question, revealed with the answer."""
    step = frame.upcoming
    if step is None:
        return (Span("end of the pass", "secondary"),) if frame.phase != "live" else ()
    graph = frame.graph
    if isinstance(step, Computed):
        return (Span(f"next: {called(graph, step.node)}", "secondary"),)
    if step.kind == "seed":
        return (Span(f"next: the seed at {_title(graph, step.node)}", "secondary"),)
    if step.kind == "zero":
        return (Span(f"next: {_title(graph, step.node)} back to 0", "secondary"),)
    actor, receiver = called(graph, step.target), _title(graph, step.node)
    if covered:
        return (
            Span(f"next: {actor} to {receiver} = ", "secondary"),
            Span("?", "selection", bold=True),
        )
    if revealed:
        return (
            Span(f"next: {actor} to {receiver} = ", "secondary"),
            _number(step.contribution, "gradient", signed(step.contribution, digits)),
        )
    return (Span(f"next: {actor} to {receiver}", "secondary"),)


def spoken_text(spans: Spans) -> str:
    """A sentence as plain text, the way a screen reader gets it."""
    return plain_text(spans)


def called(graph: Graph, node: int) -> str:
    """A node as sentences call it: `× (e)` for an op, its label or name for any other."""
    title = _title(graph, node)
    return f"{graph.op(node).symbol} ({title})" if isinstance(graph.nodes[node], OpNode) else title


def _title(graph: Graph, node: int) -> str:
    return brief(graph.title(node))


def _number(x: float, role: str, text: str) -> Span:
    return Span(text, role if math.isfinite(x) else "error", bold=True)


def _before(frame: Frame) -> Spans:
    """Nothing has happened yet."""
    graph = frame.graph
    if frame.phase == "forward":
        return _bolded("Leaves and constants are known. Press **Step** to compute the first node.")
    if frame.phase == "backward":
        return _bolded("No gradient is known yet. Press **Step** to seed the root with 1.")
    if not graph.nodes:
        return (Span("Nothing to run yet. Press Tab on the canvas to add a node."),)
    if graph.active_root is None:
        return _bolded(_rootless(graph))
    if graph.root is None:
        return (Span("The root has nothing plugged in. Plug a node in to go on."),)
    problem = obstacle(graph, graph.root)
    if problem is not None:
        return (Span(problem.sentence),)
    name = _title(graph, graph.root)
    return _bolded(f"Every value is known, no gradient yet. Press **Backward** to start at {name}.")


def _rootless(graph: Graph) -> str:
    """What to choose, and how where no button offers the only node that can be meant."""
    how = " Select its node and press **Backward**." if len(graph.sinks()) > 1 else ""
    return f"Choose a root: the number whose gradient you want.{how}"


def _bolded(text: str) -> Spans:
    """Text with **bold** pieces as spans."""
    return tuple(Span(piece, bold=bool(k % 2)) for k, piece in enumerate(text.split("**")) if piece)


def _joined(spans: Spans, remark: Spans) -> Spans:
    """A step and a sentence about it; `= inf ÷ (w)` would read as a quotient, so it is parted."""
    if not remark:
        return spans
    return (*spans, Span(" " if spans[-1].text.endswith(".") else ". "), *remark)


class _Teller:
    """Says steps of one frame."""

    def __init__(self, frame: Frame, digits: Digits, beside: Comparison | None = None) -> None:
        assert frame.trace is not None
        self.beside = beside
        self.frame = frame
        self.trace = frame.trace
        self.graph = frame.graph
        self.digits: Digits = digits

    def forward(self, step: Computed, voice: Voice) -> Spans:
        """An op node gets its value."""
        name, numbers = _title(self.graph, step.node), self._inputs(step.node)
        value = _number(step.value, "value", self._short(step.value))
        if voice == "code":
            code = Span(forward_code(self.graph, step.node), code=True)
            spans = (code, Span(f"  # {numbers} = ", "secondary"), value)
        else:
            formula = names_text(self.graph, step.node, self.digits)
            spans = (
                Span(name, bold=True),
                Span(f" = {formula} = {numbers} = "),
                value,
                Span("." if voice == "plain" else ""),
            )
        return _joined(tuple(span for span in spans if span.text), self._bad_value(step))

    def _bad_value(self, step: Computed) -> Spans:
        if math.isfinite(step.value):
            return ()
        problem = first_not_finite(self.graph, self.trace.values)
        if problem is None or problem.node != step.node:
            return ()
        return (Span(problem.sentence, "error"),)

    def backward(self, event: Event, voice: Voice) -> Spans:
        """The seed, a contribution, or a gradient set back to 0."""
        if event.kind == "seed":
            spans = self._seed(event, voice)
        elif event.kind == "zero":
            spans = self._zero(event, voice)
        elif voice == "plain":
            spans = self._plain(event)
        elif voice == "maths":
            spans = as_maths(self.frame, event, self.digits, self.beside)
        else:
            spans = self._code(event)
        passes = self.trace.rules.passes
        head = (Span(f"Pass {event.sweep}: ", "secondary"),) if passes > 1 else ()
        return _joined(head + spans, self._remark(event))

    def _seed(self, event: Event, voice: Voice) -> Spans:
        title, name = _title(self.graph, event.node), brief(self.graph.names[event.node])
        reason = f"{title} changes as fast as itself"
        if voice == "code":
            return (Span(f"{name}.grad = 1", code=True), Span(f"  # {reason}", "secondary"))
        if voice == "maths":
            return (Span(f"∂{name}/∂{name} = "), Span("1", "root", bold=True), Span(f": {reason}."))
        return (
            Span(title, bold=True),
            Span(" starts with grad "),
            Span("1", "root", bold=True),
            Span(f": {reason}."),
        )

    def _zero(self, event: Event, voice: Voice) -> Spans:
        name, held = brief(self.graph.names[event.node]), self._short(event.before)
        if voice == "code":
            return (Span(f"{name}.grad = 0", code=True), Span(f"  # held {held}", "secondary"))
        if voice == "maths":
            return (Span(f"{name}.grad = "), Span("0", "gradient", bold=True), Span("."))
        return (
            Span(_title(self.graph, event.node), bold=True),
            Span(f" is set back from {held} to "),
            Span("0", "gradient", bold=True),
            Span("."),
        )

    def _plain(self, event: Event) -> Spans:
        return (
            Span(called(self.graph, event.target), bold=True),
            Span(" got "),
            self._gradient(event.upstream),
            Span(" and passes "),
            *self._product(event),
            Span(" to "),
            Span(self._receiver(event), bold=True),
            *self._landing(event),
        )

    def _landing(self, event: Event) -> Spans:
        after = self._gradient(event.after)
        if self._first(event):
            return (Span(": now "), after, Span("."))
        held = self._short(event.before)
        if not self.trace.rules.accumulate:
            return (
                Span(f", which held {held}: "),
                Span("=", "error", bold=True),
                Span(f" forgets the {held} and keeps "),
                Span(after.text, "error", bold=True),
                Span("."),
            )
        return (Span(f", which held {held}: now "), after, Span("."))

    def _product(self, event: Event) -> Spans:
        return (
            self._gradient(event.upstream),
            Span(" × "),
            _number(event.local, "local", self._short(event.local)),
            Span(" = "),
            _number(event.contribution, "gradient", signed(event.contribution, self.digits)),
        )

    def _code(self, event: Event) -> Spans:
        code = Span(event_code(self.trace, event), code=True)
        product = f"{self._short(event.upstream)} × {self._short(event.local)}"
        if self._first(event) or not self.trace.rules.accumulate:
            sum_text = product
        else:
            sum_text = f"{self._short(event.before)} + ({product})"
        return (code, Span(f"  # {sum_text} = ", "secondary"), self._gradient(event.after))

    def _remark(self, event: Event) -> Spans:
        """The convention that gives the slope, and where numbers stop being finite."""
        if event.wire is None:
            return ()
        target = event.target
        op = self.graph.op(target)
        inputs = [self.trace.values[s] for s in self.graph.inputs(target) if s is not None]
        if op.by_convention(event.slot, *inputs):
            return (Span(op.convention, "secondary"),)
        if math.isfinite(event.contribution) or self._bad_before():
            return ()
        problem = first_not_finite(self.graph, self.trace.values)
        if problem is not None:
            return (Span(problem.sentence, "error"),)
        sentence = f"Here the slope of {op.symbol} is {self._short(event.local)}."
        if math.isfinite(event.local):
            sentence = "Here the gradient grows past the largest number there is."
        return (Span(sentence, "error"),)

    # words

    def _bad_before(self) -> bool:
        """Whether an earlier contribution of the pass was not finite already."""
        events = self.trace.events[: self.frame.cursor - 1]
        return any(not math.isfinite(event.contribution) for event in events)

    def _first(self, event: Event) -> bool:
        """Whether nothing has come to the receiver before this."""
        places = self.trace.arrivals.get(event.node, ())
        return event.before == 0 and places[0] == self.frame.cursor - 1

    def _receiver(self, event: Event) -> str:
        title = _title(self.graph, event.node)
        twice = sum(s == event.node for s in self.graph.inputs(event.target)) > 1
        return f"{title} (slot {event.slot + 1})" if twice else title

    def _inputs(self, node: int) -> str:
        return values_text(self.trace.values, self.graph, node, self.digits)

    def _short(self, x: float) -> str:
        return short(x, self.digits)

    def _gradient(self, x: float) -> Span:
        return _number(x, "gradient", self._short(x))
