"""A network run by layers learns as the scalar graph of each sample says."""

import math

import numpy
import pytest
from msgspec.structs import replace

from engine import Program
from engine.training import templates
from engine.training.learning import LOSSES, Learner, Network, Setup, batches, with_ones
from engine.training.templates import CHANCE, Sample

EPOCHS = 100
SMOOTH = Setup((2, 5, 3, 1), rate=0.1, epochs=EPOCHS)
SETUPS = {
    "tanh, squares": SMOOTH,
    "the window's default": Setup(),
    "micrograd's demo": Setup(
        (2, 6, 6, 1), "relu", "linear", "hinge", rate=1.0, decay=1e-4, fades=True, epochs=EPOCHS
    ),
    "sigmoid, cross-entropy": replace(SMOOTH, activation="sigmoid", loss=CHANCE, rate=0.5),
    "relu, cross-entropy, decay": replace(SMOOTH, activation="relu", loss=CHANCE, decay=1e-3),
    "batches": replace(SMOOTH, batch=7),
    "batches, fading, decay": replace(SMOOTH, batch=8, fades=True, decay=1e-3, loss="hinge"),
    "another rate meanwhile": SMOOTH.with_rate(0.02, 40),
    "linear, no hidden layer": Setup((2, 1), last="linear", rate=0.05),
    "an operation without a row for arrays": replace(SMOOTH, activation="gelu"),
    "one neuron a layer": Setup((2, 1, 1, 1), "sigmoid", "sigmoid", rate=0.5),
}


class Scalar:
    """The training as loops over the graph of one sample, whose passes run number by number."""

    def __init__(self, setup: Setup, samples: tuple[Sample, ...]) -> None:
        learner = Learner(setup, samples)
        self.setup, self.program = setup, Program(learner.graph, learner.weights, tier="tape")
        self.weights = learner.start().values.tolist()
        chance = setup.loss == CHANCE
        self.samples = [
            {
                **{f"x{k}": x for k, x in enumerate(sample.inputs, 1)},
                "t": (sample.target + 1.0) / 2.0 if chance else sample.target,
            }
            for sample in samples
        ]

    def run(self, places: list[int]) -> tuple[float, list[float]]:
        given = dict(zip(self.program.wrt, self.weights, strict=True))
        names = {label: self.program.graph.node_named(label) or 0 for label in self.samples[0]}
        runs = [
            self.program.run({**given, **{names[x]: v for x, v in self.samples[k].items()}})
            for k in places
        ]
        count, decay = len(places), self.setup.decay
        loss = sum(loss for loss, _ in runs) / count
        grads = [sum(column) / count for column in zip(*(g for _, g in runs), strict=True)]
        if not decay:
            return loss, grads
        return (
            loss + decay * sum(w * w for w in self.weights),
            [g + 2.0 * decay * w for g, w in zip(grads, self.weights, strict=True)],
        )

    def epoch(self, number: int) -> float:
        setup, every = self.setup, list(range(len(self.samples)))
        loss = self.run(every)[0]
        size = setup.batch or len(every)
        for places in batches(len(every), size, setup.seed, number) if setup.batch else [every]:
            _, grads = self.run(places)
            rate = setup.rate_at(number)
            self.weights = [w - rate * g for w, g in zip(self.weights, grads, strict=True)]
        return loss


@pytest.mark.parametrize("name", SETUPS)
def test_a_hundred_epochs_have_the_losses_of_the_scalar_graph(name: str):
    setup, samples = SETUPS[name], templates.moons(16)
    learner, oracle = Learner(setup, samples), Scalar(setup, samples)
    state, losses = learner.start(), list[float]()
    for _ in range(EPOCHS):
        state, loss = learner.epoch_and_loss(state)
        losses.append(loss)
    expected = [oracle.epoch(k) for k in range(EPOCHS)]
    assert losses == pytest.approx(expected, rel=1e-12)
    assert losses[-1] < losses[0]
    assert state.values.tolist() == pytest.approx(oracle.weights, rel=1e-10, abs=1e-12)


@pytest.mark.parametrize("loss", LOSSES)
def test_losses_and_gradients_at_the_ends_are_those_of_the_scalar_graph(loss: str):
    """Where the loss is infinite, has a kink, or is no number at all."""
    for target in (-1.0, 1.0):
        setup = Setup((1, 1), last="linear", loss=loss)
        oracle = Scalar(setup, (Sample((1.0,), target),))
        network = Network((1, 1), ["sigmoid" if loss == CHANCE else "linear"], loss)
        inputs, targets = with_ones([[1.0]]), numpy.array([oracle.samples[0]["t"]])
        for weight in (0.0, 1.0, -1.0, 0.5, 40.0, -40.0, 800.0, -800.0, 1e200, math.inf):
            oracle.weights = [weight, 0.0]
            value, grads = oracle.run([0])
            values = numpy.array([weight, 0.0])
            found, slopes = network.backward(values, inputs, targets)
            assert found.tobytes() == network.losses(values, inputs, targets).tobytes()
            case = f"{loss}, weight {weight}, target {target}"
            assert found[0] == pytest.approx(value, rel=1e-12, nan_ok=True), case
            assert list(slopes) == pytest.approx(grads, rel=1e-12, nan_ok=True), case


def test_the_gradient_adds_up_the_samples():
    network = Network((2, 3, 1), ("tanh", "linear"), "mse")
    dice = numpy.random.default_rng(0)
    values, inputs, targets = dice.normal(size=13), dice.normal(size=(2, 9)), dice.normal(size=9)
    losses, whole = network.backward(values, with_ones(inputs), targets)
    parts = [network.backward(values, with_ones(inputs[:, [k]]), targets[[k]]) for k in range(9)]
    assert whole.tolist() == pytest.approx(
        numpy.sum([grads for _, grads in parts], axis=0).tolist(), rel=1e-12
    )
    assert losses.tolist() == pytest.approx([float(loss[0]) for loss, _ in parts], rel=1e-12)
