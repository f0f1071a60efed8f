"""Course: the units and lessons that come with the program, in their order.

course()      titles, abilities and minutes, for lists
lesson(name)  one lesson, ready to be begun
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from msgspec import Struct

from app.lessons.index import Head, head, index_units, path_of

if TYPE_CHECKING:
    from app.lessons.lesson import Lesson


class Unit(Struct, frozen=True):
    """A unit: its title, the ability it teaches, and the heads of its lessons."""

    title: str
    able: str
    lessons: tuple[Head, ...]

    @property
    def minutes(self) -> int:
        """Return the minutes of all its lessons."""
        return sum(head.minutes for head in self.lessons)


class Course(Struct, frozen=True):
    """All units in order."""

    units: tuple[Unit, ...]

    @property
    def lessons(self) -> tuple[Head, ...]:
        """Return the heads of all lessons, in order."""
        return tuple(head for unit in self.units for head in unit.lessons)

    def after(self, name: str) -> Head | None:
        """Return the lesson after the one named; None after the last, and for another file."""
        lessons = self.lessons
        names = [head.name for head in lessons]
        following = names.index(name) + 1 if name in names else len(names)
        return lessons[following] if following < len(names) else None


@cache
def course() -> Course:
    """Return the course; its lessons are not played."""
    return Course(
        tuple(
            Unit(unit.title, unit.able, tuple(head(name) for name in unit.lessons))
            for unit in index_units()
        )
    )


@cache
def lesson(name: str) -> Lesson:
    """Return a lesson of the course, played through once."""
    from app.lessons.load import load_lesson  # the start page does without

    return load_lesson(path_of(name))
