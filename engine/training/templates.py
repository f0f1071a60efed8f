"""Templates: data sets, and networks and losses as labelled graphs.

    neuron(2)                            # o = tanh(x1·w1 + x2·w2 + b)
    mlp([2, 4, 1])                       # one sample, inputs to set by hand
    training([2, 4, 1], xor(), "hinge")  # every sample through shared weights, one loss
    sample_loss([2, 4, 1], "hinge")      # one sample whose inputs and target are leaves

Weights and biases are leaves, data are constants. All numbers come from a seed, nothing is
downloaded.

>>> [(sample.inputs, sample.target) for sample in xor()][:2]
[((0.0, 0.0), -1.0), ((0.0, 1.0), 1.0)]
"""

import math
import random
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from engine.errors import EngineError
from engine.graph import Constant, Graph, Leaf, Node, OpNode, Root
from engine.ops import BY_NAME

DIGITS = 3
"""Decimal places of the numbers, so that they are readable in a graph."""


class Sample(Struct, frozen=True):
    """Inputs and the wanted output."""

    inputs: tuple[float, ...]
    target: float


def moons(count: int = 100, noise: float = 0.1, seed: int = 0) -> tuple[Sample, ...]:
    """Return two interleaved half circles: −1 for the upper, +1 for the lower."""
    dice = random.Random(seed)
    upper = (count + 1) // 2
    found: list[Sample] = []
    for k in range(count):
        of_upper = k < upper
        size = upper if of_upper else count - upper
        angle = math.pi * ((k if of_upper else k - upper) / max(size - 1, 1))
        x, y = math.cos(angle), math.sin(angle)
        if not of_upper:
            x, y = 1.0 - x, 0.5 - y
        place = (_rounded(x + dice.gauss(0.0, noise)), _rounded(y + dice.gauss(0.0, noise)))
        found.append(Sample(place, -1.0 if of_upper else 1.0))
    dice.shuffle(found)
    return tuple(found)


def circles(count: int = 100, noise: float = 0.05, seed: int = 0) -> tuple[Sample, ...]:
    """Return points of two circles around the origin: +1 on the inner, −1 on the outer."""
    dice = random.Random(seed)
    found: list[Sample] = []
    for k in range(count):
        inner = k % 2 == 0
        angle = 2.0 * math.pi * (k // 2) / max((count + 1) // 2, 1)
        radius = 0.5 if inner else 1.0
        x, y = radius * math.cos(angle), radius * math.sin(angle)
        place = (_rounded(x + dice.gauss(0.0, noise)), _rounded(y + dice.gauss(0.0, noise)))
        found.append(Sample(place, 1.0 if inner else -1.0))
    dice.shuffle(found)
    return tuple(found)


def xor() -> tuple[Sample, ...]:
    """Return the four cases that no single neuron can separate: +1 if exactly one input is 1."""
    cases = ((0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0))
    return tuple(Sample(case, 1.0 if case[0] != case[1] else -1.0) for case in cases)


def line(
    count: int = 20, slope: float = 2.0, intercept: float = 1.0, noise: float = 0.1, seed: int = 0
) -> tuple[Sample, ...]:
    """Return points along y = slope · x + intercept, with x from −1 to 1."""
    dice = random.Random(seed)
    found: list[Sample] = []
    for k in range(count):
        x = _rounded(-1.0 + 2.0 * k / max(count - 1, 1))
        found.append(Sample((x,), _rounded(slope * x + intercept + dice.gauss(0.0, noise))))
    return tuple(found)


def _rounded(value: float) -> float:
    return round(value, DIGITS) + 0.0  # −0.0 becomes 0.0


LINEAR = "linear"
CHANCE = "binary_cross_entropy"
"""The loss whose predictions and targets are probabilities."""
NODE_LIMIT = 200_000


def neuron(inputs: int, activation: str = "tanh", seed: int = 0) -> Graph:
    """Return one neuron: products x1*w1 ..., their sum, the bias b, and the activation o."""
    _check_sizes([inputs, 1])
    _check_activation(activation)
    sheet = _Sheet(seed)
    xs = [sheet.leaf(1.0, f"x{k}") for k in range(1, inputs + 1)]
    ws = [sheet.weight(f"w{k}") for k in range(1, inputs + 1)]
    products = [
        sheet.op("mul", x, w, label=f"x{k}*w{k}")
        for k, (x, w) in enumerate(zip(xs, ws, strict=True), 1)
    ]
    total = sheet.op("add", sheet.sum(products), sheet.leaf(0.0, "b"), label="n")
    return sheet.graph(sheet.activate(total, activation, "o"))


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
    sheet = _Sheet(seed)
    xs = [sheet.leaf(1.0, f"x{k}") for k in range(1, sizes[0] + 1)]
    outputs = _Network(sheet, sizes, activation, last).forward(xs)
    return sheet.graph(outputs[0] if rooted else None)


def mse(count: int = 1) -> Graph:
    """Return the mean squared error of predictions p1, p2 ... against targets t1, t2 ..."""
    return _loss_alone("mse", count)


def hinge(count: int = 1) -> Graph:
    """Return the mean hinge loss relu(1 − t·p) of scores p1, p2 ... against targets −1 or 1."""
    return _loss_alone("hinge", count)


def binary_cross_entropy(count: int = 1) -> Graph:
    """Return the mean binary cross-entropy of probabilities p1, p2 ... against targets 0 or 1."""
    return _loss_alone(CHANCE, count)


def training(
    sizes: Sequence[int],
    samples: Sequence[Sample],
    loss: str = "mse",
    activation: str = "tanh",
    seed: int = 0,
) -> Graph:
    """Return a network with shared weights over all samples, whose mean loss is the root.

    Data are constants. For the binary cross-entropy the network ends with a sigmoid, and targets of
    −1 become 0.
    """
    _check_sizes(sizes)
    _check_activation(activation)
    check_samples(sizes, samples)
    _check_loss(loss)
    sheet = _Sheet(seed)
    chance = loss == CHANCE
    network = _Network(sheet, sizes, activation, "sigmoid" if chance else LINEAR)
    terms: list[int] = []
    for k, sample in enumerate(samples, 1):
        mark = f"_{k}" if len(samples) > 1 else ""
        xs = [sheet.constant(x, f"x{i}{mark}") for i, x in enumerate(sample.inputs, 1)]
        prediction = network.forward(xs, mark)[0]
        target = (sample.target + 1.0) / 2.0 if chance else sample.target
        goal = sheet.constant(target, f"t{mark}")
        terms.append(LOSSES[loss](sheet, prediction, goal))
    return sheet.graph(_mean(sheet, terms))


def sample_loss(
    sizes: Sequence[int],
    loss: str = "mse",
    activation: str = "tanh",
    seed: int = 0,
    last: str = LINEAR,
) -> Graph:
    """Return the loss of one sample, with its inputs x1, x2 ... and its target t as leaves.

    The last layer has the activation `last`, or a sigmoid for the binary cross-entropy. The weights
    are those of `training` with the same seed, neuron by neuron in the order of ids.
    """
    _check_sizes(sizes)
    _check_activation(activation)
    _check_loss(loss)
    sheet = _Sheet(seed)
    _check_activation(last)
    network = _Network(sheet, sizes, activation, "sigmoid" if loss == CHANCE else last)
    xs = [sheet.leaf(0.0, f"x{i}") for i in range(1, sizes[0] + 1)]
    prediction = network.forward(xs)[0]
    return sheet.graph(_mean(sheet, [LOSSES[loss](sheet, prediction, sheet.leaf(1.0, "t"))]))


class _Sheet:
    """A graph under construction."""

    def __init__(self, seed: int) -> None:
        self.nodes: dict[int, Node] = {}
        self._dice = random.Random(seed)

    def leaf(self, value: float, label: str) -> int:
        return self._add(Leaf(value, label))

    def weight(self, label: str) -> int:
        """Add a leaf with a random number from −1 to 1."""
        return self.leaf(round(self._dice.uniform(-1.0, 1.0), 3), label)

    def constant(self, value: float, label: str = "") -> int:
        return self._add(Constant(value, label))

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
    """Weights and biases, made once and shared by all samples."""

    def __init__(self, sheet: _Sheet, sizes: Sequence[int], activation: str, last: str) -> None:
        self._sheet = sheet
        self._layers = [
            (list(self._neurons(k, sizes)), last if k == len(sizes) - 1 else activation)
            for k in range(1, len(sizes))
        ]

    def forward(self, inputs: Sequence[int], mark: str = "") -> list[int]:
        """Add the network's outputs for some inputs; `mark` distinguishes this sample's labels."""
        found = list(inputs)
        for k, (neurons, activation) in enumerate(self._layers, 1):
            final = k == len(self._layers)
            single = final and len(neurons) == 1
            names = [
                f"{'o' if final else f'h{k}_'}{'' if single else j}{mark}"
                for j in range(1, len(neurons) + 1)
            ]
            found = [
                self._neuron(found, ws, b, activation, name)
                for (ws, b), name in zip(neurons, names, strict=True)
            ]
        return found

    def _neurons(self, layer: int, sizes: Sequence[int]) -> Iterator[tuple[list[int], int]]:
        """Yield the weights and the bias of each neuron: w1_2_3 is layer 1, neuron 2, input 3."""
        for j in range(1, sizes[layer] + 1):
            weights = [
                self._sheet.weight(f"w{layer}_{j}_{i}") for i in range(1, sizes[layer - 1] + 1)
            ]
            yield weights, self._sheet.leaf(0.0, f"b{layer}_{j}")

    def _neuron(
        self, inputs: Sequence[int], weights: Sequence[int], bias: int, activation: str, name: str
    ) -> int:
        sheet = self._sheet
        products = [sheet.op("mul", x, w) for x, w in zip(inputs, weights, strict=True)]
        total = sheet.op("add", sheet.sum(products), bias)
        return sheet.activate(total, activation, name)


def _squared(sheet: _Sheet, prediction: int, target: int) -> int:
    apart = sheet.op("sub", prediction, target)
    return sheet.op("pow", apart, sheet.constant(2.0))


def _margin(sheet: _Sheet, prediction: int, target: int) -> int:
    product = sheet.op("mul", target, prediction)
    return sheet.op("relu", sheet.op("sub", sheet.constant(1.0), product))


def _surprise(sheet: _Sheet, prediction: int, target: int) -> int:
    """Add −(t · log p + (1 − t) · log(1 − p))."""
    yes = sheet.op("mul", target, sheet.op("log", prediction))
    otherwise = sheet.op("sub", sheet.constant(1.0), target)
    doubt = sheet.op("log", sheet.op("sub", sheet.constant(1.0), prediction))
    return sheet.op("neg", sheet.op("add", yes, sheet.op("mul", otherwise, doubt)))


LOSSES: dict[str, Callable[[_Sheet, int, int], int]] = {
    "mse": _squared,
    "hinge": _margin,
    CHANCE: _surprise,
}
"""Losses of a prediction against its target, for one sample."""


def _loss_alone(loss: str, count: int) -> Graph:
    _check_sizes([count, 1])
    sheet = _Sheet(0)
    chance = loss == CHANCE
    terms: list[int] = []
    for k in range(1, count + 1):
        prediction = sheet.leaf(0.5, f"p{k}")
        target = sheet.constant(float(k % 2) if chance else 1.0 if k % 2 else -1.0, f"t{k}")
        terms.append(LOSSES[loss](sheet, prediction, target))
    return sheet.graph(_mean(sheet, terms))


def _mean(sheet: _Sheet, terms: Sequence[int]) -> int:
    total = sheet.sum(terms)
    if len(terms) > 1:
        total = sheet.op("div", total, sheet.constant(float(len(terms))))
    found = sheet.nodes[total]
    assert isinstance(found, OpNode)
    sheet.nodes[total] = OpNode(found.op, found.inputs, "loss")
    return total


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


def _check_loss(loss: str) -> None:
    if loss not in LOSSES:
        raise EngineError(
            "There is no loss called {loss}; there are {known}.", loss=loss, known=", ".join(LOSSES)
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
