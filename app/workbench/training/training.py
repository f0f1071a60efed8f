"""Training: the network that is being trained, in slices, so that the window goes on meanwhile."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import count
from typing import Final

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from app.controls.slices import Slices, Work
from app.workbench.pace import USUAL_PACE, pause_of
from engine.errors import EngineError
from engine.graph import Graph
from engine.training import datasets
from engine.training.datasets import Sample
from engine.training.learning import Array, Learner, Setup, State

SLICES: Final = 15
"""Slices between two pictures of a training that goes on."""
KEPT: Final = 50
"""Interval in epochs at which the weights are kept; those between are computed again."""
JUDGED: Final = 10
"""Interval in epochs at which the accuracy is computed."""
MOST_EPOCHS: Final = 100_000


class Training(QObject):
    """One network, its samples, and how far it has learned; the one owner of all that."""

    reset_done = Signal()
    """Emitted when the network starts again: other data, another size, or the same again."""
    advanced = Signal()
    """Emitted when another epoch is to be shown, and when a run begins, rests or ends."""
    refused = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._data = "moons"
        self._samples = DATA["moons"](0)
        self.titles: tuple[str, ...] = ("x1", "x2")
        self._setup = Setup()
        self._pace = USUAL_PACE
        self._slices = Slices(self, budget=7)  # the mouse and the curves have the rest of a frame
        self._learner = Learner(self._setup, self._samples)
        self._start_over()

    # what is trained

    @property
    def setup(self) -> Setup:
        """Return what is trained and how."""
        return self._setup

    @property
    def rate(self) -> float:
        """Return the learning rate of the next epoch, as it was set."""
        return self._setup.changes[-1][1] if self._setup.changes else self._setup.rate

    @property
    def data(self) -> str:
        """Return the name of the data set, or `TABLE`."""
        return self._data

    @property
    def learner(self) -> Learner:
        """Return the network and its samples."""
        return self._learner

    @property
    def state(self) -> State:
        """Return the weights that are shown."""
        return self._state

    def set_data(self, name: str) -> bool:
        """Train on one of `DATA` from now on; return whether the network takes it."""
        samples = DATA[name](self._setup.seed)
        titles = tuple(f"x{k}" for k in range(1, len(samples[0].inputs) + 1))
        return self._try(adapted(self._setup, samples), samples, name, titles)

    def set_samples(self, samples: Sequence[Sample], titles: Sequence[str]) -> bool:
        """Train on samples of a table from now on; `titles` are the names of its inputs."""
        return self._try(adapted(self._setup, samples), tuple(samples), TABLE, tuple(titles))

    def change(self, setup: Setup) -> bool:
        """Train with another setup from the beginning, or refuse it and change nothing."""
        if setup == self._setup:
            return True
        samples = self._samples
        if setup.seed != self._setup.seed and self._data in DATA:
            samples = DATA[self._data](setup.seed)
        return self._try(adapted(setup, samples), samples, self._data, self.titles)

    def set_rate(self, rate: float) -> bool:
        """Train on with another learning rate; what was learned stays."""
        if not (math.isfinite(rate) and rate > 0.0):
            self.refused.emit("A learning rate is a number above 0.")
            return False
        if rate != self.rate:
            self._setup = self._setup.with_rate(rate, self._newest.epochs)
            self._learner = self._learner.with_rates(self._setup)
            if self.running:  # with the epoch that has begun
                self._slices.start(self._train(), after=pause_of(self._pace))
            self.advanced.emit()
        return True

    def set_epochs(self, epochs: int) -> None:
        """Set how many epochs a run has."""
        self._setup = replace(self._setup, epochs=epochs)
        self._learner = self._learner.with_rates(self._setup)
        self.advanced.emit()

    def _try(
        self, setup: Setup, samples: tuple[Sample, ...], data: str, titles: tuple[str, ...]
    ) -> bool:
        """Start again, or refuse it and change nothing."""
        try:
            learner = Learner(setup, samples)
        except EngineError as error:
            self.refused.emit(str(error))
            return False
        self._setup, self._samples, self._learner = setup, samples, learner
        self._data, self.titles = data, titles
        self._start_over()
        return True

    def _start_over(self) -> None:
        """Begin with the first weights, and with the rate that was set last."""
        self._slices.cancel()
        self._setup = self._setup.with_rate(self.rate, 0)
        self._learner = self._learner.with_rates(self._setup)
        self._state = self._newest = self._learner.start()
        self._kept: dict[int, State] = {0: self._state}
        self._losses: list[float] = [self._learner.loss(self._state)]
        self._accuracies: dict[int, float | None] = {0: self._learner.accuracy(self._state)}
        self._outputs = self._state, self._learner.outputs(self._state)
        self._sizes: tuple[State | None, list[float]] = (None, [])
        self._goal = 0
        self.reset_done.emit()

    # how far it has learned

    @property
    def losses(self) -> Sequence[float]:
        """Return the loss of all samples after 0, 1, 2 ... epochs."""
        return self._losses

    @property
    def accuracies(self) -> dict[int, float | None]:
        """Return the accuracy after some of the epochs."""
        return self._accuracies

    @property
    def loss(self) -> float:
        """Return the loss of the weights that are shown."""
        return self._losses[self._state.epochs]

    @property
    def outputs(self) -> Array:
        """Return what the network says of each sample with the weights that are shown."""
        state, outputs = self._outputs
        if state is not self._state:
            state, outputs = self._state, self._learner.outputs(self._state)
            self._outputs = state, outputs
        return outputs

    @property
    def grad_sizes(self) -> list[float]:
        """Return the size of the gradients in each layer with the weights that are shown."""
        state, sizes = self._sizes
        if state is not self._state:
            state, sizes = self._state, self._learner.grad_sizes(self._state)
            self._sizes = state, sizes
        return sizes

    @property
    def right(self) -> list[bool]:
        """Return which samples are on their side of 0; all of them where there are no classes."""
        if not self._learner.classes:
            return [True] * len(self._samples)
        return (self.outputs * self._learner.targets > 0.0).tolist()

    @property
    def accuracy(self) -> float | None:
        """Return the share of samples that the weights shown get right; None without classes."""
        right = self.right
        return sum(right) / len(right) if self._learner.classes else None

    @property
    def epochs(self) -> int:
        """Return how many epochs have been trained."""
        return self._newest.epochs

    @property
    def last_epoch(self) -> int:
        """Return the epoch with which the run ends that is on or rests, else the newest one."""
        return max(self._goal, self._newest.epochs)

    @property
    def running(self) -> bool:
        """Return whether epochs are being trained."""
        return self._slices.active

    @property
    def rests(self) -> bool:
        """Return whether a run is paused before its last epoch."""
        return not self.running and self._goal > self._newest.epochs

    # running

    @property
    def pace(self) -> str:
        """Return the name of the pace, one of `PACES`."""
        return self._pace

    def set_pace(self, pace: str) -> None:
        """Choose how many epochs a second are trained, from the next one on."""
        self._pace = pace
        if self.running:
            self._slices.start(self._train(), after=0)
        self.advanced.emit()

    def run(self, epochs: int | None = None) -> None:
        """Train more epochs, by default those of the setup or what is left of a paused run."""
        self.go(self._newest.epochs)
        if epochs is not None:
            self._goal = self._newest.epochs + epochs
        elif not self.rests:
            self._goal = self._newest.epochs + self._setup.epochs
        self._goal = min(self._goal, MOST_EPOCHS)
        if self._goal > self._newest.epochs:
            self._slices.start(self._train(), after=0)
        self.advanced.emit()

    def run_or_pause(self) -> None:
        """Run, or pause what runs."""
        if self.running:
            self.pause()
        else:
            self.run()

    def pause(self) -> None:
        """Rest; `run` goes on to the same end."""
        self._slices.cancel()
        self._show_newest()

    def stop(self) -> None:
        """End the run here."""
        self._goal = 0
        self.pause()

    def reset(self) -> None:
        """Go back to the first weights of the seed, and forget what was learned."""
        self._start_over()

    def go(self, epoch: int) -> None:
        """Show the weights after some of the epochs that have been trained."""
        self._slices.cancel()
        epoch = min(max(epoch, 0), self._newest.epochs)
        if epoch == self._newest.epochs:
            self._show_newest()
            return
        state = self._kept[epoch - epoch % KEPT]
        while state.epochs < epoch:
            state = self._learner.epoch(state)
        self._state = state
        self.advanced.emit()

    def sample_graph(self, sample: int) -> Graph:
        """Return the graph of one sample with the weights that are shown."""
        return self._learner.sample_graph(self._state, sample)

    def _train(self) -> Work:
        """Train to the goal, or until the loss is not finite.

        At full pace a slice shows what has been learned or trains, never both.
        """
        turns, slices = count(1), self._slices
        while self._newest.epochs < self._goal:
            for found in self._learner.epoch_in_parts(self._newest):
                if found is not None:
                    self._take_epoch(*found)
                elif slices.spent:
                    yield 0
                    if not pause_of(self._pace) and next(turns) % SLICES == 0:
                        self._show_newest()
                        yield 0
            if not math.isfinite(self._losses[-1]):
                break
            if (pause := pause_of(self._pace)) and self._newest.epochs < self._goal:
                self._show_newest()
                yield pause
        self._goal = 0
        self._slices.cancel()
        self._show_newest()

    def _take_epoch(self, state: State, loss: float) -> None:
        """Take the weights after one more epoch, with the loss before it."""
        self._newest = state
        self._losses[state.epochs - 1 :] = [loss]
        if state.epochs % KEPT == 0:
            self._kept[state.epochs] = state
        if state.epochs % JUDGED == 0:
            self._accuracies[state.epochs] = self._learner.accuracy(state)

    def _show_newest(self) -> None:
        self._state = self._newest
        epoch = self._state.epochs
        if len(self._losses) == epoch:
            self._losses.append(self._learner.loss(self._state))
        self.advanced.emit()


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
