"""A training goes on in slices, rests, stops, goes back, and says what is wrong."""

import re
from collections.abc import Callable
from functools import partial
from itertools import count

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication, QTimer
from pytestqt.qtbot import QtBot

from app.controls.slices import Slices
from app.controls.spans import plain_text
from app.workbench import training as training_module
from app.workbench.training import (
    COARSE_GRID,
    STATE_INTERVAL,
    TABLE,
    RateTrials,
    Training,
    decision_boundary,
    find_trouble,
    loss_table,
    output_plane,
    progress_sentence,
)
from engine.numbers import short
from engine.training.learning import Learner, Setup
from engine.training.templates import Sample


@pytest.fixture
def training(qapp: object) -> Training:
    found = Training()
    found.set_data("XOR")
    found.set_pace("full")
    return found


def run_to_end(qtbot: QtBot, training: Training, epochs: int | None = None) -> None:
    training.run(epochs)
    qtbot.waitUntil(lambda: not training.running, timeout=60_000)


def test_a_run_gives_the_losses_of_the_learner(training: Training, qtbot: QtBot):
    run_to_end(qtbot, training, 30)
    learner = Learner(training.setup, training.learner.samples)
    state = learner.start()
    for epoch in range(30):
        assert training.losses[epoch] == learner.loss(state)
        state = learner.epoch(state)
    assert training.losses[30] == pytest.approx(learner.loss(state), rel=1e-15)
    assert training.loss == training.losses[30]


def test_pause_rests_and_run_goes_on_to_the_same_end(training: Training, qtbot: QtBot):
    training.set_epochs(5_000)
    training.run()
    qtbot.waitUntil(lambda: training.epochs > 3)
    training.pause()
    rested = training.epochs
    assert training.is_paused
    assert 3 < rested < 5_000
    training.run()
    qtbot.waitUntil(lambda: training.epochs > rested)
    training.stop()
    assert not training.is_paused
    assert not training.running


@pytest.mark.parametrize(("pace", "pause"), [("5", 200), ("50", 20)])
def test_each_epoch_is_shown_at_a_pace_that_can_be_watched(
    qapp: object, monkeypatch: pytest.MonkeyPatch, pace: str, pause: int
):
    monkeypatch.setattr(training_module, "Slices", partial(Slices, clock=lambda: 0.0))
    training = Training()
    training.set_data("XOR")
    assert training.pace == "5"
    training.set_pace(pace)
    training.run(20)
    shown = list[int]()
    training.advanced.connect(lambda: shown.append(training.state.epochs))
    for _epoch in range(20):
        assert training.running
        training._slices._timer.start(0)  # the pause is over
        QCoreApplication.processEvents()
        assert not training.running or training._slices._timer.interval() == pause
    assert not training.running
    assert sorted(set(shown)) == list(range(1, 21))
    learner = Learner(training.setup, training.learner.samples)
    state = learner.start()
    for loss in training.losses:
        assert loss == pytest.approx(learner.loss(state), rel=1e-15)
        state = learner.epoch(state)


def test_another_pace_loses_no_epoch(training: Training, qtbot: QtBot):
    training.set_pace("50")
    training.run(12)
    qtbot.waitUntil(lambda: training.epochs >= 2)
    training.set_pace("full")
    qtbot.waitUntil(lambda: not training.running)
    assert training.epochs == 12
    assert len(training.losses) == 13


def test_what_has_been_learned_is_said_with_its_numbers(training: Training, qtbot: QtBot):
    loss = short(training.loss)
    expected = f"Before the first epoch the loss is {loss}. Run trains the network."
    assert plain_text(progress_sentence(training)) == expected
    run_to_end(qtbot, training, 1)
    right = sum(training.right)
    expected = f"After 1 epoch the loss is {short(training.loss)}, {right} of 4 right."
    assert plain_text(progress_sentence(training)) == expected
    training.set_data("line")
    run_to_end(qtbot, training, 2)
    assert (
        plain_text(progress_sentence(training))
        == f"After 2 epochs the loss is {short(training.loss)}."
    )


def test_any_epoch_is_shown_again_with_its_own_weights(training: Training, qtbot: QtBot):
    seen = {}
    for epoch in range(1, STATE_INTERVAL + 13):
        run_to_end(qtbot, training, 1)
        seen[epoch] = training.state.values.tolist()
    for epoch in (1, STATE_INTERVAL - 1, STATE_INTERVAL, STATE_INTERVAL + 5):
        training.go(epoch)
        assert training.state.epochs == epoch
        assert training.state.values.tolist() == seen[epoch]
        assert training.loss == training.losses[epoch]


def test_a_new_rate_keeps_what_was_learned_and_reset_begins_with_it(
    training: Training, qtbot: QtBot
):
    run_to_end(qtbot, training, 20)
    training.set_rate(0.1)
    run_to_end(qtbot, training, 5)
    after = training.state.values.tolist()
    training.go(10)
    training.go(24)
    run_to_end(qtbot, training, 0)
    assert training.state.values.tolist() == after
    training.reset()
    assert training.setup == replace(Setup(), rate=0.1)
    assert training.epochs == 0


def test_too_large_a_rate_is_named_with_what_to_do(training: Training, qtbot: QtBot):
    training.change(replace(training.setup, loss="hinge"))
    training.set_rate(1000.0)
    run_to_end(qtbot, training, 100)
    wrong = find_trouble(training)
    assert wrong is not None
    assert "the rate 1000 is too large" in wrong.said


def test_a_rate_is_advised_once_it_has_been_tried_and_does_what_is_told(
    training: Training, qtbot: QtBot
):
    trials = RateTrials(training)
    training.set_rate(1000.0)
    run_to_end(qtbot, training, 100)
    assert trials.advice == "Smaller rates are being tried on this network …"
    qtbot.waitUntil(lambda: not trials.is_trying, timeout=60_000)
    found = re.fullmatch(
        r"Reset and try (.*): 400 epochs of it come to a loss of (.*)\.", trials.advice
    )
    assert found is not None
    training.reset()
    assert not trials.advice
    training.set_rate(float(found[1]))
    run_to_end(qtbot, training)
    assert short(training.loss) == found[2]
    assert training.loss < training.losses[0]


def test_trials_are_left_where_another_network_is_trained(training: Training, qtbot: QtBot):
    trials = RateTrials(training)
    training.set_rate(1000.0)
    run_to_end(qtbot, training, 100)
    assert trials.is_trying
    training.run(10)
    assert not trials.is_trying
    training.stop()
    assert trials.is_trying
    training.set_data("circles")
    assert not trials.is_trying
    assert not trials.advice


def test_trials_leave_events_their_turn(training: Training, qtbot: QtBot, monkeypatch):
    ticking = partial(Slices, clock=count().__next__)  # a slice ends after each part
    monkeypatch.setattr(training_module, "Slices", ticking)
    trials, turns = RateTrials(training), list[bool]()
    training.set_rate(1000.0)
    run_to_end(qtbot, training, 100)
    ticks = QTimer()
    ticks.timeout.connect(lambda: turns.append(trials.is_trying))
    ticks.start(0)
    qtbot.waitUntil(lambda: not trials.is_trying, timeout=60_000)
    assert len(turns) > 400


def test_what_is_refused_changes_nothing(training: Training, qtbot: QtBot):
    run_to_end(qtbot, training, 7)
    refused: list[str] = []
    training.refused.connect(refused.append)
    assert not training.change(replace(training.setup, sizes=(2, 100, 100, 1)))
    assert not training.set_rate(0.0)
    assert not training.set_rate(float("nan"))
    assert len(refused) == 3
    assert training.epochs == 7


def test_samples_of_a_table_choose_the_last_layer(training: Training):
    line = [Sample((float(k), 1.0, 2.0), 3.0 * k) for k in range(4)]
    assert training.set_samples(line, ("a", "b", "c"))
    assert (training.data, training.setup.sizes, training.setup.last) == (
        TABLE,
        (3, 8, 1),
        "linear",
    )
    assert training.accuracy is None
    training.set_data("moons")
    assert (training.setup.sizes, training.setup.last) == ((2, 8, 1), "tanh")


def test_the_table_has_a_row_for_each_epoch(training: Training, qtbot: QtBot):
    run_to_end(qtbot, training, 12)
    rows = loss_table(training).splitlines()
    assert rows[0] == "epoch,loss,accuracy"
    assert [row.split(",")[0] for row in rows[1:]] == [str(k) for k in range(13)]
    assert [float(row.split(",")[1]) for row in rows[1:]] == list(training.losses)


def test_the_network_says_0_on_the_zero_line(training: Training, qtbot: QtBot):
    run_to_end(qtbot, training, 100)
    found = output_plane(training.learner, training.state, 0)
    xs, ys = decision_boundary(found)
    assert len(xs) == len(ys) > 10
    said = training.learner.outputs(training.state, __import__("numpy").stack([xs, ys], axis=1))
    assert abs(said).max() < 0.02
    coarse = output_plane(training.learner, training.state, 0, COARSE_GRID)
    assert coarse.outputs.shape == COARSE_GRID[::-1]


def test_a_sample_graph_is_that_of_the_weights_shown(training: Training, qtbot: QtBot):
    run_to_end(qtbot, training, 10)
    training.go(4)
    graph: Callable[[int], object] = training.sample_graph
    assert graph(2) == training.learner.sample_graph(training.state, 2)


CUBE = [Sample((a, b, c), a * b * c) for a in (-1.0, 1.0) for b in (-1.0, 1.0) for c in (-1.0, 1.0)]


def test_the_plane_is_the_slice_through_each_sample(training: Training, qtbot: QtBot):
    assert training.set_samples(CUBE, ["x1", "x2", "x3"])
    run_to_end(qtbot, training, 20)
    for k, sample in enumerate(training.learner.samples):
        found = output_plane(training.learner, training.state, k)
        column, row = (
            int(abs(axis - x).argmin())
            for axis, x in zip((found.xs, found.ys), sample.inputs[:2], strict=True)
        )
        points = __import__("numpy").array([[found.xs[column], found.ys[row], sample.inputs[2]]])
        [said] = training.learner.outputs(training.state, points)
        assert found.outputs[row, column] == pytest.approx(said, abs=1e-12), k


@pytest.mark.parametrize(
    ("setup", "scale", "layer"),
    [
        (Setup((2, 3, 1), "relu", "relu"), -1e9, "the output"),  # below 0 at every sample
        (
            Setup((2, 3, 1), "relu"),
            1.0,
            "layer 1",
        ),  # after some epochs; the output has learned the mean
        (Setup((2, 3, 1), loss="hinge"), 1.0, ""),
    ],
    ids=["output", "layer", "alive"],
)
def test_gradients_that_are_all_0_are_told_with_the_layer_where_they_begin(
    training: Training, qtbot: QtBot, setup: Setup, scale: float, layer: str
):
    training.set_samples(
        [Sample((x * scale, y * scale), t) for x, y, t in ((1, 2, 1), (2, 1, -1), (3, 3, 1))],
        ["x1", "x2"],
    )
    assert training.change(setup)
    run_to_end(qtbot, training, 100)
    wrong = find_trouble(training)
    assert (wrong is not None) == bool(layer)
    if wrong is not None:
        assert f"every gradient is 0. That begins at {layer}," in wrong.said
        assert RateTrials(training).advice == wrong.remedy
