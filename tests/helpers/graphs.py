"""Graphs that tests build again and again, and the numbers they are known to have."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from engine import Graph, from_expression
from engine.frame import Frame, frame_at
from engine.graph import Constant, Leaf, Node, OpNode, Root
from engine.rules import BY_NAME, CORRECT, Rules
from engine.trace import Trace, run

REFERENCE = Path(__file__).parent.parent / "engine" / "reference"

DEMONSTRATION = "c = a + b; d = a*b; e = c + d; f = c*d; y = e + f"
"""The graph of the mistakes' table, with a = 2 and b = 3."""


def reference(name: str) -> Any:
    """One of the files of known numbers."""
    return json.loads((REFERENCE / f"{name}.json").read_text("utf-8"))


def number(spelled: float | str) -> float:
    """A number of those files, where what JSON has no word for is spelled as a string."""
    return float(spelled)


@dataclass(frozen=True)
class Example:
    """One of the ten known graphs, with every value and gradient."""

    name: str
    expression: str
    leaves: Mapping[str, float]
    root: str
    nodes: Mapping[str, Mapping[str, float]]
    note: str

    @property
    def graph(self) -> Graph:
        return from_expression(self.expression, self.leaves)


EXAMPLES: tuple[Example, ...] = tuple(Example(**row) for row in reference("examples"))


def example(name: str) -> Example:
    """One of the ten by its name."""
    return next(found for found in EXAMPLES if found.name == name)


def demonstration() -> Graph:
    return from_expression(DEMONSTRATION, {"a": 2, "b": 3})


def chain(length: int, op: str = "neg") -> Graph:
    """A leaf and `length` one-slot ops behind one another, under a Root."""
    nodes: dict[int, Node] = {1: Leaf(1.0, "x")}
    for number in range(2, length + 2):
        nodes[number] = OpNode(op, (number - 1,))
    nodes[length + 2] = Root(length + 1)
    return Graph(nodes, length + 2, length + 3)


def count_looks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The nodes whose inputs are asked for from now on, each time one is."""
    looked, inputs = list[int](), Graph.inputs

    def count(graph: Graph, node: int) -> tuple[int | None, ...]:
        looked.append(node)
        return inputs(graph, node)

    monkeypatch.setattr(Graph, "inputs", count)
    return looked


def sum_over_samples(count: int) -> Graph:
    """The sum of `count` products of one weight, as a program over samples makes it."""
    nodes: dict[int, Node] = {1: Leaf(1.0, "w")}
    total = None
    for k in range(count):
        at = len(nodes) + 1
        nodes |= {at: Constant(float(k)), at + 1: OpNode("mul", (1, at))}
        if total is not None:
            nodes[at + 2] = OpNode("add", (total, at + 1))
        total = len(nodes)
    root = len(nodes) + 1
    return Graph({**nodes, root: Root(total)}, root, root + 1)


def fan(width: int) -> Graph:
    """One leaf plugged into `width` adds in a row, so that it receives `width` + 1 times."""
    nodes: dict[int, Node] = {1: Leaf(1.0, "x")}
    last = 1
    for number in range(2, width + 2):
        nodes[number] = OpNode("add", (last, 1))
        last = number
    nodes[width + 2] = Root(last)
    return Graph(nodes, width + 2, width + 3)


def diamond(levels: int) -> Graph:
    """x doubled `levels` times as v + v: two paths a level, so 2 ** levels in all."""
    nodes: dict[int, Node] = {1: Leaf(1.0, "x")}
    for number in range(2, levels + 2):
        nodes[number] = OpNode("add", (number - 1, number - 1))
    nodes[levels + 2] = Root(levels + 1)
    return Graph(nodes, levels + 2, levels + 3)


def unfinished() -> Graph:
    """c = a × (nothing), d = exp(a), with a Root on c."""
    nodes: dict[int, Node] = {
        1: Leaf(2.0, "a"),
        2: OpNode("mul", (1, None), "c"),
        3: OpNode("exp", (1,), "d"),
        4: Root(2),
        5: Constant(3.0),
    }
    return Graph(nodes, 4, 6)


def named(graph: Graph, name: str) -> int:
    """The id of the node of a name, which there must be."""
    node = graph.node_named(name)
    assert node is not None, name
    return node


def mistake(name: str) -> Rules:
    """One of MISTAKES by its name; also the correct rules."""
    return BY_NAME[name]


def gradients(graph: Graph, rules: Rules = CORRECT) -> dict[str, float]:
    """The gradient of each node that has one at the end of the backward pass, by name."""
    frame = last_frame(run(graph, rules=rules))
    return {graph.names[node]: grad for node, grad in frame.grads.items()}


def values(graph: Graph) -> dict[str, float]:
    """The value of each node by name."""
    return {graph.names[node]: value for node, value in run(graph).values.items()}


def last_frame(trace: Trace) -> Frame:
    return frame_at(trace, len(trace))


def same(one: float, other: float) -> bool:
    """Equal as floats, where nan equals nan and the sign of zero counts."""
    if math.isnan(one) or math.isnan(other):
        return math.isnan(one) and math.isnan(other)
    return one == other and math.copysign(1.0, one) == math.copysign(1.0, other)
