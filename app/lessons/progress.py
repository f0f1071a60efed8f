"""Progress: how far a learner has come in each lesson, the slips made, and their file.

    read_progress, write_progress, forget_progress  the learner's own file
    read_handed_in, is_progress                     a file that was exported or handed in

It is one JSON file on this machine and never sent. A file that can't be read is renamed to
`.damaged`, and progress is empty. `CourseProgress` of `app.workbench.study` owns the learner's.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct, structs

from app.lessons.course import MOST_LESSON_STEPS, MOST_PARTS
from engine.errors import FormatError
from engine.formats import strict_json
from engine.formats.files import read_content, write_atomically
from engine.study.question import Kind

FORMAT: Final = "backwire progress"
VERSION: Final = 2
"""2 added slips and asked kinds; files of version 1 have neither and are read."""
LONGEST_TEXT: Final = 400
"""Maximum number of characters of a typed answer."""
_LARGEST_COUNT: Final = 10**9
"""Bound of counts and seconds, so that a damaged file can't hold absurd ones."""

INTERVALS: Final = (1, 3, 7)
"""Days after which a slip is asked about again, by its stage: the right answers given since."""
MOST_STORED: Final = 500
"""Maximum number of slips, and of kinds of questions; there are fewer than 100 slips."""

Mark = Literal["", "done", "shown"]
"""The end of a step: not ended, done by the learner, or played by Show me."""
LessonStage = Literal["new", "begun", "done", "shown"]
"""`shown`: ended, with at least one step played by Show me."""

_BEGINNING: Final = re.compile(rb'(\xef\xbb\xbf)?\s*\{\s*"format"\s*:\s*"backwire progress"')
"""How a file of progress begins, also one that an editor has saved with a byte order mark."""
_SET_ASIDE: Final = "{reason}, so the course begins anew; the file is kept as {name}."
_NEWER: Final = "Your progress was written by a newer Backwire"
_UNREADABLE: Final = "Your progress can't be read"
_Text = Annotated[str, Meta(max_length=LONGEST_TEXT)]
_Count = Annotated[int, Meta(ge=0, le=_LARGEST_COUNT)]


class LessonProgress(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The progress in one lesson: `at` is the step to resume at, from 0, `states` each step's mark.

    `digest` identifies the lesson file that the states belong to. `typed` are the texts in the
    blanks when the lesson was left, `seed` is that of its friendly numbers. `right` of `asked`
    questions were answered right first time, without hint and Show me. `ended` is the ISO date of
    the first end, or "".
    """

    digest: _Text = ""
    at: Annotated[int, Meta(ge=0, lt=MOST_LESSON_STEPS)] = 0
    states: Annotated[tuple[Mark, ...], Meta(max_length=MOST_LESSON_STEPS)] = ()
    typed: Annotated[tuple[_Text, ...], Meta(max_length=MOST_PARTS)] = ()
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
    def state(self) -> LessonStage:
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

    A wrong answer of a kind for which no slip is known has the name "".
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


class _Head(Struct):
    """The keys of any version of the file."""

    format: str
    version: int


class HandedIn(Struct, frozen=True):
    """Progress as it is handed in; `student` is "" in an exported file."""

    progress: Progress
    student: str = ""


def is_progress(content: bytes) -> bool:
    """Return whether the bytes of a JSON file hold progress, by the format at their beginning."""
    return _BEGINNING.match(content) is not None


def read_handed_in(content: bytes) -> HandedIn:
    """Return the progress in the bytes of a file; FormatError if they hold none."""
    found = strict_json.decode(strict_json.valid_utf8(content), _File, FORMAT)
    return HandedIn(Progress(found.lessons, found.slips, found.asked), found.student)


def read_progress(path: Path, said: Callable[[str], object] = bool) -> Progress:
    """Return the progress in a file; empty if it is missing or can't be read.

    A file that can't be read is renamed, for the next one written would replace it; `said` is
    called with a sentence about it.
    """
    try:
        found = read_handed_in(read_content(path))
    except FormatError:
        if path.is_file():
            reason = _NEWER if _is_newer(path) else _UNREADABLE
            with contextlib.suppress(OSError):
                os.replace(path, _damaged_path(path))
                said(_SET_ASIDE.format(reason=reason, name=_damaged_path(path).name))
        return Progress()
    return found.progress


def _is_newer(path: Path) -> bool:
    """Return whether a file of progress has a version that this program does not know."""
    try:
        content = strict_json.valid_utf8(read_content(path))
        head = strict_json.decode(content, _Head, FORMAT)
    except FormatError:
        return False
    return head.format == FORMAT and head.version > VERSION


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
