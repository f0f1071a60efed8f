"""What a network is trained on: data sets by name, and a setup that fits them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from msgspec.structs import replace

from engine.training import datasets
from engine.training.datasets import Sample
from engine.training.learning import Setup

DATA: Final[dict[str, Callable[[int], tuple[Sample, ...]]]] = {
    "moons": lambda seed: datasets.moons(100, seed=seed),
    "XOR": lambda _seed: datasets.xor(),
    "circles": lambda seed: datasets.circles(100, seed=seed),
    "line": lambda seed: datasets.line(40, seed=seed),
}
"""Data sets by name, made from a seed."""
TABLE: Final = "table"
"""The name of samples that come from a table."""


def adapted(setup: Setup, samples: Sequence[Sample]) -> Setup:
    """Return the setup for its samples: their number of inputs, and a last layer for their targets.

    Targets that are no classes are met by a linear output and squares.
    """
    classes = all(abs(sample.target) == 1.0 for sample in samples)
    loss = setup.loss if classes else "mse"
    return replace(
        setup,
        sizes=(len(samples[0].inputs), *setup.sizes[1:]),
        loss=loss,
        last="tanh" if classes and loss == "mse" else "linear",
    )
