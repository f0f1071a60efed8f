"""The backward pass as a program in the manner of micrograd, and its topological sort step by step.

A mistake replaces some lines of the program by others; the program is written with three operations
for all.

>>> from engine.rules import BY_NAME
>>> [line.text for line in program(BY_NAME["no-seed"]) if line.wrong]
['    pass  # no seed']
>>> wrong_and_right(BY_NAME["no-seed"])[1]
('    root.grad = 1.0',)

The topological sort before the backward pass is a depth-first search, one line of code at a time:

>>> from engine import from_expression
>>> graph = from_expression("y = a*a", {"a": 3})
>>> [(step.does, graph.names[step.node]) for step in order_walk(graph, graph.root)]
[('mark', 'y'), ('mark', 'a'), ('append', 'a'), ('again', 'a'), ('append', 'y'), ('reverse', 'y')]
"""

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from engine.graph import Graph
from engine.rules import Rules


class Line(Struct, frozen=True):
    """One line of the program, its purpose, and whether a mistake has written it."""

    text: str
    purpose: str = ""
    wrong: bool = False


PROGRAM: tuple[Line, ...] = (
    Line("def send(v, contribution):"),
    Line("    v.grad += contribution", "adds a contribution to what the node holds already"),
    Line("# c = a + b"),
    Line("send(a, c.grad)", "sends the gradient of a sum on to its first summand as it is"),
    Line("send(b, c.grad)", "sends the gradient of a sum on to its second summand as it is"),
    Line("# c = a * b"),
    Line("send(a, c.grad * b.data)", "multiplies by the other factor, the slope along a"),
    Line("send(b, c.grad * a.data)", "multiplies by the other factor, the slope along b"),
    Line("# c = a / b"),
    Line("send(a, c.grad / b.data)", "multiplies by 1 ÷ b, the slope along a"),
    Line("send(b, -c.grad * c.data / b.data)", "multiplies by −a ÷ b², the slope along b"),
    Line("def backward(root):"),
    Line("    for v in topo: v.grad = 0.0", "zeroes every gradient before the pass"),
    Line("    root.grad = 1.0", "gives the root its seed"),
    Line("    for v in reversed(topo):", "takes each node after all that it feeds"),
    Line("        v._backward()", "lets the node send along each of its wires"),
)


def wrong_and_right(rules: Rules) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the lines that a mistake writes, and the right ones; those in both are left out."""
    wrong, right = rules.code.splitlines(), rules.correct_code.splitlines()
    return (
        tuple(line for line in wrong if line.strip() not in _stripped(right)),
        tuple(line for line in right if line.strip() not in _stripped(wrong)),
    )


def program(rules: Rules) -> tuple[Line, ...]:
    """Return the whole program as it is written under these rules."""
    if not rules.correct_code:
        return PROGRAM
    right, wrong = rules.correct_code.splitlines(), wrong_and_right(rules)[0]
    texts = [line.text for line in PROGRAM]
    # where the lines to be replaced begin
    first = next(k for k in range(len(texts)) if texts[k : k + len(right)] == right)
    mistaken = tuple(
        Line(text, "lets the node send along each of its wires" if text not in wrong else "",
             wrong=text in wrong)
        for text in rules.code.splitlines()
    )  # fmt: skip
    return (*PROGRAM[:first], *mistaken, *PROGRAM[first + len(right) :])


def _stripped(lines: list[str]) -> set[str]:
    return {line.strip() for line in lines}


Does = Literal["mark", "again", "append", "reverse"]
"""The kinds of steps: a node is visited for the first time or again, it is appended after its
inputs, and in the end the list is reversed."""

SORT_CODE: tuple[str, ...] = (
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
"""micrograd's topological sort, whose lines `order_walk` steps through."""

SORT_LINE_OF: dict[Does, int] = {"again": 1, "mark": 2, "append": 5, "reverse": 7}
"""The line of SORT_CODE of each kind of step, from 0."""


class WalkStep(Struct, frozen=True):
    """One step of the sort: its kind, its node, and the list after it, inputs first."""

    does: Does
    node: int
    topo: tuple[int, ...]


def order_walk(graph: Graph, root: int) -> Iterator[WalkStep]:
    """Yield the steps of the topological sort from a root: depth-first with a stack of its own."""
    visited: set[int] = set()
    topo: tuple[int, ...] = ()
    stack: list[tuple[int, bool]] = [(root, False)]
    while stack:
        node, inputs_done = stack.pop()
        if inputs_done:
            topo = (*topo, node)
            yield WalkStep("append", node, topo)
        elif node in visited:
            yield WalkStep("again", node, topo)
        else:
            visited.add(node)
            yield WalkStep("mark", node, topo)
            stack.append((node, True))
            sources = [source for source in graph.inputs(node) if source is not None]
            stack += [(source, False) for source in reversed(sources)]
    yield WalkStep("reverse", root, topo)
