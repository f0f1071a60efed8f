"""Forks: the nodes from which several wires carry a contribution."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from engine.graph import Graph, Root, Structure


def forks(graph: Graph, root: int | None) -> frozenset[int]:
    """Return the nodes that several firing wires leave, in the correct pass of a root."""
    found = _FORKS.setdefault(graph.structure, {})
    if root is not None and root not in found:
        wants = graph.plan(root).wants
        fires = {n for n in wants if not isinstance(graph.nodes[n], Root)}
        found[root] = frozenset(
            n for n in fires if sum(w[0] in fires for w in graph.outgoing[n]) > 1
        )
    return frozenset() if root is None else found[root]


_FORKS: WeakKeyDictionary[Structure, dict[int, frozenset[int]]] = WeakKeyDictionary()
