"""Runs a graph as array operations, one for all nodes of the same level and kind.

Forward, a group of sums is `value[m] = Σ value[p] · value[q]`; any other group is one array
function. Then all local derivatives are computed. Backward, each level collects `grad[m] = Σ
grad[target] · value[local]`, where the local derivative of a product is its other factor. Where the
indices are evenly spaced, such a sum is one product of views (see `views`); otherwise it is two
gathers, a multiplication and a weighted count (see `gathers`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy

from engine.compiled.arrays import Array, ArrayRule, array_op
from engine.compiled.gathers import Gathers
from engine.compiled.places import FIRST, ONE, REGULAR, SUMS, Batch, number
from engine.compiled.terms import Ints, Terms
from engine.compiled.views import Call, Pattern, pattern
from engine.generated.tape import Tape
from engine.ops import OPS


class Levels:
    """The array program of a tape for some wanted leaves."""

    def __init__(
        self, tape: Tape, terms: Terms, wanted: Sequence[int], others: Sequence[int]
    ) -> None:
        plan = _Plan(tape, terms, wanted, others)
        self._prelude, self._calls = plan.prelude, plan.calls
        first, end = FIRST + len(wanted), FIRST + len(wanted) + len(others)
        self._numbers = plan.numbers
        self._wanted, self._others = plan.numbers[FIRST:first], plan.numbers[first:end]
        self._grads = plan.numbers[plan.first_grad : plan.first_grad + len(wanted)]
        self._rest: Sequence[float] | None = None
        self._root = int(plan.places.value[tape.root])

    def __len__(self) -> int:
        """Return the number of calls per run."""
        return len(self._calls)

    def run(self, values: Sequence[float] | Array, rest: Sequence[float]) -> tuple[float, Array]:
        """Return the root's value and the wanted gradients; `rest` are the other leaves' values."""
        if rest is not self._rest:
            self._rest = rest
            self._others[:] = rest
            _run(self._prelude)
        self._wanted[:] = values
        _run(self._calls)
        return float(self._numbers[self._root]), self._grads.copy()


def _run(calls: list[Call]) -> None:
    with numpy.errstate(all="ignore"):
        for call, arguments in calls:
            call(*arguments)


class _Edges(NamedTuple):
    """Contributions as columns.

    Each has the level and the gradient it goes to, the gradient and the local derivative it
    multiplies, and a key shared by those that may form an even pattern.
    """

    level: Ints
    dest: Ints
    target: Ints
    local: Ints
    alike: Ints

    def runs(self, column: Ints) -> Iterator[_Edges]:
        """Split into pieces in which a column is constant."""
        bounds = [0, *(numpy.flatnonzero(numpy.diff(column)) + 1).tolist(), len(column)]
        for start, stop in pairwise(bounds):
            yield _Edges(*(values[start:stop] for values in self))


class _Plan:
    """Plans the array of a program's numbers and the calls that fill it.

    The array holds 1 and −1, then the values, the local derivatives and the gradients. `prelude`
    computes what depends on no wanted leaf, `calls` everything else.
    """

    def __init__(
        self, tape: Tape, terms: Terms, wanted: Sequence[int], others: Sequence[int]
    ) -> None:
        self.terms = terms
        self.places = number(self.terms, wanted, others)
        self.functions = self._functions()
        nodes = self.places.nodes
        first_slope = FIRST + len(nodes)
        self.slopes = self._place_slopes(first_slope)
        self.first_grad = max([first_slope, *(slopes.stop for slopes in self.slopes.values())])
        self.grad = self.places.grad + self.first_grad
        self.numbers = numpy.zeros(self.first_grad + int(self.places.grad.max(initial=0)) + 1)
        self.numbers[:FIRST] = 1.0, -1.0
        self.numbers[FIRST:first_slope] = numpy.array(tape.start)[nodes]
        self.numbers[self.grad[tape.root]] = 1.0
        self.gathers = Gathers(self.numbers, 4 * len(self.terms.owner) + 6 * len(tape))
        self.prelude: list[Call] = []
        self.calls: list[Call] = []
        self._plan_values()
        self._plan_slopes()
        self._plan_grads()

    def _functions(self) -> dict[int, slice]:
        """Return the value slices of each operation's nodes  without sums, that need a gradient."""
        found: dict[int, slice] = {}
        for group in self.places.groups:
            if group.kind != SUMS and group.wanted:
                start = found[group.kind].start if group.kind in found else group.start
                found[group.kind] = slice(start, group.stop)
        return found

    def _nodes(self, values: slice) -> Ints:
        """Return the tape places whose values are at a slice."""
        return self.places.nodes[values.start - FIRST : values.stop - FIRST]

    def _place_slopes(self, start: int) -> dict[tuple[int, int], slice]:
        """Return the slices of the local derivatives that are needed, by operation and slot."""
        found: dict[tuple[int, int], slice] = {}
        for kind, values in self.functions.items():
            count = values.stop - values.start
            for slot in range(len(OPS[kind].slots)):
                if self.terms.wants[self.terms.inputs[slot][self._nodes(values)]].any():
                    found[kind, slot] = slice(start, start + count)
                    start += count
        return found

    def _plan_values(self) -> None:
        """Plan the values level by level, the irregular sums of a level together."""
        value, terms = self.places.value, self.terms
        order = numpy.argsort(value[terms.owner], kind="stable")
        self.owner, self.p, self.q = (
            value[column[order]] for column in (terms.owner, terms.p, terms.q)
        )
        by_level = sorted(self.places.groups, key=lambda group: (group.level, group.wanted))
        for group in by_level:
            calls = self.calls if group.wanted else self.prelude
            values = slice(group.start, group.stop)
            if group.kind == SUMS:
                calls += self._sums(group, values)
            else:
                rule = array_op(OPS[group.kind]).forward
                calls += self._apply(rule, group.kind, values, self.numbers[values])

    def _sums(self, group: Batch, values: slice) -> list[Call]:
        """Return the calls for a group of sums."""
        start, stop = numpy.searchsorted(self.owner, (values.start, values.stop))
        p, q = self.p[start:stop], self.q[start:stop]
        if group.products >= 0 and (calls := self._even_sums(group, values, p, q)):
            return calls
        rows = self.owner[start:stop] - values.start
        return self.gathers.total(self.numbers[values], rows, p, q)

    def _even_sums(self, group: Batch, values: slice, p: Ints, q: Ints) -> list[Call]:
        """Return the calls for a group of sums with an even pattern, or [] without a pattern."""
        into = numpy.arange(int(values.start), int(values.stop))
        calls: list[Call] = []
        for count, chosen in ((group.products, q >= FIRST), (group.plain, q < FIRST)):
            if count:
                a, b = (column[chosen].reshape(-1, count).T for column in (p, q))
                found = pattern(self.numbers, into, a, b, plain=bool((b == ONE).all()))
                if found is None:
                    return []
                calls += found.calls(add=bool(calls))
        return calls

    def _apply(self, rule: ArrayRule, kind: int, values: slice, into: Array) -> list[Call]:
        """Return the calls for a rule of the nodes whose values are at a slice."""
        calls: list[Call] = []
        arrays: list[Array] = []
        for spare, slot in enumerate(rule.reads):
            if slot == len(OPS[kind].slots):
                arrays.append(self.numbers[values])
                continue
            places = self.places.value[self.terms.inputs[slot][self._nodes(values)]]
            gather, array = self.gathers.read(places, spare)
            calls += gather
            arrays.append(array)
        return [*calls, (rule.compute, (*arrays, into))]

    def _plan_slopes(self) -> None:
        """Plan the local derivatives of each operation, all levels at once."""
        for (kind, slot), slopes in self.slopes.items():
            rule = array_op(OPS[kind]).slopes[slot]
            self.calls += self._apply(rule, kind, self.functions[kind], self.numbers[slopes])

    def _plan_grads(self) -> None:
        """Plan the gradients from the highest level down, irregular contributions together."""
        edges = self._edges()
        for level in edges.runs(edges.level) if len(edges.level) else ():
            patterns: list[Pattern] = []
            rest: list[_Edges] = []
            for alike in level.runs(level.alike):
                found = self._even_pull(alike)
                if found is None:
                    rest.append(alike)
                else:
                    patterns.append(found)
            start, stop = int(level.dest.min()), int(level.dest.max()) + 1
            self.calls += self._pull(slice(start, stop), patterns, rest)

    def _edges(self) -> _Edges:
        """Return all contributions, those to the highest level first."""
        terms, value, grad = self.terms, self.places.value, self.grad
        found: list[tuple[Ints, Ints, Ints, Ints]] = [
            (terms.p, terms.owner, value[terms.q], numpy.where(terms.q < 0, 2, 0)),
            (terms.q, terms.owner, value[terms.p], numpy.ones_like(terms.q)),
        ]
        for (kind, slot), slopes in self.slopes.items():
            nodes = self._nodes(self.functions[kind])
            local = numpy.arange(int(slopes.start), int(slopes.stop))
            inputs = self.terms.inputs[slot][nodes]
            found.append((inputs, nodes, local, numpy.full(len(nodes), slot)))
        dest, target, local, role = (numpy.concatenate(part) for part in zip(*found, strict=True))
        sent = (dest >= 0) & terms.wants[dest]
        dest, target, local, role = dest[sent], target[sent], local[sent], role[sent]
        span = len(self.places.groups) + 1
        alike = (role * span + self.places.group[target] + 1) * span + self.places.group[dest] + 1
        order = numpy.lexsort((grad[target], grad[dest], alike, -terms.level[dest]))
        edges = _Edges(terms.level[dest], grad[dest], grad[target], local, alike)
        return _Edges(*(column[order] for column in edges))

    def _even_pull(self, edges: _Edges) -> Pattern | None:
        """Return the even pattern of some contributions, or None."""
        count = int((edges.dest == edges.dest[0]).sum())
        if len(edges.dest) < REGULAR or len(edges.dest) % count:
            return None
        columns = (edges.dest, edges.target, edges.local)
        dest, target, local = (column.reshape(-1, count).T for column in columns)
        if (dest != dest[0]).any():
            return None
        plain = bool((local == ONE).all())
        return pattern(self.numbers, dest[0], target, local, plain)

    def _pull(self, grads: slice, patterns: list[Pattern], rest: list[_Edges]) -> list[Call]:
        """Return the calls for the gradients of one level."""
        calls: list[Call] = []
        into = self.numbers[grads]
        written = numpy.full(len(into), bool(rest))
        if rest:
            joined = _Edges(*(numpy.concatenate(column) for column in zip(*rest, strict=True)))
            order = numpy.argsort(joined.dest, kind="stable")
            dest, target, local = (
                column[order] for column in (joined.dest, joined.target, joined.local)
            )
            calls += self.gathers.total(into, dest - grads.start, target, local)
        for one in patterns:
            dest = one.into - grads.start
            if written[dest].any() and not written[dest].all():
                calls.insert(0, (into.fill, (0.0,)))
                written[:] = True
            calls += one.calls(add=bool(written[dest[0]]))
            written[dest] = True
        return calls
