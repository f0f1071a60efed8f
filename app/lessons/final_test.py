"""The final test: eight single questions and one whole graph, drawn from a seed.

    drawn_test(seed)          the test of a seed, the same on every machine
    lesson_of(test)           the lesson that asks it
    graded(test, answers)     the verdicts on its answers
    report_text(report)       seed, student and answers as JSON, to be handed in
    read_report(text)         the report in a file; FormatError if it has none
    changed_verdicts(...)     the answers whose verdict in the report differs from that now

A report holds no right answer: `backwire grade` draws the test again from the seed and judges every
answer anew, so a verdict that was edited in the file is noticed.

>>> test = drawn_test(4117)
>>> [single.question.kind for single in test.singles]
['local', 'local', 'contribution', 'contribution', 'sum', 'final', 'final', 'next']
>>> 6 <= len(test.all_gradients.questions) <= 8
True
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from app.lessons.course import names as course_names
from app.lessons.lesson import Lesson, Step
from app.lessons.questions import asking
from app.lessons.situation import Situation, at_start, at_step, situation_of
from engine import from_expression
from engine.asking.answering import grade
from engine.asking.beliefs import belief_numbers
from engine.asking.hand_run import click_slip, fired_before, firing_nodes, next_slip_sentence, ready
from engine.asking.inference import Answered, confusable, infer
from engine.asking.judging import ANSWER_LIMIT, VerdictKind, read_answer
from engine.asking.kinds import answer
from engine.asking.question import Kind, Question, step_questions
from engine.asking.record import RIGHT
from engine.errors import FormatError
from engine.formats import native, strict_json
from engine.formats.expression import write
from engine.formats.report import NOTE, TEXT_LIMIT
from engine.graph import Graph, Leaf, OpNode, Root
from engine.numbers import DIGITS_SHOWN, Digits, short
from engine.trace import Trace, run

KINDS: Final[tuple[Kind, ...]] = (
    *("local", "local", "contribution", "contribution"),
    *("sum", "final", "final", "next"),
)
"""Kinds of the single questions, in the order in which they are asked."""
PASS_MARK: Final = 7
"""Least number of single questions that are right in a passed test, besides the whole graph."""
SEED_LIMIT: Final = 9_999
"""Largest seed, short enough to be written on a blackboard."""
NAME, TITLE = "final-test", "Final test"
_MINUTES: Final = 10
_SINGLE_NODES, _ALL_GRADIENTS_NODES = (4, 8), (6, 8)
"""Fewest and most leaves and operations of a graph."""
_DISTINCT: Final = 5
"""Least number of distinct gradients in the whole graph."""
_LARGEST: Final = 100.0
"""Bound of all numbers, so that each is computed on paper within a minute."""
_DRAWS: Final = 20_000
"""Bound of the draws for one graph; 40 are usual."""
_LEAVES: Final = "abcd"
_OPS: Final = {2: "uy", 3: "uvy", 4: "uvwy"}
"""Names of the operations, by their number."""
_SIGNS: Final = ("*", "*", "*", "+", "+", "-", "**2")
"""Operations to draw from; a product is drawn most often."""
_VALUES: Final = tuple(float(x) for x in (*range(-6, 0), *range(2, 8)))
"""Values of leaves: small ones without 0 and 1, with which products and factors look alike."""


class Single(Struct, frozen=True):
    """A question about the pass of a drawn graph; `expression` has no values."""

    expression: str
    trace: Trace
    question: Question


class AllGradients(Struct, frozen=True):
    """A drawn graph, and a question for each of its gradients, from the root to the leaves."""

    expression: str
    trace: Trace
    questions: tuple[Question, ...]


class FinalTest(Struct, frozen=True):
    """The single questions of a seed, and the graph of which all gradients are asked."""

    seed: int
    singles: tuple[Single, ...]
    all_gradients: AllGradients

    @property
    def asked(self) -> tuple[tuple[Question, Trace], ...]:
        """Return all questions in their order, each with the pass that it is about."""
        part = self.all_gradients
        gradients = ((question, part.trace) for question in part.questions)
        return (*((each.question, each.trace) for each in self.singles), *gradients)

    @property
    def digest(self) -> str:
        """Return the identity of the drawn test, which another version may draw differently.

        It is made of stable names alone, so that no shown word changes it.
        """
        digest = sha256()
        for question, trace in self.asked:
            graph, node = trace.graph, trace.graph.names[question.node]
            digest.update(f"{write(graph)}: {question.kind} {node} {question.slot}\n".encode())
        return digest.hexdigest()[:16]


VERSION: Final = 2
"""Of reports."""


@lru_cache(maxsize=64)
def drawn_test(seed: int) -> FinalTest:
    """Return the test of a seed, the same on every machine."""
    draw = random.Random(seed)
    # in every other graph, and wherever a sum is asked, a leaf is read twice
    singles = [_single(draw, kind, shares=k % 2 == 0) for k, kind in enumerate(KINDS)]
    return FinalTest(seed, tuple(singles), _all_gradients(draw))


def _single(draw: random.Random, kind: Kind, *, shares: bool) -> Single:
    """Draw graphs until one has a question of this kind that no slip answers rightly.

    No number is one of two ideas either; a final gradient has too few for that.
    """
    for expression, trace in _traces(draw, _SINGLE_NODES, shares=shares or kind == "sum"):
        found = [q for q in _questions(trace, kind) if _separates_slips(q, trace)]
        if kind not in ("final", "next"):
            found = [q for q in found if _has_two_factors(q, trace) and not confusable(q, trace)]
        if found:
            return Single(expression, trace, draw.choice(found))
    raise AssertionError("no graph was found")


def _all_gradients(draw: random.Random) -> AllGradients:
    """Draw graphs until one has two products and enough distinct gradients."""
    for expression, trace in _traces(draw, _ALL_GRADIENTS_NODES, shares=True):
        asked = [n for n, node in trace.graph.nodes.items() if isinstance(node, Leaf | OpNode)]
        distinct = len({trace.gradients[node] for node in asked})
        if distinct >= _DISTINCT and sum(map(_is_product, expression.split("; "))) >= 2:
            # by the step in which a gradient is complete; the root's is from the beginning
            order = sorted(asked, key=lambda node: trace.schedule.arrivals.get(node, (0,))[-1])
            questions = tuple(Question("final", node) for node in order)
            return AllGradients(expression, trace, questions)
    raise AssertionError("no graph was found")


def _traces(
    draw: random.Random, nodes: tuple[int, int], *, shares: bool
) -> Iterator[tuple[str, Trace]]:
    """Yield formulas and passes of drawn graphs with friendly numbers, in at most _DRAWS draws.

    `nodes` are the fewest and most leaves and operations; with `shares` a leaf is read twice.
    """
    fewest, most = nodes
    for _draw in range(_DRAWS):
        leaves, ops = draw.randint(2, 4), draw.randint(2, 4)
        if not fewest <= leaves + ops <= most:
            continue
        expression = _expression(draw, _LEAVES[:leaves], _OPS[ops])
        if not expression:
            continue
        graph = from_expression(
            expression, dict(zip(_LEAVES, draw.sample(_VALUES, leaves), strict=False))
        )
        if shares and all(len(graph.outgoing[leaf]) < 2 for leaf in graph.leaves):
            continue
        trace = run(graph)
        if _is_friendly(trace):
            yield expression, trace


def _expression(draw: random.Random, leaves: str, ops: str) -> str:
    """Return the formulas of a graph in which everything is read; "" if the draw has none."""
    known, unread, lines = [*leaves], [*leaves], list[str]()  # names of nodes, and formulas
    for name in ops:
        sign, first, second = draw.choice(_SIGNS), draw.choice(unread), draw.choice(known)
        if sign == "**2":
            second = first
            lines.append(f"{name} = {first}**2")
        elif first == second:  # the slope along a wire of a*a is not that of a square
            return ""
        else:
            lines.append(f"{name} = {first}{sign}{second}")
        unread = [each for each in unread if each not in (first, second)]
        known.append(name)
        unread.append(name)
    has_product = any(_is_product(line) for line in lines)
    return "; ".join(lines) if unread == [ops[-1]] and has_product else ""


def _is_product(formula: str) -> bool:
    return formula.count("*") == 1


def _is_friendly(trace: Trace) -> bool:
    """Return whether all numbers are small, and none is 0."""
    numbers = [*trace.values.values(), *trace.gradients.values()]
    has_no_zero = all(numbers)
    return has_no_zero and max(map(abs, numbers)) <= _LARGEST


def _questions(trace: Trace, kind: Kind) -> list[Question]:
    """Return the questions of a kind whose answer takes more than copying a number."""
    if kind == "final":
        leaves = trace.graph.leaves
        return [Question("final", n) for n in leaves if abs(trace.gradients[n]) != 1]
    steps = range(2, len(trace) + 1)  # step 1 sets the seed
    asked = [question for step in steps for question in step_questions(trace, step, (kind,))]
    return [question for question in asked if _is_worth_asking(question, trace)]


def _is_worth_asking(question: Question, trace: Trace) -> bool:
    event, graph = trace.events[question.step - 1], trace.graph
    multiplies = graph.op(question.node).name in ("mul", "pow")
    match question.kind:
        case "local":
            return multiplies and abs(event.local) != 1
        case "contribution":
            return multiplies and _has_two_factors(question, trace)
        case "next":  # not the root, which is always first, and not the only node that is left
            fired = fired_before(trace, question.step)
            return bool(fired) and len(firing_nodes(graph, trace.root)) - len(fired) > 1
        case _:
            return True


def _has_two_factors(question: Question, trace: Trace) -> bool:
    """Return whether neither factor of a contribution can be left out unnoticed."""
    event = trace.events[question.step - 1]
    return question.kind == "local" or 1 not in (abs(event.upstream), abs(event.local))


def _separates_slips(question: Question, trace: Trace) -> bool:
    """Return whether each slip that gives a number gives another one than the answer."""
    if question.kind == "next":
        return True
    right = short(answer(question, trace))
    numbers = [short(number) for _slip, number in belief_numbers(question, trace, ())]
    return bool(numbers) and right not in numbers


# the lesson

_ONE_TRY: Final = "One try. The verdicts come at the end."


def lesson_of(test: FinalTest) -> Lesson:
    """Return the lesson that asks a test: a step for each single, one for the whole graph."""
    total = len(test.singles)
    steps = [
        Step(
            kind="ask",
            title=f"Question {k} of {total}",
            text=_ONE_TRY,
            begun=_begun(single.trace.graph, single.question),
            asks=(asking(single.question),),
            sets_graph=True,
        )
        for k, single in enumerate(test.singles, 1)
    ]
    graph, asks = test.all_gradients.trace.graph, tuple(map(asking, test.all_gradients.questions))
    text = f"Every gradient at the end of the pass. {_ONE_TRY}"
    begun, title = situation_of(graph), "The whole graph"
    steps.append(Step(kind="ask", title=title, text=text, begun=begun, asks=asks, sets_graph=True))
    return Lesson(
        name=NAME,
        title=TITLE,
        able="Do backpropagation by hand",
        surprise="",
        minutes=_MINUTES,
        graph=graph,
        steps=tuple(steps),
        kind="test",
    )


def _begun(graph: Graph, question: Question) -> Situation:
    """Return the situation just before the step of a question, or before the pass."""
    begun = situation_of(graph)
    return at_step(begun, question.step - 1) if question.step else begun


def after_answer(step: Step) -> Situation:
    """Return the situation that shows the answer to a step of the test: after it, or at the end."""
    begun = step.begun
    return at_step(begun, begun.cursor + 1) if begun.phase == "backward" else at_start(begun, "end")


# the answers


class FinalAnswers(Struct, frozen=True):
    """The answers to a test as they were typed: to the singles, and to all gradients of a graph.

    That to `next` is the name of the node clicked. `seconds` has the time of each single and, last,
    that of all gradients together.
    """

    seed: int
    singles: tuple[str, ...]
    gradients: tuple[str, ...]
    seconds: tuple[float, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """Return all answers, in the order of the questions."""
        return (*self.singles, *self.gradients)


class GradedAnswer(Struct, frozen=True):
    """A typed answer with its verdict; `slips` are the names of the slips that give the number.

    `text` is the answer as it was typed, `said` the sentence of the verdict, `right_text` the right
    answer.
    """

    question: Question
    trace: Trace
    text: str
    verdict: VerdictKind
    slips: tuple[str, ...]
    said: str
    right_text: str

    @property
    def right(self) -> bool:
        return self.verdict in RIGHT


class GradedTest(Struct, frozen=True):
    """The verdicts on the answers to a test."""

    singles: tuple[GradedAnswer, ...]
    gradients: tuple[GradedAnswer, ...]

    @property
    def answers(self) -> tuple[GradedAnswer, ...]:
        """Return all answers, in the order of the questions."""
        return (*self.singles, *self.gradients)

    @property
    def right_singles(self) -> int:
        return sum(each.right for each in self.singles)

    @property
    def has_enough_singles(self) -> bool:
        """Return whether at least PASS_MARK single questions are right."""
        return self.right_singles >= PASS_MARK

    @property
    def right_gradients(self) -> int:
        """Return the number of gradients of the whole graph that are right."""
        return sum(each.right for each in self.gradients)

    @property
    def all_gradients_right(self) -> bool:
        return all(each.right for each in self.gradients)

    @property
    def passed(self) -> bool:
        """Return whether at least PASS_MARK singles and the whole graph are right."""
        return self.has_enough_singles and self.all_gradients_right

    @property
    def answered(self) -> tuple[Answered, ...]:
        """Return all answers as `engine.asking.inference` reads beliefs from them."""
        return tuple(
            Answered(each.question, each.trace, each.right, each.slips) for each in self.answers
        )

    @property
    def slips(self) -> tuple[tuple[str, Kind], ...]:
        """Return the slips that were made, each with the kind of its question, once."""
        found: list[tuple[str, Kind]] = [
            (each.slips[0], each.question.kind) for each in self.answers if each.slips
        ]
        return tuple(dict.fromkeys(found))


def graded(test: FinalTest, answers: FinalAnswers, digits: Digits = DIGITS_SHOWN) -> GradedTest:
    singles = zip(test.singles, answers.singles, strict=True)
    gradients = zip(test.all_gradients.questions, answers.gradients, strict=True)
    return GradedTest(
        tuple(_graded(single.question, single.trace, text, digits) for single, text in singles),
        tuple(
            _graded(question, test.all_gradients.trace, text, digits)
            for question, text in gradients
        ),
    )


LESSONS: Final = {
    **dict.fromkeys(("slope only", "passed on"), "gears"),
    **dict.fromkeys(("own", "op", "other side", "size"), "plus-times"),
    **dict.fromkeys(("data", "sign"), "seven-numbers"),
    **dict.fromkeys(("replaces", "keeps", "twice", "mix"), "two-paths"),
    "place": "one-neuron",
    "order": "who-next",
    "one path": "sum-over-paths",
}
"""The lesson that mends an idea, by its name in `engine.asking.inference`."""


class IdeaShown(Struct, frozen=True):
    """An idea behind wrong answers of a test; `lesson` is the number of the lesson that mends it.

    `places` are the indices of the answers. Those of no idea are together, with the idea "" and the
    lesson 0.
    """

    idea: str
    lesson: int
    places: tuple[int, ...]

    @property
    def lesson_name(self) -> str:
        """Return the name of the lesson, "" without one."""
        return LESSONS.get(self.idea, "")


def ideas_shown(result: GradedTest) -> list[IdeaShown]:
    """Return the ideas behind the wrong answers, in the order of the lessons that mend them."""
    wrong = [(k, each) for k, each in enumerate(result.answers) if not each.right]
    places: dict[str, list[int]] = {}
    for k, each in wrong:
        others = [other.slips for at, other in wrong if at != k]
        places.setdefault(infer([*others, each.slips]), []).append(k)
    names = course_names()
    numbers = {idea: names.index(LESSONS[idea]) + 1 for idea in places if idea in LESSONS}
    found = (IdeaShown(idea, numbers.get(idea, 0), tuple(at)) for idea, at in places.items())
    return sorted(found, key=lambda shown: shown.lesson or len(names) + 1)


def slip_counts(result: GradedTest) -> list[tuple[str, int]]:
    """Return the names of the slips and how often each was made, the commonest first.

    Of an answer that several slips give, the first one counts.
    """
    return Counter(each.slips[0] for each in result.answers if each.slips).most_common()


def _graded(question: Question, trace: Trace, text: str, digits: Digits) -> GradedAnswer:
    if question.kind == "next":
        return _graded_click(question, trace, text)
    found = grade(question, trace, text, digits)
    slips, right = tuple(slip.name for slip in found.slips), short(answer(question, trace), digits)
    return GradedAnswer(question, trace, text, found.kind, slips, found.sentence, right)


def _graded_click(question: Question, trace: Trace, name: str) -> GradedAnswer:
    """Return the verdict on a clicked node; any node that is ready is right."""
    graph, fired = trace.graph, fired_before(trace, question.step)
    may_fire = sorted(ready(graph, trace.root, fired), key=list(graph.nodes).index)
    right = " or ".join(graph.brief(node) for node in may_fire)
    node = clicked_node(graph, name)
    if node is None:
        return GradedAnswer(question, trace, name, "unread", (), "", right)
    slip = click_slip(trace, question.step, node)
    if slip is None:
        return GradedAnswer(question, trace, name, "right", (), "", right)
    said = next_slip_sentence(graph, trace.root, fired, node)
    return GradedAnswer(question, trace, name, "slip", (slip.name,), said, right)


_ROOT: Final = "root"
"""Stands in a report for the Root, which has no name."""


def clicked_node(graph: Graph, name: str) -> int | None:
    """Return the node that was clicked, from its name in a report; None if there is none."""
    return graph.root if name == _ROOT else graph.node_named(name)


def name_of_click(graph: Graph, node: int) -> str:
    """Return the name of a node that was clicked, as a report holds it."""
    return _ROOT if isinstance(graph.nodes[node], Root) else graph.names[node]


def is_readable(question: Question, trace: Trace, text: str) -> bool:
    """Return whether an answer is a number, or for `next` the name of a node."""
    if question.kind == "next":
        return clicked_node(trace.graph, text) is not None
    return read_answer(text).number is not None


# the texts

# the report

_FORMAT: Final = "backwire test"
SUFFIX: Final = ".test.json"
_FORMAT_TITLE: Final = "Backwire test"
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


class _GradientAnswers(Struct, forbid_unknown_fields=True):
    """The answers to all gradients of one graph, from the root to the leaves."""

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
    gradients: _GradientAnswers = msgspec.field(name="whole")


def report_of(answers: FinalAnswers, student: str = "") -> FinalReport:
    """Return the report of answers, with its verdicts."""
    test = drawn_test(answers.seed)
    verdicts: tuple[VerdictKind, ...] = tuple(x.verdict for x in graded(test, answers).answers)
    return FinalReport(answers, student, verdicts, test.digest)


def report_text(report: FinalReport) -> str:
    """Return the text of a report, with one answer per line."""
    answers, count = report.answers, len(report.answers.singles)
    # the last of `seconds` is that of all gradients together
    singles = zip(answers.singles, report.verdicts[:count], answers.seconds, strict=False)
    gradients = zip(answers.gradients, report.verdicts[count:], strict=True)
    file = _File(
        format=_FORMAT,
        version=VERSION,
        note=NOTE,
        student=report.student,
        seed=answers.seed,
        test=report.digest,
        answers=[_Answer(text, verdict, round(time, 1)) for text, verdict, time in singles],
        gradients=_GradientAnswers(
            round(answers.seconds[-1], 1), [_Answer(*each) for each in gradients]
        ),
    )
    return native.json_text(msgspec.to_builtins(file), ("answers",))


def is_final_report(content: str | bytes) -> bool:
    """Return whether a text is meant as the report of a final test."""
    try:
        head = strict_json.decode(strict_json.valid_utf8(content), strict_json.Head, _FORMAT_TITLE)
    except FormatError:
        return False
    return head.has_format(_FORMAT)


def read_report(text: str | bytes) -> FinalReport:
    """Return the report in a text; raises FormatError with the place of the first error."""
    content = strict_json.valid_utf8(text)
    strict_json.check_head(content, _FORMAT, VERSION, _FORMAT_TITLE)
    file = strict_json.decode(content, _File, _FORMAT_TITLE)
    strict_json.check_no_duplicate_keys(content)
    _check_file(file)
    test = drawn_test(file.seed)
    answers = FinalAnswers(
        file.seed,
        tuple(each.text for each in file.answers),
        tuple(each.text for each in file.gradients.answers),
        (*(each.seconds or 0.0 for each in file.answers), file.gradients.seconds),
    )
    given = (*file.answers, *file.gradients.answers)
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
    given = (*file.answers, *file.gradients.answers)
    for place, each in zip(_places(len(file.gradients.answers)), given, strict=True):
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
    wanted = len(test.all_gradients.questions)
    if len(answers.gradients) != wanted:
        raise FormatError(
            "The whole graph: it has {wanted} gradients, not {given}.",
            wanted=wanted,
            given=len(answers.gradients),
        )
    places = _places(wanted)
    for place, (question, trace), text in zip(places, test.asked, answers.texts, strict=True):
        if is_readable(question, trace, text):
            continue
        if question.kind == "next":
            raise FormatError('{place}: the graph has no node "{text}".', place=place, text=text)
        raise FormatError('{place}: "{text}" is no number.', place=place, text=text)


def changed_verdicts(report: FinalReport, result: GradedTest) -> list[tuple[int, VerdictKind]]:
    """Return the number of each answer, from 1, and its verdict in the report, where they differ.

    `result` holds the verdicts as they are computed now, which an edited report contradicts.
    """
    pairs = zip(result.answers, report.verdicts, strict=True)
    return [(k, reported) for k, (now, reported) in enumerate(pairs, 1) if now.verdict != reported]
