"""What a network says over a plane of its inputs, and the line on which it says 0."""

from __future__ import annotations

from typing import Final

import numpy
from msgspec import Struct
from numpy.typing import NDArray

from app.controls.drawn_range import Range, around
from engine.numbers import LARGEST_DRAWN
from engine.training.learning import Array, Learner, State

COARSE: Final = (41, 31)
"""Points across and up the plane: few enough to be computed for every picture of a training."""
FINE: Final = (97, 73)
"""The same for a training that rests."""
MARGIN: Final = 0.18
"""Space around the samples, as a share of their extent."""
LEAST: Final = 0.5
"""Half the extent of samples that all have the same coordinate."""


class Plane(Struct, frozen=True):
    """Outputs over a grid: a row for each y, a column for each x."""

    xs: Array
    ys: Array
    outputs: Array


def extent(learner: Learner, axis: int) -> Range:
    """Return the range of an input that is drawn, or of the target of a network of one input."""
    if len(learner.samples[0].inputs) > axis:
        numbers = [sample.inputs[axis] for sample in learner.samples]
    else:
        numbers = learner.targets.tolist()
    return around(numbers, MARGIN, LEAST)


def plane(learner: Learner, state: State, points: tuple[int, int] = FINE) -> Plane:
    """Return the outputs over the first two inputs; any others have the mean of the samples."""
    columns, rows = points
    xs = numpy.linspace(*extent(learner, 0), columns)
    ys = numpy.linspace(*extent(learner, 1), rows)
    means = numpy.array([sample.inputs for sample in learner.samples]).mean(axis=0)
    grid = numpy.tile(means, (columns * rows, 1))
    grid[:, 0], grid[:, 1] = numpy.tile(xs, rows), numpy.repeat(ys, columns)
    return Plane(xs, ys, learner.outputs(state, grid).reshape(rows, columns))


def curve(learner: Learner, state: State) -> tuple[Array, Array]:
    """Return the output over the range of a single input."""
    xs = numpy.linspace(*extent(learner, 0), FINE[0])
    return xs, learner.outputs(state, xs[:, None])


def zero_line(found: Plane) -> tuple[Array, Array]:
    """Return the line on which the output is 0, as pairs of ends: x and y of each end in turn.

    In each triangle of the grid the output is taken as flat, so that a line crosses two of its
    sides or none.
    """
    over = numpy.clip(numpy.nan_to_num(found.outputs), -LARGEST_DRAWN, LARGEST_DRAWN)
    x, y = numpy.meshgrid(found.xs, found.ys)
    corners = [
        (x[rows, columns].ravel(), y[rows, columns].ravel(), over[rows, columns].ravel())
        for rows in (slice(None, -1), slice(1, None))
        for columns in (slice(None, -1), slice(1, None))
    ]
    a, b, c, d = corners  # low left, low right, high left, high right
    ends: list[tuple[Array, Array]] = []
    for triangle in ((a, b, c), (d, c, b)):
        sides = [(triangle[k], triangle[(k + 1) % 3]) for k in range(3)]
        crossed = [(p[2] > 0.0) != (q[2] > 0.0) for p, q in sides]
        for k in range(3):
            both = crossed[k] & crossed[(k + 1) % 3]
            one, other = (_crossing(*sides[i % 3], both) for i in (k, k + 1))
            ends.append((_alternate(one[0], other[0]), _alternate(one[1], other[1])))
    xs, ys = zip(*ends, strict=True)
    return numpy.concatenate(xs), numpy.concatenate(ys)


Corner = tuple[Array, Array, Array]


def _crossing(p: Corner, q: Corner, which: NDArray[numpy.bool_]) -> tuple[Array, Array]:
    """Return where the output is 0 between two corners, for the triangles of a mask."""
    (px, py, pv), (qx, qy, qv) = (tuple(part[which] for part in corner) for corner in (p, q))
    share = pv / (pv - qv)
    return px + share * (qx - px), py + share * (qy - py)


def _alternate(one: Array, other: Array) -> Array:
    """Return the numbers of two arrays in turn."""
    return numpy.stack([one, other], axis=1).ravel()


def nearest(outputs: Array) -> int:
    """Return the sample whose output is nearest 0, the boundary."""
    return int(abs(outputs).argmin())
