"""LessonState: a learner's state in a lesson, as an immutable value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from app.controls.spans import Spans
from app.document.sheet import Sheet
from app.lessons.lesson import Ask, Lesson, Step
from app.lessons.progress import Mark
from app.lessons.situation import Situation
from engine.graph import Graph
from engine.study.question import Question
from engine.study.record import Attempt, right_first_time


class ResumePoint(Struct, frozen=True):
    """The resume point of a lesson in the progress file: a step, and the marks of all steps.

    `typed` are the texts in the blanks of that step, in the order of its questions, which are about
    the friendly numbers of `seed`; None draws others. `right` of `asked` questions of the steps
    that were ended are right first time.
    """

    at: int = 0
    marks: tuple[Mark, ...] = ()
    typed: tuple[str, ...] = ()
    seed: int | None = None
    right: int = 0
    asked: int = 0


class WrongAnswer(Struct, frozen=True):
    """A first wrong answer of a lesson: its step from 1, the texts, and the verdict.

    `role` is the colour of the right one, `slip` the name of the likeliest slip, "" without one.
    """

    step: int
    question: Question
    typed: str
    right: str
    said: Spans
    role: str = "gradient"
    slip: str = ""


class Guess(Struct, frozen=True):
    """A guess, which is not judged: the index of its step, its texts, and the graph it is about."""

    at: int
    question: Question
    ask: Ask
    typed: str
    graph: Graph


class LessonState(Struct, frozen=True):
    """The state of a learner in a lesson.

    `begun` is the situation at the step's beginning, its friendly numbers drawn from `seed`. `at`
    is the step's index, that of the end page is the number of steps. `marks` holds the end of each
    step, `attempts` the answers of each ask by step. `base` is the sheet with which the step
    began. `quiz_ended`: an edit or another mode has ended the quiz of the step, which is still
    open. `showing`: Show me is doing the step. `left`: the lesson was left and can be continued.
    """

    lesson: Lesson
    begun: Situation
    at: int = 0
    marks: tuple[Mark, ...] = ()
    attempts: Mapping[int, tuple[Attempt, ...]] = field(
        default_factory=dict[int, tuple[Attempt, ...]]
    )
    wrong: tuple[WrongAnswer, ...] = ()
    guesses: tuple[Guess, ...] = ()
    """The guesses of this run of the lesson, each of which stands beside the truth later."""
    base: Sheet = field(default_factory=Sheet)
    quiz_ended: bool = False
    showing: bool = False
    warned: bool = False
    """Whether Next was pressed before the step was done."""
    hinted: bool = False
    """Whether the hint of a step was asked for; that of a question has its own button."""
    left: bool = False
    typed: tuple[str, ...] = ()
    """The texts in the blanks of the step when the lesson was left."""
    seed: int = 0
    earlier_score: tuple[int, int] = (0, 0)
    """Questions that were right first time, and all, before the lesson was continued."""
    parts: frozenset[str] = frozenset()
    """The parts of the window that its steps so far have needed; all others are folded."""

    @property
    def step(self) -> Step | None:
        """Return the current step; None on the end page."""
        return self.lesson.steps[self.at] if self.at < len(self.lesson.steps) else None

    @property
    def is_test(self) -> bool:
        """Return whether the lesson is a test: one try, and no verdict before its end."""
        return self.lesson.kind == "test"

    @property
    def is_test_open(self) -> bool:
        """Return whether the lesson is a test whose questions are not all answered."""
        return self.is_test and not all(self.marks)

    @property
    def can_go_back(self) -> bool:
        """Return whether Back leads to the step before; not to an answered question of a test."""
        return self.at > 0 and not self.is_test_open

    @property
    def mark(self) -> Mark:
        """Return the mark of the current step."""
        return self.marks[self.at] if self.step is not None else "done"

    @property
    def may_go_on(self) -> bool:
        """Return whether Next leads on: the step is done, shown, or asks for nothing."""
        return self.step is None or self.step.wants_nothing or bool(self.mark)

    @property
    def shows_hint(self) -> bool:
        """Return whether the hint of a task is shown: asked for, or Next pressed before it."""
        return self.hinted or self.warned

    @property
    def has_help(self) -> bool:
        """Return whether there are hints and Show me: not in Daily five, a test or a lecture."""
        return self.lesson.kind == "lesson"

    @property
    def can_show(self) -> bool:
        """Return whether Show me can do something: the step is open and has an answer or moves."""
        step = self.step
        if step is None or self.mark or self.showing or self.quiz_ended or not self.has_help:
            return False
        return (step.kind in ("ask", "hunt") and not step.guess) or bool(step.moves)

    @property
    def right_first(self) -> tuple[int, int]:
        """Return the counts of first answers that were right, and of all, in the ended steps."""
        ended = [found for at, found in self.attempts.items() if self.marks[at]]
        first = [right for found in ended for right in right_first_time(found).values()]
        right, asked = self.earlier_score
        return right + sum(first), asked + len(first)

    def with_attempts(self, attempts: Sequence[Attempt]) -> LessonState:
        """Return the state with the attempts at the current step.

        An attempt that does not continue the earlier one is a repetition, which does not count.
        """
        found = {attempt.question: attempt for attempt in self.attempts.get(self.at, ())}
        for attempt in attempts:
            before = found.get(attempt.question)
            if before is None or attempt.tries[: len(before.tries)] == before.tries:
                found[attempt.question] = attempt
        return replace(self, attempts={**self.attempts, self.at: tuple(found.values())})

    def marked(self, mark: Mark) -> LessonState:
        """Return the state with the current step ended; one that was done stays so."""
        if self.step is None or self.mark == "done":
            return self
        marks = tuple(mark if k == self.at else old for k, old in enumerate(self.marks))
        return replace(self, marks=marks, warned=False)
