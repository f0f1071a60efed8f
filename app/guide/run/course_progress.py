"""CourseProgress: this learner's progress in the course, kept in a file while a lesson is on.

It follows `GuideRunner`, stores where each lesson was left, and notes which slips were made: these
come back in Daily five. Beside its file is the report of the final test that ended last.
`app.lessons.progress` is the file, `app.lessons.review` the days.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from app.guide.play.guide import Learner, learner_of
from app.guide.run.guide_runner import GuideRunner
from app.lessons.course import course, is_of_course
from app.lessons.lesson import Lesson
from app.lessons.progress import (
    LessonProgress,
    Origin,
    Progress,
    StoredSlip,
    delete_set_aside,
    merged,
    read_progress,
    stamped,
    write_progress,
)
from app.lessons.review import (
    OPENS_AFTER,
    WITHOUT_SLIPS,
    DailyEntry,
    ReviewItem,
    answered,
    asked,
    believed,
    daily_entry,
    due_items,
    noted,
    open_beliefs,
    returns_text,
)
from engine.asking.inference import Answered, answers_of, sightings
from engine.asking.question import Kind
from engine.asking.record import Attempt, Record, right_first_time
from engine.errors import EngineError, FormatError
from engine.formats.files import read_content, write_atomically
from engine.formats.report import Report

if TYPE_CHECKING:
    from app.lessons.course_view import CourseView


_SAID_AFTER_MS: Final = 800
"""Time in ms after which a window that is opening, or the next step of a lesson, has got its focus,
which would hide a toast."""
_NOT_KEPT: Final = "Your progress can't be kept: {why}"
_TEST_NOT_KEPT: Final = "The result of the final test can't be kept: {why}"
TEST_RETURNS: Final = "Comes back in the Daily five after 1, 3 and 7 days"
LESSON_RETURNS: Final = "Comes back in tomorrow's Daily five"
LATER_RETURNS: Final = "Comes back in Daily five after lesson {number}, tomorrow at the earliest"
"""When a slip is asked about again: one of the final test; one of a lesson; and any of them while
Daily five is not open yet."""


class CourseProgress(QObject):
    """Follows the lesson that is on; keeps the progress, also where its file can't be written."""

    changed = Signal()
    """Emitted after a change of the progress."""
    said = Signal(str)
    """Emitted with a sentence when the file could not be read, written or deleted."""

    def __init__(self, guides: GuideRunner, path: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._guides, self._path = guides, path
        self.today: Callable[[], date] = date.today
        """The calendar of all progress; a test replaces it."""
        self.now: Callable[[], float] = time.time
        """The clock of its changes, in s since 1970."""
        self._noted_steps: tuple[Lesson | None, frozenset[int]] = None, frozenset()
        """The lesson that was on, and its steps whose slips are noted."""
        self._days: tuple[tuple[Lesson, tuple[ReviewItem, ...]], ...] = ()
        """The questions of the last two days, and what each is about: the earlier one is still
        on the sheet while the later one begins."""
        self._noted_test: Lesson | None = None
        """The last test whose slips are noted."""
        self._test_path = path.with_name("final-test.json")
        self._test_refused = False
        """Whether the report in that file can't be read."""
        self._progress: Progress | None = None
        self._view: CourseView | None = None
        self._failure = ""
        """Why the last change could not be written, so that the file is older than the progress."""
        guides.changed.connect(self._follow)

    @property
    def progress(self) -> Progress:
        """Return the progress in all lessons; the file is read when it is first asked for."""
        if self._progress is None:
            self._progress, self._failure = self._with_file(Progress())
            if self._failure:
                self._say_soon(_NOT_KEPT.format(why=self._failure))
        return self._progress

    def _with_file(self, held: Progress) -> tuple[Progress, str]:
        """Return the held progress merged with that of the file, and why it is read-only, or ""."""
        try:
            return merged(held, read_progress(self._path, self._say_soon)), ""
        except FormatError as error:
            return held, str(error)

    @property
    def view(self) -> CourseView:
        """Return the course with this learner's progress, a memo until the progress changes."""
        from app.lessons.course_view import course_view

        if self._view is None:
            self._view = course_view(course(), self.progress)
        return self._view

    @property
    def daily(self) -> DailyEntry:
        """Return Daily five as it stands today."""
        return daily_entry(self.progress, self._course_names, self.today())

    @property
    def open_beliefs(self) -> tuple[str, ...]:
        """Return the names of the beliefs that are open, the one seen last first."""
        return open_beliefs(self.progress)

    def note_answers(self, report: Report, before: Record) -> None:
        """Note what answers in a run of Ask me tell of beliefs; `before` is its record before them.

        The first answers alone tell something, and the earlier ones what the later ones mean.
        """
        noted_before = {(a.question, a.round) for a in before.attempts if a.tries}
        known, new = list[Attempt](), list[Attempt]()
        for attempt in report.record.attempts:
            (known if (attempt.question, attempt.round) in noted_before else new).append(attempt)
        graph, rules = report.graph, report.record.rules
        if any(attempt.tries for attempt in new):
            self._note_beliefs(answers_of(new, graph, rules), answers_of(known, graph, rules))

    def note_drill(self, answered: Answered) -> None:
        """Note what the answer to one of three more questions tells of beliefs."""
        if not answered.trace.rules.is_mistake:
            self._note_beliefs([answered])

    def _note_beliefs(self, answers: Iterable[Answered], known: Iterable[Answered] = ()) -> None:
        """Note what answers tell of beliefs; those `known` of their run are noted already."""
        noted_before, held = list(known), self.open_beliefs
        seen = sightings([*noted_before, *answers], held)
        if new := seen[len(sightings(noted_before, held)) :]:
            today = self.today()
            self.change(lambda progress: believed(progress, new, today))

    def daily_five(self, seed: int) -> Lesson:
        """Return the lesson of what is due today, with numbers drawn from a seed."""
        from app.lessons.daily import daily_lesson

        today = self.today()
        about = due_items(self.progress, today)
        places = {each.name: each.place for each in self.progress.beliefs}
        lesson = daily_lesson(about, today, seed, self._readable_lesson, places)
        self._days = (*self._days[-1:], (lesson, about))
        return lesson

    def returns(self, state: Learner) -> tuple[str, ...]:
        """Return when slips come back: for each question of a day, else for each wrong answer.

        "" for a wrong answer that is not stored, for it shows no slip.
        """
        if about := self._review_items_of(state.lesson):
            return tuple(returns_text(self.progress, each, self.today()) for each in about)
        stored = {(slip.name, slip.kind) for slip in self.progress.slips if not slip.is_over}
        text = LESSON_RETURNS if self.daily.is_open else self._later_text
        return tuple(
            text if (wrong.slip, wrong.question.kind) in stored else "" for wrong in state.wrong
        )

    def _review_items_of(self, lesson: Lesson) -> tuple[ReviewItem, ...]:
        """Return what each question of a day is about; () for any other lesson."""
        return next((about for each, about in self._days if each is lesson), ())

    @property
    def test_slips_return_text(self) -> str:
        """Return when a slip that was made in the final test is asked again."""
        return TEST_RETURNS if self.daily.is_open else self._later_text

    @property
    def _later_text(self) -> str:
        return LATER_RETURNS.format(number=OPENS_AFTER)

    @property
    def _course_names(self) -> tuple[str, ...]:
        return tuple(head.name for head in course().lessons)

    def _readable_lesson(self, key: str) -> Lesson | None:
        """Return a lesson of the course; None for another key, or if its file can't be read."""
        from app.lessons.load import lesson

        try:
            return lesson(key) if key in self._course_names else None
        except EngineError:
            return None

    @property
    def has_ended_test(self) -> bool:
        """Return whether the report of an ended test is kept that was not found unreadable."""
        return not self._test_refused and os.path.isfile(self._test_path)

    def ended_test(self) -> Learner:
        """Return the state of the test that ended last; FormatError if its report can't be read."""
        from app.guide.words.final_result import state_of
        from app.lessons.final_test import read_report

        try:
            state = state_of(read_report(read_content(self._test_path)).answers)
        except FormatError:
            self._test_refused = True
            self.changed.emit()
            raise
        self._noted_test = state.lesson  # at its end
        return state

    @property
    def next_lesson(self) -> str:
        """Return the name of the lesson to begin or continue, or ""."""
        hero = self.view.hero
        return "" if hero is None else hero.lesson.name

    def learner(self, lesson: Lesson) -> Learner:
        """Return the learner who goes on with a lesson; at its start if all is done or it changed.

        A lesson whose end was reached past open steps is not over: it goes on at its last step.
        """
        stored = self.progress.of(_key(lesson))
        fits = stored.digest == lesson.digest and len(stored.states) == len(lesson.steps)
        if not fits or (stored.ended and all(stored.states)):
            return learner_of(lesson)
        at = min(stored.at, len(lesson.steps) - 1)
        score = stored.right, stored.asked
        return learner_of(lesson, at, stored.states, stored.seed, stored.typed, score)

    def store(self, name: str, lesson: LessonProgress) -> None:
        """Replace the progress in one lesson and write the file."""
        self.change(lambda progress: progress.updated(name, lesson))

    def change(self, change: Callable[[Progress], Progress]) -> None:
        """Change the progress and write the file.

        The file is read again before, since another window may have changed other lessons, and
        merged with what this one holds, since it may have been deleted or damaged.
        """
        before, failure = self._with_file(self.progress)
        self._progress, self._view = stamped(before, change(before), self.now()), None
        failure = failure or self._write(partial(write_progress, self._path, self._progress))
        if failure and not self._failure:
            self._say_soon(_NOT_KEPT.format(why=failure))
        self._failure = failure
        self.changed.emit()

    def _write(self, write: Callable[[], object]) -> str:
        """Write a file into the folder of the progress; return why that failed, or ""."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write()
        except FormatError as error:
            return str(error)
        except OSError as error:
            return f"{self._path.parent} can't be made: {error.strerror}."
        return ""

    def export(self, path: Path, student: str = "") -> None:
        """Write the progress to a file of the learner's choice; FormatError if that fails."""
        write_progress(path, self.progress, student)

    def forget(self) -> bool:
        """Forget all progress, also that of other windows; return whether that succeeded.

        The report of the final test is deleted, too. The file keeps the time, so that no other
        window brings back what it holds.
        """
        before, failure = self._with_file(self.progress)
        nothing = Progress(forgotten=before.time_after(self.now()))
        try:
            if failure := failure or self._write(partial(write_progress, self._path, nothing)):
                raise FormatError(failure)
            self._progress, self._view, self._failure = nothing, None, ""
            self.changed.emit()
            delete_set_aside(self._path, self._test_path)
        except FormatError as error:
            self.said.emit(f"Your progress can't be deleted: {error}")
            return False
        return True

    def _say_soon(self, sentence: str) -> None:
        """Emit `said` once the page or step that is being shown, and reads or writes the file, is.

        Said at once it would give way to the next step of a lesson, or to what is said at its end.
        """
        QTimer.singleShot(_SAID_AFTER_MS, self, partial(self.said.emit, sentence))

    def _follow(self) -> None:
        """Keep the state of the lesson that is on, and the slips of its steps that have ended."""
        state = self._guides.learner
        if state is None:
            return
        if state.is_test:
            self._note_test(state)
            return
        ended = self._steps_to_note(state)
        attempts = [each for at in ended if at == state.at for each in state.attempts.get(at, ())]
        if attempts:
            begun = state.begun
            self._note_beliefs(answers_of(attempts, begun.graph, begun.rules.name))
        if ended and self._review_items_of(state.lesson):
            self.change(lambda progress: self._reviewed(progress, state, ended))
        if not state.lesson.digest:
            return  # made in memory: it can't be resumed
        before = self.progress.of(_key(state.lesson))
        after = _progress_of(state, before, self.today())
        if after == before and not ended:
            return
        lesson = replace(after, seconds=before.seconds + self._guides.seconds_since_last_call())
        self.change(
            lambda progress: self._noted(progress.updated(_key(state.lesson), lesson), state, ended)
        )

    def _note_test(self, state: Learner) -> None:
        """Keep the report of a final test, and note its slips, once it has ended."""
        if state.is_test_open or self._noted_test is state.lesson:
            return
        from app.guide.words.final_result import answers_of, result_of
        from app.lessons.final_test import NAME, TITLE, report_of, report_text

        self._noted_test, today = state.lesson, self.today()  # once, at the first signal after it
        content = report_text(report_of(answers_of(state))).encode()
        failure = self._write(partial(write_atomically, self._test_path, content))
        if failure:
            self._say_soon(_TEST_NOT_KEPT.format(why=failure))
        self._test_refused = False
        result = result_of(state)
        if slips := result.slips:
            self.change(lambda progress: noted(progress, slips, Origin(NAME, TITLE), today))
        self._note_beliefs(result.answered)

    def _steps_to_note(self, state: Learner) -> list[int]:
        """Return the steps that have ended since the last change, as indices.

        Of the questions of a day the first answer ends a step, right or wrong.
        """
        lesson, noted_before = self._noted_steps
        daily = bool(self._review_items_of(state.lesson))
        steps = state.attempts.items() if daily else enumerate(state.done)
        ended = [at for at, found in steps if found]
        self._noted_steps = state.lesson, frozenset(ended)
        if lesson is not state.lesson:
            return []  # begun or continued: the slips of these steps were noted before
        return [at for at in ended if at not in noted_before]

    def _reviewed(self, progress: Progress, state: Learner, ended: Sequence[int]) -> Progress:
        """Return the progress after the first answers to questions of the day."""
        today, origin = self.today(), Origin(state.lesson.name, state.lesson.title)
        due_in_lesson = self._review_items_of(state.lesson)
        for at in ended:
            about = due_in_lesson[at]
            right = all(right_first_time(state.attempts[at]).values())
            known = about.name if isinstance(about, StoredSlip) else None
            # the slip that is due begins anew by `answered`; another one is noted
            others = [slip for slip in _slips_of(state, [at]) if slip[0] != known]
            progress = noted(answered(progress, about, right, today), others, origin, today)
        return progress

    def _noted(self, progress: Progress, state: Learner, ended: Sequence[int]) -> Progress:
        """Return the progress with slips and kinds of the steps that have ended."""
        origin, today = Origin(_key(state.lesson), state.lesson.title), self.today()
        attempts = (attempt for at in ended for attempt in state.attempts.get(at, ()))
        kinds: list[Kind] = [a.question.kind for a in attempts if a.question.kind != "text"]
        progress = noted(progress, _slips_of(state, ended), origin, today)
        return asked(progress, kinds, origin, today)


def _slips_of(state: Learner, steps: Sequence[int]) -> list[tuple[str, Kind]]:
    """Return the slips of the first wrong answers at these steps, by name and kind."""
    return [
        (wrong.slip, wrong.question.kind)
        for wrong in state.wrong
        if wrong.step - 1 in steps and (wrong.slip or wrong.question.kind in WITHOUT_SLIPS)
    ]


def _key(lesson: Lesson) -> str:
    """Return the key of a lesson's progress: its name, or the digest of a teacher's file."""
    return lesson.name if is_of_course(lesson) else lesson.digest


def _progress_of(state: Learner, before: LessonProgress, today: date) -> LessonProgress:
    """Return the progress in a lesson after its state; a lesson that is over stays so.

    It is played again without a trace, but to an end that is as good: with no step more shown.
    """
    right, asked = state.right_first
    is_over = state.step is None
    was_over = before.ended and all(before.states) and before.digest == state.lesson.digest
    is_as_good = (
        is_over and all(state.done) and ("shown" in before.states or "shown" not in state.done)
    )
    if was_over and not is_as_good:
        return before
    ended = before.ended or (today.isoformat() if is_over else "")
    return replace(
        before,
        digest=state.lesson.digest,
        at=min(state.at, len(state.lesson.steps) - 1),
        states=state.done,
        typed=state.typed,
        seed=state.seed,
        right=right,
        asked=asked,
        ended=ended,
    )
