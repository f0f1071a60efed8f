"""Index: the units of the course and the names of their lessons, from resources/lessons."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

FOLDER: Final = Path(__file__).resolve().parents[2] / "resources" / "lessons"


class UnitEntry(Struct, frozen=True):
    """A unit as the index has it: its title, what it leads to, and the names of its lessons."""

    title: str
    able: str
    lessons: tuple[str, ...]


@cache
def entries() -> tuple[UnitEntry, ...]:
    """Return the units in the order of the course."""
    found = tomllib.loads((FOLDER / "index.toml").read_text("utf-8"))
    return msgspec.convert(found["unit"], tuple[UnitEntry, ...])


def names() -> tuple[str, ...]:
    """Return the names of all lessons in the order of the course."""
    return tuple(name for unit in entries() for name in unit.lessons)


def path_of(name: str) -> Path:
    """Return the file of a lesson of the course."""
    return FOLDER / f"{name}.toml"
