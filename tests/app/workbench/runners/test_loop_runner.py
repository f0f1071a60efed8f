"""LoopRunner: the training loop of a document, and what is edited meanwhile."""

import itertools
from functools import partial

import pytest
from PySide6.QtCore import QCoreApplication

from app.controls.slices import Slices
from app.document.document import Document
from app.workbench.modes.loop import epoch_pause
from app.workbench.playback.playback import Playback
from app.workbench.runners import loop_runner
from app.workbench.runners.loop_runner import LoopRunner
from engine import from_expression
from engine.graph import Leaf
from tests.helpers.graphs import named


def test_a_value_edited_while_the_loop_waits_for_a_pass_stays(document: Document):
    document.replace_graph(from_expression("y = a*b + a", {"a": 2, "b": 3}))
    playback = Playback(document, document)
    descents = LoopRunner(document, playback, document)
    a = named(document.graph, "a")
    descents.toggle()
    descents.run(1)
    playback.backward()
    document.set_value(a, 9.0)
    descents.set_rate(0.7)
    found = document.graph.nodes[a]
    assert isinstance(found, Leaf)
    assert found.value == 9.0
    assert descents.now is not None
    assert descents.now.descent.rate == 0.7


@pytest.fixture
def runner(document: Document, monkeypatch) -> LoopRunner:
    """A loop on a small graph, for which time stands still."""
    monkeypatch.setattr(loop_runner, "Slices", partial(Slices, clock=lambda: 0.0))
    document.replace_graph(from_expression("y = a*b + a", {"a": 2, "b": 3}))
    runner = LoopRunner(document, Playback(document, document), document)
    runner.toggle()
    runner.set_rate(0.001)
    return runner


def epochs(runner: LoopRunner) -> int:
    assert runner.now is not None
    return runner.now.at


def next_tick(runner: LoopRunner) -> None:
    """Let the pace of an epoch pass at once."""
    assert runner._slices._timer.interval() == epoch_pause(runner.pace)
    runner._slices._timer.start(0)
    QCoreApplication.processEvents()


def test_the_first_epoch_of_a_run_is_done_at_once_and_each_other_at_its_pace(runner: LoopRunner):
    runner.run(3)
    assert (epochs(runner), runner.running) == (1, True)
    next_tick(runner)
    assert (epochs(runner), runner.running) == (2, True)
    next_tick(runner)
    assert (epochs(runner), runner.running) == (3, False)


@pytest.mark.parametrize(("pace", "pause"), [("5", 200), ("50", 20)])
def test_a_run_without_an_end_does_one_epoch_at_a_time_until_it_is_stopped(
    runner: LoopRunner, pace: str, pause: int
):
    assert runner.pace == "5"
    runner.set_pace(pace)
    runner.run()
    assert epoch_pause(pace) == pause
    for epoch in range(1, 40):
        assert epochs(runner) == epoch
        next_tick(runner)
    runner.stop()
    QCoreApplication.processEvents()
    assert (epochs(runner), runner.running) == (40, False)


def test_at_full_pace_a_slice_does_as_many_epochs_as_it_has_time_for(
    runner: LoopRunner, monkeypatch
):
    clock = itertools.count(0.0, 0.001)  # each look at it takes a millisecond
    monkeypatch.setattr(runner, "_slices", Slices(runner, clock=partial(next, clock)))
    runner.set_pace("full")
    runner.run()
    assert epochs(runner) == 8
    runner.stop()
    runner.run(3)
    assert (epochs(runner), runner.running) == (11, False)


def test_another_pace_holds_from_the_next_epoch_on(runner: LoopRunner):
    runner.run()
    runner.set_pace("50")
    runner._slices._timer.start(0)
    QCoreApplication.processEvents()
    assert (epochs(runner), runner._slices._timer.interval()) == (2, 20)


def test_an_edit_stops_the_run(document: Document, runner: LoopRunner):
    runner.run()
    a = named(document.graph, "a")
    document.set_value(a, 9.0)
    assert not runner.running


@pytest.mark.parametrize(
    ("expression", "rate", "why"),
    [
        (("y = a*a*a", {"a": 2}), 1e300, "y is infinite."),
        (("y = a*a", {"a": 0}), 0.1, "Nothing moves any more."),
        (("y = a*a", {"a": 2}), 0.1, "This run has 3 epochs"),
    ],
)
def test_a_run_says_once_why_it_stopped_before_its_last_epoch(
    document: Document, runner: LoopRunner, monkeypatch, expression, rate, why
):
    monkeypatch.setattr(loop_runner, "EPOCH_LIMIT", 3)
    document.replace_graph(from_expression(*expression))
    runner.leave()
    runner.toggle()
    runner.set_rate(rate)
    said = list[str]()
    runner._playback.said.connect(said.append)
    runner.run(10)
    while runner.running:
        next_tick(runner)
    assert epochs(runner) < 10
    (told,) = said
    assert told.startswith(why)


def test_a_run_that_is_done_or_stopped_says_nothing(runner: LoopRunner):
    said = list[str]()
    runner._playback.said.connect(said.append)
    runner.run(2)
    next_tick(runner)
    runner.run()
    runner.stop()
    assert said == []
