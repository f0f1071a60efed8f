"""Templates: data sets, and networks and losses as labelled graphs.

    neuron(2)                            # o = tanh(x1·w1 + x2·w2 + b)
    mlp([2, 4, 1])                       # one sample, inputs to set by hand
    sample_loss([2, 4, 1], "hinge")      # one sample whose inputs and target are leaves

Weights and biases are leaves. All numbers come from a seed, nothing is downloaded.

>>> [(sample.inputs, sample.target) for sample in xor()][:2]
[((0.0, 0.0), -1.0), ((0.0, 1.0), 1.0)]
"""

import math
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from engine.errors import EngineError
from engine.graph import Constant, Graph, Leaf, Node, OpNode, Root
from engine.ops import BY_NAME

DECIMAL_PLACES = 3
"""Decimal places of samples and weights: few, so that they are readable in a graph."""


class Sample(Struct, frozen=True):
    """The inputs and the target of one sample."""

    inputs: tuple[float, ...]
    target: float


def moons(count: int = 100, noise: float = 0.1, seed: int = 0) -> tuple[Sample, ...]:
    """Return two interleaved half circles: −1 for the upper, +1 for the lower."""
    upper = (count + 1) // 2
    points: list[tuple[float, float, float]] = []
    for k in range(count):
        is_upper = k < upper
        size = upper if is_upper else count - upper
        angle = math.pi * ((k if is_upper else k - upper) / max(size - 1, 1))
        x, y = math.cos(angle), math.sin(angle)
        points.append((x, y, -1.0) if is_upper else (1.0 - x, 0.5 - y, 1.0))
    return _scattered(points, noise, seed)


def circles(count: int = 100, noise: float = 0.05, seed: int = 0) -> tuple[Sample, ...]:
    """Return points of two circles around the origin: +1 on the inner, −1 on the outer."""
    points: list[tuple[float, float, float]] = []
    for k in range(count):
        angle = 2.0 * math.pi * (k // 2) / max((count + 1) // 2, 1)
        radius, target = (1.0, -1.0) if k % 2 else (0.5, 1.0)
        points.append((radius * math.cos(angle), radius * math.sin(angle), target))
    return _scattered(points, noise, seed)


def _scattered(
    points: Iterable[tuple[float, float, float]], noise: float, seed: int
) -> tuple[Sample, ...]:
    """Return points (x, y, target) as samples, moved by normal noise, in random order."""
    draw = random.Random(seed)
    samples = [
        Sample((_rounded(x + draw.gauss(0.0, noise)), _rounded(y + draw.gauss(0.0, noise))), target)
        for x, y, target in points
    ]
    draw.shuffle(samples)
    return tuple(samples)


def xor() -> tuple[Sample, ...]:
    """Return the four cases that no single neuron can separate: +1 if exactly one input is 1."""
    cases = ((0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0))
    return tuple(Sample(case, 1.0 if case[0] != case[1] else -1.0) for case in cases)


def line(
    count: int = 20, slope: float = 2.0, intercept: float = 1.0, noise: float = 0.1, seed: int = 0
) -> tuple[Sample, ...]:
    """Return points along y = slope · x + intercept, with x from −1 to 1."""
    noise_source = random.Random(seed)
    samples: list[Sample] = []
    for k in range(count):
        x = _rounded(-1.0 + 2.0 * k / max(count - 1, 1))
        samples.append(
            Sample((x,), _rounded(slope * x + intercept + noise_source.gauss(0.0, noise)))
        )
    return tuple(samples)


DATA_SETS: Final[Mapping[str, Callable[[int], tuple[Sample, ...]]]] = {
    "moons": lambda seed: moons(100, seed=seed),
    "XOR": lambda _seed: xor(),
    "circles": lambda seed: circles(100, seed=seed),
    "line": lambda seed: line(40, seed=seed),
}
"""Data sets by name, made from a seed."""


def _rounded(value: float) -> float:
    return round(value, DECIMAL_PLACES) + 0.0  # −0.0 becomes 0.0


LINEAR = "linear"
CROSS_ENTROPY = "binary_cross_entropy"
"""The loss whose predictions and targets are probabilities."""
NODE_LIMIT = 200_000
"""Maximum number of nodes of a template."""


def neuron(inputs: int, activation: str = "tanh", seed: int = 0) -> Graph:
    """Return one neuron: products x1*w1 ..., their sum, the bias b, and the activation o."""
    _check_sizes([inputs, 1])
    _check_activation(activation)
    builder = _GraphBuilder(seed)
    xs = [builder.leaf(1.0, f"x{k}") for k in range(1, inputs + 1)]
    ws = [builder.weight(f"w{k}") for k in range(1, inputs + 1)]
    products = [
        builder.op("mul", x, w, label=f"x{k}*w{k}")
        for k, (x, w) in enumerate(zip(xs, ws, strict=True), 1)
    ]
    total = builder.op("add", builder.sum(products), builder.leaf(0.0, "b"), label="n")
    return builder.graph(builder.activate(total, activation, "o"))


def layer(inputs: int, outputs: int, activation: str = "tanh", seed: int = 0) -> Graph:
    """Return neurons over the same inputs: o1, o2 ...; with several outputs it has no root."""
    return mlp([inputs, outputs], activation, seed, last=activation, rooted=outputs == 1)


def mlp(
    sizes: Sequence[int],
    activation: str = "tanh",
    seed: int = 0,
    last: str = LINEAR,
    rooted: bool = True,
) -> Graph:
    """Return a network for one sample with inputs x1, x2 ... as leaves; its first output is root.

    `sizes` are the number of inputs and then of neurons in each layer; the last layer has the
    activation `last`.
    """
    _check_sizes(sizes)
    _check_activation(activation)
    _check_activation(last)
    builder = _GraphBuilder(seed)
    xs = [builder.leaf(1.0, f"x{k}") for k in range(1, sizes[0] + 1)]
    outputs = _Network(builder, sizes, activation, last).forward(xs)
    return builder.graph(outputs[0] if rooted else None)


def sample_loss(
    sizes: Sequence[int],
    loss: str = "mse",
    activation: str = "tanh",
    seed: int = 0,
    last: str = LINEAR,
) -> Graph:
    """Return the loss of one sample, with its inputs x1, x2 ... and its target t as leaves.

    The last layer has the activation `last`, or a sigmoid for the binary cross-entropy. The weights
    are ordered by id, neuron by neuron.
    """
    _check_sizes(sizes)
    _check_activation(activation)
    _check_activation(last)
    builder = _GraphBuilder(seed)
    network = _Network(builder, sizes, activation, "sigmoid" if loss == CROSS_ENTROPY else last)
    xs = [builder.leaf(0.0, f"x{i}") for i in range(1, sizes[0] + 1)]
    prediction = network.forward(xs)[0]
    total = LOSSES[loss](builder, prediction, builder.leaf(1.0, "t"))
    return builder.graph(builder.labelled(total, "loss"))


class _GraphBuilder:
    """A graph under construction."""

    def __init__(self, seed: int) -> None:
        self.nodes: dict[int, Node] = {}
        self._random = random.Random(seed)

    def leaf(self, value: float, label: str) -> int:
        return self._add(Leaf(value, label))

    def weight(self, label: str) -> int:
        """Add a leaf with a random number from −1 to 1."""
        return self.leaf(round(self._random.uniform(-1.0, 1.0), DECIMAL_PLACES), label)

    def constant(self, value: float) -> int:
        return self._add(Constant(value))

    def op(self, op: str, *inputs: int, label: str = "") -> int:
        return self._add(OpNode(op, inputs, label))

    def sum(self, terms: Sequence[int]) -> int:
        total = terms[0]
        for term in terms[1:]:
            total = self.op("add", total, term)
        return total

    def activate(self, node: int, activation: str, label: str) -> int:
        """Add the activation of a node; a linear activation only sets the label."""
        if activation != LINEAR:
            return self.op(activation, node, label=label)
        return self.labelled(node, label)

    def labelled(self, node: int, label: str) -> int:
        """Set the label of an op node."""
        found = self.nodes[node]
        assert isinstance(found, OpNode)
        self.nodes[node] = OpNode(found.op, found.inputs, label)
        return node

    def graph(self, root: int | None) -> Graph:
        if root is None:
            return Graph(self.nodes, None, len(self.nodes) + 1)
        marker = self._add(Root(root))
        return Graph(self.nodes, marker, marker + 1)

    def _add(self, node: Node) -> int:
        if len(self.nodes) >= NODE_LIMIT:
            raise EngineError("This would make more than {limit:,} nodes.", limit=NODE_LIMIT)
        number = len(self.nodes) + 1
        self.nodes[number] = node
        return number


class _Network:
    """Weights and biases of a network."""

    def __init__(
        self, builder: _GraphBuilder, sizes: Sequence[int], activation: str, last: str
    ) -> None:
        self._builder = builder
        self._layers = [
            (list(self._neurons(k, sizes)), last if k == len(sizes) - 1 else activation)
            for k in range(1, len(sizes))
        ]

    def forward(self, inputs: Sequence[int]) -> list[int]:
        """Add the network's outputs for some inputs."""
        signals = list(inputs)
        for k, (neurons, activation) in enumerate(self._layers, 1):
            is_last = k == len(self._layers)
            has_one_output = is_last and len(neurons) == 1
            names = [
                f"{'o' if is_last else f'h{k}_'}{'' if has_one_output else j}"
                for j in range(1, len(neurons) + 1)
            ]
            signals = [
                self._neuron(signals, ws, b, activation, name)
                for (ws, b), name in zip(neurons, names, strict=True)
            ]
        return signals

    def _neurons(self, layer: int, sizes: Sequence[int]) -> Iterator[tuple[list[int], int]]:
        """Yield the weights and the bias of each neuron: w1_2_3 is layer 1, neuron 2, input 3."""
        for j in range(1, sizes[layer] + 1):
            weights = [
                self._builder.weight(f"w{layer}_{j}_{i}") for i in range(1, sizes[layer - 1] + 1)
            ]
            yield weights, self._builder.leaf(0.0, f"b{layer}_{j}")

    def _neuron(
        self, inputs: Sequence[int], weights: Sequence[int], bias: int, activation: str, name: str
    ) -> int:
        builder = self._builder
        products = [builder.op("mul", x, w) for x, w in zip(inputs, weights, strict=True)]
        total = builder.op("add", builder.sum(products), bias)
        return builder.activate(total, activation, name)


def _squared_error(builder: _GraphBuilder, prediction: int, target: int) -> int:
    difference = builder.op("sub", prediction, target)
    return builder.op("pow", difference, builder.constant(2.0))


def _hinge(builder: _GraphBuilder, prediction: int, target: int) -> int:
    product = builder.op("mul", target, prediction)
    return builder.op("relu", builder.op("sub", builder.constant(1.0), product))


def _cross_entropy(builder: _GraphBuilder, prediction: int, target: int) -> int:
    """Add −(t · log p + (1 − t) · log(1 − p))."""
    if_true = builder.op("mul", target, builder.op("log", prediction))
    not_target = builder.op("sub", builder.constant(1.0), target)
    log_not_p = builder.op("log", builder.op("sub", builder.constant(1.0), prediction))
    return builder.op("neg", builder.op("add", if_true, builder.op("mul", not_target, log_not_p)))


LOSSES: dict[str, Callable[[_GraphBuilder, int, int], int]] = {
    "mse": _squared_error,
    "hinge": _hinge,
    CROSS_ENTROPY: _cross_entropy,
}
"""Losses of a prediction against its target, for one sample."""


def _check_sizes(sizes: Sequence[int]) -> None:
    if len(sizes) < 2 or min(sizes) < 1:
        raise EngineError("A network needs at least one input and one neuron.")


def _check_activation(activation: str) -> None:
    found = BY_NAME.get(activation)
    if activation != LINEAR and (found is None or len(found.slots) != 1):
        raise EngineError(
            "{activation} is no activation; it is {linear} or has one slot.",
            activation=activation,
            linear=LINEAR,
        )


def check_samples(sizes: Sequence[int], samples: Sequence[Sample]) -> None:
    """Refuse samples that a network of these sizes can't be trained on."""
    if not samples:
        raise EngineError("There are no samples to learn from.")
    if sizes[-1] != 1:
        raise EngineError("A network that is trained here has one output.")
    for sample in samples:
        if len(sample.inputs) != sizes[0]:
            raise EngineError(
                "A sample has {count} inputs; the network takes {wanted}.",
                count=len(sample.inputs),
                wanted=sizes[0],
            )
