"""Paths: every path from a node to the root, with the product of its local derivatives.

The gradient of a node is the sum of these products. Backpropagation computes it without enumerating
the paths, whose number grows exponentially.
"""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from engine.errors import EngineError
from engine.graph import Graph, Root, Wire
from engine.problems import true_local
from engine.trace import Trace, run

LIMIT = 1000
COUNT_LIMIT = 10**30


class Path(Struct, frozen=True):
    """One path to the root: its wires from the node on, and the local derivative of each."""

    wires: tuple[Wire, ...]
    factors: tuple[float, ...]

    @property
    def product(self) -> float:
        """Return the path's share of the gradient, multiplied in the order of the backward pass."""
        product = 1.0
        for slope in reversed(self.factors):
            product *= slope
        return product

    @property
    def nodes(self) -> tuple[int, ...]:
        """Return the nodes after the first, the root last."""
        return tuple(target for target, _slot in self.wires)


def paths(graph: Graph, source: int, root: int | None = None, limit: int = LIMIT) -> Iterator[Path]:
    """Yield paths from a node to the root, at most `limit`."""
    trace = run(graph, root)
    _check(graph, source)
    if source not in trace.graph.plan(trace.root).order:
        return
    yield from _limited(_walk(trace, source), limit)


def count(graph: Graph, source: int, root: int | None = None) -> int:
    """Return the number of paths without enumerating them, at most COUNT_LIMIT."""
    trace = run(graph, root)
    _check(graph, source)
    plan = graph.plan(trace.root)
    found = dict.fromkeys(plan.order, 0)
    found[trace.root] = 1
    for target in reversed(plan.order):
        for node in [source for source in graph.inputs(target) if source is not None]:
            found[node] = min(found[node] + found[target], COUNT_LIMIT)
    return found.get(source, 0)


def path_products(trace: Trace, limit: int = LIMIT) -> Mapping[int, Sequence[float]]:
    """Return for each node the products of its first `limit` paths, in the order of `paths`.

    One walk from the root gives those of all nodes: a path of a node is a wire and a path of the
    node at its end.
    """
    graph, plan = trace.graph, trace.graph.plan(trace.root)
    found: dict[int, list[float]] = {trace.root: [1.0]}
    for node in reversed(plan.order):
        if node == trace.root:
            continue
        mine: list[float] = []
        for wire in graph.outgoing[node]:
            if wire[0] in found and len(mine) < limit:
                slope = true_local(graph, wire, trace.values)
                mine += [product * slope for product in found[wire[0]][: limit - len(mine)]]
        found[node] = mine
    return found


def _walk(trace: Trace, source: int) -> Iterator[Path]:
    """Walk depth first with an explicit stack; all wires taken lead to the root."""
    graph = trace.graph
    inside = set(trace.graph.plan(trace.root).order)
    wires: list[Wire] = []
    slopes: list[float] = []
    stack = [iter(graph.outgoing[source])]
    if source == trace.root:
        yield Path((), ())
    while stack:
        wire = next(stack[-1], None)
        if wire is None:
            stack.pop()
            if wires:
                wires.pop()
                slopes.pop()
            continue
        target, _slot = wire
        if target not in inside or isinstance(graph.nodes[target], Root):
            continue
        wires.append(wire)
        slopes.append(true_local(graph, wire, trace.values))
        if target == trace.root:
            yield Path(tuple(wires), tuple(slopes))
        stack.append(iter(() if target == trace.root else graph.outgoing[target]))


def _limited(found: Iterator[Path], limit: int) -> Iterator[Path]:
    for _, path in zip(range(limit), found, strict=False):
        yield path


def _check(graph: Graph, source: int) -> None:
    if source not in graph.nodes or isinstance(graph.nodes[source], Root):
        raise EngineError("A path begins at a node that gives something out.")
