"""Marks: the steps of a pass that a lecture shows or asks about, in their order.

A mark is stored with the graph and holds no answer. It is anchored to the event of its step, a
wire or a node, so that it follows the event after an edit; `app.lessons.lecture` finds the step
where the event is now, or the reason why there is none.

>>> check_mark(Mark("ask", phase="backward", step=6, node=4, slot=0, asks="contribution"))
>>> check_mark(Mark("show", asks="sum"))
Traceback (most recent call last):
engine.errors.EditError: Only a mark that asks has a question.
"""

import math
from typing import Final, Literal

import msgspec

from engine.errors import EditError
from engine.frame import Phase
from engine.names import is_blank, is_plain_line
from engine.rules import MISTAKES
from engine.schedule import EVENT_LIMIT

MarkKind = Literal["show", "ask", "blank"]
"""Stop at a step; ask the room a question; show a black screen with one line of text."""
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
TOO_MANY: Final = "A lecture has up to {most} marks."
TITLE_LIMIT: Final = 40
LINE_LIMIT: Final = 120
"""Characters of a title, and of the line of a blank screen or of an own question."""
NOTES_LIMIT: Final = 2_000
"""Characters of the speaker's notes: about two minutes of speech."""
CHOICE_LIMIT: Final = 40
"""Characters of an own choice: the longest title of a mistake has 34."""
SAY_LIMIT: Final = 56
"""Characters of the sentence under an own choice at the reveal."""
NAME_LIMIT: Final = 40
"""Characters of the name of a mark's node or wire."""
FEWEST_CHOICES: Final = 2
CHOICES_LIMIT: Final = 4
VALUES_LIMIT: Final = 200
"""Leaves with a number of their own at one mark: as many as a lesson's graph has nodes."""
ID_LIMIT: Final = 2**53
"""Bound of ids, as in the file of the graph."""
SECONDS_LIMIT: Final = 3_600
USUAL_SECONDS: Final = 60
"""The time of a timer that is started by hand."""
WIRE_KINDS: Final = ("local", "contribution", "sum")
"""The questions about one wire, asked at its step."""
STEP_KINDS: Final = (*WIRE_KINDS, "next", "value")
"""The questions about one step of a pass."""
PASS_KINDS: Final = ("final", "sign", "change", "paths")
"""The questions asked before a pass; `step` is where the mark was set."""
OWN_KINDS: Final = ("mistake", "text")
"""The questions that may have their own text and choices."""
CHOICES_ONLY: Final = ("next", "sign", *OWN_KINDS)
"""The questions that are answered by a word, so that no number can be called out."""


class Choice(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One choice of a question in own words; `say` explains it once it is chosen or revealed.

    Lessons have such choices as well.
    """

    text: str
    say: str = ""
    right: bool = False


class Mark(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One mark of a lecture on a graph.

    `step` counts the events of the pass in `phase`: a mark that shows stops after it, one that asks
    asks about it. `node` and `slot` are the wire of the event, `node` alone is the node that is
    computed or asked about. Without a node, step 0 is the beginning of the pass and any other its
    end. `values` are pairs of a leaf's id and its number at this mark, `mistake` is the name of the
    active rules, "" for the correct ones. `seconds` is the timer's time, 0 without a timer. Without
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
    """The leaf of a question of kind change; its new number is `to`."""
    to: float = 0.0
    choices: tuple[Choice, ...] = ()
    form: PollForm = "choices"
    seconds: int = 0
    reveals: bool = True
    values: tuple[tuple[int, float], ...] = ()
    mistake: str = ""
    name: str = ""
    """The node or wire when the mark was set, `e` or `e.1`: names it once it is gone."""


def check_mark_count(number: int) -> None:
    """Raise EditError for more marks than a lecture may have."""
    if number > MARK_LIMIT:
        raise EditError(TOO_MANY, most=MARK_LIMIT)


def check_mark(mark: Mark) -> None:
    """Raise EditError, with a sentence, for a mark that is invalid on any graph."""
    _check_texts(mark)
    _check_place(mark)
    _check_numbers(mark)
    if mark.choices:
        _check_choices(mark.choices)
    if mark.kind == "ask":
        _check_question(mark)
    else:
        _check_no_question(mark)


def _refuse_if(wrong: bool, sentence: str, **fields: object) -> None:
    if wrong:
        raise EditError(sentence, **fields)


def _check_texts(mark: Mark) -> None:
    _check_line("title", mark.title, TITLE_LIMIT)
    _check_line("text", mark.text, LINE_LIMIT)
    _check_line("name", mark.name, NAME_LIMIT)
    is_plain = all(map(is_plain_line, mark.notes.split("\n")))
    _refuse_if(
        len(mark.notes) > NOTES_LIMIT or not is_plain,
        "The notes are plain text of up to {limit:,} characters.",
        limit=NOTES_LIMIT,
    )


def _check_line(field: str, text: str, limit: int) -> None:
    _refuse_if(
        len(text) > limit or not is_plain_line(text),
        "The {field} is one line of plain text of up to {limit} characters.",
        field=field,
        limit=limit,
    )


def _check_place(mark: Mark) -> None:
    is_step = 0 <= mark.step <= EVENT_LIMIT
    _refuse_if(not is_step, "A step is a whole number from 0 to {most:,}.", most=EVENT_LIMIT)
    for field in ("node", "slot", "leaf"):
        _check_id(field, getattr(mark, field))
    _refuse_if(mark.slot is not None and mark.node is None, "A slot belongs to a node.")
    _refuse_if(mark.phase == "live" and mark.step > 0, "Outside a pass there are no steps.")
    has_wire_outside = mark.phase != "backward" and mark.slot is not None
    _refuse_if(has_wire_outside, "Only a step of a backward pass is on a wire.")


def _check_id(field: str, number: int | None) -> None:
    is_id = number is None or 0 <= number < ID_LIMIT
    _refuse_if(not is_id, "A {field} is a whole number from 0.", field=field)


def _check_numbers(mark: Mark) -> None:
    is_time = 0 <= mark.seconds <= SECONDS_LIMIT
    _refuse_if(not is_time, "A timer has up to {most:,} seconds.", most=SECONDS_LIMIT)
    _refuse_if(not math.isfinite(mark.to), "A leaf changes to a finite number.")
    is_known = not mark.mistake or mark.mistake in {rules.name for rules in MISTAKES}
    _refuse_if(not is_known, 'There is no mistake "{name}".', name=mark.mistake)
    too_many, nodes = len(mark.values) > VALUES_LIMIT, {node for node, _value in mark.values}
    _refuse_if(too_many, "A mark sets up to {most} values.", most=VALUES_LIMIT)
    _refuse_if(len(nodes) < len(mark.values), "The values set one leaf twice.")
    for node, value in mark.values:
        _check_id("node", node)
        _refuse_if(not math.isfinite(value), "The values are finite numbers.")


def _check_choices(choices: tuple[Choice, ...]) -> None:
    count, right = len(choices), sum(choice.right for choice in choices)
    is_some = FEWEST_CHOICES <= count <= CHOICES_LIMIT
    _refuse_if(not is_some, "There are 2 to 4 choices, not {count:,}.", count=count)
    for choice in choices:
        _check_line("text of a choice", choice.text, CHOICE_LIMIT)
        _check_line("explanation of a choice", choice.say, SAY_LIMIT)
        _refuse_if(is_blank(choice.text), "A choice needs a text.")
    texts = {choice.text.strip() for choice in choices}
    _refuse_if(len(texts) < count, "Two choices have the same text.")
    _refuse_if(right != 1, "One choice is right, not {count}.", count=right)


def _check_question(mark: Mark) -> None:
    """Check that a question has the fields of its kind and no others."""
    kind, slot, node = mark.asks, mark.slot, mark.node
    _refuse_if(not kind, "A mark that asks needs a question.")
    phase = "forward" if kind == "value" else "backward"
    in_other_phase = kind != "text" and mark.phase != phase
    belongs = "A question of kind {kind} belongs to the {phase} pass."
    _refuse_if(in_other_phase, belongs, kind=kind, phase=phase)
    for kinds, lacks, needed in (
        (STEP_KINDS, not mark.step, "a step from 1"),
        (WIRE_KINDS, slot is None, "a node and a slot"),
        (("value", "next", *PASS_KINDS), node is None or slot is not None, "a node and no slot"),
        (("change",), mark.leaf is None, "a leaf"),
    ):
        sentence = "A question of kind {kind} needs {needed}."
        _refuse_if(kind in kinds and lacks, sentence, kind=kind, needed=needed)
    changes = mark.leaf is not None or mark.to != 0
    only = "Only a question of kind change has a leaf and its new number."
    _refuse_if(kind != "change" and changes, only)
    is_unknown = kind == "mistake" and not mark.mistake
    _refuse_if(is_unknown, "A question of kind mistake needs a mistake that is on.")
    is_called = kind in CHOICES_ONLY and mark.form != "choices"
    _refuse_if(is_called, "A question of kind {kind} has choices.", kind=kind)
    has_words = kind not in OWN_KINDS and bool(mark.text or mark.choices)
    _refuse_if(has_words, "Only a question in own words has a text and choices.")
    lacks_words = kind == "text" and (is_blank(mark.text) or not mark.choices)
    _refuse_if(lacks_words, "A question in own words needs a text and choices.")


def _check_no_question(mark: Mark) -> None:
    """Check that a mark that asks nothing has no field of a question."""
    _refuse_if(mark.asks != "", "Only a mark that asks has a question.")
    has_fields = mark.leaf is not None or mark.to != 0 or mark.choices != ()
    _refuse_if(has_fields, "Only a mark that asks has a leaf, a new number and choices.")
    has_answer = mark.form != "choices" or not mark.reveals
    _refuse_if(has_answer, "Only a mark that asks has a form and an answer to hide.")
    is_blanking = mark.kind == "blank"
    has_text = mark.text != "" and not is_blanking
    _refuse_if(has_text, "Only a blank screen and a question have a text.")
    _refuse_if(is_blanking and is_blank(mark.text), "A blank screen needs a line of text.")
