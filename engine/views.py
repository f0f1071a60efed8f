"""Even patterns in lists of places: what a NumPy view can read instead of a gather.

Graphs that loops have built are regular: the k-th input of the m-th node lies at a place that
grows evenly along a few axes. Then a sum of products over many nodes is one product of two
small views, without an index. `pattern` finds this out and gives the calls to make.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy
from numpy.typing import NDArray

from engine.arrays import Array

Places = NDArray[numpy.intp]

Call = tuple[Callable[..., object], tuple[Any, ...]]
"""One step of a compiled program: a function and its arguments."""

Shape = tuple[int, ...]

AXES = 3
"""How many axes a pattern may have."""


def even_view(numbers: Array, places: Places) -> Array | None:
    """A view of the numbers at evenly spaced places, or None."""
    shape = _axes([places])
    if shape is None or len(shape) != 1:
        return None
    return _view(numbers, places, _strides(places, shape), shape)


class Pattern(NamedTuple):
    """`into[m] = Σ_k a[k, m] · b[k, m]`, with all places even along the axes of `shape`.

    Where it is `plain` all of `b` is 1.
    """

    numbers: Array
    into: Places
    a: Places
    b: Places
    plain: bool
    shape: Shape

    def calls(self, add: bool) -> list[Call]:
        """The calls that compute it; with `add` the sum is added to what is there."""
        strides = _strides(self.into, self.shape)
        target = _view(self.numbers, self.into, strides, self.shape)
        if not add:
            return _product(self, target)
        result = numpy.empty(self.shape)
        return [*_product(self, result), (numpy.add, (target, result, target))]


def pattern(numbers: Array, into: Places, a: Places, b: Places, plain: bool) -> Pattern | None:
    """The pattern of a sum of products, or None where the places show none."""
    shape = _axes([into, a[0], b[0]])
    if shape is None or not (_even_rows(a) and _even_rows(b)):
        return None
    return Pattern(numbers, into, a, b, plain, shape)


def _product(found: Pattern, result: Array) -> list[Call]:
    """Calls for `result = Σ_k a · b`."""
    numbers, _into, a, b, plain, shape = found
    left, right = _strides(a[0], shape), _strides(b[0], shape)
    if len(a) == 1:
        one, other = _view(numbers, a, left, shape), _view(numbers, b, right, shape)
        return [(numpy.copyto, (result, one)) if plain else (numpy.multiply, (one, other, result))]
    whole = (len(a), *shape)
    one = _view(numbers, a, (_step(a), *left), whole)
    if plain:
        return [(numpy.add.reduce, (one, 0, None, result))]
    other = _view(numbers, b, (_step(b), *right), whole)
    if len(shape) <= 2 and (matrices := _matrices(one, other)):
        rows, columns = matrices
        return [(numpy.matmul, (rows, columns, result.reshape(len(rows), columns.shape[1])))]
    products = numpy.empty(whole)
    return [
        (numpy.multiply, (one, other, products)),
        (numpy.add.reduce, (products, 0, None, result)),
    ]


def _matrices(a: Array, b: Array) -> tuple[Array, Array] | None:
    """The two factors as matrices, where each of the axes after the first moves only one."""
    a, b = (x.reshape(*x.shape, *[1] * (3 - x.ndim)) for x in (a, b))
    for rows, columns in ((a, b), (b, a)):
        if _still(rows, 2) and _still(columns, 1):
            return rows[:, :, 0].T, columns[:, 0, :]
    return None


def _still(array: Array, axis: int) -> bool:
    return array.shape[axis] == 1 or array.strides[axis] == 0


def _axes(rows: list[Places]) -> Shape | None:
    """The axes, the slowest first, along which each of the rows grows evenly; None if none do."""
    axes: list[int] = []
    while len(rows[0]) > 1:
        run = min(_even_run(row) for row in rows)
        if len(rows[0]) % run or len(axes) == AXES:
            return None
        blocks = [row.reshape(-1, run) for row in rows]
        if any((block - block[:, :1] != block[0] - block[0, 0]).any() for block in blocks):
            return None
        axes.insert(0, run)
        rows = [block[:, 0] for block in blocks]
    return tuple(axes)


def _even_run(row: Places) -> int:
    """How many places from the first on are evenly spaced."""
    steps = numpy.diff(row)
    uneven = steps != steps[0]
    return int(uneven.argmax()) + 1 if uneven.any() else len(row)


def _even_rows(places: Places) -> bool:
    """Whether each row is the first one moved by an even step."""
    moved = places - places[0]
    step = moved[1, 0] if len(places) > 1 else 0
    return bool((moved == step * numpy.arange(len(places))[:, None]).all())


def _step(places: Places) -> int:
    return int(places[1, 0] - places[0, 0])


def _strides(row: Places, shape: Shape) -> Shape:
    """How far the places of a row move along each axis."""
    block = row.reshape(shape)
    origin = (0,) * len(shape)
    return tuple(
        int(block[(*origin[:axis], 1, *origin[axis + 1 :])] - block[origin])
        for axis in range(len(shape))
    )


def _view(numbers: Array, places: Places, strides: Shape, shape: Shape) -> Array:
    size = numbers.itemsize
    return numpy.ndarray(
        shape,
        numbers.dtype,
        buffer=numbers,
        offset=size * int(places.flat[0]),
        strides=[size * stride for stride in strides],
    )
