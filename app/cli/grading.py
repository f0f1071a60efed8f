"""backwire grade: judges every answer of handed-in reports again."""

import csv
import io
import os
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from unicodedata import normalize

from msgspec import Struct

from app.cli.command_line import (
    Parser,
    error_text,
    prefix_file_name,
    print_error,
    print_line,
    table,
)
from engine.errors import EngineError, one_line
from engine.formats import report
from engine.formats.expression import write
from engine.formats.files import load_drawing, read_content, shown_name
from engine.formats.native import Drawing
from engine.formats.report import Report
from engine.graph import Graph
from engine.numbers import counted
from engine.study.judging import VerdictKind
from engine.study.record import (
    Record,
    Summary,
    askable_steps,
    differences,
    other_values,
    regraded,
    summary,
)

HEADINGS = (
    *("report", "student", "graph", "level", "mistake", "steps", "answered", "right first time"),
    *("seen", "hints", "shown", "slips", "note"),
)
_LONGEST = 60
"""Maximum length of a title, and of an expression."""
_OFTEN = 200
"""Answers between two updates of the progress line."""
_VERDICTS: dict[VerdictKind, str] = {
    "right": "right",
    "rounded": "rounded",
    "slip": "a slip",
    "wrong": "wrong",
    "unread": "no number",
}
Cell = str | int


class Graded(Struct, frozen=True):
    """A report: the name of its file, its record judged again, and notes on it.

    `steps` is the number of steps to be asked about.
    """

    name: str
    report: Report
    record: Record
    steps: int
    notes: tuple[str, ...]


def do(verb: str, arguments: Sequence[str]) -> int:
    """Print one row per report; returns 1 if one can't be read or has a note."""
    parser = Parser(
        verb, "REPORT... [--graph FILE] [--csv]", "Judge every answer of reports again."
    )
    parser.add_argument("reports", nargs="+", metavar="REPORT", action="extend")
    parser.add_argument("--graph", metavar="FILE", help="name reports about another graph")
    parser.add_argument("--csv", action="store_true", help="a table for a spreadsheet")
    options = parser.read(arguments)
    given = None
    if options.graph is not None:
        with prefix_file_name(options.graph):
            given = load_drawing(options.graph)
    graded: list[Graded] = []
    names = _names(options.reports)
    progress = _Progress(len(names))
    for path, name in names.items():
        try:
            graded.append(_graded(path, name, progress))
        except EngineError as error:
            progress.clear()
            where = "" if name == shown_name(path) else f" ({name})"
            print_error(f"backwire: {error_text(error)}{where}")
    progress.clear()
    rows = _rows(graded, given, shown_name(options.graph or ""))
    if options.csv:
        print_line(_csv([HEADINGS, *rows]))
    elif rows:
        print_line(table(_without_empty([HEADINGS, *[list(map(str, row)) for row in rows]])))
    return 0 if len(rows) == len(names) and not any(row[-1] for row in rows) else 1


def _names(paths: Sequence[str]) -> dict[str, str]:
    """Return a display name per distinct file: its name, or its path if that is ambiguous."""
    once: dict[str, str] = {}
    for path in paths:
        once.setdefault(os.path.realpath(path), path)
    known = Counter(shown_name(path) for path in once.values())
    return {
        path: shown_name(path) if known[shown_name(path)] == 1 else one_line(path)
        for path in once.values()
    }


def _graded(path: str, name: str, progress: "_Progress") -> Graded:
    with prefix_file_name(path):
        found = report.read(read_content(path))
        on_answer = progress.start(name, len(found.record.attempts))
        record = regraded(found.record, found.graph, on_answer)
        steps = askable_steps(record, found.graph)
    return Graded(name, found, record, steps, tuple(_changes(found, record, steps)))


def _changes(found: Report, record: Record, steps: int) -> list[str]:
    """Return a note if verdicts or the number of steps were changed in the file."""
    changes = [
        f"answer {place} is {_VERDICTS[now.verdict]}, not {_VERDICTS[then.verdict]}"
        for place, (new, old) in enumerate(
            zip(record.attempts, found.record.attempts, strict=True), 1
        )
        for now, then in zip(new.tries, old.tries, strict=True)
        if now.verdict != then.verdict
    ]
    if found.steps not in (None, steps):
        changes.append(f"there were {steps} steps, not {found.steps}")
    if not changes:
        return []
    one, many = "changed: {first}", "changed: {first}, and {more:,} more"
    return [counted(len(changes), one, many, first=changes[0], more=len(changes) - 1)]


def _rows(graded: Sequence[Graded], given: Drawing | None, given_name: str) -> list[list[Cell]]:
    twice = duplicates([(each.name, each.report) for each in graded])
    return [
        _row(each, [*each.notes, *_compared(each.report, given, given_name), *said])
        for each, said in zip(graded, twice, strict=True)
    ]


def _row(graded: Graded, notes: Sequence[str]) -> list[Cell]:
    handed_in, totals = graded.report, summary(graded.record)
    rules = handed_in.record.rules
    return [
        graded.name,
        one_line(handed_in.student).strip(),
        _graph(handed_in),
        handed_in.record.level,
        "" if rules == "correct" else rules,
        "" if handed_in.steps is None else graded.steps,
        totals.answered,
        totals.right_first,
        totals.seen,
        totals.hinted,
        totals.shown,
        _slips(totals),
        "; ".join(notes),
    ]


def _graph(found: Report) -> str:
    """Return title and expression, both truncated."""
    parts = [one_line(found.title).strip(), write(found.graph, values=False)]
    cut = [part if len(part) <= _LONGEST else f"{part[: _LONGEST - 1]}…" for part in parts]
    return ": ".join(part for part in cut if part)


def _compared(found: Report, given: Drawing | None, name: str) -> list[str]:
    """Return notes on differences between a report and the exercise given to learners."""
    if given is None:
        return []
    notes = _compared_graph(found.graph, given.graph, name)
    task = given.task
    if task is not None and (otherwise := differences(task, found.record, found.task)):
        notes.append(f"asked otherwise than in {name}: {' and '.join(otherwise)}")
    return notes


def _compared_graph(found: Graph, given: Graph, name: str) -> list[str]:
    """Return notes on differences between a graph and the one given to learners."""
    others = other_values(given, found)
    if others is None:
        return [f"about another graph than {name}"]
    if not others:
        return []
    first = given.names[others[0]] or str(others[0])
    one = "other values than in {name}: {first}"
    many = "other values than in {name}: {first} and {more:,} more"
    return [counted(len(others), one, many, name=name, first=first, more=len(others) - 1)]


def _slips(totals: Summary) -> str:
    return "; ".join(
        slip.name if count == 1 else f"{slip.name} × {count}" for slip, count in totals.slips
    )


def _without_empty(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Drop columns without any cell but the heading."""
    full = [k for k, column in enumerate(zip(*rows[1:], strict=True)) if any(column)]
    return [[row[k] for k in full] for row in rows]


def _csv(rows: Sequence[Sequence[Cell]]) -> str:
    text = io.StringIO()
    # Texts are quoted, since some spreadsheets also split at ;.
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    writer.writerows([[_safe(cell) for cell in row] for row in rows])
    return text.getvalue().rstrip("\n")


def _safe(cell: Cell) -> Cell:
    """Escape a cell that a spreadsheet would run as a formula (CSV injection)."""
    first = normalize("NFKC", cell.lstrip()[:1]) if isinstance(cell, str) else ""
    return f"'{cell}" if first in tuple("=+-@") else cell


class _Progress:
    """A progress line on standard error, if that is a terminal."""

    def __init__(self, reports: int) -> None:
        self._reports, self._begun, self._width = reports, 0, 0
        self._on = sys.stderr is not None and sys.stderr.isatty()

    def start(self, name: str, answers: int) -> Callable[[int], None]:
        """Show that a report is begun; returns a callback for its number of judged answers."""
        self._begun += 1
        self._show(f"{self._begun:,} of {self._reports:,}: {name}")

        def show_count(count: int) -> None:
            if count % _OFTEN == 0:
                done = f"{count:,} of {answers:,} answers"
                self._show(f"{self._begun:,} of {self._reports:,}: {name}, {done}")

        return show_count

    def clear(self) -> None:
        """Erase the line."""
        self._show("")

    def _show(self, text: str) -> None:
        if not self._on or not (text or self._width):
            return
        with suppress(OSError, ValueError):
            encoding = sys.stderr.encoding or "utf-8"
            line = text.encode(encoding, "replace").decode(encoding)
            print(f"\r{line.ljust(self._width)}\r", end="", file=sys.stderr, flush=True)
        self._width = len(text)


def duplicates(reports: Sequence[tuple[str, Report]]) -> list[list[str]]:
    """Return for each (name, report) notes on others of the same run or the same student."""
    runs: dict[Hashable, list[int]] = {}
    students: dict[str, list[int]] = {}
    for place, (_name, each) in enumerate(reports):
        runs.setdefault(_run_key(each), []).append(place)
        students.setdefault(_student_key(each), []).append(place)
    notes: list[list[str]] = []
    for place, (_name, each) in enumerate(reports):
        by_student = students[_student_key(each)]
        answered = len(each.record.attempts)
        # Of fewer than 4 answers some pair in a class has the same times by chance.
        of_run = [k for k in runs[_run_key(each)] if answered >= (1 if k in by_student else 4)]
        others = [k for k in of_run if k != place]
        again = [k for k in by_student if k != place and k not in others]
        kinds = (
            ("the same report as", [k for k in others if k in by_student]),
            ("the same run, to the second, as", [k for k in others if k not in by_student]),
            ("the same student as", again if _student_key(each) else []),
        )
        notes.append([f"{kind} {_first_of(reports, them)}" for kind, them in kinds if them])
    return notes


def _first_of(reports: Sequence[tuple[str, Report]], places: Sequence[int]) -> str:
    """Return the name of the first report and the number of others."""
    first, more = reports[places[0]][0], len(places) - 1
    return f"{first} and {more:,} more" if more else first


def _student_key(report: Report) -> str:
    """Normalise a student's name: case, spaces and Unicode variants do not count."""
    return " ".join(normalize("NFKC", report.student).casefold().split())


def _run_key(report: Report) -> Hashable:
    """Return all of a run but its verdicts, with times to a tenth of a second.

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
