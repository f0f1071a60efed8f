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
>>> graph.plan(4).order
(1, 2, 3, 4)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec

from engine.errors import EditError
from engine.names import ASIDE, LABEL_LIMIT, LONGEST_NAME, RESERVED, brief, is_blank, is_name
from engine.nodes import Constant, Leaf, Node, OpNode, Root, Wire, as_number, kind_of, same_nodes
from engine.op import Op
from engine.ops import BY_NAME
from engine.structure import Plan, Structure

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
    the id of the next new node: ids are never reused.
    """

    nodes: Mapping[int, Node] = field(default_factory=dict[int, Node])
    active_root: int | None = None
    next_id: int = 1
    structure: Structure = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "structure", Structure(self.nodes))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Graph):
            return NotImplemented
        mine, theirs = (self.active_root, self.next_id), (other.active_root, other.next_id)
        return mine == theirs and same_nodes(self.nodes, other.nodes)

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
        return BY_NAME[found.op]

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
        result = Graph({**self.nodes, **changed}, self.active_root, self.next_id)
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
