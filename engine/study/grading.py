"""Grading: what is said of an answer once it is judged.

How an answer is judged is told in `engine.study.judging`; here stands what is said once the right
number may be named. What is said of a first try, without it, is in `engine.study.first_words`.

>>> from engine import from_expression
>>> from engine.trace import run
>>> trace = run(from_expression("y = a*b", {"a": 2, "b": 3}))
>>> question = Question("local", 3, 0, 2)
>>> [grade(question, trace, text).kind for text in ("3", "2", "4", "three")]
['right', 'slip', 'wrong', 'unread']
>>> grade(question, trace, "2").sentence
'2 is a itself; the slope of × (y) along a is the other factor, 3.'
"""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from engine.errors import sentence
from engine.graph import Constant, Graph, OpNode
from engine.numbers import DIGITS_SHOWN, Digits, short
from engine.problems import slope_spelled, spoken
from engine.rules import CORRECT
from engine.study.answers import read
from engine.study.judging import Judgement, VerdictKind, judge
from engine.study.question import Question, answer, facts, near, receiver
from engine.study.slips import Slip, wrong_and_result
from engine.trace import Trace

_MANY_DIGITS = 8
"""Significant digits of a number that is shown in full beside one with fewer."""


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


def grade(question: Question, trace: Trace, text: str, digits: Digits = DIGITS_SHOWN) -> Verdict:
    """Judge an answer as it was written; `digits` are those of the sentence."""
    found = read(text)
    if found.number is None:
        return Verdict("unread", None, found.advice)
    (judged,) = judge(trace, [(question, text)], digits)
    if judged.right:
        return Verdict(judged.verdict, found.number, right_said(judged))
    if judged.slip is None:
        return Verdict(judged.verdict, found.number, worked(question, trace, digits))
    said = told(judged.slip, judged.slip_number, question, trace, digits)
    others = " or ".join(slip.name for slip in judged.slips[1:])
    said = f"{said} The same number comes from: {others}." if others else said
    return Verdict(judged.verdict, found.number, said, judged.slips)


def right_said(judged: Judgement) -> str:
    """Return what is said of a right number; "" of the very answer."""
    if judged.kind == "right_from_digits":
        full = short(judged.answer, _MANY_DIGITS)
        return sentence(
            "Right from the digits shown; with all digits it is {full}.", {"full": full}
        )
    return "Right, rounded." if judged.kind == "right_rounded" else ""


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
    if isinstance(graph.nodes[question.node], OpNode):
        found["formula"] = formula(graph, question.node, digits)
    if question.kind == "change":
        found["leaf"] = graph.brief(question.leaf)
        found["before"] = short(trace.values[question.node], digits)
    if question.wire is None:
        return found
    at = facts(question, trace)
    names = ("value", "upstream", "local", "contribution", "before", "after")
    texts = {name: short(getattr(at, name), digits) for name in names}
    texts["input"] = short(at.inputs[at.slot], digits)
    shown = trace.rules.slope_slot(at.op, at.slot)
    slope = slope_spelled(graph, question.node, shown, trace.values)
    if slope != texts["local"]:
        slope = f"{slope} = {texts['local']}"
    return found | texts | {"slope": slope}


def formula(graph: Graph, node: int, digits: Digits = DIGITS_SHOWN) -> str:
    """Return the formula of an op node with what its inputs are called: `a × b`, `2 × a`."""
    op = graph.op(node)
    names = ["?" if s is None else _called(graph, s, digits) for s in graph.inputs(node)]
    return op.filled(op.formula, names)


def _called(graph: Graph, node: int, digits: Digits) -> str:
    """Return the name of a node; a constant without a label is its number."""
    found = graph.nodes[node]
    if isinstance(found, Constant) and not found.label:
        return short(found.value, digits)
    return graph.brief(node)


def rule(question: Question, trace: Trace, digits: Digits = DIGITS_SHOWN) -> str:
    """Return which rule gives the answer in this pass, without any number of the work."""
    name: str = question.kind
    if question.kind == "sum" and not trace.rules.accumulate:
        name = "sum replaced"
    elif question.kind in ("local", "contribution") and _takes_other_slope(question, trace):
        name = "own input"
    elif question.kind == "final" and trace.rules is not CORRECT:
        name = "final under a mistake"
    return sentence(_RULES[name], fields(question, trace, digits))


def _takes_other_slope(question: Question, trace: Trace) -> bool:
    at = facts(question, trace)
    return trace.rules.slope_slot(at.op, at.slot) != at.slot


_RULES: Final[Mapping[str, str]] = {
    "value": "The value of {node} is {formula}, computed from the values of its inputs.",
    "local": "How far does {node} move when {receiver} moves a little and nothing else does?",
    "own input": "Under this mistake {node} takes {receiver} itself as its slope along {receiver}.",
    "contribution": "Chain rule: what {node} got, times its slope along {receiver}.",
    "sum": "Contributions add up: what {receiver} holds, plus what comes along this wire.",
    "sum replaced": "Under this mistake what comes along the wire replaces what {receiver} holds.",
    "final": "Each path from {receiver} to {root} gives the product of its slopes; add these up.",
    "final under a mistake": "Go through the pass with its mistake, and note what {receiver} gets.",
    "sign": "If {receiver}'s gradient is above 0, {root} rises with {receiver}; if it is below 0,"
    " {root} falls.",
    "paths": "Count the ways along the wires from {receiver} to {root}.",
    "upstream": "What fires passes on its own gradient: read it at {node}.",
    "next": "A node may fire when every wire that leads from it to {root} has brought its share.",
    "change": "The new value of {node} minus the old one.",
}

_WORKED = {
    "value": "{node} is computed from the values of its inputs.",
    "local": "The slope of {node} along {receiver} is {slope}.",
    "contribution": "{node} got {upstream}, so {upstream} × … goes to {receiver}: multiply by its"
    " slope along {receiver}.",
    "sum": "{receiver} held {before}, so it holds {before} + … now.",
    "final": "Add up, over all paths from {receiver} to {root}, the product of the slopes.",
    "sign": "{receiver} moves {root} by its gradient times the change.",
    "upstream": "{node} holds it already.",
    "next": _RULES["next"],
    "change": "{node} was {before}; take that from its new value.",
    "paths": _RULES["paths"],
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
