"""Edits: pure functions from a graph to a graph; each refusal is one sentence.

A refused edit raises EditError and changes nothing. Every result is free of cycles, every wire ends
on existing nodes, and ids are never reused.

>>> graph = Graph({1: Leaf(2.0, "a"), 2: op_node("square"), 3: op_node("exp", [2])}, None, 4)
>>> connect(graph, 1, 2, 0).inputs(2), graph.inputs(2)  # a new graph; the old one stays
((1,), (None,))
>>> cycle_closed_by(graph, 3, 2)  # a wire from 3 to 2 would close a cycle
(2, 3)
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import msgspec

from engine.errors import EditError
from engine.graph import LABEL_LIMIT, Constant, Graph, Leaf, Node, OpNode, Root, Wire
from engine.names import is_plain_line
from engine.nodes import slot_count_error
from engine.ops import BY_NAME

_ENDS_SHOWN = 4
"""Nodes that a sentence names at either end of a long cycle."""


def add(graph: Graph, node: Node) -> Graph:
    """Add a node under the id `graph.next_id`; the first Root becomes the active one."""
    number = graph.next_id
    _check_node(node)
    result = _with(graph, {number: node}, next_id=number + 1)
    for slot, source in enumerate(node.inputs):
        if source is not None:
            _check_source(graph, source, (number, slot))
    if isinstance(node, Root) and graph.active_root is None:
        result = replace(result, active_root=number)
    return result


def op_node(op: str, inputs: Iterable[int | None] = (), label: str = "") -> OpNode:
    """Return a new op node with empty slots for missing inputs; EditError for an unknown op."""
    if op not in BY_NAME:
        raise EditError("There is no operation called {op}.", op=op)
    given = tuple(inputs)
    slots = len(BY_NAME[op].slots)
    if len(given) > slots:
        raise slot_count_error(op, len(given))
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
    result = Graph({**kept, **changed}, active, graph.next_id)
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
    result = _with(graph, copies, next_id=graph.next_id + len(ids))
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
    return Graph(kept, active, graph.next_id)


def check_nodes(graph: Graph, nodes: Iterable[int]) -> None:
    """Raise EditError for nodes that are not in the graph."""
    for node in nodes:
        _check_exists(graph, node)


def _with(graph: Graph, nodes: Mapping[int, Node], next_id: int | None = None) -> Graph:
    """Return the graph with these nodes, added or replacing those with the same ids."""
    number = graph.next_id if next_id is None else next_id
    return Graph({**graph.nodes, **nodes}, graph.active_root, number)


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


def _check_node(node: Node) -> None:
    if isinstance(node, OpNode):
        op_node(node.op, node.inputs)
        if len(node.inputs) != len(BY_NAME[node.op].slots):
            raise slot_count_error(node.op, len(node.inputs))
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
