"""The PyTorch script of a training prints the losses of the training."""

import importlib.util
import os
import subprocess
import sys

import pytest

from engine import EngineError
from engine.training import templates
from engine.training.learning import Learner, Setup
from engine.training.templates import CROSS_ENTROPY
from engine.training.torch_script import write
from tests.helpers.tables import in_turn
from tests.helpers.training import printed_losses

SETUPS = (
    Setup((2, 8, 1)),
    Setup((2, 4, 4, 1), "relu", "linear", "hinge", 1.0, epochs=30, decay=1e-4, fades=True),
    Setup((2, 4, 1), last="linear", loss=CROSS_ENTROPY, rate=0.1),
    Setup((2, 4, 1), rate=0.1, batch=7, seed=3),
    Setup((2, 4, 1), rate=0.5, changes=((5, 0.2), (12, 0.1))),
)


def torch_python() -> str | None:
    """The Python that has PyTorch: the one named by BACKWIRE_TORCH, or this one."""
    named = os.environ.get("BACKWIRE_TORCH")
    return named or (sys.executable if importlib.util.find_spec("torch") else None)


def losses(learner: Learner, epochs: int) -> list[float]:
    state, found = learner.start(), list[float]()
    for _ in range(epochs):
        state, loss = learner.epoch_and_loss(state)
        found.append(loss)
    return [*found, learner.loss(state)]


@in_turn("setup", SETUPS)
def test_it_is_python_that_holds_all_samples_and_the_first_weights(setup: Setup):
    learner = Learner(setup, templates.moons(20))
    text = write(learner, 5)
    compile(text, "script", "exec")
    for sample in learner.samples:
        assert str(list(sample.inputs)) in text
    assert all(repr(value) in text for value in learner.start().values.tolist())


@in_turn("setup", SETUPS)
def test_pytorch_prints_the_same_losses(setup: Setup):
    python = torch_python()
    if python is None:
        pytest.skip("there is no PyTorch")
    learner = Learner(setup, templates.moons(30))
    command = [python, "-W", "ignore", "-"]
    done = subprocess.run(
        command, input=write(learner, 30), capture_output=True, text=True, check=True
    )
    assert printed_losses(done.stdout) == pytest.approx(losses(learner, 30), rel=1e-9)


def test_what_it_cannot_say_is_refused():
    with pytest.raises(EngineError, match="sin"):
        write(Learner(Setup(activation="sin"), templates.xor()), 1)
