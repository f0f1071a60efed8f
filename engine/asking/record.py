"""Records: the questions and answers of one run, judged again, and compared with the exercise.

A record holds no right answers: `regraded` computes every verdict again. It is a report, not a
lock: anybody who can edit the file can write any answers into it.

Questions are counted, of each step in the first pass in which it was not skipped; a slope that the
sentence unfolded as help is none. Those of Three more are counted by themselves.

`differing_values` compares the graph with the one that was handed out, up to ids and labels:

>>> from engine import from_expression
>>> given = from_expression("y = a*b + a", {"a": 2, "b": 3})
>>> differing_values(given, from_expression("m = p*q; z = m + p", {"p": 2, "q": 3}))
()
>>> [given.names[leaf] for leaf in differing_values(given, given.with_values({2: 7.0}))]
['b']
>>> differing_values(given, from_expression("y = a*b + b", {"a": 2, "b": 3})) is None
True
"""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from itertools import groupby
from typing import Final

import msgspec
from msgspec import Struct

from engine.asking.beliefs import BELIEFS, Belief
from engine.asking.hand_run import NEXT_BELIEFS, click_slip
from engine.asking.judging import Filled, VerdictKind, judge, read_answer
from engine.asking.kinds import answer, is_askable
from engine.asking.question import (
    LEVELS,
    MODE_TITLES,
    MODES_WITH_BLANKS,
    MOST_FINALS,
    MOST_STEPS,
    Question,
    StepKey,
    Steps,
    Task,
    leaves_with_gradient,
    level_questions,
    step_questions,
)
from engine.errors import EngineError
from engine.graph import Constant, Graph, Leaf, OpNode, Root
from engine.numbers import DIGITS_SHOWN, Digits
from engine.rules import BY_NAME as RULES
from engine.rules import Rules
from engine.trace import Trace, run_within_limit

RIGHT: Final = ("right", "rounded")
"""The verdicts of answers that count as right."""
COMPUTED_NODES_LIMIT: Final = 50_000
"""Limit of nodes computed to judge one record again, over all passes with different values."""
UNFOLDING_RUNG: Final = 2
"""Wrong answers and hints after which the slope becomes a blank of its own."""
# the slips of typed numbers, and those of clicks on a node
_BELIEF_BY_NAME: Final = {slip.name: slip for slip in (*BELIEFS, *NEXT_BELIEFS)}
_READING_ORDER: Final = LEVELS["whole step"].kinds
"""All blanks that a step may have, from left to right."""


class Try(msgspec.Struct, frozen=True, gc=False):
    """One answer as it was typed, how it was judged, and the names of the slips it gives away.

    Of a click on a node the text is its id.
    """

    text: str
    verdict: VerdictKind
    slips: tuple[str, ...] = ()
    answer: int = 0
    """Which press of Answer at its step this was, from 1: the blanks of one press are judged
    together. 0 if it was judged alone."""
    digits: Digits = DIGITS_SHOWN
    """How numbers were written then."""
    follows: bool = False
    """Whether it was computed right from an earlier wrong blank of this answer."""


class Attempt(msgspec.Struct, frozen=True, gc=False):
    """One question: what was typed, try by try, and which help was taken.

    `hints` counts those taken before the last try, and `shown` says that the answer was looked up.
    `seen` says that it was visible before the question was first answered. `seconds` is the
    time since the question was put, `round` counts the passes of the run before this one. `drawn`
    is the number of the set of `values` at which Three more asked, from 1; 0 in a pass.
    """

    question: Question
    tries: tuple[Try, ...] = ()
    hints: int = 0
    shown: bool = False
    seen: bool = False
    seconds: float = 0.0
    values: Mapping[int, float] = {}
    """Values of the leaves that have been changed since the run began, by node id."""
    round: int = 0
    drawn: int = 0

    @property
    def sitting(self) -> Hashable:
        """What the questions have in common whose blanks are filled and judged together."""
        if self.drawn:
            return self.question, self.round, self.drawn
        return self.question.key, self.round

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
        return self.right and len(self.tries) == 1 and not self.hints and not self.seen

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
    the pass, `meet` to those that bring a node a second or later contribution.
    """

    mode: str
    level: str
    rules: str = "correct"
    seed: int | None = None
    changed: bool = False
    attempts: tuple[Attempt, ...] = ()
    last: int | None = None
    meet: bool = False


class StepResult(Struct, frozen=True):
    """The answers to the blanks of one step in one pass."""

    attempts: tuple[Attempt, ...]

    @property
    def skipped(self) -> bool:
        """Whether it was passed over: nothing answered, nothing looked up."""
        return all(attempt.skipped for attempt in self.attempts)

    @property
    def right_first(self) -> bool:
        """Whether all blanks were right at the first Answer, with no help, and none seen before."""
        return all(attempt.right_first for attempt in self.attempts)

    @property
    def questions(self) -> tuple[Attempt, ...]:
        """The attempts without that at a slope which the sentence unfolded as help.

        Only sentences that ask for a contribution but not for the upstream gradient unfold.
        """
        kinds = {attempt.question.kind for attempt in self.attempts}
        if "contribution" not in kinds or "upstream" in kinds:
            return self.attempts
        answers = 1 + max((each.answer for a in self.attempts for each in a.tries), default=0)

        def is_help(attempt: Attempt) -> bool:
            answer = attempt.tries[0].answer if attempt.tries else answers
            return attempt.question.kind == "local" and answer + attempt.hints > UNFOLDING_RUNG

        return tuple(attempt for attempt in self.attempts if not is_help(attempt))

    @property
    def seen(self) -> bool:
        """Whether one of the answers was visible before it was asked for."""
        return any(attempt.seen for attempt in self.attempts)

    @property
    def hinted(self) -> bool:
        """Whether a hint was taken."""
        return any(attempt.hints for attempt in self.attempts)

    @property
    def shown(self) -> bool:
        """Whether an answer was looked up, or shown in the end."""
        return any(attempt.shown for attempt in self.attempts)


class Summary(Struct, frozen=True):
    """The counts of a run: questions by how they were answered, and slips by frequency.

    `answered` counts those that were answered or shown; the counts up to `shown` are subsets of it.
    Of `more` questions of Three more `right_more` were right first time.
    """

    answered: int
    right_first: int
    seen: int
    hinted: int
    shown: int
    slips: tuple[tuple[Belief, int], ...]
    more: int
    right_more: int


def step_results(attempts: Sequence[Attempt]) -> dict[StepKey, StepResult]:
    """Return each step that was asked about, in the first pass in which it was not skipped."""
    passes: dict[tuple[StepKey, int], list[Attempt]] = {}
    for attempt in (each for each in attempts if not each.drawn):
        passes.setdefault((attempt.question.key, attempt.round), []).append(attempt)
    results: dict[StepKey, StepResult] = {}
    for (key, _round), of_step in passes.items():
        if key not in results or results[key].skipped:
            results[key] = StepResult(tuple(of_step))
    return results


def right_first_time(attempts: Sequence[Attempt]) -> dict[Question, bool]:
    """Return for each question that was answered or shown whether it was right first time."""
    return {attempt.question: attempt.right_first for attempt in _counted(attempts)}


def _counted(attempts: Sequence[Attempt]) -> list[Attempt]:
    """Return what counts: neither what was skipped nor what followed from a wrong number."""
    results = step_results(attempts).values()
    return [
        attempt
        for step in results
        for attempt in step.questions
        if not attempt.skipped and not (attempt.tries and attempt.tries[0].follows)
    ]


def is_clean(attempts: Sequence[Attempt], wanted: Collection[Question]) -> bool:
    """Return whether all these questions were answered, and each was right first time."""
    answered = {attempt.question for attempt in attempts if not attempt.skipped}
    return answered.issuperset(wanted) and all(right_first_time(attempts).values())


def slips_made(attempts: Sequence[Attempt]) -> tuple[tuple[Belief, int], ...]:
    """Return the slips and how often each was made, the commonest first.

    Of several slips that give one number that counts which explains most answers of the run.
    """
    explained = Counter(name for attempt in attempts for name in attempt.slips)
    rank = {name: (explained[name], -k) for k, name in enumerate(_BELIEF_BY_NAME)}
    made = Counter(max(each.slips, key=rank.__getitem__) for each in attempts if each.slips)
    return tuple((_BELIEF_BY_NAME[name], count) for name, count in made.most_common())


def summary(record: Record) -> Summary:
    """Return the counts of a run."""
    counted = _counted(record.attempts)
    more = [each for each in record.attempts if each.drawn and not each.skipped]
    return Summary(
        answered=len(counted),
        right_first=sum(attempt.right_first for attempt in counted),
        seen=sum(attempt.seen for attempt in counted),
        hinted=sum(bool(attempt.hints) for attempt in counted),
        shown=sum(attempt.shown for attempt in counted),
        slips=slips_made(record.attempts),
        more=len(more),
        right_more=sum(attempt.right_first for attempt in more),
    )


def askable_steps(record: Record, graph: Graph) -> int:
    """Return of how many steps the `askable_questions` are; those without a step count each."""
    return len({question.key for question in askable_questions(record, graph)})


def askable_questions(record: Record, graph: Graph) -> set[Question]:
    """Return what could have been asked in the passes that were asked about.

    In a forward pass these are the values, in a backward pass those that were chosen and have a
    blank at the level. Final gradients of many leaves are asked for as they are selected, so only
    those that were put count. Raises EngineError for a graph that can't be run.
    """
    trace, level = _backward_pass(graph, RULES[record.rules]), LEVELS[record.level]
    results = step_results(record.attempts).values()
    found = {attempt.question for step in results for attempt in step.questions}
    forward = any(attempt.question.kind == "value" for attempt in record.attempts)
    if forward:
        computed = run_within_limit(graph, "forward").computed
        found.update(Question("value", step.node) for step in computed)
    if forward and all(attempt.question.kind == "value" for attempt in record.attempts):
        return found
    if not level.before_pass:
        found.update(level_questions(trace, level, record.last, meet=record.meet))
    elif len(leaves := leaves_with_gradient(graph, trace.root)) <= MOST_FINALS:
        found.update(Question("final", leaf) for leaf in leaves)
    return found


def regraded(
    record: Record, graph: Graph, done: Callable[[int], None] = lambda count: None
) -> Record:
    """Return the record with every try judged again; `done` receives the number judged so far.

    Raises EngineError for a graph without a node asked about, and for more passes than are run.
    """
    regraded_attempts: dict[int, Attempt] = {}
    for indices in _indices_by_values(record, graph):
        graph_then = graph.with_values(record.attempts[indices[0]].values)
        trace = _backward_pass(graph_then, RULES[record.rules])
        sittings: dict[Hashable, list[int]] = {}
        for index in indices:
            attempt = record.attempts[index]
            if not is_askable(attempt.question, trace):
                raise EngineError(
                    "Answer {place} is about something that the graph has not.", place=index + 1
                )
            sittings.setdefault(attempt.sitting, []).append(index)
        for indices_of_step in sittings.values():
            given = [record.attempts[index] for index in indices_of_step]
            known = _answers_before(given[0].question, trace, record) if given[0].drawn else []
            regraded_step = _regraded_step(given, trace, known)
            for index, attempt in zip(indices_of_step, regraded_step, strict=True):
                regraded_attempts[index] = attempt
                done(len(regraded_attempts))
    attempts = tuple(regraded_attempts[index] for index in range(len(record.attempts)))
    return msgspec.structs.replace(record, attempts=attempts)


def missing_answers(record: Record) -> list[tuple[int, int]]:
    """Return the Answers that a record lacks before its last at a step: (step, number of Answer).

    The Answers of a step are numbered from 1; what was judged alone has the number 0.
    """
    given: dict[tuple[int, Hashable], set[int]] = {}
    for attempt in record.attempts:
        numbers = given.setdefault((attempt.question.step, attempt.sitting), {0})
        numbers.update(each.answer for each in attempt.tries)
    return [
        (step, number)
        for (step, _sitting), numbers in given.items()
        for number in range(max(numbers))
        if step and number not in numbers
    ]


def _answers_before(question: Question, trace: Trace, record: Record) -> list[Filled]:
    """Return the answers that stand in the sentence before the blank of a question, if any do."""
    if question.wire is None:
        return []
    asked = step_questions(trace, question.step, LEVELS[record.level].kinds)
    return [
        (each, answer(each, trace))
        for each in asked
        if each.wire is not None and _reading_index(each) < _reading_index(question)
    ]


def _regraded_step(
    attempts: Sequence[Attempt], trace: Trace, known: Sequence[Filled] = ()
) -> list[Attempt]:
    """Judge all tries about one step of one pass again, Answer by Answer in their order.

    `known` are blanks of the step that show their answers.
    """
    by_answer = [  # number of the Answer, index of the attempt, index of the try
        (each.answer, k, n) for k, a in enumerate(attempts) for n, each in enumerate(a.tries)
    ]
    judged: dict[tuple[int, int], Try] = {}
    accepted: list[Filled] = [*known]
    for answer_number, places in groupby(sorted(by_answer), key=lambda found: found[0]):
        blanks = [(k, n) for _answer, k, n in places]
        # blanks with the number 0, of reports without such numbers, were judged each alone: neither
        # together with others nor from numbers accepted before
        for blanks_together in [blanks] if answer_number else [[blank] for blank in blanks]:
            filled = [(attempts[k].question, attempts[k].tries[n]) for k, n in blanks_together]
            again = _regraded_answer(filled, trace, accepted)
            judged.update(zip(blanks_together, again, strict=True))
            if answer_number:
                right = zip(filled, again, strict=True)
                accepted += [(question, t.text) for (question, _), t in right if t.verdict in RIGHT]
    return [
        msgspec.structs.replace(
            attempt, tries=tuple(judged[k, n] for n in range(len(attempt.tries)))
        )
        for k, attempt in enumerate(attempts)
    ]


def _regraded_answer(
    filled: Sequence[tuple[Question, Try]], trace: Trace, accepted: Sequence[Filled]
) -> list[Try]:
    """Judge the tries of one Answer again, in the reading order of their blanks."""
    verdicts: dict[int, tuple[VerdictKind, tuple[Belief, ...]]] = {}
    numbers, following = list[int](), set[int]()
    for k, (question, each) in enumerate(filled):
        if question.kind == "next":
            verdicts[k] = _click_verdict(question, trace, each.text)
        elif read_answer(each.text).number is None:
            verdicts[k] = "unread", ()
        else:
            numbers.append(k)
    numbers.sort(key=lambda k: _reading_index(filled[k][0]))
    blanks = [(filled[k][0], filled[k][1].text) for k in numbers]
    judged = judge(trace, blanks, filled[0][1].digits, accepted)
    for k, found in zip(numbers, judged, strict=True):
        verdicts[k] = found.verdict, found.slips
        following |= {k} if found.kind == "follows" else set()
    return [
        msgspec.structs.replace(
            each,
            verdict=verdicts[k][0],
            slips=tuple(slip.name for slip in verdicts[k][1]),
            follows=k in following,
        )
        for k, (_question, each) in enumerate(filled)
    ]


def _reading_index(question: Question) -> int:
    return _READING_ORDER.index(question.kind) if question.kind in _READING_ORDER else 0


def _click_verdict(
    question: Question, trace: Trace, text: str
) -> tuple[VerdictKind, tuple[Belief, ...]]:
    node = clicked_node(text)
    if node is None:
        return "unread", ()
    slip = click_slip(trace, question.step, node)
    return ("right", ()) if slip is None else ("slip", (slip,))


def clicked_node(text: str) -> int | None:
    """Parse the id of a clicked node from the text of a try; None if it is no id."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 20 else None


def _indices_by_values(record: Record, graph: Graph) -> Collection[Sequence[int]]:
    """Return the indices of the attempts, grouped by leaf values: each group needs one pass."""
    passes: dict[tuple[tuple[int, str], ...], list[int]] = {}
    for index, attempt in enumerate(record.attempts):
        values = tuple((node, value.hex()) for node, value in sorted(attempt.values.items()))
        passes.setdefault(values, []).append(index)
        if len(passes) * len(graph.nodes) > COMPUTED_NODES_LIMIT and len(passes) > 1:
            raise EngineError(
                "Answer {place}: the values were changed {times:,} times, too often for"
                " {nodes:,} nodes.",
                place=index + 1,
                times=len(passes) - 1,
                nodes=len(graph.nodes),
            )
    return passes.values()


def _backward_pass(graph: Graph, rules: Rules) -> Trace:
    """Return the backward pass; raises EngineError if it is too long to be asked about."""
    trace = run_within_limit(graph, "backward", rules)
    if len(trace) > MOST_STEPS:
        raise EngineError(
            "Passes of up to {limit:,} steps are asked about, not of {steps:,}.",
            limit=MOST_STEPS,
            steps=len(trace),
        )
    return trace


# Comparison with an exercise


def differing_values(exercise: Graph, handed_in: Graph) -> tuple[int, ...] | None:
    """Return the leaves and constants of the exercise whose number differs in the graph handed in.

    None if nodes or wiring differ. Nodes are matched from the roots along their inputs; nodes that
    lead to no root are compared by their formulas and numbers.
    """
    pairs = _isomorphism(exercise, handed_in)
    if pairs is None:
        return None
    formulas: dict[Hashable, int] = {}
    unmatched = _unmatched_formulas(exercise, pairs.keys(), formulas)
    if unmatched != _unmatched_formulas(handed_in, set(pairs.values()), formulas):
        return None
    return tuple(
        sorted(
            node
            for node, other in pairs.items()
            if _number_text(exercise, node) != _number_text(handed_in, other)
        )
    )


def differences(task: Task, record: Record, text: str) -> tuple[str, ...]:
    """Return the differences of a run from a task; `text` is that of the task of its graph.

    A task without a mode leaves it to the learner how they are asked.

    >>> differences(Task(start="predict", level="sum"), Record("predict", "slope", last=2), "")
    ('level slope, not sum',)
    """
    texts: list[str] = []
    if text != task.text:
        texts.append("another text" if text else "no text")
    if task.start and record.mode != task.start:
        texts.append(f"mode {MODE_TITLES[record.mode]}, not {MODE_TITLES[task.start]}")
    if task.start in MODES_WITH_BLANKS:
        steps = _steps_asked(record)
        if record.level != task.level:
            texts.append(f"level {record.level}, not {task.level}")
        if steps != task.steps and not LEVELS[task.level].before_pass:
            texts.append(f"steps {steps}, not {task.steps}")
    return tuple(texts)


def _steps_asked(record: Record) -> Steps:
    """Return which steps a run asked about, as a task names them."""
    if record.meet:
        return "meet"
    return "every" if record.last is None else "last"


def _isomorphism(exercise: Graph, handed_in: Graph) -> dict[int, int] | None:
    """Match the ancestors of the two roots, node by node; None if the wiring differs."""
    pairs: dict[int, int] = {}
    inverse: dict[int, int] = {}
    stack = [(exercise.root, handed_in.root)]
    while stack:
        node, other = stack.pop()
        if node is None or other is None:
            if node is not other:
                return None
        elif node in pairs or other in inverse:
            if pairs.get(node) != other or inverse.get(other) != node:
                return None
        elif _signature(exercise, node) != _signature(handed_in, other):
            return None
        else:
            pairs[node], inverse[other] = other, node
            stack += zip(exercise.inputs(node), handed_in.inputs(other), strict=True)
    return pairs


def _signature(graph: Graph, node: int) -> Hashable:
    """Return a node's type without its number: operation and number of slots, or the class."""
    found = graph.nodes[node]
    return (found.op, len(found.inputs)) if isinstance(found, OpNode) else type(found)


def _number_text(graph: Graph, node: int) -> str:
    """Return a node's number as hexadecimal text, where nan equals nan; "" for an operation."""
    found = graph.nodes[node]
    return found.value.hex() if isinstance(found, Leaf | Constant) else ""


def _unmatched_formulas(
    graph: Graph, matched: Collection[int], formulas: dict[Hashable, int]
) -> Counter[int | None]:
    """Count the formulas of the nodes that are not `matched`, numbers included.

    `formulas` gives each formula a number, shared by both graphs, so that formulas that contain
    others stay short.
    """
    formula_number: dict[int | None, int | None] = {None: None}
    for node in graph.structure.topological_order:
        inputs = tuple(formula_number[source] for source in graph.inputs(node))
        formula = (_signature(graph, node), _number_text(graph, node), inputs)
        formula_number[node] = formulas.setdefault(formula, len(formulas))
    return Counter(
        formula_number[node]
        for node, found in graph.nodes.items()
        if node not in matched and not isinstance(found, Root)
    )
