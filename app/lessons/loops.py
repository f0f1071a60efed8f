"""Loops: what gradient descent and training come to, computed from their beginning each time."""

from __future__ import annotations

import itertools
from functools import lru_cache

from engine.errors import EngineError
from engine.graph import Graph
from engine.training.datasets import xor
from engine.training.descent import once, start

MOST_WEIGHTS = 100
"""Weights of a lesson's network."""


def descended(graph: Graph, rate: float, updates: int) -> tuple[Graph, float | None]:
    """Return the graph after so many updates, and the loss of the last forward pass."""
    loop = start(graph, rate)
    for _ in range(updates):
        loop = once(loop)
    return loop.graph, loop.loss


@lru_cache(maxsize=64)
def trained(sizes: tuple[int, ...], rate: float, seed: int, epochs: int) -> float:
    """Return the loss of a network that has learnt XOR for so many epochs."""
    from engine.training.learning import Learner, Setup

    weights = sum((a + 1) * b for a, b in itertools.pairwise(sizes))
    if weights > MOST_WEIGHTS:
        raise EngineError(
            "This network has {count:,} weights; in a lesson it may have {limit}.",
            count=weights,
            limit=MOST_WEIGHTS,
        )
    learner = Learner(Setup(sizes, rate=rate, seed=seed), xor())
    state = learner.start()
    for _ in range(epochs):
        state = learner.epoch(state)
    return learner.loss(state)
