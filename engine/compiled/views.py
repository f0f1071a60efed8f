"""Even patterns in lists of indices, which a NumPy view can read instead of a gather.

Graphs built by loops are regular: the k-th input of the m-th node lies at an index that grows
evenly along a few axes. Then a sum of products over many nodes is one product of two small views,
without index arrays. `pattern` detects this and gives the calls to make.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy
from numpy.typing import NDArray

from engine.compiled.arrays import Array

Indices = NDArray[numpy.intp]

Call = tuple[Callable[..., object], tuple[Any, ...]]
"""One step of a compiled program: a function and its arguments."""

Shape = tuple[int, ...]

AXES = 3
"""Maximum number of axes of a pattern."""


def even_view(numbers: Array, places: Indices) -> Array | None:
    """Return a view of the numbers at evenly spaced indices, or None if they are not."""
    shape = _axes([places])
    if shape is None or len(shape) != 1:
        return None
    return _view(numbers, places, _strides(places, shape), shape)


class Pattern(NamedTuple):
    """`into[m] = Σ_k a[k, m] · b[k, m]`, with all indices even along the axes of `shape`.

    If `plain`, all of `b` is 1.
    """

    numbers: Array
    into: Indices
    a: Indices
    b: Indices
    plain: bool
    shape: Shape

    def calls(self, add: bool) -> list[Call]:
        """Return the calls that compute it; with `add` the sum is added to the old content."""
        strides = _strides(self.into, self.shape)
        target = _view(self.numbers, self.into, strides, self.shape)
        if not add:
            return _product(self, target)
        result = numpy.empty(self.shape)
        return [*_product(self, result), (numpy.add, (target, result, target))]


def pattern(numbers: Array, into: Indices, a: Indices, b: Indices, plain: bool) -> Pattern | None:
    """Return the pattern of a sum of products, or None if the indices show none."""
    shape = _axes([into, a[0], b[0]])
    if shape is None or not (_even_rows(a) and _even_rows(b)):
        return None
    return Pattern(numbers, into, a, b, plain, shape)


def _product(found: Pattern, result: Array) -> list[Call]:
    """Return the calls for `result = Σ_k a · b`."""
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
    """Return two factors as matrices, if each axis after the first moves only one; else None."""
    a, b = (x.reshape(*x.shape, *[1] * (3 - x.ndim)) for x in (a, b))
    for rows, columns in ((a, b), (b, a)):
        if _still(rows, 2) and _still(columns, 1):
            return rows[:, :, 0].T, columns[:, 0, :]
    return None


def _still(array: Array, axis: int) -> bool:
    return array.shape[axis] == 1 or array.strides[axis] == 0


def _axes(rows: list[Indices]) -> Shape | None:
    """Return the axes, slowest first, along which each row grows evenly; None if there are none."""
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


def _even_run(row: Indices) -> int:
    """Return how many indices from the first on are evenly spaced."""
    steps = numpy.diff(row)
    uneven = steps != steps[0]
    return int(uneven.argmax()) + 1 if uneven.any() else len(row)


def _even_rows(places: Indices) -> bool:
    """Return whether each row is the first one shifted by a multiple of the same step."""
    moved = places - places[0]
    step = moved[1, 0] if len(places) > 1 else 0
    return bool((moved == step * numpy.arange(len(places))[:, None]).all())


def _step(places: Indices) -> int:
    return int(places[1, 0] - places[0, 0])


def _strides(row: Indices, shape: Shape) -> Shape:
    """Return the index step of a row along each axis."""
    block = row.reshape(shape)
    origin = (0,) * len(shape)
    return tuple(
        int(block[(*origin[:axis], 1, *origin[axis + 1 :])] - block[origin])
        for axis in range(len(shape))
    )


def _view(numbers: Array, places: Indices, strides: Shape, shape: Shape) -> Array:
    size = numbers.itemsize
    return numpy.ndarray(
        shape,
        numbers.dtype,
        buffer=numbers,
        offset=size * int(places.flat[0]),
        strides=[size * stride for stride in strides],
    )
