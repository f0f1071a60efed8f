"""Matching: merges a typed graph into the sheet's graph, so that common parts keep their place.

\n     matched(old, new)

returns `new` with the ids of `old` where the two agree (see `pairing`). Nodes that the active root
of `old` did not reach are kept. Nodes it reached that are not in `new` are removed, unless they
feed a node that is kept.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import msgspec
from msgspec import Struct

from app.document.pairing import Pairing, typed_order
from engine.graph import Constant, Graph, Leaf, Node, OpNode, Root
from engine.names import automatic_name
from engine.order import post_order


class Matched(Struct, frozen=True):
    """A matched graph, and the names in the text of the leaves with the value that it has there."""

    graph: Graph
    read: Mapping[int, str]


def matched(old: Graph, new: Graph, given: Collection[str] = ()) -> Graph:
    """Return `old` with the part that its active root reaches replaced by the typed graph.

    A leaf keeps its value unless its name is in `given`, the names with a value in the text.
    """
    return matched_with_leaves(old, new, given).graph


def matched_with_leaves(old: Graph, new: Graph, given: Collection[str] = ()) -> Matched:
    """Do the same, and return also which leaves have not kept a value."""
    for borrow in (True, False):  # share names of unconnected parts unless that closes a cycle
        pairs = Pairing(old, new, borrow).pairs
        result = _joined(old, new, pairs, given)
        if not borrow or not _has_loop(result.graph):
            return result
    raise AssertionError  # without borrowing, a new node is fed by the typed graph only


def is_edit(old: Graph, new: Graph) -> bool:
    """Return whether a typed graph is an edit of the formula that the active root of `old` reads.

    So it is where an operation stays with one of its inputs, an operation or a leaf of this name,
    or where the leaves have the same names. That only the result or some leaves are called the same
    is no sign.
    """
    before = reached(old)
    if not before or _leaf_names(old) == _leaf_names(new):
        return bool(before)
    found = matched(old, new)
    return any(_stays(old, found, node) for node in before & reached(found))


def _stays(old: Graph, found: Graph, node: int) -> bool:
    """Return whether an operation is still there, with one of its inputs that is no constant."""
    shared = {*old.inputs(node)} & {*found.inputs(node)}
    return any(
        isinstance(old.nodes[n], OpNode)
        or (isinstance(old.nodes[n], Leaf) and old.names[n] == found.names[n])
        for n in shared
        if n is not None
    )


def _leaf_names(graph: Graph) -> frozenset[str]:
    nodes = graph.nodes
    return frozenset(graph.names[n] for n in reached(graph) if isinstance(nodes[n], Leaf))


def agree(old: Graph, found: Graph) -> bool:
    """Return whether a matched graph has enough in common with the old one to keep positions."""
    before, after = reached(old), reached(found)
    if not before:
        return True
    kept = sum(node in before for node in after)
    return 4 * kept >= min(len(before), len(after))


def reached(graph: Graph) -> frozenset[int]:
    """Return the input of the active Root and all its ancestors."""
    return frozenset(graph.plan(graph.root).order) if graph.root is not None else frozenset()


def _joined(old: Graph, new: Graph, pairs: Mapping[int, int], given: Collection[str]) -> Matched:
    """Return the old graph with the typed one in place of what its active root reached."""
    assert new.root is not None
    order = typed_order(new)
    ids, following = dict(pairs), old.next_id
    named = {new.label(node): node for node in order}
    for node in sorted(order):
        if node not in ids:
            while named.get(automatic_name(following), node) != node:
                following += 1  # the text calls another node so
            ids[node], following = following, following + 1
    inside = reached(old)
    written: dict[int, Node] = {}
    read: dict[int, str] = {}
    for node in order:
        there = old.nodes.get(ids[node])
        if ids[node] in old.nodes and ids[node] not in inside and isinstance(there, OpNode):
            continue  # shared with an unconnected part
        written[ids[node]] = _node(old, new, node, ids, given)
        if isinstance(new.nodes[node], Leaf) and not _keeps_value(old, new, node, ids, given):
            read[ids[node]] = new.label(node)
    gone = inside - written.keys() - needed_elsewhere(old)
    kept = {n: found for n, found in old.nodes.items() if n not in gone}
    nodes: dict[int, Node] = {**kept, **written}
    marker = old.active_root
    if marker is None:
        marker, following = following, following + 1
    nodes[marker] = Root(ids[new.root])
    return Matched(Graph({n: nodes[n] for n in sorted(nodes)}, marker, following), read)


def needed_elsewhere(old: Graph) -> frozenset[int]:
    """Return what feeds nodes that stay: other Roots, and unconnected parts."""
    inside, marker = reached(old), old.active_root
    staying = [n for n in old.nodes if n not in inside and n != marker]
    return frozenset(post_order(staying, lambda n: old.inputs(n)))


def _node(
    old: Graph, new: Graph, node: int, ids: Mapping[int, int], given: Collection[str]
) -> Node:
    """Return a typed node for the sheet: with its old label and value, if it had any."""
    typed, there = new.nodes[node], old.nodes.get(ids[node])
    label = new.label(node)
    if there is not None and label in ("", old.names.get(ids[node])):
        label = old.label(ids[node])
    elif label == automatic_name(ids[node]):
        label = ""
    if isinstance(typed, OpNode):
        inputs = [None if s is None else ids[s] for s in typed.inputs]
        return OpNode(typed.op, tuple(inputs), label)
    assert isinstance(typed, Leaf | Constant)
    kept = there if _keeps_value(old, new, node, ids, given) else typed
    assert isinstance(kept, Leaf | Constant)
    return msgspec.structs.replace(kept, label=label)


def _keeps_value(
    old: Graph, new: Graph, node: int, ids: Mapping[int, int], given: Collection[str]
) -> bool:
    """Return whether a typed leaf keeps the value that it has on the sheet."""
    stays = isinstance(new.nodes[node], Leaf) and new.label(node) not in given
    return stays and isinstance(old.nodes.get(ids[node]), Leaf | Constant)


def _has_loop(graph: Graph) -> bool:
    place = {node: k for k, node in enumerate(graph.structure.whole_order)}
    return any(place[source] >= place[target] for source, (target, _slot) in graph.wires())
