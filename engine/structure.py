"""Structure: the topological order, the wires and the names of a graph, for all its values.

The order is depth-first post-order from the root, slots in order: inputs come before the nodes that
use them, and the backward pass walks the reverse. `Value`, the trace and every compiled form use
exactly this order, so their sums agree bit for bit.

>>> inputs = {1: (), 2: (), 3: (1, 2), 4: (3, 1)}  # 3 is a*b, 4 is a*b + a
>>> post_order([4], inputs.__getitem__)
(1, 2, 3, 4)

A `Structure` computes this once for all graphs with the same wiring:

>>> product = OpNode("mul", (1, 2))  # a*b
>>> found = Structure({1: Leaf(2.0, "a"), 2: Leaf(3.0, "b"), 3: product, 4: Root(3)})
>>> found.leaves, found.outgoing[2], found.plan(3).order
((1, 2), ((3, 1),), (1, 2, 3))
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct

from engine.names import clear_labels, names_of, shortened
from engine.nodes import Constant, Leaf, Node, OpNode, Root, Wire
from engine.op import Rule
from engine.ops import BY_NAME

if TYPE_CHECKING:
    import networkx


Key = TypeVar("Key", bound=Hashable)


def post_order(
    starts: Iterable[Key], inputs: Callable[[Key], Sequence[Key | None]]
) -> tuple[Key, ...]:
    """Return every node reachable from `starts`, inputs first; iterative, so depth has no limit.

    `inputs` returns the sources of a node, slot by slot; None is an empty slot.
    """
    found: list[Key] = []
    seen: set[Key] = set()
    for start in starts:
        opened: list[Key] = []
        todo: list[Key | None] = [start]  # None: all inputs of the last opened node are found
        while todo:
            node = todo.pop()
            if node is None:
                found.append(opened.pop())
            elif node not in seen:
                seen.add(node)  # now, not when it is done: a node used twice is visited once
                opened.append(node)
                todo.append(None)  # below the inputs, so popped when all of them are found
                todo.extend(source for source in inputs(node)[::-1] if source is not None)
    return tuple(found)


def is_only_path(target: int, slot: int, inputs: Callable[[int], Sequence[int | None]]) -> bool:
    """Return whether all paths from the node in a slot of `target` enter it by this slot.

    If not, as for `a` in `a*a` or `a*b + a`, the local derivative along the slot is only a part of
    the derivative of `target` with respect to that node.
    """
    source = inputs(target)[slot]
    others = [s for k, s in enumerate(inputs(target)) if k != slot and s is not None]
    return source not in post_order(others, inputs)


class Plan(Struct, frozen=True, dict=True):
    """The order of passes from one root (a node, not its marker), and the nodes with a gradient.

    `order` holds the root and all its ancestors, inputs first. `with_gradient` are those with a
    gradient: leaves, nodes with a leaf among their ancestors, and always the root itself.
    """

    root: int
    order: tuple[int, ...]
    with_gradient: frozenset[int]

    @cached_property
    def turns(self) -> dict[int, int]:
        """Return the place of each node in the firing order of the correct pass, from 0."""
        return {node: turn for turn, node in enumerate(reversed(self.order))}


class Structure:
    """Orders, wires and names of a graph, each computed once, when first used.

    Graphs that differ only in values share one, so moving a slider recomputes nothing here. The
    values in `_nodes` may be those of another graph and must not be read.
    """

    def __init__(self, nodes: Mapping[int, Node]) -> None:
        self._nodes = nodes
        self._plans: dict[int, Plan] = {}
        self._unreachable_leaves: dict[int, frozenset[int]] = {}
        self._shortened: dict[int, dict[int, str]] = {}

    def inputs(self, node: int) -> tuple[int | None, ...]:
        """Return the sources of a node, slot by slot."""
        return self._nodes[node].inputs

    @cached_property
    def outgoing(self) -> dict[int, tuple[Wire, ...]]:
        """Return the wires from each node, ordered by target and slot."""
        wires: dict[int, list[Wire]] = {node: [] for node in self._nodes}
        for target, node in self._nodes.items():
            for slot, source in enumerate(node.inputs):
                if source is not None:
                    wires[source].append((target, slot))
        return {node: tuple(found) for node, found in wires.items()}

    @cached_property
    def wiring(self) -> networkx.MultiDiGraph[int]:
        """Return the graph for networkx, with an edge per wire, keyed by slot.

        networkx takes 0.2 s to import, so it is not used at the start or while the mouse moves.
        """
        import networkx

        result: networkx.MultiDiGraph[int] = networkx.MultiDiGraph()
        result.add_nodes_from(self._nodes)
        for source, wires in self.outgoing.items():
            for target, slot in wires:
                result.add_edge(source, target, key=slot, slot=slot)
        return result

    @cached_property
    def leaves(self) -> tuple[int, ...]:
        """Return the leaves."""
        return tuple(n for n, found in self._nodes.items() if isinstance(found, Leaf))

    @cached_property
    def literals(self) -> frozenset[int]:
        """Return the constants without a label and with a single wire, as the 2 of `x ** 2`."""
        used_once = (n for n, wires in self.outgoing.items() if len(wires) == 1)
        unnamed = (n for n in used_once if not self._nodes[n].label)
        return frozenset(n for n in unnamed if isinstance(self._nodes[n], Constant))

    @cached_property
    def whole_order(self) -> tuple[int, ...]:
        """Return every node of the graph, inputs first."""
        return post_order(self._nodes, self.inputs)

    @cached_property
    def computable(self) -> tuple[tuple[int, Rule, tuple[int, ...]], ...]:
        """Return each op node whose ancestors have no empty slot: (node, forward rule, inputs)."""
        found: list[tuple[int, Rule, tuple[int, ...]]] = []
        known: set[int] = set()
        for node in self.whole_order:
            operation = self._nodes[node]
            if isinstance(operation, OpNode):
                inputs = tuple([source for source in operation.inputs if source in known])
                if len(inputs) != len(operation.inputs):
                    continue  # a slot is empty, or its input is not computable
                found.append((node, BY_NAME[operation.op].forward, inputs))
            if not isinstance(operation, Root):
                known.add(node)
        return tuple(found)

    @cached_property
    def names(self) -> dict[int, str]:
        """Return the unique name of each node in code and expressions; a Root has none."""
        return names_of(self._nodes)

    @cached_property
    def by_name(self) -> dict[str, int]:
        """Return the node of each name."""
        return {name: node for node, name in self.names.items()}

    @cached_property
    def clear_labels(self) -> frozenset[int]:
        """Return the nodes whose label is unambiguous."""
        return clear_labels(self._nodes, self.names)

    @cached_property
    def short_names(self) -> dict[int, str]:
        """Return the label of each node if it is unambiguous, else its name."""
        clear = self.clear_labels
        return {n: self._nodes[n].label if n in clear else name for n, name in self.names.items()}

    def shortened(self, longest: int) -> dict[int, str]:
        """Return the names in `short_names` above this length, shortened and still unique."""
        if longest not in self._shortened:
            self._shortened[longest] = shortened(self.short_names, longest)
        return self._shortened[longest]

    def plan(self, root: int) -> Plan:
        """Return the order of a pass from one root, and the nodes with a gradient."""
        if root not in self._plans:
            order = post_order((root,), self.inputs)
            with_gradient = {root}
            for node in order:  # inputs come first, so a gradient is inherited along all paths
                inputs = self.inputs(node)
                if with_gradient.intersection(inputs) or isinstance(self._nodes[node], Leaf):
                    with_gradient.add(node)
            self._plans[root] = Plan(root, order, frozenset(with_gradient))
        return self._plans[root]

    def unreachable_leaves(self, root: int) -> frozenset[int]:
        """Return the leaves without a path to one root."""
        if root not in self._unreachable_leaves:
            self._unreachable_leaves[root] = frozenset(self.leaves).difference(
                self.plan(root).order
            )
        return self._unreachable_leaves[root]
