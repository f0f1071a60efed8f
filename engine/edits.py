"""Edits: pure functions from a graph to a graph; each refusal is one sentence.

A refused edit raises EditError and changes nothing. Every result is free of cycles, every wire ends
on existing nodes, and ids are never reused.

>>> graph = Graph({1: Leaf(2.0, "a"), 2: op_node("square"), 3: op_node("exp", [2])}, None, 4)
>>> connect(graph, 1, 2, 0).inputs(2), graph.inputs(2)  # a new graph; the old one stays
((1,), (None,))
>>> cycle_closed_by(graph, 3, 2)  # a wire from 3 to 2 would close a cycle
(2, 3)

Unfolding replaces a composed operation by its expansion into simpler ones, and folding undoes it.
The node keeps its id, label and wires and becomes the last operation of its expansion; the
operations before it are new nodes. Values and outside gradients are the same wherever both are
finite.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import msgspec

from engine.errors import EditError
from engine.graph import LABEL_LIMIT, Constant, Graph, Leaf, Node, OpNode, Root, Wire
from engine.names import is_plain_line, numbered_label
from engine.nodes import slot_count_error
from engine.ops import BY_NAME, OPS, Op, Pattern, in_order_of_use, renamed, same_operations

NO_OPERATION = "There is no operation called {op}."
_ENDS_SHOWN = 4
"""Nodes that a sentence names at either end of a long cycle."""


def add(graph: Graph, node: Node) -> Graph:
    """Add a node under the id `graph.next_id`; the first Root becomes the active one."""
    number = graph.next_id
    _check_node(graph, node)
    result = _with(graph, {number: node}, next_id=number + 1)
    for slot, source in enumerate(node.inputs):
        if source is not None:
            _check_source(graph, source, (number, slot))
    if isinstance(node, Root) and graph.active_root is None:
        result = replace(result, active_root=number)
    return result


def op_node(
    op: str, inputs: Iterable[int | None] = (), label: str = "", operations: Iterable[Op] = ()
) -> OpNode:
    """Return a new op node with empty slots for missing inputs; EditError for an unknown op.

    `operations` are those of the graph, beside those of the table.
    """
    found = BY_NAME.get(op) or next((own for own in operations if own.name == op), None)
    if found is None:
        raise EditError(NO_OPERATION, op=op)
    given = tuple(inputs)
    slots = len(found.slots)
    if len(given) > slots:
        raise slot_count_error(found, len(given))
    return OpNode(op, given + (None,) * (slots - len(given)), label)


def refusal(graph: Graph, source: int, target: int, slot: int) -> str | None:
    """Return why this wire can't be connected, as a sentence, or None if it can."""
    try:
        _check_wire(graph, source, (target, slot))
    except EditError as error:
        return str(error)
    return None


def connect(graph: Graph, source: int, target: int, slot: int) -> Graph:
    """Connect `source` to a slot, replacing the wire that was there."""
    _check_wire(graph, source, (target, slot))
    return _with_source(graph, (target, slot), source)


def disconnect(graph: Graph, target: int, slot: int) -> Graph:
    """Empty a slot."""
    _check_slot(graph, (target, slot))
    return _with_source(graph, (target, slot), None)


def cycle_closed_by(graph: Graph, source: int, target: int) -> tuple[int, ...]:
    """Return the shortest path from `target` to `source`, which a new wire would close; or ()."""
    # from each ancestor of source the next node on the way there
    next_towards_source: dict[int, int] = {source: source}
    queue = deque([source])
    # breadth first, so that the path found is a shortest
    while queue and target not in next_towards_source:
        node = queue.popleft()
        for found in graph.inputs(node):
            if found is not None and found not in next_towards_source:
                next_towards_source[found] = node
                queue.append(found)
    if target not in next_towards_source:
        return ()
    path = [target]
    while path[-1] != source:
        path.append(next_towards_source[path[-1]])
    return tuple(path)


def remove(graph: Graph, nodes: Iterable[int]) -> Graph:
    """Remove nodes; the slots they were connected to become empty."""
    removed = set(nodes)
    check_nodes(graph, removed)
    no_source: dict[int, int | None] = dict.fromkeys(removed)
    changed = {
        target: _reconnected(graph.nodes[target], no_source)
        for node in removed
        for target, _slot in graph.outgoing[node]
        if target not in removed
    }
    kept = {node: found for node, found in graph.nodes.items() if node not in removed}
    active = graph.active_root if graph.active_root not in removed else None
    result = replace(graph, nodes={**kept, **changed}, active_root=active)
    return replace(result, active_root=_first_root(result)) if active is None else result


def bypass(graph: Graph, node: int) -> Graph:
    """Remove a one-slot op and connect its input to everything it fed."""
    _check_exists(graph, node)
    inputs = graph.inputs(node)
    if len(inputs) != 1 or isinstance(graph.nodes[node], Root):
        raise EditError("Only a node with one slot can be taken out of its wire.")
    fed = {
        target: _reconnected(graph.nodes[target], {node: inputs[0]})
        for target, _slot in graph.outgoing[node]
    }
    return remove(_with(graph, fed), (node,))


def insert(graph: Graph, node: int, wire: Wire, slot: int = 0) -> Graph:
    """Insert a node into a wire: the old source feeds `slot`, the node feeds the wire's slot."""
    _check_slot(graph, wire)
    source = graph.source(wire)
    if source is None:
        raise EditError("There is no wire to put it into.")
    return connect(connect(graph, source, node, slot), node, *wire)


def set_value(graph: Graph, node: int, value: float) -> Graph:
    """Set the value of a leaf or a constant; wiring, names and order are shared with `graph`."""
    _check_exists(graph, node)
    return graph.with_values({node: value})


def set_label(graph: Graph, node: int, label: str) -> Graph:
    """Set a node's label: plain text on one line, up to 200 characters."""
    _check_exists(graph, node)
    found = graph.nodes[node]
    if isinstance(found, Root):
        raise EditError("A root has no label; it shows the node that is plugged into it.")
    _check_label(label)
    return _with(graph, {node: msgspec.structs.replace(found, label=label)})


def set_op(graph: Graph, node: int, op: str) -> Graph:
    """Replace the operation of an op node; wires into slots it still has are kept."""
    _check_exists(graph, node)
    found = graph.nodes[node]
    if not isinstance(found, OpNode):
        raise EditError("{title} is no operation.", title=graph.title(node), node=node)
    slots = len(BY_NAME[op].slots) if op in BY_NAME else 0
    return _with(graph, {node: op_node(op, found.inputs[:slots], found.label)})


def set_operations(
    graph: Graph, operations: Iterable[Op], renamed_to: Mapping[str, str] = {}
) -> Graph:
    """Give a graph these operations of one's own; wires stay where an operation has a slot."""
    known = {op.name: op for op in operations}
    nodes: dict[int, Node] = {}
    for number, node in graph.nodes.items():
        if isinstance(node, OpNode):
            name = renamed_to.get(node.op, node.op)
            slots = len((known.get(name) or BY_NAME[name]).slots)
            inputs = (*node.inputs[:slots], *(None,) * (slots - len(node.inputs)))
            nodes[number] = OpNode(name, inputs, node.label)
    return _with(graph, nodes, operations=tuple(known.values()))


def set_kind(graph: Graph, node: int, constant: bool) -> Graph:
    """Turn a leaf into a constant or back; value and label are kept."""
    _check_exists(graph, node)
    found = graph.nodes[node]
    if not isinstance(found, Leaf | Constant):
        title = graph.title(node)
        raise EditError("{title} is neither a leaf nor a constant.", title=title, node=node)
    kind = Constant if constant else Leaf
    return _with(graph, {node: kind(found.value, found.label)})


def set_active_root(graph: Graph, root: int) -> Graph:
    """Set the active Root."""
    if not isinstance(graph.nodes.get(root), Root):
        raise EditError("Only a root can be made the active root.")
    return replace(graph, active_root=root)


def mark_root(graph: Graph, node: int) -> Graph:
    """Add a new active Root on a node, which makes it the output to differentiate."""
    _check_source(graph, node, (graph.next_id, 0))
    number = graph.next_id
    return replace(add(graph, Root(node)), active_root=number)


def merge(graph: Graph, other: Graph) -> tuple[Graph, dict[int, int]]:
    """Add a copy of another graph; also returns its nodes' new ids."""
    ids = {node: graph.next_id + k for k, node in enumerate(sorted(other.nodes))}
    copies = {ids[node]: _renumbered(found, ids) for node, found in other.nodes.items()}
    operations, copies = _with_operations(graph, other, copies)
    result = _with(graph, copies, graph.next_id + len(ids), operations)
    if graph.active_root is None:
        result = replace(result, active_root=_first_root(result))
    return result, ids


def duplicate(graph: Graph, nodes: Iterable[int]) -> tuple[Graph, dict[int, int]]:
    """Add a copy of some nodes; inputs that are not copied feed the copies as well.

    Also returns the ids of the copies.
    """
    chosen = sorted(set(nodes))
    check_nodes(graph, chosen)
    ids = {node: graph.next_id + k for k, node in enumerate(chosen)}
    copies = {ids[node]: _reconnected(graph.nodes[node], ids) for node in chosen}
    return _with(graph, copies, next_id=graph.next_id + len(ids)), ids


def subgraph(graph: Graph, nodes: Iterable[int]) -> Graph:
    """Return the chosen nodes and the wires among them, with the same ids."""
    chosen = set(nodes)
    inside = {node: node for node in chosen}
    kept = {n: _renumbered(found, inside) for n, found in graph.nodes.items() if n in chosen}
    active = graph.active_root if graph.active_root in chosen else None
    return replace(graph, nodes=kept, active_root=active)


def check_nodes(graph: Graph, nodes: Iterable[int]) -> None:
    """Raise EditError for nodes that are not in the graph."""
    for node in nodes:
        _check_exists(graph, node)


def _with(
    graph: Graph,
    nodes: Mapping[int, Node],
    next_id: int | None = None,
    operations: tuple[Op, ...] | None = None,
) -> Graph:
    """Return the graph with these nodes, added or replacing those with the same ids."""
    number = graph.next_id if next_id is None else next_id
    known = graph.operations if operations is None else operations
    return Graph({**graph.nodes, **nodes}, graph.active_root, number, known)


def _with_operations(
    graph: Graph, other: Graph, copies: dict[int, Node]
) -> tuple[tuple[Op, ...], dict[int, Node]]:
    """Return the operations of both graphs, and the copied nodes, which name them.

    One that differs from one of the same name in `graph` gets another name.
    """
    mine = {op.name: op for op in graph.operations}
    names: dict[str, str] = {}
    used = {found.op for found in copies.values() if isinstance(found, OpNode)}
    for op in in_order_of_use(other.operations, used):
        is_same = same_operations([mine.get(op.name, renamed(op, names))], [renamed(op, names)])
        taken = {*mine, *BY_NAME, *(each.name for each in other.operations)}
        names[op.name] = op.name if is_same else numbered_label(f"{op.name}_", taken)
        mine[names[op.name]] = renamed(op, names)
    again = {
        n: msgspec.structs.replace(found, op=names[found.op])
        for n, found in copies.items()
        if isinstance(found, OpNode) and found.op in names
    }
    return tuple(mine.values()), {**copies, **again}


def _first_root(graph: Graph) -> int | None:
    return min(graph.roots(), default=None)


def _with_source(graph: Graph, wire: Wire, source: int | None) -> Graph:
    """Return the graph with another source, or none, in one slot."""
    target, slot = wire
    inputs = graph.inputs(target)
    changed = (*inputs[:slot], source, *inputs[slot + 1 :])
    return _with(graph, {target: _with_inputs(graph.nodes[target], changed)})


def _reconnected(node: Node, replacements: Mapping[int, int | None]) -> Node:
    """Return the node with some of its sources replaced; the others stay."""
    inputs = [s if s is None else replacements.get(s, s) for s in node.inputs]
    return _with_inputs(node, inputs)


def _renumbered(node: Node, ids: Mapping[int, int]) -> Node:
    """Return the node with renumbered sources; a source without a new id leaves an empty slot."""
    return _with_inputs(node, [None if s is None else ids.get(s) for s in node.inputs])


def _with_inputs(node: Node, inputs: Sequence[int | None]) -> Node:
    if isinstance(node, Root):
        return Root(inputs[0])
    return OpNode(node.op, tuple(inputs), node.label) if isinstance(node, OpNode) else node


def _check_exists(graph: Graph, node: int) -> None:
    if node not in graph.nodes:
        raise EditError("There is no node {node}.", node=node)


def _check_node(graph: Graph, node: Node) -> None:
    if isinstance(node, OpNode):
        filled = op_node(node.op, node.inputs, operations=graph.operations)
        if len(node.inputs) != len(filled.inputs):
            raise slot_count_error(graph.structure.op(node.op), len(node.inputs))
    if not isinstance(node, Root):
        _check_label(node.label)


def _check_label(label: str) -> None:
    if len(label) > LABEL_LIMIT:
        raise EditError("A label has at most {limit} characters.", limit=LABEL_LIMIT)
    if not is_plain_line(label):
        raise EditError("A label is one line of plain text.")


def _check_slot(graph: Graph, wire: Wire) -> None:
    target, slot = wire
    _check_exists(graph, target)
    if not 0 <= slot < len(graph.inputs(target)):
        title = graph.title(target)
        raise EditError("{title} has no slot {slot}.", title=title, node=target, slot=slot + 1)


def _check_source(graph: Graph, source: int, wire: Wire) -> None:
    _check_exists(graph, source)
    if isinstance(graph.nodes[source], Root):
        raise EditError("A root gives nothing out: it marks where the backward pass starts.")
    if source == wire[0]:
        title = graph.title(source)
        raise EditError("A node can't feed itself: {title}.", title=title, node=source)


def _check_wire(graph: Graph, source: int, wire: Wire) -> None:
    _check_slot(graph, wire)
    _check_source(graph, source, wire)
    path = cycle_closed_by(graph, source, wire[0])
    if path:
        walk = _path_text(graph, (*path, wire[0]))
        raise EditError("This wire would close a loop: {walk}", walk=walk, nodes=path)


def _path_text(graph: Graph, path: Sequence[int]) -> str:
    """Return the titles along a path, shortened in the middle."""
    titles = [graph.title(node) for node in path[:_ENDS_SHOWN]]
    if len(path) > 2 * _ENDS_SHOWN:
        titles += ["…", *(graph.title(node) for node in path[-_ENDS_SHOWN:])]
    else:
        titles += [graph.title(node) for node in path[_ENDS_SHOWN:]]
    return " → ".join(titles)


# Unfolding


def can_unfold(graph: Graph, node: int) -> bool:
    """Return whether a node has an expansion; a power by a plain number has none."""
    composed = graph.nodes.get(node)
    if not isinstance(composed, OpNode) or not graph.op(node).expansion:
        return False
    exponent = composed.inputs[-1]
    found = None if exponent is None else graph.nodes[exponent]
    return not (composed.op == "pow" and isinstance(found, Constant))


def unfold(graph: Graph, node: int) -> Graph:
    """Replace an operation by its expansion; the new nodes have the ids from `next_id` on."""
    composed = graph.nodes.get(node)
    if not isinstance(composed, OpNode) or not can_unfold(graph, node):
        name = graph.title(node) if node in graph.nodes else "This node"
        raise EditError("{node} is not made of simpler operations.", node=name)
    op = graph.op(node)
    inputs = dict(zip(op.slots, composed.inputs, strict=True))
    builder = _Builder(graph.next_id, inputs)
    top = builder.op(op.expansion, composed.label)
    nodes = {**graph.nodes, **builder.new_nodes, node: top}
    return replace(graph, nodes=nodes, next_id=builder.next_id)


def unfolded(graph: Graph) -> Graph:
    """Replace all operations of one's own by what they are made of."""
    while own := [n for n in graph.nodes if can_unfold(graph, n) and graph.op(n).typed]:
        for node in own:
            graph = unfold(graph, node)
    return graph


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
    return replace(graph, nodes=nodes)


def foldable(graph: Graph, node: int) -> list[str]:
    """Return the operations whose expansion ends in `node`, the largest first."""
    found = sorted(_matches(graph, node), key=lambda match: -len(match.inner))
    return [match.op for match in found]


class _Builder:
    """Builds the nodes of one expansion; equal operations share a node, constants do not."""

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
    for op in OPS:
        match = _Match(graph, op.name)
        if op.expansion and match.fits(op.expansion, node, top=True) and match.is_closed(node):
            yield match
