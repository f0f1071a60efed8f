"""Names what goes wrong in a training, and tries on its network which rate would do."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Sequence

from msgspec import Struct

from engine.numbers import short
from engine.training.learning import Learner, State

RECENT = 10
"""Epochs over which a training is judged."""
STILL = 1e-9
"""Relative change of the loss below which it stands still."""
FAR = 0.5
"""Share of the first loss above which a loss that stands still is too high."""
HIGHEST = 100.0
"""The largest rate that is tried."""
MOST_RATES = 8
"""Rates that are tried at most, each a tenth of the one before."""
MOST_TRIED = 1_000
"""Epochs for which a rate is tried at most."""


class Trouble(Struct, frozen=True):
    """What is wrong, in one sentence, and the rate that is too large for this network.

    Without such a rate `remedy` says what to do.
    """

    said: str
    rate: float | None = None
    remedy: str = ""


class Tried(Struct, frozen=True):
    """The rate that did best, its epochs and the loss after them; no rate if none would do."""

    rate: float | None
    epochs: int = 0
    loss: float = math.nan


_GROWN = (
    "The loss has grown from {least} to {last}: the rate {rate} is too large, so updates overshoot."
)
_GROWN_SINCE = (
    "The loss has grown from {least} at epoch {epoch:,} to {last}: the rate {rate} is too large, so"
    " updates overshoot."
)


def trouble(
    losses: Sequence[float], rate: float, rate_at: Callable[[int], float] | None = None
) -> Trouble | None:
    """Say what is wrong with the losses by epoch at a learning rate; None if nothing is.

    `rate_at` returns the rate of the update after an epoch, where it has been changed meanwhile.
    """
    if not losses:
        return None
    first, last, recent = losses[0], losses[-1], losses[-RECENT:]
    foot, over = _growth(losses)
    blamed = rate if rate_at is None else max(map(rate_at, range(foot, over + 1)))
    if not math.isfinite(last):
        return _not_finite(losses, blamed)
    if len(losses) <= RECENT:
        return None
    if min(recent) > first:
        template = _GROWN_SINCE if foot else _GROWN
        said = template.format(
            least=short(losses[foot]), epoch=foot, last=short(last), rate=short(blamed)
        )
        return Trouble(said, blamed)
    if max(recent) - min(recent) <= STILL * abs(last) and last > FAR * first:
        blamed = rate if rate_at is None else rate_at(_moved_last(losses))
        return Trouble(
            f"The loss stands still at {short(last)}: the rate {short(blamed)} is too large or too "
            "small, or this network can do no better.",
            remedy="Reset and try another rate, or more neurons.",
        )
    return None


def rates_to_try(blamed: float, chosen: float) -> list[float]:
    """Return smaller rates than the blamed one: first the one that was chosen since, if it is."""
    largest = min(blamed / 10.0, HIGHEST)
    found = [largest / 10.0**k for k in range(MOST_RATES)]
    rates = [float(f"{rate:.12g}") for rate in ([chosen, *found] if chosen < blamed else found)]
    return [rate for rate in dict.fromkeys(rates) if rate > 0.0]


def tries(learner: Learner, blamed: float, chosen: float) -> Generator[None, None, Tried]:
    """Train the network from its first weights with smaller rates than the blamed one.

    Pauses between the parts of an epoch, and returns the rate that came to the lowest loss without
    trouble, for as many epochs as a run has. A rate that was chosen since is preferred.
    """
    best = Tried(None)
    for rate in rates_to_try(blamed, chosen):
        found = yield from _trial(learner, rate)
        if found.rate is not None and not found.loss >= best.loss:
            best = found
            if rate == chosen < blamed:
                break
        elif best.rate is not None:
            break
    return best


def _trial(learner: Learner, rate: float) -> Generator[None, None, Tried]:
    """Pause between the parts of an epoch, and return what a rate has come to."""
    learner = learner.with_rates(learner.setup.with_rate(rate, 0))
    epochs, losses = min(learner.setup.epochs, MOST_TRIED), list[float]()
    state: State = learner.start()
    for epoch in range(epochs):
        for found in learner.epoch_in_parts(state):
            if found is None:
                yield
                continue
            state, loss = found
            losses.append(loss)
        if not math.isfinite(losses[-1]) or (epoch % RECENT == 0 and trouble(losses, rate)):
            return Tried(None)
    losses.append(learner.loss(state))
    good = losses[-1] < losses[0] and not trouble(losses, rate)
    return Tried(rate, epochs, losses[-1]) if good else Tried(None)


def _not_finite(losses: Sequence[float], rate: float) -> Trouble:
    """Say at which epoch a loss was first infinite or not a number, and why."""
    epoch = next(k for k, loss in enumerate(losses) if not math.isfinite(loss))
    said = "not a number" if math.isnan(losses[epoch]) else "infinite"
    if epoch == 0:
        what = f"The loss is {said} before the first epoch:"
        return Trouble(what, remedy="look at the numbers of the samples.")
    return Trouble(
        f"At epoch {epoch} the loss is {said}: the rate {short(rate)} is too large, so every "
        "update overshoots.",
        rate,
    )


def _growth(losses: Sequence[float]) -> tuple[int, int]:
    """Return from which epoch on the loss grew, and the last one at which it was no larger than
    the first loss."""
    over = len(losses) - 1
    while over > 0 and not losses[over] <= losses[0]:
        over -= 1
    foot = over
    while foot > 0 and losses[foot - 1] < losses[foot]:
        foot -= 1
    return foot, over


def _moved_last(losses: Sequence[float]) -> int:
    """Return the last epoch from which the loss moved still."""
    return next(
        (
            k
            for k in range(len(losses) - 1, 0, -1)
            if abs(losses[k] - losses[-1]) > STILL * abs(losses[-1])
        ),
        0,
    )
