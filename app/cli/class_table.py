"""A class's progress files as a table: lessons, answers right first time, slips, for each learner.

`backwire grade` prints it. A progress file holds no answers, so nothing in it is judged again.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from app.lessons.index import names
from app.lessons.progress import HandedIn, is_progress, read_handed_in
from engine.errors import FormatError, one_line
from engine.formats.files import read_content
from engine.numbers import counted

HEADINGS: Final = (
    *("progress", "student", "lessons done", "shown", "begun", "last", "minutes"),
    *("answered", "right first time", "slips", "note"),
)
"""The columns. `shown` and `begun` count lessons; `last` is the day of the last end of one."""

Cell = str | int


def is_progress_file(path: str) -> bool:
    """Return whether a file holds progress; FormatError if it can't be read."""
    return is_progress(read_content(path))


def row_of(path: str, name: str) -> list[Cell]:
    """Return the row of a progress file, called `name`; FormatError if it holds none.

    One in which more was right than was asked was not written by Backwire, and is refused as well.
    """
    found = read_handed_in(read_content(path))
    for key, lesson in found.progress.lessons.items():
        if lesson.right > lesson.asked:
            raise FormatError(
                "The lesson {lesson} counts {right} right of {asked} questions.",
                lesson=one_line(key),
                right=lesson.right,
                asked=lesson.asked,
            )
    return _row(name, found)


def _row(name: str, found: HandedIn) -> list[Cell]:
    lessons = found.progress.lessons
    states = Counter(lesson.state for lesson in lessons.values())
    slips = dict.fromkeys(slip.name for slip in found.progress.slips if slip.name)
    own = sum(key not in names() for key in lessons)
    of_other_files = counted(
        own, "{count} lesson of another file", "{count} lessons of other files"
    )
    cells: dict[str, Cell] = {
        "progress": name,
        "student": one_line(found.student).strip(),
        "lessons done": states["done"],
        "shown": states["shown"],
        "begun": states["begun"],
        "last": max((lesson.ended for lesson in lessons.values()), default=""),
        "minutes": round(sum(lesson.seconds for lesson in lessons.values()) / 60.0),
        "answered": sum(lesson.asked for lesson in lessons.values()),
        "right first time": sum(lesson.right for lesson in lessons.values()),
        "slips": "; ".join(slips),
        "note": of_other_files if own else "",
    }
    return [cells[heading] for heading in HEADINGS]
