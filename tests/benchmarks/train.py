"""Training beside micrograd's demo, PyTorch's scalars and PyTorch's tensors.

python3 run.py bench train [--rounds N] [--epochs N]

The moons, 100 samples in one batch, a network 2-16-16-1: once as micrograd's demo trains it (relu,
the largest margin, weights held small, a rate that falls) and once as the window does by default.
All take turns in one run; figures are medians, in epochs for each second of the processor. PyTorch
runs on one thread in a process of its own, by the Python that BACKWIRE_TORCH names or by this one.

The usual speed is that of the machine on which micrograd takes 0.867 s for an epoch of its demo.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import micrograd.engine
from msgspec.structs import replace

from engine.training import templates
from engine.training.learning import Learner, Setup
from tests.benchmarks.peers import Reach
from tests.benchmarks.train_window import frames

SIZES = (2, 16, 16, 1)
DEMO = Setup(SIZES, "relu", "linear", "hinge", 1.0, epochs=100, decay=1e-4, fades=True)
DEFAULT = replace(Setup(), sizes=SIZES)
USUAL = 0.867
"""Seconds of an epoch of micrograd's demo at the usual speed of the machine."""
LEAST = 1000
"""Epochs a second that must be reached at the usual speed."""
EQUAL = 1e-9
"""How far losses may be apart, relative."""
FEW = 2
"""Epochs of those who need a second for one."""

Timed = tuple[float, list[float]]
"""Seconds of the processor, and the losses."""
Run = Callable[[int, int], Timed]
"""Trains from an epoch on for so many; from 0 it starts again."""


def main(argv: Sequence[str]) -> int:
    """Print the tables; 0 if everything is reached, which a missing peer is not."""
    parser = argparse.ArgumentParser(prog="bench train")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--epochs", type=int, default=100, help="epochs whose losses are compared")
    chosen = parser.parse_known_args(argv)[0]
    reach = Reach()
    slower = 1.0
    for title, setup in (("micrograd's demo", DEMO), ("the window's default", DEFAULT)):
        slower = _table(title, setup, chosen.rounds, chosen.epochs, slower, reach)
    frames(DEFAULT, slower, reach)
    return 0 if reach.report("To be reached") else 1


def _table(
    title: str, setup: Setup, rounds: int, epochs: int, slower: float, reach: Reach
) -> float:
    """One training by all; returns how many times slower than usual the machine is."""
    learner = Learner(setup, templates.moons(100))
    runs: dict[str, tuple[Run, int]] = {"ours": (_ours(learner), epochs)}
    if setup.activation == "relu":
        runs["micrograd"] = (_micrograd(learner), FEW)
    with _Torch(learner, epochs) as torch:
        if torch.version:
            runs["PyTorch scalars"] = (torch.run("scalars"), FEW)
            runs["PyTorch tensors"] = (torch.run("tensors"), epochs)
        print(f"\n{title}: moons 100, full batch, {'-'.join(map(str, SIZES))}, gc on")
        speeds = _speeds(runs, rounds)
        if "micrograd" in speeds:
            slower = 1.0 / speeds["micrograd"] / USUAL
            print(f"  this machine now: {slower:.2f} × as slow as usual")
        apart = _apart(runs, epochs)
    print(f"  {'':18}{'epochs/s':>12}{'× ours':>10}{'losses apart, relative':>26}")
    for name, speed in speeds.items():
        difference = f"{apart[name]:.1e}" if name in apart else "–"
        print(f"  {name:18}{speed:12,.1f}{speeds['ours'] / speed:10.1f}{difference:>26}")
    reach.at_least(f"{title}: epochs/s at usual speed", speeds["ours"] * max(slower, 1.0), LEAST)
    for name, least in (("PyTorch scalars", 1), ("PyTorch tensors", 2)):
        if name not in speeds:
            print(f"  {name}: missing, so its figures are missed")
        reach.at_least(f"{title}: × {name}", speeds["ours"] / speeds.get(name, float("inf")), least)
    peers = [name for name in ("micrograd", "PyTorch scalars", "PyTorch tensors") if name in apart]
    equal = len(peers) >= 2 and all(apart[name] <= EQUAL for name in peers)
    reach.at_least(f"{title}: losses of {epochs} epochs equal within {EQUAL:g}", float(equal), 1)
    return slower


def _speeds(runs: dict[str, tuple[Run, int]], rounds: int) -> dict[str, float]:
    """Median epochs a second; all take turns, and the first round warms up."""
    found: dict[str, list[float]] = {name: [] for name in runs}
    for k in range(rounds + 1):
        for name, (run, epochs) in runs.items():
            if epochs == FEW and k > 3:
                continue
            gc.collect()
            seconds, _losses = run(0, epochs)
            if k:
                found[name].append(epochs / seconds)
    return {name: statistics.median(speeds) for name, speeds in found.items()}


def _apart(runs: dict[str, tuple[Run, int]], epochs: int) -> dict[str, float]:
    """Return how far the losses of each peer are from ours at most, relative."""
    gc.collect()
    gc.disable()  # micrograd's demo takes minutes with it
    ours = runs["ours"][0](0, epochs)[1]
    found: dict[str, float] = {}
    for name, (run, _few) in runs.items():
        if name != "ours":
            theirs = run(0, epochs)[1]
            found[name] = max(abs(a - b) / abs(b) for a, b in zip(ours, theirs, strict=True))
    gc.enable()
    return found


def _ours(learner: Learner) -> Run:
    def run(_first: int, epochs: int) -> Timed:
        start = time.process_time()
        state, losses = learner.start(), list[float]()
        for _ in range(epochs):
            state, loss = learner.epoch_and_loss(state)
            losses.append(loss)
        return time.process_time() - start, losses

    return run


def _micrograd(learner: Learner) -> Run:
    """micrograd's demo with our samples and first weights."""

    def run(_first: int, epochs: int) -> Timed:
        network = _Demo(learner)
        start = time.process_time()
        losses = [network.epoch(learner.setup.rate_at(k)) for k in range(epochs)]
        return time.process_time() - start, losses

    return run


class _Demo:
    def __init__(self, learner: Learner) -> None:
        value: Any = micrograd.engine.Value
        self.samples, self.value = learner.samples, value
        self.layers = [[[value(x) for x in row] for row in layer] for layer in _layers(learner)]
        self.parameters = [p for layer in self.layers for row in layer for p in row]
        self.decay = learner.setup.decay

    def epoch(self, rate: float) -> float:
        inputs = [[self.value(x) for x in sample.inputs] for sample in self.samples]
        scores: list[Any] = [self._score(x) for x in inputs]
        losses = [
            (1 + -sample.target * score).relu()
            for sample, score in zip(self.samples, scores, strict=True)
        ]
        total: Any = sum(losses) * (1.0 / len(losses))
        total = total + self.decay * sum(p * p for p in self.parameters)
        for p in self.parameters:
            p.grad = 0
        total.backward()
        for p in self.parameters:
            p.data -= rate * p.grad
        return total.data

    def _score(self, inputs: list[Any]) -> Any:
        for layer in self.layers:
            sums: list[Any] = [
                sum((w * x for w, x in zip(row, inputs, strict=False)), row[-1]) for row in layer
            ]
            inputs = sums if layer is self.layers[-1] else [total.relu() for total in sums]
        return inputs[0]


@dataclass
class _Torch:
    """The process that trains by PyTorch; without PyTorch it has no version."""

    learner: Learner
    epochs: int
    version: str = ""

    def __enter__(self) -> _Torch:
        command = [
            os.environ.get("BACKWIRE_TORCH", sys.executable),
            *("-W", "ignore"),
            str(Path(__file__).with_name("torch_training.py")),
        ]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        setup = self.learner.setup
        plan = {
            "inputs": [list(sample.inputs) for sample in self.learner.samples],
            "targets": self.learner.targets.tolist(),
            "layers": _layers(self.learner),
            "activation": setup.activation,
            "last": setup.last,
            "loss": setup.loss,
            "decay": setup.decay,
            "rates": [setup.rate_at(k) for k in range(self.epochs)],
        }
        try:
            self.version = self._ask(plan)
        except (OSError, ValueError):  # it has ended already
            self.version = ""
        return self

    def __exit__(self, *_error: object) -> None:
        self._process.kill()
        self._process.communicate()

    def run(self, way: str) -> Run:
        def run(first: int, epochs: int) -> Timed:
            seconds, losses = self._ask([way, first, epochs])
            return seconds, losses

        return run

    def _ask(self, question: object) -> Any:
        pipe = self._process
        assert pipe.stdin is not None
        assert pipe.stdout is not None
        pipe.stdin.write(json.dumps(question) + "\n")
        pipe.stdin.flush()
        return json.loads(pipe.stdout.readline())


def _layers(learner: Learner) -> list[list[list[float]]]:
    """The first weights of each neuron, its bias last."""
    values, found, first = learner.start().values.tolist(), list[list[list[float]]](), 0
    for inputs, outputs in pairwise(learner.setup.sizes):
        wide = inputs + 1
        found.append([values[first + k * wide : first + (k + 1) * wide] for k in range(outputs)])
        first += outputs * wide
    return found
