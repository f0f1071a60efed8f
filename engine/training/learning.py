"""Learning: a network trained on samples by gradient descent, epoch by epoch.

The network is run by `layers` over a batch of samples at once; `sample_graph` shows the same
numbers for one of them. A state is never changed, and the order of samples in an epoch depends on
nothing but the seed and its number, so that every epoch can be computed again.

>>> from engine.training import datasets
>>> learner = Learner(Setup((2, 1), rate=0.1), datasets.xor())
>>> state, loss = learner.epoch_and_loss(learner.start())
>>> round(loss, 3), round(learner.loss(state), 3)
(1.202, 1.18)
"""

from __future__ import annotations

import copy
import math
import random
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise

import numpy
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from engine.errors import EngineError
from engine.graph import Constant, Graph, Leaf
from engine.training.datasets import Sample
from engine.training.layers import Array, Network, with_ones
from engine.training.templates import CHANCE, check_samples, sample_loss

MOST_WEIGHTS = 5_000
"""Larger networks are refused: their graphs can't be drawn."""
FADED = 0.9
"""Share of the learning rate that is gone in the last epoch of a rate that fades."""
PART = 2**18
"""Products of a layer that are computed at once: from there on the library of matrices starts
threads, which cost more than they save, and the window could not be moved for too long."""


class Setup(Struct, frozen=True):
    """What is trained and how; `batch` 0 means all samples, `decay` weighs the sum of squares.

    `last` is the activation of the last layer; the binary cross-entropy has a sigmoid instead.
    A rate that `fades` falls along a line to a tenth of itself over `epochs`, and stays there.
    `changes` are rates chosen later: from how many epochs on, and the rate.
    """

    sizes: tuple[int, ...] = (2, 8, 1)
    activation: str = "tanh"
    last: str = "tanh"
    loss: str = "mse"
    rate: float = 0.5
    batch: int = 0
    epochs: int = 400
    seed: int = 0
    decay: float = 0.0
    fades: bool = False
    changes: tuple[tuple[int, float], ...] = ()

    def rate_at(self, epoch: int) -> float:
        """Return the learning rate of the update after a number of epochs."""
        chosen = [rate for first, rate in self.changes if first <= epoch]
        rate = chosen[-1] if chosen else self.rate
        return rate * (1.0 - FADED * min(epoch / self.epochs, 1.0)) if self.fades else rate

    def with_rate(self, rate: float, epoch: int) -> Setup:
        """Return the setup with another rate after a number of epochs."""
        if not epoch:
            return replace(self, rate=rate, changes=())
        earlier = tuple(change for change in self.changes if change[0] < epoch)
        return replace(self, changes=(*earlier, (epoch, rate)))

    @property
    def chance(self) -> bool:
        """Return whether outputs and targets are probabilities."""
        return self.loss == CHANCE


class State(Struct, frozen=True):
    """The weights and biases after a number of epochs."""

    epochs: int
    values: Array


class Learner:
    """A network and the samples from which it learns."""

    def __init__(self, setup: Setup, samples: Sequence[Sample]) -> None:
        check_samples(setup.sizes, samples)
        weights = sum((a + 1) * b for a, b in pairwise(setup.sizes))
        if weights > MOST_WEIGHTS:
            raise EngineError(
                "This network has {count:,} weights; it may have {limit:,}.",
                count=weights,
                limit=MOST_WEIGHTS,
            )
        self.setup, self.samples = setup, tuple(samples)
        self.graph = sample_loss(setup.sizes, setup.loss, setup.activation, setup.seed, setup.last)
        leaves = {n: x for n, x in self.graph.nodes.items() if isinstance(x, Leaf)}
        self.weights = [n for n, leaf in leaves.items() if leaf.label[0] in "wb"]
        hidden = (setup.activation,) * (len(setup.sizes) - 2)
        last = "sigmoid" if setup.chance else setup.last
        self._network = Network(setup.sizes, (*hidden, last), setup.loss)
        *inputs, self._wanted = numpy.array(_columns(setup, samples)).T
        self._inputs = with_ones(inputs)
        self._part = max(1, PART // max(a * b for a, b in pairwise(setup.sizes)))

    def with_rates(self, setup: Setup) -> Learner:
        """Return the same network with the learning rates of another setup."""
        found = copy.copy(self)
        found.setup = setup
        return found

    def start(self) -> State:
        """Return the state before the first epoch, with the weights of the seed."""
        nodes = (self.graph.nodes[n] for n in self.weights)
        return State(0, numpy.array([leaf.value for leaf in nodes if isinstance(leaf, Leaf)]))

    def epoch(self, state: State) -> State:
        """Return the state after one more epoch."""
        return self.epoch_and_loss(state)[0]

    def epoch_and_loss(self, state: State) -> tuple[State, float]:
        """Return the state after one more epoch, and the loss over all samples before it."""
        *_, last = self.epoch_in_parts(state)
        assert last is not None
        return last

    def epoch_in_parts(self, state: State) -> Iterator[tuple[State, float] | None]:
        """Yield None between the parts of an epoch, and in the end its state and loss."""
        setup, values, count = self.setup, state.values, len(self.samples)
        rate = setup.rate_at(state.epochs)
        whole = not 0 < setup.batch < count
        loss = None if whole else self.loss(state)
        for places in [slice(None)] if whole else self._order(state.epochs):
            total, size, grads = 0.0, 0, numpy.zeros_like(values)
            for losses, shares in self._backward(values, places):
                if size:
                    yield None
                with numpy.errstate(all="ignore"):
                    total, size = total + float(losses.sum()), size + len(losses)
                    grads += shares
            with numpy.errstate(all="ignore"):
                if loss is None:
                    loss = total / count + self._decayed(values)
                values = values - rate * (grads / size + 2.0 * setup.decay * values)
            yield None
        assert loss is not None
        yield State(state.epochs + 1, values), loss

    def loss(self, state: State) -> float:
        """Return the mean loss of all samples, with the decay."""
        with numpy.errstate(all="ignore"):
            return float(self.sample_losses(state).mean()) + self._decayed(state.values)

    def gradient(self, state: State) -> Array:
        """Return the gradient of the mean loss of all samples, with the decay, by weight."""
        values = state.values
        with numpy.errstate(all="ignore"):
            total = sum(shares for _losses, shares in self._backward(values, slice(None)))
            return total / len(self.samples) + 2.0 * self.setup.decay * values

    @property
    def layers(self) -> list[range]:
        """Return for each layer the places of its weights and biases."""
        slices = (layer.weights for layer in self._network.layers)
        return [range(found.start, found.stop) for found in slices]

    def grad_sizes(self, state: State) -> list[float]:
        """Return the root mean square of the gradients in each layer."""
        grads = numpy.abs(self.gradient(state))
        return [_root_mean_square(grads[layer.weights]) for layer in self._network.layers]

    def sample_losses(self, state: State) -> Array:
        """Return the loss of each sample, without the decay."""
        return self._network.losses(state.values, self._inputs, self._wanted)

    def outputs(self, state: State, points: Array | None = None) -> Array:
        """Return the network's output for each sample or row of inputs; above 0 it says +1."""
        inputs = self._inputs if points is None else with_ones(points.T)
        parts = (inputs[:, part] for part in self._parts(inputs.shape[1]))
        found = numpy.hstack([self._network.outputs(state.values, part) for part in parts])
        return 2.0 * found - 1.0 if self.setup.chance else found

    @cached_property
    def targets(self) -> Array:
        """Return the target of each sample."""
        return numpy.array([sample.target for sample in self.samples])

    @cached_property
    def classes(self) -> bool:
        """Return whether all targets are −1 or 1, so that there is right and wrong."""
        return bool((numpy.abs(self.targets) == 1.0).all())

    def right(self, state: State) -> NDArray[numpy.bool_]:
        """Return which samples are on their side of 0."""
        return self.outputs(state) * self.targets > 0.0

    def accuracy(self, state: State) -> float | None:
        """Return the share of samples on their side; None where the targets are no classes."""
        return float(self.right(state).mean()) if self.classes else None

    def sample_graph(self, state: State, sample: int) -> Graph:
        """Return the graph of one sample's loss with the weights of a state; data are constants."""
        values = dict(zip(self.weights, state.values.tolist(), strict=True))
        graph = self.graph.with_values(values)
        nodes = dict(graph.nodes)
        columns = _columns(self.setup, self.samples[sample : sample + 1])[0]
        labels = [*(f"x{k}" for k in range(1, len(columns))), "t"]
        for label, value in zip(labels, columns, strict=True):
            node = graph.node_named(label)
            assert node is not None
            nodes[node] = Constant(value, label)
        return Graph(nodes, graph.active_root, graph.next_id)

    def _decayed(self, values: Array) -> float:
        return self.setup.decay * float(values @ values) if self.setup.decay else 0.0

    def _order(self, epoch: int) -> list[list[int]]:
        """Return the samples of each batch of an epoch, shuffled."""
        return batches(len(self.samples), self.setup.batch, self.setup.seed, epoch)

    def _backward(self, values: Array, places: list[int] | slice) -> Iterator[tuple[Array, Array]]:
        """Yield, part by part, the losses of some samples and the gradient of their sum."""
        inputs, targets = self._inputs[:, places], self._wanted[places]
        for part in self._parts(len(targets)):
            yield self._network.backward(values, inputs[:, part], targets[part])

    def _parts(self, count: int) -> list[slice]:
        """Return the parts in which so many samples are computed."""
        return [slice(k, min(k + self._part, count)) for k in range(0, count, self._part)]


def _root_mean_square(sizes: Array) -> float:
    """Return it for numbers that are not negative, also where their squares are infinite."""
    largest = float(sizes.max())
    if not 0.0 < largest < math.inf:
        return largest
    return largest * math.sqrt(float(((sizes / largest) ** 2).mean()))


def batches(samples: int, size: int, seed: int, epoch: int) -> list[list[int]]:
    """Return the places of the samples in each batch of an epoch; the last one may be smaller."""
    order = list(range(samples))
    random.Random(f"{seed} {epoch}").shuffle(order)
    return [order[first : first + size] for first in range(0, samples, size)]


def _columns(setup: Setup, samples: Sequence[Sample]) -> list[tuple[float, ...]]:
    """Return inputs and target of each sample, a target as the loss takes it."""
    if not setup.chance:
        return [(*sample.inputs, sample.target) for sample in samples]
    return [(*sample.inputs, (sample.target + 1.0) / 2.0) for sample in samples]
