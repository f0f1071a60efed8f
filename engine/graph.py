"""The graph: an immutable value made of leaves, constants, op nodes and roots.

A wire is not an object but a filled slot `(target, slot)`: by construction a slot has at most one
wire, and `a*a` has two. A Root marks the output that is differentiated; it is no operation and
appears in no trace. `root`, of a graph, a plan or a trace, is the node it marks.

>>> product = OpNode("mul", (1, 2))  # a*b
>>> total = OpNode("add", (3, 1))  # a*b + a
>>> nodes = {1: Leaf(2.0, "a"), 2: Leaf(3.0, "b"), 3: product, 4: total, 5: Root(4)}
>>> graph = Graph(nodes, active_root=5, next_id=6)
>>> graph.outgoing[1]  # the two wires from a
((3, 0), (4, 1))
>>> graph.active_root, graph.root  # the marker, and the node it marks
(5, 4)

A `Structure` computes orders, wires and names once for all graphs with the same wiring. The order
is depth-first post-order from the root, slots in order: inputs come before the nodes that use them,
and the backward pass walks the reverse. `Value`, the trace and every compiled form use exactly this
order, so their sums agree bit for bit.

>>> graph.plan(4).order
(1, 2, 3, 4)
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import msgspec
from msgspec import Struct

from engine.errors import EditError
from engine.names import (
    ASIDE,
    LABEL_LIMIT,
    LONGEST_NAME,
    RESERVED,
    brief,
    clear_labels,
    is_blank,
    is_name,
    names_of,
    shortened,
)
from engine.nodes import Constant, Leaf, Node, OpNode, Root, Wire, as_number, kind_of, same_nodes
from engine.ops import BY_NAME, Op, Rule, same_operations

if TYPE_CHECKING:
    import networkx

__all__ = [
    "ASIDE",
    "LABEL_LIMIT",
    "LONGEST_NAME",
    "RESERVED",
    "Constant",
    "Graph",
    "Leaf",
    "Node",
    "OpNode",
    "Plan",
    "Root",
    "Structure",
    "Wire",
    "as_number",
    "brief",
    "is_name",
    "kind_of",
]


@dataclass(frozen=True, eq=False)
class Graph:
    """An immutable graph; `nodes` must never be changed in place.

    `active_root` is the id of the Root whose passes are run (a graph may have several), `next_id`
    the id of the next new node: ids are never reused. `operations` are those that the table of
    operations lacks, by name: frozen ones while a node is one, and all of one's own.
    """

    nodes: Mapping[int, Node] = field(default_factory=dict[int, Node])
    active_root: int | None = None
    next_id: int = 1
    operations: tuple[Op, ...] = ()
    structure: Structure = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if self.operations:
            used = {node.op for node in self.nodes.values() if isinstance(node, OpNode)}
            kept = {op.name: op for op in self.operations if op.name in used or op.typed}
            object.__setattr__(self, "operations", tuple(kept[name] for name in sorted(kept)))
        object.__setattr__(self, "structure", Structure(self.nodes, self.operations))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Graph):
            return NotImplemented
        mine, theirs = (self.active_root, self.next_id), (other.active_root, other.next_id)
        if mine != theirs or not same_operations(self.operations, other.operations):
            return False
        return same_nodes(self.nodes, other.nodes)

    # equality compares `nodes`, a mapping without a hash
    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def __repr__(self) -> str:
        return f"Graph({len(self.nodes)} nodes, root {self.root_name or '–'})"

    @property
    def root(self) -> int | None:
        """The node plugged into the active Root, or None."""
        marker = self.nodes.get(self.active_root) if self.active_root is not None else None
        return marker.input if isinstance(marker, Root) else None

    @property
    def root_name(self) -> str:
        """The name of the node plugged into the active Root, or an empty text."""
        return "" if self.root is None else self.names[self.root]

    @property
    def names(self) -> dict[int, str]:
        """The unique name of each node in code and expressions; a Root has none."""
        return self.structure.names

    @property
    def leaves(self) -> tuple[int, ...]:
        """The leaves, in the order of the nodes."""
        return self.structure.leaves

    @property
    def leaf_values(self) -> dict[int, float]:
        """The number of each leaf, in the order of the nodes."""
        found = ((node, self.nodes[node]) for node in self.leaves)
        return {node: leaf.value for node, leaf in found if isinstance(leaf, Leaf)}

    @property
    def outgoing(self) -> dict[int, tuple[Wire, ...]]:
        """The wires from each node, ordered by target and slot."""
        return self.structure.outgoing

    def plan(self, root: int) -> Plan:
        """Return the order of a pass from one root, and the nodes with a gradient."""
        return self.structure.plan(root)

    def fed_by(self, node: int) -> frozenset[int]:
        """Return a node and all that depend on it: it may take no wire from any of them."""
        return self.structure.depending(self.structure.topological_order, (node,))

    def inputs(self, node: int) -> tuple[int | None, ...]:
        """Return the sources of a node, slot by slot; None for an empty slot."""
        return self.nodes[node].inputs

    def source(self, wire: Wire) -> int | None:
        """Return the source of a wire, or None for an empty slot."""
        return self.nodes[wire[0]].inputs[wire[1]]

    def wires(self) -> Iterator[tuple[int, Wire]]:
        """Yield every wire as (source, (target, slot)), ordered by target and slot."""
        for target, node in self.nodes.items():
            for slot, source in enumerate(node.inputs):
                if source is not None:
                    yield source, (target, slot)

    def op(self, node: int) -> Op:
        """Return the operation of an op node."""
        found = self.nodes[node]
        assert isinstance(found, OpNode)
        return self.structure.op(found.op)

    def frozen(self, nodes: Iterable[int]) -> list[int]:
        """Return those of these nodes whose operation is frozen."""
        if not self.operations:
            return []
        return [n for n in nodes if isinstance(self.nodes[n], OpNode) and self.op(n).uses]

    def label(self, node: int) -> str:
        """Return a node's label, or ""; a Root has none."""
        return self.nodes[node].label

    def distinguishing_name(self, node: int) -> str:
        """Return the name of a node if its label is ambiguous, else an empty text."""
        label = self.label(node)
        if is_blank(label) or node in self.structure.clear_labels:
            return ""
        return "" if self.names[node] == label else self.names[node]

    def title(self, node: int) -> str:
        """Return the display name of a node: `x*w`, `v3`, "root", `w · w_7` if labels repeat.

        Code, expressions and JSON use `names` instead.
        """
        suffix = self.distinguishing_name(node)
        return f"{self.label(node)}{ASIDE}{suffix}" if suffix else self.short_name(node)

    def short_name(self, node: int, longest: int = LABEL_LIMIT) -> str:
        """Return the label if it is unambiguous, else the name.

        One above `longest` characters is shortened, and still unique.
        """
        name = self.structure.short_names.get(node, "root")
        return name if len(name) <= longest else self.structure.shortened(longest)[node]

    def brief(self, node: int, longest: int = LONGEST_NAME) -> str:
        """Return the title, or if it is too long, the short display name."""
        title = self.title(node)
        return title if len(title) <= longest else self.short_name(node, longest)

    def roots(self) -> list[int]:
        """Return the ids of all Roots."""
        return [node for node, found in self.nodes.items() if isinstance(found, Root)]

    def has_root(self, node: int) -> bool:
        """Return whether a Root marks a node."""
        return any(isinstance(self.nodes[n], Root) for n, _slot in self.outgoing.get(node, ()))

    def sinks(self) -> list[int]:
        """Return the nodes without outgoing wires, except Roots."""
        return [
            node
            for node, found in self.nodes.items()
            if not isinstance(found, Root) and not self.outgoing[node]
        ]

    @property
    def lone_sink(self) -> int | None:
        """The only node that feeds nothing, where there is no Root: no other can be meant."""
        sinks = self.sinks() if self.active_root is None else []
        return sinks[0] if len(sinks) == 1 else None

    def node_named(self, name: str) -> int | None:
        """Return the node with this name, or None."""
        return self.structure.by_name.get(name)

    def with_values(self, values: Mapping[int, float]) -> Graph:
        """Return the graph with new values of some leaves and constants.

        It shares the structure of this graph, so no name or order is computed again.
        """
        changed: dict[int, Node] = {}
        for node, value in values.items():
            found = self.nodes[node]
            if not isinstance(found, Leaf | Constant):
                raise EditError(
                    "{node} is computed; only a leaf's value can be set.", node=self.title(node)
                )
            changed[node] = msgspec.structs.replace(found, value=value)
        nodes = {**self.nodes, **changed}
        result = Graph(nodes, self.active_root, self.next_id, self.operations)
        object.__setattr__(result, "structure", self.structure)  # the graph is frozen
        return result

    def to_networkx(self) -> networkx.MultiDiGraph[int]:
        """Return a networkx multigraph with a node per id and an edge per wire, keyed by slot."""
        result = self.structure.wiring.copy()
        for node, found in self.nodes.items():
            fields = msgspec.structs.asdict(found)
            attributes = {key: fields[key] for key in fields.keys() - {"inputs", "input"}}
            name = self.names.get(node, "")
            result.add_node(node, kind=kind_of(found), name=name, **attributes)
        return result


if TYPE_CHECKING:
    import networkx


# Structure

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

    def __init__(self, nodes: Mapping[int, Node], operations: Iterable[Op] = ()) -> None:
        self._nodes = nodes
        self._operations = {op.name: op for op in operations}
        self._plans: dict[int, Plan] = {}
        self._unreachable_leaves: dict[int, frozenset[int]] = {}
        self._shortened: dict[int, dict[int, str]] = {}

    def op(self, name: str) -> Op:
        """Return an operation by name: the graph's own, or that of the table."""
        return self._operations.get(name) or BY_NAME[name]

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
    def topological_order(self) -> tuple[int, ...]:
        """Return every node of the graph, inputs first."""
        return post_order(self._nodes, self.inputs)

    @cached_property
    def computable(self) -> tuple[tuple[int, Rule, tuple[int, ...]], ...]:
        """Return each op node whose ancestors have no empty slot: (node, forward rule, inputs)."""
        found: list[tuple[int, Rule, tuple[int, ...]]] = []
        known: set[int] = set()
        for node in self.topological_order:
            operation = self._nodes[node]
            if isinstance(operation, OpNode):
                inputs = tuple([source for source in operation.inputs if source in known])
                if len(inputs) != len(operation.inputs):
                    continue  # a slot is empty, or its input is not computable
                found.append((node, self.op(operation.op).forward, inputs))
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
            leaves = [node for node in order if isinstance(self._nodes[node], Leaf)]
            with_gradient = self.depending(order, (root, *leaves))
            self._plans[root] = Plan(root, order, with_gradient)
        return self._plans[root]

    def depending(self, order: Sequence[int], nodes: Iterable[int]) -> frozenset[int]:
        """Return the nodes of `order`, inputs first, that are among `nodes` or depend on them."""
        found = set(nodes)
        for node in order:
            if not found.isdisjoint(self.inputs(node)):
                found.add(node)
        return frozenset(found)

    def unreachable_leaves(self, root: int) -> frozenset[int]:
        """Return the leaves without a path to one root."""
        if root not in self._unreachable_leaves:
            self._unreachable_leaves[root] = frozenset(self.leaves).difference(
                self.plan(root).order
            )
        return self._unreachable_leaves[root]
