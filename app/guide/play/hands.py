"""Hands: the record of a room's answers as JSON: counts by choice, nothing about persons.

    record_of(...)     the record of a lecture; write(record) is its text
    read(text)         the record in a file; FormatError if it has none

>>> choices = (HandsChoice("−4", "own value", hands=9), HandsChoice("+6", right=True, hands=11))
>>> record = HandsRecord("Two paths", (HandsQuestion(3, "First step", "To a?", choices),))
>>> read(write(record)) == record
True
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from app.guide.play.guide import Room
from app.guide.play.poll import HANDS_LIMIT, Poll
from app.guide.play.slides import Slide
from app.lessons.course import MOST_LESSON_STEPS, MOST_PARTS
from engine.errors import FormatError
from engine.formats import native, strict_json
from engine.study.judging import MOST_CHOICES

NAME: Final = "backwire hands"
VERSION: Final = 1
SUFFIX: Final = "-hands.json"
_KIND: Final = "Backwire record of hands"
"""The name of the format in error messages."""
_TEXT_LIMIT: Final = 500
_MOST_QUESTIONS: Final = MOST_LESSON_STEPS * MOST_PARTS
_MOST_COUNTS: Final = 100
"""Counts of one question in a file, if each of the others has as many."""

_Text = Annotated[str, Meta(max_length=_TEXT_LIMIT)]
_Count = Annotated[int, Meta(ge=0, le=HANDS_LIMIT)]


class HandsChoice(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A choice with its hands; `slip` is "" for the answer and for a number that no slip gives."""

    label: _Text
    slip: _Text = ""
    right: bool = False
    hands: _Count = 0


class HandsQuestion(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A question as it was asked: the number of its step, from 1, that step's title, its text.

    Each count is one of its own, with its own numbers; `count` is 2 for the second of a question.
    """

    step: Annotated[int, Meta(ge=1, le=_MOST_QUESTIONS)]
    title: _Text
    question: _Text
    choices: Annotated[tuple[HandsChoice, ...], Meta(max_length=MOST_CHOICES)]
    count: Annotated[int, Meta(ge=1)] = 1


class HandsRecord(Struct, frozen=True):
    """The questions of a lecture that were asked, with the hands that were counted.

    `date` is "" until the record is saved: the day, as in 2026-01-31.
    """

    title: str
    questions: tuple[HandsQuestion, ...]
    date: str = ""


class _File(Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    format: Literal["backwire hands"]
    version: int
    title: _Text
    date: Annotated[str, Meta(pattern=r"^(\d{4}-\d\d-\d\d)?$")] = ""
    questions: Annotated[list[HandsQuestion], Meta(max_length=_MOST_QUESTIONS * _MOST_COUNTS)]


def record_of(state: Room, text_of: Callable[[Slide], str]) -> HandsRecord:
    """Return the record of a lecture, without questions that nobody raised a hand for.

    `text_of` returns the question of a slide as the room read it.
    """
    questions: list[HandsQuestion] = []
    for at, polls in state.counts.items():
        slide = state.slides[at]
        for count, poll in enumerate(polls, 1):
            text = text_of(poll.slide or slide)[:_TEXT_LIMIT]
            questions.append(HandsQuestion(slide.at + 1, slide.title, text, _choices(poll), count))
    return HandsRecord(state.lesson.title[:_TEXT_LIMIT], tuple(questions))


def _choices(poll: Poll) -> tuple[HandsChoice, ...]:
    return tuple(
        HandsChoice(choice.label, choice.slip, choice.right, hands)
        for choice, hands in zip(poll.choices, poll.hands, strict=True)
    )


# the file


def write(record: HandsRecord) -> str:
    """Return the text of a record, with one question per line."""
    file = _File(
        format=NAME,
        version=VERSION,
        title=record.title,
        date=record.date,
        questions=list(record.questions),
    )
    return native.json_text(msgspec.to_builtins(file), ("questions",))


def read(text: str | bytes) -> HandsRecord:
    """Return the record in a text; raises FormatError with the place of the first error."""
    content = strict_json.valid_utf8(text)
    strict_json.check_head(content, NAME, VERSION, _KIND)
    file = strict_json.decode(content, _File, _KIND)
    strict_json.check_no_duplicate_keys(content)
    steps = [question.step for question in file.questions]
    for before, step in itertools.pairwise(steps):
        if step < before:
            raise FormatError("Step {step} comes after step {before}.", step=step, before=before)
    return HandsRecord(file.title, tuple(file.questions), file.date)
