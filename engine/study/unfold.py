"""Unfolding: replaces a composed operation by its expansion into simpler ones, and back.

The node keeps its id, label and wires and becomes the last operation of its expansion; the
operations before it are new nodes. Values and outside gradients are the same wherever both are
finite.
"""

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from engine.errors import EditError
from engine.graph import Constant, Graph, Node, OpNode
from engine.ops import BY_NAME

Pattern: TypeAlias = "str | float | tuple[Pattern, ...]"
"""A slot's letter, a constant, or (operation, *patterns); equal operations become one node."""

_NEGATIVE: Pattern = ("mul", "a", -1.0)
_EXP_2A: Pattern = ("exp", ("mul", "a", 2.0))
_SIGMOID: Pattern = ("pow", ("add", 1.0, ("exp", _NEGATIVE)), -1.0)

EXPANSIONS: dict[str, Pattern] = {
    "sub": ("add", "a", ("mul", "b", -1.0)),
    "div": ("mul", "a", ("pow", "b", -1.0)),
    "neg": _NEGATIVE,
    "pow": ("exp", ("mul", "b", ("log", "a"))),
    "square": ("mul", "a", "a"),
    "sqrt": ("pow", "a", 0.5),
    "log1p": ("log", ("add", 1.0, "a")),
    "tan": ("mul", ("sin", "a"), ("pow", ("cos", "a"), -1.0)),
    "tanh": ("mul", ("add", _EXP_2A, -1.0), ("pow", ("add", _EXP_2A, 1.0), -1.0)),
    "sigmoid": _SIGMOID,
    "silu": ("mul", "a", _SIGMOID),
    # as PyTorch: above 20, log(1 + eᵃ) is a itself
    "softplus": ("where_gt0", ("add", "a", -20.0), "a", ("log", ("add", 1.0, ("exp", "a")))),
    "relu": ("where_gt0", "a", "a", 0.0),
    "leaky_relu": ("where_gt0", "a", "a", ("mul", "a", 0.01)),
    "elu": ("where_gt0", "a", "a", ("add", ("exp", "a"), -1.0)),
}
"""The expansion of each composed operation, in the letters of its slots."""


def can_unfold(graph: Graph, node: int) -> bool:
    """Return whether a node has an expansion; a power by a plain number has none."""
    composed = graph.nodes.get(node)
    if not isinstance(composed, OpNode) or composed.op not in EXPANSIONS:
        return False
    exponent = composed.inputs[-1]
    return not (composed.op == "pow" and exponent is not None and _is_constant(graph, exponent))


def unfold(graph: Graph, node: int) -> Graph:
    """Replace an operation by its expansion; the new nodes have the ids from `next_id` on."""
    composed = graph.nodes.get(node)
    if not isinstance(composed, OpNode) or not can_unfold(graph, node):
        name = graph.title(node) if node in graph.nodes else "This node"
        raise EditError("{node} is not made of simpler operations.", node=name)
    inputs = dict(zip(BY_NAME[composed.op].slots, composed.inputs, strict=True))
    builder = _Builder(graph.next_id, inputs)
    top = builder.op(EXPANSIONS[composed.op], composed.label)
    nodes = {**graph.nodes, **builder.new_nodes, node: top}
    return Graph(nodes, graph.active_root, builder.next_id)


def fold(graph: Graph, node: int, op: str | None = None) -> Graph:
    """Replace the expansion that ends in `node` by one operation: `op`, or the largest match."""
    matches = [match for match in _matches(graph, node) if op in (None, match.op)]
    if not matches:
        name = graph.title(node) if node in graph.nodes else "This node"
        if op is None:
            raise EditError("{node} is not the end of an expansion of an operation.", node=name)
        raise EditError("{node} is not the end of an expansion of {op}.", node=name, op=op)
    best = max(matches, key=lambda match: len(match.inner))
    end = graph.nodes[node]
    assert isinstance(end, OpNode)
    nodes: dict[int, Node] = {
        node_id: part for node_id, part in graph.nodes.items() if node_id not in best.inner
    }
    inputs = tuple(best.bound[letter] for letter in BY_NAME[best.op].slots)
    nodes[node] = OpNode(best.op, inputs, end.label)
    return Graph(nodes, graph.active_root, graph.next_id)


def foldable(graph: Graph, node: int) -> list[str]:
    """Return the operations whose expansion ends in `node`, the largest first."""
    found = sorted(_matches(graph, node), key=lambda match: -len(match.inner))
    return [match.op for match in found]


class _Builder:
    """Builds the nodes of one expansion; equal parts become one node."""

    def __init__(self, next_id: int, inputs: Mapping[str, int | None]) -> None:
        self.next_id = next_id
        self.new_nodes: dict[int, Node] = {}
        self._inputs = inputs
        self._node_of: dict[Pattern, int] = {}

    def op(self, pattern: Pattern, label: str = "") -> OpNode:
        assert isinstance(pattern, tuple)
        name, *parts = pattern
        return OpNode(str(name), tuple(self._part(part) for part in parts), label)

    def _part(self, part: Pattern) -> int | None:
        if isinstance(part, str):
            return self._inputs[part]
        if not isinstance(part, tuple):
            return self._add(Constant(part))
        if part not in self._node_of:
            self._node_of[part] = self._add(self.op(part))
        return self._node_of[part]

    def _add(self, node: Node) -> int:
        node_id = self.next_id
        self.new_nodes[node_id] = node
        self.next_id += 1
        return node_id


class _Match:
    """Matches one expansion against the ancestors of a node.

    `bound` is the node of each slot's letter, `inner` are the matched nodes that folding removes.
    """

    def __init__(self, graph: Graph, op: str) -> None:
        self.op = op
        self.bound: dict[str, int | None] = {}
        self.inner: set[int] = set()
        self._graph = graph
        self._node_of: dict[Pattern, int | None] = {}

    def fits(self, pattern: Pattern, node: int | None, top: bool = False) -> bool:
        if isinstance(pattern, str):
            return self.bound.setdefault(pattern, node) == node
        if node is None:
            return False
        if not isinstance(pattern, tuple):
            self.inner.add(node)
            return self._graph.nodes[node] == Constant(pattern)
        if pattern in self._node_of:
            return self._node_of[pattern] == node
        self._node_of[pattern] = node
        return self._fits_op(pattern, node, top)

    def _fits_op(self, pattern: tuple[Pattern, ...], node: int, top: bool) -> bool:
        if not top:
            self.inner.add(node)
        found = self._graph.nodes[node]
        name, *parts = pattern
        return (
            isinstance(found, OpNode)
            and found.op == name
            and (top or not found.label)
            and all(self.fits(p, s) for p, s in zip(parts, found.inputs, strict=True))
        )

    def is_closed(self, top: int) -> bool:
        """Return whether no node outside uses the nodes that would be removed."""
        users = {t for n in self.inner for t, _slot in self._graph.outgoing[n]}
        return users <= self.inner | {top} and not self.inner & set(self.bound.values())


def _matches(graph: Graph, node: int) -> Iterator[_Match]:
    if not isinstance(graph.nodes.get(node), OpNode):
        return
    for op, pattern in EXPANSIONS.items():
        match = _Match(graph, op)
        if match.fits(pattern, node, top=True) and match.is_closed(node):
            yield match


def _is_constant(graph: Graph, node: int) -> bool:
    return isinstance(graph.nodes[node], Constant)
