"""The walk that finds the order: visit, mark, append, and at the end reverse, step by step.

It is what a micrograd does before its backward pass, one line of code at a time.

>>> from engine import from_expression
>>> graph = from_expression("y = a*a", {"a": 3})
>>> [(step.does, graph.names[step.node]) for step in order_walk(graph, graph.root)]
[('mark', 'y'), ('mark', 'a'), ('append', 'a'), ('again', 'a'), ('append', 'y'), ('reverse', 'y')]
"""

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from engine.graph import Graph

Does = Literal["mark", "again", "append", "reverse"]
"""A node is visited for the first time, or again; it is appended after its inputs; all is done."""

CODE: tuple[str, ...] = (
    "def build(v):",
    "    if v not in visited:",
    "        visited.add(v)",
    "        for child in v._prev:",
    "            build(child)",
    "        topo.append(v)",
    "build(root)",
    "for v in reversed(topo):",
    "    v._backward()",
)
"""The program that does it."""

LINES: dict[Does, int] = {"again": 1, "mark": 2, "append": 5, "reverse": 7}
"""The line of CODE that each step is, from 0."""


class WalkStep(Struct, frozen=True):
    """One step: what is done with which node, and the list after it, inputs first."""

    does: Does
    node: int
    topo: tuple[int, ...]


def order_walk(graph: Graph, root: int) -> Iterator[WalkStep]:
    """Yield the steps by which the order of a root is found; slots in order, no recursion."""
    seen: set[int] = set()
    topo: tuple[int, ...] = ()
    todo: list[tuple[int, bool]] = [(root, False)]
    while todo:
        node, done = todo.pop()
        if done:
            topo = (*topo, node)
            yield WalkStep("append", node, topo)
        elif node in seen:
            yield WalkStep("again", node, topo)
        else:
            seen.add(node)
            yield WalkStep("mark", node, topo)
            todo.append((node, True))
            sources = [source for source in graph.inputs(node) if source is not None]
            todo += [(source, False) for source in reversed(sources)]
    yield WalkStep("reverse", root, topo)
