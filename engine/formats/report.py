"""Reports: what a learner was asked in one run and answered, as JSON, to be handed in.

A report holds the graph as it was when the run began, as the native text, and the record. It is a
report, not a lock: who can edit the file can write what they like into it. So `backwire grade`
believes no verdict and judges every answer again.
"""

from collections.abc import Iterator
from typing import Final, Literal

import msgspec
from msgspec import Struct

from engine.errors import EngineError, FormatError
from engine.formats import native, strict_json
from engine.formats.native_schema import JsonNumber
from engine.graph import Constant, Graph, Leaf
from engine.rules import BY_NAME as RULES
from engine.schedule import NOBODY
from engine.study.answers import LONGEST
from engine.study.grading import VerdictKind
from engine.study.question import LEVELS, Kind, Question
from engine.study.record import Attempt, Record
from engine.study.slips import BY_NAME as SLIPS

NAME: Final = "backwire report"
VERSION: Final = 1
SUFFIX: Final = ".report.json"
ATTEMPT_LIMIT: Final = 10_000
"""Answers in a report; a long run has some hundreds."""
NODE_LIMIT: Final = 5_000
"""Nodes of the graph of a report: questions are asked in passes of up to 2,000 steps."""
_NOTE: Final = "A report, not a lock: anybody can edit this file. Verdicts are judged again."
_MODES: Final = ("cover", "predict")


class Report(Struct, frozen=True):
    """A record and the graph with which its run began."""

    graph: Graph
    record: Record


class _Entry(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """One answer, with its question: `slot` and `step` only where the question has them."""

    kind: Kind
    node: int
    text: str
    verdict: VerdictKind
    slot: int | None = None
    step: int = 0
    slips: list[str] = []
    hints: int = 0
    shown: bool = False
    seconds: float = 0.0
    values: dict[int, JsonNumber] = {}


class _File(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A whole report."""

    format: Literal["backwire report"]
    version: int
    graph: str
    mode: str
    level: str
    note: str = ""
    rules: str = "correct"
    seed: int | None = None
    changed: bool = False
    attempts: list[_Entry] = []


def write(report: Report) -> str:
    """Return the text of a report, with one answer per line."""
    record = report.record
    file = _File(
        format=NAME,
        version=VERSION,
        note=_NOTE,
        graph=native.write(report.graph),
        mode=record.mode,
        level=record.level,
        rules=record.rules,
        seed=record.seed,
        changed=record.changed,
        attempts=[_entry(attempt) for attempt in record.attempts],
    )
    return native.text_of(msgspec.to_builtins(file, str_keys=True), ("attempts",))


def read(text: str | bytes) -> Report:
    """Return the report in a text; raises FormatError with the place of the first error."""
    content = strict_json.checked(text)
    strict_json.check_head(content, NAME, VERSION, "Backwire report")
    file = strict_json.decode(content, _File, "Backwire report")
    strict_json.check_keys(content)
    for what, found, known in (
        ("mode", file.mode, _MODES),
        ("level", file.level, LEVELS),
        ("mistake", file.rules, RULES),
    ):
        if found not in known:
            raise FormatError('The report: there is no {what} "{name}".', what=what, name=found)
    if len(file.attempts) > ATTEMPT_LIMIT:
        raise FormatError(
            "A report holds up to {limit:,} answers, not {number:,}.",
            limit=ATTEMPT_LIMIT,
            number=len(file.attempts),
        )
    graph = _graph(file.graph)
    attempts = [_attempt(entry, graph, k) for k, entry in enumerate(file.attempts, 1)]
    record = Record(
        file.mode, file.level, file.rules, file.seed, file.changed, attempts=tuple(attempts)
    )
    return Report(graph, record)


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
    """Return an answer; its question may still be about a step that the pass has not."""
    for reason in _faults(entry, graph):
        raise FormatError("Answer {place}: {reason}", place=place, reason=reason)
    slot = NOBODY if entry.slot is None else entry.slot
    return Attempt(
        Question(entry.kind, entry.node, slot, entry.step),
        entry.text,
        entry.verdict,
        tuple(entry.slips),
        entry.hints,
        entry.shown,
        entry.seconds,
        {node: float(value) for node, value in entry.values.items()},
    )


def _faults(entry: _Entry, graph: Graph) -> Iterator[str]:
    """Yield what is wrong with an answer."""
    if entry.node not in graph.nodes:
        yield f"the graph has no node {entry.node}."
    elif entry.slot is not None and not 0 <= entry.slot < len(graph.inputs(entry.node)):
        yield f"node {entry.node} has no slot {entry.slot}."
    if len(entry.text) > LONGEST:
        yield f"an answer has at most {LONGEST} characters."
    if entry.seconds < 0 or entry.hints < 0:
        yield "seconds and hints are no less than 0."
    if not SLIPS.keys() >= set(entry.slips):
        yield "it names a slip that there is not."
    for node in entry.values:
        if not isinstance(graph.nodes.get(node), Leaf | Constant):
            yield f"node {node} holds no number of its own."


def _entry(attempt: Attempt) -> _Entry:
    question = attempt.question
    return _Entry(
        kind=question.kind,
        node=question.node,
        slot=None if question.wire is None else question.slot,
        step=question.step,
        text=attempt.text,
        verdict=attempt.verdict,
        slips=list(attempt.slips),
        hints=attempt.hints,
        shown=attempt.shown,
        seconds=round(attempt.seconds, 1),
        values={leaf: native.spelled(x) for leaf, x in attempt.values.items()},
    )
