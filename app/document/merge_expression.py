"""Merges a typed graph into the sheet: common parts keep their ids and positions.

    matched(old, new)   `new` with the ids of `old` where the two agree

Nodes are paired first by name, then by content (equal sub-expressions, the largest first), then by
their neighbours. Nodes that the active root of `old` did not reach are kept. Nodes it reached that
are not in `new` are removed, unless they feed a node that is kept.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from collections.abc import Set as AbstractSet

import msgspec
from msgspec import Struct

from app.document.place_new_nodes import place_new_nodes
from app.document.placement import ROW_PITCH, columns
from app.document.sheet import Sheet
from engine.edits import part
from engine.errors import EditError
from engine.graph import Constant, Graph, Leaf, Node, OpNode, Root
from engine.names import automatic_name
from engine.numbers import plain
from engine.structure import post_order


def begins_anew(sheet: Sheet, graph: Graph) -> bool:
    """Return whether a typed graph is a new sheet: no edit of the formula, and all there was."""
    old = sheet.graph
    others = old.nodes.keys() - reached(old) - {old.active_root}
    return not others and not sheet.sections and not is_edit(old, graph)


class Retyped(Struct, frozen=True):
    """A sheet with a typed graph, its nodes with provisional places, and leaves without a value."""

    sheet: Sheet
    unplaced: frozenset[int]
    begun: tuple[int, ...]


def retyped(sheet: Sheet, graph: Graph, given: Collection[str] = ()) -> Retyped:
    """Return the sheet with a typed graph for its active root; `given` names leaves with a value.

    If nodes have come or gone, the whole typed graph is laid out again. If the two graphs have
    almost nothing in common, it begins in place of everything or below other parts.
    """
    if graph.root is None:
        raise EditError("A typed graph needs a root.")
    anew = frozenset[str]()
    if not is_edit(sheet.graph, graph):  # other parts stay: what only the formula had begins anew
        anew = _only_in_formula(sheet.graph)
    merged = matched_with_leaves(sheet.graph, graph, {*given, *anew})
    begun = tuple(sorted(leaf for leaf, name in merged.read.items() if name not in given))
    placed, unplaced = _placed(sheet, merged.graph)
    return Retyped(placed, unplaced, begun)


def _placed(sheet: Sheet, found: Graph) -> tuple[Sheet, frozenset[int]]:
    """Return the sheet with a matched graph, and the nodes with provisional positions."""
    fresh = found.nodes.keys() - sheet.graph.nodes.keys()
    if reached(found) - fresh and agree(sheet.graph, found):
        placed = sheet.with_graph(found, place_new_nodes(found, sheet.positions, fresh))
        gone = sheet.graph.nodes.keys() - found.nodes.keys()
        return placed, _relaid(found, fresh) if fresh or gone else frozenset()
    relaid = _relaid(found, fresh)
    others = found.nodes.keys() - relaid
    if not others and not sheet.sections:
        return Sheet(found, columns(found), task=sheet.task), frozenset(found.nodes)
    rows = [sheet.positions[n][1] for n in others if n in sheet.positions]
    rows += [section.rect[1] + section.rect[3] for section in sheet.sections.values()]
    lefts = [sheet.positions[n][0] for n in others if n in sheet.positions]
    corner = (min(lefts, default=0.0), max(rows, default=-ROW_PITCH) + ROW_PITCH)
    return sheet.with_graph(found, columns(part(found, relaid), corner)), frozenset(relaid)


def _only_in_formula(graph: Graph) -> frozenset[str]:
    """Return the names of the nodes that only the active root needs."""
    return frozenset(graph.names[n] for n in reached(graph) - needed_elsewhere(graph))


def _relaid(graph: Graph, fresh: AbstractSet[int]) -> frozenset[int]:
    """Return the nodes that are laid out again after a graph was typed."""
    return frozenset(fresh | reached(graph) | {n for n in graph.roots() if n == graph.active_root})


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


OpKey = tuple[Hashable, ...]
Pair = tuple[int, int]
"""A typed node and an old one."""


class Pairing:
    """Finds `pairs`: for each typed node the old one that it stands for."""

    def __init__(self, old: Graph, new: Graph, borrow: bool) -> None:
        assert new.root is not None
        self.pairs: dict[int, int] = {}
        self._old, self._new = old, new
        self._taken: set[int] = set()
        self._keys = _Keys()
        self._inside = old.plan(old.root).order if old.root is not None else ()
        self._reached = frozenset(self._inside)
        self._order = typed_order(new)
        root_first = new.plan(new.root).order
        self._downwards = (*reversed(root_first), *reversed(self._order[len(root_first) :]))
        self._by_name(borrow)
        self._by_content()
        self._by_surroundings()

    def _by_name(self, borrow: bool) -> None:
        for node in self._order:
            name = self._new.label(node)
            found = self._old.node_named(name) if name else None
            if found is None:
                continue
            op = isinstance(self._old.nodes[found], OpNode)
            outside = isinstance(self._new.nodes[node], Leaf) and (borrow or not op)
            if found in self._reached or outside:
                self._pair(node, found)

    def _by_content(self) -> None:
        """Pair equal sub-expressions, the largest first."""
        old = self._keys.of(self._old, self._old.structure.whole_order, {n: n for n in self._taken})
        new = self._keys.of(self._new, self._order, self.pairs)
        for node in self._downwards:
            if node in self.pairs:
                self._pair_inputs((node, self.pairs[node]), old, new)
        roots = self._roots()
        if roots is not None and old[roots[1]] == new[roots[0]]:
            self._pair(*roots)
            self._pair_inputs(roots, old, new)
        waiting = self._waiting(old)
        for node in self._downwards:
            candidates = waiting.get(new[node], [])
            while candidates and candidates[-1] in self._taken:
                candidates.pop()
            if node in self.pairs or not candidates or not self._may_share(node, candidates[-1]):
                continue
            self._pair(node, found := candidates.pop())
            self._pair_inputs((node, found), old, new)

    def _waiting(self, keys: Mapping[int, int]) -> dict[int, list[int]]:
        """Return the unpaired old ops by their content; the last of each list is taken first."""
        outside = (n for n in self._old.structure.whole_order if n not in self._reached)
        result: dict[int, list[int]] = {}
        for found in (*outside, *self._inside):
            if found not in self._taken and isinstance(self._old.nodes[found], OpNode):
                result.setdefault(keys[found], []).append(found)
        return result

    def _may_share(self, node: int, found: int) -> bool:
        """Return whether equal sub-expressions may be paired; in an unrelated part only by name."""
        mine = found in self._reached or not self._inside
        return mine or self._old.names[found] == self._new.label(node)

    def _pair_inputs(self, pair: Pair, old: Mapping[int, int], new: Mapping[int, int]) -> None:
        """Pair the inputs of a pair, recursively as long as they are equal."""
        stack = [pair]
        while stack:
            for one, other in self._slots(*stack.pop()):
                if one not in self.pairs and old[other] == new[one] and self._free(one, other):
                    self._pair(one, other)
                    stack.append((one, other))

    def _by_surroundings(self) -> None:
        """Pair nodes changed in place: by their targets, then by their inputs."""
        self._pair_roots()
        before = -1
        while before != len(self.pairs):
            before = len(self.pairs)
            for node in self._downwards:
                if node in self.pairs:
                    self._pair_alike_inputs(node, self.pairs[node])
            self._pair_by_inputs()
        for node in self._downwards:
            if node in self.pairs:
                self._pair_other_ops(node, self.pairs[node])

    def _roots(self) -> Pair | None:
        """Return the inputs of both Roots, if neither is paired."""
        new, old = self._new.root, self._old.root
        if new is None or old is None or new in self.pairs or old in self._taken:
            return None
        return new, old

    def _pair_roots(self) -> None:
        roots = self._roots()
        if roots is None:
            return
        same = _sort(self._new.nodes[roots[0]]) == _sort(self._old.nodes[roots[1]])
        if self._share_inputs(*roots) or (same and self._share_numbers(*roots)):
            self._pair(*roots)

    def _pair_alike_inputs(self, node: int, found: int) -> None:
        for one, other in self._slots(node, found):
            alike = _sort(self._new.nodes[one]) == _sort(self._old.nodes[other])
            if one not in self.pairs and alike and self._free(one, other):
                self._pair(one, other)

    def _pair_by_inputs(self) -> None:
        """Pair ops with old ones of the same operation that share inputs, the most alike first."""
        fed = self._fed_by()
        for node in self._order:
            typed = self._new.nodes[node]
            if node in self.pairs or not isinstance(typed, OpNode):
                continue
            shared: dict[int, int] = {}
            for slot, source in enumerate(typed.inputs):
                there = self.pairs.get(source, -1) if source is not None else -1
                for found in fed.get((there, slot, typed.op), ()):
                    shared[found] = shared.get(found, 0) + (found not in self._taken)
            best = max(shared, key=lambda n: shared[n], default=None)
            if best is not None and shared[best]:
                self._pair(node, best)

    def _fed_by(self) -> dict[tuple[int, int, str], list[int]]:
        """Return the unpaired old ops by each of their inputs: source, slot and operation."""
        result: dict[tuple[int, int, str], list[int]] = {}
        for found in self._inside:
            there = self._old.nodes[found]
            if found in self._taken or not isinstance(there, OpNode):
                continue
            for slot, source in enumerate(there.inputs):
                if source is not None:
                    result.setdefault((source, slot, there.op), []).append(found)
        return result

    def _pair_other_ops(self, node: int, found: int) -> None:
        """Pair ops of different operations at the same place with the same inputs."""
        for one, other in self._slots(node, found):
            typed, there = self._new.nodes[one], self._old.nodes[other]
            if one in self.pairs or other in self._taken or other not in self._reached:
                continue
            ops = isinstance(typed, OpNode) and isinstance(there, OpNode)
            if ops and self._share_inputs(one, other):
                self._pair(one, other)

    def _share_inputs(self, one: int, other: int) -> bool:
        return any(self.pairs.get(a) == b for a, b in self._slots(one, other))

    def _share_numbers(self, one: int, other: int) -> bool:
        pairs = [(self._new.nodes[a], self._old.nodes[b]) for a, b in self._slots(one, other)]
        return any(
            isinstance(a, Constant) and isinstance(b, Constant) and _spelled(a) == _spelled(b)
            for a, b in pairs
        )

    def _slots(self, node: int, found: int) -> list[Pair]:
        """Return the inputs of both nodes, slot by slot."""
        inputs = zip(self._new.inputs(node), self._old.inputs(found), strict=False)
        return [(a, b) for a, b in inputs if a is not None and b is not None]

    def _free(self, one: int, other: int) -> bool:
        """Return whether the old node may be paired; a constant may be paired several times."""
        typed, there = self._new.nodes[one], self._old.nodes[other]
        if isinstance(typed, Constant) and isinstance(there, Constant):
            return other not in self._taken or _spelled(typed) == _spelled(there)
        return other not in self._taken

    def _pair(self, one: int, other: int) -> None:
        self.pairs[one] = other
        self._taken.add(other)


def typed_order(graph: Graph) -> tuple[int, ...]:
    """Return the nodes of a typed graph, inputs first, those its root does not need last."""
    assert graph.root is not None
    order = graph.plan(graph.root).order
    rest = graph.structure.whole_order
    met = {*order, *graph.roots()}
    return (*order, *(n for n in rest if n not in met))


class _Keys:
    """Numbers for sub-expressions: equal ones have the same number."""

    def __init__(self) -> None:
        self._numbers: dict[OpKey, int] = {}

    def of(self, graph: Graph, order: Sequence[int], known: Mapping[int, int]) -> dict[int, int]:
        """Return the number of each node; `known` ones count as the old node they stand for."""
        result: dict[int, int] = {}
        for node in order:
            found = graph.nodes[node]
            if node in known:
                key: OpKey = ("known", known[node])
            elif isinstance(found, OpNode):
                inputs = (-1 if s is None else result[s] for s in found.inputs)
                key = (found.op, *inputs)
            elif isinstance(found, Constant):
                key = ("constant", _spelled(found))
            else:
                key = ("alone", id(graph), node)
            result[node] = self._numbers.setdefault(key, len(self._numbers))
        return result


def _sort(node: Node) -> str:
    """Return the kind of a node, and of an op its operation."""
    return node.op if isinstance(node, OpNode) else type(node).__name__


def _spelled(node: Leaf | Constant) -> str:
    """Return an exact text of a value: all digits, the sign of zero, nan as nan."""
    return plain(node.value)
