"""Forks: the nodes from which several wires carry a contribution."""

from __future__ import annotations

from collections.abc import Mapping
from weakref import WeakKeyDictionary

from engine.graph import Graph, Root, Structure


def forks(graph: Graph, root: int | None) -> Mapping[int, int]:
    """Return the nodes that get several contributions in the correct pass, and how many."""
    found = _FORKS.setdefault(graph.structure, {})
    if root is not None and root not in found:
        wants = graph.plan(root).wants
        fires = {n for n in wants if not isinstance(graph.nodes[n], Root)}
        counts = {n: sum(wire[0] in fires for wire in graph.outgoing[n]) for n in fires}
        found[root] = {n: count for n, count in counts.items() if count > 1}
    return {} if root is None else found[root]


_FORKS: WeakKeyDictionary[Structure, dict[int, Mapping[int, int]]] = WeakKeyDictionary()
