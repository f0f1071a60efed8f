"""Derivations: the chain rule around one node, in symbols, in numbers and as lines of code."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from app.style.numbers import Digits, plain, short, signed
from engine.frame import Frame
from engine.graph import Constant, Graph, Root, Wire
from engine.op import Op
from engine.rules import CORRECT, Rules
from engine.trace import Event

LONGEST_NAME = 24
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")

State = Literal["sum", "root", "constant", "pathless", "aside", "rootless"]


def brief(text: str, longest: int = LONGEST_NAME) -> str:
    """A label or name, shortened in the middle where it would fill a line."""
    if len(text) <= longest:
        return text
    half = (longest - 1) // 2
    return f"{text[:half]}…{text[-(longest - 1 - half) :]}"


_LETTER = re.compile(r"(?<![A-Za-z0-9_])[a-z](?![A-Za-z0-9_])")


def filled(formula: str, letters: Sequence[str], texts: Sequence[str]) -> str:
    """A formula of an op with other texts in place of its letters.

    A negative number stands in brackets where a sign before or after it would take it apart.
    """
    by_letter = dict(zip(letters, texts, strict=True))

    def put(found: re.Match[str]) -> str:
        text = by_letter.get(found[0], found[0])
        before = formula[: found.start()].rstrip()[-1:]
        after = formula[found.end() :].lstrip()[:1]
        tight = (before and before in "²^·√−") or (after and after in "²^·")
        return bracketed(text) if tight else text

    return _LETTER.sub(put, formula)


def bracketed(text: str) -> str:
    """A number as it stands behind an operator: a negative one in brackets."""
    return f"({text})" if text.startswith(("−", "≈", "+")) else text


def along(graph: Graph, wire: Wire) -> str:
    """The source of a wire as the variable of a local derivative: a, or a₁ and a₂ for a × a."""
    source = graph.source(wire)
    assert source is not None
    name = brief(graph.names[source])
    if sum(found == source for found in graph.inputs(wire[0])) > 1:
        return name + str(wire[1] + 1).translate(SUBSCRIPTS)
    return name


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
        leaf = graph.nodes[node].__class__.__name__ == "Leaf"
        return Derivation(frame, node, "pathless" if leaf else "aside")
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
    start = next((term.event.before for term in terms if term.event is not None), 0.0)
    return Derivation(frame, node, "sum", terms, start, sweep)


def total_line(found: Derivation, digits: Digits = 4) -> str:
    """The sum with its numbers: `0 − 2 + 6 = 4`; only what has arrived."""
    text = short(found.start, digits)
    for term in found.arrived:
        assert term.event is not None
        text += f" {added(term.event.contribution, digits)}"
    gradient = found.gradient
    return text if gradient is None else f"{text} = {short(gradient, digits)}"


def added(contribution: float, digits: Digits = 4) -> str:
    """A contribution as a further summand: `+ 6`, `− 2`, `+ 0`."""
    text = signed(contribution, digits)
    about = "≈ " if text.startswith("≈") else ""
    bare = text.removeprefix("≈ ")
    sign, rest = (bare[0], bare[1:]) if bare[:1] in ("+", "−") else ("+", bare)
    return f"{sign} {about}{rest}"


def slope_rule(rules: Rules, op: Op, slot: int) -> int:
    """The slot whose slope the rules use here: its own, unless a mistake takes another's."""
    rule = rules.partial(op, slot)
    return op.partials.index(rule) if rule in op.partials and rule != op.partials[slot] else slot


_SIGNS = {
    ", ½ if equal, else 0": " else 0.5 if a == b else 0",
    ", else": " else",
    "−": "-",
    "×": "*",
    "·": "*",
    "÷": "/",
    "^": "**",
    "²": "**2",
    "Φ": "Phi",
    "φ": "phi",
    "√": "sqrt ",
    "sqrt (": "sqrt(",
}


def slope_code(graph: Graph, wire: Wire, rules: Rules = CORRECT) -> str:
    """The local derivative along a wire as Python writes it: `b.data`, `(1 - o.data**2)`."""
    target, slot = wire
    op = graph.op(target)
    sources = [_code_name(graph, s, ".data") for s in graph.inputs(target)]
    return op_slope_code(op, slope_rule(rules, op, slot), sources, f"{graph.names[target]}.data")


def op_slope_code(op: Op, slot: int, sources: Sequence[str], out: str) -> str:
    """One slope of an op as Python, over the texts of its inputs and of its output."""
    text = op.slopes[slot]
    for sign, code in _SIGNS.items():
        text = text.replace(sign, code)
    text = re.sub(r"\b(log|sqrt) ([a-z])\b", r"\1(\2)", text)
    letters = dict(zip(op.slots, sources, strict=True))
    text = _LETTER.sub(lambda found: letters.get(found[0], out), text)
    return f"({text})" if " " in text else text


def forward_code(graph: Graph, node: int) -> str:
    """The line that gives an op node its value: `e = a * b`, `o = n.tanh()`."""
    op = graph.op(node)
    names = [_code_name(graph, s) for s in graph.inputs(node)]
    if op.infix:
        text = f"{names[0]} {op.infix} {names[1]}"
    elif op.name == "neg":
        text = f"-{names[0]}"
    elif len(names) == 1:
        text = f"{names[0]}.{op.name}()"
    else:
        text = f"{op.name}({', '.join(names)})"
    return f"{graph.names[node]} = {text}"


def _code_name(graph: Graph, node: int | None, field: str = "") -> str:
    """A node as code writes it; a constant without a label is its number."""
    if node is None:
        return "?"
    found = graph.nodes[node]
    if isinstance(found, Constant) and not found.label:
        text = plain(found.value)
        return f"({text})" if text.startswith("-") else text
    return f"{graph.names[node]}{field}"


def event_code(graph: Graph, event: Event, rules: Rules = CORRECT) -> str:
    """The line of a backward event: `a.grad += e.grad * b.data`."""
    name = graph.names[event.node]
    if event.wire is None:
        return f"{name}.grad = {1 if event.kind == 'seed' else 0}"
    sign = "+=" if rules.accumulate else "="
    slope = slope_code(graph, event.wire, rules)
    return f"{name}.grad {sign} {graph.names[event.target]}.grad * {slope}"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the listing: code, its comment once it may be known, and when it happens."""

    code: str
    comment: str
    state: Literal["done", "now", "later"]


class Listing:
    """The pass as lines of code, one per step; lines are made when they are asked for."""

    def __init__(self, frame: Frame, digits: Digits = 4) -> None:
        self._frame = frame
        self._digits: Digits = digits

    @cached_property
    def _forward(self) -> tuple[int, ...]:
        """The op nodes on the way to the root, in the order of the forward pass."""
        graph = self._frame.graph
        root = self._frame.trace.root if self._frame.trace is not None else graph.root
        if root is None:
            return ()
        return tuple(n for n in graph.plan(root).order if graph.inputs(n))

    def __len__(self) -> int:
        backward = self._frame.total if self._frame.phase == "backward" else 0
        return len(self._forward) + backward

    @property
    def now(self) -> int | None:
        """The line of the step that has just happened."""
        frame = self._frame
        if frame.cursor == 0:
            return None
        return frame.cursor - 1 + (len(self._forward) if frame.phase == "backward" else 0)

    def step_of(self, k: int) -> int | None:
        """The cursor of the pass shown at which a line has just happened, or None."""
        if self._frame.phase == "live":
            return None
        step = k + 1 - (len(self._forward) if self._frame.phase == "backward" else 0)
        return step if step > 0 else None

    def line(self, k: int) -> Line:
        """The line at a place, from 0."""
        frame, ahead = self._frame, len(self._forward)
        if k < ahead:
            return self._forward_line(k)
        assert frame.trace is not None
        place = k - ahead
        event = frame.trace.events[place]
        known = place < frame.cursor
        comment = signed(event.contribution, self._digits) if known and event.wire else ""
        code = event_code(frame.graph, event, frame.trace.rules)
        return Line(code, comment, self._state(place))

    def _forward_line(self, k: int) -> Line:
        frame, node = self._frame, self._forward[k]
        code = forward_code(frame.graph, node)
        if frame.phase != "forward":
            return Line(code, "", "done")
        value = frame.values.get(node)
        comment = "" if value is None else short(value, self._digits)
        return Line(code, comment, self._state(k))

    def _state(self, place: int) -> Literal["done", "now", "later"]:
        if place == self._frame.cursor - 1:
            return "now"
        return "done" if place < self._frame.cursor else "later"


def values_text(values: Mapping[int, float], graph: Graph, node: int, digits: Digits = 4) -> str:
    """A node's formula with the numbers of its inputs in: `2 × −3`."""
    op = graph.op(node)
    numbers = [
        "?" if s is None or s not in values else short(values[s], digits)
        for s in graph.inputs(node)
    ]
    return filled(op.formula, op.slots, numbers)


def names_text(graph: Graph, node: int) -> str:
    """A node's formula with the names of its inputs in: `a × b`; an empty slot is `?`."""
    op = graph.op(node)
    names = ["?" if s is None else _shown(graph, s) for s in graph.inputs(node)]
    return filled(op.formula, op.slots, names)


def _shown(graph: Graph, node: int) -> str:
    """A node in a formula: its title; a constant without a label is its number."""
    found = graph.nodes[node]
    if isinstance(found, Constant) and not found.label:
        return short(found.value)
    return brief(graph.title(node))
