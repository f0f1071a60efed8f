"""Marks: the places of a pass that a lecture shows or asks about, in their order.

A mark is stored with the graph and holds no answer. It is anchored to the event of its step, a
wire or a node, so that it follows the event after an edit; `app.lessons.lecture` finds the step
where the event is now, or the reason why there is none.

>>> check(Mark("ask", phase="backward", step=6, node=4, slot=0, asks="contribution"))
>>> check(Mark("show", asks="sum"))
Traceback (most recent call last):
engine.errors.EditError: Only a mark that asks has a question.
"""

from typing import Final, Literal

import msgspec

from engine.errors import EditError
from engine.frame import Phase

MarkKind = Literal["show", "ask", "blank"]
"""Stops at a step; asks the room a question; shows a black screen with one line of text."""
AskedKind = Literal[
    "",
    "value",
    "local",
    "contribution",
    "sum",
    "final",
    "next",
    "sign",
    "change",
    "paths",
    "mistake",
    "text",
]
"""The kinds of `engine.study.question` that a room can be asked, the mistake that is on, and a
question in the lecturer's own words."""
PollForm = Literal["choices", "number"]
"""Hands are counted for two to four choices; or numbers are called out and typed by the speaker."""

MARK_LIMIT: Final = 200
"""Marks of one lecture: an hour has about 20."""
TITLE_LIMIT: Final = 40
LINE_LIMIT: Final = 120
"""Characters of a title, and of the line of a blank screen or of an own question."""
NOTES_LIMIT: Final = 2_000
"""Characters of the speaker's notes: about two minutes of speech."""
CHOICE_LIMIT: Final = 24
SAY_LIMIT: Final = 56
"""Characters of an own choice, and of the sentence under it at the reveal."""
SECONDS_LIMIT: Final = 3_600
USUAL_SECONDS: Final = 60
"""The time of a timer that is started by hand."""


class Choice(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One choice of a question in own words; `say` explains it once it is chosen or revealed."""

    text: str
    say: str = ""
    right: bool = False


class Mark(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One mark of a lecture on a graph.

    `step` counts the events of the pass in `phase`: a mark that shows stops after it, one that asks
    asks about it. `node` and `slot` are the wire of the event, `node` alone is the node that is
    computed or asked about. `values` are leaves with the numbers that they have at this mark,
    `mistake` is the name of the rules that are on. `seconds` is 0 without a timer. Without
    `reveals` the answer is left to the speaker.
    """

    kind: MarkKind = "show"
    phase: Phase = "live"
    step: int = 0
    node: int | None = None
    slot: int | None = None
    title: str = ""
    text: str = ""
    """The line of a blank screen, or the question in own words."""
    notes: str = ""
    asks: AskedKind = ""
    leaf: int | None = None
    """The leaf of a change, which goes to the number `to`."""
    to: float = 0.0
    choices: tuple[Choice, ...] = ()
    form: PollForm = "choices"
    seconds: int = 0
    reveals: bool = True
    values: tuple[tuple[int, float], ...] = ()
    mistake: str = ""


def check(mark: Mark) -> None:
    """Raise EditError for a mark that no file may hold, whatever its graph is."""
    if (mark.kind == "ask") != bool(mark.asks):
        if mark.asks:
            raise EditError("Only a mark that asks has a question.")
        raise EditError("A mark that asks needs a question.")
    if mark.kind == "blank" and not mark.text:
        raise EditError("A blank screen needs a line of text.")
