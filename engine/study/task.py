"""Tasks: the assignment of a graph that is handed out as an exercise.

>>> check(Task("Fill in each gradient.", "predict", "whole step", "every"))
>>> check(Task(start="hunt", level="sum"))
Traceback (most recent call last):
engine.errors.EditError: Only Ask me and Cover have blanks and steps.
"""

from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from engine.errors import EditError
from engine.names import is_plain_line
from engine.study.question import DEFAULT_LEVEL, LEVELS

Start = Literal["", "predict", "cover", "by hand", "hunt", "descent"]
"""The mode in which an exercise opens, "" for none."""
Steps = Literal["last", "every", "meet"]
"""Which steps are asked about: the last ones, one more after each clean run; every one; those that
bring a node its second or a later contribution."""
MODE_TITLES: Final[Mapping[str, str]] = {
    "": "None",
    "predict": "Ask me",
    "cover": "Cover",
    "by hand": "By hand",
    "hunt": "Hunt",
    "descent": "Descent",
}
"""The names of the modes in the window."""
TEXT_LIMIT: Final = 240
"""Maximum number of characters of a task's text: two or three sentences."""
MODES_WITH_BLANKS: Final = ("predict", "cover")
"""The modes that ask for the blanks of steps."""


class Task(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A text to the learner, the mode that begins, and whether the wiring is locked.

    `level` and `steps` are those of Ask me and Cover.
    """

    text: str = ""
    start: Start = ""
    level: str = DEFAULT_LEVEL
    steps: Steps = "last"
    locked: bool = False


def check(task: Task) -> None:
    """Raise EditError for a task that no file may hold."""
    if len(task.text) > TEXT_LIMIT or not is_plain_line(task.text):
        raise EditError(
            "The text is one line of plain text of up to {limit} characters.", limit=TEXT_LIMIT
        )
    if task.level not in LEVELS:
        raise EditError('There is no level "{level}".', level=task.level)
    if task.start not in MODES_WITH_BLANKS and (task.level, task.steps) != (DEFAULT_LEVEL, "last"):
        raise EditError("Only Ask me and Cover have blanks and steps.")
    if task == Task():
        raise EditError("An exercise has a text, a mode or locked wiring.")
