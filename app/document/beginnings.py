"""Beginnings: the graphs that were typed without values, and the leaves that got numbers there."""

from __future__ import annotations

from msgspec import Struct

from engine.graph import Graph, Leaf

_MOST = 100
"""How many graphs are remembered; enough for those that undo leads back to."""


class Begun(Struct, frozen=True, eq=False):
    """A graph in which `leaves` have numbers that nobody typed, and the seed drawn last."""

    graph: Graph
    leaves: tuple[int, ...]
    seed: int = 0

    @property
    def numbers(self) -> tuple[float, ...]:
        """Return the numbers of the leaves."""
        nodes = (self.graph.nodes[leaf] for leaf in self.leaves)
        return tuple(node.value for node in nodes if isinstance(node, Leaf))

    @property
    def all_ones(self) -> bool:
        """Return whether each of the leaves is 1."""
        return set(self.numbers) == {1.0}


class Beginnings:
    """The beginnings of one document; an edit leads away from them, and undo back."""

    def __init__(self) -> None:
        self._begun: list[Begun] = []

    def remember(self, begun: Begun) -> None:
        """Remember a beginning, in place of an earlier one of the same graph."""
        others = [known for known in self._begun if known.graph is not begun.graph]
        self._begun = [*others[1 - _MOST :], begun]

    def of(self, graph: Graph) -> Begun | None:
        """Return the beginning that a graph is, or None."""
        return next((begun for begun in self._begun if begun.graph is graph), None)
