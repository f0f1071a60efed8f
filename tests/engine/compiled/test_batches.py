"""A batch gives for each sample what a run of that sample alone gives."""

import math

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import EngineError, Graph, Program, from_expression
from engine.graph import Leaf
from tests.helpers.random_graphs import graphs

CASES = (
    "a*b + c",
    "relu(a*w + b) - tanh(a*v + b) * a",
    "(a + b) * (a - b) / (c*c + 1)",
    "y = a*a; z = y*y + y*a; gelu(z) + b ** 2",
    "maximum(a, b) + where_gt0(a, b, c) + sigmoid(2*a)",
    "a*w + a*v + w*v",
    "exp(w*v) * b",
    "a",
)


def rows(count: int, wide: int, seed: int = 0) -> numpy.ndarray:
    return numpy.random.default_rng(seed).uniform(-2, 2, (count, wide))


@pytest.mark.parametrize("text", CASES)
def test_each_sample_has_the_value_and_the_gradients_of_its_own_run(text: str):
    program = Program(from_expression(text))
    samples = rows(7, len(program.wrt))
    values, grads = program.batch(samples)
    for row, value, grad in zip(samples, values, grads, strict=True):
        alone, shares = program.run(row.tolist())
        assert value == pytest.approx(alone, rel=1e-12, abs=1e-12)
        assert list(grad) == pytest.approx(list(shares), rel=1e-12, abs=1e-12)
    assert list(program.batch_values(samples)) == list(values)


@pytest.mark.parametrize("text", CASES)
def test_gradients_of_shared_leaves_are_summed_over_the_samples(text: str):
    graph = from_expression(text)
    names = [graph.names[n] for n, node in graph.nodes.items() if isinstance(node, Leaf)]
    wanted = [name for name in names if name in "wvb"]
    if not wanted:
        return
    program = Program(graph, wanted)
    samples = rows(5, len(program.others))
    shared = rows(1, len(wanted), 1)[0]
    if not samples.shape[1]:
        return
    values, grads = program.batch(shared, samples)
    total = numpy.zeros(len(wanted))
    for row, value in zip(samples, values, strict=True):
        given = dict(zip((*program.wrt, *program.others), (*shared, *row), strict=True))
        alone, shares = program.run(given)
        assert value == pytest.approx(alone, rel=1e-12, abs=1e-12)
        total += shares
    assert list(grads) == pytest.approx(list(total), rel=1e-12, abs=1e-12)


def test_gradients_of_a_batch_are_slopes_of_its_sum():
    graph = from_expression("h = tanh(a*w + b); (h*v - c) ** 2")
    program = Program(graph, ["w", "v", "b"])
    samples, at, h = rows(20, len(program.others)), rows(1, 3, 2)[0], 1e-6
    _values, grads = program.batch(at, samples)
    for k in range(3):
        ends = [program.batch_values(at + way * h * numpy.eye(3)[k], samples) for way in (1, -1)]
        slope = float((ends[0] - ends[1]).sum() / (2 * h))
        assert grads[k] == pytest.approx(slope, rel=1e-6)


@given(graphs(most=12), st.integers(1, 3))
def test_any_graph_agrees_with_its_tape(graph: Graph, count: int):
    program = Program(graph, tier="tape")
    samples = rows(count, len(program.wrt))
    if not program.wrt:
        return
    values, grads = program.batch(samples)
    for row, value, grad in zip(samples, values, grads, strict=True):
        alone, shares = program.run(row.tolist())
        for ours, theirs in zip((value, *grad), (alone, *shares), strict=True):
            if math.isfinite(theirs) and abs(theirs) < 1e6:
                assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-9)


def test_arrays_of_another_size_are_refused():
    program = Program(from_expression("a*b + c"), ["a", "b"])
    with pytest.raises(EngineError, match="one per sample"):
        program.batch([1.0, 2.0])
    with pytest.raises(EngineError, match="2 values, not 3"):
        program.batch(rows(4, 3))
    with pytest.raises(EngineError, match="one per sample"):
        program.batch(rows(4, 2), rows(3, 1))
