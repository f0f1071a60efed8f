"""Matching: which nodes of a typed graph are nodes that a sheet has already.

    match(old, new)            the partner in `old` of each node of `new` that has one
    merged(old, new, given)    `old` with its formula replaced by `new`; partners keep their ids
    added(old, new, given)     `old` with `new` beside its formula; they share leaves

The formula is what the active root of `old` reaches. Leaves are paired with leaves, operations with
operations, constants with constants: by name, then by content (equal sub-expressions, the largest
first), then by their neighbours. So the merged graph computes exactly the typed formula.

>>> from engine import from_expression
>>> old = from_expression("a = 2; e = a*b; e + a")
>>> match(old, from_expression("e = a*b; tanh(e)"))
{1: 1, 2: 2, 3: 3, 4: 4}
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence

import msgspec
from msgspec import Struct

from engine import edits
from engine.graph import Constant, Graph, Leaf, Node, OpNode, Root, Wire, post_order
from engine.names import automatic_name
from engine.numbers import plain


def match(old: Graph, new: Graph) -> dict[int, int]:
    """Return the partner in `old` of each node of `new` that has one.

    No two leaves or operations have the same partner; constants of the same value may. Operations
    outside the formula of `old` are partners only with exactly these inputs.
    """
    return _Matching(old, new).pairs


class Merge(Struct, frozen=True):
    """A merged graph, and its leaves that have a value neither in the text nor on the sheet."""

    graph: Graph
    valueless: tuple[int, ...]


def merged(old: Graph, new: Graph, given: Collection[str] = ()) -> Merge:
    """Return `old` with its formula replaced by a typed graph.

    A leaf has the value of its partner unless its name is in `given`, the names with a value in the
    text. Nodes of the formula without a partner are removed unless they feed another node; all
    others of `old` are kept.
    """
    assert new.root is not None
    order, pairs = typed_order(new), match(old, new)
    ids, next_id = _ids(old, new, pairs)
    typed: dict[int, Node] = {}
    valueless: list[int] = []
    for node in order:
        keeps_value = node in pairs and new.label(node) not in given
        typed[ids[node]] = _node(old, new, node, ids, keeps_value=keeps_value)
        if isinstance(new.nodes[node], Leaf) and node not in pairs and new.label(node) not in given:
            valueless.append(ids[node])
    removed = formula_nodes(old) - typed.keys() - _needed_elsewhere(old)
    nodes: dict[int, Node] = {n: found for n, found in old.nodes.items() if n not in removed}
    nodes |= typed
    marker = old.active_root  # the Root that marks the formula
    if marker is None:
        marker, next_id = next_id, next_id + 1
    nodes[marker] = Root(ids[new.root])
    graph = Graph({n: nodes[n] for n in sorted(nodes)}, marker, next_id)
    return Merge(graph, tuple(sorted(valueless)))


def added(
    old: Graph, new: Graph, given: Collection[str] = (), wire: Wire | None = None
) -> tuple[Graph, frozenset[int]]:
    """Return `old` with a typed graph beside its own formula, and the ids of what is new.

    A name that one leaf of `old` has is that leaf. The typed result feeds the slot `wire`; without
    one it is the root if `old` has none.
    """
    assert new.root is not None
    graph, ids = edits.merge(old, new)
    surplus = [ids[n] for n in new.roots()] if wire or old.active_root is not None else []
    if wire is not None:
        graph = edits.connect(graph, ids[new.root], *wire)
    for leaf, value in new.leaf_values.items():
        name = new.label(leaf)
        known = [n for n in old.leaves if name in (old.label(n), old.names[n])]
        if len(known) == 1:
            surplus.append(ids[leaf])
            for target, slot in graph.outgoing[ids[leaf]]:
                graph = edits.connect(graph, known[0], target, slot)
            graph = graph.with_values({known[0]: value} if name in given else {})
    graph = edits.remove(graph, surplus)
    return graph, frozenset(graph.nodes.keys() - old.nodes.keys())


def is_edit(old: Graph, new: Graph) -> bool:
    """Return whether a typed graph is an edit of the formula of `old`, not another formula.

    It is one if all leaf names are the same, or if an operation keeps a leaf of the same name or a
    part with a number. Equal names of the result or of some leaves don't suffice.
    """
    before = formula_nodes(old)
    if not before or _leaf_names(old) == _leaf_names(new):
        return bool(before)
    return _keeps_part(old, new, match(old, new))


def formula_nodes(graph: Graph) -> frozenset[int]:
    """Return the input of the active Root and all its ancestors."""
    return frozenset(graph.plan(graph.root).order) if graph.root is not None else frozenset()


def typed_order(graph: Graph) -> tuple[int, ...]:
    """Return the nodes of a typed graph, inputs first; those that its root does not need last."""
    assert graph.root is not None
    order = graph.plan(graph.root).order
    in_order = {*order, *graph.roots()}
    return (*order, *(n for n in graph.structure.topological_order if n not in in_order))


def _leaf_names(graph: Graph) -> frozenset[str]:
    nodes = graph.nodes
    return frozenset(graph.names[n] for n in formula_nodes(graph) if isinstance(nodes[n], Leaf))


def _keeps_part(old: Graph, new: Graph, pairs: Mapping[int, int]) -> bool:
    """Return whether an operation of the formula keeps a leaf by its name, or a part with a number.

    Operations alone, as the sum before a tanh, are in many formulas.
    """
    formula = formula_nodes(old)
    for node, partner in pairs.items():
        if partner not in formula:
            continue
        for source in _kept_inputs(old, new, node, pairs):
            found = new.nodes[source]
            if isinstance(found, Leaf) and new.names[source] == old.names[pairs[source]]:
                return True
            if isinstance(found, OpNode) and any(
                isinstance(new.nodes[s], Constant)
                and _content(new.nodes[s]) == _content(old.nodes[pairs[s]])
                for s in _kept_inputs(old, new, source, pairs)
            ):
                return True
    return False


def _kept_inputs(old: Graph, new: Graph, node: int, pairs: Mapping[int, int]) -> list[int]:
    """Return the inputs of a paired node whose partners are inputs of its partner."""
    before = old.inputs(pairs[node])
    return [s for s in new.inputs(node) if s is not None and s in pairs and pairs[s] in before]


def _ids(old: Graph, new: Graph, pairs: Mapping[int, int]) -> tuple[dict[int, int], int]:
    """Return the id of each typed node in the merged graph, and the next id after these."""
    ids, next_id = dict(pairs), old.next_id
    # new ids, whose automatic names must not be the label of another typed node
    order = typed_order(new)
    labels = {new.label(node): node for node in order}
    for node in sorted(order):
        if node not in ids:
            while labels.get(automatic_name(next_id), node) != node:
                next_id += 1
            ids[node], next_id = next_id, next_id + 1
    return ids, next_id


def _needed_elsewhere(old: Graph) -> frozenset[int]:
    """Return the ancestors of other Roots and of unconnected parts, and these themselves."""
    formula, marker = formula_nodes(old), old.active_root
    staying = [n for n in old.nodes if n not in formula and n != marker]
    return frozenset(post_order(staying, lambda n: old.inputs(n)))


def _node(old: Graph, new: Graph, node: int, ids: Mapping[int, int], *, keeps_value: bool) -> Node:
    """Return a typed node for the sheet, with the label of its partner if that is its name."""
    typed, partner = new.nodes[node], old.nodes.get(ids[node])
    label = new.label(node)
    if partner is not None and label in ("", old.names.get(ids[node])):
        label = old.label(ids[node])
    elif label == automatic_name(ids[node]):
        label = ""
    if isinstance(typed, OpNode):
        inputs = [None if s is None else ids[s] for s in typed.inputs]
        return OpNode(typed.op, tuple(inputs), label)
    assert isinstance(typed, Leaf | Constant)
    if keeps_value and isinstance(typed, Leaf) and isinstance(partner, Leaf):
        typed = partner
    return msgspec.structs.replace(typed, label=label)


OpKey = tuple[Hashable, ...]
"""Operation and input numbers of a sub-expression, or the kind and identity of a leaf."""
Pair = tuple[int, int]
"""A typed node and an old one."""


class _Matching:
    """Finds `pairs`, from typed nodes to old ones, in three passes: name, content, neighbours.

    In all methods `node` is a typed node and `old_node` one of the sheet.
    """

    def __init__(self, old: Graph, new: Graph) -> None:
        assert new.root is not None
        self.pairs: dict[int, int] = {}
        self._old, self._new = old, new
        self._paired_old: dict[int, int] = {}
        """The typed node with which each old one was paired first."""
        self._content_keys = _ContentKeys()
        self._old_order = old.plan(old.root).order if old.root is not None else ()
        self._old_formula = frozenset(self._old_order)
        self._kept = _needed_elsewhere(old)
        self._order = typed_order(new)
        # `typed_order` begins with what the root needs; so the root is the first output here
        needed = len(new.plan(new.root).order)
        self._outputs_first = (*reversed(self._order[:needed]), *reversed(self._order[needed:]))
        self._by_name()
        self._by_content()
        alike = dict(self.pairs)
        self._by_surroundings()
        if _keeps_part(old, new, self.pairs):
            self._pair_renamed_leaves()
        else:  # another formula, in which the neighbours of a node say nothing
            self.pairs = alike
        self._drop_changes_elsewhere()

    def _by_name(self) -> None:
        """Pair nodes of one kind by name, else by label: leaves anywhere, ops in the formula."""
        names: dict[tuple[type[Node], str], int] = {}
        labels: dict[tuple[type[Node], str], int] = {}
        outside = (n for n in self._old.nodes if n not in self._old_formula)
        for old_node in (*self._old_order, *outside):
            found = self._old.nodes[old_node]
            if isinstance(found, Leaf) or old_node in self._old_formula:
                names[type(found), self._old.names[old_node]] = old_node
                labels.setdefault((type(found), found.label), old_node)
        for known in (names, labels):
            for node in self._order:
                label = self._new.label(node)
                old_node = known.get((type(self._new.nodes[node]), label)) if label else None
                if old_node is None or node in self.pairs or old_node in self._paired_old:
                    continue
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
            is_leaf = isinstance(self._new.nodes[new_input], Leaf)  # see `_pair_renamed_leaves`
            free = new_input not in self.pairs and self._may_pair(new_input, old_input)
            if same_kind and free and not is_leaf:
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

    def _pair_renamed_leaves(self) -> None:
        """Pair leaves slot by slot if the formulas are the same but for names of leaves."""
        assert self._new.root is not None
        assert self._old.root is not None
        partners, seen = dict[int, int](), set[int]()
        todo: list[Pair] = [(self._new.root, self._old.root)]
        while todo:
            node, old_node = todo.pop()
            typed, old = self._new.nodes[node], self._old.nodes[old_node]
            if _content(typed) != _content(old):
                return
            if partners.get(node) == old_node or isinstance(typed, Constant):
                continue
            if node in partners or old_node in seen:
                return
            partners[node] = old_node
            seen.add(old_node)
            todo += self._paired_slots(node, old_node)
        for node, old_node in partners.items():
            free = node not in self.pairs and old_node not in self._kept | self._paired_old.keys()
            if free and isinstance(self._new.nodes[node], Leaf):
                self._pair(node, old_node)

    def _drop_changes_elsewhere(self) -> None:
        """Drop pairs that would change operations of other parts, unless the name asks for it."""
        for node in self._order:
            old_node, typed = self.pairs.get(node), self._new.nodes[node]
            if old_node not in self._kept or not isinstance(typed, OpNode):
                continue
            inputs = tuple(None if s is None else self.pairs.get(s, -1) for s in typed.inputs)
            old = self._old.nodes[old_node]
            same = isinstance(old, OpNode) and (old.op, old.inputs) == (typed.op, inputs)
            named = typed.label in (old.label, self._old.names[old_node]) and typed.label
            if not same and not (named and old_node in self._old_formula):
                del self.pairs[node]

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
        """Return whether the old node may be paired: a constant several times, with one value."""
        typed, old = self._new.nodes[node], self._old.nodes[old_node]
        first = self._paired_old.get(old_node)
        if not isinstance(typed, Constant) or not isinstance(old, Constant):
            return first is None
        if first is None and old_node not in self._kept:
            return True
        known = old if first is None else self._new.nodes[first]
        assert isinstance(known, Constant)
        return _exact_text(typed) == _exact_text(known)

    def _pair(self, node: int, old_node: int) -> None:
        self.pairs[node] = old_node
        self._paired_old.setdefault(old_node, node)


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
                key = _content(content)
            else:
                key = ("alone", id(graph), node)  # a leaf is equal to no other node
            result[node] = self._numbers.setdefault(key, len(self._numbers))
        return result


def _node_kind(node: Node) -> str:
    """Return the kind of a node, and of an op its operation."""
    return node.op if isinstance(node, OpNode) else type(node).__name__


def _content(node: Node) -> OpKey:
    """Return the kind of a node, with the operation of an op or the value of a constant."""
    return (_node_kind(node), _exact_text(node) if isinstance(node, Constant) else "")


def _exact_text(node: Leaf | Constant) -> str:
    """Return an exact text of a value: all digits, the sign of zero, nan as nan."""
    return plain(node.value)
