"""Merges a typed graph into the sheet: common parts keep their ids and positions.

    merge_into_sheet(sheet, graph)   the sheet with the typed graph, laid out
    merge_graphs(old, new)           the graph alone: `new` with the ids of `old` in common parts
    place_new_nodes(graph, ...)      positions of new nodes between their inputs and their targets

Typed nodes are paired with old ones by name, then by content (equal sub-expressions, the largest
first), then by their neighbours. The formula is what the active root of `old` reaches. Its nodes
without a partner are removed unless they feed another node; all other nodes of `old` are kept.

New nodes that adjoin known ones are placed first, by linear interpolation between the nearest known
positions on both sides, then those that adjoin them, and so on. Unconnected ones are placed in
columns below everything.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

import msgspec
from msgspec import Struct

from app.document.node_sizes import RESERVED_WIDTH, reserved_size
from app.document.placement import COLUMN_PITCH, ROOT_PITCH, ROW_PITCH, columns, overlap, snapped
from app.document.sheet import Point, Rect, Sheet
from app.style import sizes
from engine.edits import subgraph
from engine.errors import EditError
from engine.graph import Constant, Graph, Leaf, Node, OpNode, Root, post_order
from engine.names import automatic_name
from engine.numbers import plain


def replaces_whole_sheet(sheet: Sheet, graph: Graph) -> bool:
    """Return whether a typed graph is no edit of the formula, and the sheet holds nothing else."""
    old = sheet.graph
    others = old.nodes.keys() - formula_nodes(old) - {old.active_root}
    return not others and not sheet.sections and not is_edit(old, graph)


class SheetMerge(Struct, frozen=True):
    """A merged sheet, its nodes with provisional positions, and typed leaves without a value."""

    sheet: Sheet
    unplaced: frozenset[int]
    valueless: tuple[int, ...]


def merge_into_sheet(sheet: Sheet, graph: Graph, assigned: Collection[str] = ()) -> SheetMerge:
    """Return the sheet with a typed graph for its active root.

    `assigned` holds the names of leaves with a value in the text. If nodes were added or removed,
    the whole typed graph is laid out again: at the place of the old one, or below the unconnected
    parts if the two have almost nothing in common.
    """
    if graph.root is None:
        raise EditError("A typed graph needs a root.")
    reset = frozenset[str]()
    if not is_edit(sheet.graph, graph):  # another formula: its leaves don't keep old values
        reset = _names_only_in_formula(sheet.graph)
    merged = _merge_with_leaves(sheet.graph, graph, {*assigned, *reset})
    valueless = tuple(
        sorted(leaf for leaf, name in merged.leaf_names.items() if name not in assigned)
    )
    placed, unplaced = _with_positions(sheet, merged.graph)
    return SheetMerge(placed, unplaced, valueless)


def _with_positions(sheet: Sheet, merged: Graph) -> tuple[Sheet, frozenset[int]]:
    """Return the sheet with a merged graph, and the nodes with provisional positions."""
    new_nodes = merged.nodes.keys() - sheet.graph.nodes.keys()
    if formula_nodes(merged) - new_nodes and _keeps_positions(sheet.graph, merged):
        placed = sheet.with_graph(merged, place_new_nodes(merged, sheet.positions, new_nodes))
        removed = sheet.graph.nodes.keys() - merged.nodes.keys()
        return placed, _nodes_to_lay_out(merged, new_nodes) if new_nodes or removed else frozenset()
    to_lay_out = _nodes_to_lay_out(merged, new_nodes)
    others = merged.nodes.keys() - to_lay_out
    if not others and not sheet.sections:
        placed = Sheet(merged, columns(merged), task=sheet.task, marks=sheet.marks)
        return placed, frozenset(merged.nodes)
    bottoms = [sheet.positions[n][1] for n in others if n in sheet.positions]
    bottoms += [section.rect[1] + section.rect[3] for section in sheet.sections.values()]
    lefts = [sheet.positions[n][0] for n in others if n in sheet.positions]
    corner = (min(lefts, default=0.0), max(bottoms, default=-ROW_PITCH) + ROW_PITCH)
    return sheet.with_graph(merged, columns(subgraph(merged, to_lay_out), corner)), frozenset(
        to_lay_out
    )


def _names_only_in_formula(graph: Graph) -> frozenset[str]:
    """Return the names of the nodes that only the active root needs."""
    return frozenset(graph.names[n] for n in formula_nodes(graph) - _needed_elsewhere(graph))


def _nodes_to_lay_out(graph: Graph, new_nodes: AbstractSet[int]) -> frozenset[int]:
    """Return the nodes to lay out after a merge: new ones, the formula and its Root."""
    return frozenset(
        new_nodes | formula_nodes(graph) | {n for n in graph.roots() if n == graph.active_root}
    )


class _GraphMerge(Struct, frozen=True):
    """A merged graph, and the typed names of the leaves whose old value is not kept."""

    graph: Graph
    leaf_names: Mapping[int, str]


def merge_graphs(old: Graph, new: Graph, assigned: Collection[str] = ()) -> Graph:
    """Return `old` with its formula replaced by the typed graph.

    A leaf keeps its value unless its name is in `assigned`, the names with a value in the text.
    """
    return _merge_with_leaves(old, new, assigned).graph


def _merge_with_leaves(old: Graph, new: Graph, assigned: Collection[str] = ()) -> _GraphMerge:
    """Do the same as `merge_graphs`, and return also the leaves whose old value is not kept."""
    # a typed name may mean an operation of an unconnected part, unless that closes a cycle
    for share_unconnected in (True, False):
        pairs = Pairing(old, new, share_unconnected).pairs
        result = _replace_formula(old, new, pairs, assigned)
        if not share_unconnected or not _has_cycle(result.graph):
            return result
    raise AssertionError  # without sharing, the typed graph is fed by itself only


def is_edit(old: Graph, new: Graph) -> bool:
    """Return whether a typed graph is an edit of the formula of `old`, not another formula.

    It is one if all leaf names are the same, or if an operation keeps an input that is an operation
    or a leaf of the same name. Equal names of the result or of some leaves don't suffice.
    """
    before = formula_nodes(old)
    if not before or _leaf_names(old) == _leaf_names(new):
        return bool(before)
    found = merge_graphs(old, new)
    return any(_op_stays(old, found, node) for node in before & formula_nodes(found))


def _op_stays(old: Graph, merged: Graph, node: int) -> bool:
    """Return whether an operation keeps an input: an operation, or a leaf of the same name."""
    shared = {*old.inputs(node)} & {*merged.inputs(node)}
    return any(
        isinstance(old.nodes[n], OpNode)
        or (isinstance(old.nodes[n], Leaf) and old.names[n] == merged.names[n])
        for n in shared
        if n is not None
    )


def _leaf_names(graph: Graph) -> frozenset[str]:
    nodes = graph.nodes
    return frozenset(graph.names[n] for n in formula_nodes(graph) if isinstance(nodes[n], Leaf))


def _keeps_positions(old: Graph, merged: Graph) -> bool:
    """Return whether formulas share a quarter of the smaller one, enough to keep positions."""
    before, after = formula_nodes(old), formula_nodes(merged)
    if not before:
        return True
    kept = sum(node in before for node in after)
    return 4 * kept >= min(len(before), len(after))


def formula_nodes(graph: Graph) -> frozenset[int]:
    """Return the input of the active Root and all its ancestors."""
    return frozenset(graph.plan(graph.root).order) if graph.root is not None else frozenset()


def _replace_formula(
    old: Graph, new: Graph, pairs: Mapping[int, int], assigned: Collection[str]
) -> _GraphMerge:
    """Return the old graph with the typed one in place of its formula, given paired nodes."""
    assert new.root is not None
    order = typed_order(new)
    ids, next_id = dict(pairs), old.next_id
    # new ids, whose automatic names must not be the label of another typed node
    labels = {new.label(node): node for node in order}
    for node in sorted(order):
        if node not in ids:
            while labels.get(automatic_name(next_id), node) != node:
                next_id += 1
            ids[node], next_id = next_id, next_id + 1
    old_formula = formula_nodes(old)
    typed_nodes: dict[int, Node] = {}
    leaf_names: dict[int, str] = {}
    for node in order:
        old_node = old.nodes.get(ids[node])
        if ids[node] in old.nodes and ids[node] not in old_formula and isinstance(old_node, OpNode):
            continue  # shared with an unconnected part
        typed_nodes[ids[node]] = _node(old, new, node, ids, assigned)
        if isinstance(new.nodes[node], Leaf) and not _keeps_value(old, new, node, ids, assigned):
            leaf_names[ids[node]] = new.label(node)
    removed = old_formula - typed_nodes.keys() - _needed_elsewhere(old)
    kept = {n: found for n, found in old.nodes.items() if n not in removed}
    nodes: dict[int, Node] = {**kept, **typed_nodes}
    marker = old.active_root  # the Root that marks the formula
    if marker is None:
        marker, next_id = next_id, next_id + 1
    nodes[marker] = Root(ids[new.root])
    return _GraphMerge(Graph({n: nodes[n] for n in sorted(nodes)}, marker, next_id), leaf_names)


def _needed_elsewhere(old: Graph) -> frozenset[int]:
    """Return the ancestors of other Roots and of unconnected parts, and these themselves."""
    old_formula, marker = formula_nodes(old), old.active_root
    staying = [n for n in old.nodes if n not in old_formula and n != marker]
    return frozenset(post_order(staying, lambda n: old.inputs(n)))


def _node(
    old: Graph, new: Graph, node: int, ids: Mapping[int, int], assigned: Collection[str]
) -> Node:
    """Return a typed node for the sheet: with the label and value of its old partner, if any."""
    typed, old_node = new.nodes[node], old.nodes.get(ids[node])
    label = new.label(node)
    if old_node is not None and label in ("", old.names.get(ids[node])):
        label = old.label(ids[node])
    elif label == automatic_name(ids[node]):
        label = ""
    if isinstance(typed, OpNode):
        inputs = [None if s is None else ids[s] for s in typed.inputs]
        return OpNode(typed.op, tuple(inputs), label)
    assert isinstance(typed, Leaf | Constant)
    kept = old_node if _keeps_value(old, new, node, ids, assigned) else typed
    assert isinstance(kept, Leaf | Constant)
    return msgspec.structs.replace(kept, label=label)


def _keeps_value(
    old: Graph, new: Graph, node: int, ids: Mapping[int, int], assigned: Collection[str]
) -> bool:
    """Return whether a typed leaf keeps the value that it has on the sheet."""
    stays = isinstance(new.nodes[node], Leaf) and new.label(node) not in assigned
    return stays and isinstance(old.nodes.get(ids[node]), Leaf | Constant)


def _has_cycle(graph: Graph) -> bool:
    place = {node: k for k, node in enumerate(graph.structure.topological_order)}
    return any(place[source] >= place[target] for source, (target, _slot) in graph.wires())


OpKey = tuple[Hashable, ...]
"""Operation and input numbers of a sub-expression, or the kind and identity of a leaf."""
Pair = tuple[int, int]
"""A typed node and an old one."""


class Pairing:
    """Finds `pairs`, from typed nodes to old ones, in three passes: name, content, neighbours.

    In all methods `node` is a typed node and `old_node` one of the sheet.
    """

    def __init__(self, old: Graph, new: Graph, share_unconnected: bool) -> None:
        assert new.root is not None
        self.pairs: dict[int, int] = {}
        self._old, self._new = old, new
        self._paired_old: set[int] = set()
        self._content_keys = _ContentKeys()
        self._old_order = old.plan(old.root).order if old.root is not None else ()
        self._old_formula = frozenset(self._old_order)
        self._order = typed_order(new)
        # `typed_order` begins with what the root needs; so the root is the first output here
        needed = len(new.plan(new.root).order)
        self._outputs_first = (*reversed(self._order[:needed]), *reversed(self._order[needed:]))
        self._by_name(share_unconnected)
        self._by_content()
        self._by_surroundings()

    def _by_name(self, share_unconnected: bool) -> None:
        """Pair nodes of the same name: in the formula, typed leaves also in unconnected parts."""
        for node in self._order:
            name = self._new.label(node)
            old_node = self._old.node_named(name) if name else None
            if old_node is None:
                continue
            is_op = isinstance(self._old.nodes[old_node], OpNode)
            is_typed_leaf = isinstance(self._new.nodes[node], Leaf)
            may_be_outside = is_typed_leaf and (share_unconnected or not is_op)
            if old_node in self._old_formula or may_be_outside:
                self._pair(node, old_node)

    def _by_content(self) -> None:
        """Pair equal sub-expressions, the largest first."""
        old_keys = self._content_keys.of(
            self._old, self._old.structure.topological_order, {n: n for n in self._paired_old}
        )
        new_keys = self._content_keys.of(self._new, self._order, self.pairs)
        # below pairs first: their inputs are equal at the same place
        for node in self._outputs_first:
            if node in self.pairs:
                self._pair_inputs((node, self.pairs[node]), old_keys, new_keys)
        outputs = self._root_inputs()
        if outputs is not None and old_keys[outputs[1]] == new_keys[outputs[0]]:
            self._pair(*outputs)
            self._pair_inputs(outputs, old_keys, new_keys)
        # then anywhere, from the output on, so that the largest sub-expressions pair first
        unpaired = self._unpaired_ops(old_keys)
        for node in self._outputs_first:
            candidates = unpaired.get(new_keys[node], [])
            while candidates and candidates[-1] in self._paired_old:
                candidates.pop()
            if node in self.pairs or not candidates or not self._may_share(node, candidates[-1]):
                continue
            self._pair(node, old_node := candidates.pop())
            self._pair_inputs((node, old_node), old_keys, new_keys)

    def _unpaired_ops(self, keys: Mapping[int, int]) -> dict[int, list[int]]:
        """Return the unpaired old ops by content key, those of the formula last."""
        outside = (n for n in self._old.structure.topological_order if n not in self._old_formula)
        result: dict[int, list[int]] = {}
        for old_node in (*outside, *self._old_order):
            if old_node not in self._paired_old and isinstance(self._old.nodes[old_node], OpNode):
                result.setdefault(keys[old_node], []).append(old_node)
        return result

    def _may_share(self, node: int, old_node: int) -> bool:
        """Return whether equal sub-expressions may be paired.

        In the formula, anywhere on a sheet that has none, and elsewhere if named alike.
        """
        in_formula = old_node in self._old_formula or not self._old_order
        return in_formula or self._old.names[old_node] == self._new.label(node)

    def _pair_inputs(
        self, pair: Pair, old_keys: Mapping[int, int], new_keys: Mapping[int, int]
    ) -> None:
        """Pair the inputs of a pair, recursively as long as they are equal."""
        stack = [pair]
        while stack:
            for new_input, old_input in self._paired_slots(*stack.pop()):
                if (
                    new_input not in self.pairs
                    and old_keys[old_input] == new_keys[new_input]
                    and self._may_pair(new_input, old_input)
                ):
                    self._pair(new_input, old_input)
                    stack.append((new_input, old_input))

    def _by_surroundings(self) -> None:
        """Pair nodes changed in place: by their targets and inputs until nothing changes."""
        self._pair_roots()
        before = -1
        while before != len(self.pairs):
            before = len(self.pairs)
            for node in self._outputs_first:
                if node in self.pairs:
                    self._pair_alike_inputs(node, self.pairs[node])
            self._pair_by_inputs()
        for node in self._outputs_first:
            if node in self.pairs:
                self._pair_other_ops(node, self.pairs[node])

    def _root_inputs(self) -> Pair | None:
        """Return the inputs of both Roots, if neither is paired."""
        new, old = self._new.root, self._old.root
        if new is None or old is None or new in self.pairs or old in self._paired_old:
            return None
        return new, old

    def _pair_roots(self) -> None:
        outputs = self._root_inputs()
        if outputs is None:
            return
        node, old_node = outputs
        same_kind = _node_kind(self._new.nodes[node]) == _node_kind(self._old.nodes[old_node])
        if self._share_inputs(*outputs) or (same_kind and self._share_numbers(*outputs)):
            self._pair(*outputs)

    def _pair_alike_inputs(self, node: int, old_node: int) -> None:
        for new_input, old_input in self._paired_slots(node, old_node):
            same_kind = _node_kind(self._new.nodes[new_input]) == _node_kind(
                self._old.nodes[old_input]
            )
            if new_input not in self.pairs and same_kind and self._may_pair(new_input, old_input):
                self._pair(new_input, old_input)

    def _pair_by_inputs(self) -> None:
        """Pair ops with old ones of the same operation that share inputs, the most shared first."""
        by_input = self._unpaired_by_input()
        for node in self._order:
            typed = self._new.nodes[node]
            if node in self.pairs or not isinstance(typed, OpNode):
                continue
            shared: dict[int, int] = {}
            for slot, source in enumerate(typed.inputs):
                # no node has the id −1, so an unpaired input finds nothing
                old_source = self.pairs.get(source, -1) if source is not None else -1
                for old_node in by_input.get((old_source, slot, typed.op), ()):
                    if old_node not in self._paired_old:  # it may have been paired meanwhile
                        shared[old_node] = shared.get(old_node, 0) + 1
            best = max(shared, key=lambda n: shared[n], default=None)
            if best is not None:
                self._pair(node, best)

    def _unpaired_by_input(self) -> dict[tuple[int, int, str], list[int]]:
        """Return the unpaired old ops by each of their inputs: source, slot and operation."""
        result: dict[tuple[int, int, str], list[int]] = {}
        for old_node in self._old_order:
            old_op = self._old.nodes[old_node]
            if old_node in self._paired_old or not isinstance(old_op, OpNode):
                continue
            for slot, source in enumerate(old_op.inputs):
                if source is not None:
                    result.setdefault((source, slot, old_op.op), []).append(old_node)
        return result

    def _pair_other_ops(self, node: int, old_node: int) -> None:
        """Pair ops of different operations at the same place with the same inputs."""
        for new_input, old_input in self._paired_slots(node, old_node):
            typed, old_op = self._new.nodes[new_input], self._old.nodes[old_input]
            if (
                new_input in self.pairs
                or old_input in self._paired_old
                or old_input not in self._old_formula
            ):
                continue
            ops = isinstance(typed, OpNode) and isinstance(old_op, OpNode)
            if ops and self._share_inputs(new_input, old_input):
                self._pair(new_input, old_input)

    def _share_inputs(self, node: int, old_node: int) -> bool:
        return any(self.pairs.get(a) == b for a, b in self._paired_slots(node, old_node))

    def _share_numbers(self, node: int, old_node: int) -> bool:
        pairs = [
            (self._new.nodes[a], self._old.nodes[b]) for a, b in self._paired_slots(node, old_node)
        ]
        return any(
            isinstance(a, Constant) and isinstance(b, Constant) and _exact_text(a) == _exact_text(b)
            for a, b in pairs
        )

    def _paired_slots(self, node: int, old_node: int) -> list[Pair]:
        """Return the inputs of both nodes, slot by slot."""
        inputs = zip(self._new.inputs(node), self._old.inputs(old_node), strict=False)
        return [(a, b) for a, b in inputs if a is not None and b is not None]

    def _may_pair(self, node: int, old_node: int) -> bool:
        """Return whether the old node may be paired; a constant may be paired several times."""
        typed, old = self._new.nodes[node], self._old.nodes[old_node]
        if isinstance(typed, Constant) and isinstance(old, Constant):
            return old_node not in self._paired_old or _exact_text(typed) == _exact_text(old)
        return old_node not in self._paired_old

    def _pair(self, node: int, old_node: int) -> None:
        self.pairs[node] = old_node
        self._paired_old.add(old_node)


def typed_order(graph: Graph) -> tuple[int, ...]:
    """Return the nodes of a typed graph, inputs first; those that its root does not need last."""
    assert graph.root is not None
    order = graph.plan(graph.root).order
    in_order = {*order, *graph.roots()}
    return (*order, *(n for n in graph.structure.topological_order if n not in in_order))


class _ContentKeys:
    """Numbers for sub-expressions: equal ones have the same number."""

    def __init__(self) -> None:
        self._numbers: dict[OpKey, int] = {}

    def of(self, graph: Graph, order: Sequence[int], known: Mapping[int, int]) -> dict[int, int]:
        """Return the number of each node; `known` maps nodes already paired to their partner."""
        result: dict[int, int] = {}
        for node in order:
            content = graph.nodes[node]
            if node in known:
                key: OpKey = ("known", known[node])
            elif isinstance(content, OpNode):
                inputs = (-1 if s is None else result[s] for s in content.inputs)
                key = (content.op, *inputs)
            elif isinstance(content, Constant):
                key = ("constant", _exact_text(content))
            else:
                key = ("alone", id(graph), node)  # a leaf is equal to no other node
            result[node] = self._numbers.setdefault(key, len(self._numbers))
        return result


def _node_kind(node: Node) -> str:
    """Return the kind of a node, and of an op its operation."""
    return node.op if isinstance(node, OpNode) else type(node).__name__


def _exact_text(node: Leaf | Constant) -> str:
    """Return an exact text of a value: all digits, the sign of zero, nan as nan."""
    return plain(node.value)


# positions of new nodes

_LEAST_GAP = 24.0
"""Least distance between a new node and any other."""
_ALIGN_DISTANCE = 144.0
"""Maximum distance by which a node is shifted into an existing column."""
_CELL_SIZE = 240.0
"""Side of the cells by which nearby nodes are found; larger than most nodes."""


def place_new_nodes(
    graph: Graph, known: Mapping[int, Point], fresh: Collection[int]
) -> dict[int, Point]:
    """Return positions for `fresh` nodes between their inputs and targets; no other node moves.

    One exception: the active Root moves to the right if it would be left of its input or covered.
    """
    fixed = {n: place for n, place in known.items() if n in graph.nodes and n not in fresh}
    free_space = _FreeSpace(graph, fixed)
    waiting = [n for n in graph.structure.topological_order if n in fresh]
    while waiting:
        positions = {**fixed, **free_space.places}
        left = _from_inputs(graph, positions, waiting)
        right = _from_targets(graph, positions, waiting)
        if not left and not right:
            break
        for node in (n for n in waiting if n in left or n in right):
            free_space.place(node, _in_column(fixed, left.get(node), right.get(node)))
        waiting = [n for n in waiting if n not in free_space.places]
    lowest = max((y for _x, y in fixed.values()), default=-ROW_PITCH) + ROW_PITCH
    corner = (min((x for x, _y in fixed.values()), default=0.0), lowest)
    for node, place in columns(subgraph(graph, waiting), corner).items():
        free_space.place(node, place)
    # the active Root stays right of its input
    marker, root = graph.active_root, graph.root
    if marker is not None and marker in fixed and root is not None and root in free_space.places:
        x, y = free_space.places[root]
        if fixed[marker][0] < x + reserved_size(graph, root)[0] + _LEAST_GAP:
            free_space.place(marker, (x + ROOT_PITCH, y))
    return free_space.places


class _Anchor(Struct, frozen=True):
    """The nearest known position on one side of a node, and its distance in wires."""

    place: Point
    steps: int = 1


def _from_inputs(
    graph: Graph, fixed: Mapping[int, Point], order: Iterable[int]
) -> dict[int, _Anchor]:
    """Return for each new node the rightmost known position before it, level with its inputs."""
    found: dict[int, _Anchor] = {}
    for node in order:
        anchors = [_anchor(fixed, found, s) for s in graph.inputs(node) if s is not None]
        near = [anchor for anchor in anchors if anchor is not None]
        if near:
            nearest = max(near, key=lambda a: a.place[0] + a.steps * COLUMN_PITCH)
            height = sum(a.place[1] for a in near) / len(near)
            found[node] = _Anchor((nearest.place[0], height), nearest.steps)
    return found


def _from_targets(graph: Graph, fixed: Mapping[int, Point], order: list[int]) -> dict[int, _Anchor]:
    """Return for each new node the leftmost known position after it, at the height of its slots."""
    found: dict[int, _Anchor] = {}
    for node in reversed(order):
        near: list[_Anchor] = []
        for target, slot in graph.outgoing[node]:
            anchor = None if target == graph.active_root else _anchor(fixed, found, target)
            if anchor is not None:
                slot_offset = (slot - (len(graph.inputs(target)) - 1) / 2) * ROW_PITCH
                near.append(_Anchor((anchor.place[0], anchor.place[1] + slot_offset), anchor.steps))
        if near:
            nearest = min(near, key=lambda a: a.place[0] - a.steps * COLUMN_PITCH)
            height = sum(a.place[1] for a in near) / len(near)
            found[node] = _Anchor((nearest.place[0], height), nearest.steps)
    return found


def _anchor(fixed: Mapping[int, Point], found: Mapping[int, _Anchor], node: int) -> _Anchor | None:
    """Return a node as the anchor of a neighbour: its position, or its own anchor a wire on."""
    if node in fixed:
        return _Anchor(fixed[node])
    anchor = found.get(node)
    return None if anchor is None else _Anchor(anchor.place, anchor.steps + 1)


def _in_column(fixed: Mapping[int, Point], left: _Anchor | None, right: _Anchor | None) -> Point:
    """Return a position between two anchors, in a nearby existing column if one is there."""
    x, y = _between(left, right)
    first = left.place[0] + RESERVED_WIDTH if left else -math.inf
    last = right.place[0] - RESERVED_WIDTH if right else math.inf
    columns = [
        c for c, _y in fixed.values() if first <= c <= last and abs(c - x) <= _ALIGN_DISTANCE
    ]
    return (min(columns, key=lambda c: abs(c - x), default=x), y)


def _between(left: _Anchor | None, right: _Anchor | None) -> Point:
    if left is None:
        assert right is not None
        return (right.place[0] - right.steps * COLUMN_PITCH, right.place[1])
    if right is None:
        return (left.place[0] + left.steps * COLUMN_PITCH, left.place[1])
    share = left.steps / (left.steps + right.steps)
    return (
        left.place[0] + (right.place[0] - left.place[0]) * share,
        left.place[1] + (right.place[1] - left.place[1]) * share,
    )


@dataclass(slots=True)
class _FreeSpace:
    """Node positions in a grid of cells, so that only nearby nodes are tested for overlap."""

    graph: Graph
    fixed: Mapping[int, Point]
    places: dict[int, Point] = field(default_factory=dict[int, Point])
    _cells: dict[tuple[int, int], list[int]] = field(
        default_factory=dict[tuple[int, int], list[int]]
    )

    def __post_init__(self) -> None:
        for node, place in self.fixed.items():
            self._cells.setdefault(_cell(place), []).append(node)

    def place(self, node: int, wanted: Point) -> None:
        """Place a node on the free grid point nearest above or below the wanted one."""
        x, y = snapped(wanted)
        # 0, down 1, up 1, down 2, ...: the limit only ends the search on an absurdly full sheet
        for away in range(10_000):
            step = (away + 1) // 2 * sizes.GRID * (1 if away % 2 else -1)
            if self._is_free(node, (x, y + step)):
                y += step
                break
        self.places[node] = (x, y)
        self._cells.setdefault(_cell((x, y)), []).append(node)

    def _is_free(self, node: int, place: Point) -> bool:
        rect = (*place, *reserved_size(self.graph, node))
        column, row = _cell(place)
        near = (
            other
            for i in (column - 1, column, column + 1)
            for j in (row - 1, row, row + 1)
            for other in self._cells.get((i, j), ())
        )
        return not any(
            overlap(rect, self._rect(other), _LEAST_GAP) for other in near if other != node
        )

    def _rect(self, node: int) -> Rect:
        place = self.places.get(node) or self.fixed[node]
        return (*place, *reserved_size(self.graph, node))


def _cell(place: Point) -> tuple[int, int]:
    return int(place[0] // _CELL_SIZE), int(place[1] // _CELL_SIZE)
