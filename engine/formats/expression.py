"""Expressions: a formula, or assignments with the root last, read without running anything.

    c = a + b; d = a*b; y = c*d

Names that are not assigned are leaves, `a = 2` gives a leaf its value, numbers inside formulas
are constants, one per occurrence, and a name used twice is one node. `x.tanh()` is tanh(x).
"""

from collections.abc import Mapping

from engine.errors import EditError, FormatError, PlacedFormatError
from engine.formats.expression_reader import LENGTH_LIMIT, NODE_LIMIT, ExpressionReader
from engine.formats.expression_writer import lines, literal
from engine.formats.format import Format
from engine.graph import Graph, Leaf, as_number
from engine.names import with_names_read

__all__ = [
    "FORMAT",
    "LENGTH_LIMIT",
    "NODE_LIMIT",
    "PlacedFormatError",
    "literal",
    "read",
    "read_typed",
    "unknown_leaf",
    "write",
]


LEAVES_NAMED = 12
"""The most leaves that an error names, so that it fits on a few lines."""


def read(text: str, values: Mapping[str, float] | None = None) -> Graph:
    """Parse an expression into a graph with a Root on its last line.

    `values` sets leaves by name. Raises FormatError with line and column.
    """
    typed = read_typed(text)
    nodes = with_names_read(typed.nodes)
    return _valued(Graph(nodes, typed.active_root, max(nodes) + 1), values or {})


def read_typed(text: str) -> Graph:
    """Parse an expression that replaces one of a sheet: every name in it is a label."""
    return ExpressionReader(text).graph()


def write(graph: Graph, values: bool = True) -> str:
    """Return the assignments that give this graph's active root; with `values`, its leaves' too.

    An unlabelled op node that is used once is written inside the formula of its user.
    """
    return "; ".join(_lines(graph, values))


def unknown_leaf(graph: Graph, name: str, most: int = LEAVES_NAMED) -> FormatError:
    """Return the error for a name that is no leaf's; it names up to `most` of the leaves."""
    leaves = [graph.names[leaf] for leaf in graph.leaves]
    known, more = ", ".join(leaves[:most]), len(leaves) - most
    if more > 0:
        template = "No leaf is called {name}; the leaves are {known} and {more} more."
        return FormatError(template, name=name, known=known, more=more)
    if leaves:
        return FormatError(
            "No leaf is called {name}; the leaves are {known}.", name=name, known=known
        )
    return FormatError("No leaf is called {name}; there is no leaf.", name=name)


def _read(text: str) -> Graph:
    return read(text)


def _write(graph: Graph) -> str:
    return "\n".join(_lines(graph)) + "\n"


def _lines(graph: Graph, values: bool = True) -> list[str]:
    if graph.root is None:
        raise FormatError("Choose a root first: an expression ends with it.")
    return lines(graph, graph.root, values)


FORMAT = Format("expression", "Expression", (".txt",), _read, _write)


def _valued(graph: Graph, values: Mapping[str, float]) -> Graph:
    wanted: dict[int, float] = {}
    for name, value in values.items():
        node = graph.node_named(name)
        if node is None or not isinstance(graph.nodes[node], Leaf):
            raise unknown_leaf(graph, name)
        try:
            wanted[node] = as_number(value)
        except EditError as error:
            raise FormatError("{name}: {reason}", name=name, reason=error) from None
    return graph.with_values(wanted) if wanted else graph
