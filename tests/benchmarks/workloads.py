"""What the engines are timed on: the same programs for any kind of number.

`make` turns a float into a number of the engine that is asked: micrograd's Value, ours, or a
PyTorch scalar.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

Make = Callable[[float], Any]
Moons = list[tuple[float, float, int]]


@dataclass(frozen=True)
class Workload:
    """A name, how many operations it has, and the builder of its root."""

    name: str
    ops: int
    build: Callable[[Make], Callable[[], Any]]


def neuron(make: Make) -> Callable[[], Any]:
    """A neuron of two inputs; new leaves every time."""

    def root() -> Any:
        x1, x2, w1, w2 = make(2.0), make(0.5), make(-3.0), make(1.0)
        return (x1 * w1 + x2 * w2 + make(6.9)).relu()

    return root


def chain(ops: int) -> Callable[[Make], Callable[[], Any]]:
    """Operations one behind the other."""

    def build(make: Make) -> Callable[[], Any]:
        def root() -> Any:
            x, y = make(0.5), make(1.0)
            for _ in range(ops // 2):
                y = y * x + x
            return y

        return root

    return build


class Bare:
    """An object with as many attributes as a Value, and nothing else."""

    __slots__ = ("__dict__", "a", "b", "data", "grad", "made", "mark")
    a: Bare | None
    b: Bare | None
    data: float
    grad: float
    made: str
    mark: object


def bare_chain(ops: int) -> Callable[[], None]:
    """Objects linked one behind the other, and a walk back: what Python needs for a chain."""

    def run() -> None:
        root: Bare | None = None
        number = 1.0
        for _ in range(ops):
            node = Bare()
            node.data, node.grad, node.a, node.b = number, 0.0, root, None
            node.made, node.mark = "*", None
            root, number = node, number * 0.5 + 0.5
        while root is not None:
            root.grad += root.data
            root = root.a

    return run


Recipe = tuple[list[float], list[tuple[str, int, int]]]


def irregular(ops: int) -> Recipe:
    """Leaves, then operations of one number that nothing uses yet and one from anywhere."""
    dice = random.Random(ops)
    leaves = [dice.uniform(-1, 1) for _ in range(max(2, ops // 10))]
    steps: list[tuple[str, int, int]] = []
    waiting = list(range(len(leaves)))  # what nothing uses yet, and some that has been used
    used = [False] * (len(leaves) + ops)
    unused = len(leaves)

    def take() -> int:
        while True:
            place = dice.randrange(len(waiting))
            waiting[place], waiting[-1] = waiting[-1], waiting[place]
            if not used[found := waiting.pop()]:
                used[found] = True
                return found

    for step in range(ops):
        i = take()
        if unused > ops - step:  # time to join what nothing uses
            op, j, unused = "+", take(), unused - 2
        else:
            op = dice.choices(("+", "*", "-", "relu"), (3, 3, 1, 1))[0]
            j = i if op == "relu" else dice.randrange(len(leaves) + step)
            unused -= 1 if used[j] else 2
            used[j] = True
        steps.append((op, i, j))
        waiting.append(len(leaves) + step)
        unused += 1
    return leaves, steps


def cook(recipe: Recipe, make: Make) -> Any:
    """The root of a recipe."""
    values = [make(number) for number in recipe[0]]
    for op, i, j in recipe[1]:
        a, b = values[i], values[j]
        values.append(
            a + b if op == "+" else a * b if op == "*" else a - b if op == "-" else a.relu()
        )
    return values[-1]


def moons(count: int) -> Moons:
    """Two half circles of points, labelled 1 and -1."""
    dice = random.Random(1)
    found: Moons = []
    for k in range(count):
        angle, upper = math.pi * (k // 2) / (count / 2), k % 2
        x, y = math.cos(angle), math.sin(angle)
        x, y = (x, y) if upper else (1 - x, 0.5 - y)
        found.append((x + dice.gauss(0, 0.1), y + dice.gauss(0, 0.1), 1 if upper else -1))
    return found


class Network:
    """micrograd's MLP(2, [16, 16, 1]) of relus and its loss over the moons."""

    sizes = (2, 16, 16, 1)

    def __init__(self, make: Make, samples: int) -> None:
        dice = random.Random(1337)
        self.make, self.points = make, moons(samples)
        self.layers = [
            [
                ([make(dice.uniform(-1, 1)) for _ in range(inputs)], make(0.0))
                for _ in range(outputs)
            ]
            for inputs, outputs in zip(self.sizes[:-1], self.sizes[1:], strict=True)
        ]

    def parameters(self) -> Iterator[Any]:
        """All weights and biases."""
        for layer in self.layers:
            for weights, bias in layer:
                yield from (*weights, bias)

    def score(self, inputs: list[Any]) -> Any:
        """What the network says of a point."""
        for layer in self.layers:
            sums: list[Any] = [
                sum((w * x for w, x in zip(weights, inputs, strict=True)), bias)
                for weights, bias in layer
            ]
            inputs = sums if layer is self.layers[-1] else [total.relu() for total in sums]
        return inputs[0]

    def loss(self) -> Any:
        """The hinge loss of all points, with the weights held small."""
        scores = [self.score([self.make(x), self.make(y)]) for x, y, _label in self.points]
        losses = [
            (1 + -label * score).relu()
            for (_x, _y, label), score in zip(self.points, scores, strict=True)
        ]
        data = sum(losses) * (1.0 / len(losses))
        return data + 1e-4 * sum(p * p for p in self.parameters())


def network(samples: int) -> Callable[[Make], Callable[[], Any]]:
    """A step of the training: the loss of a network that is there already."""

    def build(make: Make) -> Callable[[], Any]:
        made = Network(make, samples)

        def root() -> Any:
            for p in made.parameters():
                p.grad = None if hasattr(p, "detach") else 0.0
            return made.loss()

        return root

    return build


def shuffled(ops: int) -> Callable[[Make], Callable[[], Any]]:
    """An irregular graph, built anew every time."""
    recipe = irregular(ops)
    return lambda make: lambda: cook(recipe, make)


EAGER = (
    Workload("neuron", 5, neuron),
    Workload("network, 1 sample", 1_319, network(1)),
    Workload("network, 100 samples", 65_075, network(100)),
    Workload("chain of 1,000", 1_000, chain(1_000)),
    Workload("chain of 100,000", 100_000, chain(100_000)),
    Workload("chain of 1,000,000", 1_000_000, chain(1_000_000)),
    Workload("irregular, 10,000", 10_000, shuffled(10_000)),
)
