"""Formulas that were typed: their text, and the numbers drawn for leaves without a value.

TypedFormulas   the text to show in the expression bar for a graph
NumberDraws     which leaves of a graph have numbers that were drawn, and from which seed
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from msgspec import Struct

from app.document.change import are_identical
from engine.formats.expression import Typed, write
from engine.formats.notation import LENGTH_LIMIT
from engine.graph import Graph, Leaf

_MOST_NODES = 1000
"""Larger graphs are not written as text, since nobody would read it."""
_MOST_REMEMBERED = 100
"""Number of typed formulas remembered, enough for the last hundred that undo can restore."""
_LONGEST_TITLE = 40
"""Maximum number of characters of a title made from a text."""
_SEPARATOR = "; "


class _Formula(NamedTuple):
    """A typed text, its graph as assignments, and the leaves whose value the text sets."""

    text: str
    assignments: str
    leaves: dict[int, Leaf]
    remark: str


class TypedFormulas:
    """The formulas typed for one document.

    A text is shown for a graph only if that graph was read from it: its assignments are the same,
    and so are the leaves whose value the text sets. So an edit by hand replaces the text, and undo
    restores it. It is not saved: a file holds the graph.
    """

    def __init__(self) -> None:
        self._typed: list[_Formula] = []

    def remember(self, text: str, graph: Graph, typed: Typed) -> None:
        """Remember a text, the graph read from it, and how the text was understood."""
        leaves = {
            n: found
            for n, found in graph.nodes.items()
            if isinstance(found, Leaf) and graph.names[n] in typed.names
        }
        self._typed = [
            *self._typed[1 - _MOST_REMEMBERED :],
            _Formula(single_line(text), assignments_text(graph), leaves, typed.remark),
        ]

    def text_for(self, graph: Graph) -> str:
        """Return the formula typed last for this graph, else the graph as assignments; or ""."""
        text = assignments_text(graph)
        typed = self._source_of(graph, text)
        return text if typed is None else typed.text

    def remark_for(self, graph: Graph) -> str:
        """Return how the formula typed last for this graph was understood, or ""."""
        typed = self._source_of(graph, assignments_text(graph)) if self._typed else None
        return "" if typed is None else typed.remark

    def _source_of(self, graph: Graph, text: str) -> _Formula | None:
        found = (typed for typed in reversed(self._typed) if _is_source_of(typed, graph, text))
        return next(found, None) if text else None

    def has_titled(self, title: str) -> bool:
        """Return whether a title is that of a sheet which one of the formulas has made."""
        return any(formula_title(typed.text) == title for typed in self._typed)

    def depends_on(self, leaves: Collection[int]) -> bool:
        """Return whether `text_for` may change with the values of these leaves."""
        return any(not typed.leaves.keys().isdisjoint(leaves) for typed in self._typed)


def _is_source_of(typed: _Formula, graph: Graph, text: str) -> bool:
    """Return whether a graph, whose assignments are `text`, was read from a typed formula."""
    return typed.assignments == text and all(
        n in graph.nodes and are_identical(graph.nodes[n], leaf) for n, leaf in typed.leaves.items()
    )


def assignments_text(graph: Graph) -> str:
    """Return the graph as assignments; "" without a root or when it would be too long."""
    if graph.root is None or len(graph.plan(graph.root).order) > _MOST_NODES:
        return ""
    text = write(graph, values=False)
    return text if len(text) <= LENGTH_LIMIT else ""


def formula_title(text: str) -> str:
    """Return the title of a sheet made by a typed text: its beginning."""
    line = single_line(text)
    return line if len(line) <= _LONGEST_TITLE else f"{line[: _LONGEST_TITLE - 1].rstrip()}…"


def single_line(text: str) -> str:
    """Join several lines into one, as assignments separated by `;`."""
    lines = (line.strip().rstrip(";").rstrip() for line in text.splitlines())
    return _SEPARATOR.join(line for line in lines if line)


class DrawnNumbers(Struct, frozen=True, eq=False):
    """A graph in which the numbers of `leaves` were drawn, not typed, and the seed of the draw."""

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


class NumberDraws:
    """The graphs of one document with drawn numbers; an edit leaves them, undo returns to them."""

    def __init__(self) -> None:
        self._draws: list[DrawnNumbers] = []

    def remember(self, draw: DrawnNumbers) -> None:
        """Remember a draw, in place of an earlier one for the same graph."""
        others = [known for known in self._draws if known.graph is not draw.graph]
        self._draws = [*others[1 - _MOST_REMEMBERED :], draw]

    def of(self, graph: Graph) -> DrawnNumbers | None:
        """Return the draw of exactly this graph, or None."""
        return next((draw for draw in self._draws if draw.graph is graph), None)
