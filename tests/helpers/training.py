"""A training loop run to an epoch, and the losses that an exported script prints."""

from collections.abc import Iterator

from engine.training.descent import Descent, all_four_steps


def updated(loop: Descent, updates: int) -> Iterator[Descent]:
    """The loop after each of `updates` updates; its `loss` is the one before that update."""
    for _ in range(updates):
        loop = all_four_steps(loop)
        yield loop


def printed_losses(printed: str) -> list[float]:
    """The losses that a program has printed, from the first epoch on."""
    return [float(line.split()[1]) for line in printed.splitlines()]
