"""The numbers of a program's Values while it is read: `.data`, `.grad`, and what backward does.

A graph has one number for each leaf, and computes the rest. A program may change `.data` at any
time, so what the Values hold when the root's last pass begins is kept, and compared with what the
graph computes from its leaves.
"""

import ast
import math
from collections.abc import Mapping

from engine.graph import Constant, Leaf, Node, OpNode, Root, inputs_of
from engine.ops import BY_NAME
from engine.order import post_order


class Passes:
    """Keeps `.data` and `.grad` of all Values, as running the program would."""

    def __init__(self, nodes: Mapping[int, Node]) -> None:
        self._nodes = nodes
        self.data: dict[int, float] = {}
        self.grad: dict[int, float] = {}
        self.changed: ast.AST | None = None
        """Where the program set `.data` last."""
        self.closed = False
        """Whether the last pass is over: then numbers of Values are changed no more."""
        self._root: int | None = None
        self._kept: dict[int, float] = {}

    def made(self, number: int) -> None:
        """Compute the value of a new node."""
        node = self._nodes[number]
        self.grad[number] = 0.0
        self.data[number] = self._value(node, self.data)

    def set_data(self, number: int, data: float, part: ast.AST) -> None:
        """What `v.data = 2` does."""
        if not self.closed:
            self.data[number], self.changed = data, part

    def order(self, root: int) -> tuple[int, ...]:
        """All Values that lead to one, inputs first."""
        return post_order((root,), lambda node: inputs_of(self._nodes[node]))

    def push(self, number: int) -> None:
        """What `v._backward()` does: add to the gradients of the inputs."""
        node = self._nodes[number]
        if not isinstance(node, OpNode):
            return
        inputs = [source for source in node.inputs if source is not None]
        values = [self.data[source] for source in inputs]
        for source, partial in zip(inputs, BY_NAME[node.op].partials, strict=True):
            self.grad[source] += self.grad[number] * partial(*values, self.data[number])

    def backward(self, root: int) -> int:
        """What `v.backward()` does; returns how many Values took part."""
        order = self.order(root)
        self._root, self._kept = root, {number: self.data[number] for number in order}
        self.grad[root] = 1.0
        for number in reversed(order):
            self.push(number)
        return len(order)

    def numbers_of(self, root: int) -> dict[int, float]:
        """What the Values below a root held in its last pass, or hold now without one."""
        return self._kept if root == self._root else {n: self.data[n] for n in self.order(root)}

    def is_consistent(self, root: int) -> bool:
        """Whether the leaves' numbers give all other numbers below the root."""
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
