"""Doubles among reports: one handed in twice, a student who is there twice, a run two handed in."""

import unicodedata
from collections.abc import Hashable, Sequence
from typing import Final

from engine.formats.expression import write
from engine.formats.report import Report

TELLING: Final = 4
"""Answers from which on equal times are no chance: of fewer, some pair in a class has the same."""


def doubles(reports: Sequence[tuple[str, Report]]) -> list[list[str]]:
    """Return for each report, given with its name, what is told of others that are like it."""
    runs: dict[Hashable, list[int]] = {}
    students: dict[str, list[int]] = {}
    for place, (_name, report) in enumerate(reports):
        runs.setdefault(_run(report), []).append(place)
        students.setdefault(_student(report), []).append(place)
    found: list[list[str]] = []
    for place, (_name, report) in enumerate(reports):
        same = students[_student(report)]
        answered = len(report.record.attempts)
        alike = [k for k in runs[_run(report)] if answered >= (1 if k in same else TELLING)]
        others = [k for k in alike if k != place]
        mine = [k for k in same if k != place and k not in others] if _student(report) else []
        told = (
            ("the same report as", [k for k in others if k in same]),
            ("the same run, to the second, as", [k for k in others if k not in same]),
            ("the same student as", mine),
        )
        found.append([f"{said} {_named(reports, them)}" for said, them in told if them])
    return found


def _named(reports: Sequence[tuple[str, Report]], places: Sequence[int]) -> str:
    """Return the name of the first report, and how many more there are."""
    first, more = reports[places[0]][0], len(places) - 1
    return f"{first} and {more:,} more" if more else first


def _student(report: Report) -> str:
    """Return the name of a student by which it is known however it is typed."""
    return " ".join(unicodedata.normalize("NFKC", report.student).casefold().split())


def _run(report: Report) -> Hashable:
    """Return a run without what is judged: equal for those that are equal to the tenth of a second.

    Two learners may well type the same, but not in the same time.
    """
    record = report.record
    return (
        write(report.graph),
        record.level,
        record.rules,
        tuple(
            (
                attempt.question,
                tuple(each.text for each in attempt.tries),
                (attempt.hints, attempt.shown, attempt.seen, round(attempt.seconds, 1)),
                tuple((node, value.hex()) for node, value in sorted(attempt.values.items())),
            )
            for attempt in record.attempts
        ),
    )
