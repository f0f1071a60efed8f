"""Guide: who is led through a lesson and how far, as immutable values.

learner_of(lesson, ...)   a learner, who begins or goes on
room_of(lesson, ...)      a room, with the slides of the lesson
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, Literal

from msgspec import Struct, field
from msgspec.structs import replace

from app.controls.spans import Spans
from app.document.sheet import Sheet
from app.lessons.lesson import Ask, Lesson, Step
from app.lessons.progress import Done
from app.lessons.situation import Situation
from engine.asking.question import Question
from engine.asking.record import Attempt, right_first_time
from engine.graph import Graph

if TYPE_CHECKING:
    from app.guide.play.poll import Poll
    from app.guide.play.slides import Slide

_SEEDS: Final = 2**31
Stage = Literal["shown", "asked", "revealed"]
"""shown: a slide without a question; asked: its question is open; revealed: with its answer."""


class Guide(Struct, frozen=True):
    """A lesson on its way: a learner goes through its steps, a room through its slides.

    `at` is the index of the step or slide; `done` has the end of each. `seed` draws friendly
    numbers and hidden mistakes. `left`: it is over, and can be continued.
    """

    lesson: Lesson
    at: int = 0
    done: tuple[Done, ...] = ()
    seed: int = 0
    left: bool = False

    def with_end(self, done: Done) -> tuple[Done, ...]:
        """Return the ends of all steps, with that of the current one."""
        return tuple(done if k == self.at else old for k, old in enumerate(self.done))


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


class Learner(Guide, frozen=True):
    """A learner in a lesson; on its end page `at` is the number of steps.

    `begun` is the situation at the step's beginning. `attempts` holds the answers of each ask by
    step. `base` is the sheet with which the step began. `quiz_ended`: an edit or another mode has
    ended the quiz of the step, which is still open. `showing`: Show me is doing the step.
    """

    begun: Situation = Situation(Sheet().graph)
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
    typed: tuple[str, ...] = ()
    """The texts in the blanks of the step when the lesson was left."""
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
        return self.is_test and not all(self.done)

    @property
    def can_go_back(self) -> bool:
        """Return whether Back leads to the step before; not to an answered question of a test."""
        return self.at > 0 and not self.is_test_open

    @property
    def ended(self) -> Done:
        """Return how the current step ended, "" while it is open."""
        return self.done[self.at] if self.step is not None else "done"

    @property
    def may_go_on(self) -> bool:
        """Return whether Next leads on: the step is done, shown, or asks for nothing."""
        return self.step is None or self.step.wants_nothing or bool(self.ended)

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
        if step is None or self.ended or self.showing or self.quiz_ended or not self.has_help:
            return False
        return (step.kind in ("ask", "hunt") and not step.guess) or bool(step.moves)

    @property
    def right_first(self) -> tuple[int, int]:
        """Return the counts of first answers that were right, and of all, in the ended steps."""
        ended = [found for at, found in self.attempts.items() if self.done[at]]
        first = [right for found in ended for right in right_first_time(found).values()]
        right, asked = self.earlier_score
        return right + sum(first), asked + len(first)

    def with_attempts(self, attempts: Sequence[Attempt]) -> Learner:
        """Return the state with the attempts at the current step.

        An attempt that does not continue the earlier one is a repetition, which does not count.
        """
        found = {attempt.question: attempt for attempt in self.attempts.get(self.at, ())}
        for attempt in attempts:
            before = found.get(attempt.question)
            if before is None or attempt.tries[: len(before.tries)] == before.tries:
                found[attempt.question] = attempt
        return replace(self, attempts={**self.attempts, self.at: tuple(found.values())})

    def with_step_ended(self, done: Done) -> Learner:
        """Return the state with the current step ended; one that was done stays so."""
        if self.step is None or self.ended == "done":
            return self
        return replace(self, done=self.with_end(done), warned=False)


def learner_of(
    lesson: Lesson,
    at: int = 0,
    done: tuple[Done, ...] = (),
    seed: int | None = None,
    typed: tuple[str, ...] = (),
    earlier_score: tuple[int, int] = (0, 0),
) -> Learner:
    """Return a learner at a step of a lesson; without a seed its numbers are drawn anew."""
    open_steps: tuple[Done, ...] = ("",) * len(lesson.steps)
    seed = random.randrange(_SEEDS) if seed is None else seed
    return Learner(lesson, at, done or open_steps, seed, typed=typed, earlier_score=earlier_score)


class Room(Guide, frozen=True):
    """A lesson before a room: its slides, the current one of which is shown at a stage.

    `polls` holds the poll of each question that was asked, by index; `former_polls` the counts at
    other numbers, before an edit, whose undo brings their hands back, or before it was asked again.
    `first` is the step with which it begins. `edited`: somebody has edited the sheet meanwhile.
    """

    slides: tuple[Slide, ...] = ()
    stage: Stage = "shown"
    polls: Mapping[int, Poll] = field(default_factory=dict[int, "Poll"])
    former_polls: Mapping[int, tuple[Poll, ...]] = field(
        default_factory=dict[int, "tuple[Poll, ...]"]
    )
    first: int = 0
    edited: bool = False
    seconds: float = 0.0
    """Its duration up to the last time it was left."""
    begun_at: float = 0.0
    entered_at: float = 0.0
    timer_begun_at: float | None = None
    """The times at which it, its slide and the timer began; None while no timer runs."""

    @property
    def slide(self) -> Slide:
        return self.slides[self.at]

    @property
    def step(self) -> Step:
        return self.slide.step

    @property
    def poll(self) -> Poll | None:
        """Return the poll of the current question, also at the reveal; None without a question.

        A question that was not asked yet has none either.
        """
        return None if self.stage == "shown" else self.polls.get(self.at)

    @property
    def situation(self) -> Situation | None:
        """Return the situation on the screen; None for a slide that no longer fits."""
        return self.slide.revealed if self.stage == "revealed" else self.slide.situation

    @property
    def following(self) -> Room | None:
        """Return the state after the next PageDown: the answer, or else the next slide, or None."""
        if self.stage == "asked" and self.slide.step.reveal:
            return replace(self, stage="revealed")
        at = self.next_index(+1)
        if at is None:
            return None
        asks = self.slides[at].kind == "ask"
        return replace(self, at=at, stage="asked" if asks else "shown")

    def with_poll(self, poll: Poll) -> Room:
        """Return the state with another poll of the current question."""
        return replace(self, polls={**self.polls, self.at: poll})

    def with_other_poll(self, poll: Poll) -> Room:
        """Return the state with a poll at other or former numbers; the last count stays."""
        had, former = self.polls.get(self.at), self.former_polls.get(self.at, ())
        kept = [each for each in former if each is not poll]
        kept += [had] if had is not None and self._is_counted(self.at, had) else []
        return replace(self, former_polls={**self.former_polls, self.at: tuple(kept)}).with_poll(
            poll
        )

    @property
    def counts(self) -> Mapping[int, tuple[Poll, ...]]:
        """Return all counts of each question in their order, without those of no hand or number."""
        return {
            at: tuple(
                each
                for each in (*self.former_polls.get(at, ()), poll)
                if self._is_counted(at, each)
            )
            for at, poll in sorted(self.polls.items())
        }

    @property
    def has_hands(self) -> bool:
        """Return whether any hand was counted."""
        return any(poll.has_hands for polls in self.counts.values() for poll in polls)

    def _is_counted(self, at: int, poll: Poll) -> bool:
        """Return whether a poll has hands, or numbers that were called out."""
        return poll.has_hands or (self.slides[at].form == "number" and bool(poll.choices))

    def next_index(self, direction: int) -> int | None:
        """Return the index of the next fitting slide in direction +1 or −1; None without one."""
        at = self.at + direction
        while 0 <= at < len(self.slides) and self.slides[at].misfit:
            at += direction
        return at if 0 <= at < len(self.slides) else None

    def continuing(self, last: Room, *, keeps_place: bool) -> Room:
        """Return the lesson with the polls and ends of its last time, and its place if it is kept.

        Slides are the same by their order; if there are others now, by title and question. What was
        edited in the lecture stays, and the numbers of a question that was asked again, unless the
        step itself has another graph now.
        """
        from app.guide.play.slides import as_before  # few lessons are presented twice

        before = dict(enumerate(last.slides))
        in_order = [s.asks for s in self.slides] == [s.asks for s in last.slides]
        slides, done, at = list(self.slides), list(self.done), 0
        polls: dict[int, Poll] = {}
        former_polls: dict[int, tuple[Poll, ...]] = {}
        for k, new in enumerate(self.slides):
            same = (j for j, old in before.items() if (old.title, old.ask) == (new.title, new.ask))
            j = k if in_order else next(same, -1)
            if (old := before.pop(j, None)) is None:
                continue
            at = k if j <= last.at else at
            done[k] = last.done[j]
            slides[k] = as_before(new, old)
            if (poll := last.polls.get(j)) is not None:
                polls[k], former_polls[k] = poll, last.former_polls.get(j, ())
        drawings = self.lesson.drawings  # those of the last time have the wirings edited in it
        others = (each for each in last.lesson.drawings if each not in drawings)
        return replace(
            self,
            lesson=replace(self.lesson, drawings=(*drawings, *others)),
            slides=tuple(slides),
            done=tuple(done),
            polls=polls,
            former_polls=former_polls,
            seconds=last.seconds,
            at=at if keeps_place else self.at,
        )


def room_of(lesson: Lesson, seed: int = 0, first: int = 0) -> Room:
    """Return a lesson with its slides, which begins at the step `first`."""
    from app.guide.play.slides import slides_of

    slides = slides_of(lesson, seed)
    at = next((k for k, slide in enumerate(slides) if slide.at >= first), 0)
    return Room(lesson, at, ("",) * len(slides), seed, slides=slides, first=first)
