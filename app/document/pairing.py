"""Pairing: finds the node of the sheet that each node of a typed graph stands for.

First by name. Then by content: equal sub-expressions, the largest first. Then by surroundings:
nodes changed in place, by the nodes they feed and the nodes that feed them.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from engine.graph import Constant, Graph, Leaf, Node, OpNode
from engine.numbers import plain

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
