"""Records: what a learner was asked in one run, what they answered, and what that gives away.

A record holds no right answers: `regraded` computes every verdict again. It is a report, not a
lock: who can edit the file can write what they like into it.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from engine.errors import EngineError
from engine.graph import Graph
from engine.numbers import DIGITS_SHOWN, Digits
from engine.rules import BY_NAME as RULES
from engine.rules import Rules
from engine.study.firing import NEXT_SLIPS
from engine.study.grading import Verdict, VerdictKind, grade
from engine.study.question import LEVELS, MOST_STEPS, Question, asked, is_about
from engine.study.slips import BY_NAME, SLIPS, Slip
from engine.trace import Trace, run_to_step

RIGHT: Final = ("right", "rounded")
"""The verdicts of answers that count as right."""
SLIP_NAMED: Final[Mapping[str, Slip]] = {
    **BY_NAME,
    **{slip.name: slip for slip in NEXT_SLIPS},
}
"""Every slip that a record can name."""
MOST_WORK: Final = 50_000
"""Nodes computed, over all passes at other values, for one record."""


class Try(msgspec.Struct, frozen=True, gc=False):
    """One answer as it was typed, how it was judged, and the names of the slips it gives away."""

    text: str
    verdict: VerdictKind
    slips: tuple[str, ...] = ()
    answer: int = 0
    """Which Answer at its step this was, from 1: all blanks of one Answer are judged together. 0 if
    it was judged alone."""


class Attempt(msgspec.Struct, frozen=True, gc=False):
    """One question: what was typed, try by try, and which help was taken.

    `hints` counts those taken before the last try, and `shown` says that the answer was looked up.
    `seen` says that it stood on the screen before the question was first answered. `seconds` is the
    time since the question was put, `digits` how numbers were written then.
    """

    question: Question
    tries: tuple[Try, ...] = ()
    hints: int = 0
    shown: bool = False
    seen: bool = False
    seconds: float = 0.0
    values: Mapping[int, float] = {}
    """Values of the leaves that have been changed since the run began, by node id."""
    digits: Digits = DIGITS_SHOWN

    @property
    def text(self) -> str:
        """The last try as it was typed, or ""."""
        return self.tries[-1].text if self.tries else ""

    @property
    def verdict(self) -> VerdictKind:
        """How the last try was judged; `unread` without one."""
        return self.tries[-1].verdict if self.tries else "unread"

    @property
    def slips(self) -> tuple[str, ...]:
        """The names of the slips that the tries give away, the first try's first."""
        return tuple(dict.fromkeys(name for each in self.tries for name in each.slips))

    @property
    def right(self) -> bool:
        """Whether it came out right in the end, and was not looked up."""
        return self.verdict in RIGHT and not self.shown

    @property
    def right_first(self) -> bool:
        """Whether the first try was right, without any help and without having been seen."""
        return self.right and self.alone and not self.seen

    @property
    def alone(self) -> bool:
        """Whether there was one try at most, and no hint."""
        return len(self.tries) < 2 and not self.hints

    @property
    def answered(self) -> bool:
        """Whether a number was typed."""
        return any(each.verdict != "unread" for each in self.tries)

    @property
    def skipped(self) -> bool:
        """Whether the question was passed over: neither answered nor looked up."""
        return not self.answered and not self.shown


class Record(msgspec.Struct, frozen=True):
    """One run of questions about a graph: the mode and level, the mistake that is on, the answers.

    `seed` is that of the friendly numbers, None if the author's are asked; `changed` says that
    values were edited during the run. `last` limits what is asked to that many steps at the end of
    the pass.
    """

    mode: str
    level: str
    rules: str = "correct"
    seed: int | None = None
    changed: bool = False
    attempts: tuple[Attempt, ...] = ()
    last: int | None = None
    meet: bool = False
    """Whether only steps at which paths meet are asked about."""

    def with_attempt(self, attempt: Attempt) -> "Record":
        """Return the record with one more answer."""
        return msgspec.structs.replace(self, attempts=(*self.attempts, attempt))


class Pattern(Struct, frozen=True):
    """A slip that explains several answers of a run, and the steps at which it was made."""

    slip: Slip
    steps: tuple[int, ...]


class Summary(Struct, frozen=True):
    """What a run comes to: questions answered or looked up, and slips by count.

    `answered` are those in which a number was typed, `right_first` and `seen` some of these,
    `shown` the times that an answer was looked up.
    """

    asked: int
    answered: int
    right_first: int
    seen: int
    shown: int
    slips: tuple[tuple[Slip, int], ...]


def is_clean(attempts: Sequence[Attempt], wanted: Collection[Question]) -> bool:
    """Return whether all these questions were asked, and each was right first time."""
    told = {attempt.question for attempt in attempts}
    return told.issuperset(wanted) and all(attempt.right_first for attempt in attempts)


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
        if not attempt.skipped:
            first.setdefault(attempt.question, attempt)
    told = pattern(record)
    likeliest = Counter(_likeliest(attempt, told) for attempt in record.attempts if attempt.slips)
    return Summary(
        asked=len(first),
        answered=sum(attempt.answered for attempt in first.values()),
        right_first=sum(attempt.right_first for attempt in first.values()),
        seen=sum(attempt.seen and attempt.answered for attempt in first.values()),
        shown=sum(attempt.shown for attempt in record.attempts),
        slips=tuple((SLIP_NAMED[name], count) for name, count in likeliest.most_common()),
    )


def _likeliest(attempt: Attempt, told: Pattern | None) -> str:
    if told is not None and told.slip.name in attempt.slips:
        return told.slip.name
    return attempt.slips[0]


def there_were(record: Record, graph: Graph) -> int:
    """Return how many questions there were in the passes of which one was put.

    In a forward pass these are the values, in a backward pass what the level asks of its steps.
    Raises EngineError for a graph that can't be run.
    """
    trace = _passed(graph, RULES[record.rules])
    put = {attempt.question for attempt in record.attempts}
    forward = any(question.kind == "value" for question in put)
    if forward:
        put.update(Question("value", step.node) for step in run_to_step(graph, "forward").computed)
    if not forward or any(question.kind != "value" for question in put):
        put.update(asked(trace, LEVELS[record.level], record.last))
    return len(put)


def regraded(
    record: Record, graph: Graph, done: Callable[[int], None] = lambda count: None
) -> list[tuple[Attempt, tuple[Verdict, ...]]]:
    """Judge every try of a record again; `done` is told how many answers are judged.

    Raises EngineError for a strange graph, and for more passes than anybody runs.
    """
    found: dict[int, tuple[Attempt, tuple[Verdict, ...]]] = {}
    trace = None
    for places in _with_equal_values(record, graph):
        for place in places:
            attempt = record.attempts[place]
            if place == places[0]:
                now = graph.with_values(attempt.values)
                trace = _passed(now, RULES[record.rules])
            assert trace is not None
            if not is_about(attempt.question, trace):
                raise EngineError(
                    "Answer {place} is about something that the graph has not.", place=place + 1
                )
            texts = [each.text for each in attempt.tries]
            verdicts = [grade(attempt.question, trace, text, attempt.digits) for text in texts]
            found[place] = attempt, tuple(verdicts)
            done(len(found))
    return [found[place] for place in range(len(record.attempts))]


def judged(
    record: Record, graph: Graph, done: Callable[[int], None] = lambda count: None
) -> Record:
    """Return the record with all verdicts and slips as they are judged now."""
    again = regraded(record, graph, done)
    attempts = tuple(
        msgspec.structs.replace(
            attempt,
            tries=tuple(
                Try(each.text, now.kind, tuple(slip.name for slip in now.slips))
                for each, now in zip(attempt.tries, verdicts, strict=True)
            ),
        )
        for attempt, verdicts in again
    )
    return msgspec.structs.replace(record, attempts=attempts)


def _with_equal_values(record: Record, graph: Graph) -> Collection[Sequence[int]]:
    """Return the places of the attempts, those of one pass together; each pass is run once."""
    passes: dict[tuple[tuple[int, str], ...], list[int]] = {}
    for place, attempt in enumerate(record.attempts):
        values = tuple((node, value.hex()) for node, value in sorted(attempt.values.items()))
        passes.setdefault(values, []).append(place)
        if len(passes) * len(graph.nodes) > MOST_WORK and len(passes) > 1:
            raise EngineError(
                "Answer {place}: the values were changed {times:,} times, too often for"
                " {nodes:,} nodes.",
                place=place + 1,
                times=len(passes) - 1,
                nodes=len(graph.nodes),
            )
    return passes.values()


def _passed(graph: Graph, rules: Rules) -> Trace:
    """Return the backward pass; raises EngineError if none of its length is asked in."""
    trace = run_to_step(graph, "backward", rules)
    if len(trace) > MOST_STEPS:
        raise EngineError(
            "Passes of up to {limit:,} steps are asked about, not of {steps:,}.",
            limit=MOST_STEPS,
            steps=len(trace),
        )
    return trace
