"""Hands: the record of a room's answers as JSON: counts by choice, nothing about persons.

record_of(...)     the record of a lecture; write(record) is its text
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec
from msgspec import Struct

from app.guide.play.guide import Room
from app.guide.play.poll import Poll
from app.guide.play.slides import Slide
from engine.formats import native

NAME: Final = "backwire hands"
VERSION: Final = 1
SUFFIX: Final = "-hands.json"


class HandsChoice(Struct, frozen=True, omit_defaults=True):
    """A choice with its hands; `slip` is "" for the answer and for a number that no slip gives."""

    label: str
    slip: str = ""
    right: bool = False
    hands: int = 0


class HandsQuestion(Struct, frozen=True, omit_defaults=True):
    """A question as it was asked: the number of its step, from 1, that step's title, its text.

    Each count is one of its own, with its own numbers; `count` is 2 for the second of a question.
    """

    step: int
    title: str
    question: str
    choices: tuple[HandsChoice, ...]
    count: int = 1


class HandsRecord(Struct, frozen=True):
    """The questions of a lecture that were asked, with the hands that were counted.

    `date` is "" until the record is saved: the day, as in 2026-01-31.
    """

    title: str
    questions: tuple[HandsQuestion, ...]
    date: str = ""


def record_of(state: Room, text_of: Callable[[Slide], str]) -> HandsRecord:
    """Return the record of a lecture, without questions that nobody raised a hand for.

    `text_of` returns the question of a slide as the room read it.
    """
    questions: list[HandsQuestion] = []
    for at, polls in state.counts.items():
        slide = state.slides[at]
        for count, poll in enumerate(polls, 1):
            text = text_of(poll.slide or slide)
            questions.append(HandsQuestion(slide.at + 1, slide.title, text, _choices(poll), count))
    return HandsRecord(state.lesson.title, tuple(questions))


def _choices(poll: Poll) -> tuple[HandsChoice, ...]:
    return tuple(
        HandsChoice(choice.label, choice.slip, choice.right, hands)
        for choice, hands in zip(poll.choices, poll.hands, strict=True)
    )


def write(record: HandsRecord) -> str:
    """Return the text of a record, with one question per line."""
    document: dict[str, object] = {"format": NAME, "version": VERSION, "title": record.title}
    document |= {"date": record.date, "questions": msgspec.to_builtins(record.questions)}
    return native.json_text(document, ("questions",))
