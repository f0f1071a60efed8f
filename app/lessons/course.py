"""Course: the units and lessons that come with the program, in their order."""

from __future__ import annotations

from functools import cache

from msgspec import Struct

from app.lessons.index import entries, path_of
from app.lessons.lesson import Lesson
from app.lessons.load import Head, head_of, load_lesson


class Unit(Struct, frozen=True):
    """A unit: its title, what one can do after it, and the heads of its lessons."""

    title: str
    able: str
    lessons: tuple[Head, ...]


class Course(Struct, frozen=True):
    """All units in order."""

    units: tuple[Unit, ...]

    @property
    def lessons(self) -> tuple[Head, ...]:
        """Return the heads of all lessons, in order."""
        return tuple(head for unit in self.units for head in unit.lessons)

    def after(self, name: str) -> Head | None:
        """Return the lesson that follows one of the course; None after the last and elsewhere."""
        names = [head.name for head in self.lessons]
        following = names.index(name) + 1 if name in names else len(names)
        return self.lessons[following] if following < len(names) else None


@cache
def course() -> Course:
    """Return the course; its lessons are not played."""
    return Course(
        tuple(
            Unit(unit.title, unit.able, tuple(head_of(path_of(name)) for name in unit.lessons))
            for unit in entries()
        )
    )


@cache
def lesson(name: str) -> Lesson:
    """Return a lesson of the course, played through once."""
    return load_lesson(path_of(name))
