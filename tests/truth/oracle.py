"""An independent backward pass: what every step of every mistake must do.

It shares with the engine only the rules of the operations, which other tests hold against 60
digits. Order, seed, accumulation, passes and zeroing are written here again, as plainly as can be.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from engine.graph import Constant, Graph, Leaf, OpNode
from engine.ops import BY_NAME
from engine.rules import BY_NAME as BY_RULE
from engine.rules import Rules

Wire = tuple[int, int]


@dataclass(frozen=True)
class Step:
    """One step: `node` receives; `wire` is None for the seed and for a zeroing."""

    kind: str
    node: int
    wire: Wire | None
    upstream: float
    local: float
    contribution: float
    before: float
    after: float
    sweep: int


def values(graph: Graph) -> dict[int, float]:
    """The value of every node that has all its inputs."""
    found: dict[int, float] = {}

    def visit(node: int) -> None:
        part = graph.nodes[node]
        if node in found:
            return
        if isinstance(part, Leaf | Constant):
            found[node] = part.value
        elif isinstance(part, OpNode) and None not in part.inputs:
            for source in part.inputs:
                visit(source or 0)
            if all(source in found for source in part.inputs):
                found[node] = BY_NAME[part.op].forward(*(found[s or 0] for s in part.inputs))

    for node in graph.nodes:
        visit(node)
    return found


def order(graph: Graph, root: int) -> list[int]:
    """The root and its ancestors, inputs before those that use them, slots in order."""
    found: list[int] = []

    def visit(node: int) -> None:
        if node not in found:
            for source in graph.inputs(node):
                if source is not None:
                    visit(source)
            if node not in found:
                found.append(node)

    visit(root)
    return found


def wanted(graph: Graph, root: int) -> set[int]:
    """The nodes that a change of some leaf changes, and the root."""
    found: set[int] = set()
    for node in order(graph, root):
        if isinstance(graph.nodes[node], Leaf) or found & set(graph.inputs(node)):
            found.add(node)
    return found | {root}


def locals_of(graph: Graph, known: dict[int, float], node: int) -> list[float]:
    """The true local derivative along each slot of an op node."""
    op = graph.op(node)
    inputs = [known[s] for s in graph.inputs(node) if s is not None]
    return [partial(*inputs, known[node]) for partial in op.partials]


def firing(graph: Graph, root: int, mistake: str) -> Iterable[int]:
    """The nodes in the order in which they fire under a mistake."""
    nodes, wants = order(graph, root), wanted(graph, root)

    def inputs(node: int) -> list[int]:
        return [s for s in graph.inputs(node) if s is not None and s in wants]

    def recurse(node: int) -> Iterator[int]:
        yield node
        for source in inputs(node):
            yield from recurse(source)

    if mistake == "recursive":
        return recurse(root)
    if mistake == "depth-first":
        return dict.fromkeys(recurse(root))
    if mistake == "breadth-first":
        return _by_distance(root, inputs)
    if mistake == "random-order":
        random.Random(len(nodes)).shuffle(nodes)
    return nodes if mistake in ("forward-order", "random-order") else nodes[::-1]


def _by_distance(root: int, inputs: Callable[[int], list[int]]) -> list[int]:
    queue = [root]
    for node in queue:
        queue += [s for s in dict.fromkeys(inputs(node)) if s not in queue]
    return queue


OWN = ("adds", "product-assigns")
"""Passes as programs of learners have them: one that adds to the gradients of an earlier pass, and
one in which the step of × alone uses =."""


def begins(graph: Graph, mistake: str) -> dict[int, float]:
    """The gradients that are there before a pass."""
    leaves = (n for n, part in graph.nodes.items() if isinstance(part, Leaf))
    return {n: 25.0 + k for k, n in enumerate(leaves)} if mistake == "adds" else {}


def replaces(graph: Graph, wire: Wire, mistake: str) -> bool:
    """Whether a contribution is assigned."""
    own = mistake == "product-assigns" and graph.op(wire[0]).name == "mul"
    return own or mistake == "assign"


def rules(graph: Graph, mistake: str) -> Rules:
    """The engine's rules for a mistake."""
    if mistake not in OWN:
        return BY_RULE[mistake]
    wires = (wire for _source, wire in graph.wires())
    return Rules(
        name="program" if mistake == "adds" else mistake,
        title="As the program",
        sentence="",
        code="",
        begins=tuple(begins(graph, mistake).items()),
        assigns=frozenset(
            wire
            for wire in wires
            if isinstance(graph.nodes[wire[0]], OpNode) and replaces(graph, wire, mistake)
        ),
    )


def steps(graph: Graph, root: int, mistake: str = "correct") -> list[Step]:
    """Every step of a backward pass under a mistake, in order."""
    grads = {**dict.fromkeys(order(graph, root), 0.0), **begins(graph, mistake)}
    found: list[Step] = []
    for sweep in (1, 2) if mistake in ("no-zero-grad", "zero-leaves-only") else (1,):
        if sweep == 2 and mistake == "zero-leaves-only":
            for node in grads:
                if isinstance(graph.nodes[node], Leaf):
                    found.append(Step("zero", node, None, 0, 0, 0, grads[node], 0.0, 2))
                    grads[node] = 0.0
        if mistake != "no-seed":
            found.append(Step("seed", root, None, 1, 1, 1, grads[root], 1.0, sweep))
            grads[root] = 1.0
        _sweep(graph, root, mistake, grads, found, sweep)
    return found


def _sweep(
    graph: Graph, root: int, mistake: str, grads: dict[int, float], found: list[Step], sweep: int
) -> None:
    """Let every node send once, or as often as a mistake has it."""
    known, wants = values(graph), wanted(graph, root)
    for node in firing(graph, root, mistake):
        upstream, slopes = grads[node], _used(graph, known, node, mistake)
        for slot, (source, slope) in enumerate(zip(graph.inputs(node), slopes, strict=False)):
            if source is None or source not in wants:
                continue
            sent, before = upstream * slope, grads[source]
            own = replaces(graph, (node, slot), mistake)
            grads[source] = sent if own else before + sent
            numbers = (upstream, slope, sent, before, grads[source])
            found.append(Step("contribution", source, (node, slot), *numbers, sweep))


def _used(graph: Graph, known: dict[int, float], node: int, mistake: str) -> list[float]:
    """The local derivatives that a node uses under a mistake; none where it sends nothing."""
    if not isinstance(graph.nodes[node], OpNode):
        return []
    op = graph.op(node).name
    if mistake == "mul-own-input" and op == "mul":
        return [known[s] for s in graph.inputs(node) if s is not None]
    if mistake == "division-sends-nothing" and op == "div":
        return []
    return locals_of(graph, known, node)


def gradients(graph: Graph, root: int) -> dict[int, float]:
    """The true gradient of every node that has one."""
    found = dict.fromkeys(wanted(graph, root), 0.0)
    for step in steps(graph, root):
        found[step.node] = step.after
    return found
