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

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping

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
    pairs = match(old, new)
    ids, next_id = _ids(old, new, pairs)
    typed = {ids[node]: _node(old, new, node, ids, given) for node in typed_order(new)}
    unset = [n for n in new.leaves if n not in pairs and new.label(n) not in given]
    removed = formula_nodes(old) - typed.keys() - _needed_elsewhere(old)
    nodes: dict[int, Node] = {n: found for n, found in old.nodes.items() if n not in removed}
    nodes |= typed
    marker = old.active_root  # the Root that marks the formula
    if marker is None:
        marker, next_id = next_id, next_id + 1
    nodes[marker] = Root(ids[new.root])
    graph = Graph({n: nodes[n] for n in sorted(nodes)}, marker, next_id, old.operations)
    return Merge(graph, tuple(sorted(ids[leaf] for leaf in unset)))


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
    kept = [
        (source, node)
        for node, partner in pairs.items()
        if partner in formula
        for source in new.inputs(node)
        if source is not None and source in pairs and pairs[source] in old.inputs(partner)
    ]
    parts = {source for source, _node in kept}
    for source, node in kept:
        found, before = new.nodes[source], old.nodes[pairs[source]]
        if isinstance(found, Leaf) and new.names[source] == old.names[pairs[source]]:
            return True
        if isinstance(found, Constant) and node in parts and _content(found) == _content(before):
            return True
    return False


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


def _node(
    old: Graph, new: Graph, node: int, ids: Mapping[int, int], given: Collection[str]
) -> Node:
    """Return a typed node for the sheet, with the label of its partner if that is its name.

    A leaf without a `given` value has that of its partner.
    """
    typed, partner = new.nodes[node], old.nodes.get(ids[node])
    label = new.label(node)
    name = old.names.get(ids[node])
    # a formula shows the names of operations: one that it has no longer was taken out
    shown = isinstance(partner, OpNode) and partner.label == name and ids[node] != old.root
    if partner is not None and (label == name or (not label and not shown)):
        label = old.label(ids[node])
    elif label == automatic_name(ids[node]):
        label = ""
    if isinstance(typed, OpNode):
        inputs = [None if s is None else ids[s] for s in typed.inputs]
        return OpNode(typed.op, tuple(inputs), label)
    assert isinstance(typed, Leaf | Constant)
    if isinstance(typed, Leaf) and isinstance(partner, Leaf) and typed.label not in given:
        typed = partner
    return msgspec.structs.replace(typed, label=label)


Key = tuple[Hashable, ...]
"""The content of a node, with the numbers of its inputs if it is an operation."""
Accepts = Callable[[int, int], bool]
"""Whether a typed node and an old one in the same slot may be paired."""


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
        leaves = (n for n in self._old.leaves if n not in self._old_formula)
        named = (*self._old_order, *leaves)
        names = {(type(self._old.nodes[n]), self._old.names[n]): n for n in named}
        # of several with one label the first of the formula
        labels = {(type(self._old.nodes[n]), self._old.label(n)): n for n in reversed(named)}
        for known in (names, labels):
            for node in self._order:
                label = self._new.label(node)
                old_node = known.get((type(self._new.nodes[node]), label)) if label else None
                if old_node is not None and self._is_free(node, old_node):
                    self._pair(node, old_node)

    def _by_content(self) -> None:
        """Pair equal sub-expressions, the largest first."""
        numbers: dict[Key, int] = {}
        old_order = self._old.structure.topological_order
        old_keys = _content_keys(self._old, old_order, {n: n for n in self._paired_old}, numbers)
        new_keys = _content_keys(self._new, self._order, self.pairs, numbers)

        def equal(node: int, old_node: int) -> bool:
            return new_keys[node] == old_keys[old_node]

        # at the same place first, then anywhere
        self._pair_slots(equal)
        candidates: dict[int, list[int]] = {}
        outside = (n for n in old_order if n not in self._old_formula)
        for old_node in (*outside, *self._old_order):  # those of the formula are taken first
            if isinstance(self._old.nodes[old_node], OpNode):
                candidates.setdefault(old_keys[old_node], []).append(old_node)
        for node in self._outputs_first:
            known = candidates.get(new_keys[node], [])
            while known and known[-1] in self._paired_old:
                known.pop()
            if known and node not in self.pairs and self._may_share(node, known[-1]):
                self._pair(node, known[-1])
            self._pair_inputs(node, equal)

    def _may_share(self, node: int, old_node: int) -> bool:
        """Return whether equal sub-expressions may be paired.

        In the formula, anywhere on a sheet that has none, and elsewhere if named alike.
        """
        in_formula = old_node in self._old_formula or not self._old_order
        return in_formula or self._old.names[old_node] == self._new.label(node)

    def _by_surroundings(self) -> None:
        """Pair nodes changed in place, by the slots they feed and by inputs, while any is found."""
        while (
            self._pair_slots(self._same_kind)
            or self._pair_by_inputs()
            or self._pair_slots(self._same_inputs)
        ):
            pass

    def _same_kind(self, node: int, old_node: int) -> bool:
        typed = self._new.nodes[node]
        is_leaf = isinstance(typed, Leaf)  # see `_pair_renamed_leaves`
        return not is_leaf and _kind(typed) == _kind(self._old.nodes[old_node])

    def _same_inputs(self, node: int, old_node: int) -> bool:
        """Return whether two operations have a pair in the same slot."""
        return any(self.pairs.get(a) == b for a, b in self._paired_slots(node, old_node))

    def _pair_slots(self, accepts: Accepts) -> bool:
        """Pair the roots, and the inputs of pairs slot by slot; returns whether any was paired."""
        before = len(self.pairs)
        if self._new.root is not None and self._old.root is not None:
            self._pair_if(self._new.root, self._old.root, accepts)
        for node in self._outputs_first:  # so the inputs of what is paired here come later
            self._pair_inputs(node, accepts)
        return len(self.pairs) > before

    def _pair_inputs(self, node: int, accepts: Accepts) -> None:
        """Pair the inputs of a node with those of its partner, if it has one."""
        if node in self.pairs:
            for slot in self._paired_slots(node, self.pairs[node]):
                self._pair_if(*slot, accepts)

    def _pair_by_inputs(self) -> bool:
        """Pair ops with old ones of the same operation that share inputs, the most shared first."""
        before = len(self.pairs)
        for node in self._order:
            shared: Counter[int] = Counter(
                target
                for slot, source in enumerate(self._new.inputs(node))
                if source is not None and source in self.pairs
                for target, old_slot in self._old.outgoing[self.pairs[source]]
                if slot == old_slot and target in self._old_formula
                if self._is_free(node, target) and self._same_kind(node, target)
            )
            for old_node, _count in shared.most_common(1):
                self._pair(node, old_node)
        return len(self.pairs) > before

    def _pair_renamed_leaves(self) -> None:
        """Pair leaves slot by slot if the formulas are the same but for names of leaves."""
        places, old_places = _places(self._new), _places(self._old)
        if list(places.values()) != list(old_places.values()):
            return
        for node, old_node in zip(places, old_places, strict=True):
            is_leaf = isinstance(self._new.nodes[node], Leaf)
            if is_leaf and old_node not in self._kept and self._is_free(node, old_node):
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

    def _paired_slots(self, node: int, old_node: int) -> list[tuple[int, int]]:
        """Return the inputs of both nodes, slot by slot."""
        inputs = zip(self._new.inputs(node), self._old.inputs(old_node), strict=False)
        return [(a, b) for a, b in inputs if a is not None and b is not None]

    def _pair_if(self, node: int, old_node: int, accepts: Accepts) -> None:
        if self._is_free(node, old_node) and accepts(node, old_node):
            self._pair(node, old_node)

    def _is_free(self, node: int, old_node: int) -> bool:
        """Return whether two nodes may be paired: a constant several times, with one value."""
        typed, old = self._new.nodes[node], self._old.nodes[old_node]
        first = self._paired_old.get(old_node)
        if node in self.pairs or not (isinstance(typed, Constant) and isinstance(old, Constant)):
            return node not in self.pairs and first is None
        known = old if first is None else self._new.nodes[first]
        return (first is None and old_node not in self._kept) or _content(typed) == _content(known)

    def _pair(self, node: int, old_node: int) -> None:
        self.pairs[node] = old_node
        self._paired_old.setdefault(old_node, node)


def _content_keys(
    graph: Graph, order: Iterable[int], known: Mapping[int, int], numbers: dict[Key, int]
) -> dict[int, int]:
    """Return a number for the sub-expression of each node; equal ones have the same number.

    `known` has the partners of nodes already paired, `numbers` those given so far, of both graphs.
    """
    found: dict[int, int] = {}
    for node in order:
        content = graph.nodes[node]
        inputs = (-1 if s is None else found[s] for s in content.inputs)
        key: Key = (*_content(content), *inputs)
        if node in known:
            key = ("known", known[node])
        elif isinstance(content, Leaf):
            key = ("alone", id(graph), node)  # a leaf is equal to no other node
        found[node] = numbers.setdefault(key, len(numbers))
    return found


def _places(graph: Graph) -> dict[int, Key]:
    """Return the content of the formula's leaves and operations, with the places of their inputs.

    Of two formulas that differ only in names, these are the same, one after the other.
    """
    assert graph.root is not None
    places: dict[int, int] = {}
    found: dict[int, Key] = {}
    for node in graph.plan(graph.root).order:
        content = graph.nodes[node]
        if not isinstance(content, Constant):  # one may stand for several equal ones
            inputs = (
                s if s is None else places.get(s, _content(graph.nodes[s])) for s in content.inputs
            )
            places[node] = len(places)
            found[node] = (*_content(content), *inputs)
    return found


def _kind(node: Node) -> str:
    """Return the kind of a node, and of an op its operation."""
    return node.op if isinstance(node, OpNode) else type(node).__name__


def _content(node: Node) -> Key:
    """Return the kind of a node, and of a constant its exact text: the sign of zero, nan as nan."""
    return (_kind(node), plain(node.value) if isinstance(node, Constant) else "")
