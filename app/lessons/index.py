"""Index: units of the course and the heads of its lessons, read without playing them.

The start page and the progress file use only this, so it imports nothing that plays a lesson.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct

from engine import from_expression
from engine.formats.files import load
from engine.graph import Graph

if TYPE_CHECKING:
    from app.lessons.lesson import Lesson

SUFFIX: Final = ".toml"
LECTURE_SUFFIX: Final = ".lecture.toml"
FOLDER: Final = Path(__file__).resolve().parents[2] / "resources" / "lessons"
MOST_LESSON_STEPS: Final = 12
"""Maximum number of steps of a lesson; a progress file holds no more."""
MOST_PARTS: Final = 12
"""Maximum number of entries of a list or a table within a step, so also of its questions."""


def is_lecture(path: Path) -> bool:
    """Return whether a file is a lecture, by its name."""
    return path.name.lower().endswith(LECTURE_SUFFIX)


class IndexUnit(Struct, frozen=True):
    """A unit in the index: its title, the ability it teaches, and the names of its lessons."""

    title: str
    able: str
    lessons: tuple[str, ...]


class Beginning(Struct, frozen=True):
    """The graph that a lesson begins with: an expression, or the name of a file."""

    expression: str = ""
    values: Mapping[str, float] = {}
    file: str = ""


class Head(Struct, frozen=True):
    """A lesson as a list shows it, with the graph that it begins with."""

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


class _HeadFile(Struct):
    """The keys of a lesson file that a head is made of, besides the titles of its steps."""

    title: str
    able: str
    minutes: int
    graph: Beginning
    needs: tuple[str, ...] = ()
    attacks: tuple[str, ...] = ()


@cache
def index_units() -> tuple[IndexUnit, ...]:
    """Return the units in the order of the course."""
    index = tomllib.loads((FOLDER / "index.toml").read_text("utf-8"))
    return msgspec.convert(index["unit"], tuple[IndexUnit, ...])


def names() -> tuple[str, ...]:
    """Return the names of all lessons in the order of the course."""
    return tuple(name for unit in index_units() for name in unit.lessons)


def path_of(name: str) -> Path:
    """Return the file of a lesson of the course."""
    return FOLDER / f"{name}{SUFFIX}"


def is_of_course(lesson: Lesson) -> bool:
    """Return whether a lesson is one of the course, not another file of the same name."""
    return lesson.path == path_of(lesson.name)


@cache
def head(name: str) -> Head:
    """Return the head of a lesson of the course; of its steps only the titles are parsed."""
    # parsing all lessons whole would delay the start page
    top, *steps = path_of(name).read_text("utf-8").split("\n[[step]]\n")
    file = msgspec.convert(tomllib.loads(top), _HeadFile)
    return Head(
        name=name,
        title=file.title,
        able=file.able,
        minutes=file.minutes,
        step_titles=tuple(_title(step) for step in steps),
        beginning=file.graph,
        needs=file.needs,
        attacks=file.attacks,
    )


def _title(step: str) -> str:
    """Return the title in the text of a step."""
    line = next(line for line in step.splitlines() if line.startswith("title"))
    return tomllib.loads(line)["title"]
