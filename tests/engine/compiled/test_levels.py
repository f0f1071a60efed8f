"""Levels: graphs made to have one pattern or another give the numbers of the tape."""

from collections.abc import Callable

import pytest

from engine import Graph, Program, Value
from engine.edits import mark_root
from engine.graph import Constant


def total(values: list[Value]) -> Value:
    return sum(values[1:], values[0])


def grid(rows: int, columns: int, seed: float = 0.1) -> list[list[Value]]:
    return [
        [Value(seed + 0.01 * (7 * i + 3 * j % 11)) for j in range(columns)] for i in range(rows)
    ]


def dots_of_rows() -> Value:
    """Both factors change from row to row, so that there is no product of matrices."""
    xs, ys = grid(70, 5), grid(70, 5, 0.3)
    rows = [total([x * y for x, y in zip(a, b, strict=True)]) for a, b in zip(xs, ys, strict=True)]
    return total([row.atan() for row in rows])


def half_shared() -> Value:
    """Two functions of leaves that overlap in part: some gradients have come, others not."""
    leaves = grid(1, 150)[0]
    return total([x.tanh() for x in leaves[:100]]) * total([x.sin() for x in leaves[50:]])


def matrix_times_vector() -> Value:
    weights, vector = grid(20, 8), grid(1, 8)[0]
    sums = [total([w * x for w, x in zip(row, vector, strict=True)]) + 1.0 for row in weights]
    return total([value.relu() for value in sums])


def outer_product() -> Value:
    xs, ys = grid(1, 12)[0], grid(1, 9)[0]
    return total([(x * y).exp() for x in xs for y in ys])


def image() -> Value:
    """A convolution: three axes, whose windows overlap."""
    pixels, kernel = grid(10, 10), grid(3, 3)
    windows = [
        total([pixels[i + a][j + b] * kernel[a][b] for a in range(3) for b in range(3)])
        for i in range(8)
        for j in range(8)
    ]
    return total([window.tanh() for window in windows])


def reversed_leaves() -> Value:
    xs = grid(1, 80)[0]
    return total([x * y for x, y in zip(xs, reversed(xs), strict=True)]) / 3


def numbers_only() -> Value:
    """Sums and products of numbers beside those of leaves."""
    x = Value(0.5)
    parts = [Value(k) * 0.5 - x for k in range(70)]
    return total([part * part - k for k, part in enumerate(parts)])


def differences() -> Value:
    xs, ys = grid(1, 90)[0], grid(1, 90, 0.7)[0]
    return total([(x - y) * 2 - (-x) for x, y in zip(xs, ys, strict=True)])


SHAPES = pytest.mark.parametrize(
    "shape",
    [
        *(dots_of_rows, half_shared, matrix_times_vector, outer_product, image),
        *(reversed_leaves, numbers_only, differences),
    ],
)


@SHAPES
def test_patterns_give_the_numbers_of_the_tape(shape: Callable[[], Value]):
    root = shape()
    value, grads = Program(root, tier="tape").run()
    program = Program(root, tier="levels")
    for _ in range(2):
        ours, found = program.run()
        assert ours == pytest.approx(value, rel=1e-13)
        assert list(found) == pytest.approx(list(grads), rel=1e-12, abs=1e-13)


@SHAPES
def test_patterns_give_the_numbers_of_the_tape_for_every_other_leaf(shape: Callable[[], Value]):
    root = shape()
    wrt = Program(root, tier="tape").wrt[::2]
    values = [0.05 * k for k in range(len(wrt))]
    value, grads = Program(root, wrt, tier="tape").run(values)
    ours, found = Program(root, wrt, tier="levels").run(values)
    assert ours == pytest.approx(value, rel=1e-13)
    assert list(found) == pytest.approx(list(grads), rel=1e-12, abs=1e-13)


@pytest.mark.parametrize("shape", [matrix_times_vector, dots_of_rows, reversed_leaves])
def test_regular_graphs_need_few_calls(shape: Callable[[], Value]):
    program = Program(shape(), tier="levels")
    assert program._levels is not None
    assert len(program._levels) < 30


def test_a_constant_root_keeps_its_value_where_no_leaf_is_wanted():
    alone = mark_root(Graph({1: Constant(5.0)}, None, 2), 1)
    assert Program(alone, [], tier="levels").run([]) == (5.0, ())
