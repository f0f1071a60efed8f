"""Trains by PyTorch in a process of its own; needs PyTorch and nothing else of this project.

Reads lines of JSON and answers each with a line of JSON. The first is the training: sizes, inputs,
targets, weights of each neuron with its bias last, activation, loss, decay and rates. Each further
one is [way, first epoch, epochs]; the answer is [seconds of the processor, losses].
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import torch  # pyright: ignore[reportMissingImports]

REAL: Any = torch.float64
Weights = list[list[list[float]]]


class Tensors:
    """The training over matrices, as everybody writes it."""

    def __init__(self, plan: dict[str, Any]) -> None:
        self.plan = plan
        self.inputs = torch.tensor(plan["inputs"], dtype=REAL)
        self.targets = torch.tensor([[t] for t in plan["targets"]], dtype=REAL)
        self.layers = [
            (
                torch.tensor([row[:-1] for row in layer], dtype=REAL, requires_grad=True),
                torch.tensor([row[-1] for row in layer], dtype=REAL, requires_grad=True),
            )
            for layer in plan["layers"]
        ]
        self.parameters = [p for layer in self.layers for p in layer]

    def epoch(self, rate: float) -> float:
        for p in self.parameters:
            p.grad = None
        h = self.inputs
        for weights, biases in self.layers:
            h = h @ weights.T + biases
            last = weights is self.layers[-1][0]
            kind = self.plan["last" if last else "activation"]
            h = torch.tanh(h) if kind == "tanh" else torch.relu(h) if kind == "relu" else h
        if self.plan["loss"] == "mse":
            loss = ((h - self.targets) ** 2).mean()
        else:
            loss = torch.relu(1 - self.targets * h).mean()
        if self.plan["decay"]:
            loss = loss + self.plan["decay"] * sum((p * p).sum() for p in self.parameters)
        loss.backward()
        with torch.no_grad():
            for p in self.parameters:
                p -= rate * p.grad
        return loss.item()


class Scalars:
    """The same with a tensor for each number."""

    def __init__(self, plan: dict[str, Any]) -> None:
        self.plan = plan
        self.layers = [[[_scalar(x) for x in row] for row in layer] for layer in plan["layers"]]
        self.parameters = [p for layer in self.layers for row in layer for p in row]

    def epoch(self, rate: float) -> float:
        for p in self.parameters:
            p.grad = None
        plan = self.plan
        losses = [
            self._loss(inputs, target)
            for inputs, target in zip(plan["inputs"], plan["targets"], strict=True)
        ]
        loss: Any = sum(losses[1:], losses[0]) / len(losses)
        if plan["decay"]:
            loss = loss + plan["decay"] * sum(p * p for p in self.parameters)
        loss.backward()
        with torch.no_grad():
            for p in self.parameters:
                p -= rate * p.grad
        return loss.item()

    def _loss(self, inputs: list[float], target: float) -> Any:
        h: list[Any] = inputs
        for layer in self.layers:
            kind = self.plan["last" if layer is self.layers[-1] else "activation"]
            h = [_activated(self._sum(row, h), kind) for row in layer]
        if self.plan["loss"] == "mse":
            return (h[0] - target) ** 2
        return torch.relu(1 - target * h[0])

    def _sum(self, row: list[Any], inputs: list[Any]) -> Any:
        total = row[-1]
        for weight, x in zip(row, inputs, strict=False):
            total = total + weight * x
        return total


def _activated(number: Any, kind: str) -> Any:
    return (
        torch.tanh(number) if kind == "tanh" else torch.relu(number) if kind == "relu" else number
    )


def _scalar(number: float) -> Any:
    return torch.tensor(number, dtype=REAL, requires_grad=True)


def main() -> None:
    torch.set_num_threads(1)
    plan = json.loads(sys.stdin.readline())
    print(json.dumps(torch.__version__), flush=True)
    trainings: dict[str, Any] = {}
    for line in sys.stdin:
        way, first, epochs = json.loads(line)
        if first == 0 or way not in trainings:
            trainings[way] = (Tensors if way == "tensors" else Scalars)(plan)
        training = trainings[way]
        start = time.process_time()
        losses = [training.epoch(rate) for rate in plan["rates"][first : first + epochs]]
        print(json.dumps([time.process_time() - start, losses]), flush=True)


if __name__ == "__main__":
    main()
