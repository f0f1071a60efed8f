"""Formulas that were typed: their text, and the numbers drawn for leaves without a value."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

from msgspec import Struct

from app.document.change import same_node
from engine.formats.expression import LENGTH_LIMIT, write
from engine.graph import Graph, Leaf

_ASSIGNED = re.compile(r"(?:^|[;\n])\s*([A-Za-z_]\w*)\s*=")
_MOST_NODES = 1000
"""Larger graphs are not written as text, since nobody would read it."""
_REMEMBERED = 100
"""How many typed formulas are remembered; enough for those that undo leads back to."""
_LONGEST_TITLE = 40
_JOIN = "; "


class _Formula(NamedTuple):
    """A formula, the graph it gave as assignments, and the leaves whose value it sets."""

    text: str
    written: str
    leaves: dict[int, Leaf]


class TypedFormulas:
    """The formulas typed for one document.

    A typed formula stands for a graph only if it gave exactly that graph: the assignments written
    for it are the same, and so are the leaves whose value the formula sets. So an edit by hand
    replaces it, and undo brings it back. It is not saved: a file holds the graph.
    """

    def __init__(self) -> None:
        self._typed: list[_Formula] = []

    def remember(self, text: str, graph: Graph) -> None:
        """Remember that a text was typed and gave this graph."""
        given = given_in(text)
        leaves = {
            n: found
            for n, found in graph.nodes.items()
            if isinstance(found, Leaf) and graph.names[n] in given
        }
        self._typed = [
            *self._typed[1 - _REMEMBERED :],
            _Formula(joined(text), written(graph), leaves),
        ]

    def text_for(self, graph: Graph) -> str:
        """Return the formula typed last for this graph, else the graph as assignments; or ""."""
        text = written(graph)
        found = (typed.text for typed in reversed(self._typed) if _gave(typed, graph, text))
        return next(found, text) if text else ""

    def depends_on(self, leaves: Collection[int]) -> bool:
        """Return whether a typed formula may come or go with the values of these leaves."""
        return any(not typed.leaves.keys().isdisjoint(leaves) for typed in self._typed)


def _gave(typed: _Formula, graph: Graph, text: str) -> bool:
    """Return whether a typed formula gave this graph, whose assignments are `text`."""
    return typed.written == text and all(
        n in graph.nodes and same_node(graph.nodes[n], leaf) for n, leaf in typed.leaves.items()
    )


def written(graph: Graph) -> str:
    """Return the graph as assignments; "" without a root or when it would be too long."""
    if graph.root is None or len(graph.plan(graph.root).order) > _MOST_NODES:
        return ""
    text = write(graph, values=False)
    return text if len(text) <= LENGTH_LIMIT else ""


def given_in(text: str) -> frozenset[str]:
    """Return the names that are assigned in a text."""
    return frozenset(_ASSIGNED.findall(text))


def title_of(text: str) -> str:
    """Return the title of a sheet that began with a typed text."""
    line = joined(text)
    return line if len(line) <= _LONGEST_TITLE else f"{line[: _LONGEST_TITLE - 1].rstrip()}…"


def joined(text: str) -> str:
    """Join several lines into one, as assignments separated by `;`."""
    lines = (line.strip().rstrip(";").rstrip() for line in text.splitlines())
    return _JOIN.join(line for line in lines if line)


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
        self._begun = [*others[1 - _REMEMBERED :], begun]

    def of(self, graph: Graph) -> Begun | None:
        """Return the beginning that a graph is, or None."""
        return next((begun for begun in self._begun if begun.graph is graph), None)
