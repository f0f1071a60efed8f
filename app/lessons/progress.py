"""Progress: how far a learner has come in each lesson, the slips made, and their file.

    read_progress, write_progress, delete_set_aside  the learner's own file
    read_handed_in, is_progress                      a file that was exported or handed in
    merged, stamped                                  the progress of two windows, by its times

It is one JSON file on this machine and never sent. A file that can't be read is set aside under a
name of its own, one of a newer version is left alone. `CourseProgress` of `app.workbench.trials`
owns the learner's.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import Annotated, Final, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct, structs

from app.lessons.course import MOST_LESSON_STEPS, MOST_PARTS
from engine.asking.inference import ideas_of
from engine.asking.question import Kind
from engine.errors import FormatError, NewerVersionError
from engine.formats import strict_json
from engine.formats.files import read_content, write_atomically

FORMAT: Final = "backwire progress"
VERSION: Final = 4
"""2 added slips and asked kinds, 3 the times of changes, 4 beliefs; earlier files are read."""
_WITH_SLIPS_ALONE: Final = 3
"""The last version without beliefs, which `_beliefs_behind` finds."""
LONGEST_TEXT: Final = 400
"""Maximum number of characters of a typed answer."""
_LARGEST_COUNT: Final = 10**9
"""Bound of counts and seconds, so that a damaged file can't hold absurd ones."""
_LATEST: Final = 1e11
"""Bound of a time in s since 1970."""
_TICK: Final = 1e-3
"""The least time in s between a change and an earlier one that it follows."""
MOST_SET_ASIDE: Final = 5
"""Files set aside that are kept: the latest ones."""

INTERVALS: Final = (1, 3, 7)
"""Days after which a slip is asked about again, by its stage: the right answers given since."""
MOST_STORED: Final = 500
"""Maximum number of slips, and of kinds of questions; there are fewer than 100 slips."""

Done = Literal["", "done", "shown"]
"""The end of a step: not ended, done by the learner, or played by Show me."""
LessonStage = Literal["new", "begun", "done", "shown"]
"""`shown`: ended, with at least one step played by Show me."""

_BEGINNING: Final = re.compile(rb'(\xef\xbb\xbf)?\s*\{\s*"format"\s*:\s*"backwire progress"')
"""How a file of progress begins, also one that an editor has saved with a byte order mark."""
_SET_ASIDE: Final = "The file of your progress can't be read; it is kept as {name}."
_NEWER: Final = "its file was written by a newer Backwire, and is left as it is."
_NOT_SET_ASIDE: Final = "{name} can't be read, and can't be renamed: {reason}."
_Text = Annotated[str, Meta(max_length=LONGEST_TEXT)]
_Count = Annotated[int, Meta(ge=0, le=_LARGEST_COUNT)]
_Time = Annotated[float, Meta(ge=0, le=_LATEST)]


class LessonProgress(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The progress in one lesson: `at` is the step to resume at, from 0, `states` each step's mark.

    `digest` identifies the lesson file that the states belong to. `typed` are the texts in the
    blanks when the lesson was left, `seed` is that of its friendly numbers. `right` of `asked`
    questions were answered right first time, without hint and Show me. `ended` is the ISO date of
    the first end, or "". `changed` is the time of the last change in s since 1970, 0 if unknown.
    """

    digest: _Text = ""
    at: Annotated[int, Meta(ge=0, lt=MOST_LESSON_STEPS)] = 0
    states: Annotated[tuple[Done, ...], Meta(max_length=MOST_LESSON_STEPS)] = ()
    typed: Annotated[tuple[_Text, ...], Meta(max_length=MOST_PARTS)] = ()
    seed: Annotated[int, Meta(ge=0, lt=2**31)] | None = None
    right: _Count = 0
    asked: _Count = 0
    seconds: Annotated[float, Meta(ge=0, le=_LARGEST_COUNT)] = 0.0
    ended: Annotated[str, Meta(pattern=r"^(\d{4}-\d\d-\d\d)?$")] = ""
    changed: _Time = 0.0

    @property
    def finished_steps(self) -> int:
        """Return the number of steps that were done or shown."""
        return sum(1 for state in self.states if state)

    @property
    def state(self) -> LessonStage:
        if self.ended and "" not in self.states:  # else its end was reached past open steps
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
    day on which it is asked about again; at the last stage it is not, but kept for other windows.
    """

    name: _Text
    kind: Kind
    lesson: _Text
    title: _Text
    last: date
    next: date
    stage: Annotated[int, Meta(ge=0, le=len(INTERVALS))] = 0
    changed: _Time = 0.0

    @property
    def is_over(self) -> bool:
        """Return whether it was answered right after each interval."""
        return self.stage == len(INTERVALS)

    @property
    def origin(self) -> Origin:
        """Return the lesson where it was made."""
        return Origin(self.lesson, self.title)


class AskedKind(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A kind of question that a lesson asks, and the day on which it was last asked."""

    kind: Kind
    lesson: _Text
    title: _Text
    last: date
    changed: _Time = 0.0

    @property
    def origin(self) -> Origin:
        """Return the lesson that asks it."""
        return Origin(self.lesson, self.title)


class StoredBelief(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A belief that the learner has shown, by its name in `engine.asking.inference`.

    `right_in_a_row` counts the blanks answered right where it gives another number, since the day
    `last` on which it was seen in the wiring `graph`; `elsewhere`: one of them was in another.
    `place` is where it was asked about last: a kind of question and an operation.
    """

    name: _Text
    last: date
    stage: Literal["open", "mended"] = "open"
    right_in_a_row: _Count = 0
    graph: _Text = ""
    elsewhere: bool = False
    place: _Text = ""
    changed: _Time = 0.0


class Progress(Struct, frozen=True):
    """The progress in each opened lesson, by its name; the lesson opened last is last.

    `slips` are those that the learner has made and `asked` the kinds of questions answered, for
    `app.lessons.review`; `beliefs` are those behind the slips. `forgotten` is the time up to which
    all was forgotten, 0 without.
    """

    lessons: Mapping[str, LessonProgress] = {}
    slips: tuple[StoredSlip, ...] = ()
    asked: tuple[AskedKind, ...] = ()
    forgotten: float = 0.0
    beliefs: tuple[StoredBelief, ...] = ()

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

    def time_after(self, now: float) -> float:
        """Return the time of a change: `now`, but after all changes, whatever the clock says."""
        parts = (*self.lessons.values(), *self.slips, *self.asked, *self.beliefs)
        latest = max((part.changed for part in parts), default=0.0)
        return min(max(now, max(latest, self.forgotten) + _TICK), _LATEST)


_Key = TypeVar("_Key")
_Part = TypeVar("_Part", LessonProgress, StoredSlip, AskedKind, StoredBelief)


def merged(held: Progress, found: Progress) -> Progress:
    """Return the progress of both: of each lesson, slip, kind and belief what was changed last.

    What was changed before either was forgotten is left out; of equal times what is held remains.
    """
    forgotten = max(held.forgotten, found.forgotten)

    def latest(parts: Iterable[tuple[_Key, _Part]]) -> dict[_Key, _Part]:
        last: dict[_Key, _Part] = {}
        for key, part in parts:
            if part.changed > forgotten or not forgotten:
                last[key] = max(last.get(key, part), part, key=lambda each: each.changed)
        return dict(sorted(last.items(), key=lambda item: item[1].changed))

    lessons = latest((*held.lessons.items(), *found.lessons.items()))
    slips = latest(((slip.name, slip.kind), slip) for slip in (*held.slips, *found.slips))
    asked = latest(((each.lesson, each.kind), each) for each in (*held.asked, *found.asked))
    beliefs = latest((each.name, each) for each in (*held.beliefs, *found.beliefs))
    most = slice(-MOST_STORED, None)
    return Progress(
        lessons,
        tuple(slips.values())[most],
        tuple(asked.values())[most],
        forgotten,
        tuple(beliefs.values())[most],
    )


def stamped(before: Progress, after: Progress, now: float) -> Progress:
    """Return `after` with the time of the change in each part that differs from `before`."""
    time = before.time_after(now)
    known = {*before.lessons.values()}, {*before.slips}, {*before.asked}, {*before.beliefs}

    def stamp(part: _Part, old: set[_Part]) -> _Part:
        return part if part in old else structs.replace(part, changed=time)

    return structs.replace(
        after,
        lessons={name: stamp(each, known[0]) for name, each in after.lessons.items()},
        slips=tuple(stamp(slip, known[1]) for slip in after.slips),
        asked=tuple(stamp(kind, known[2]) for kind in after.asked),
        beliefs=tuple(stamp(belief, known[3]) for belief in after.beliefs),
    )


class _File(Struct, forbid_unknown_fields=True, omit_defaults=True):
    format: Literal["backwire progress"]
    version: int
    lessons: dict[Annotated[str, Meta(min_length=1, max_length=LONGEST_TEXT)], LessonProgress]
    slips: Annotated[tuple[StoredSlip, ...], Meta(max_length=MOST_STORED)] = ()
    asked: Annotated[tuple[AskedKind, ...], Meta(max_length=MOST_STORED)] = ()
    student: Annotated[str, Meta(max_length=LONGEST_TEXT)] = ""
    forgotten: _Time = 0.0
    beliefs: Annotated[tuple[StoredBelief, ...], Meta(max_length=MOST_STORED)] = ()


class HandedIn(Struct, frozen=True):
    """Progress as it is handed in; `student` is "" in an exported file."""

    progress: Progress
    student: str = ""


def is_progress(content: bytes) -> bool:
    """Return whether the bytes of a JSON file hold progress, by the format at their beginning."""
    return _BEGINNING.match(content) is not None


def read_handed_in(content: bytes) -> HandedIn:
    """Return the progress in the bytes of a file; FormatError if they hold none."""
    valid = strict_json.valid_utf8(content)
    strict_json.check_head(valid, FORMAT, VERSION, FORMAT)
    found = strict_json.decode(valid, _File, FORMAT)
    beliefs = found.beliefs if found.version > _WITH_SLIPS_ALONE else _beliefs_behind(found.slips)
    progress = Progress(found.lessons, found.slips, found.asked, found.forgotten, beliefs)
    return HandedIn(progress, found.student)


def _beliefs_behind(slips: Iterable[StoredSlip]) -> tuple[StoredBelief, ...]:
    """Return the beliefs behind the slips of an earlier version; mended if all of them are over."""
    found: dict[str, StoredBelief] = {}
    for slip in sorted(slips, key=lambda each: each.is_over):
        for name in ideas_of((slip.name,), slip.kind)[:1]:
            stage = "mended" if slip.is_over else "open"
            belief = StoredBelief(name, slip.last, stage, changed=slip.changed)
            found.setdefault(name, belief)
    return tuple(found.values())


def read_progress(path: Path, said: Callable[[str], object] = bool) -> Progress:
    """Return the progress in a file; empty if it is missing or can't be read.

    A file that can't be read is set aside, for the next one written would replace it; `said` is
    called with a sentence about it. FormatError if the file must be left alone, and so nothing may
    be written: it is of a newer version, or it can't be set aside.
    """
    try:
        return read_handed_in(read_content(path)).progress
    except NewerVersionError:
        raise FormatError(_NEWER) from None
    except FormatError:
        if not path.is_file():
            return Progress()
    try:
        name = _set_aside(path)
    except FileNotFoundError:  # another window was first
        return Progress()
    except OSError as error:
        raise FormatError(_NOT_SET_ASIDE, name=path.name, reason=error.strerror) from None
    said(_SET_ASIDE.format(name=name))
    return Progress()


def write_progress(path: Path, progress: Progress, student: str = "") -> None:
    """Write a file atomically; raises FormatError if it can't be written.

    It is also the form in which progress is exported, and with a student's name handed in.
    """
    file = _File(
        FORMAT,
        VERSION,
        dict(progress.lessons),
        progress.slips,
        progress.asked,
        student,
        progress.forgotten,
        progress.beliefs,
    )
    content = msgspec.json.format(msgspec.json.encode(file), indent=1)
    write_atomically(path, content + b"\n")


def delete_set_aside(path: Path, *others: Path) -> None:
    """Delete the files that were set aside, and these others; FormatError if that is refused."""
    try:
        for found in (*others, *_files_set_aside(path)):
            found.unlink(missing_ok=True)
    except OSError as error:
        raise FormatError(
            "what was set aside in {name} is left: {reason}.",
            name=path.parent,
            reason=error.strerror,
        ) from None


def _set_aside(path: Path) -> str:
    """Rename a file to a name of its own, which is returned; keep the latest MOST_SET_ASIDE."""
    earlier = _files_set_aside(path)
    number = 1 + max(earlier.values(), default=0)
    name = f"{path.name}.damaged-{number}"
    os.replace(path, path.with_name(name))
    for found in sorted(earlier, key=earlier.__getitem__)[: 1 - MOST_SET_ASIDE]:
        with contextlib.suppress(OSError):
            found.unlink()
    return name


def _files_set_aside(path: Path) -> dict[Path, int]:
    """Return the files set aside with their numbers; that of earlier versions, one file, is 0."""
    form = re.compile(re.escape(f"{path.name}.damaged") + r"(?:-([0-9]{1,9}))?")
    found: dict[Path, int] = {}
    for other in path.parent.iterdir() if path.parent.is_dir() else ():
        if match := form.fullmatch(other.name):
            found[other] = int(match[1] or 0)
    return found
