"""Reports of the final test: seed, student and answers as JSON, to be handed in.

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
_LONGEST_SECONDS: Final = 10**6
_LONGEST_DIGEST: Final = 64


class FinalReport(Struct, frozen=True):
    """The answers to a test and who gave them, with the verdicts that the file holds.

    `digest` identifies the test that was drawn from the seed then.
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
    for reason in _faults(file):
        raise reason
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
    for reason in _unreadable(test, answers):
        raise reason
    return FinalReport(answers, file.student, verdicts, file.test)


def _faults(file: _File) -> Iterator[FormatError]:
    """Yield the faults that are seen without the test."""
    if len(file.student) > TEXT_LIMIT:
        yield FormatError(
            "The report: the student's name has at most {limit} characters.", limit=TEXT_LIMIT
        )
    if len(file.answers) != len(KINDS):
        yield FormatError(
            "The report: a test has {most} single questions, not {given}.",
            most=len(KINDS),
            given=len(file.answers),
        )
    for place, each in _places(file):
        if len(each.text) > ANSWER_LIMIT:
            yield FormatError(
                "{place}: an answer has at most {limit} characters.",
                place=place,
                limit=ANSWER_LIMIT,
            )


def _places(file: _File) -> Iterator[tuple[str, _Answer]]:
    """Yield all answers with their places for a sentence."""
    for k, each in enumerate(file.answers, 1):
        yield f"Answer {k}", each
    for k, each in enumerate(file.whole.answers, 1):
        yield f"The whole graph, answer {k}", each


def _unreadable(test: FinalTest, answers: FinalAnswers) -> Iterator[FormatError]:
    """Yield the faults of the answers to the test that was drawn."""
    wanted = len(test.whole.questions)
    if len(answers.whole) != wanted:
        yield FormatError(
            "The whole graph: it has {wanted} gradients, not {given}.",
            wanted=wanted,
            given=len(answers.whole),
        )
    places = [f"Answer {k}" for k in range(1, len(test.singles) + 1)]
    places += [f"The whole graph, answer {k}" for k in range(1, wanted + 1)]
    for place, (question, trace), text in zip(places, test.asked, answers.texts, strict=False):
        if is_readable(question, trace, text):
            continue
        if question.kind == "next":
            yield FormatError('{place}: the graph has no node "{text}".', place=place, text=text)
        else:
            yield FormatError('{place}: "{text}" is no number.', place=place, text=text)


def changed_verdicts(report: FinalReport, result: GradedTest) -> list[tuple[int, VerdictKind]]:
    """Return the answers, from 1, whose verdict in the file is another one, with that verdict."""
    pairs = zip(result.answers, report.verdicts, strict=True)
    return [(k, then) for k, (now, then) in enumerate(pairs, 1) if now.verdict != then]
