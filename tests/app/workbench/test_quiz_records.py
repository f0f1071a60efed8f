"""What a quiz keeps is judged again to the very same, whatever the learner does, and is counted."""

from contextlib import suppress
from random import Random

import pytest

from app.document.document import Document
from app.workbench.modes.quiz import STEPS, Steps
from app.workbench.playback.playback import Playback
from app.workbench.runners.quiz_runner import QuizRunner
from app.workbench.study.predictions import Answers
from engine import from_expression
from engine.errors import EngineError
from engine.formats.native import Drawing
from engine.formats.report import Report, read, write
from engine.numbers import DIGITS_SHOWN, Digits, short
from engine.rules import CORRECT, MISTAKES
from engine.study.judging import number_from_causes, read_blanks
from engine.study.question import LEVELS, Question, answer
from engine.study.record import Attempt, Record, askable_steps, regraded, right_first_time, summary
from engine.study.slips import slip_numbers
from engine.trace import Trace
from tests.helpers.extent import sized

FORMULAS = (
    "tanh(a - b)*f + a",
    "c = a*b; d = c + a; d*c*a",
    "sigmoid(a*b)*exp(c/7) - a/b",
    "a*b*c*d*f + a - f",
)
VALUES = {"a": 2.0, "b": 1.5, "c": -0.3, "d": 3.0, "f": -2.0}
DIGITS: tuple[Digits, ...] = (4, 2, "shortest")


class Learner:
    """Somebody who answers, takes help, goes back and forth, edits values, and begins again."""

    def __init__(self, seed: int) -> None:
        self.draw = Random(seed)
        graph = from_expression(FORMULAS[seed % len(FORMULAS)])
        leaves = {leaf: VALUES[graph.names[leaf]] for leaf in graph.leaves}
        self.document = Document()
        self.document.start(Drawing(graph.with_values(leaves)))
        self.playback = Playback(self.document, self.document)
        self.playback.set_rules(self.draw.choice((CORRECT, CORRECT, *MISTAKES)))
        self.modes = QuizRunner(self.playback, self.document)
        self.modes.choose(self.draw.choice(tuple(LEVELS)), self.draw.choice(STEPS))
        self.modes.toggle()

    def acts(self) -> None:
        """Do one thing."""
        draw, modes, playback = self.draw, self.modes, self.playback
        if modes.question is None:
            playback.step()
        others = (modes.hint, modes.skip, modes.show_answer, playback.step_back, self.jumps)
        if draw.random() < 0.75:
            self.answers()
        elif draw.random() < 0.9:
            draw.choice(others)()
        elif draw.random() < 0.8:
            playback.backward()
        else:
            leaf = draw.choice(self.document.graph.leaves)
            self.document.set_value(leaf, draw.choice((0.5, 3.0)))

    def jumps(self) -> None:
        """Scrub to any step."""
        self.playback.go(self.draw.randint(0, self.playback.frame.total))

    def answers(self) -> None:
        """Click a node, or put something into each blank."""
        now, frame, trace = self.modes.now, self.playback.frame, self.playback.frame.unhidden
        if now is None or trace is None:
            return
        if now.takes_clicks(frame):
            self.modes.click(self.draw.choice(tuple(trace.graph.nodes)))
            return
        known = {q: given.text for q, given in now.given.items() if given.right}
        for question in now.open_questions(frame):
            known[question] = self.text(question, trace, known)
            self.modes.set_text(question, known[question])
        self.modes.answer(self.draw.choice(DIGITS))

    def text(self, question: Question, trace: Trace, known: dict[Question, str]) -> str:
        """What is typed: right, rounded, a slip, what follows from a blank before, or nonsense."""
        right, draw = answer(question, trace), self.draw
        texts = [short(right, "shortest"), short(right, 3), short(right, 2), "7", "1/0"]
        texts += [short(number, 4) for _slip, number in slip_numbers(question, trace)]
        if question.wire is not None:
            causes = [(q, text) for q, text in known.items() if q.kind in ("local", "contribution")]
            with suppress(EngineError):
                texts += 4 * [
                    short(number_from_causes([c], question, trace), 4) for c in read_blanks(causes)
                ]
        return draw.choice(texts)


def played(seed: int) -> Report:
    learner = Learner(seed)
    for _ in range(80):
        learner.acts()
    nothing = Report(learner.document.graph, Record("predict", learner.modes.level))
    return learner.modes.report or nothing


@pytest.mark.parametrize("seed", range(sized(24, 400)))
def test_what_was_kept_is_judged_again_to_the_same(seed: int):
    report = played(seed)
    again = regraded(report.record, report.graph)
    for new, old in zip(again.attempts, report.record.attempts, strict=True):
        assert new == old
    handed_in = read(write(report))
    assert summary(regraded(handed_in.record, handed_in.graph)) == summary(report.record)
    assert handed_in.steps == askable_steps(handed_in.record, handed_in.graph)


@pytest.mark.parametrize("seed", range(sized(24, 400)))
def test_the_list_marks_as_right_what_is_counted_as_right_first_time(seed: int):
    report = played(seed)
    right = right_first_time(report.record.attempts)
    rows = Answers().rows(report)
    assert sum(row.right_first for row in rows) == sum(right.values())
    told = summary(report.record)
    assert (told.right_first, told.answered) == (sum(right.values()), len(right))
    assert askable_steps(report.record, report.graph) >= told.answered


def test_the_learners_of_these_tests_do_all_that_can_be_done():
    attempts = [a for seed in range(24) for a in played(seed).record.attempts]
    verdicts = {each.verdict for attempt in attempts for each in attempt.tries}
    assert verdicts == {"right", "rounded", "slip", "wrong"}
    assert {attempt.question.kind for attempt in attempts} >= {"local", "sum", "next", "final"}
    assert max(attempt.round for attempt in attempts) > 1
    assert any(attempt.values for attempt in attempts)
    for what in ("shown", "seen", "skipped", "hints", "right_first"):
        assert any(getattr(attempt, what) for attempt in attempts), what


class Pupil:
    """Who is asked about L = (a*b + a)*f in a way of its own, from its first step on."""

    def __init__(self, level: str = "contribution and sum", steps: Steps = "every") -> None:
        self.document = Document()
        values = {"a": 2, "b": -3, "f": -2}
        self.document.start(Drawing(from_expression("L = (a*b + a)*f", values)))
        self.playback = Playback(self.document, self.document)
        self.modes = QuizRunner(self.playback, self.document)
        self.modes.choose(level, steps)
        self.modes.toggle()

    def answers(self, *numbers: float) -> None:
        """Put numbers into the open blanks, from left to right."""
        now = self.modes.now
        assert now is not None
        for question, x in zip(now.open_questions(self.playback.frame), numbers, strict=True):
            self.modes.set_text(question, short(x, "shortest"))
        self.modes.answer()

    @property
    def attempts(self) -> tuple[Attempt, ...]:
        now = self.modes.now
        assert now is not None
        return now.record.attempts


def test_a_hint_counts_for_who_goes_back_and_comes_again():
    pupil = Pupil()
    pupil.modes.hint()
    pupil.playback.step_back()
    pupil.playback.step()
    pupil.answers(-2)
    [attempt] = pupil.attempts
    assert (attempt.right, attempt.hints, attempt.right_first) == (True, 1, False)


def test_the_answers_of_a_step_that_was_left_are_numbered_on():
    pupil = Pupil("slope")
    pupil.answers(7)
    pupil.playback.step_back()
    pupil.playback.step()
    pupil.answers(8)
    pupil.answers(-2)
    [attempt] = pupil.attempts
    assert [(each.text, each.answer) for each in attempt.tries] == [("7", 1), ("8", 2), ("−2", 3)]


def test_digits_that_are_changed_between_two_tries_are_kept_with_each():
    pupil = Pupil("slope")
    pupil.answers(7)
    question = pupil.modes.question
    assert question is not None
    pupil.modes.set_text(question, "-2")
    pupil.modes.answer("shortest")
    [attempt] = pupil.attempts
    assert [each.digits for each in attempt.tries] == [DIGITS_SHOWN, "shortest"]


def test_a_new_pass_is_a_new_round():
    pupil = Pupil()
    pupil.answers(-2)
    pupil.playback.backward()
    pupil.playback.backward()
    pupil.answers(-2)
    assert [attempt.round for attempt in pupil.attempts] == [0, 1]


def test_where_paths_meet_only_what_comes_second_is_asked_about():
    pupil = Pupil(steps="meet")
    steps = set[int]()
    while pupil.playback.cursor < pupil.playback.frame.total:
        if pupil.modes.question is not None:
            steps.add(pupil.modes.question.step)
            pupil.modes.skip()
        pupil.playback.step()
    trace = pupil.playback.frame.unhidden
    assert trace is not None
    assert [trace.graph.names[trace.events[step - 1].node] for step in steps] == ["a"]
    assert askable_steps(Record("predict", "sum", meet=True), pupil.document.graph) == 1


def test_a_forward_pass_that_ends_asks_for_no_more_steps_afterwards():
    pupil = Pupil(steps="last")
    pupil.playback.forward()
    while pupil.playback.cursor < pupil.playback.frame.total:
        trace, question = pupil.playback.frame.unhidden, pupil.modes.question
        assert trace is not None
        assert question is not None
        pupil.answers(answer(question, trace))
        pupil.playback.step()
    assert pupil.playback.phase == "forward"
    assert pupil.modes.last == 1
