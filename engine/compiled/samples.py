"""The numbers of a run over many samples, and the groups of nodes that fill them.

A leaf whose value is the same for all samples is one number; everything else is a row with a column
for each sample. A group is computed at once: nodes of one level and one operation, or sums over the
same rows. Such a sum is a product of matrices, the shared numbers times the rows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy
from msgspec import Struct

from engine.compiled.arrays import Array, ArrayRule, array_op
from engine.compiled.terms import Bools, Ints
from engine.op import Op

Index = Ints | slice


@dataclass(slots=True)
class Numbers:
    """Values and gradients: one for each shared leaf, and a row for everything else."""

    shared: Array
    rows: Array
    shared_grads: Array
    grads: Array

    @staticmethod
    def of(shared: Array, rows: int, samples: int) -> Numbers:
        """Return room for that number of rows; all gradients are zero."""
        empty, zero = numpy.empty((rows, samples)), numpy.zeros((rows, samples))
        return Numbers(shared, empty, numpy.zeros(len(shared)), zero)


class Columns(Struct, frozen=True):
    """Terms of a sum: the node each belongs to, and its factors `p` and `q`."""

    owner: Ints
    p: Ints
    q: Ints


class SumGroup:
    """Sums that have their rows from the same sources.

    `linear` are terms of a shared number p and a row q, `products` of two rows, `constants` of two
    shared numbers. `wanted_rows` and `wanted_shared` say what needs a gradient.
    """

    def __init__(
        self,
        rows: slice,
        linear: Columns,
        products: Columns,
        constants: Columns,
        wanted: tuple[Bools, Bools],
    ) -> None:
        wanted_rows, wanted_shared = wanted
        self._rows, self._size = rows, rows.stop - rows.start
        self._linear, self._products, self._constants = linear, products, constants
        sources, columns = numpy.unique(linear.q, return_inverse=True)
        self._sources = as_index(sources) if len(sources) else None
        self._places = linear.owner * len(sources) + columns
        self._shape = (self._size, len(sources))
        self._direct = len(numpy.unique(self._places)) == len(self._places)
        self._down = bool(wanted_rows[sources].any())
        learns = wanted_shared[linear.p]
        self._learning = (as_index(self._places[learns]), Sums(linear.p[learns]))
        self._spread = Sums(products.owner)
        p, q = (wanted_rows[side] for side in (products.p, products.q))
        self._left = (as_index(numpy.flatnonzero(p)), Sums(products.p[p]))
        self._right = (as_index(numpy.flatnonzero(q)), Sums(products.q[q]))
        self._learns = bool(wanted_shared[constants.p].any() or wanted_shared[constants.q].any())

    def forward(self, numbers: Numbers) -> None:
        """Compute the values."""
        into, shared = numbers.rows[self._rows], numbers.shared
        if self._sources is None:
            into[...] = 0.0
        else:
            numpy.matmul(self._matrix(shared), numbers.rows[self._sources], out=into)
        if len(self._products.owner):
            self._spread.add(into, numbers.rows[self._products.p] * numbers.rows[self._products.q])
        if len(self._constants.owner):
            terms = shared[self._constants.p] * shared[self._constants.q]
            into += numpy.bincount(self._constants.owner, terms, self._size)[:, None]

    def backward(self, numbers: Numbers) -> None:
        """Send the gradients of this group to what it was computed from."""
        down, rows = numbers.grads[self._rows], numbers.rows
        if self._sources is not None:
            if self._down:
                numbers.grads[self._sources] += self._matrix(numbers.shared).T @ down
            places, into = self._learning
            if len(into):
                shares = (down @ rows[self._sources].T).ravel()
                into.add(numbers.shared_grads, shares[places])
        products = self._products
        for (which, into), other in ((self._left, products.q), (self._right, products.p)):
            if len(into):
                shares = down[products.owner[which]] * rows[other[which]]
                into.add(numbers.grads, shares)
        if self._learns:
            total, ends = down.sum(axis=1)[self._constants.owner], self._constants
            for into, other in ((ends.p, ends.q), (ends.q, ends.p)):
                numpy.add.at(numbers.shared_grads, into, total * numbers.shared[other])

    def _matrix(self, shared: Array) -> Array:
        """Return the shared numbers, a row for each sum and a column for each source."""
        numbers = shared[self._linear.p]
        if not self._direct:
            total = numpy.bincount(self._places, numbers, self._shape[0] * self._shape[1])
            return total.astype(numpy.float64).reshape(self._shape)
        matrix = numpy.empty(self._shape[0] * self._shape[1])
        matrix[self._places] = numbers
        return matrix.reshape(self._shape)


class FunctionGroup:
    """Nodes of one operation; each slot reads rows or shared numbers."""

    def __init__(
        self, op: Op, rows: slice, slots: list[tuple[bool, Ints]], wanted: tuple[Bools, Bools]
    ) -> None:
        self._op, self._rows = array_op(op), rows
        self._reads = [(is_row, as_index(places)) for is_row, places in slots]
        self._sends: list[tuple[int, bool, Index, Sums]] = []
        for slot, (is_row, places) in enumerate(slots):
            wants = wanted[0 if is_row else 1][places]
            if wants.any():
                which = as_index(numpy.flatnonzero(wants))
                self._sends.append((slot, is_row, which, Sums(places[wants])))

    def forward(self, numbers: Numbers) -> None:
        """Compute the values."""
        into = numbers.rows[self._rows]
        _compute(self._op.forward, self._inputs(numbers), into)

    def backward(self, numbers: Numbers) -> None:
        """Send the gradients of this group to what it was computed from."""
        out, down = numbers.rows[self._rows], numbers.grads[self._rows]
        inputs = [*self._inputs(numbers), out]
        for slot, is_row, which, into in self._sends:
            local = numpy.empty(out.shape)
            _compute(self._op.slopes[slot], inputs, local)
            shares = (down * local)[which]
            if is_row:
                into.add(numbers.grads, shares)
            else:
                into.add(numbers.shared_grads, shares.sum(axis=1))

    def _inputs(self, numbers: Numbers) -> list[Array]:
        return [
            numbers.rows[places] if is_row else numbers.shared[places][:, None]
            for is_row, places in self._reads
        ]


class Sums:
    """Adds rows of an array to places of another, some of which may be the same."""

    def __init__(self, places: Ints) -> None:
        self._count = len(places)
        self._places = places
        self._index = as_index(places)
        self._distinct = len(numpy.unique(places)) == len(places)

    def __len__(self) -> int:
        return self._count

    def add(self, into: Array, shares: Array) -> None:
        """Add each row of the shares to its place."""
        if self._distinct:
            into[self._index] += shares
        else:
            numpy.add.at(into, self._places, shares)


def as_index(places: Ints) -> Index:
    """Return places that follow one another as a slice, which NumPy reads without a copy."""
    if len(places) and (numpy.diff(places) == 1).all():
        return slice(int(places[0]), int(places[-1]) + 1)
    return places


def _compute(rule: ArrayRule, inputs: list[Array], into: Array) -> None:
    """Run a rule over flat arrays, as it is written for."""
    read = [inputs[place] for place in rule.reads]
    if any(array.shape != into.shape for array in read):
        read = [numpy.broadcast_to(array, into.shape) for array in read]
    rule.compute(*[array.reshape(-1) for array in read], into.reshape(-1))
