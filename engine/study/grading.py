"""Grading: what is said of an answer, and the choices that can be offered instead of a field.

An answer is judged in this order: it is right; it is what one of SLIPS gives; it is the right one
rounded; it is what a slip gives, rounded; it is wrong.

>>> from engine import from_expression
>>> from engine.trace import run
>>> trace = run(from_expression("y = a*b", {"a": 2, "b": 3}))
>>> question = Question("local", 3, 0, 2)
>>> [grade(question, trace, text).kind for text in ("3", "2", "4", "three")]
['right', 'slip', 'wrong', 'unread']
>>> grade(question, trace, "2").sentence
'2 is a itself; the slope of × (y) along a is the other factor, 3.'
>>> [choice.text for choice in choices(question, trace)]
['1', '2', '3', '6']
"""

from typing import Literal

from msgspec import Struct

from engine.errors import sentence
from engine.numbers import DIGITS_SHOWN, Digits, short, signed
from engine.problems import slope_spelled, spoken
from engine.study.answers import read
from engine.study.question import Question, answer, facts, near, receiver, size
from engine.study.slips import Slip, slip_numbers, wrong_and_result
from engine.trace import Trace

VerdictKind = Literal["right", "rounded", "slip", "wrong", "unread"]

MOST_CHOICES = 4


class Verdict(Struct, frozen=True):
    """What an answer is: its kind, the number read, the slips it gives away, and a sentence."""

    kind: VerdictKind
    number: float | None
    sentence: str
    slips: tuple[Slip, ...] = ()

    @property
    def right(self) -> bool:
        """Whether it counts as right."""
        return self.kind in ("right", "rounded")


class Choice(Struct, frozen=True):
    """One answer to choose: its number as shown, and the slip it stands for; None: it is right."""

    text: str
    number: float
    slip: Slip | None


def grade(question: Question, trace: Trace, text: str, digits: Digits = DIGITS_SHOWN) -> Verdict:
    """Judge an answer as it was written; `digits` are those of the sentence."""
    found = read(text)
    if found.number is None:
        return Verdict("unread", None, found.advice)
    number, right, scale = found.number, answer(question, trace), size(question, trace)
    if near(number, right, scale):
        return Verdict("right", number, "")
    seen = list(slip_numbers(question, trace))
    slips = [(slip, n) for slip, n in seen if near(number, n)]
    if not slips and abs(number - right) <= found.half_unit:
        said = sentence("Right, rounded: {full}.", {"full": short(right, "shortest")})
        return Verdict("rounded", number, said)
    slips = slips or [(slip, n) for slip, n in seen if abs(number - n) <= found.half_unit]
    if not slips:
        return Verdict("wrong", number, worked(question, trace, digits))
    said = told(*slips[0], question, trace, digits)
    names = tuple(dict.fromkeys(slip for slip, _number in slips))
    others = " or ".join(slip.name for slip in names[1:])
    return Verdict(
        "slip", number, f"{said} The same number comes from: {others}." if others else said, names
    )


def choices(question: Question, trace: Trace, digits: Digits = DIGITS_SHOWN) -> tuple[Choice, ...]:
    """Return the answer and the likeliest slips, by size; () where no slip has another number."""
    write = signed if question.kind == "contribution" else short
    right = answer(question, trace)
    found = {write(right, digits): Choice(write(right, digits), right, None)}
    for slip, number in slip_numbers(question, trace):
        text = write(number, digits)
        if number == number and len(found) < MOST_CHOICES:  # nan is nobody's guess
            found.setdefault(text, Choice(text, number, slip))
    if len(found) < 2:
        return ()
    return tuple(sorted(found.values(), key=lambda choice: (choice.number, choice.text)))


def worked(question: Question, trace: Trace, digits: Digits = DIGITS_SHOWN) -> str:
    """Return how the answer is found, with its first factor or summand filled in."""
    return sentence(_WORKED[question.kind], fields(question, trace, digits))


def fields(question: Question, trace: Trace, digits: Digits = DIGITS_SHOWN) -> dict[str, object]:
    """Return what the sentences about a question may name; all numbers are texts."""
    graph = trace.graph
    found: dict[str, object] = {
        "node": spoken(graph, question.node, brief=True),
        "receiver": graph.brief(receiver(question, trace)),
        "root": graph.brief(trace.root),
        "answer": short(answer(question, trace), digits),
    }
    if question.wire is None:
        return found
    at = facts(question, trace)
    numbers = {
        "input": at.inputs[at.slot],
        "value": at.value,
        "upstream": at.upstream,
        "local": at.local,
        "contribution": at.contribution,
        "before": at.before,
        "after": at.after,
    }
    shown = trace.rules.slope_slot(at.op, at.slot)
    slope = slope_spelled(graph, question.node, shown, trace.values)
    texts = {name: short(x, digits) for name, x in numbers.items()}
    if slope != texts["local"]:
        slope = f"{slope} = {texts['local']}"
    return found | texts | {"slope": slope}


_WORKED = {
    "value": "{node} is computed from the values of its inputs.",
    "local": "The slope of {node} along {receiver} is {slope}.",
    "contribution": "{node} got {upstream}, so {upstream} × … goes to {receiver}: multiply by its"
    " slope along {receiver}.",
    "sum": "{receiver} held {before}, so it holds {before} + … now.",
    "final": "Add up, over all paths from {receiver} to {root}, the product of the slopes.",
    "sign": "{receiver} moves {root} by its gradient times the change.",
}


def told(slip: Slip, number: float, question: Question, trace: Trace, digits: Digits) -> str:
    """Return the sentence of a slip; where it was carried on, first what was done with it."""
    wrong = next(
        wrong for wrong, result in wrong_and_result(slip, question, trace) if near(number, result)
    )
    facts_told = {**fields(question, trace, digits), "wrong": short(wrong, digits)}
    said = sentence(slip.sentence, facts_told)
    if slip.kind == "local" and question.kind != "local":
        return sentence("You took {wrong} as the slope. {told}", {**facts_told, "told": said})
    if slip.kind == "contribution" and question.kind == "sum":
        return sentence("You added {wrong}. {told}", {**facts_told, "told": said})
    return said
