"""Paths: every path from a node to the root, with the product of its local derivatives.

The gradient of a node is the sum of these products. Backpropagation computes it without enumerating
the paths, whose number grows exponentially.

>>> from engine import from_expression
>>> graph = from_expression("y = a*b + a", {"a": 2, "b": 3})  # 1: a, 2: b, 3: a*b, 4: y
>>> [(path.nodes, path.product) for path in paths(graph, 1)]  # ∂y/∂a = 3 + 1
[((3, 4), 3.0), ((4,), 1.0)]
"""

from collections.abc import Iterator
from itertools import islice
from typing import cast
from weakref import WeakKeyDictionary

from msgspec import Struct

from engine.errors import EngineError
from engine.graph import Graph, Root, Structure, Wire
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


def paths(graph: Graph, source: int, root: int | None = None, limit: int = LIMIT) -> list[Path]:
    """Return paths from a node to the root, at most `limit`."""
    _check(graph, source)
    return paths_in(run(graph, root), source, limit)


def paths_in(trace: Trace, source: int, limit: int = LIMIT) -> list[Path]:
    """Return paths from a node to the root of a pass, at most `limit`."""
    graph, values = trace.graph, trace.values
    known = _WIRES.setdefault(graph.structure, {})
    key = (source, trace.root, limit)
    if key not in known:
        known[key] = tuple(islice(_wires(graph, source, trace.root), limit))
    return [
        Path(wires, tuple([true_local(graph, wire, values) for wire in wires]))
        for wires in known[key]
    ]


_WIRES: WeakKeyDictionary[Structure, dict[tuple[int, int, int], tuple[tuple[Wire, ...], ...]]] = (
    WeakKeyDictionary()
)
"""The wires of the paths that were asked for, as only numbers change while a slider moves."""


def _wires(graph: Graph, source: int, root: int) -> Iterator[tuple[Wire, ...]]:
    """Yield the wires of each path, depth first."""
    import networkx

    inside = graph.plan(root).order
    if source in inside:  # elsewhere a walk would lose itself among nodes that lead nowhere
        ways = graph.structure.wiring.subgraph(inside)
        for edges in networkx.all_simple_edge_paths(ways, source, root):
            keyed = cast("list[tuple[int, int, int]]", edges)  # of a multigraph each has its key
            yield tuple((target, slot) for _source, target, slot in keyed)


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


def _check(graph: Graph, source: int) -> None:
    if source not in graph.nodes or isinstance(graph.nodes[source], Root):
        raise EngineError("A path begins at a node that gives something out.")
