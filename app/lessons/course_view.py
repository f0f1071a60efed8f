"""CourseView: the texts and lessons of the start page, from the course and a learner's progress.

`CourseProgress` of `app.workbench.trials` makes it again after every change of the progress.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Final, Literal

from msgspec import Struct

from app.lessons.course import Course, Head
from app.lessons.progress import LessonProgress, LessonStage, Progress
from engine.graph import Graph
from engine.numbers import counted

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
    state: LessonStage

    @property
    def share(self) -> float:
        """Return the share of steps that are finished, 0 to 1."""
        return min(1.0, self.finished_steps / self.steps)

    @property
    def minutes_left(self) -> int:
        """Return how many minutes the steps from the present one on take, at least 1.

        0 of a lesson that is done; one that was shown is not, and has all of its steps again.
        """
        if self.state in ("done", "shown"):
            return self.minutes if self.state == "shown" else 0
        return max(1, ceil(self.minutes * (self.steps - self.at) / self.steps))

    @property
    def caption(self) -> str:
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
    opens: bool = False
    """Whether the learner has begun nothing: the cold open is offered before the lesson."""


def course_view(course: Course, progress: Progress) -> CourseView:
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
    title, opens = NEWCOMER if is_new else RETURNING, not progress.names
    return CourseView(title, lead, hero, tuple(listed), opens)


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
