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
from engine.problems import local_derivative
from engine.trace import Trace, run

LISTED_PATHS_LIMIT = 1000
"""Paths that are enumerated unless the caller asks for another number."""
COUNT_LIMIT = 10**30
"""Where counting stops: a graph of 400 diamonds in a row has 2⁴⁰⁰ paths, a number of 121 digits."""


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


def paths(
    graph: Graph, source: int, root: int | None = None, limit: int = LISTED_PATHS_LIMIT
) -> list[Path]:
    """Return paths from a node to the root, at most `limit`."""
    _check(graph, source)
    return paths_in(run(graph, root), source, limit)


def paths_in(trace: Trace, source: int, limit: int = LISTED_PATHS_LIMIT) -> list[Path]:
    """Return paths from a node to the root of a pass, at most `limit`."""
    graph, values = trace.graph, trace.values
    memo = _WIRES_MEMO.setdefault(graph.structure, {})
    key = (source, trace.root, limit)
    if key not in memo:
        memo[key] = tuple(islice(_wires(graph, source, trace.root), limit))
    return [
        Path(wires, tuple([local_derivative(graph, wire, values) for wire in wires]))
        for wires in memo[key]
    ]


_WIRES_MEMO: WeakKeyDictionary[
    Structure, dict[tuple[int, int, int], tuple[tuple[Wire, ...], ...]]
] = WeakKeyDictionary()
"""The paths by (source, root, limit): while a slider moves, only their factors change."""


def _wires(graph: Graph, source: int, root: int) -> Iterator[tuple[Wire, ...]]:
    """Yield the wires of each path, depth first."""
    import networkx

    inside = graph.plan(root).order
    if source in inside:
        # among the root's ancestors alone no branch is a dead end, so each step leads to a path
        ancestors = graph.structure.wiring.subgraph(inside)
        for edges in networkx.all_simple_edge_paths(ancestors, source, root):
            # an edge of a multigraph is (source, target, key); networkx declares no key
            keyed = cast("list[tuple[int, int, int]]", edges)
            yield tuple((target, slot) for _source, target, slot in keyed)


def path_count(graph: Graph, source: int, root: int | None = None) -> int:
    """Return the number of paths without enumerating them, at most COUNT_LIMIT.

    This is backpropagation with every local derivative 1: a path from a node begins with one of its
    wires, so a node has as many paths as its targets have together, counted once per wire.
    """
    trace = run(graph, root)
    _check(graph, source)
    plan = graph.plan(trace.root)
    counts = dict.fromkeys(plan.order, 0)
    counts[trace.root] = 1
    for target in reversed(plan.order):  # a target's own count is complete when it is passed on
        for node in graph.inputs(target):
            if node is not None:
                counts[node] = min(counts[node] + counts[target], COUNT_LIMIT)
    return counts.get(source, 0)


def miscounts(graph: Graph, source: int, root: int) -> dict[str, int]:
    """Return the wrong counts of the paths from a node to the root, by the belief behind each.

    >>> from engine import from_expression
    >>> graph = from_expression("e = a*b; y = e*e + e", {"a": 2, "b": 3})
    >>> miscounts(graph, 1, graph.root), path_count(graph, 1)
    ({'wires counted': 1}, 3)
    """
    right, plan = path_count(graph, source, root), graph.plan(root)
    inside, after = frozenset(plan.order), {source}
    for node in plan.order:  # a node comes after its inputs
        if not after.isdisjoint(graph.inputs(node)):
            after.add(node)
    wires = sum(target in inside for target, _slot in graph.outgoing.get(source, ()))
    beliefs = {"wires counted": wires, "nodes counted": len(after) - 1, "one path": 1}
    found: dict[str, int] = {}
    for name, number in beliefs.items():
        if number and number != right and number not in found.values():
            found[name] = number
    return found


def _check(graph: Graph, source: int) -> None:
    """Raise EngineError for a Root, which marks an output and is on no path."""
    if source not in graph.nodes or isinstance(graph.nodes[source], Root):
        raise EngineError("A path begins at a node that gives something out.")
