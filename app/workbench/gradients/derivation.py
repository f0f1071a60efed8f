"""Derivations: the contributions behind a node's gradient, compared with the correct pass."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from app.workbench.gradients.comparison import Comparison, compared
from engine.frame import Frame
from engine.graph import Constant, Graph, Root, Wire
from engine.trace import Event

SumState = Literal["sum", "root", "constant", "pathless", "fixed", "rootless"]
"""A sum of contributions, or why there is none: `fixed` nodes are fed by constants alone."""


class Term(Struct, frozen=True):
    """One summand of a gradient: its wire, and its event once it has arrived."""

    wire: Wire
    place: int
    event: Event | None
    now: bool = False

    @property
    def step(self) -> int:
        """Return the cursor right after its arrival."""
        return self.place + 1


class Derivation(Struct, frozen=True):
    """Why a node's gradient is what it is, as far as the frame knows."""

    frame: Frame
    node: int
    state: SumState
    terms: tuple[Term, ...] = ()
    start: float = 0.0
    sweep: int = 1
    beside: Comparison | None = None

    @property
    def arrived(self) -> tuple[Term, ...]:
        """Return the terms that have arrived."""
        return tuple(term for term in self.terms if term.event is not None)

    @property
    def waiting(self) -> int:
        """Return how many terms are still to come."""
        return len(self.terms) - len(self.arrived)

    @property
    def gradient(self) -> float | None:
        """Return the gradient so far, or None before anything came."""
        return self.frame.grads.get(self.node)

    @property
    def root(self) -> int | None:
        """Return the node whose gradients are wanted."""
        trace = self.frame.trace
        return self.frame.graph.root if trace is None else trace.root

    @property
    def last(self) -> Event | None:
        """Return the last event that arrived, or None."""
        return self.arrived[-1].event if self.arrived else None

    @property
    def wires(self) -> tuple[Wire, ...]:
        """Return the wires of the chain rule, each once, in the firing order of the running pass.

        Wires that a mistake leaves out come last, so that symbols and arrivals have the same order.
        """
        root, fired = self.root, dict.fromkeys(term.wire for term in self.terms)
        if self.beside is None or root is None:
            return tuple(fired)
        rule = [term.wire for term in _foreseen(self.frame.graph, root, self.node)]
        return (*(w for w in fired if w in rule), *(w for w in rule if w not in fired))

    @property
    def complete(self) -> bool:
        """Return whether the running pass brings nothing more."""
        over = self.frame.cursor == self.frame.total
        return self.gradient is not None and not self.waiting and (over or bool(self.arrived))

    @property
    def is_derivative(self) -> bool:
        """Return whether the node holds its gradient: complete, and as in the correct pass."""
        known = self.gradient is not None if self.state == "root" else self.complete
        right = self.beside is None or self.beside.has_final(self.frame, self.node)
        return known and right

    @property
    def faithful(self) -> bool:
        """Return whether each wire, and nothing else, contributed once, as the chain rule says."""
        if self.beside is None:
            return True
        wires = [term.wire for term in self.arrived]
        every = not self.complete or len(wires) == len(self.wires)
        return (
            every
            and not self.start
            and len(set(wires)) == len(wires)
            and all(
                term.event is not None and self.beside.sends_rightly(term.event)
                for term in self.arrived
            )
        )

    def hue(self, term: Term) -> int:
        """Return the index of a term's wire among its siblings, for hue and mark; -1 if alone."""
        wires = sorted({found.wire for found in self.terms})
        return wires.index(term.wire) if len(wires) > 1 else -1


def derivation(frame: Frame, node: int, beside: Comparison | None = None) -> Derivation:
    """Return the sum over the firing wires that leave a node; for a Root that of its input.

    With a mistake it is compared with the correct pass, which is run here unless given.
    """
    graph = frame.graph
    found = graph.nodes[node]
    if isinstance(found, Root) and found.input is not None:
        return derivation(frame, found.input, beside)
    root = frame.trace.root if frame.trace is not None else graph.root
    if root is None or isinstance(found, Root):
        return Derivation(frame, node, "rootless")
    if beside is None and frame.trace is not None:
        beside = compared(frame.trace)
    plan = graph.plan(root)
    if node == root:
        return Derivation(frame, node, "root", beside=beside)
    if isinstance(found, Constant):
        return Derivation(frame, node, "constant")
    if node not in plan.wants:
        return Derivation(frame, node, "fixed" if node in plan.order else "pathless")
    if frame.phase != "backward" or frame.trace is None:
        return Derivation(frame, node, "sum", _foreseen(graph, root, node))
    found_sum = frame.sum_of(node)
    terms = tuple(
        Term(chip.wire, chip.place, chip.event, chip.place == frame.cursor - 1)
        for chip in found_sum.chips
    )
    return Derivation(frame, node, "sum", terms, found_sum.start, frame.sweep, beside)


def so_far(frame: Frame, node: int) -> str:
    """Return `so far, 1 of 2` for a gradient that is not complete, else ""."""
    chips = frame.sum_of(node).chips if node in frame.grads else ()
    come = sum(chip.event is not None for chip in chips)
    return f"so far, {come} of {len(chips)}" if come < len(chips) else ""


def _foreseen(graph: Graph, root: int, node: int) -> tuple[Term, ...]:
    """Return the terms that a backward pass would bring, in firing order."""
    turns = graph.plan(root).turns
    wires = [wire for wire in graph.outgoing[node] if wire[0] in turns]
    return tuple(Term(w, -1, None) for w in sorted(wires, key=lambda w: (turns[w[0]], w[1])))
