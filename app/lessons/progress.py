"""Progress: how far each lesson was taken, kept in one JSON file on this machine and never sent.

A file that can't be read does no harm: it is kept aside as `.damaged`, and progress begins anew.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from engine.errors import FormatError
from engine.formats import strict_json
from engine.formats.files import read_content, write_whole

FORMAT: Final = "backwire progress"
VERSION: Final = 1
MOST_STEPS: Final = 12
"""Steps of a lesson."""
MOST_BLANKS: Final = 12
"""Blanks of a step."""
LONGEST_TEXT: Final = 400
"""Characters of an answer that was typed and not yet sent."""
_MOST: Final = 10**9

StepState = Literal["", "done", "shown"]
"""Not yet finished; done by the learner; played by Show me."""
LessonState = Literal["new", "begun", "done", "shown"]
"""Shown: ended, with at least one step that only Show me has done."""

_Text = Annotated[str, Meta(max_length=LONGEST_TEXT)]
_Count = Annotated[int, Meta(ge=0, le=_MOST)]


class LessonProgress(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How far one lesson was taken: `at` is the step to resume at, from 0.

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
    seconds: Annotated[float, Meta(ge=0, le=_MOST)] = 0.0
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


class Progress(Struct, frozen=True):
    """The progress in each lesson that was opened, by its name; the last one opened is last."""

    lessons: Mapping[str, LessonProgress] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the lessons, the last one opened first."""
        return tuple(self.lessons)[::-1]

    def of(self, name: str) -> LessonProgress:
        """Return the progress in a lesson, which may not have been opened."""
        return self.lessons.get(name, LessonProgress())

    def updated(self, name: str, lesson: LessonProgress) -> Progress:
        """Return the progress with that of one lesson replaced, which becomes the last one."""
        others = {key: found for key, found in self.lessons.items() if key != name}
        return Progress({**others, name: lesson})


class _File(Struct, forbid_unknown_fields=True):
    format: Literal["backwire progress"]
    version: Literal[1]
    lessons: dict[Annotated[str, Meta(min_length=1, max_length=LONGEST_TEXT)], LessonProgress]


def read(path: Path) -> Progress:
    """Return the progress in a file; nothing where there is none, or none that can be read."""
    try:
        content = strict_json.checked(read_content(path))
        found = strict_json.decode(content, _File, FORMAT)
    except FormatError:
        if path.is_file():
            with contextlib.suppress(OSError):
                os.replace(path, _aside(path))
        return Progress()
    return Progress(found.lessons)


def write(path: Path, progress: Progress) -> None:
    """Write a file atomically; raises FormatError if it can't be written.

    It is also the form in which progress is exported.
    """
    file = _File(FORMAT, VERSION, dict(progress.lessons))
    content = msgspec.json.format(msgspec.json.encode(file), indent=1)
    write_whole(path, content + b"\n")


def forget(path: Path) -> None:
    """Delete a file and the damaged one kept aside; OSError if that is refused."""
    for found in (path, _aside(path)):
        found.unlink(missing_ok=True)


def _aside(path: Path) -> Path:
    return path.with_name(f"{path.name}.damaged")
