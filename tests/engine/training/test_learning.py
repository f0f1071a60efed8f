"""A network learns as the graph of all its samples says."""

import math

import numpy
import pytest

from engine import EngineError, Program
from engine.frame import frame_at
from engine.graph import Leaf
from engine.trace import run
from engine.training import templates
from engine.training.learning import Learner, Setup, State, _root_mean_square, batches
from engine.training.templates import CHANCE, training


def trained(setup: Setup, samples: tuple[templates.Sample, ...], epochs: int) -> list[float]:
    learner = Learner(setup, samples)
    state, losses = learner.start(), list[float]()
    for _ in range(epochs):
        state, loss = learner.epoch_and_loss(state)
        losses.append(loss)
    return losses


def test_the_whole_graph_of_all_samples_gives_the_same_losses():
    samples = templates.moons(20)
    for loss in ("mse", "hinge", CHANCE):
        setup = Setup((2, 4, 1), last="linear", loss=loss, rate=0.1)
        graph = training(setup.sizes, samples, loss)
        program = Program(graph, tier="tape")
        values = [leaf.value for n in program.wrt if isinstance(leaf := graph.nodes[n], Leaf)]
        expected: list[float] = []
        for _ in range(10):
            number, grads = program.run(values)
            values = [x - setup.rate * grad for x, grad in zip(values, grads, strict=True)]
            expected.append(number)
        assert trained(setup, samples, 10) == pytest.approx(expected, rel=1e-12)


def test_xor_is_learned_and_the_same_seed_gives_the_same_numbers():
    learner = Learner(Setup(), templates.xor())
    state = learner.start()
    for _ in range(200):
        state = learner.epoch(state)
    assert learner.accuracy(state) == 1.0
    assert learner.loss(state) < 0.01
    assert trained(Setup(), templates.xor(), 5) == trained(Setup(), templates.xor(), 5)
    assert trained(Setup(), templates.xor(), 5) != trained(Setup(seed=1), templates.xor(), 5)


def test_any_epoch_can_be_computed_again_from_an_earlier_state():
    learner = Learner(Setup(batch=7, rate=0.1), templates.moons(30))
    states = [learner.start()]
    for _ in range(6):
        states.append(learner.epoch(states[-1]))
    again = State(2, states[2].values)
    for _ in range(4):
        again = learner.epoch(again)
    assert again.values.tolist() == states[6].values.tolist()


def test_each_sample_is_in_one_batch_of_an_epoch_and_epochs_differ():
    found = batches(10, 4, 0, 3)
    assert [len(batch) for batch in found] == [4, 4, 2]
    assert sorted(place for batch in found for place in batch) == list(range(10))
    assert found != batches(10, 4, 0, 4)


def test_an_epoch_in_parts_gives_the_numbers_of_a_whole_one(monkeypatch: pytest.MonkeyPatch):
    whole = trained(Setup(), templates.moons(30), 5)
    monkeypatch.setattr("engine.training.learning.PART", 16 * 4)
    assert trained(Setup(), templates.moons(30), 5) == pytest.approx(whole, rel=1e-12)


def test_a_fading_rate_and_a_decay_are_those_of_the_formula():
    setup = Setup(rate=1.0, fades=True, epochs=100, decay=0.01, loss="hinge", last="linear")
    assert setup.rate_at(0) == 1.0
    assert setup.rate_at(50) == pytest.approx(0.55)
    assert setup.rate_at(100) == setup.rate_at(200) == pytest.approx(0.1)
    learner = Learner(setup, templates.xor())
    state, plain = learner.start(), Learner(Setup(loss="hinge", last="linear"), templates.xor())
    size = float(state.values @ state.values)
    assert learner.loss(state) == pytest.approx(plain.loss(state) + 0.01 * size, rel=1e-12)
    h, k = 1e-6, 3
    ends = [
        learner.loss(State(0, state.values + way * h * numpy.eye(len(state.values))[k]))
        for way in (1, -1)
    ]
    moved = state.values[k] - learner.epoch(state).values[k]
    assert moved == pytest.approx((ends[0] - ends[1]) / (2 * h), rel=1e-6)


def test_the_graph_of_one_sample_has_its_loss_and_its_gradients():
    learner = Learner(Setup(), templates.moons(20))
    state = learner.epoch(learner.start())
    graph = learner.sample_graph(state, 4)
    trace = run(graph)
    assert trace.values[trace.root] == pytest.approx(learner.sample_losses(state)[4], rel=1e-12)
    grads = frame_at(trace, len(trace)).grads
    assert set(learner.weights) <= grads.keys()
    assert learner.outputs(state)[4] == pytest.approx(
        trace.values[graph.node_named("o") or 0], rel=1e-12
    )


def test_a_line_has_no_accuracy_and_wrong_sizes_are_refused():
    learner = Learner(Setup((1, 4, 1), last="linear"), templates.line())
    assert learner.accuracy(learner.start()) is None
    with pytest.raises(EngineError, match="takes 3"):
        Learner(Setup((3, 4, 1)), templates.xor())
    with pytest.raises(EngineError, match="weights"):
        Learner(Setup((2, 100, 100, 1)), templates.xor())


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1.0, 1e160, 1e300])
def test_gradients_of_a_layer_have_a_size_whatever_their_squares_are(scale: float):
    sizes = numpy.array([3.0, 4.0, 0.0, 0.0]) * scale
    assert _root_mean_square(sizes) == pytest.approx(2.5 * scale, rel=1e-15)
    assert _root_mean_square(sizes * 0.0) == 0.0
    assert math.isnan(_root_mean_square(numpy.array([1.0, math.nan])))
    assert _root_mean_square(numpy.array([1.0, math.inf])) == math.inf
