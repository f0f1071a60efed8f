"""What is said of a training: how far it is, what is wrong with it, and its table."""

from __future__ import annotations

from collections.abc import Sequence

from app.workbench.training.training import Training
from app.workbench.training.training_data import TABLE
from engine.numbers import counted, plain, short
from engine.training.trouble import Trouble, trouble


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


def sentence(training: Training, advice: str = "") -> str:
    """Say how far a training is, or what is wrong with it, with what to do about it."""
    wrong = trouble_of(training)
    if wrong is not None:
        return f"{wrong.said} {advice}".strip()
    epoch, loss = training.state.epochs, short(training.loss)
    if not epoch:
        return f"Before the first epoch the loss is {loss}. Run trains the network."
    if not training.learner.classes:
        one, many = (
            "After 1 epoch the loss is {loss}.",
            "After {count:,} epochs the loss is {loss}.",
        )
        return counted(epoch, one, many, loss=loss)
    right = training.right
    return counted(
        epoch,
        "After 1 epoch the loss is {loss}, and {right:,} of {all:,} samples are right.",
        "After {count:,} epochs the loss is {loss}, and {right:,} of {all:,} samples are right.",
        loss=loss,
        right=sum(right),
        all=len(right),
    )


def table(training: Training) -> str:
    """Return loss and accuracy by epoch as comma-separated values."""
    lines = ["epoch,loss,accuracy"]
    for epoch, loss in enumerate(training.losses):
        accuracy = training.accuracies.get(epoch)
        lines.append(f"{epoch},{plain(loss)},{'' if accuracy is None else plain(accuracy)}")
    return "\n".join([*lines, ""])
