"""Training: a network learns many samples in time slices, on a stage in place of the sheet.

`Training` owns the network, its samples and its epochs. `RateTrials` searches a smaller rate once
the loss has diverged. `output_plane` and `decision_boundary` sample the output over the first two
inputs, for the picture.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import count
from typing import Final

import numpy
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from app.controls.drawn_range import Range, axis_range
from app.controls.slices import Slices, Work
from app.controls.spans import Span, Spans, filled
from app.workbench.modes.loop import DEFAULT_PACE, epoch_pause
from engine.errors import EngineError
from engine.graph import Graph
from engine.numbers import LARGEST_DRAWN, plain, short
from engine.training.learning import (
    Array,
    BestRate,
    Learner,
    Setup,
    State,
    Trouble,
    rates_to_try,
    trouble,
    try_smaller_rates,
)
from engine.training.templates import DATA_SETS, Sample

SLICES_PER_REPAINT: Final = 15
"""Slices of a running training from one repaint to the next."""
STATE_INTERVAL: Final = 50
"""Epochs from one stored state to the next: weights between them are trained again, ≤ 49 epochs."""
ACCURACY_INTERVAL: Final = 10
"""Epochs from one computed accuracy to the next."""
EPOCH_LIMIT: Final = 100_000
"""Epochs at most: their losses and stored states are kept for going back."""


class Training(QObject):
    """The owner of one network, its samples, and its epochs."""

    reset_done = Signal()
    """Emitted after a restart: other data, another size, or the same again."""
    advanced = Signal()
    """Emitted when another epoch is shown, and when a run begins, pauses or ends."""
    refused = Signal(str)
    """Emitted with the sentence about a setting that is not accepted; nothing has changed."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.data = "moons"
        """The name of the data set, or `TABLE`."""
        self._samples = DATA_SETS["moons"](0)
        self.titles: tuple[str, ...] = ("x1", "x2")
        self.setup = Setup()
        """Sizes, loss, rate and seed of the network."""
        self.pace = DEFAULT_PACE
        """The name of the pace, one of `PACES`."""
        self._slices = Slices(self, budget=7)  # the mouse and the curves have the rest of a frame
        self.learner = Learner(self.setup, self._samples)
        """The network and its samples."""
        self._start_over()

    # what is trained

    @property
    def rate(self) -> float:
        """Return the learning rate of the next epoch, as it was set."""
        changes = self.setup.changes  # pairs of an epoch and the rate from then on
        return changes[-1][1] if changes else self.setup.rate

    def set_data(self, name: str) -> bool:
        """Train on one of `DATA_SETS` from now on; return whether the network takes it."""
        samples = DATA_SETS[name](self.setup.seed)
        titles = tuple(f"x{k}" for k in range(1, len(samples[0].inputs) + 1))
        return self._restart_with(setup_for(self.setup, samples), samples, name, titles)

    def set_samples(self, samples: Sequence[Sample], titles: Sequence[str]) -> bool:
        """Train on samples of a table from now on; `titles` are the names of its inputs."""
        return self._restart_with(
            setup_for(self.setup, samples), tuple(samples), TABLE, tuple(titles)
        )

    def change(self, setup: Setup) -> bool:
        """Train with another setup from the beginning, or refuse it and change nothing."""
        if setup == self.setup:
            return True
        samples = self._samples
        if setup.seed != self.setup.seed and self.data in DATA_SETS:
            samples = DATA_SETS[self.data](setup.seed)
        return self._restart_with(setup_for(setup, samples), samples, self.data, self.titles)

    def set_rate(self, rate: float) -> bool:
        """Continue with another learning rate; the weights stay."""
        if not (math.isfinite(rate) and rate > 0.0):
            self.refused.emit("A learning rate is a number above 0.")
            return False
        if rate != self.rate:
            self.setup = self.setup.with_rate(rate, self._newest.epochs)
            self.learner = self.learner.with_setup(self.setup)
            if self.running:  # the epoch that has begun is trained with it
                self._slices.start(self._train(), after=epoch_pause(self.pace))
            self.advanced.emit()
        return True

    def set_epochs(self, epochs: int) -> None:
        """Set how many epochs a run has."""
        self.setup = replace(self.setup, epochs=epochs)
        self.learner = self.learner.with_setup(self.setup)
        self.advanced.emit()

    def _restart_with(
        self, setup: Setup, samples: tuple[Sample, ...], data: str, titles: tuple[str, ...]
    ) -> bool:
        """Start again, or refuse it and change nothing."""
        try:
            learner = Learner(setup, samples)
        except EngineError as error:
            self.refused.emit(str(error))
            return False
        self.setup, self._samples, self.learner = setup, samples, learner
        self.data, self.titles = data, titles
        self._start_over()
        return True

    def _start_over(self) -> None:
        """Begin with the seed's weights and the current rate."""
        self._slices.cancel()
        self.setup = self.setup.with_rate(self.rate, 0)
        self.learner = self.learner.with_setup(self.setup)
        # `state` is shown, `_newest` was trained last; they differ after `go` to an earlier epoch
        self.state = self._newest = self.learner.start()
        self._states: dict[int, State] = {0: self.state}
        self.losses: list[float] = [self.learner.loss(self.state)]
        """Of all samples, after 0, 1, 2 ... epochs."""
        self.accuracies: dict[int, float | None] = {0: self.learner.accuracy(self.state)}
        """After some of the epochs."""
        # results for the weights that are shown, each with the state for which it was computed
        self._outputs = self.state, self.learner.outputs(self.state)
        self._grad_sizes: tuple[State | None, list[float]] = (None, [])
        self._goal = 0  # the epoch at which a run ends; 0 without a run
        self.reset_done.emit()

    # how far it has learned

    @property
    def loss(self) -> float:
        """Return the loss of the weights that are shown."""
        return self.losses[self.state.epochs]

    @property
    def outputs(self) -> Array:
        """Return the network's output for each sample with the weights that are shown."""
        state, outputs = self._outputs
        if state is not self.state:
            state, outputs = self.state, self.learner.outputs(self.state)
            self._outputs = state, outputs
        return outputs

    @property
    def grad_sizes(self) -> list[float]:
        """Return the size of the gradients in each layer with the weights that are shown."""
        state, sizes = self._grad_sizes
        if state is not self.state:
            state, sizes = self.state, self.learner.grad_sizes(self.state)
            self._grad_sizes = state, sizes
        return sizes

    @property
    def right(self) -> list[bool]:
        """Return for each sample whether its class is right; True for all without classes."""
        if not self.learner.has_classes:
            return [True] * len(self._samples)
        return (self.outputs * self.learner.targets > 0.0).tolist()

    @property
    def accuracy(self) -> float | None:
        """Return the share of samples that the weights shown get right; None without classes."""
        right = self.right
        return sum(right) / len(right) if self.learner.has_classes else None

    @property
    def epochs(self) -> int:
        """Return how many epochs have been trained."""
        return self._newest.epochs

    @property
    def last_epoch(self) -> int:
        """Return the last epoch of the run that is on or paused, else the newest epoch."""
        return max(self._goal, self._newest.epochs)

    @property
    def running(self) -> bool:
        """Return whether epochs are being trained."""
        return self._slices.active

    @property
    def is_paused(self) -> bool:
        """Return whether a run is paused before its last epoch."""
        return not self.running and self._goal > self._newest.epochs

    # running

    def set_pace(self, pace: str) -> None:
        """Choose how many epochs a second are trained, from the next one on."""
        self.pace = pace
        if self.running:
            self._slices.start(self._train(), after=0)
        self.advanced.emit()

    def run(self, epochs: int | None = None) -> None:
        """Train more epochs, by default those of the setup or the rest of a paused run."""
        self.go(self._newest.epochs)
        if epochs is not None:
            self._goal = self._newest.epochs + epochs
        elif not self.is_paused:
            self._goal = self._newest.epochs + self.setup.epochs
        self._goal = min(self._goal, EPOCH_LIMIT)
        if self._goal > self._newest.epochs:
            self._slices.start(self._train(), after=0)
        self.advanced.emit()

    def run_or_pause(self) -> None:
        """Run, or pause a run."""
        if self.running:
            self.pause()
        else:
            self.run()

    def pause(self) -> None:
        """Pause the run; `run` continues it to the same end."""
        self._slices.cancel()
        self._show_newest()

    def stop(self) -> None:
        """End the run here."""
        self._goal = 0
        self.pause()

    def reset(self) -> None:
        """Restore the first weights of the seed."""
        self._start_over()

    def go(self, epoch: int) -> None:
        """Show the weights after some of the epochs that have been trained."""
        self._slices.cancel()
        epoch = min(max(epoch, 0), self._newest.epochs)
        if epoch == self._newest.epochs:
            self._show_newest()
            return
        state = self._states[epoch - epoch % STATE_INTERVAL]
        while state.epochs < epoch:
            state = self.learner.epoch(state)
        self.state = state
        self.advanced.emit()

    def twin(self) -> Training:
        """Return another training of the same network and samples, from the beginning."""
        found = Training()
        found._restart_with(self.setup, self._samples, self.data, self.titles)
        return found

    def show_state(self, state: State) -> None:
        """Show other weights, as those of a sheet; nothing is trained."""
        self.state = state
        self.advanced.emit()

    def sample_graph(self, sample: int) -> Graph:
        """Return the graph of one sample with the weights that are shown."""
        return self.learner.sample_graph(self.state, sample)

    def _train(self) -> Work:
        """Train to the goal, or until the loss is not finite.

        At full pace a slice either repaints or trains, never both. Each `yield` ends a slice and
        gives the ms until the next one.
        """
        turns, slices = count(1), self._slices
        while self._newest.epochs < self._goal:
            for found in self.learner.epoch_in_parts(self._newest):
                if found is not None:
                    self._store_epoch(*found)
                elif slices.spent:
                    yield 0
                    if not epoch_pause(self.pace) and next(turns) % SLICES_PER_REPAINT == 0:
                        self._show_newest()
                        yield 0
            if not math.isfinite(self.losses[-1]):
                break
            if (pause := epoch_pause(self.pace)) and self._newest.epochs < self._goal:
                self._show_newest()
                yield pause
        self._goal = 0
        self._slices.cancel()  # this work: `running` is False when the end is shown
        self._show_newest()

    def _store_epoch(self, state: State, loss: float) -> None:
        """Store the weights after one more epoch, and the loss before it."""
        self._newest = state
        # in place of the same loss, if `_show_newest` has computed it in advance
        self.losses[state.epochs - 1 :] = [loss]
        if state.epochs % STATE_INTERVAL == 0:
            self._states[state.epochs] = state
        if state.epochs % ACCURACY_INTERVAL == 0:
            self.accuracies[state.epochs] = self.learner.accuracy(state)

    def _show_newest(self) -> None:
        self.state = self._newest
        epoch = self.state.epochs
        if len(self.losses) == epoch:  # the next epoch would give it, but is not trained yet
            self.losses.append(self.learner.loss(self.state))
        self.advanced.emit()


TABLE: Final = "table"
"""The name of samples that come from a table."""


def setup_for(setup: Setup, samples: Sequence[Sample]) -> Setup:
    """Return a setup adapted to samples: their number of inputs, and a last layer for the targets.

    Targets other than ±1 are no classes: they need a linear output and the squared error.
    """
    has_classes = all(abs(sample.target) == 1.0 for sample in samples)
    loss = setup.loss if has_classes else "mse"
    return replace(
        setup,
        sizes=(len(samples[0].inputs), *setup.sizes[1:]),
        loss=loss,
        last="tanh" if has_classes and loss == "mse" else "linear",
    )


_BEFORE_FIRST_EPOCH = "Before the first epoch the loss is {loss}. Run trains the network."
_AFTER = (
    "After **{epochs}** epochs the loss is {loss}.",
    "After **{epochs}** epoch the loss is {loss}.",
)
_AFTER_WITH_CLASSES = (
    "After **{epochs}** epochs the loss is {loss}, **{right}** of {all} right.",
    "After **{epochs}** epoch the loss is {loss}, **{right}** of {all} right.",
)
"""Templates for several epochs, and for one."""


def network_text(sizes: Sequence[int]) -> str:
    """Return the sizes of a network as text: mlp(2, 8, 1)."""
    return f"mlp({', '.join(map(str, sizes))})"


def training_title(training: Training) -> str:
    """Return the title of a training: its network and samples."""
    samples = "a table" if training.data == TABLE else training.data
    return f"{network_text(training.setup.sizes)} on {samples}"


def find_trouble(training: Training) -> Trouble | None:
    """Return why the loss does not fall, or None."""
    found = trouble(training.losses, training.rate, training.setup.rate_at)
    blames_rate = found is not None and found.rate is not None
    return found if blames_rate else _zero_gradients(training) or found


_ZERO_GRADIENT: Final = 1e-12
"""Size up to which a gradient, or a change of the loss, is 0 but for rounding."""


def _zero_gradients(training: Training) -> Trouble | None:
    """Diagnose gradients that are all 0 though there is a loss, or return None."""
    losses, now = training.losses, training.state.epochs
    # where the last update has changed the loss, gradients need not be computed
    moves = now and not abs(losses[now] - losses[now - 1]) <= _ZERO_GRADIENT * losses[now]
    if not losses[now] or moves or not max(training.grad_sizes) <= _ZERO_GRADIENT:
        return None
    layer = training.learner.zero_from(training.state)
    if layer is None:  # those of the samples cancel
        return None
    name = f"layer {layer + 1}" if layer < len(training.grad_sizes) - 1 else "the output"
    return Trouble(
        f"Nothing moves: every gradient is 0. That begins at {name}, "
        "which is flat at every sample.",
        remedy="Reset, and take a smaller rate or other neurons, or scale the inputs.",
    )


def progress_sentence(training: Training) -> Spans:
    """Return the sentence about the progress of a training without trouble."""
    epoch, loss = training.state.epochs, Span(short(training.loss), "value", bold=True)
    if not epoch:
        return filled(_BEFORE_FIRST_EPOCH, loss=loss)
    after, after_one = _AFTER_WITH_CLASSES if training.learner.has_classes else _AFTER
    right = training.right if training.learner.has_classes else ()
    return filled(
        after if epoch > 1 else after_one,
        epochs=f"{epoch:,}",
        loss=loss,
        right=f"{sum(right):,}",
        all=f"{len(right):,}",
    )


def loss_table(training: Training) -> str:
    """Return loss and accuracy by epoch as comma-separated values."""
    lines = ["epoch,loss,accuracy"]
    for epoch, loss in enumerate(training.losses):
        accuracy = training.accuracies.get(epoch)
        lines.append(f"{epoch},{plain(loss)},{'' if accuracy is None else plain(accuracy)}")
    return "\n".join([*lines, ""])


_REST_MS: Final = 80
"""Time without a change of the training before the trials begin."""


class RateTrials(QObject):
    """Searches a rate that does better than one that is too large, and advises it."""

    changed = Signal()
    """Emitted when the advice has changed."""

    def __init__(self, training: Training, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._training = training
        self._trials_key: tuple[object, ...] = ()
        self._result: BestRate | None = None
        self._slices = Slices(self, budget=6)
        self._slices.finished.connect(self._store_result)
        training.advanced.connect(self._follow)
        training.reset_done.connect(self._follow)

    @property
    def is_trying(self) -> bool:
        """Return whether rates are being tried."""
        return self._slices.active

    @property
    def advice(self) -> str:
        """Return the advice about the training's trouble in one sentence, or ""."""
        trouble, found = find_trouble(self._training), self._result
        if trouble is None:
            return ""
        if trouble.rate is None:  # another reason than the rate
            return trouble.remedy
        if self._training.running or self._trials_key != self._key(trouble.rate):
            return ""
        if found is None:
            return "Smaller rates are being tried on this network …"
        if found.rate is None:
            rates = rates_to_try(trouble.rate, self._training.rate)
            span = f"No rate from {short(rates[0])} down to {short(rates[-1])} does better here:"
            return f"{span} look at the samples, or take other neurons." if rates else ""
        # the rate was lowered already, but not before it did its harm
        again = found.rate == self._training.rate < trouble.rate
        rate = short(found.rate)
        what = f"Reset, so that {rate} starts again" if again else f"Reset and try {rate}"
        return f"{what}: {found.epochs:,} epochs of it come to a loss of {short(found.loss)}."

    def _key(self, too_large: float) -> tuple[object, ...]:
        """Return the cache key of the trials below a rate that is too large."""
        training = self._training
        setup = replace(training.setup, rate=0.0, changes=())  # all but the rates
        return setup, training.learner.samples, too_large, training.rate

    def _follow(self) -> None:
        """Start trials if the rate is the trouble; the result is kept for the same network."""
        trouble, training = find_trouble(self._training), self._training
        if trouble is None or trouble.rate is None or training.running:
            self._slices.cancel()
            if self._result is None:  # trials that were cancelled begin anew
                self._trials_key = ()
            return
        key = self._key(trouble.rate)
        if key != self._trials_key:
            self._trials_key, self._result = key, None
            work = try_smaller_rates(training.learner, trouble.rate, training.rate)
            self._slices.start(work, after=_REST_MS)

    def _store_result(self, tried: BestRate) -> None:
        self._result = tried
        self.changed.emit()


COARSE_GRID: Final = (41, 31)
"""Points across and up the plane: few enough for every frame of a running training."""
FINE_GRID: Final = (97, 73)
"""Points across and up the plane of a training that is not running."""
_MARGIN: Final = 0.18
"""Margin around the samples, as a share of their extent."""
_MIN_HALF_EXTENT: Final = 0.5
"""Half the extent around samples with the same coordinate."""


class Plane(Struct, frozen=True):
    """Outputs over a grid: a row for each y, a column for each x."""

    xs: Array
    ys: Array
    outputs: Array


def input_range(learner: Learner, axis: int) -> Range:
    """Return the range of an input that is drawn, or of the target of a network of one input."""
    if len(learner.samples[0].inputs) > axis:
        numbers = [sample.inputs[axis] for sample in learner.samples]
    else:
        numbers = learner.targets.tolist()
    return axis_range(numbers, _MARGIN, _MIN_HALF_EXTENT)


def output_plane(
    learner: Learner, state: State, sample: int, points: tuple[int, int] = FINE_GRID
) -> Plane:
    """Return the outputs over the first two inputs; any others are those of a sample."""
    columns, rows = points
    xs = numpy.linspace(*input_range(learner, 0), columns)
    ys = numpy.linspace(*input_range(learner, 1), rows)
    grid = numpy.tile(numpy.array(learner.samples[sample].inputs), (columns * rows, 1))
    grid[:, 0], grid[:, 1] = numpy.tile(xs, rows), numpy.repeat(ys, columns)
    return Plane(xs, ys, learner.outputs(state, grid).reshape(rows, columns))


def output_curve(learner: Learner, state: State) -> tuple[Array, Array]:
    """Return the output over the range of a single input."""
    xs = numpy.linspace(*input_range(learner, 0), FINE_GRID[0])
    return xs, learner.outputs(state, xs[:, None])


def decision_boundary(found: Plane) -> tuple[Array, Array]:
    """Return the segments on which the output is 0: arrays of x and y, two ends per segment.

    Marching triangles: the output is linear in each triangle of the grid, so a line crosses two of
    its sides or none.
    """
    over = numpy.clip(numpy.nan_to_num(found.outputs), -LARGEST_DRAWN, LARGEST_DRAWN)
    x, y = numpy.meshgrid(found.xs, found.ys)
    corners = [
        (x[rows, columns].ravel(), y[rows, columns].ravel(), over[rows, columns].ravel())
        for rows in (slice(None, -1), slice(1, None))
        for columns in (slice(None, -1), slice(1, None))
    ]
    a, b, c, d = corners  # low left, low right, high left, high right
    ends: list[tuple[Array, Array]] = []
    for triangle in ((a, b, c), (d, c, b)):
        sides = [(triangle[k], triangle[(k + 1) % 3]) for k in range(3)]
        crossed = [(p[2] > 0.0) != (q[2] > 0.0) for p, q in sides]
        for k in range(3):
            both = crossed[k] & crossed[(k + 1) % 3]  # the triangles with a segment between them
            one, other = (_crossing(*sides[i % 3], both) for i in (k, k + 1))
            ends.append((_alternate(one[0], other[0]), _alternate(one[1], other[1])))
    xs, ys = zip(*ends, strict=True)
    return numpy.concatenate(xs), numpy.concatenate(ys)


Corners = tuple[Array, Array, Array]


def _crossing(p: Corners, q: Corners, mask: NDArray[numpy.bool_]) -> tuple[Array, Array]:
    """Return the points of output 0 between two corners of masked triangles, interpolated."""
    (px, py, pv), (qx, qy, qv) = (tuple(part[mask] for part in corner) for corner in (p, q))
    share = pv / (pv - qv)
    return px + share * (qx - px), py + share * (qy - py)


def _alternate(one: Array, other: Array) -> Array:
    """Return two arrays interleaved."""
    return numpy.stack([one, other], axis=1).ravel()


def nearest_sample(outputs: Array) -> int:
    """Return the index of the sample nearest the decision boundary, by its output."""
    return int(abs(outputs).argmin())
