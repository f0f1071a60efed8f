"""Training loops and other generators run to an end, and the losses that a script prints."""

from collections.abc import Generator, Iterator
from typing import TypeVar

from engine.training.descent import Descent, all_four_steps


def updated(loop: Descent, updates: int) -> Iterator[Descent]:
    """The loop after each of `updates` updates; its `loss` is the one before that update."""
    for _ in range(updates):
        loop = all_four_steps(loop)
        yield loop


def printed_losses(printed: str) -> list[float]:
    """The losses that a program has printed, from the first epoch on."""
    return [float(line.split()[1]) for line in printed.splitlines()]


Result = TypeVar("Result")


def run_to_end(work: Generator[object, None, Result]) -> Result:
    """Run a generator; return what it returns."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value
