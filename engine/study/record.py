"""Records: what a learner was asked in one run, what they answered, and what that gives away.

A record holds no right answers: `regraded` computes every verdict again. It is a report, not a
lock: who can edit the file can write what they like into it.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import msgspec
from msgspec import Struct

from engine.errors import EngineError
from engine.graph import Graph
from engine.rules import BY_NAME as RULES
from engine.rules import Rules
from engine.study.grading import Verdict, VerdictKind, grade
from engine.study.question import MOST_STEPS, Question, is_about
from engine.study.slips import BY_NAME, SLIPS, Slip
from engine.trace import Trace, run_to_step


class Attempt(msgspec.Struct, frozen=True, gc=False):
    """One answer: the question, what was written, and how it was judged.

    `slips` are the names of the slips that give the number. `hints` counts those taken before, and
    `shown` says that the answer was looked up. `seconds` is the time since the question was put.
    """

    question: Question
    text: str
    verdict: VerdictKind
    slips: tuple[str, ...] = ()
    hints: int = 0
    shown: bool = False
    seconds: float = 0.0
    values: Mapping[int, float] = {}
    """Values of the leaves that have been changed since the run began, by node id."""

    @property
    def right(self) -> bool:
        """Whether it counts as right."""
        return self.verdict in ("right", "rounded") and not self.shown

    @property
    def skipped(self) -> bool:
        """Whether the question was passed over: neither answered nor looked up."""
        return self.verdict == "unread" and not self.shown


class Record(msgspec.Struct, frozen=True):
    """One run of questions about a graph: the mode and level, the mistake that is on, the answers.

    `seed` is that of the friendly numbers, None if the author's are asked; `changed` says that
    values were edited during the run.
    """

    mode: str
    level: str
    rules: str = "correct"
    seed: int | None = None
    changed: bool = False
    attempts: tuple[Attempt, ...] = ()

    def with_attempt(self, attempt: Attempt) -> "Record":
        """Return the record with one more answer."""
        return msgspec.structs.replace(self, attempts=(*self.attempts, attempt))


class Pattern(Struct, frozen=True):
    """A slip that explains several answers of a run, and the steps at which it was made."""

    slip: Slip
    steps: tuple[int, ...]


class Summary(Struct, frozen=True):
    """What a run comes to: questions answered or looked up, right first time, slips by count."""

    asked: int
    right_first: int
    shown: int
    slips: tuple[tuple[Slip, int], ...]


def is_clean(attempts: Sequence[Attempt], wanted: Collection[Question]) -> bool:
    """Return whether all these questions were asked, and each was right without any help."""
    told = {attempt.question for attempt in attempts}
    return told.issuperset(wanted) and all(a.right and not a.hints for a in attempts)


def pattern(record: Record) -> Pattern | None:
    """Return the slip that explains most wrong answers, if it explains at least two questions."""
    steps: dict[str, dict[Question, int]] = {}
    for attempt in record.attempts:
        for name in attempt.slips:
            steps.setdefault(name, {})[attempt.question] = attempt.question.step
    found = [(slip, steps[slip.name]) for slip in SLIPS if len(steps.get(slip.name, ())) > 1]
    if not found:
        return None
    slip, at = max(found, key=lambda pair: len(pair[1]))
    return Pattern(slip, tuple(sorted(set(at.values()))))


def summary(record: Record) -> Summary:
    """Return what a run comes to; of several slips that give one number the likeliest counts."""
    first: dict[Question, Attempt] = {}
    for attempt in record.attempts:
        if attempt.verdict != "unread" or attempt.shown:
            first.setdefault(attempt.question, attempt)
    told = pattern(record)
    likeliest = Counter(_likeliest(attempt, told) for attempt in record.attempts if attempt.slips)
    return Summary(
        asked=len(first),
        right_first=sum(attempt.right and not attempt.hints for attempt in first.values()),
        shown=sum(attempt.shown for attempt in record.attempts),
        slips=tuple((BY_NAME[name], count) for name, count in likeliest.most_common()),
    )


def _likeliest(attempt: Attempt, told: Pattern | None) -> str:
    if told is not None and told.slip.name in attempt.slips:
        return told.slip.name
    return attempt.slips[0]


def regraded(record: Record, graph: Graph) -> list[tuple[Attempt, Verdict]]:
    """Judge every answer of a record again; raises EngineError for a strange graph."""
    found: list[tuple[Attempt, Verdict]] = []
    trace, values = None, None
    for place, attempt in enumerate(record.attempts, 1):
        if trace is None or attempt.values != values:
            values = attempt.values
            trace = _passed(graph, values, RULES[record.rules])
        if not is_about(attempt.question, trace):
            raise EngineError(
                "Answer {place} is about something that the graph has not.", place=place
            )
        found.append((attempt, grade(attempt.question, trace, attempt.text)))
    return found


def judged(record: Record, graph: Graph) -> Record:
    """Return the record with all verdicts and slips as they are judged now."""
    return msgspec.structs.replace(
        record,
        attempts=tuple(
            msgspec.structs.replace(
                attempt, verdict=verdict.kind, slips=tuple(slip.name for slip in verdict.slips)
            )
            for attempt, verdict in regraded(record, graph)
        ),
    )


def _passed(graph: Graph, values: Mapping[int, float], rules: Rules) -> Trace:
    """Return the pass at other values of some leaves; raises EngineError if none was asked in."""
    trace = run_to_step(graph.with_values(values), "backward", rules)
    if len(trace) > MOST_STEPS:
        raise EngineError(
            "Passes of up to {limit:,} steps are asked about, not of {steps:,}.",
            limit=MOST_STEPS,
            steps=len(trace),
        )
    return trace
