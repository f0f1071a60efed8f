"""backwire grade: judges every answer of handed-in reports again, and prints a row per report.

A report is that of a run or of a final test. A sheet is handed in for the backward rules of its own
operations, which are judged at other points than those of the window. The code of 12 signs that a
page shows at its end stands for its counts alone. Progress files among them are listed in a table
of their own: lessons, answers right first time, slips, for each learner. Nothing in these can be
judged again, so counts and dates that can't be are told. A file may hold several records, one after
the other. A record that is refused has a row with the reason. A last line sums up all but those,
what can't be and what is double.
"""

import csv
import glob
import io
import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import suppress
from datetime import date, timedelta
from typing import Final, Literal
from unicodedata import normalize

from msgspec import Struct
from msgspec.structs import replace

from app.cli.command_line import (
    Parser,
    error_text,
    name_file_in_errors,
    print_error,
    print_line,
    table,
)
from app.lessons import final_test
from app.lessons.course import names, names_by_digest
from app.lessons.final_test import (
    FinalReport,
    GradedTest,
    changed_verdicts,
    drawn_test,
    is_final_report,
    slip_counts,
)
from app.lessons.lesson import Step
from app.lessons.load import lesson
from app.lessons.progress import (
    INTERVALS,
    LONGEST_TEXT,
    HandedIn,
    LessonProgress,
    Progress,
    is_progress,
    merged,
    read_handed_in,
)
from app.takeaway.page_record import is_code, read_code
from engine.asking.judging import VerdictKind
from engine.asking.record import (
    Record,
    askable_questions,
    differences,
    differing_values,
    missing_answers,
    regraded,
    summary,
)
from engine.asking.rule_judging import judge
from engine.errors import EngineError, FormatError, one_line
from engine.formats import native, report, strict_json
from engine.formats.expression import write
from engine.formats.files import load_drawing, read_content, shown_name
from engine.formats.native import Drawing
from engine.formats.report import Report
from engine.graph import Graph
from engine.numbers import counted

HEADINGS = (
    *(
        "report",
        "student",
        "graph",
        "level",
        "mistake",
        "questions",
        "answered",
        "right first time",
    ),
    *("seen", "hints", "shown", "three more", "runs", "date", "score", "slips", "note"),
)
"""The columns of the table of reports; those in which no report has anything are left out.

`questions` could be asked, of which `answered` to `shown` count some. Seen are those whose answer
was visible before; `level` says which blanks were asked. Of several `runs` the first try counts.
`three more` has `2 of 3`: so many of its questions were right first time.
"""
_MAX_TEXT_LENGTH = 60
"""Characters of a title, and of an expression, beyond which it is cut off in the table."""
_PROGRESS_INTERVAL = 200
"""Answers between two updates of the progress line."""
_VERDICT_NAMES: dict[VerdictKind, str] = {
    "right": "right",
    "rounded": "rounded",
    "slip": "a slip",
    "wrong": "wrong",
    "unread": "no number",
}
_PASSED = "{right} of {singles}, {right_gradients} of {gradients} gradients: passed"
_NOT_PASSED = "{right} of {singles}, {right_gradients} of {gradients} gradients: not passed"
Cell = str | int
_CANT_BE: Final = "can't be: {what}"
_CHANCE_ANSWERS = 4
"""Answers of which two learners of a class don't have the same times, to 0.1 s, by chance."""


LeftOut = Literal["", "that can't be read", "that can't be", "double"]
"""Why the last line leaves a record out, "" if it does not."""


class Graded(Struct, frozen=True):
    """A report, a code or a progress file: its cells by heading, its slips and how often each.

    Notes are on what is not as it should be, remarks on what may well be. A code and progress have
    no report, and are not compared with others.
    """

    headings: Sequence[str]
    name: str
    cells: dict[str, Cell]
    slips: Sequence[tuple[str, int]] = ()
    notes: Sequence[str] = ()
    remarks: Sequence[str] = ()
    report: Report | FinalReport | None = None
    entries: frozenset[Hashable] = frozenset()
    """What no two learners share: each lesson with answers and its learner, and the whole record.

    Of progress that can't be the record alone.
    """
    left_out: LeftOut = ""
    is_code: bool = False

    @property
    def row(self) -> list[Cell]:
        """Return the cells in the order of the headings."""
        texts = {self.headings[0]: self.name, "slips": _slips_text(self.slips)}
        note = "; ".join((*self.notes, *self.remarks))
        cells: dict[str, Cell] = {**self.cells, **texts, "note": note}
        return [cells.get(heading, "") for heading in self.headings]


def do(verb: str, arguments: Sequence[str]) -> int:
    """Print a row per record and code; return 1 if one can't be read, or a report has a note.

    So has a progress file of which something can't be, but not one with lessons of other files.
    """
    parser = Parser(
        verb,
        "FILE|FOLDER|CODE... [--graph FILE] [--csv]",
        "Judge every answer of reports again, and list what learners' progress files and the codes "
        "of pages hold; of a folder its .json files. Of a .backwire the backward rules of its own "
        "operations are judged.",
    )
    parser.add_argument("reports", nargs="+", metavar="REPORT", action="extend")
    parser.add_argument("--graph", metavar="FILE", help="name reports about another graph")
    parser.add_argument("--csv", action="store_true", help="a table for a spreadsheet")
    options = parser.read(arguments)
    exercise = None
    if options.graph is not None:
        with name_file_in_errors(options.graph):
            exercise = load_drawing(options.graph)
    found = _without_doubles(_graded(options.reports))
    graded = _compared(found, exercise, shown_name(options.graph or ""))
    _print_tables(graded, csv=options.csv)
    if not options.csv and len(graded) > 1:
        print_line(f"\n{_summary_text(graded)}")
    return 1 if any(each.notes for each in graded) else 0


def _graded(reports: Sequence[str]) -> list[Graded]:
    """Return what files and codes say; print why one is refused."""
    paths = [file for each in reports for file in _files(each)]
    names, times = _display_names(paths), Counter(paths)
    progress = _ProgressLine(len(names))
    graded = [each for path, name in names.items() for each in _grade(path, name, progress)]
    progress.clear()
    return [_with_times(each, times[each.name]) if each.is_code else each for each in graded]


def _with_times(code: Graded, times: int) -> Graded:
    """Return a code with a remark on how often it was given: it may be that of several learners."""
    if times < 2:
        return code
    return replace(code, remarks=(*code.remarks, f"given {times:,} times: a code names nobody"))


def _files(path: str) -> Sequence[str]:
    """Return the records in a folder, the files of a pattern that the shell left, else the path."""
    if os.path.isdir(path):
        pattern = os.path.join(glob.escape(path), "*.json")
    else:
        pattern = "" if os.path.exists(path) else path
    return sorted(glob.glob(pattern)) or [path]


def _print_tables(graded: Sequence[Graded], *, csv: bool) -> None:
    """Print the table of reports, and below it that of progress files.

    Where all are refused there is one for a spreadsheet alone.
    """
    if not csv and all(each.left_out == "that can't be read" for each in graded):
        return
    texts: list[str] = []
    for headings in (HEADINGS, LEARNER_HEADINGS):
        rows = [each.row for each in graded if each.headings is headings]
        if csv and rows:
            texts.append(_csv([headings, *rows]))
        elif rows:
            texts.append(
                table(_drop_empty_columns([headings, *[list(map(str, row)) for row in rows]]))
            )
    if texts:
        print_line("\n\n".join(texts))


def _display_names(paths: Sequence[str]) -> dict[str, str]:
    """Return a display name per distinct file: its name, or its path if that is ambiguous."""
    given_paths: dict[str, str] = {}  # by resolved path, so that no file is graded twice
    for path in paths:
        given_paths.setdefault(os.path.realpath(path), path)
    count = Counter(shown_name(path) for path in given_paths.values())
    return {
        path: shown_name(path) if count[shown_name(path)] == 1 else one_line(path)
        for path in given_paths.values()
    }


def _grade(path: str, name: str, progress: "_ProgressLine") -> Iterator[Graded]:
    """Yield a code, or what each record of a file says; one that is refused has the reason."""
    try:
        with name_file_in_errors(path):
            if not os.path.exists(path) and is_code(path):
                yield _grade_code(path)
                return
            contents = _records(read_content(path))
    except EngineError as error:
        yield _refused(path, name, b"", error, progress)
        return
    for k, content in enumerate(contents, 1):
        each = name if len(contents) == 1 else f"{name}, {k}"
        try:
            with name_file_in_errors(path):
                yield _grade_record(content, each, progress)
        except EngineError as error:
            yield _refused(path, each, content, error, progress)


def _grade_record(content: bytes, name: str, progress: "_ProgressLine") -> Graded:
    if is_progress(content):
        return _grade_progress(content, name)
    if is_final_report(content):
        return _grade_final(content, name)
    if native.is_drawing(content):
        return _grade_rules(content, name)
    return _grade_report(content, name, progress)


def _refused(
    path: str, name: str, content: bytes, error: EngineError, progress: "_ProgressLine"
) -> Graded:
    """Print why a record is refused, and return its row: with the reason, and whose it is."""
    progress.clear()
    where = "" if name == shown_name(path) else f" ({name})"
    print_error(f"backwire: {error_text(error)}{where}")
    student: object = None
    with suppress(ValueError, RecursionError, AttributeError):
        student = json.loads(content).get("student")
    whose = student[:LONGEST_TEXT] if isinstance(student, str) else ""
    return Graded(
        LEARNER_HEADINGS if is_progress(content) else HEADINGS,
        name,
        {"student": one_line(whose).strip()},
        notes=(one_line(str(error)).removeprefix(f"{shown_name(path)}: "),),
        left_out="that can't be read",
    )


def _records(content: bytes) -> list[bytes]:
    """Return the JSON objects that follow one another in a file, and what can't be read of it."""
    found, decoder, text = list[bytes](), json.JSONDecoder(), ""
    with suppress(ValueError, RecursionError):
        text = content.decode("utf-8-sig").strip()
        while text:
            _value, end = decoder.raw_decode(text)
            found.append(text[:end].encode())
            text = text[end:].lstrip()
    rest = [text.encode()] if text else []
    return [*found, *rest] if found else [content]


def _grade_code(code: str) -> Graded:
    """Return the counts of a code of a page; raises FormatError for one with a misread sign."""
    found = read_code(code)
    if found is None:
        raise FormatError("{code}: a sign of this code is misread.", code=code)
    page, counts = found
    is_possible = counts.right_first + max(counts.hinted, counts.shown) <= counts.answered
    cells: dict[str, Cell] = {
        "graph": f"page {page}",
        "answered": counts.answered,
        "right first time": counts.right_first,
        "seen": 0,  # a page records none
        "hints": counts.hinted,
        "shown": counts.shown,
    }
    graded = Graded(HEADINGS, code, cells, is_code=True)
    if is_possible:
        return graded
    notes = (_CANT_BE.format(what="these counts of a code"),)
    return replace(graded, notes=notes, left_out="that can't be")


def _grade_final(content: bytes, name: str) -> Graded:
    """Draw the test of a report again from its seed, and judge the answers.

    The whole graph counts as one question.
    """
    handed_in = final_test.read_report(content)
    answers = handed_in.answers
    result = final_test.graded(drawn_test(answers.seed), answers)
    changes = [
        _verdict_change(k, result.answers[k - 1].verdict, then)
        for k, then in changed_verdicts(handed_in, result)
    ]
    questions = len(result.singles) + 1
    cells: dict[str, Cell] = {
        "student": one_line(handed_in.student).strip(),
        "graph": f"final test, seed {handed_in.answers.seed}",
        "level": "final test",
        "questions": questions,
        "answered": questions,
        "right first time": result.right_singles + result.all_gradients_right,
        **dict.fromkeys(("seen", "hints", "shown"), 0),  # a test has no help
        "score": _score_text(result),
    }
    notes = _changes_note(changes)
    return Graded(HEADINGS, name, cells, slip_counts(result), notes, report=handed_in)


def _grade_rules(content: bytes, name: str) -> Graded:
    """Judge the backward rules of a sheet's own operations; each slot counts as one question."""
    operations = native.read_drawing(content).graph.operations
    judged = [
        verdict
        for op in operations
        if op.rule
        for verdict in judge(op, op.rule, operations, _SEED_OF_RULES)
    ]
    if not judged:
        raise FormatError("The sheet has no operation with a backward rule.")
    right = sum(verdict.kind == "right" for verdict in judged)
    cells: dict[str, Cell] = {
        "graph": ", ".join(f"{op.name}: {op.typed}" for op in operations if op.rule),
        "level": "backward rule",
        "questions": len(judged),
        "answered": sum(verdict.kind in ("right", "wrong") for verdict in judged),
        "right first time": right,
        **dict.fromkeys(("seen", "hints", "shown"), 0),  # the window keeps none
        "score": _SLOTS_RIGHT.format(right=right, slots=len(judged)),
    }
    beliefs = Counter(verdict.belief for verdict in judged if verdict.belief)
    return Graded(HEADINGS, name, cells, beliefs.most_common())


_SLOTS_RIGHT: Final = "{right} of {slots} slots right"
_SEED_OF_RULES: Final = 7
"""The points at which handed-in rules are judged are others than those that the window shows."""


def _score_text(result: GradedTest) -> str:
    """Return the score of a final test, and whether it is passed."""
    template = _PASSED if result.passed else _NOT_PASSED
    return template.format(
        right=result.right_singles,
        singles=len(result.singles),
        right_gradients=result.right_gradients,
        gradients=len(result.gradients),
    )


def _grade_report(content: bytes, name: str, progress: "_ProgressLine") -> Graded:
    """Judge every answer of the report of a run again."""
    handed_in = report.read(content)
    on_answer = progress.start(name, len(handed_in.record.attempts))
    record = regraded(handed_in.record, handed_in.graph, on_answer)
    asked, totals, rules = askable_questions(record, handed_in.graph), summary(record), record.rules
    rounds = 1 + max((each.round for each in record.attempts), default=0)
    cells: dict[str, Cell] = {
        "student": one_line(handed_in.student).strip(),
        "graph": _graph_text(handed_in),
        "level": record.level,
        "mistake": "" if rules == "correct" else rules,
        "questions": "" if handed_in.steps is None else len(asked),
        "answered": totals.answered,
        "right first time": totals.right_first,
        "seen": totals.seen,
        "hints": totals.hinted,
        "shown": totals.shown,
        "three more": f"{totals.right_more} of {totals.more}" if totals.more else "",
        "runs": "" if rounds < 2 else rounds,
        "date": one_line(handed_in.date).strip(),
    }
    slips = [(slip.name, count) for slip, count in totals.slips]
    notes = _tampering_notes(handed_in, record, len({question.key for question in asked}))
    return Graded(HEADINGS, name, cells, slips, notes, report=handed_in)


def _tampering_notes(handed_in: Report, record: Record, steps: int) -> list[str]:
    """Return a note if verdicts or the number of steps were edited in the file."""
    changes = [
        _verdict_change(number, now.verdict, then.verdict)
        for number, (new, old) in enumerate(
            zip(record.attempts, handed_in.record.attempts, strict=True), 1
        )
        for now, then in zip(new.tries, old.tries, strict=True)
        if now.verdict != then.verdict
    ]
    changes += [f"answer {k} is missing at step {step}" for step, k in missing_answers(record)]
    if handed_in.steps not in (None, steps):
        changes.append(f"there were {steps} steps, not {handed_in.steps}")
    day, last_day = handed_in.date, date.today() + timedelta(days=1)
    if day and not _is_day(day, last_day):
        changes.append(f"saved on {one_line(day)}")
    return _changes_note(changes)


def _verdict_change(answer: int, now: VerdictKind, then: VerdictKind) -> str:
    return f"answer {answer} is {_VERDICT_NAMES[now]}, not {_VERDICT_NAMES[then]}"


def _changes_note(changes: Sequence[str]) -> list[str]:
    """Return one note on all differences between a file and the verdicts; none without any."""
    if not changes:
        return []
    one, many = "changed: {first}", "changed: {first}, and {more:,} more"
    return [counted(len(changes), one, many, first=changes[0], more=len(changes) - 1)]


def _compared(
    graded: Sequence[Graded], exercise: Drawing | None, exercise_name: str
) -> list[Graded]:
    """Return all with notes on the differences of reports from an exercise, and on their copies."""
    copies = iter(
        duplicates([(each.name, each.report) for each in graded if each.report is not None])
    )
    compared: list[Graded] = []
    first_of_seed: dict[int, Graded] = {}
    for each in graded:
        notes, left_out, remarks = each.notes, each.left_out, each.remarks
        if each.is_code and exercise is not None:
            remarks = (*remarks, "a code can't be compared with a graph")
        if each.report is not None:
            differences = _difference_notes(each.report, exercise, exercise_name)
            copied, is_double = next(copies)
            notes = (*notes, *differences, *copied)
            left_out = "double" if is_double else left_out
        if isinstance(each.report, FinalReport):
            first = first_of_seed.setdefault(each.report.answers.seed, each)
            if first is not each and left_out != "double":
                remarks = (*remarks, f"drawn from the same seed as {first.name}")
        compared.append(replace(each, notes=notes, left_out=left_out, remarks=remarks))
    return compared


def _without_doubles(graded: Sequence[Graded]) -> list[Graded]:
    """Return all, with progress left out that an equal or fuller one of the same learner holds."""
    fullest: dict[Hashable, Graded] = {}
    for each in graded:
        for entry in each.entries:
            fullest[entry] = max(fullest.get(entry, each), each, key=_answered_and_right)
    found: list[Graded] = []
    for each in graded:
        fuller = next((f for e in each.entries if (f := fullest[e]) is not each), None)
        if fuller is not None:
            remark = f"the same progress as in {fuller.name}"
            left_out = each.left_out or "double"
            each = replace(each, remarks=(*each.remarks, remark), left_out=left_out)
        found.append(each)
    return found


def _answered_and_right(graded: Graded) -> tuple[int, int]:
    answered, right = (int(graded.cells[each]) for each in ("answered", "right first time"))
    return answered, right


def _summary_text(graded: Sequence[Graded]) -> str:
    """Return how many answers of all were right first time, and how often each slip was made.

    What is left out is said.
    """
    slips, left_out = Counter[str](), Counter(each.left_out for each in graded if each.left_out)
    counted_ones = [each for each in graded if not each.left_out]
    for each in counted_ones:
        slips.update(dict(each.slips))
    right, answered = (
        sum(int(each.cells[heading]) for each in counted_ones)
        for heading in ("right first time", "answered")
    )
    but = " and ".join(f"{count} {why}" for why, count in sorted(left_out.items()))
    said = (
        f"All {len(graded)}{but and f' without {but}'}: {right:,} of {answered:,} right first time"
    )
    made = sorted(slips.items(), key=lambda slip: (-slip[1], slip[0]))
    return f"{said}. Slips: {_slips_text(made)}" if made else said


def _graph_text(handed_in: Report) -> str:
    """Return title and expression, both truncated."""
    parts = [one_line(handed_in.title).strip(), write(handed_in.graph, values=False)]
    truncated = [
        part if len(part) <= _MAX_TEXT_LENGTH else f"{part[: _MAX_TEXT_LENGTH - 1]}…"
        for part in parts
    ]
    return ": ".join(part for part in truncated if part)


def _difference_notes(
    handed_in: Report | FinalReport, exercise: Drawing | None, name: str
) -> list[str]:
    """Return notes on differences between a report and the exercise that learners were given."""
    if exercise is None or isinstance(handed_in, FinalReport):
        return []
    notes = _graph_differences(handed_in.graph, exercise.graph, name)
    task = exercise.task
    if task is not None and (changed := differences(task, handed_in.record, handed_in.task)):
        notes.append(f"asked otherwise than in {name}: {' and '.join(changed)}")
    return notes


def _graph_differences(handed_in: Graph, exercise: Graph, name: str) -> list[str]:
    """Return notes on differences between a graph and that of the exercise."""
    others = differing_values(exercise, handed_in)
    if others is None:
        return [f"about another graph than {name}"]
    if not others:
        return []
    first = exercise.names[others[0]] or str(others[0])
    one = "other values than in {name}: {first}"
    many = "other values than in {name}: {first} and {more:,} more"
    return [counted(len(others), one, many, name=name, first=first, more=len(others) - 1)]


def _slips_text(slips: Sequence[tuple[str, int]]) -> str:
    """Return names of slips with how often each was made: `replaced × 2; factor forgotten`."""
    return "; ".join(name if count == 1 else f"{name} × {count}" for name, count in slips)


def _drop_empty_columns(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Drop columns without any cell but the heading."""
    kept_columns = [k for k, column in enumerate(zip(*rows[1:], strict=True)) if any(column)]
    return [[row[k] for k in kept_columns] for row in rows]


def _csv(rows: Sequence[Sequence[Cell]]) -> str:
    text = io.StringIO()
    # Texts are quoted, since some spreadsheets also split at ;.
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    writer.writerows([[_escape_formula(cell) for cell in row] for row in rows])
    return text.getvalue().rstrip("\n")


def _escape_formula(cell: Cell) -> Cell:
    """Escape a cell that a spreadsheet would run as a formula (CSV injection)."""
    first = normalize("NFKC", cell.lstrip()[:1]) if isinstance(cell, str) else ""
    return f"'{cell}" if first in tuple("=+-@") else cell


class _ProgressLine:
    """A progress line on standard error, if that is a terminal."""

    def __init__(self, reports: int) -> None:
        self._reports, self._started, self._width = reports, 0, 0
        self._enabled = sys.stderr is not None and sys.stderr.isatty()

    def start(self, name: str, answers: int) -> Callable[[int], None]:
        """Show the name of the next report; returns a callback for its number of judged answers."""
        self._started += 1
        self._show(f"{self._started:,} of {self._reports:,}: {name}")

        def show_count(count: int) -> None:
            if count % _PROGRESS_INTERVAL == 0:
                done = f"{count:,} of {answers:,} answers"
                self._show(f"{self._started:,} of {self._reports:,}: {name}, {done}")

        return show_count

    def clear(self) -> None:
        """Erase the line."""
        self._show("")

    def _show(self, text: str) -> None:
        if not self._enabled or not (text or self._width):
            return
        with suppress(OSError, ValueError):
            encoding = sys.stderr.encoding or "utf-8"
            line = text.encode(encoding, "replace").decode(encoding)
            print(f"\r{line.ljust(self._width)}\r", end="", file=sys.stderr, flush=True)
        self._width = len(text)


def duplicates(reports: Sequence[tuple[str, Report | FinalReport]]) -> list[tuple[list[str], bool]]:
    """Return for each (name, report) notes on the others of the same run or the same student.

    And whether an earlier one is of the same run.
    """
    runs: dict[Hashable, list[int]] = {}
    students: dict[str, list[int]] = {}
    for index, (_name, each) in enumerate(reports):
        runs.setdefault(_run_key(each), []).append(index)
        students.setdefault(_name_key(each.student), []).append(index)
    found: list[tuple[list[str], bool]] = []
    for index, (_name, each) in enumerate(reports):
        by_student = students[_name_key(each.student)]
        answered = _answer_count(each)
        of_run = [
            k
            for k in runs[_run_key(each)]
            if answered >= (1 if k in by_student else _CHANCE_ANSWERS)
        ]
        others = [k for k in of_run if k != index]
        other_runs = [k for k in by_student if k != index and k not in others]
        kinds = (
            ("the same report as", [k for k in others if k in by_student]),
            ("the same run, to the second, as", [k for k in others if k not in by_student]),
            ("the same student as", other_runs if _name_key(each.student) else []),
        )
        notes = [f"{kind} {_first_and_count(reports, each)}" for kind, each in kinds if each]
        found.append((notes, min(others, default=index) < index))
    return found


def _answer_count(report: Report | FinalReport) -> int:
    if isinstance(report, FinalReport):
        return len(report.answers.texts)
    return len(report.record.attempts)


def _first_and_count(
    reports: Sequence[tuple[str, Report | FinalReport]], indices: Sequence[int]
) -> str:
    """Return the name of the first report and the number of others."""
    first, more = reports[indices[0]][0], len(indices) - 1
    return f"{first} and {more:,} more" if more else first


def _name_key(student: str) -> str:
    """Normalise a student's name: case, spaces and Unicode variants do not count."""
    return " ".join(normalize("NFKC", student).casefold().split())


def _run_key(report: Report | FinalReport) -> Hashable:
    """Return everything about a run but its verdicts: two runs with the same key are one.

    Two learners may well type the same, but not in the same time, to a tenth of a second.
    """
    if isinstance(report, FinalReport):
        return report.answers
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


_FIRST_DAY: Final = date(2024, 1, 1)
"""No lesson was ended before it."""
LEARNER_HEADINGS: Final = (
    *("progress", "student", "lessons done", "shown", "begun", "last", "minutes"),
    *("answered", "right first time", "slips", "note"),
)
"""The columns of the table of progress files.

`shown` and `begun` count lessons; `last` is the day of the last end of one.
"""


def _impossible(found: HandedIn, content: bytes) -> Iterator[str]:
    """Yield notes on counts and dates of a progress file that Backwire does not write."""
    progress = found.progress
    last_day = date.today() + timedelta(days=1)  # of a learner east of here
    days = [each.last for each in (*progress.slips, *progress.asked)]
    days += [each.next - timedelta(days=max(INTERVALS)) for each in progress.slips]
    once = merged(progress, Progress())
    if max(days, default=last_day) > last_day:
        yield _CANT_BE.format(what="a slip or a question of a day to come")
    if len(once.slips) < len(progress.slips) or len(once.asked) < len(progress.asked):
        yield _CANT_BE.format(what="a slip or a question that stands twice")
    try:
        strict_json.check_no_duplicate_keys(content)
    except FormatError as error:
        yield _CANT_BE.format(what=error)
    titles = _titles(progress)
    for key, entry in progress.lessons.items():
        if what := _impossible_in(key, entry, last_day):
            unnamed = "a lesson of another file" if key == entry.digest else key
            name = _course_name(key, entry) or titles.get(key, unnamed)
            yield _CANT_BE.format(what=f"{one_line(name)}, {what}")


def _titles(progress: Progress) -> dict[str, str]:
    """Return the titles that progress holds of lessons, by their keys."""
    return {each.lesson: each.title for each in (*progress.slips, *progress.asked) if each.title}


def _impossible_in(key: str, entry: LessonProgress, last_day: date) -> str:
    """Return what in the entry of a lesson can't be, or ""."""
    counts, steps, asks = f"{entry.right} right of {entry.asked}", len(entry.states), entry.asked
    if _version(key, entry) == "same":
        known = lesson(_course_name(key, entry))
        steps, asks = len(known.steps), sum(map(_most_asked, known.steps))
    faults = (
        (entry.right > entry.asked, counts),
        (entry.asked > asks, f"{counts}, and it asks {asks}"),
        (len(entry.states) not in (0, steps), f"{len(entry.states)} steps of {steps}"),
        (entry.asked and not entry.finished_steps, f"{counts} before the end of any step"),
        # Show me answers faster than anyone types
        (entry.seconds < entry.right, f"{counts} in {entry.seconds:.0f} s"),
        (entry.ended and not _is_day(entry.ended, last_day), f"ended on {entry.ended}"),
    )
    return next((what for wrong, what in faults if wrong), "")


def _most_asked(step: Step) -> int:
    """Return the number of questions of a step; a page asks for the hidden mistake, too."""
    return len(step.asks) * (not step.guess) + (step.kind == "hunt")


def _is_day(text: str, last_day: date) -> bool:
    """Return whether a text is a day on which a lesson can have been ended."""
    with suppress(ValueError):
        return _FIRST_DAY <= date.fromisoformat(text) <= last_day
    return False


def _course_name(key: str, entry: LessonProgress) -> str:
    """Return the name of an entry's lesson in the course, "" if it is none of it.

    A copy of a lesson has its digest, and one as key.
    """
    return key if key in names() else names_by_digest().get(entry.digest, "")


def _version(key: str, entry: LessonProgress) -> Literal["same", "other", "foreign"]:
    """Return whether an entry is of the course's lesson, of another version or file of it."""
    if name := _course_name(key, entry):
        return "same" if names_by_digest().get(entry.digest) == name else "other"
    return "foreign"


def _grade_progress(content: bytes, name: str) -> Graded:
    """Return the counts of a learner's progress, in which each slip stands once."""
    found = read_handed_in(content)
    lessons = found.progress.lessons
    states = Counter(entry.state for entry in lessons.values())
    versions = [_version(key, entry) for key, entry in lessons.items()]
    others = [key for key, version in zip(lessons, versions, strict=True) if version == "other"]
    titles = _titles(found.progress)
    foreign = [
        titles.get(key)
        for key, version in zip(lessons, versions, strict=True)
        if version == "foreign"
    ]
    remarks: list[str] = []
    if others:
        remarks.append(f"another version of this lesson: {', '.join(others)}")
    if foreign:
        one, many = "{count} lesson of another file", "{count} lessons of other files"
        said = counted(len(foreign), one, many)
        named = ", ".join(one_line(title) for title in foreign if title)
        remarks.append(f"{said}: {named}" if named else said)
    cells: dict[str, Cell] = {
        "student": one_line(found.student).strip(),
        "lessons done": states["done"],
        "shown": states["shown"],
        "begun": states["begun"],
        "last": max((entry.ended for entry in lessons.values()), default=""),
        "minutes": round(sum(entry.seconds for entry in lessons.values()) / 60.0),
        "answered": sum(entry.asked for entry in lessons.values()),
        "right first time": sum(entry.right for entry in lessons.values()),
    }
    names = dict.fromkeys(slip.name for slip in found.progress.slips if slip.name)
    slips = [(one_line(each), 1) for each in names]
    notes, student = tuple(_impossible(found, content)), _name_key(found.student)
    entries = set[Hashable]({content.strip()} if found.progress != Progress() else ())
    if not notes:
        entries |= {(student, *item) for item in lessons.items() if item[1].asked}
    graded = Graded(LEARNER_HEADINGS, name, cells, slips, notes, remarks, None, frozenset(entries))
    return replace(graded, left_out="that can't be") if notes else graded
