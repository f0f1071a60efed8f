"""Index: units of the course and the heads of its lessons, read without playing them.

The start page needs no more, so nothing here imports what plays a lesson.
"""

from __future__ import annotations

import tomllib
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

FOLDER: Final = Path(__file__).resolve().parents[2] / "resources" / "lessons"


class Entry(Struct, frozen=True):
    """A unit in the index: its title, what one can do after it, and the names of its lessons."""

    title: str
    able: str
    lessons: tuple[str, ...]


class Head(Struct, frozen=True):
    """A lesson as a list shows it; `digest` identifies the content of its file."""

    name: str
    title: str
    able: str
    minutes: int
    steps: int
    needs: tuple[str, ...]
    attacks: tuple[str, ...]
    digest: str


class _File(Struct):
    """The keys of a lesson file that a head is made of."""

    title: str
    able: str
    minutes: int
    step: list[Any]
    needs: tuple[str, ...] = ()
    attacks: tuple[str, ...] = ()


@cache
def entries() -> tuple[Entry, ...]:
    """Return the units in the order of the course."""
    found = tomllib.loads((FOLDER / "index.toml").read_text("utf-8"))
    return msgspec.convert(found["unit"], tuple[Entry, ...])


def names() -> tuple[str, ...]:
    """Return the names of all lessons in the order of the course."""
    return tuple(name for unit in entries() for name in unit.lessons)


def path_of(name: str) -> Path:
    """Return the file of a lesson of the course."""
    return FOLDER / f"{name}.toml"


@cache
def head(name: str) -> Head:
    """Return the head of a lesson of the course."""
    content = path_of(name).read_bytes()
    file = msgspec.convert(tomllib.loads(content.decode("utf-8")), _File)
    digest = sha256(content).hexdigest()
    return Head(
        name, file.title, file.able, file.minutes, len(file.step), file.needs, file.attacks, digest
    )
