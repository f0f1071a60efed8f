"""Report files: the questions and answers of one quiz run, as JSON, to be handed in.

A report holds the student, the graph at the start of the run as native text, and the record. The
file is not tamper-proof, so `backwire grade` trusts no verdict and judges every try again.

Version 3 adds the text of a task and the day, version 4 the numbers of sets at which Three more
asked; a report without is written as an older one.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal

import msgspec
from msgspec import Struct

from engine.asking.judging import ANSWER_LIMIT, VerdictKind
from engine.asking.question import LEVELS, TASK_LIMIT, Kind, Question
from engine.asking.record import Attempt, Record, Try, askable_steps, clicked_node
from engine.errors import EngineError, FormatError
from engine.formats import native, strict_json
from engine.formats.native import JsonNumber
from engine.graph import Constant, Graph, Leaf
from engine.numbers import DIGITS_SHOWN, Digits
from engine.rules import BY_NAME as RULES
from engine.schedule import NO_SLOT

NAME: Final = "backwire report"
VERSION: Final = 4
SUFFIX: Final = ".report.json"
ATTEMPT_LIMIT: Final = 10_000
"""Maximum number of tries of all questions; a long run has some hundreds."""
NODE_LIMIT: Final = 5_000
"""Nodes of the graph of a report: questions are asked in passes of up to 2,000 steps."""
TEXT_LIMIT: Final = 200
"""Characters of a student's name and of a title."""
DIGITS_LIMIT: Final = 17
"""Significant digits that tell any two floats apart."""
NOTE: Final = "A report, not a lock: anybody can edit this file. Verdicts are judged again."
_MODES: Final = ("cover", "predict")


class Report(Struct, frozen=True):
    """A record and the graph with which its run began; who answered, and the graph's title.

    Student and title are "" where they are not known. `version` is that of the file it was read
    from, or the least that is written; `steps` is the count of askable steps that the file has,
    None for a report not from a file.
    `task` is the text of the exercise that the graph was, "" where it was none; `date` the day on
    which it was saved, as 2026-03-01.
    """

    graph: Graph
    record: Record
    student: str = ""
    title: str = ""
    version: int = 2
    steps: int | None = None
    task: str = ""
    date: str = ""


class _Try(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """One try, as `engine.asking.record.Try`, without the slips, which follow from the text."""

    text: str
    verdict: VerdictKind
    answer: int = 0
    digits: Digits = DIGITS_SHOWN


class _Entry(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """One question with its tries; `slot` and `step` only where it has them.

    `seen`: the answer was on the screen before; `set` is `drawn` of
    `engine.asking.record.Attempt`, as are the other fields.
    """

    kind: Kind
    node: int
    slot: int | None = None
    step: int = 0
    hints: int = 0
    shown: bool = False
    seconds: float = 0.0
    values: dict[int, JsonNumber] = {}
    tries: list[_Try] = []
    seen: bool = False
    round: int = 0
    drawn: int = msgspec.field(default=0, name="set")


class _File(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A report: `graph` is the text of a graph file, `steps` counts the steps to be asked about.

    The fields from `mode` to `changed` are those of `Record`; `rules` is the name of the mistake.
    `last` limits the steps to that many at the end of the pass, `meet` to those that bring a node
    its second or a later contribution.
    """

    format: Literal["backwire report"]
    version: int
    note: str = ""
    graph: str
    mode: str
    level: str
    rules: str = "correct"
    seed: int | None = None
    changed: bool = False
    student: str = ""
    title: str = ""
    task: str = ""
    date: str = ""
    last: int | None = None
    meet: bool = False
    steps: int
    attempts: list[_Entry] = []


def write(report: Report) -> str:
    """Return the text of a report, with one question per line.

    Raises EngineError for a graph that can't be run.
    """
    record = report.record
    file = _File(
        format=NAME,
        version=max(report.version, _version_needed(report)),
        note=NOTE,
        student=report.student,
        title=report.title,
        task=report.task,
        date=report.date,
        graph=native.write(report.graph),
        mode=record.mode,
        level=record.level,
        rules=record.rules,
        seed=record.seed,
        changed=record.changed,
        last=record.last,
        meet=record.meet,
        steps=askable_steps(record, report.graph),
        attempts=[_entry(attempt) for attempt in record.attempts],
    )
    return native.json_text(msgspec.to_builtins(file, str_keys=True), ("attempts",))


def _version_needed(report: Report) -> int:
    if any(attempt.drawn for attempt in report.record.attempts):
        return VERSION
    return 3 if report.task or report.date else 2


def read(text: str | bytes) -> Report:
    """Return the report in a text; raises FormatError with the place of the first error."""
    content = strict_json.valid_utf8(text)
    version = strict_json.check_head(content, NAME, VERSION, "Backwire report")
    if version == 1:
        raise FormatError("A report of version 1 is no longer read; save the record again.")
    file = strict_json.decode(content, _File, "Backwire report")
    _check_count(sum(len(entry.tries) for entry in file.attempts))
    _check_count(len(file.attempts))
    strict_json.check_no_duplicate_keys(content)
    _check_names(file)
    graph = _graph(file.graph)
    attempts = tuple(_attempt(entry, graph, k) for k, entry in enumerate(file.attempts, 1))
    _check_rounds(attempts)
    _check_sets(attempts, version)
    record = Record(
        mode=file.mode,
        level=file.level,
        rules=file.rules,
        seed=file.seed,
        changed=file.changed,
        attempts=attempts,
        last=file.last,
        meet=file.meet,
    )
    return Report(
        graph,
        record,
        student=file.student,
        title=file.title,
        version=version,
        steps=file.steps,
        task=file.task,
        date=file.date,
    )


def _check_rounds(attempts: Sequence[Attempt]) -> None:
    """Check that nothing is asked twice in one round at the same numbers."""
    asked: set[tuple[Question, int, int]] = set()
    for place, attempt in enumerate(attempts, 1):
        key = attempt.question, attempt.round, attempt.drawn
        if key in asked:
            raise FormatError("Answer {place}: it stands twice in one round.", place=place)
        asked.add(key)


def _check_sets(attempts: Sequence[Attempt], version: int) -> None:
    """Check that sets have numbers, each the same ones, and that an older report has none."""
    sets: dict[int, Mapping[int, float]] = {}
    for place, attempt in enumerate(attempts, 1):
        if not attempt.drawn:
            continue
        if version < VERSION:
            raise FormatError("A report of version {version} has no sets.", version=version)
        if not attempt.values or sets.setdefault(attempt.drawn, attempt.values) != attempt.values:
            reason = "has other numbers than before" if attempt.values else "has no numbers"
            raise FormatError(
                "Answer {place}: set {number} {reason}.",
                place=place,
                number=attempt.drawn,
                reason=reason,
            )


def _check_count(number: int) -> None:
    if number > ATTEMPT_LIMIT:
        raise FormatError(
            "A report holds up to {limit:,} answers, not {number:,}.",
            limit=ATTEMPT_LIMIT,
            number=number,
        )


def _check_names(file: _File) -> None:
    """Check mode, level and mistake, the texts, and which steps are asked."""
    for what, found, known in (
        ("mode", file.mode, _MODES),
        ("level", file.level, LEVELS),
        ("mistake", file.rules, RULES),
    ):
        if found not in known:
            raise FormatError('The report: there is no {what} "{name}".', what=what, name=found)
    _check_texts(file)
    if file.steps < 0 or (file.last is not None and file.last < 1):
        raise FormatError("The report: steps are no fewer than 0, last ones than 1.")
    if file.meet and file.last is not None:
        raise FormatError("The report: the last steps are asked or those where paths meet.")


def _check_texts(file: _File) -> None:
    """Check the lengths of student, title and task, and that version 2 has no task."""
    for what, text, limit in (
        ("student's name", file.student, TEXT_LIMIT),
        ("title", file.title, TEXT_LIMIT),
        ("task", file.task, TASK_LIMIT),
        ("date", file.date, TEXT_LIMIT),
    ):
        if len(text) > limit:
            raise FormatError(
                "The report: the {what} has at most {limit} characters.", what=what, limit=limit
            )
    if file.task and file.version == 2:
        raise FormatError("A report of version 2 has no task.")


def _graph(text: str) -> Graph:
    try:
        graph = native.read(text)
    except EngineError as error:
        raise FormatError("The graph of the report: {reason}", reason=error) from None
    if len(graph.nodes) > NODE_LIMIT:
        raise FormatError(
            "The graph of a report has up to {limit:,} nodes, not {number:,}.",
            limit=NODE_LIMIT,
            number=len(graph.nodes),
        )
    return graph


def _attempt(entry: _Entry, graph: Graph, place: int) -> Attempt:
    """Build an attempt; its step may be beyond the end of the pass."""
    for reason in _faults(entry, graph):
        raise FormatError("Answer {place}: {reason}", place=place, reason=reason)
    slot = NO_SLOT if entry.slot is None else entry.slot
    return Attempt(
        Question(entry.kind, entry.node, slot, entry.step),
        tries=tuple(Try(t.text, t.verdict, answer=t.answer, digits=t.digits) for t in entry.tries),
        hints=entry.hints,
        shown=entry.shown,
        seen=entry.seen,
        seconds=entry.seconds,
        values={node: float(value) for node, value in entry.values.items()},
        round=entry.round,
        drawn=entry.drawn,
    )


def _faults(entry: _Entry, graph: Graph) -> Iterator[str]:
    """Yield the faults of an answer as sentences."""
    if entry.node not in graph.nodes:
        yield f"the graph has no node {entry.node}."
    elif entry.slot is not None and not 0 <= entry.slot < len(graph.inputs(entry.node)):
        yield f"node {entry.node} has no slot {entry.slot}."
    if entry.seconds < 0 or entry.hints < 0:
        yield "seconds and hints are no less than 0."
    if entry.round < 0:
        yield "rounds are no less than 0."
    if entry.drawn < 0:
        yield "sets are numbered from 1."
    yield from _faults_of_tries(entry.tries, graph if entry.kind == "next" else None)
    for node in entry.values:
        if not isinstance(graph.nodes.get(node), Leaf | Constant):
            yield f"node {node} holds no number of its own."


def _faults_of_tries(tries: Sequence[_Try], clicked: Graph | None) -> Iterator[str]:
    """Yield the faults of tries; `clicked` is the graph if the answers are clicked nodes.

    A try's `answer` is the number of the press of Answer, from 1; 0 if it was judged alone.
    """
    for each in tries:
        if len(each.text) > ANSWER_LIMIT:
            yield f"an answer has at most {ANSWER_LIMIT} characters."
        elif clicked is not None and clicked_node(each.text) not in clicked.nodes:
            yield f'the graph has no node "{each.text}".'
        if each.digits not in ("shortest", *range(1, DIGITS_LIMIT + 1)):
            yield f"numbers have 1 to {DIGITS_LIMIT} digits."
    numbers = [each.answer for each in tries if each.answer]
    if min(numbers, default=1) < 1 or numbers != sorted(set(numbers)):
        yield "the numbers of its Answers go up from 1."


def _entry(attempt: Attempt) -> _Entry:
    question = attempt.question
    return _Entry(
        kind=question.kind,
        node=question.node,
        slot=None if question.wire is None else question.slot,
        step=question.step,
        tries=[_Try(t.text, t.verdict, t.answer, t.digits) for t in attempt.tries],
        hints=attempt.hints,
        shown=attempt.shown,
        seen=attempt.seen,
        seconds=round(attempt.seconds, 1),
        values={leaf: native.json_number(x) for leaf, x in attempt.values.items()},
        round=attempt.round,
        drawn=attempt.drawn,
    )
