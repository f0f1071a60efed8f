"""What is said of a training: how far it is, what is wrong with it, and its table."""

from __future__ import annotations

from collections.abc import Sequence

from app.controls.rich_text import Span, Spans, filled
from app.workbench.training.training import TABLE, Training
from engine.numbers import plain, short
from engine.training.trouble import Trouble, trouble

_BEFORE = "Before the first epoch the loss is {loss}. Run trains the network."
_AFTER = (
    "After **{epochs}** epochs the loss is {loss}.",
    "After **{epochs}** epoch the loss is {loss}.",
)
_AFTER_WITH_CLASSES = (
    "After **{epochs}** epochs the loss is {loss}, **{right}** of {all} right.",
    "After **{epochs}** epoch the loss is {loss}, **{right}** of {all} right.",
)
"""Of several epochs, and of one."""


def network_text(sizes: Sequence[int]) -> str:
    """Write the sizes of a network: mlp(2, 8, 1)."""
    return f"mlp({', '.join(map(str, sizes))})"


def title(training: Training) -> str:
    """Say what is trained, and on which samples."""
    samples = "a table" if training.data == TABLE else training.data
    return f"{network_text(training.setup.sizes)} on {samples}"


def trouble_of(training: Training) -> Trouble | None:
    """Return what is wrong with a training, or None."""
    return trouble(training.losses, training.rate, training.setup.rate_at)


def sentence(training: Training) -> Spans:
    """Say how far a training is, where nothing is wrong with it."""
    epoch, loss = training.state.epochs, Span(short(training.loss), "value", bold=True)
    if not epoch:
        return filled(_BEFORE, loss=loss)
    after, after_one = _AFTER_WITH_CLASSES if training.learner.classes else _AFTER
    right = training.right if training.learner.classes else ()
    return filled(
        after if epoch > 1 else after_one,
        epochs=f"{epoch:,}",
        loss=loss,
        right=f"{sum(right):,}",
        all=f"{len(right):,}",
    )


def table(training: Training) -> str:
    """Return loss and accuracy by epoch as comma-separated values."""
    lines = ["epoch,loss,accuracy"]
    for epoch, loss in enumerate(training.losses):
        accuracy = training.accuracies.get(epoch)
        lines.append(f"{epoch},{plain(loss)},{'' if accuracy is None else plain(accuracy)}")
    return "\n".join([*lines, ""])
