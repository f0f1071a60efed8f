"""Runs a graph over many samples at once, each number an array over the samples.

The terms of `terms` are used again, so that the sums of a layer of neurons are one product of
matrices. Gradients of leaves that all samples share are summed over the samples, as a loss over all
of them has them.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy

from engine.compiled.arrays import Array
from engine.compiled.samples import Columns, FunctionGroup, Index, Numbers, SumGroup, as_index
from engine.compiled.terms import MINUS_ONE, ONE, Bools, Ints, Terms
from engine.generated.tape import Tape
from engine.ops import OPS

_FIRST = 2
"""Shared numbers begin with 1 and −1."""


class Batches:
    """The program of a tape over samples; `varying` leaves have a value for each sample."""

    def __init__(
        self, tape: Tape, terms: Terms, wanted: Sequence[int], varying: Sequence[int]
    ) -> None:
        plan = _Plan(tape, terms, wanted, varying)
        self._groups = plan.groups
        self._shared, self._rows = plan.shared, plan.rows
        self._start, self._count = plan.start, plan.count
        self._root = tape.root

    def place(self, leaves: Sequence[int]) -> Index:
        """Return where the leaves of these places are: their rows, or their shared numbers."""
        places = numpy.array(leaves, numpy.intp)
        rows = self._rows[places]
        return as_index(numpy.where(rows >= 0, rows, self._shared[places]))

    def forward(self, samples: int, given: Sequence[tuple[Index, Array]]) -> Numbers:
        """Compute all values; `given` are places with the values of leaves.

        Values with two axes have a row for each sample.
        """
        numbers = Numbers.of(self._start.copy(), self._count, samples)
        for places, values in given:
            if values.ndim == 2:
                numbers.rows[places] = values.T
            else:
                numbers.shared[places] = values
        with numpy.errstate(all="ignore"):
            for group in self._groups:
                group.forward(numbers)
        return numbers

    def backward(self, numbers: Numbers) -> None:
        """Compute all gradients; that of the root is 1 for each sample."""
        row = self._rows[self._root]
        if row < 0:
            numbers.shared_grads[self._shared[self._root]] = numbers.grads.shape[1]
            return
        numbers.grads[row] = 1.0
        with numpy.errstate(all="ignore"):
            for group in reversed(self._groups):
                group.backward(numbers)

    def root(self, numbers: Numbers) -> Array:
        """Return the root's value for each sample."""
        row = self._rows[self._root]
        if row >= 0:
            return numbers.rows[row].copy()
        same = numpy.empty(numbers.rows.shape[1])
        same[:] = numbers.shared[self._shared[self._root]]
        return same


class _Plan:
    """Gives every node a row or a shared number, and groups the nodes."""

    def __init__(
        self, tape: Tape, terms: Terms, wanted: Sequence[int], varying: Sequence[int]
    ) -> None:
        self._tape, self._terms = tape, terms
        size = len(tape)
        is_leaf = terms.codes < 0
        is_row = terms.kept & ~is_leaf
        is_row[list(varying)] = True
        self.shared = numpy.full(size + _FIRST, -1)
        self.shared[:size][is_leaf & ~is_row] = _FIRST + numpy.arange(
            int((is_leaf & ~is_row).sum())
        )
        self.shared[[ONE, MINUS_ONE]] = 0, 1  # negative places count from the end
        self.start = numpy.array([1.0, -1.0, *numpy.array(tape.start)[is_leaf & ~is_row]])
        members = self._members(numpy.flatnonzero(is_row & ~is_leaf), is_row)
        self.rows = numpy.full(size + _FIRST, -1)
        order = [*varying, *(place for group in members for place in group)]
        self.rows[order] = numpy.arange(len(order))
        self.count = len(order)
        wants = terms.wants.copy()
        self._wanted = (self._marks(self.rows, wants), self._marks(self.shared, wants))
        self.groups = [self._group(numpy.array(group)) for group in members]

    def _marks(self, numbers: Ints, wants: Bools) -> Bools:
        """Return for each row or shared number whether it needs a gradient."""
        found = numpy.zeros(max(int(numbers.max(initial=0)) + 1, _FIRST), numpy.bool_)
        places = numpy.flatnonzero(numbers[: len(wants)] >= 0)
        found[numbers[places]] = wants[places]
        return found

    def _members(self, places: Ints, is_row: Bools) -> list[list[int]]:
        """Return the groups as places, in the order of their levels."""
        terms = self._terms
        found: dict[tuple[int, Hashable], list[int]] = {}
        sources = self._sources(is_row)
        for place in places.tolist():
            if terms.sums[place]:
                key: Hashable = frozenset(sources.get(place, ()))
            else:
                inputs = self._tape.inputs(place)
                key = (int(terms.codes[place]), *(bool(is_row[source]) for source in inputs))
            found.setdefault((int(terms.level[place]), key), []).append(place)
        return [found[key] for key in sorted(found, key=lambda key: key[0])]

    def _sources(self, is_row: Bools) -> dict[int, list[int]]:
        """Return for each sum the places of the rows that it multiplies by shared numbers."""
        varies = numpy.concatenate([is_row, [False, False]])
        found: dict[int, list[int]] = {}
        for owner, p, q in zip(*self._columns(), strict=True):
            if varies[p] != varies[q]:
                found.setdefault(owner, []).append(p if varies[p] else q)
        return found

    def _columns(self) -> tuple[list[int], list[int], list[int]]:
        terms = self._terms
        return terms.owner.tolist(), terms.p.tolist(), terms.q.tolist()

    def _group(self, members: Ints) -> SumGroup | FunctionGroup:
        first = int(self.rows[members[0]])
        rows = slice(first, first + len(members))
        if self._terms.sums[members[0]]:
            return self._sum_group(members, rows)
        slots: list[tuple[bool, Ints]] = []
        op = OPS[int(self._terms.codes[members[0]])]
        for column in self._terms.inputs[: len(op.slots)]:
            sources = column[members]
            is_row = bool(self.rows[sources[0]] >= 0)
            slots.append((is_row, (self.rows if is_row else self.shared)[sources]))
        return FunctionGroup(op, rows, slots, self._wanted)

    def _sum_group(self, members: Ints, rows: slice) -> SumGroup:
        terms = self._terms
        local = numpy.full(len(self._tape), -1)
        local[members] = numpy.arange(len(members))
        at = numpy.flatnonzero(local[terms.owner] >= 0)
        owner, p, q = local[terms.owner[at]], terms.p[at], terms.q[at]
        swap = self.rows[p] >= 0  # a row comes second
        p, q = numpy.where(swap, q, p), numpy.where(swap, p, q)
        both, none = self.rows[p] >= 0, self.rows[q] < 0
        one = ~both & ~none
        linear = Columns(owner[one], self.shared[p[one]], self.rows[q[one]])
        products = Columns(owner[both], self.rows[p[both]], self.rows[q[both]])
        constants = Columns(owner[none], self.shared[p[none]], self.shared[q[none]])
        return SumGroup(rows, linear, products, constants, self._wanted)
