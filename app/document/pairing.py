"""Pairing: which node of the sheet each node of a typed graph stands for.

By name first. Then by content: pieces of formulas that read the same, the largest first. Then by
surroundings: what was changed in place, by what it feeds and by what feeds it.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence

from engine.graph import Constant, Graph, Leaf, Node, OpNode

Key = tuple[Hashable, ...]
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
            elsewhere = isinstance(self._new.nodes[node], Leaf) and (borrow or not op)
            if found in self._reached or elsewhere:
                self._pair(node, found)

    def _by_content(self) -> None:
        """Pair pieces of formulas that read the same, the largest first."""
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
        """The old ops without a partner by what they read; the last of each is taken first."""
        elsewhere = (n for n in self._old.structure.whole_order if n not in self._reached)
        result: dict[int, list[int]] = {}
        for found in (*elsewhere, *self._inside):
            if found not in self._taken and isinstance(self._old.nodes[found], OpNode):
                result.setdefault(keys[found], []).append(found)
        return result

    def _may_share(self, node: int, found: int) -> bool:
        """Whether a piece that reads the same is meant; one of another sketch only by its name."""
        mine = found in self._reached or not self._inside
        return mine or self._old.names[found] == self._new.label(node)

    def _pair_inputs(self, pair: Pair, old: Mapping[int, int], new: Mapping[int, int]) -> None:
        """Pair what feeds a pair, as far down as it reads the same."""
        stack = [pair]
        while stack:
            for one, other in self._slots(*stack.pop()):
                if one not in self.pairs and old[other] == new[one] and self._free(one, other):
                    self._pair(one, other)
                    stack.append((one, other))

    def _by_surroundings(self) -> None:
        """Pair what was changed in place: by what it feeds, then by what feeds it."""
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
        """What is plugged into both Roots, if neither has a partner."""
        one, other = self._new.root, self._old.root
        if one is None or other is None or one in self.pairs or other in self._taken:
            return None
        return one, other

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
        """An op whose inputs are partly those of an old one of its kind, the most alike first."""
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
        """The old ops without a partner by each of their inputs: source, slot and operation."""
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
        """Another operation at the same place, fed by the same."""
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
        """What feeds both, slot by slot."""
        inputs = zip(self._new.inputs(node), self._old.inputs(found), strict=False)
        return [(a, b) for a, b in inputs if a is not None and b is not None]

    def _free(self, one: int, other: int) -> bool:
        """Whether the old node can stand for the new one; a constant can for several."""
        typed, there = self._new.nodes[one], self._old.nodes[other]
        if isinstance(typed, Constant) and isinstance(there, Constant):
            return other not in self._taken or _spelled(typed) == _spelled(there)
        return other not in self._taken

    def _pair(self, one: int, other: int) -> None:
        self.pairs[one] = other
        self._taken.add(other)


def typed_order(graph: Graph) -> tuple[int, ...]:
    """The nodes of a typed graph, inputs first, those that its root does not need last."""
    assert graph.root is not None
    order = graph.plan(graph.root).order
    rest = graph.structure.whole_order
    met = {*order, *graph.roots()}
    return (*order, *(n for n in rest if n not in met))


class _Keys:
    """Numbers for pieces of formulas: two that read the same have the same number."""

    def __init__(self) -> None:
        self._numbers: dict[Key, int] = {}

    def of(self, graph: Graph, order: Sequence[int], known: Mapping[int, int]) -> dict[int, int]:
        """The number of each node; the `known` ones count as the old node they stand for."""
        result: dict[int, int] = {}
        for node in order:
            found = graph.nodes[node]
            if node in known:
                key: Key = ("known", known[node])
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
    """The kind of a node, and of an op which one."""
    return node.op if isinstance(node, OpNode) else type(node).__name__


def _spelled(node: Leaf | Constant) -> str:
    """The value as it tells itself from others: by every digit, by the sign of zero, nan as nan."""
    return "nan" if math.isnan(node.value) else repr(node.value)
