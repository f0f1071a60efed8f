"""A moment: what holds of a graph after some steps of a pass, for whoever reads what is shown."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from engine.graph import Constant, Graph, Leaf, OpNode, Root, brief
from engine.numbers import Digits
from tests.truth import oracle
from tests.truth.equation import Ranges
from tests.truth.oracle import Step, Wire
from tests.truth.ranges import ANYTHING, Range, exact
from tests.truth.reader import UnreadableError
from tests.truth.tokens import Names

LENGTHS = (*range(3, 25), 200)
"""To how many characters names are shortened somewhere."""


class Run:
    """One graph under one mistake: all steps, what is right, and what everything is called."""

    def __init__(self, graph: Graph, mistake: str = "correct", digits: Digits = 4) -> None:
        assert graph.root is not None
        self.graph, self.mistake = graph, mistake
        self.digits: Digits = digits
        self.root = graph.root
        self.values = oracle.values(graph)
        self.order = oracle.order(graph, self.root)
        self.wants = oracle.wanted(graph, self.root)
        self.steps = oracle.steps(graph, self.root, mistake)
        self.right = oracle.gradients(graph, self.root)
        self.begins = oracle.begins(graph, mistake)
        self.names = Names(names_of(graph), own_names(graph))
        self.ops = [n for n in self.order if isinstance(graph.nodes[n], OpNode)]

    @cached_property
    def rightly(self) -> list[Step]:
        """The steps of the correct pass."""
        return oracle.steps(self.graph, self.root)

    @cached_property
    def sent(self) -> dict[Wire, float]:
        """What the correct pass sends along each wire."""
        return {s.wire: s.contribution for s in self.rightly if s.wire is not None}

    def local(self, wire: Wire) -> float:
        """The true local derivative along a wire."""
        return oracle.locals_of(self.graph, self.values, wire[0])[wire[1]]

    @cached_property
    def locals(self) -> dict[Wire, float]:
        return {
            (n, k): self.local((n, k)) for n in self.ops for k in range(len(self.graph.inputs(n)))
        }

    @cached_property
    def due(self) -> tuple[float, ...]:
        """For each step the gradient that it should leave: what has rightly come in this pass."""
        found: list[float] = []
        came: dict[int, dict[Wire, float]] = {}
        for k, step in enumerate(self.steps):
            if k and step.sweep != self.steps[k - 1].sweep:
                came = {}
            there = self.begins.get(step.node, 0.0)
            if step.wire is None:
                came[step.node] = {}
                found.append(step.after)
            else:
                sums = came.setdefault(step.node, {})
                sums[step.wire] = self.sent.get(step.wire, 0.0)
                start = 1.0 if step.node == self.root and self.mistake != "no-seed" else there
                found.append(sum(sums.values(), start))
        return tuple(found)

    @cached_property
    def first_wrong(self) -> int:
        """The cursor of the first step that does what the correct pass does not; 0 for none."""
        return min(self.wrong, default=0)

    @cached_property
    def wrong(self) -> set[int]:
        """The cursors of all steps that do not what the correct pass does."""
        found = set[int]()
        for k, step in enumerate(self.steps):
            sent = step.contribution if step.wire is None else self.sent.get(step.wire, 0.0)
            if not same(step.contribution, sent) or not same(step.after, self.due[k]):
                found.add(k + 1)
        return found


def own_names(graph: Graph) -> dict[str, int]:
    """What code and formulas call nodes, each text for one node alone."""
    return {text: n for n, name in graph.names.items() for text in (name, graph.short_name(n))}


def names_of(graph: Graph) -> dict[str, set[int]]:
    """Everything that nodes are called: label, name, either of them shortened."""
    found: dict[str, set[int]] = {}
    for node, part in graph.nodes.items():
        if isinstance(part, Root):
            continue
        for text in {graph.label(node), graph.title(node), graph.names[node]}:
            for length in LENGTHS:
                found.setdefault(brief(text, length), set()).add(node)
        for length in LENGTHS:
            found.setdefault(graph.short_name(node, length), set()).add(node)
    return found


@dataclass
class Moment:
    """A run after `cursor` steps of a pass; `phase` is live, forward or backward."""

    run: Run
    phase: str = "backward"
    cursor: int = 0
    before: bool = False
    """Whether names stand for what they held before the last step: a line of code is such."""
    hidden: float = field(default=math.nan)
    """What `2 more` of a sum come to."""

    @property
    def graph(self) -> Graph:
        return self.run.graph

    @property
    def digits(self) -> Digits:
        return self.run.digits

    @property
    def total(self) -> int:
        return {"live": 0, "forward": len(self.run.ops)}.get(self.phase, len(self.run.steps))

    @property
    def step(self) -> Step | None:
        """The step that has just happened."""
        return self._at(self.cursor - 1)

    @property
    def next(self) -> Step | None:
        """The step that comes next."""
        return self._at(self.cursor)

    def _at(self, k: int) -> Step | None:
        there = self.phase == "backward" and 0 <= k < len(self.run.steps)
        return self.run.steps[k] if there else None

    @property
    def sweep(self) -> int:
        return self.step.sweep if self.step else 1

    @cached_property
    def grads(self) -> dict[int, float]:
        """The gradients that are known."""
        if self.phase != "backward":
            return {}
        found = {step.node: step.after for step in self.run.steps[: self.cursor]}
        found = {**self.run.begins, **found}
        if self.cursor == len(self.run.steps):
            found = {**dict.fromkeys(self.run.wants, 0.0), **found}
        return found

    @cached_property
    def known(self) -> dict[int, float]:
        """The values that are known."""
        if self.phase != "forward":
            return self.run.values
        given = {n for n, part in self.graph.nodes.items() if isinstance(part, Leaf | Constant)}
        there = given | set(self.run.ops[: self.cursor])
        return {n: x for n, x in self.run.values.items() if n in there}

    def came(self, node: int, sweep: int | None = None) -> list[Step]:
        """The contributions to a node that have come in a pass, this one unless given."""
        wanted = self.sweep if sweep is None else sweep
        past = self.run.steps[: self.cursor] if self.phase == "backward" else []
        return [s for s in past if s.node == node and s.wire and s.sweep == wanted]

    def kept(self, node: int) -> int:
        """The index, among what came, of the last contribution that was assigned; -1 for none."""
        assigned = [
            oracle.replaces(self.graph, s.wire or (0, 0), self.run.mistake) for s in self.came(node)
        ]
        return max((k for k, own in enumerate(assigned) if own), default=-1)

    def all(self, node: int, sweep: int | None = None) -> list[Step]:
        """All contributions that a pass brings a node."""
        wanted = self.sweep if sweep is None else sweep
        found = self.run.steps if self.phase == "backward" else self.run.rightly
        return [s for s in found if s.node == node and s.wire and s.sweep == wanted]

    def fired(self, wire: Wire) -> Step | None:
        """What a wire has carried last."""
        if self.phase != "backward":
            return None
        past = self.run.steps[: self.cursor]
        return next((s for s in reversed(past) if s.wire == wire), None)

    def rightly(self, node: int) -> float:
        """The gradient a node should have by now."""
        places = [k for k, s in enumerate(self.run.steps[: self.cursor]) if s.node == node]
        if self.cursor == len(self.run.steps) or not places:
            return self.run.right.get(node, 0.0) + self.run.begins.get(node, 0.0)
        return self.run.due[places[-1]]

    # what a reader asks

    def value(self, name: str) -> Ranges:
        return self._of(name, self.run.values)

    def grad(self, name: str) -> Ranges:
        found = self.grads
        if self.before:
            found = Moment(self.run, self.phase, self.cursor - 1).grads
            found = {**dict.fromkeys(self.run.wants, 0.0), **found}
        return self._of(name, found)

    def derivative(self, plus: bool, of: str, by: str, slot: int | None) -> Ranges:
        """∂L/∂a of the root is the whole gradient; ∂e/∂a, and ∂⁺L/∂a, are along one wire."""
        found: list[Range] = []
        for target in self.run.names.in_formula(of):
            for source in self.run.names.in_formula(by):
                found += self._derivatives(plus, target, source, slot)
        if not found:
            raise UnreadableError("the derivative of what is not connected")
        return tuple(dict.fromkeys(found))

    def _derivatives(self, plus: bool, target: int, source: int, slot: int | None) -> list[Range]:
        inputs = self.graph.inputs(target)
        wires = [(target, k) for k, s in enumerate(inputs) if s == source]
        if slot is not None:
            wires = [wire for wire in wires if wire[1] == slot]
        if len(wires) == 1 and target in self.run.values and self._is_rule(wires[0]):
            return [ANYTHING]
        if target == self.run.root and not plus and slot is None and source in self.run.right:
            return [exact(self.run.right[source])]
        if target == source and not plus:
            return [exact(1.0)]
        if len(wires) != 1 or target not in self.run.values:
            return []
        return [exact(self.run.locals.get(wires[0], self.run.local(wires[0])))]

    def _is_rule(self, wire: Wire) -> bool:
        """Whether only a rule is known of a slope yet, and at the numbers to come it will fail."""
        inputs = [s for s in self.graph.inputs(wire[0]) if s is not None]
        if all(source in self.known for source in inputs):
            return False
        return self.graph.op(wire[0]).by_convention(wire[1], *(self.run.values[s] for s in inputs))

    def more(self, count: int) -> Ranges:
        return () if math.isnan(self.hidden) else (exact(self.hidden),)

    def _of(self, name: str, known: dict[int, float]) -> Ranges:
        nodes = self.run.names.in_formula(name)
        found = tuple(dict.fromkeys(exact(known[n]) for n in nodes if n in known))
        if not found:
            raise UnreadableError("a number that is not known yet")
        return found


def near(range_: Range, numbers: Iterable[float]) -> bool:
    """Whether a displayed number may stand for one of these."""
    return range_ is ANYTHING or any(range_.holds(x) for x in numbers)


def same(a: float, b: float) -> bool:
    """Whether two numbers agree but for rounding."""
    if a == b or (a != a and b != b):
        return True
    return math.isfinite(a - b) and abs(a - b) <= 1e-9 * max(abs(a), abs(b))
