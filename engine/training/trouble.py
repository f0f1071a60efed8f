"""Names what goes wrong in a training, in one sentence that says what to do."""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine.numbers import short

RECENT = 10
"""Epochs over which a training is judged."""
STILL = 1e-9
"""Relative change of the loss below which it stands still."""
FAR = 0.5
"""Share of the first loss above which a loss that stands still is too high."""


def trouble(losses: Sequence[float], rate: float) -> str:
    """Say what is wrong with the losses by epoch at a learning rate; "" if nothing is."""
    if not losses:
        return ""
    first, last, epoch = losses[0], losses[-1], len(losses) - 1
    remedy = f"Reset and try {short(rate / 10.0)}."
    if not math.isfinite(last):
        said = "not a number" if math.isnan(last) else "infinite"
        if epoch == 0:
            return f"The loss is {said} before the first epoch: look at the numbers of the samples."
        return (
            f"At epoch {epoch} the loss is {said}: the rate {short(rate)} is too large, so every "
            f"update overshoots. {remedy}"
        )
    recent = losses[-RECENT:]
    if len(losses) <= RECENT:
        return ""
    if min(recent) > first:
        return (
            f"The loss has grown from {short(first)} to {short(last)}: the rate {short(rate)} is "
            f"too large, so updates overshoot. {remedy}"
        )
    if max(recent) - min(recent) <= STILL * abs(last) and last > FAR * first:
        return (
            f"The loss stands still at {short(last)}: all slopes are 0, as after too large a rate. "
            f"{remedy}"
        )
    return ""
