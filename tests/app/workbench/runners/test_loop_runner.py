"""LoopRunner: the training loop of a document, and what is edited meanwhile."""

import itertools
import math
from functools import partial

import pytest
from PySide6.QtCore import QCoreApplication

from app.controls.slices import Slices
from app.controls.spans import plain_text
from app.document.document import Document
from app.workbench.modes.loop import LoopState, epoch_pause
from app.workbench.playback.playback import Playback
from app.workbench.runners import loop_runner
from app.workbench.runners.loop_runner import LoopRunner
from app.workbench.runners.quiz_runner import QuizRunner
from app.workbench.words.strip import StripContext
from app.workbench.words.strip_writers import write_strip
from engine import from_expression
from engine.formats.native import Drawing
from engine.graph import Graph, Leaf
from engine.rules import CORRECT, MISTAKES
from tests.helpers.graphs import example, named, reference
from tests.helpers.window import until


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


class Descent:
    """The two weights of the lesson, their loop at rate 0.5, and what is said."""

    def __init__(self, document: Document, graph: Graph, rate: float = 0.5) -> None:
        document.start(Drawing(graph))
        self.document, self.playback = document, Playback(document, document)
        self.modes = QuizRunner(self.playback, document)
        self.runner = LoopRunner(document, self.playback, document)
        self.told = list[str]()
        self.playback.said.connect(self.told.append)
        self.runner.set_pace("full")
        self.runner.set_rate(rate)
        self.runner.toggle()

    @property
    def loop(self) -> LoopState:
        assert self.runner.now is not None
        return self.runner.now

    @property
    def sentence(self) -> str:
        return plain_text(write_strip(self.playback.now, StripContext()).sentence)

    @property
    def weights(self) -> tuple[float, float]:
        return self.value("w1"), self.value("w2")

    def value(self, name: str) -> float:
        leaf = self.document.graph.nodes[named(self.document.graph, name)]
        assert isinstance(leaf, Leaf)
        return leaf.value

    def run(self, epochs: int | None) -> None:
        self.runner.run(epochs)
        until(lambda: not self.runner.running)


@pytest.fixture
def descent(document: Document) -> Descent:
    return Descent(document, example("two-weights-loss").graph)


def test_a_whole_run_is_one_undo_step_and_each_epoch_can_be_gone_to(descent: Descent):
    lesson, document = reference("descent"), descent.document
    descent.run(3)
    descent.run(10)
    assert (len(document.steps), document.done[-1].name) == (1, "Descend 13 epochs")
    document.undo()
    assert (descent.loop.at, descent.weights) == (0, (2.0, 3.0))
    document.redo()
    assert descent.loop.at == 13
    for row in lesson["rows"]:
        descent.runner.go(row["step"])
        assert descent.weights == (row["w1"], row["w2"])


def test_a_forgotten_zero_grad_goes_wrong_and_is_named(descent: Descent):
    descent.run(1)
    descent.runner.do("forward")
    descent.runner.do("backward")
    assert "zero grad was left out" in descent.sentence
    assert "w1.grad is not the new 0.5 but 1 + 0.5 = 1.5" in descent.sentence
    descent.runner.do("update")
    descent.runner.set_zeroes(False)
    descent.run(3)
    losses = [loss for loss in descent.loop.losses if loss is not None]
    assert losses[-1] > min(losses)
    assert "zero grad was left out, so the update went along old gradients" in descent.sentence


def test_too_large_a_rate_is_named_until_nothing_is_finite(descent: Descent):
    descent.runner.set_rate(5)
    descent.run(2)
    assert "The loss rose from 2.5 to 40: the rate 5 is too large here" in descent.sentence
    descent.run(None)
    assert "beyond all bounds" in descent.sentence
    assert math.isfinite(descent.weights[0])  # it stopped before the update
    descent.runner.go(0)
    assert descent.weights == (2.0, 3.0)


def test_what_is_refused_is_said_in_one_sentence_and_nothing_has_changed(descent: Descent):
    before = descent.document.graph
    descent.runner.do("backward")
    descent.runner.do("update")
    descent.runner.set_learners(())
    descent.run(1)
    backward, update, run = descent.told
    assert backward == "Run forward first: backward needs the values."
    assert update.startswith("Run backward first")
    assert run.startswith("No leaf is ticked")
    assert descent.document.graph is before


def test_only_ticked_leaves_move_and_inputs_are_not_ticked(document: Document, descent: Descent):
    descent.runner.set_learners(descent.loop.learners[:1])
    descent.run(1)
    assert descent.weights == (1.5, 3.0)
    other = Descent(document, example("neuron").graph)
    assert {document.graph.label(n) for n in other.loop.learners} == {"w1", "w2", "b"}


def test_an_edited_value_begins_a_new_run_and_new_wiring_ends_it(descent: Descent):
    document = descent.document
    descent.run(1)
    document.set_value(named(document.graph, "w1"), 7.0)
    assert descent.told == ["The graph was edited: a new run begins here."]
    assert (descent.loop.at, descent.playback.now.loop) == (0, descent.loop)
    document.remove([named(document.graph, "s")])
    assert descent.runner.now is None
    assert "Descent has ended" in descent.told[-1]


def test_a_pass_is_stepped_at_any_epoch_and_the_run_waits(descent: Descent):
    descent.run(1)
    descent.playback.backward()
    assert (descent.runner.shown, descent.loop.at) == (False, 1)
    descent.runner.resume()
    assert descent.runner.shown
    assert descent.playback.phase == "live"
    descent.run(1)
    assert descent.loop.at == 2


def test_modes_and_mistakes_end_descent_and_descent_ends_them(descent: Descent):
    for cover in (False, True):
        descent.modes.toggle(cover=cover)
        assert descent.modes.now is not None, cover
        assert descent.runner.now is None, cover
        descent.modes.leave()
        descent.runner.toggle()
        assert descent.modes.now is None, cover
        assert descent.runner.shown, cover
    descent.playback.set_rules(MISTAKES[0])
    assert descent.runner.now is None
    descent.runner.toggle()
    assert descent.told == ["Descent uses the right rules, so the mistake is switched off."]
    assert descent.playback.rules == CORRECT
    assert descent.runner.shown
