"""The numbers of a program's Values while it is read: `.data`, `.grad`, and backward passes.

A graph holds one number per leaf and computes the rest, but a program may change `.data` at any
time. So the numbers at the start of the root's last pass are kept and compared with what the graph
computes from its leaves.
"""

import ast
import math
from collections.abc import Mapping

from engine.graph import Constant, Leaf, Node, OpNode, Root
from engine.ops import BY_NAME
from engine.order import post_order


class Passes:
    """Maintains `.data` and `.grad` of all Values as running the program would."""

    def __init__(self, nodes: Mapping[int, Node]) -> None:
        self._nodes = nodes
        self.data: dict[int, float] = {}
        self.grad: dict[int, float] = {}
        self.changed: ast.AST | None = None
        """The statement that last set `.data`."""
        self.closed = False
        """Whether the last pass is over, after which no Value changes."""
        self._root: int | None = None
        self._kept: dict[int, float] = {}

    def made(self, number: int) -> None:
        """Compute the value of a new node."""
        node = self._nodes[number]
        self.grad[number] = 0.0
        self.data[number] = self._value(node, self.data)

    def set_data(self, number: int, data: float, part: ast.AST) -> None:
        """Evaluate `v.data = 2`."""
        if not self.closed:
            self.data[number], self.changed = data, part

    def order(self, root: int) -> tuple[int, ...]:
        """Return all Values that lead to one, inputs first."""
        return post_order((root,), lambda node: self._nodes[node].inputs)

    def push(self, number: int) -> None:
        """Evaluate `v._backward()`: add to the gradients of the inputs."""
        node = self._nodes[number]
        if not isinstance(node, OpNode):
            return
        inputs = [source for source in node.inputs if source is not None]
        values = [self.data[source] for source in inputs]
        for source, partial in zip(inputs, BY_NAME[node.op].partials, strict=True):
            self.grad[source] += self.grad[number] * partial(*values, self.data[number])

    def backward(self, root: int) -> int:
        """Evaluate `v.backward()`; returns how many Values took part."""
        order = self.order(root)
        self._root, self._kept = root, {number: self.data[number] for number in order}
        self.grad[root] = 1.0
        for number in reversed(order):
            self.push(number)
        return len(order)

    def numbers_of(self, root: int) -> dict[int, float]:
        """Return the numbers below a root in its last pass, or the current ones without a pass."""
        return self._kept if root == self._root else {n: self.data[n] for n in self.order(root)}

    def is_consistent(self, root: int) -> bool:
        """Return whether the leaves' numbers give all other numbers below the root."""
        held = self.numbers_of(root)
        return all(_same(held[n], self._value(self._nodes[n], held)) for n in self.order(root)
                   if isinstance(self._nodes[n], OpNode))  # fmt: skip

    def _value(self, node: Node, data: Mapping[int, float]) -> float:
        assert not isinstance(node, Root)
        if isinstance(node, Leaf | Constant):
            return node.value
        return BY_NAME[node.op].forward(*[data[n] for n in node.inputs if n is not None])


def _same(one: float, other: float) -> bool:
    return one == other or (math.isnan(one) and math.isnan(other))
