"""Names what goes wrong in a training, in one sentence that says what to do."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from engine.numbers import short

RECENT = 10
"""Epochs over which a training is judged."""
STILL = 1e-9
"""Relative change of the loss below which it stands still."""
FAR = 0.5
"""Share of the first loss above which a loss that stands still is too high."""


def trouble(
    losses: Sequence[float], rate: float, rate_at: Callable[[int], float] | None = None
) -> str:
    """Say what is wrong with the losses by epoch at a learning rate; "" if nothing is.

    `rate_at` returns the rate of the update after an epoch, where it has been changed meanwhile.
    """
    if not losses:
        return ""
    first, last = losses[0], losses[-1]
    blamed = rate if rate_at is None else rate_at(_began(losses))
    # a smaller one may have been chosen since
    again = f"Reset, so that {short(rate)} starts again." if rate < blamed else ""
    smaller = again or f"Reset and try {short(blamed / 10.0)}."
    if not math.isfinite(last):
        return _not_finite(losses, blamed, smaller)
    recent = losses[-RECENT:]
    if len(losses) <= RECENT:
        return ""
    if min(recent) > first:
        return (
            f"The loss has grown from {short(first)} to {short(last)}: the rate {short(blamed)} is "
            f"too large, so updates overshoot. {smaller}"
        )
    if max(recent) - min(recent) <= STILL * abs(last) and last > FAR * first:
        return (
            f"The loss stands still at {short(last)}: the rate {short(blamed)} is too large or too "
            "small, or this network can do no better. "
            f"{again or 'Reset and try another rate, or more neurons.'}"
        )
    return ""


def _not_finite(losses: Sequence[float], rate: float, remedy: str) -> str:
    """Say at which epoch a loss was first infinite or not a number, and why."""
    epoch = next(k for k, loss in enumerate(losses) if not math.isfinite(loss))
    said = "not a number" if math.isnan(losses[epoch]) else "infinite"
    if epoch == 0:
        return f"The loss is {said} before the first epoch: look at the numbers of the samples."
    return (
        f"At epoch {epoch} the loss is {said}: the rate {short(rate)} is too large, so every "
        f"update overshoots. {remedy}"
    )


def _began(losses: Sequence[float]) -> int:
    """Return the last epoch with a loss no larger than the first one, or one that moved still."""
    first, last, k = losses[0], losses[-1], len(losses) - 1
    bad = last > first or not math.isfinite(last)
    while k > 0 and (not losses[k] <= first if bad else abs(losses[k] - last) <= STILL * abs(last)):
        k -= 1
    return k
