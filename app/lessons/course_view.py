"""CourseView: the texts and lessons of the start page; Progress: the learner's state in them.

    course_view(course, progress)                   the start page
    read_progress, write_progress, forget_progress  the file

Progress is one JSON file on this machine and never sent. A file that can't be read is renamed to
`.damaged`, and progress is empty.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Mapping, Sequence
from datetime import date
from math import ceil
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct, structs

from app.lessons.course import Course
from app.lessons.index import Head
from engine.errors import FormatError
from engine.formats import strict_json
from engine.formats.files import read_content, write_atomically
from engine.graph import Graph
from engine.numbers import counted
from engine.study.question import Kind

NEWCOMER, RETURNING = "See a gradient flow back", "Welcome back"
_QUIZ_FIRST: Final = "You are asked before you are told."


class LessonEntry(Struct, frozen=True):
    """A lesson in the list: its number in the whole course, and its progress; `at` is a step."""

    number: int
    name: str
    title: str
    minutes: int
    steps: int
    at: int
    finished_steps: int
    state: LessonState

    @property
    def share(self) -> float:
        """Return the share of steps that are finished, 0 to 1."""
        return min(1.0, self.finished_steps / self.steps)

    @property
    def minutes_left(self) -> int:
        """Return how many minutes the steps from the present one on take, at least 1."""
        if self.state in ("done", "shown"):
            return 0
        return max(1, ceil(self.minutes * (self.steps - self.at) / self.steps))

    @property
    def caption(self) -> str:
        """Return the text under the title."""
        return "shown, try again" if self.state == "shown" else f"{self.minutes} min"

    @property
    def spoken(self) -> str:
        """Return the entry as a screen reader reads it."""
        states = {
            "new": "not begun",
            "begun": f"step {self.at + 1} of {self.steps}",
            "done": "done",
            "shown": "shown",
        }
        minutes = minutes_text(self.minutes)
        return f"Lesson {self.number}, {self.title}, {minutes}, {states[self.state]}"


class UnitEntry(Struct, frozen=True):
    """A unit in the list; `able` is its goal, `note` its length or the number of lessons done."""

    number: int
    title: str
    able: str
    note: str
    lessons: tuple[LessonEntry, ...]


class Hero(Struct, frozen=True):
    """The card of the lesson to start or continue; `above` is the line over its title."""

    lesson: LessonEntry
    above: str
    text: str
    button: Literal["Start", "Continue", "Open"]
    graph: Graph
    aside: str = ""
    """The length of a lesson not begun yet, else empty."""


class CourseView(Struct, frozen=True):
    """The texts and lessons of the start page; without lessons there is no hero."""

    title: str = NEWCOMER
    lead: str = ""
    hero: Hero | None = None
    units: tuple[UnitEntry, ...] = ()


def course_view(course: Course, progress: Progress) -> CourseView:
    """Return the course with a learner's progress."""
    listed, number = list[UnitEntry](), 1
    for place, unit in enumerate(course.units, 1):
        lessons = tuple(
            _entry(k, head, progress.of(head.name)) for k, head in enumerate(unit.lessons, number)
        )
        number += len(lessons)
        listed.append(UnitEntry(place, unit.title, unit.able, _unit_note(lessons), lessons))
    entries = [entry for unit in listed for entry in unit.lessons]
    if not entries:
        return CourseView()
    is_new = all(entry.state == "new" for entry in entries)
    lead = _newcomer_lead(entries) if is_new else _returning_lead(entries)
    heads = {head.name: head for head in course.lessons}
    lesson = _next_lesson(entries, progress)
    unit = next(unit for unit in listed if lesson in unit.lessons)
    above = "Start here" if is_new else f"Unit {unit.number}, lesson {lesson.number}"
    hero = _hero(lesson, above, heads[lesson.name])
    return CourseView(NEWCOMER if is_new else RETURNING, lead, hero, tuple(listed))


def _entry(number: int, head: Head, found: LessonProgress) -> LessonEntry:
    """Return a lesson of the list; its step is limited, since an update may have fewer steps."""
    steps = head.steps
    at = min(found.at, steps - 1)
    return LessonEntry(
        number, head.name, head.title, head.minutes, steps, at, found.finished_steps, found.state
    )


def minutes_text(minutes: int) -> str:
    """Return a number of minutes for a sentence."""
    return counted(minutes, "{count} minute", "{count} minutes")


def _unit_note(lessons: Sequence[LessonEntry]) -> str:
    done = sum(lesson.state == "done" for lesson in lessons)
    minutes = sum(lesson.minutes for lesson in lessons)
    return f"{done} of {len(lessons)} done" if done else f"{minutes} min"


def _newcomer_lead(lessons: Sequence[LessonEntry]) -> str:
    minutes = sum(lesson.minutes for lesson in lessons)
    return f"{len(lessons)} short lessons, about {minutes} minutes in all. {_QUIZ_FIRST}"


def _returning_lead(lessons: Sequence[LessonEntry]) -> str:
    done = sum(lesson.state == "done" for lesson in lessons)
    left = sum(lesson.minutes_left for lesson in lessons)
    done_text = f"{done} of {len(lessons)} lessons done"
    return f"{done_text}, about {left} minutes to go" if left else done_text


def _next_lesson(lessons: Sequence[LessonEntry], progress: Progress) -> LessonEntry:
    """Return the unfinished lesson opened last, else the next new or shown one, else the first."""
    by_name = {lesson.name: lesson for lesson in lessons}
    opened = [by_name[name] for name in progress.names if name in by_name]
    for lesson in opened:
        if lesson.state in ("new", "begun"):  # also one left at its first step
            return lesson
    start = opened[0].number if opened else 0
    in_turn = (*lessons[start:], *lessons[:start])
    for state in ("new", "shown"):
        for lesson in in_turn:
            if lesson.state == state:
                return lesson
    return lessons[0]


def _hero(lesson: LessonEntry, above: str, head: Head) -> Hero:
    if lesson.state == "begun":
        minutes = minutes_text(lesson.minutes_left)
        title = head.step_titles[lesson.at]
        end = "" if title.endswith(("?", ".", "!")) else "."
        place = f"Step {lesson.at + 1} of {lesson.steps}"
        text = f"{place}, about {minutes} left. Next: {title}{end}"
        return Hero(lesson, above, text, "Continue", head.graph)
    text = f"After it you can {head.able[:1].lower()}{head.able[1:].rstrip('.')}."
    length = f"{lesson.minutes} min, {lesson.steps} steps"
    button = "Start" if lesson.state == "new" else "Open"
    return Hero(lesson, above, text, button, head.graph, length)


FORMAT: Final = "backwire progress"
VERSION: Final = 2
"""2 added slips and asked kinds; files of version 1 have neither and are read."""
MOST_STEPS: Final = 12
"""Maximum number of steps of a lesson."""
MOST_BLANKS: Final = 12
"""Maximum number of blanks of a step."""
LONGEST_TEXT: Final = 400
"""Maximum number of characters of a typed answer."""
_LARGEST_COUNT: Final = 10**9
"""Bound of counts and seconds, so that a damaged file can't hold absurd ones."""

INTERVALS: Final = (1, 3, 7)
"""Days after which a slip is asked about again, by its stage."""
MOST_STORED: Final = 500
"""Maximum number of slips, and of kinds of questions; there are fewer than 100 slips."""

StepState = Literal["", "done", "shown"]
"""Unfinished, done by the learner, or played by Show me."""
LessonState = Literal["new", "begun", "done", "shown"]
"""`shown`: ended, with at least one step played by Show me."""

_NAMED: Final = re.compile(rb'(\xef\xbb\xbf)?\s*\{\s*"format"\s*:\s*"backwire progress"')
_Text = Annotated[str, Meta(max_length=LONGEST_TEXT)]
_Count = Annotated[int, Meta(ge=0, le=_LARGEST_COUNT)]


class LessonProgress(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The progress in one lesson: `at` is the step to resume at, from 0.

    `digest` identifies the lesson file that the states belong to. `typed` are the texts in the
    blanks when the lesson was left, `seed` is that of its friendly numbers. `right` of `asked`
    questions were answered right first time, without hint and Show me. `ended` is the ISO date of
    the first end, or "".
    """

    digest: _Text = ""
    at: Annotated[int, Meta(ge=0, lt=MOST_STEPS)] = 0
    states: Annotated[tuple[StepState, ...], Meta(max_length=MOST_STEPS)] = ()
    typed: Annotated[tuple[_Text, ...], Meta(max_length=MOST_BLANKS)] = ()
    seed: Annotated[int, Meta(ge=0, lt=2**31)] | None = None
    right: _Count = 0
    asked: _Count = 0
    seconds: Annotated[float, Meta(ge=0, le=_LARGEST_COUNT)] = 0.0
    ended: Annotated[str, Meta(pattern=r"^(\d{4}-\d\d-\d\d)?$")] = ""

    @property
    def finished_steps(self) -> int:
        """Return the number of steps that were done or shown."""
        return sum(1 for state in self.states if state)

    @property
    def state(self) -> LessonState:
        """Return the state of the whole lesson."""
        if self.ended:
            return "shown" if "shown" in self.states else "done"
        return "begun" if self.at or self.finished_steps else "new"


class Origin(Struct, frozen=True):
    """A lesson or test, by its key in the progress file, and its title."""

    lesson: str
    title: str


class StoredSlip(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A slip that the learner made: its name and the kind of question that it was made in.

    `lesson` and `title` are those of the lesson where it was made on the day `last`. `next` is the
    day on which it is asked about again.
    """

    name: _Text
    kind: Kind
    lesson: _Text
    title: _Text
    last: date
    next: date
    stage: Annotated[int, Meta(ge=0, lt=len(INTERVALS))] = 0

    @property
    def origin(self) -> Origin:
        """Return the lesson where it was made."""
        return Origin(self.lesson, self.title)


class AskedKind(Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of question that a lesson asks, and the day on which it was last asked."""

    kind: Kind
    lesson: _Text
    title: _Text
    last: date

    @property
    def origin(self) -> Origin:
        """Return the lesson that asks it."""
        return Origin(self.lesson, self.title)


class Progress(Struct, frozen=True):
    """The progress in each opened lesson, by its name; the lesson opened last is last.

    `slips` are those that the learner has made and `asked` the kinds of questions answered, for
    `app.lessons.review`.
    """

    lessons: Mapping[str, LessonProgress] = {}
    slips: tuple[StoredSlip, ...] = ()
    asked: tuple[AskedKind, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the opened lessons, the lesson opened last first."""
        return tuple(self.lessons)[::-1]

    def of(self, name: str) -> LessonProgress:
        """Return the progress in a lesson, which may not have been opened."""
        return self.lessons.get(name, LessonProgress())

    def updated(self, name: str, lesson: LessonProgress) -> Progress:
        """Return the progress with that of one lesson replaced, which becomes the last one."""
        others = {key: found for key, found in self.lessons.items() if key != name}
        return structs.replace(self, lessons={**others, name: lesson})


class _File(Struct, forbid_unknown_fields=True, omit_defaults=True):
    format: Literal["backwire progress"]
    version: Literal[1, 2]
    lessons: dict[Annotated[str, Meta(min_length=1, max_length=LONGEST_TEXT)], LessonProgress]
    slips: Annotated[tuple[StoredSlip, ...], Meta(max_length=MOST_STORED)] = ()
    asked: Annotated[tuple[AskedKind, ...], Meta(max_length=MOST_STORED)] = ()
    student: Annotated[str, Meta(max_length=LONGEST_TEXT)] = ""


class HandedIn(Struct, frozen=True):
    """Progress as it is handed in; `student` is "" in an exported file."""

    progress: Progress
    student: str = ""


def is_progress(content: bytes) -> bool:
    """Return whether the bytes of a JSON file hold progress, by the format at their beginning."""
    return _NAMED.match(content) is not None


def read_handed_in(content: bytes) -> HandedIn:
    """Return the progress in the bytes of a file; FormatError if they hold none."""
    found = strict_json.decode(strict_json.checked(content), _File, FORMAT)
    return HandedIn(Progress(found.lessons, found.slips, found.asked), found.student)


def read_progress(path: Path) -> Progress:
    """Return the progress in a file; empty if it is missing or can't be read."""
    try:
        found = read_handed_in(read_content(path))
    except FormatError:
        if path.is_file():
            with contextlib.suppress(OSError):
                os.replace(path, _damaged_path(path))
        return Progress()
    return found.progress


def write_progress(path: Path, progress: Progress, student: str = "") -> None:
    """Write a file atomically; raises FormatError if it can't be written.

    It is also the form in which progress is exported, and with a student's name handed in.
    """
    file = _File(FORMAT, VERSION, dict(progress.lessons), progress.slips, progress.asked, student)
    content = msgspec.json.format(msgspec.json.encode(file), indent=1)
    write_atomically(path, content + b"\n")


def forget_progress(path: Path) -> None:
    """Delete a file and the damaged one kept aside; OSError if that is refused."""
    for found in (path, _damaged_path(path)):
        found.unlink(missing_ok=True)


def _damaged_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.damaged")
