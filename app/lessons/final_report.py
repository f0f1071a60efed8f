"""Reports of the final test: seed, student and answers as JSON, to be handed in.

    report_of(answers)       the report of a test that has ended; write(report) is its text
    read(text)               the report in a file; FormatError if it has none
    changed_verdicts(...)    the answers whose verdict in the file is another one

The file holds no right answer: `backwire grade` draws the test again from the seed and judges every
answer anew, so a verdict that was edited in the file is noticed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from app.lessons.final_test import (
    KINDS,
    SEED_LIMIT,
    FinalAnswers,
    FinalTest,
    GradedTest,
    drawn_test,
    graded,
    is_readable,
)
from engine.errors import FormatError
from engine.formats import native, strict_json
from engine.formats.report import NOTE, TEXT_LIMIT
from engine.study.judging import ANSWER_LIMIT, VerdictKind

NAME: Final = "backwire test"
VERSION: Final = 1
SUFFIX: Final = ".test.json"
_KIND: Final = "Backwire test"
"""The name of the format in error messages."""
_LONGEST_SECONDS: Final = 10**6
"""Bound of the seconds, so that a damaged file can't hold absurd ones."""
_LONGEST_DIGEST: Final = 64


class FinalReport(Struct, frozen=True):
    """The answers to a test and who gave them, with the verdicts that the file holds.

    `verdicts` are those on the singles, then those on the gradients of the whole graph. `digest`
    identifies the test that was drawn from the seed then.
    """

    answers: FinalAnswers
    student: str = ""
    verdicts: tuple[VerdictKind, ...] = ()
    digest: str = ""


_Seconds = Annotated[float, Meta(ge=0, le=_LONGEST_SECONDS)]


class _Answer(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """An answer as it was typed; of `next` the name of the node that was clicked."""

    text: str
    verdict: VerdictKind
    seconds: _Seconds | None = None


class _Whole(Struct, forbid_unknown_fields=True):
    """The answers to the whole graph, from the root to the leaves."""

    seconds: _Seconds
    answers: list[_Answer]


class _File(Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    format: Literal["backwire test"]
    version: int
    note: str = ""
    student: str = ""
    seed: Annotated[int, Meta(ge=0, le=SEED_LIMIT)]
    test: Annotated[str, Meta(max_length=_LONGEST_DIGEST)]
    answers: list[_Answer]
    whole: _Whole


def report_of(answers: FinalAnswers, student: str = "") -> FinalReport:
    """Return the report of answers, with its verdicts."""
    test = drawn_test(answers.seed)
    verdicts: tuple[VerdictKind, ...] = tuple(x.verdict for x in graded(test, answers).answers)
    return FinalReport(answers, student, verdicts, test.digest)


def write(report: FinalReport) -> str:
    """Return the text of a report, with one answer per line."""
    answers, count = report.answers, len(report.answers.singles)
    # `seconds` has one number more: that of the whole graph
    singles = zip(answers.singles, report.verdicts[:count], answers.seconds, strict=False)
    whole = zip(answers.whole, report.verdicts[count:], strict=True)
    file = _File(
        format=NAME,
        version=VERSION,
        note=NOTE,
        student=report.student,
        seed=answers.seed,
        test=report.digest,
        answers=[_Answer(text, verdict, round(time, 1)) for text, verdict, time in singles],
        whole=_Whole(round(answers.seconds[-1], 1), [_Answer(*each) for each in whole]),
    )
    return native.json_text(msgspec.to_builtins(file), ("answers",))


def is_final_report(content: str | bytes) -> bool:
    """Return whether a text is meant as the report of a final test."""
    try:
        head = strict_json.decode(strict_json.checked(content), strict_json.Head, _KIND)
    except FormatError:
        return False
    return bytes(head.format) == b'"%s"' % NAME.encode()


def read(text: str | bytes) -> FinalReport:
    """Return the report in a text; raises FormatError with the place of the first error."""
    content = strict_json.checked(text)
    strict_json.check_head(content, NAME, VERSION, _KIND)
    file = strict_json.decode(content, _File, _KIND)
    strict_json.check_keys(content)
    _check_file(file)
    test = drawn_test(file.seed)
    answers = FinalAnswers(
        file.seed,
        tuple(each.text for each in file.answers),
        tuple(each.text for each in file.whole.answers),
        (*(each.seconds or 0.0 for each in file.answers), file.whole.seconds),
    )
    given = (*file.answers, *file.whole.answers)
    verdicts: tuple[VerdictKind, ...] = tuple(each.verdict for each in given)
    if file.test != test.digest:
        raise FormatError(
            "The report: another version of Backwire drew the test of seed {seed}; grade it there.",
            seed=file.seed,
        )
    _check_answers(test, answers)
    return FinalReport(answers, file.student, verdicts, file.test)


def _check_file(file: _File) -> None:
    """Raise FormatError for a fault that is seen without the test."""
    if len(file.student) > TEXT_LIMIT:
        raise FormatError(
            "The report: the student's name has at most {limit} characters.", limit=TEXT_LIMIT
        )
    if len(file.answers) != len(KINDS):
        raise FormatError(
            "The report: a test has {most} single questions, not {given}.",
            most=len(KINDS),
            given=len(file.answers),
        )
    given = (*file.answers, *file.whole.answers)
    for place, each in zip(_places(len(file.whole.answers)), given, strict=True):
        if len(each.text) > ANSWER_LIMIT:
            raise FormatError(
                "{place}: an answer has at most {limit} characters.",
                place=place,
                limit=ANSWER_LIMIT,
            )


def _places(gradients: int) -> Iterator[str]:
    """Yield the place of each answer for a sentence, of a whole graph with so many gradients."""
    yield from (f"Answer {k}" for k, _kind in enumerate(KINDS, 1))
    yield from (f"The whole graph, answer {k + 1}" for k in range(gradients))


def _check_answers(test: FinalTest, answers: FinalAnswers) -> None:
    """Raise FormatError for an answer that can't be one to the test that was drawn."""
    wanted = len(test.whole.questions)
    if len(answers.whole) != wanted:
        raise FormatError(
            "The whole graph: it has {wanted} gradients, not {given}.",
            wanted=wanted,
            given=len(answers.whole),
        )
    places = _places(wanted)
    for place, (question, trace), text in zip(places, test.asked, answers.texts, strict=True):
        if is_readable(question, trace, text):
            continue
        if question.kind == "next":
            raise FormatError('{place}: the graph has no node "{text}".', place=place, text=text)
        raise FormatError('{place}: "{text}" is no number.', place=place, text=text)


def changed_verdicts(report: FinalReport, result: GradedTest) -> list[tuple[int, VerdictKind]]:
    """Return the number, from 1, of each answer whose verdict in the file is another one, with it.

    `result` holds the verdicts as they are computed now.
    """
    pairs = zip(result.answers, report.verdicts, strict=True)
    return [(k, then) for k, (now, then) in enumerate(pairs, 1) if now.verdict != then]
