"""Wiring: pure functions from a graph to a graph that change existing wires.

A wire may have been deleted since it was selected; then it is refused with one sentence.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine import edits
from engine.errors import EditError
from engine.graph import Graph, Wire


def unplugged(graph: Graph, wires: Iterable[Wire]) -> Graph:
    """Return the graph without some wires."""
    chosen = dict.fromkeys(wires)
    for wire in chosen:
        _source(graph, wire)
        graph = edits.disconnect(graph, *wire)
    return graph


def replugged(graph: Graph, old: Wire, new: Wire) -> Graph:
    """Return the graph with a wire moved from its slot to another."""
    source = _source(graph, old)
    return edits.connect(edits.disconnect(graph, *old), source, *new)


def all_replugged(graph: Graph, old: int, new: int) -> Graph:
    """Return the graph with all wires of one node moved to another."""
    edits.check_nodes(graph, (old, new))
    if not graph.outgoing[old]:
        raise EditError("No wire leaves {node}.", node=graph.title(old))
    for target, slot in graph.outgoing[old]:
        graph = edits.connect(graph, new, target, slot)
    return graph


def _source(graph: Graph, wire: Wire) -> int:
    target, slot = wire
    inputs = graph.inputs(target) if target in graph.nodes else ()
    source = inputs[slot] if 0 <= slot < len(inputs) else None
    if source is None:
        raise EditError("This wire is gone.")
    return source
