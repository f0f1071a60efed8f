"""Learning: a network trained on samples by gradient descent, epoch by epoch.

**Layers.** `Network` runs backpropagation over all samples at once, as products of matrices. In the
graph of one sample each neuron is a weighted sum. Let the rows of a matrix W be the weights of a
layer's neurons, each with its bias last, and the columns of H the inputs of the samples, with a row
of ones below for the biases. The whole layer over all samples is then a matrix product and an
activation φ, element by element:

    Z = W · H        H' = φ(Z)

Let L be the sum of all losses, and D = ∂L/∂H' the gradient from the layer above. By the chain rule

    U = ∂L/∂Z = D ∘ φ'(Z)        ∂L/∂W = U · Hᵀ        ∂L/∂H = Wᵀ · U

where ∘ is the product element by element. U · Hᵀ sums the contributions of all samples to each
weight, Wᵀ · U those of all neurons to each input: both are the += of backpropagation. (Rumelhart,
Hinton and Williams, 1986, "Learning representations by back-propagating errors", equations 4 to 7.)

One neuron of two inputs with weights 2 and −1 and bias 1, and two samples (1, 2) and (3, 1) with
targets 0 and 5; its outputs are 1 and 6, the errors 1 and 1:

>>> network = Network((2, 1), ("linear",), "mse")
>>> values, inputs, targets = numpy.array([2.0, -1, 1]), with_ones([[1.0, 3], [2, 1]]), [0.0, 5.0]
>>> losses, grads = network.backward(values, inputs, numpy.array(targets))
>>> losses.tolist(), grads.tolist()  # ∂L/∂w1 = 2·1·1 + 2·1·3
([1.0, 1.0], [8.0, 6.0, 4.0])

**Epochs.** A `Learner` runs the network over a batch of samples; `sample_graph` shows the same
numbers for one of them. A state is never changed, and the order of samples in an epoch depends on
nothing but the seed and its number, so that every epoch can be computed again.

>>> from engine.training.templates import xor
>>> learner = Learner(Setup((2, 1), rate=0.1), xor())
>>> state, loss = learner.epoch_and_loss(learner.start())
>>> round(loss, 3), round(learner.loss(state), 3)
(1.202, 1.18)

**Troubles.** A loss that diverges or stagnates is diagnosed from the last epochs; other rates are
tried on the same network.
"""

from __future__ import annotations

import copy
import math
import random
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Final

import numpy
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import ArrayLike, NDArray

from engine.compiled.arrays import ArrayOp, array_op
from engine.errors import EngineError
from engine.graph import Constant, Graph, Leaf
from engine.numbers import short
from engine.ops import BY_NAME
from engine.trace import evaluate_values
from engine.training.templates import CROSS_ENTROPY, LINEAR, Sample, check_samples, sample_loss

Array = NDArray[numpy.float64]


class Loss(Struct, frozen=True):
    """A loss of outputs o and targets t, and its derivative by o."""

    value: Callable[[Array, Array], Array]
    slope: Callable[[Array, Array], Array]


LOSSES: Final = {
    "mse": Loss(lambda o, t: (o - t) ** 2, lambda o, t: 2.0 * (o - t)),
    "hinge": Loss(
        lambda o, t: numpy.maximum(1.0 - t * o, 0.0),
        lambda o, t: numpy.where(1.0 - t * o <= 0.0, 0.0, -t),
    ),
    CROSS_ENTROPY: Loss(
        lambda o, t: -(t * numpy.log(o) + (1.0 - t) * numpy.log(1.0 - o)),
        lambda o, t: (1.0 - t) / (1.0 - o) - t / o,
    ),
}
"""The losses of `templates`, over arrays: (o − t)², max(0, 1 − t·o), cross-entropy."""


class Layer(Struct, frozen=True):
    """A layer: the slice of its weights among all, the shape of their matrix, the activation."""

    weights: slice
    shape: tuple[int, int]
    activation: ArrayOp | None

    def matrix(self, values: Array) -> Array:
        """Return the weights as a matrix: a row for each neuron, its bias last."""
        return values[self.weights].reshape(self.shape)


_NO_WARNINGS: Final = numpy.errstate(all="ignore")
"""Decorator against NumPy's warnings: in a training that diverges, numbers become infinite."""


class Network:
    """A network with one output, and the loss of its samples.

    The columns of `inputs` are samples; its last row is of ones, for the biases. `values` are all
    weights, layer by layer and neuron by neuron, each neuron's bias last.
    """

    def __init__(self, sizes: Sequence[int], activations: Sequence[str], loss: str) -> None:
        self._loss = LOSSES[loss]
        self.layers: list[Layer] = []
        first = 0
        for (inputs, neurons), name in zip(pairwise(sizes), activations, strict=True):
            end = first + neurons * (inputs + 1)
            activation = None if name == LINEAR else array_op(BY_NAME[name])
            self.layers.append(Layer(slice(first, end), (neurons, inputs + 1), activation))
            first = end

    @_NO_WARNINGS
    def outputs(self, values: Array, inputs: Array) -> Array:
        """Return the output for each sample."""
        return self._forward(values, inputs)[-1][1][0]

    @_NO_WARNINGS
    def losses(self, values: Array, inputs: Array, targets: Array) -> Array:
        """Return the loss of each sample."""
        return self._loss.value(self.outputs(values, inputs), targets)

    @_NO_WARNINGS
    def backward(self, values: Array, inputs: Array, targets: Array) -> tuple[Array, Array]:
        """Return the loss of each sample, and the gradient of their sum by each weight."""
        forward, grads = self._forward(values, inputs), numpy.empty_like(values)
        for k, upstream in self._backward(values, targets, forward):
            layer_inputs = forward[k - 1][1] if k else inputs  # H
            # ∂L/∂W = U · Hᵀ
            numpy.matmul(upstream, layer_inputs.T, out=self.layers[k].matrix(grads))
        return self._loss.value(forward[-1][1][0], targets), grads

    @_NO_WARNINGS
    def zero_layers(self, values: Array, inputs: Array, targets: Array) -> set[int]:
        """Return the layers at whose sums Z the gradient of every sample is 0."""
        steps = self._backward(values, targets, self._forward(values, inputs))
        return {k for k, upstream in steps if not upstream.any()}

    def _backward(
        self, values: Array, targets: Array, forward: list[tuple[Array, Array]]
    ) -> Iterator[tuple[int, Array]]:
        """Yield each layer, the last one first, with the gradient U at its sums Z."""
        upstream = self._loss.slope(forward[-1][1][0], targets)[None]  # D of the last layer
        for k in range(len(self.layers) - 1, -1, -1):
            layer, (sums, outputs) = self.layers[k], forward[k]  # Z and H'
            neurons = layer.shape[0]
            if layer.activation is not None:
                rule = layer.activation.slopes[0]
                slope = numpy.empty_like(sums)
                # slot 0 of an activation is its input, 1 stands for its value
                rule.compute(*[(sums, outputs[:neurons])[slot] for slot in rule.reads], slope)
                upstream *= slope  # U = D ∘ φ'(Z)
            yield k, upstream
            if k:  # D of the layer below, Wᵀ · U, without the column of the biases
                upstream = layer.matrix(values)[:, :-1].T @ upstream

    def _forward(self, values: Array, inputs: Array) -> list[tuple[Array, Array]]:
        """Return for each layer its sums Z, and its outputs H' with a row of ones."""
        forward: list[tuple[Array, Array]] = []
        layer_inputs = inputs
        for layer in self.layers:
            neurons = layer.shape[0]
            outputs = numpy.empty((neurons + 1, inputs.shape[1]))
            outputs[neurons] = 1.0
            if layer.activation is None:
                sums = numpy.matmul(layer.matrix(values), layer_inputs, out=outputs[:neurons])
            else:
                sums = layer.matrix(values) @ layer_inputs
                layer.activation.forward.compute(sums, outputs[:neurons])
            forward.append((sums, outputs))
            layer_inputs = outputs
        return forward


def with_ones(inputs: ArrayLike) -> Array:
    """Return inputs, a column for each sample, with a row of ones below them."""
    rows = numpy.asarray(inputs, float)
    return numpy.vstack([rows, numpy.ones(rows.shape[1])])


SAME_OUTPUT = 1e-9
"""Largest difference of two outputs of the same network."""
WEIGHT_LIMIT = 5_000
"""Larger networks are refused: the graph of a sample can't be drawn."""
FADED_SHARE = 0.9
"""Share of the learning rate that is lost by the last epoch, where the rate fades."""
PRODUCTS_PER_PART = 2**18
"""Multiplications of a layer per part of an epoch: in larger products BLAS starts threads, which
cost more than they save, and the window would not respond between parts."""


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
        return rate * (1.0 - FADED_SHARE * min(epoch / self.epochs, 1.0)) if self.fades else rate

    def with_rate(self, rate: float, epoch: int) -> Setup:
        """Return the setup with another rate after a number of epochs."""
        if not epoch:
            return replace(self, rate=rate, changes=())
        earlier = tuple(change for change in self.changes if change[0] < epoch)
        return replace(self, changes=(*earlier, (epoch, rate)))

    @property
    def predicts_probability(self) -> bool:
        """Return whether outputs and targets are probabilities."""
        return self.loss == CROSS_ENTROPY


class State(Struct, frozen=True):
    """The weights and biases after a number of epochs."""

    epochs: int
    values: Array


class Learner:
    """A network and the samples from which it learns."""

    def __init__(self, setup: Setup, samples: Sequence[Sample]) -> None:
        check_samples(setup.sizes, samples)
        weights = sum((a + 1) * b for a, b in pairwise(setup.sizes))
        if weights > WEIGHT_LIMIT:
            raise EngineError(
                "This network has {count:,} weights; it may have {limit:,}.",
                count=weights,
                limit=WEIGHT_LIMIT,
            )
        self.setup, self.samples = setup, tuple(samples)
        self.graph = sample_loss(setup.sizes, setup.loss, setup.activation, setup.seed, setup.last)
        leaves = {n: x for n, x in self.graph.nodes.items() if isinstance(x, Leaf)}
        # the other leaves are x1, x2 … and t; the order of ids is that of `State.values`
        self.weights = [n for n, leaf in leaves.items() if leaf.label[0] in "wb"]
        hidden = (setup.activation,) * (len(setup.sizes) - 2)
        last = "sigmoid" if setup.predicts_probability else setup.last
        self._network = Network(setup.sizes, (*hidden, last), setup.loss)
        *inputs, self._targets = numpy.array(_columns(setup, samples)).T
        self._inputs = with_ones(inputs)
        self._part_size = max(1, PRODUCTS_PER_PART // max(a * b for a, b in pairwise(setup.sizes)))

    def with_setup(self, setup: Setup) -> Learner:
        """Return the same network under another setup: other rates, or another number of epochs.

        A rate that fades depends on that number, too.
        """
        learner = copy.copy(self)
        learner.setup = setup
        return learner

    def start(self) -> State:
        """Return the state before the first epoch, with the weights of the seed."""
        nodes = (self.graph.nodes[n] for n in self.weights)
        return State(0, numpy.array([leaf.value for leaf in nodes if isinstance(leaf, Leaf)]))

    def epoch(self, state: State) -> State:
        """Return the state after one more epoch."""
        return self.epoch_and_loss(state)[0]

    def epoch_and_loss(self, state: State) -> tuple[State, float]:
        """Return the state after one more epoch, and the loss over all samples before it."""
        *_, result = self.epoch_in_parts(state)
        assert result is not None
        return result

    def epoch_in_parts(self, state: State) -> Iterator[tuple[State, float] | None]:
        """Yield None between the parts of an epoch, and in the end its state and loss."""
        setup, values, count = self.setup, state.values, len(self.samples)
        rate = setup.rate_at(state.epochs)
        is_full_batch = not 0 < setup.batch < count
        loss = None if is_full_batch else self.loss(state)
        shuffled = () if is_full_batch else batches(count, setup.batch, setup.seed, state.epochs)
        for batch in shuffled or [slice(None)]:
            # of the batch so far: the sum of losses, the number of samples, the gradient
            total, size, grads = 0.0, 0, numpy.zeros_like(values)
            for losses, grads_of_part in self._backward(values, batch):
                if size:
                    yield None
                with numpy.errstate(all="ignore"):
                    total, size = total + float(losses.sum()), size + len(losses)
                    grads += grads_of_part
            with numpy.errstate(all="ignore"):
                if loss is None:
                    loss = total / count + self._decay_loss(values)
                # the penalty is decay · Σ w², so its gradient is 2 · decay · w
                values = values - rate * (grads / size + 2.0 * setup.decay * values)
            yield None
        assert loss is not None
        yield State(state.epochs + 1, values), loss

    def loss(self, state: State) -> float:
        """Return the mean loss of all samples, with the decay."""
        with numpy.errstate(all="ignore"):
            return float(self.sample_losses(state).mean()) + self._decay_loss(state.values)

    def gradient(self, state: State) -> Array:
        """Return the gradient of the mean loss of all samples, with the decay, by weight."""
        values = state.values
        with numpy.errstate(all="ignore"):
            total = sum(shares for _losses, shares in self._backward(values, slice(None)))
            return total / len(self.samples) + 2.0 * self.setup.decay * values

    @property
    def layers(self) -> list[range]:
        """Return for each layer the range of its weights and biases in `State.values`."""
        slices = (layer.weights for layer in self._network.layers)
        return [range(weights.start, weights.stop) for weights in slices]

    def grad_sizes(self, state: State) -> list[float]:
        """Return the root mean square of the gradients in each layer."""
        grads = numpy.abs(self.gradient(state))
        return [_root_mean_square(grads[layer.weights]) for layer in self._network.layers]

    def zero_from(self, state: State) -> int | None:
        """Return the last layer that passes back 0 for every sample; None if none does."""
        parts = self._parts(len(self.targets))
        found = [
            self._network.zero_layers(state.values, self._inputs[:, part], self._targets[part])
            for part in parts
        ]
        return max(found[0].intersection(*found), default=None)

    def sample_losses(self, state: State) -> Array:
        """Return the loss of each sample, without the decay."""
        return self._network.losses(state.values, self._inputs, self._targets)

    def outputs(self, state: State, points: Array | None = None) -> Array:
        """Return the network's output for each sample or row of inputs; above 0 it says +1."""
        inputs = self._inputs if points is None else with_ones(points.T)
        parts = (inputs[:, part] for part in self._parts(inputs.shape[1]))
        found = numpy.hstack([self._network.outputs(state.values, part) for part in parts])
        # a probability, from 0 to 1, as an output from −1 to 1
        return 2.0 * found - 1.0 if self.setup.predicts_probability else found

    @cached_property
    def targets(self) -> Array:
        """Return the target of each sample."""
        return numpy.array([sample.target for sample in self.samples])

    @cached_property
    def has_classes(self) -> bool:
        """Return whether all targets are classes: −1 or 1."""
        return bool((numpy.abs(self.targets) == 1.0).all())

    def right(self, state: State) -> NDArray[numpy.bool_]:
        """Return which samples are classified rightly: output and target have the same sign."""
        return self.outputs(state) * self.targets > 0.0

    def accuracy(self, state: State) -> float | None:
        """Return the share of samples classified rightly; None where the targets are no classes."""
        return float(self.right(state).mean()) if self.has_classes else None

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

    def state_of(self, graph: Graph) -> State | None:
        """Return the weights in the graph of one sample; None if it is not this network's.

        They are its leaves, by id as in `sample_graph`; x1, x2 … and the output go by their names.
        """
        leaves = [x.value for _n, x in sorted(graph.nodes.items()) if isinstance(x, Leaf)]
        if len(leaves) != len(self.weights):
            return None
        names, values = [f"x{k}" for k in range(1, self.setup.sizes[0] + 1)], evaluate_values(graph)
        *inputs, o = [values.get(graph.node_named(each) or 0, math.nan) for each in (*names, "o")]
        if self.setup.predicts_probability:
            o = 2.0 * o - 1.0  # as `outputs`
        state = State(0, numpy.array(leaves))
        says = float(self.outputs(state, numpy.array([inputs]))[0])
        return state if abs(says - o) <= SAME_OUTPUT else None

    def _decay_loss(self, values: Array) -> float:
        return self.setup.decay * float(values @ values) if self.setup.decay else 0.0

    def _backward(self, values: Array, places: list[int] | slice) -> Iterator[tuple[Array, Array]]:
        """Yield, part by part, the losses of some samples and the gradient of their sum."""
        inputs, targets = self._inputs[:, places], self._targets[places]
        for part in self._parts(len(targets)):
            yield self._network.backward(values, inputs[:, part], targets[part])

    def _parts(self, count: int) -> list[slice]:
        """Split the range of samples into parts of bounded work."""
        return [slice(k, min(k + self._part_size, count)) for k in range(0, count, self._part_size)]


def _root_mean_square(sizes: Array) -> float:
    """Return the root mean square of numbers ≥ 0, scaled so that no square overflows."""
    largest = float(sizes.max())
    if not 0.0 < largest < math.inf:
        return largest
    return largest * math.sqrt(float(((sizes / largest) ** 2).mean()))


def batches(samples: int, size: int, seed: int, epoch: int) -> list[list[int]]:
    """Return the indices of the samples in each batch of an epoch; the last may be smaller."""
    order = list(range(samples))
    random.Random(f"{seed} {epoch}").shuffle(order)
    return [order[first : first + size] for first in range(0, samples, size)]


def _columns(setup: Setup, samples: Sequence[Sample]) -> list[tuple[float, ...]]:
    """Return inputs and target of each sample; for the cross-entropy targets are 0 and 1."""
    if not setup.predicts_probability:
        return [(*sample.inputs, sample.target) for sample in samples]
    return [(*sample.inputs, (sample.target + 1.0) / 2.0) for sample in samples]


RECENT_EPOCHS = 10
"""Number of last epochs in which a training is checked for stagnation."""
STAGNATION_TOLERANCE = 1e-9
"""Relative change of the loss below which it counts as constant."""
HIGH_LOSS_SHARE = 0.5
"""Share of the first loss above which a constant loss counts as stagnation."""
LARGEST_RATE_TRIED = 100.0
"""Upper bound of the rates that are tried."""
RATES_TRIED = 8
"""Maximum number of rates tried, each a tenth of the one before."""
TRIAL_EPOCHS_LIMIT = 1_000
"""Maximum number of epochs for which a rate is tried."""


class Trouble(Struct, frozen=True):
    """A diagnosis in one sentence, and the rate that is too large for this network.

    If the rate is not to blame, `remedy` advises what to do.
    """

    said: str
    rate: float | None = None
    remedy: str = ""


class BestRate(Struct, frozen=True):
    """The rate with the lowest loss, its epochs and that loss; no rate if all had trouble."""

    rate: float | None
    epochs: int = 0
    loss: float = math.nan


_GREW = (
    "The loss has grown from {least} to {last}: the rate {rate} is too large, so updates overshoot."
)
_GREW_SINCE_EPOCH = (
    "The loss has grown from {least} at epoch {epoch:,} to {last}: the rate {rate} is too large, so"
    " updates overshoot."
)


def trouble(
    losses: Sequence[float], rate: float, rate_at: Callable[[int], float] | None = None
) -> Trouble | None:
    """Diagnose the losses by epoch at a learning rate; None if they are fine.

    `rate_at` returns the rate of the update after an epoch, where it has been changed meanwhile.
    """
    if not losses:
        return None
    first, last, recent = losses[0], losses[-1], losses[-RECENT_EPOCHS:]
    rise_start, rise_end = _last_rise(losses)
    blamed = rate if rate_at is None else max(map(rate_at, range(rise_start, rise_end + 1)))
    if not math.isfinite(last):
        return _not_finite_trouble(losses, blamed)
    if len(losses) <= RECENT_EPOCHS:
        return None
    if min(recent) > first:
        template = _GREW_SINCE_EPOCH if rise_start else _GREW
        text = template.format(
            least=short(losses[rise_start]), epoch=rise_start, last=short(last), rate=short(blamed)
        )
        return Trouble(text, blamed)
    if (
        max(recent) - min(recent) <= STAGNATION_TOLERANCE * abs(last)
        and last > HIGH_LOSS_SHARE * first
    ):
        blamed = rate if rate_at is None else rate_at(_last_moving_epoch(losses))
        return Trouble(
            f"The loss stands still at {short(last)}: the rate {short(blamed)} is too large or too "
            "small, or this network can do no better.",
            remedy="Reset and try another rate, or more neurons.",
        )
    return None


def rates_to_try(blamed: float, chosen: float) -> list[float]:
    """Return smaller rates than the blamed one, first the rate chosen since if it is smaller."""
    largest = min(blamed / 10.0, LARGEST_RATE_TRIED)
    tenths = [largest / 10.0**k for k in range(RATES_TRIED)]
    # 12 digits, as 0.7 / 10 is 0.06999999999999999
    rates = [float(f"{rate:.12g}") for rate in ([chosen, *tenths] if chosen < blamed else tenths)]
    return [rate for rate in dict.fromkeys(rates) if rate > 0.0]


def try_smaller_rates(
    learner: Learner, blamed: float, chosen: float
) -> Generator[None, None, BestRate]:
    """Train the network from its first weights with smaller rates than the blamed one.

    Yields between the parts of an epoch, and returns the rate with the lowest loss without trouble
    after as many epochs as a run has. A smaller rate chosen since is preferred.
    """
    best = BestRate(None)
    for rate in rates_to_try(blamed, chosen):
        result = yield from _try_rate(learner, rate)
        if result.rate is not None and not result.loss >= best.loss:
            best = result
            if rate == chosen < blamed:
                break
        elif best.rate is not None:  # still smaller rates would only learn more slowly
            break
    return best


def _try_rate(learner: Learner, rate: float) -> Generator[None, None, BestRate]:
    """Train with one rate, yielding between parts; the result has no rate if it had trouble."""
    learner = learner.with_setup(learner.setup.with_rate(rate, 0))
    epochs, losses = min(learner.setup.epochs, TRIAL_EPOCHS_LIMIT), list[float]()
    state: State = learner.start()
    for epoch in range(epochs):
        for result in learner.epoch_in_parts(state):
            if result is None:
                yield
                continue
            state, loss = result
            losses.append(loss)
        if not math.isfinite(losses[-1]) or (epoch % RECENT_EPOCHS == 0 and trouble(losses, rate)):
            return BestRate(None)
    losses.append(learner.loss(state))
    is_better = losses[-1] < losses[0] and not trouble(losses, rate)
    return BestRate(rate, epochs, losses[-1]) if is_better else BestRate(None)


def _not_finite_trouble(losses: Sequence[float], rate: float) -> Trouble:
    """Diagnose a loss that became infinite or not a number."""
    epoch = next(k for k, loss in enumerate(losses) if not math.isfinite(loss))
    number_kind = "not a number" if math.isnan(losses[epoch]) else "infinite"
    if epoch == 0:
        text = f"The loss is {number_kind} before the first epoch:"
        return Trouble(text, remedy="look at the numbers of the samples.")
    return Trouble(
        f"At epoch {epoch} the loss is {number_kind}: the rate {short(rate)} is too large, so "
        "every update overshoots.",
        rate,
    )


def _last_rise(losses: Sequence[float]) -> tuple[int, int]:
    """Return the first and the last epoch of the updates that raised the loss for good.

    The last one is the last epoch whose loss is not above the first loss; from the first one on,
    the loss has risen without a pause.
    """
    rise_end = len(losses) - 1
    while rise_end > 0 and not losses[rise_end] <= losses[0]:
        rise_end -= 1
    rise_start = rise_end
    while rise_start > 0 and losses[rise_start - 1] < losses[rise_start]:
        rise_start -= 1
    return rise_start, rise_end


def _last_moving_epoch(losses: Sequence[float]) -> int:
    """Return the last epoch whose loss differs from the final one."""
    return next(
        (
            k
            for k in range(len(losses) - 1, 0, -1)
            if abs(losses[k] - losses[-1]) > STAGNATION_TOLERANCE * abs(losses[-1])
        ),
        0,
    )
