"""Inference: which idea stands behind wrong answers, and at which blanks an idea can be seen.

An idea is what several beliefs share, such as "the slope alone"; it is what is kept of a learner.
A blank shows an idea if that gives another number than the answer, as displayed.

>>> from engine import from_expression
>>> from engine.trace import run
>>> trace = run(from_expression("e = a*b; d = e + a; L = d*f", {"a": 2, "b": -3, "f": -2}))
>>> passed = Question("contribution", 3, 0, 6)  # what e sends to a
>>> [shows(idea, passed, trace) for idea in ("own", "slope only", "one path")]
[True, True, False]
>>> infer([("upstream forgotten",)]), infer([("factors added",), ("minus lost", "multiplied")])
('slope only', 'mix')
"""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Final, Literal

from msgspec import Struct

from engine.asking.beliefs import BY_NAME as BELIEFS
from engine.asking.beliefs import Belief, wrong_and_answer
from engine.asking.judging import read_answer
from engine.asking.kinds import answer, is_askable
from engine.asking.question import Kind, Question, facts, printed_kinds
from engine.asking.record import RIGHT, Attempt
from engine.errors import EngineError
from engine.graph import Graph, OpNode
from engine.numbers import ABOUT, DIGITS_SHOWN, Digits, short
from engine.rules import CORRECT
from engine.trace import Trace, run_within_limit


class Idea(Struct, frozen=True):
    """A wrong idea: its name in files, its title in a sentence, and the beliefs and mistakes of it.

    `kinds` are kinds of questions whose every wrong answer is of it, as no number gives a slip.
    """

    name: str
    title: str
    beliefs: tuple[str, ...] = ()
    kinds: tuple[Kind, ...] = ()


IDEAS: Final = (
    Idea("own", "the own value taken for the slope", ("own value", "mul-own-input")),
    Idea("slope only", "the slope alone", ("upstream forgotten", "slope given for gradient")),
    Idea("passed on", "handed on without its slope", ("local derivative forgotten",)),
    Idea(
        "data",
        "the value taken for the gradient",
        (
            "own value",  # an own value is data, too: what else was typed tells them apart
            "data for contribution",  # the receiver's data comes before that of the node
            "data for sum",
            "value for gradient",
            "value for slope",
            "value for upstream",
            "value read for gradient",
        ),
    ),
    Idea(
        "sign",
        "a wrong sign",
        (
            *("minus lost in the slope", "minus lost", "minus lost in the sum"),
            *("sizes added", "other way round"),
        ),
    ),
    Idea("replaces", "the last wire alone", ("replaced", "assign")),
    Idea("keeps", "the first wire alone", ("not added",)),
    Idea("twice", "a wire counted twice", ("counted twice",)),
    Idea("mix", "times and plus swapped", ("factors added", "multiplied")),
    Idea("op", "the other operation's rule", ("product as sum", "sum as product")),
    Idea(
        "place",
        "the slope at the wrong place",
        (
            "slope at the output",
            "exponent not in front",
            "exponent not lowered",
            "factor forgotten",
        ),
    ),
    Idea("other side", "the other input's slope", ("other input's slope",)),
    Idea("one path", "one path alone", ("one path only",)),
    Idea("size", "the number's own sign", ("own sign",), kinds=("sign",)),
    Idea("order", "fired too early", ("waits", "fired", "no way", "passes nothing"), ("next",)),
)
"""In the order in which one is taken where nothing else decides."""

BY_NAME: Final = {idea.name: idea for idea in IDEAS}
MENDED_AFTER: Final = 2
"""Blanks answered right in a row that mend an idea."""
_IDEAS_OF: Final = {
    slip: tuple(idea.name for idea in IDEAS if slip in idea.beliefs)
    for slip in {slip for idea in IDEAS for slip in idea.beliefs}
}
_AS_ONE: Final = ({"own", "data", "other side"}, {"passed on", "op"})
"""Ideas that give one number at every product: other blanks tell them apart."""


def ideas_of(slips: Iterable[str], kind: Kind | None = None) -> tuple[str, ...]:
    """Return the ideas behind slips, by name, or behind a wrong answer of a kind without any."""
    found = [name for slip in slips for name in _IDEAS_OF.get(slip, ())]
    return tuple(dict.fromkeys(found or (idea.name for idea in IDEAS if kind in idea.kinds)))


def infer(history: Sequence[Collection[str]], held: Collection[str] = ()) -> str:
    """Return the idea behind the last of a run's wrong answers, each the slips that give it.

    Of several it is the one that explains most of these answers, then one of those `held` from
    earlier days, then the likeliest; "" where no slip gives the answer.
    """
    explained = Counter(idea for slips in history for idea in ideas_of(slips))
    fitting = ideas_of(history[-1]) if history else ()
    return max(fitting, key=lambda name: (explained[name], name in held), default="")


def likeliest_first(
    slips: Sequence[str], history: Sequence[Collection[str]], held: Collection[str] = ()
) -> list[str]:
    """Return the slips of the last wrong answer with those of its idea first.

    An idea that nothing else speaks for, neither another answer nor an earlier day, moves none.
    """
    told = infer([*history, slips], held)
    if told not in {*held, *(name for each in history for name in ideas_of(each))}:
        return list(slips)
    return sorted(slips, key=lambda slip: slip not in BY_NAME[told].beliefs)


def numbers(idea: str, question: Question, trace: Trace) -> Iterator[float]:
    """Yield the numbers that an idea gives as answer, also the right one."""
    return (number for *_form, number in _forms(idea, question, trace))


def _forms(idea: str, question: Question, trace: Trace) -> Iterator[tuple[str, bool, float]]:
    """Yield each answer that an idea gives: its belief, whether it is its own number, the answer.

    Another answer is computed with the belief's number.
    """
    known = printed_kinds((question.kind,), ())
    for name in BY_NAME[idea].beliefs:
        held = BELIEFS.get(name)
        if held is not None and held.kind not in known:
            found = wrong_and_answer(held, question, trace)
            yield from ((name, wrong == number, number) for wrong, number in found)


def shows(idea: str, question: Question, trace: Trace, digits: Digits = DIGITS_SHOWN) -> bool:
    """Return whether whoever holds an idea would answer otherwise here."""
    if idea not in BY_NAME:
        return False  # one of another version
    if question.kind in BY_NAME[idea].kinds:
        return True
    texts = {_shown(number, digits) for number in numbers(idea, question, trace)}
    return bool(texts) and _shown(answer(question, trace), digits) not in texts


def confusable(question: Question, trace: Trace, digits: Digits = DIGITS_SHOWN) -> tuple[str, ...]:
    """Return the numbers, as displayed, that two ideas give, or one and the right answer."""
    givers: dict[str, set[str]] = {_shown(answer(question, trace), digits): {"right"}}
    for idea in IDEAS:
        for number in numbers(idea.name, question, trace):
            givers.setdefault(_shown(number, digits), set()).add(idea.name)
    return tuple(text for text, by in givers.items() if not are_one(by))


def _shown(number: float, digits: Digits) -> str:
    return short(number, digits).removeprefix(ABOUT)


def are_one(ideas: Collection[str]) -> bool:
    """Return whether all these ideas are one at a blank, whatever its numbers are."""
    return len(ideas) == 1 or any(pair.issuperset(ideas) for pair in _AS_ONE)


# What a run tells of a learner


class Answered(Struct, frozen=True):
    """A question about a pass and its first answer: right, or the slips that it gives away.

    Of an answer that was typed `text` is how.
    """

    question: Question
    trace: Trace
    right: bool
    slips: tuple[str, ...] = ()
    text: str = ""


class Sighting(Struct, frozen=True):
    """What one answer tells of an idea; `graph` identifies the wiring, `place` is that of `place`.

    `step` is that of the question.

    held   the idea gave the answer
    right  the answer is right, where the idea gives another one
    wrong  the answer is wrong there, but not of this idea
    """

    idea: str
    outcome: Literal["held", "right", "wrong"]
    graph: str
    place: str = ""
    step: int = 0


def sightings(
    answers: Iterable[Answered], held: Collection[str] = (), digits: Digits = DIGITS_SHOWN
) -> list[Sighting]:
    """Return what the answers of a run tell of the ideas held, before it and in it."""
    found, history, now = list[Sighting](), list[tuple[str, ...]](), [*held]
    identities: dict[int, str] = {}
    for each in answers:
        graph = each.trace.graph
        identity = identities.get(id(graph)) or identities.setdefault(id(graph), wiring(graph))
        where = identity, place(each.question, each.trace), each.question.step
        believed = ""
        if not each.right:
            history.append(each.slips)
            of_kind = next(iter(ideas_of((), each.question.kind)), "")
            believed = infer(history, held) if each.slips else of_kind
        if believed:
            found.append(Sighting(believed, "held", *where))
        for name in now:
            if name != believed and shows(name, each.question, each.trace, digits):
                found.append(Sighting(name, "right" if each.right else "wrong", *where))
        if believed and believed not in now:
            now.append(believed)
    return found


class Denied(Struct, frozen=True):
    """An idea that the last right answer denies: its number there, and where it showed last.

    That is the step, and the number that it gave; 0 and nan where that was on an earlier day.
    """

    idea: str
    number: float
    step: int = 0
    gave: float = math.nan


def denied(
    answers: Sequence[Answered], held: Collection[str] = (), digits: Digits = DIGITS_SHOWN
) -> Denied | None:
    """Return the idea that the last of these answers denies, which showed last of several.

    None where it is wrong, denies none, or the idea was denied MENDED_AFTER times already. An idea
    whose number was typed as it is, such as a node's value, is denied where that is an answer, too.
    """
    before = sightings(answers[:-1], held, digits)
    steps, rows = dict[str, int](), Counter[str]()
    for seen in before:
        rows[seen.idea] = rows[seen.idea] + 1 if seen.outcome == "right" else 0
        if seen.outcome == "held":
            steps[seen.idea] = seen.step
    last = sightings(answers, held, digits)[len(before) :]
    found = [s.idea for s in last if s.outcome == "right" and rows[s.idea] < MENDED_AFTER]
    if not found:
        return None
    idea = max(found, key=lambda name: steps.get(name, 0))
    here, step = answers[-1], steps.get(idea, 0)
    forms = [*_forms(idea, here.question, here.trace)]
    if not step:
        return next((Denied(idea, number) for _name, is_own, number in forms if is_own), None)
    at_step = [a for a in answers if a.question.step == step and idea in ideas_of(a.slips)]
    typed = read_answer(at_step[-1].text).number if at_step else None
    if typed is None:
        return None
    then = _forms(idea, at_step[-1].question, at_step[-1].trace)
    name, is_own, gave = min(then, key=lambda form: abs(form[2] - typed))
    alike = sorted((f for f in forms if f[1] == is_own), key=lambda form: form[0] != name)
    return next((Denied(idea, number, step, gave) for *_form, number in alike), None)


class Tally(Struct, frozen=True):
    """What stands behind wrong answers of a run, in words: an idea, or the slip of none.

    Of each of `attempts` it explains at least one answer.
    """

    title: str
    attempts: tuple[Attempt, ...]

    @property
    def steps(self) -> tuple[int, ...]:
        """The steps at which it showed, each once; 0 for a question outside the pass."""
        return tuple(sorted({attempt.question.step for attempt in self.attempts}))

    @property
    def count(self) -> int:
        """In how many questions it showed: the blanks of a step are one."""
        return len({attempt.question.key for attempt in self.attempts})

    @property
    def slip(self) -> Belief | None:
        """The form in which it showed last; None for a click, which has no number."""
        names = self.attempts[-1].slips
        return next((BELIEFS[x] for x in names if x in BELIEFS and self.title in titles([x])), None)


def titles(slips: Iterable[str]) -> tuple[str, ...]:
    """Return in words the ideas behind slips, and the slips of none."""
    found = list[str]()
    for name in slips:
        ideas = [BY_NAME[idea].title for idea in ideas_of([name])]
        found += ideas or ([BELIEFS[name].brief] if name in BELIEFS else [])
    return tuple(dict.fromkeys(found))


def tallies(attempts: Iterable[Attempt]) -> list[Tally]:
    """Return what stands behind the wrong answers of a run, the commonest first.

    Of several ideas that explain an answer the one that explains most steps counts.
    """
    found = list[Tally]()
    left: list[Attempt] = [each for each in attempts if titles(each.slips)]
    while left:
        rivals = dict.fromkeys(title for each in left for title in titles(each.slips))
        of = [Tally(x, tuple(a for a in left if x in titles(a.slips))) for x in rivals]
        found.append(max(of, key=lambda tally: tally.count))
        left = [each for each in left if found[-1].title not in titles(each.slips)]
    return found


def answers_of(attempts: Iterable[Attempt], graph: Graph, rules: str) -> Iterator[Answered]:
    """Yield the first answers of a run in a correct pass; what was seen before tells nothing."""
    passes = dict[tuple[object, ...], Trace]()
    for attempt in attempts:
        first = attempt.tries[0] if attempt.tries else None
        if rules != CORRECT.name or first is None or first.verdict == "unread":
            continue
        if first.verdict in RIGHT and not attempt.right_first:
            continue
        key = tuple(sorted(attempt.values.items()))
        try:
            if key not in passes:
                passes[key] = run_within_limit(graph.with_values(attempt.values), "backward")
            if is_askable(attempt.question, passes[key]):
                right = attempt.right_first
                yield Answered(attempt.question, passes[key], right, first.slips)
        except EngineError:
            continue


def wiring(graph: Graph) -> str:
    """Return the identity of a graph without its numbers and labels."""
    order = graph.structure.topological_order
    places: dict[int | None, int] = {node: k for k, node in enumerate(order)}
    lines: list[tuple[str, list[int]]] = []
    for node in order:
        found, inputs = graph.nodes[node], [places.get(x, -1) for x in graph.inputs(node)]
        lines.append((found.op if isinstance(found, OpNode) else "", inputs))
    return sha256(repr(lines).encode()).hexdigest()[:12]


def place(question: Question, trace: Trace) -> str:
    """Return the kind of a question and, on a wire, its operation: another one is another place."""
    op = "" if question.wire is None else facts(question, trace).op.name
    return f"{question.kind} {op}".strip()
