"""What a wire that is being drawn would do, in one sentence."""

from __future__ import annotations

from engine.graph import Graph, Root, Wire


def wire_sentence(graph: Graph, source: int, wire: Wire) -> str:
    """Say what a wire to a slot does, and what it replaces there."""
    if isinstance(graph.nodes[wire[0]], Root):
        return with_replaced(graph, source, wire, f"{graph.title(source)} becomes the root")
    return with_replaced(graph, source, wire, arrow(graph, source, wire))


def arrow(graph: Graph, source: int, wire: Wire) -> str:
    """Return the two ends of a wire, in words."""
    return f"{graph.title(source)} → {graph.title(wire[0])}, slot {wire[1] + 1}"


def with_replaced(graph: Graph, source: int, wire: Wire, text: str) -> str:
    """Return what a wire does, and what it replaces in its slot."""
    old = replaced(graph, source, wire)
    return text if old is None else f"{text}: replaces {graph.title(old)}"


def replaced(graph: Graph, source: int, wire: Wire) -> int | None:
    """Return what feeds a slot now, if a wire from another source would replace it."""
    old = graph.source(wire)
    return None if old == source else old
