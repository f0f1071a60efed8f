"""Poll: the choices of a question to the room, and the hands that were raised for each.

choices(slide)         the answer and up to three slips, by size
judged(slide, number)  a number that was called out, as a choice
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from app.lessons.lecture import Slide
from engine.numbers import DIGITS_SHOWN, Digits, short, signed
from engine.study.judging import SIGNS
from engine.study.judging import choices as numbers_of
from engine.study.question import Question, answer
from engine.study.slips import slip_numbers
from engine.trace import run

SIGN_LABELS: Final = {1.0: "rises", -1.0: "falls", 0.0: "stays"}
SIGNED_KINDS: Final = ("contribution", "change")
"""The questions whose choices are written with their sign."""


class PollChoice(Struct, frozen=True):
    """One choice of a question to the room.

    `number` is None for a choice in words. `slip` names the belief that gives the number, "" for
    the answer and for a number that no slip gives. `say` explains it at the reveal, in at most
    56 characters.
    """

    label: str
    number: float | None = None
    right: bool = False
    slip: str = ""
    say: str = ""


class Poll(Struct, frozen=True):
    """The choices of a question, the hands for each, and those of the first count.

    `earlier` has the first count by slip, "" for the answer, once the question is asked again: with
    other numbers the choices are others. It is None at the first count.
    """

    choices: tuple[PollChoice, ...]
    hands: tuple[int, ...]
    earlier: Mapping[str, int] | None = None

    @property
    def total(self) -> int:
        """Return the number of all hands."""
        return sum(self.hands)


def poll_of(slide: Slide, digits: Digits = DIGITS_SHOWN) -> Poll:
    """Return the poll of a question that has just been opened; () for numbers called out."""
    found = choices(slide, digits) if slide.mark.form == "choices" else ()
    return Poll(found, (0,) * len(found))


def choices(slide: Slide, digits: Digits = DIGITS_SHOWN) -> tuple[PollChoice, ...]:
    """Return the choices of a question to the room: the answer and up to three slips, by size.

    () where no slip gives another number; then the question is asked for numbers.
    """
    mark, question, begun = slide.mark, slide.question, slide.situation
    if question is None or begun is None:
        return tuple(PollChoice(c.text, right=c.right, say=c.say) for c in mark.choices)
    trace = run(begun.graph, rules=begun.rules)
    return tuple(judged(slide, number, digits) for number in numbers_of(question, trace, digits))


def judged(slide: Slide, number: float, digits: Digits = DIGITS_SHOWN) -> PollChoice:
    """Return a number as a choice: the answer, a slip with its sentence, or no known slip."""
    question, begun = slide.question, slide.situation
    assert question is not None
    assert begun is not None
    trace = run(begun.graph, rules=begun.rules)
    label = number_label(question, number, digits)
    if label == number_label(question, answer(question, trace), digits):
        return PollChoice(label, number, right=True)
    if question.kind == "sign":
        return PollChoice(label, number)
    for slip, result in slip_numbers(question, trace):
        if number_label(question, result, digits) == label:
            return PollChoice(label, number, slip=slip.name, say=slip.brief)
    return PollChoice(label, number, say="no known slip")


def number_label(question: Question, number: float, digits: Digits) -> str:
    """Return a number as a choice shows it: a contribution with its sign, a sign as a verb."""
    if question.kind == "sign" and number in SIGNS:
        return SIGN_LABELS[number]
    return (signed if question.kind in SIGNED_KINDS else short)(number, digits)


def right_choice(slide: Slide, digits: Digits = DIGITS_SHOWN) -> PollChoice | None:
    """Return the answer as a choice, also of a question without choices; None without an answer."""
    question, begun = slide.question, slide.situation
    if question is None or begun is None:
        return next((choice for choice in choices(slide, digits) if choice.right), None)
    trace = run(begun.graph, rules=begun.rules)
    return judged(slide, answer(question, trace), digits)


def earlier_hands(poll: Poll, choice: PollChoice) -> int | None:
    """Return the hands that a choice had at the first count; None if this is the first."""
    return None if poll.earlier is None else poll.earlier.get(choice_key(choice), 0)


def choice_key(choice: PollChoice) -> str:
    """Return the key of a choice among counts: "" for the answer, its slip, or its label."""
    return "" if choice.right else choice.slip or choice.label
