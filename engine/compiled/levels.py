"""Levels: a large graph as a few array operations, one for all nodes of the same level and kind.

A node's level is one more than the highest level of its inputs. Nodes of one level are independent
of each other, so NumPy can compute all of the same operation at once: a network over a hundred
samples, a graph of 65,000 operations, takes some sixty calls. Three ideas keep their number small:

1. *Sums of products.* Most nodes are sums, differences, products and squares. A sum absorbs the
   sums and products below it that have no other use; all of these become one kind of node,
   Σ ± p · q. The weighted sum of a neuron, `w1*x1 + w2*x2 + b`, is one node: w1·x1 + w2·x2 + b·1.
2. *The backward pass has the same form.* Forward, value[m] = Σ value[p] · value[q]; backward,
   grad[m] = Σ grad[target] · local, over the wires from node m. The local derivative of a product
   is its other factor, which is in the array already; those of functions are computed by one call
   for each operation and slot, all levels together.
3. *Strided patterns.* Graphs built by loops are regular. If the nodes of one operation and level
   are numbered consecutively, the index of the k-th input of the m-th node has constant strides
   along a few axes. Then all these sums are one product of matrices, which are strided views of the
   array. Irregular indices take a gather, a multiplication and a weighted count.

All numbers are in one array: 1 and −1, the values, the local derivatives, the gradients. The file
goes from the graph to `Terms` (idea 1), to `_Indices` (the index of each number), to the calls of
`_Planner` (idea 2), which uses `_Pattern` (idea 3) or else `_Gathers`. A layer of twenty neurons
with eight inputs, written as 380 operations of scalars:

>>> from engine import Program, Value
>>> inputs, weights = [Value(k / 4) for k in range(8)], [Value(k / 100) for k in range(160)]
>>> rows = [weights[k : k + 8] for k in range(0, 160, 8)]
>>> neurons = [sum(w * x for w, x in zip(row, inputs)).relu() for row in rows]
>>> program = Program(sum(n * n for n in neurons), weights, tier="levels")
>>> len(program._levels)  # the first is the product of weights and inputs, the last its gradient
13
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy
from msgspec import Struct
from numpy.typing import NDArray

from engine.compiled.arrays import Array, ArrayRule, array_op
from engine.ops import OPS
from engine.tape import CODES, CONSTANT, Tape

Ints = NDArray[numpy.intp]
Bools = NDArray[numpy.bool_]
Columns = tuple[Ints, Ints, Ints]
"""For each place of a tape its inputs in the first, second and third slot; −1 for none."""

Call = tuple[Callable[..., object], tuple[Any, ...]]
"""One step of a compiled program: a NumPy function and its arguments, views of the array."""

ONE, MINUS_ONE, FIRST = 0, 1, 2
"""Indices in the array of all numbers: of the constants 1 and −1, and of the first value."""

AT_ONE, AT_MINUS_ONE = -1, -2
"""Stand for the constants 1 and −1 where a place of the tape is expected."""

SUMS = -1
"""The kind of a sum of products; the kind of any other operation is its code."""

MIN_PATTERN_TERMS = 64
"""Fewer terms are gathered: the search for a pattern would take longer than it saves."""

MAX_AXES = 3
"""Maximum number of axes of a pattern, besides the terms of a sum."""

ADD, SUB, MUL, NEG, SQUARE = (CODES[op] for op in ("add", "sub", "mul", "neg", "square"))


class Levels:
    """The array program of a tape: the root's value, and its gradient by the wanted leaves."""

    def __init__(
        self, tape: Tape, terms: Terms, wanted: Sequence[int], others: Sequence[int]
    ) -> None:
        planner = _Planner(tape, terms, wanted, others)
        self._prelude, self._calls = planner.prelude, planner.calls
        # the values begin with those of the wanted leaves, then of the others
        first, end = FIRST + len(wanted), FIRST + len(wanted) + len(others)
        self._numbers = planner.numbers
        self._wanted, self._others = planner.numbers[FIRST:first], planner.numbers[first:end]
        self._grads = planner.numbers[planner.first_grad : planner.first_grad + len(wanted)]
        self._last_others: Sequence[float] | None = None
        self._root = int(planner.indices.value[tape.root])

    def __len__(self) -> int:
        """Return the number of calls per run."""
        return len(self._calls)

    def run(self, values: Sequence[float] | Array, others: Sequence[float]) -> tuple[float, Array]:
        """Return the root's value and the wanted gradients, from the values of all leaves."""
        # the caller passes the same list again as long as no other leaf has changed; then the
        # results of the prelude are still valid
        if others is not self._last_others:
            self._last_others = others
            self._others[:] = others
            _run(self._prelude)
        self._wanted[:] = values
        _run(self._calls)
        return float(self._numbers[self._root]), self._grads.copy()


def _run(calls: list[Call]) -> None:
    with numpy.errstate(all="ignore"):
        for call, arguments in calls:
            call(*arguments)


# Idea 1: the graph as sums of products and functions


class Terms(Struct, frozen=True):
    """A tape as sums of products and functions, by place.

    Product k is `p[k] · q[k]`, a term of the sum at place `owner[k]`. All three are places; the
    factor q may be AT_ONE or AT_MINUS_ONE. `stored` places have a number in the array, the others
    are absorbed as terms of a sum. `sums` are sums of products, `needs_grad` places depend on a
    wanted leaf.
    """

    codes: Ints
    inputs: Columns
    owner: Ints
    p: Ints
    q: Ints
    stored: Bools
    sums: Bools
    needs_grad: Bools
    level: Ints


def rewrite(tape: Tape, wanted: Sequence[int]) -> Terms:
    """Rewrite a tape as sums of products; gradients are needed for the wanted leaves."""
    codes, first, second, third = (
        numpy.array(column, numpy.intp)
        for column in (tape.codes, tape.first, tape.second, tape.third)
    )
    inputs = (first, second, third)
    sums = _has_code(codes, (ADD, SUB, MUL, NEG, SQUARE))
    absorbed = _absorbed(codes, inputs, sums, tape.root)
    parent = numpy.arange(len(tape))  # of an absorbed place the sum above it, else itself
    parent[absorbed] = _sum_above(codes, inputs)[absorbed]
    while (parent != parent[parent]).any():  # pointer jumping: halve the way to the topmost sum
        parent = parent[parent]
    owner, p, q = _products(codes, inputs, parent, absorbed)
    return Terms(
        codes=codes,
        inputs=inputs,
        owner=owner,
        p=p,
        q=q,
        stored=~absorbed,
        sums=sums,
        needs_grad=numpy.array(tape.depends_on(wanted)),
        level=_levels(tape, absorbed),
    )


def _absorbed(codes: Ints, inputs: Columns, sums: Bools, root: int) -> Bools:
    """Return which sums and products have a single use, as a term of a sum."""
    uses = numpy.bincount(numpy.concatenate([c[c >= 0] for c in inputs]), minlength=len(codes))
    absorbed = sums & (uses == 1) & (_sum_above(codes, inputs) >= 0)
    absorbed[root] = False
    return absorbed


def _sum_above(codes: Ints, inputs: Columns) -> Ints:
    """Return for each place a sum of which it is a term, or -1.

    The subtrahend of a difference is none: its sign would have to be distributed.
    """
    above = numpy.full(len(codes), -1)
    for slot, kinds in ((0, (ADD, SUB)), (1, (ADD,))):
        sums = numpy.flatnonzero(_has_code(codes, kinds))
        above[inputs[slot][sums]] = sums
    return above


def _products(
    codes: Ints, inputs: Columns, parent: Ints, absorbed: Bools
) -> tuple[Ints, Ints, Ints]:
    """Return owner and factors of each product, ordered by owner and then as on the tape.

    A term a of a sum is a · 1, of a difference b · −1; a square is a · a.
    """
    first, second, _third = inputs
    found: list[tuple[Ints, Ints, Ints]] = []

    def add(kinds: tuple[int, ...], p: Ints, q: Ints | int) -> None:
        places = numpy.flatnonzero(_has_code(codes, kinds))
        factor = numpy.full(len(places), q) if isinstance(q, int) else q[places]
        found.append((places, p[places], factor))

    add((ADD, SUB), first, AT_ONE)
    add((ADD,), second, AT_ONE)
    add((SUB,), second, AT_MINUS_ONE)
    add((NEG,), first, AT_MINUS_ONE)
    add((MUL,), first, second)
    add((SQUARE,), first, first)
    at, p, q = (numpy.concatenate(column) for column in zip(*found, strict=True))
    # an absorbed sum, as the term p · 1, is replaced by its own terms
    remains = (q >= 0) | (q == AT_MINUS_ONE) | ~absorbed[p]
    at, p, q = at[remains], p[remains], q[remains]
    order = numpy.lexsort((at, parent[at]))
    return parent[at][order], p[order], q[order]


def _levels(tape: Tape, absorbed: Bools) -> Ints:
    """Return each place's level; an absorbed place has the level of its highest input."""
    levels = [0] * (len(tape) + 1)  # index -1 stands for a missing input
    increments = (1 - absorbed).tolist()
    for _code, place, first, second, third in tape.steps:
        level, other = levels[first], levels[second]
        if other > level:
            level = other
        if third >= 0 and levels[third] > level:
            level = levels[third]
        levels[place] = level + increments[place]
    return numpy.array(levels[:-1])


def _has_code(codes: Ints, kinds: tuple[int, ...]) -> Bools:
    """Return for each place whether its operation is one of these."""
    chosen = numpy.zeros(len(OPS) - CONSTANT, numpy.bool_)  # negative codes count from the end
    chosen[list(kinds)] = True
    return chosen[codes]


# The index of each number in the array


class _Group(NamedTuple):
    """Nodes of one kind and level, with values at consecutive indices from `start` to `stop`.

    Sums in a group have the same number of products and of plain terms, encoded as `size`, so that
    they can form a pattern; in a group of size -1 these differ.
    """

    kind: int
    needs_grad: bool
    level: int
    size: int
    start: int
    stop: int


class _Indices(Struct, frozen=True):
    """The numbering of an array program, by place of the tape.

    `value` and `grad` are indices into the values and the gradients (-1: none), `group` is the
    number of a node's group (-1: leaves and constants); `nodes` are the places of the tape in the
    order of the values.
    """

    groups: list[_Group]
    nodes: Ints
    value: Ints
    grad: Ints
    group: Ints


def _assign_indices(terms: Terms, wanted: Sequence[int], others: Sequence[int]) -> _Indices:
    """Assign each stored node the index of its value, and of its gradient if it has one."""
    count = len(terms.codes)
    # sort the operations by kind, gradient, level and size: equal keys form a group
    ops = numpy.flatnonzero(terms.stored & (terms.codes >= 0))
    kind = numpy.where(terms.sums, SUMS, terms.codes)
    keys = numpy.stack([kind, terms.needs_grad, terms.level, _sum_sizes(terms)])[:, ops]
    order = numpy.lexsort(keys[::-1])
    ops, keys = ops[order], keys[:, order]
    # number the values: wanted leaves, other leaves, constants, then the groups of operations
    leaves = numpy.array([*wanted, *others], numpy.intp)
    constants = numpy.flatnonzero(terms.codes == CONSTANT)
    nodes = numpy.concatenate([leaves, constants, ops])
    value = numpy.full(count + 2, -1)  # the last two are read as AT_ONE and AT_MINUS_ONE
    value[nodes] = FIRST + numpy.arange(len(nodes))
    value[AT_ONE], value[AT_MINUS_ONE] = ONE, MINUS_ONE
    # a group starts where a key changes; no key is −9, so the first one always does
    starts = numpy.flatnonzero(numpy.diff(keys, prepend=-9).any(axis=0))
    stops = numpy.append(starts[1:], len(ops))[: len(starts)]
    group = numpy.full(count, -1)
    group[ops] = numpy.repeat(numpy.arange(len(starts)), stops - starts)
    first = FIRST + len(leaves) + len(constants)
    rows = [*keys[:, starts], first + starts, first + stops]
    groups = [_Group(*row) for row in zip(*(row.tolist() for row in rows), strict=True)]
    return _Indices(groups, nodes, value, _grads(terms, value), group)


def _sum_sizes(terms: Terms) -> Ints:
    """Return for each sum its counts of products and of plain terms, encoded as one number.

    It is -1 if all sums of this size on a level have fewer than MIN_PATTERN_TERMS terms.
    """
    count = len(terms.codes)
    plain = terms.q < 0  # a term ± p, without a second factor
    products, singles = (numpy.bincount(terms.owner[x], minlength=count) for x in (~plain, plain))
    size = products * (int(singles.max(initial=0)) + 1) + singles
    columns = numpy.stack([terms.needs_grad, terms.level, size])
    key = numpy.ravel_multi_index(list(columns), tuple(int(row.max()) + 1 for row in columns))
    _, number, members = numpy.unique(key, return_inverse=True, return_counts=True)
    few = (products + singles) * members[number] < MIN_PATTERN_TERMS
    return numpy.where(terms.sums & few, -1, size)


def _grads(terms: Terms, value: Ints) -> Ints:
    """Return the indices of the gradients: ordered by level, then like the values."""
    nodes = numpy.flatnonzero(terms.stored & terms.needs_grad)
    nodes = nodes[numpy.lexsort((value[nodes], terms.level[nodes]))]
    grad = numpy.full(len(terms.codes), -1)
    grad[nodes] = numpy.arange(len(nodes))
    return grad


# Idea 2: the calls that fill the array, forward and backward


class _Products(NamedTuple):
    """Products in a sum, as columns of array indices: number[into] = Σ number[a] · number[b].

    Products of the same `block` are computed by the same calls. Within a block, products with the
    same `alike` may form a strided pattern.
    """

    block: Ints
    alike: Ints
    into: Ints
    a: Ints
    b: Ints

    def runs(self, column: Ints) -> Iterator[_Products]:
        """Split where a column changes its value."""
        bounds = [0, *(numpy.flatnonzero(numpy.diff(column)) + 1).tolist(), len(column)]
        for start, stop in pairwise(bounds):
            if start < stop:
                yield _Products(*(values[start:stop] for values in self))


class _Planner:
    """Plans the array of a program's numbers and the calls that fill it.

    The array holds 1 and −1, then the values, the local derivatives and the gradients. `prelude`
    computes the values that depend on no wanted leaf, `calls` all other numbers.
    """

    def __init__(
        self, tape: Tape, terms: Terms, wanted: Sequence[int], others: Sequence[int]
    ) -> None:
        self.terms = terms
        self.indices = _assign_indices(self.terms, wanted, others)
        self.functions = self._functions()
        nodes = self.indices.nodes
        first_slope = FIRST + len(nodes)
        self.slopes = self._slope_slices(first_slope)
        self.first_grad = max([first_slope, *(slopes.stop for slopes in self.slopes.values())])
        self.grad = self.indices.grad + self.first_grad
        self.numbers = numpy.zeros(self.first_grad + int(self.indices.grad.max(initial=0)) + 1)
        self.numbers[:FIRST] = 1.0, -1.0
        self.numbers[FIRST:first_slope] = numpy.array(tape.start)[nodes]
        if terms.needs_grad[tape.root]:  # else it has no gradient: no leaf is wanted
            self.numbers[self.grad[tape.root]] = 1.0
        # a call gathers at most both factors of all contributions: two for each product, and one
        # for each of up to three slots of a function
        contributions = 2 * len(self.terms.owner) + 3 * len(tape)
        self.gathers = _Gathers(self.numbers, 2 * contributions)
        self.prelude: list[Call] = []
        self.calls: list[Call] = []
        self._plan_values()
        self._plan_slopes()
        self._plan_grads()

    def _functions(self) -> dict[int, slice]:
        """Return the value slices of each operation's nodes that need a gradient."""
        found: dict[int, slice] = {}
        for group in self.indices.groups:
            if group.kind != SUMS and group.needs_grad:
                start = found[group.kind].start if group.kind in found else group.start
                found[group.kind] = slice(start, group.stop)
        return found

    def _nodes(self, values: slice) -> Ints:
        """Return the places of the tape whose values are at a slice."""
        return self.indices.nodes[values.start - FIRST : values.stop - FIRST]

    def _slope_slices(self, start: int) -> dict[tuple[int, int], slice]:
        """Return the slices of the local derivatives that are needed, by operation and slot."""
        found: dict[tuple[int, int], slice] = {}
        for kind, values in self.functions.items():
            count = values.stop - values.start
            for slot in range(len(OPS[kind].slots)):
                if self.terms.needs_grad[self.terms.inputs[slot][self._nodes(values)]].any():
                    found[kind, slot] = slice(start, start + count)
                    start += count
        return found

    def _plan_values(self) -> None:
        """Plan the values level by level; those without a gradient are in the prelude."""
        terms, indices = self.terms, self.indices
        owner_group = indices.group[terms.owner]
        has_one_size = numpy.array([group.size >= 0 for group in indices.groups], numpy.bool_)
        # products and plain terms have patterns of their own
        plain = numpy.where(has_one_size[owner_group] & (terms.q < 0), 1, 0)
        into, a, b = (indices.value[column] for column in (terms.owner, terms.p, terms.q))
        # lexsort is stable: the terms of a sum keep the order of the tape
        order = numpy.lexsort((into, plain, owner_group))
        products = _Products(*(column[order] for column in (owner_group, plain, into, a, b)))
        sums = {int(part.block[0]): part for part in products.runs(products.block)}
        for number, group in sorted(enumerate(indices.groups), key=lambda item: item[1].level):
            calls = self.calls if group.needs_grad else self.prelude
            values = slice(group.start, group.stop)
            if group.kind == SUMS:
                calls += self._sum_calls(values, [sums[number]])
            else:
                rule = array_op(OPS[group.kind]).forward
                calls += self._apply(rule, group.kind, values, self.numbers[values])

    def _apply(self, rule: ArrayRule, kind: int, values: slice, into: Array) -> list[Call]:
        """Return the calls that apply a formula to all nodes with values at a slice."""
        calls: list[Call] = []
        arrays: list[Array] = []
        for scratch, slot in enumerate(rule.reads):
            if slot == len(OPS[kind].slots):  # one past the inputs: the node's own value
                arrays.append(self.numbers[values])
                continue
            indices = self.indices.value[self.terms.inputs[slot][self._nodes(values)]]
            gather, array = self.gathers.read(indices, scratch)
            calls += gather
            arrays.append(array)
        return [*calls, (rule.compute, (*arrays, into))]

    def _plan_slopes(self) -> None:
        """Plan the local derivatives of each operation, all levels at once."""
        for (kind, slot), slopes in self.slopes.items():
            rule = array_op(OPS[kind]).slopes[slot]
            self.calls += self._apply(rule, kind, self.functions[kind], self.numbers[slopes])

    def _plan_grads(self) -> None:
        """Plan the gradients, from the highest level down."""
        products = self._contributions()
        for level in products.runs(products.block):
            grads = slice(int(level.into.min()), int(level.into.max()) + 1)
            self.calls += self._sum_calls(grads, level.runs(level.alike))

    def _contributions(self) -> _Products:
        """Return the contributions grad[source] += grad[target] · local, highest level first.

        For a product p · q, local is q along p, and p along q. Contributions between the same
        groups and along the same slot are alike.
        """
        terms, value, group = self.terms, self.indices.value, self.indices.group
        # destination, target, local derivative and role: the slot, or 2 for a plain term ± p
        found: list[tuple[Ints, Ints, Ints, Ints]] = [
            (terms.p, terms.owner, value[terms.q], numpy.where(terms.q < 0, 2, 0)),
            (terms.q, terms.owner, value[terms.p], numpy.ones_like(terms.q)),
        ]
        for (kind, slot), slopes in self.slopes.items():
            nodes = self._nodes(self.functions[kind])
            local = numpy.arange(int(slopes.start), int(slopes.stop))
            found.append((terms.inputs[slot][nodes], nodes, local, numpy.full(len(nodes), slot)))
        dest, target, local, role = (numpy.concatenate(part) for part in zip(*found, strict=True))
        needed = (dest >= 0) & terms.needs_grad[dest]
        dest, target, local, role = dest[needed], target[needed], local[needed], role[needed]
        # role and both groups as one number; + 1, as leaves have the group −1
        span = len(self.indices.groups) + 1
        alike = (role * span + group[target] + 1) * span + group[dest] + 1
        columns = (-terms.level[dest], alike, self.grad[dest], self.grad[target], local)
        # ordered by the first four columns: the main key of lexsort is its last
        order = numpy.lexsort(columns[3::-1])
        return _Products(*(column[order] for column in columns))

    def _sum_calls(self, block: slice, parts: Iterable[_Products]) -> list[Call]:
        """Return the calls for the sums of a block: one gather, then the strided patterns.

        The first call that writes a number overwrites it, later ones add to it; `written` marks the
        numbers of the block that have been overwritten.
        """
        patterns, irregular = _split(parts)
        into, start, calls = self.numbers[block], block.start, list[Call]()
        # the gather is first, as its bincount overwrites the whole block: 0 where it has no product
        written = numpy.full(len(into), bool(irregular))
        if irregular:
            columns = zip(*((part.into, part.a, part.b) for part in irregular), strict=True)
            rows, a, b = (numpy.concatenate(column) for column in columns)
            order = numpy.argsort(rows, kind="stable")  # keeps the order of the terms of a sum
            calls += self.gathers.total(into, rows[order] - start, a[order], b[order])
        for pattern in patterns:
            rows = pattern.into - start
            if written[rows].any() and not written[rows].all():
                # one call can't overwrite some numbers and add to others: zero all, then only add
                calls.insert(0, (into.fill, (0.0,)))
                written[:] = True
            calls += pattern.calls(self.numbers, add=bool(written[rows[0]]))
            written[rows] = True
        return calls


def _split(parts: Iterable[_Products]) -> tuple[list[_Pattern], list[_Products]]:
    """Split into strided patterns and irregular parts: those of which any piece has no pattern."""
    patterns: list[_Pattern] = []
    irregular: list[_Products] = []
    for part in parts:
        pieces = part.runs(part.alike) if len(part.into) >= MIN_PATTERN_TERMS else ()
        found = [_pattern(piece) for piece in pieces]
        known = [pattern for pattern in found if pattern is not None]
        if known and len(known) == len(found):
            patterns += known
        else:
            irregular.append(part)
    return patterns, irregular


# Irregular indices: gather, multiply, count


class _Gathers:
    """Makes calls that gather numbers at irregular indices into shared scratch arrays."""

    def __init__(self, numbers: Array, size: int) -> None:
        self._numbers = numbers
        self._scratch = numpy.empty((4, size))
        """Rows for up to three operands; or for two factors, their products, and both in one."""

    def read(self, indices: Ints, scratch: int) -> tuple[list[Call], Array]:
        """Return an array of the numbers: a view if possible, else with the call that fills it."""
        view = _strided_view(self._numbers, indices)
        return ([], view) if view is not None else self._take(indices, scratch)

    def total(self, into: Array, rows: Ints, a: Ints, b: Ints) -> list[Call]:
        """Return the calls for `into[r] = Σ a[k] · b[k]` over all k with rows[k] = r, in order."""
        plain = bool((b == ONE).all())
        # each number is a single product, so there is nothing to add up
        single = len(rows) == len(into) and bool((rows == numpy.arange(len(rows))).all())
        if plain:
            calls, products = self.read(a, 0)
        else:
            calls, left, right = self._factors(a, b)
            products = into if single else self._scratch[2, : len(rows)]
            calls.append((numpy.multiply, (left, right, products)))
        if not single:
            calls.append((_count, (into, rows, products)))
        elif plain:
            calls.append((numpy.copyto, (into, products)))
        return calls

    def _factors(self, a: Ints, b: Ints) -> tuple[list[Call], Array, Array]:
        """Return the arrays of two factors, filled by one call if both are gathered."""
        calls, left = self.read(a, 0)
        more, right = self.read(b, 1)
        if calls and more:
            calls, both = self._take(numpy.concatenate([a, b]), 3)
            return calls, both[: len(a)], both[len(a) :]
        return calls + more, left, right

    def _take(self, indices: Ints, scratch: int) -> tuple[list[Call], Array]:
        into = self._scratch[scratch, : len(indices)]
        # without "clip" NumPy would fill a buffer first and then copy it
        return [(self._numbers.take, (indices, None, into, "clip"))], into


def _count(into: Array, rows: Ints, numbers: Array) -> None:
    """Add up the numbers of each row: bincount counts the rows, weighted by the numbers."""
    into[...] = numpy.bincount(rows, numbers, len(into))


# Idea 3: strided patterns of indices


class _Pattern(NamedTuple):
    """`into[m] = Σ_k a[k, m] · b[k, m]`, with constant strides along the axes of `shape`."""

    into: Ints
    a: Ints
    b: Ints
    shape: tuple[int, ...]

    def calls(self, numbers: Array, add: bool) -> list[Call]:
        """Return the calls that compute it; with `add` the sum is added to the old content."""
        target = _view(numbers, self.into, self.shape)
        if not add:
            return self._product(numbers, target)
        result = numpy.empty(self.shape)
        return [*self._product(numbers, result), (numpy.add, (target, result, target))]

    def _product(self, numbers: Array, result: Array) -> list[Call]:
        """Return the calls for `result = Σ_k a · b`."""
        shape = (len(self.a), *self.shape)
        plain = bool((self.b == ONE).all())
        one, other = (_view(numbers, indices, shape) for indices in (self.a, self.b))
        if len(self.a) == 1:
            call = (numpy.copyto, (result, one[0]))
            return [call if plain else (numpy.multiply, (one[0], other[0], result))]
        if plain:
            return [(numpy.add.reduce, (one, 0, None, result))]
        if len(self.shape) <= 2 and (matrices := _matrices(one, other)):
            rows, columns = matrices
            return [(numpy.matmul, (rows, columns, result.reshape(len(rows), columns.shape[1])))]
        products = numpy.empty(shape)
        return [
            (numpy.multiply, (one, other, products)),
            (numpy.add.reduce, (products, 0, None, result)),
        ]


def _pattern(products: _Products) -> _Pattern | None:
    """Return the strided pattern of sums with equally many products, or None if there is none."""
    count = int((products.into == products.into[0]).sum())
    if len(products.into) % count:
        return None
    columns = (products.into, products.a, products.b)
    into, a, b = (column.reshape(-1, count).T for column in columns)
    if (into != into[0]).any():
        return None
    shape = _axes([into[0], a[0], b[0]])
    if shape is None or not (_has_constant_row_step(a) and _has_constant_row_step(b)):
        return None
    return _Pattern(into[0], a, b, shape)


def _strided_view(numbers: Array, indices: Ints) -> Array | None:
    """Return a view of the numbers at equidistant indices, or None if they are not."""
    shape = _axes([indices])
    return None if shape is None or len(shape) != 1 else _view(numbers, indices, shape)


def _matrices(a: Array, b: Array) -> tuple[Array, Array] | None:
    """Return two factors as matrices, if each varies along one axis after the first; else None.

    Then Σ_k a[k, i] · b[k, j] is the matrix product aᵀ · b.
    """
    a, b = (x.reshape(*x.shape, *[1] * (3 - x.ndim)) for x in (a, b))
    for rows, columns in ((a, b), (b, a)):
        if _is_constant_along(rows, 2) and _is_constant_along(columns, 1):
            return rows[:, :, 0].T, columns[:, 0, :]
    return None


def _is_constant_along(array: Array, axis: int) -> bool:
    return array.shape[axis] == 1 or array.strides[axis] == 0


def _axes(rows: list[Ints]) -> tuple[int, ...] | None:
    """Return the axes, slowest first, with constant strides in each row; None if there are none."""
    axes: list[int] = []
    # take the fastest axis, then go on with the first index of each of its runs
    while len(rows[0]) > 1:
        run = min(_strided_prefix(row) for row in rows)
        if len(rows[0]) % run or len(axes) == MAX_AXES:
            return None
        blocks = [row.reshape(-1, run) for row in rows]
        if any((block - block[:, :1] != block[0] - block[0, 0]).any() for block in blocks):
            return None
        axes.insert(0, run)
        rows = [block[:, 0] for block in blocks]
    return tuple(axes)


def _strided_prefix(row: Ints) -> int:
    """Return the length of the longest equidistant prefix."""
    steps = numpy.diff(row)
    uneven = steps != steps[0]
    return int(uneven.argmax()) + 1 if uneven.any() else len(row)


def _has_constant_row_step(indices: Ints) -> bool:
    """Return whether each row is the first one shifted by a multiple of the same step."""
    shifts = indices - indices[0]
    step = shifts[1, 0] if len(indices) > 1 else 0
    return bool((shifts == step * numpy.arange(len(indices))[:, None]).all())


def _view(numbers: Array, indices: Ints, shape: tuple[int, ...]) -> Array:
    """Return a strided view of the numbers at these indices, of this shape.

    The first axis of two-dimensional indices is the first of the shape.
    """
    row = indices[0] if indices.ndim > 1 else indices
    steps = [int(indices[1, 0] - row[0]) if len(indices) > 1 else 0] if indices.ndim > 1 else []
    distance = len(row)
    for size in shape[len(steps) :]:
        distance //= size
        steps.append(int(row[distance] - row[0]) if size > 1 else 0)
    itemsize = numbers.itemsize
    strides = [itemsize * step for step in steps]
    return numpy.ndarray(shape, numbers.dtype, numbers, itemsize * int(row[0]), strides)
