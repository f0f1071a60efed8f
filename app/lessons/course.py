"""Course: the units and lessons that come with the program, in their order.

The start page and the progress file need no more than this, so no lesson is played: `lesson` of
`app.lessons.load` does that.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import msgspec
from msgspec import Struct

from engine import from_expression
from engine.formats.files import load
from engine.graph import Graph

if TYPE_CHECKING:
    from app.lessons.lesson import Lesson

SUFFIX: Final = ".toml"
FOLDER: Final = Path(__file__).resolve().parents[2] / "resources" / "lessons"
OPENING, OPENING_TITLE = "why-wrong", "Why is this dot wrong?"
"""The cold open: the lesson beside the course that the start page offers first."""
MOST_LESSON_STEPS: Final = 200
"""Maximum number of steps of a lesson, and of a progress file: an hour for a room has about 20."""
MOST_PARTS: Final = 12
"""Maximum number of entries of a list or a table within a step, so also of its questions."""


class Beginning(Struct, frozen=True):
    """The graph that a lesson begins with: an expression, or the name of a file."""

    expression: str = ""
    values: Mapping[str, float] = {}
    file: str = ""


class Head(Struct, frozen=True):
    """A lesson as a list shows it, with the graph that it begins with.

    `needs` are the names of lessons that come before, `attacks` those of the slips and mistakes
    that the lesson works on.
    """

    name: str
    title: str
    able: str
    minutes: int
    step_titles: tuple[str, ...]
    beginning: Beginning
    needs: tuple[str, ...] = ()
    attacks: tuple[str, ...] = ()

    @property
    def steps(self) -> int:
        """Return the number of steps."""
        return len(self.step_titles)

    @property
    def graph(self) -> Graph:
        """Return the graph that the lesson begins with."""
        begun = self.beginning
        if begun.file:
            return load(FOLDER / begun.file)
        return from_expression(begun.expression, begun.values)


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
        """Return the lesson after the one named, the first after another; None after the last."""
        lessons = self.lessons
        names = [head.name for head in lessons]
        following = names.index(name) + 1 if name in names else 0
        return lessons[following] if following < len(names) else None


@cache
def course() -> Course:
    """Return the course; of its lessons only the heads are read."""
    index = tomllib.loads((FOLDER / "index.toml").read_text("utf-8"))
    return Course(
        tuple(
            Unit(unit["title"], unit["able"], tuple(map(_head, unit["lessons"])))
            for unit in index["unit"]
        )
    )


Folded = Literal["terms", "places", "ahead"]
"""Seed, legend and upstream gradient; the empty places of contributions still to come; the factors
of the step to come, which a later question asks for."""
_EXPLAINED: Final[Mapping[Folded, str]] = {"terms": "seven-numbers", "places": "same-leaf-twice"}
"""The lesson that explains what those before it fold."""


def names() -> tuple[str, ...]:
    """Return the names of all lessons in the order of the course."""
    return tuple(head.name for head in course().lessons)


def path_of(name: str) -> Path:
    """Return the file of a lesson of the course."""
    return FOLDER / f"{name}{SUFFIX}"


def is_of_course(lesson: Lesson) -> bool:
    """Return whether a lesson is one of the course, not another file of the same name."""
    # a path that the command line is given is relative, or goes over a link
    return lesson.path is not None and lesson.path.resolve() == path_of(lesson.name).resolve()


def folded(lesson: Lesson, at: int) -> frozenset[Folded]:
    """Return what the step `at` does not show, as a later step asks for it or a lesson explains it.

    Only lessons of the course wait for a lesson that explains.
    """
    ahead: frozenset[Folded] = frozenset(("ahead",) if _is_asked_later(lesson, at) else ())
    if not is_of_course(lesson):
        return ahead
    place = names().index(lesson.name) if lesson.name in names() else 0
    return ahead.union(part for part, name in _EXPLAINED.items() if place < names().index(name))


def _is_asked_later(lesson: Lesson, at: int) -> bool:
    """Return whether a step after this one asks for numbers of a wire, with the same graph."""
    return any(
        ask.wire is not None and step.begun.graph == lesson.steps[at].begun.graph
        for step in lesson.steps[at + 1 :]
        for ask in step.asks
    )


@cache
def names_by_digest() -> Mapping[str, str]:
    """Return the name of each lesson of the course by the digest of its file."""
    return {sha256(path_of(name).read_bytes()).hexdigest(): name for name in names()}


def _head(name: str) -> Head:
    """Return the head of a lesson of the course; of its steps only the titles are parsed."""
    # parsing all lessons whole would delay the start page
    top, *steps = path_of(name).read_text("utf-8").split("\n[[step]]\n")
    table = tomllib.loads(top)
    return msgspec.convert(
        table
        | {"name": name, "beginning": table["graph"], "step_titles": list(map(_title, steps))},
        Head,
    )


def _title(step: str) -> str:
    """Return the title in the text of a step."""
    line = next(line for line in step.splitlines() if line.startswith("title"))
    return tomllib.loads(line)["title"]
