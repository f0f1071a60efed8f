"""Grading: the sentences about a judged answer.

`grade` may name the right number. `said` is for a first try and names no number that is asked for.
`engine.study.judging` decides which of them applies.

>>> from engine import from_expression
>>> from engine.trace import run
>>> trace = run(from_expression("y = a*b", {"a": 2, "b": 3}))
>>> question = Question("local", 3, 0, 2)
>>> [grade(question, trace, text).kind for text in ("3", "2", "4", "three")]
['right', 'slip', 'wrong', 'unread']
>>> grade(question, trace, "2").sentence
'2 is a itself; the slope of × (y) along a is the other factor, 3.'

>>> trace = run(from_expression("e = a*b; d = e + a; L = d*f", {"a": 2, "b": -3, "f": -2}))
>>> questions = [Question(kind, 3, 0, 6) for kind in ("local", "contribution", "sum")]
>>> for judged in judge(trace, list(zip(questions, (2, -4, -6)))):
...     print(first_sentence(judged, trace, questions))
2 is a's own value. If a grows by 1 and b stays, how much does a × b grow?
−4 follows from your 2.
−6 follows from your −4.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from engine.errors import sentence
from engine.graph import Constant, Graph, OpNode
from engine.numbers import DIGITS_SHOWN, MINUS, Digits, parse_number, short, signed
from engine.problems import slope_with_numbers, spoken
from engine.rules import CORRECT
from engine.study.judging import (
    LOST_MINUS_SLIPS,
    Blank,
    Judgement,
    VerdictKind,
    judge,
    number_from_causes,
    read_answer,
)
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
    found = read_answer(text)
    if found.number is None:
        return Verdict("unread", None, found.advice)
    (judged,) = judge(trace, [(question, text)], digits)
    if judged.right:
        return Verdict(judged.verdict, found.number, right_sentence(judged))
    if judged.slip is None:
        return Verdict(judged.verdict, found.number, worked_sentence(question, trace, digits))
    said = slip_sentence(judged.slip, judged.slip_number, question, trace, digits)
    others = " or ".join(slip.name for slip in judged.slips[1:])
    said = f"{said} The same number comes from: {others}." if others else said
    return Verdict(judged.verdict, found.number, said, judged.slips)


def right_sentence(judged: Judgement) -> str:
    """Return what is said of a right number; "" of the very answer."""
    if judged.kind == "right_from_digits":
        full = short(judged.answer, _MANY_DIGITS)
        return sentence(
            "Right from the digits shown; with all digits it is {full}.", {"full": full}
        )
    return "Right, rounded." if judged.kind == "right_rounded" else ""


def worked_sentence(question: Question, trace: Trace, digits: Digits = DIGITS_SHOWN) -> str:
    """Return how the answer is found, with its first factor or summand filled in."""
    return sentence(_WORKED[question.kind], sentence_fields(question, trace, digits))


def sentence_fields(
    question: Question, trace: Trace, digits: Digits = DIGITS_SHOWN
) -> dict[str, object]:
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
    slope = slope_with_numbers(graph, question.node, shown, trace.values)
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


def rule_sentence(question: Question, trace: Trace, digits: Digits = DIGITS_SHOWN) -> str:
    """Return which rule gives the answer in this pass, without any number of the work."""
    name: str = question.kind
    if question.kind == "sum" and not trace.rules.accumulate:
        name = "sum replaced"
    elif question.kind in ("local", "contribution") and _takes_other_slope(question, trace):
        name = "own input"
    elif question.kind == "final" and trace.rules is not CORRECT:
        name = "final under a mistake"
    return sentence(_RULES[name], sentence_fields(question, trace, digits))


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


def slip_sentence(
    slip: Slip, number: float, question: Question, trace: Trace, digits: Digits
) -> str:
    """Return the sentence of a slip; where it was carried on, first what was done with it."""
    wrong = next(
        wrong for wrong, result in wrong_and_result(slip, question, trace) if near(number, result)
    )
    facts_told = {**sentence_fields(question, trace, digits), "wrong": short(wrong, digits)}
    said = sentence(slip.sentence, facts_told)
    if slip.kind == "local" and question.kind != "local":
        return sentence("You took {wrong} as the slope. {told}", {**facts_told, "told": said})
    if slip.kind == "contribution" and question.kind == "sum":
        return sentence("You added {wrong}. {told}", {**facts_told, "told": said})
    return said


_BESIDE_A_CONSTANT = (
    "{wrong} is {receiver}'s own value. If {receiver} grows by 1, how much does {node} grow?"
)
_EXPRESSION_DIGITS = 12
"""Significant digits of what an expression gives, so that it differs from what is asked for."""
_SIGNS = "the size is right; look at the signs."


def first_sentence(
    judged: Judgement, trace: Trace, asked: Sequence[Question] = (), digits: Digits = DIGITS_SHOWN
) -> str:
    """Return what is said of a blank on a first try; "" of the very answer.

    `asked` are all questions of the sentence: none of their answers is named.
    """
    blank = judged.blank
    if judged.right:
        return _lucky_sentence(judged, trace, digits) or right_sentence(judged)
    if judged.kind == "follows":
        typed = " and ".join(cause.quoted for cause in judged.causes)
        return f"{blank.quoted} follows from your {typed}."
    if judged.slip is None:
        return f"{blank.quoted} is not it. {rule_sentence(blank.question, trace, digits)}"
    return first_slip_sentence(judged.slip, judged.slip_number, blank, trace, asked, digits)


def first_slip_sentence(
    slip: Slip,
    number: float,
    blank: Blank,
    trace: Trace,
    asked: Sequence[Question] = (),
    digits: Digits = DIGITS_SHOWN,
) -> str:
    """Return the first sentence of a slip, which gives this number in a blank.

    A slip in an earlier part of the work is told of that part, after how it was carried on; not
    after that where it would name a number that is asked for.
    """
    question = blank.question
    told = sentence_fields(question, trace, digits)
    first = slip.first
    if slip.name == "own value":
        told["other"], fixed = _other_factor(question, trace)
        first = _BESIDE_A_CONSTANT if fixed else first
    if slip.kind == question.kind or _is_bare(slip, number, question, trace):
        return sentence(first, {**told, "wrong": _typed_number(blank)})
    lost = slip.name in LOST_MINUS_SLIPS
    if lost and question.kind == "contribution":
        return first
    found = wrong_and_result(slip, question, trace)
    wrong = short(next(x for x, result in found if near(number, result)), digits)
    if _names_too_much(slip, wrong, question, trace, asked, digits):
        what = "the slope you took" if slip.kind == "local" else "what you took"
        if lost:
            return f"In {what} {_SIGNS}"
        return sentence(first, {**told, "wrong": what[0].upper() + what[1:]})
    if question.kind == "sum":
        lead = f"{_typed_number(blank)} is {_sum_text(str(told['before']), wrong)}"
    else:
        lead = f"{_typed_number(blank)} is {told['upstream']} × {wrong}"
    if lost:
        return f"{lead}. In {wrong} {_SIGNS}"
    return f"{lead}, and {sentence(first, {**told, 'wrong': wrong})}"


def _is_bare(slip: Slip, number: float, question: Question, trace: Trace) -> bool:
    """Return whether a number for a contribution is that of a slip of the slope as it is."""
    if question.kind != "contribution":
        return False
    return any(near(number, own) for own in slip.numbers(question, trace))


def _other_factor(question: Question, trace: Trace) -> tuple[str, bool]:
    """Return the name of the other factor of a product, and whether that is its number."""
    graph = trace.graph
    source = graph.source((question.node, 1 - question.slot))
    assert source is not None
    fixed = isinstance(graph.nodes[source], Constant) and not graph.label(source)
    return graph.brief(source), fixed


def _names_too_much(
    slip: Slip,
    wrong: str,
    question: Question,
    trace: Trace,
    asked: Sequence[Question],
    digits: Digits,
) -> bool:
    """Return whether saying how a slip was carried on names what is asked for, or is far to go."""
    is_far = slip.kind == "local" and question.kind == "sum"
    if is_far or (question.kind == "sum" and not trace.rules.accumulate):
        return True
    at = facts(question, trace)
    begin = short(at.before if question.kind == "sum" else at.upstream, digits)
    known = {_size(short(answer(q, trace), digits)) for q in (question, *asked)}
    return not known.isdisjoint((_size(begin), _size(wrong)))


def _lucky_sentence(judged: Judgement, trace: Trace, digits: Digits) -> str:
    """Return that a right number does not come from the wrong one before it; "" if it has none."""
    causes, question = judged.causes, judged.blank.question
    if not causes or near(number_from_causes(causes, question, trace), judged.answer):
        return ""
    at, right = facts(question, trace), short(judged.answer, digits)
    numbers = {cause.question.kind: _typed_number(cause) for cause in causes}
    typed = numbers.get("contribution")
    if typed is None:
        upstream = numbers.get("upstream", short(at.upstream, digits))
        typed = f"{upstream} × {numbers.get('local', short(at.local, digits))}"
    if question.kind == "contribution":
        answered = signed(judged.answer, digits)
    elif trace.rules.accumulate:
        answered, typed = right, _sum_text(short(at.before, digits), typed)
    else:
        return ""
    return f"{answered} is right, but {typed} is not {right}."


def _typed_number(blank: Blank) -> str:
    """Return the number in a blank as it was typed; what an expression gives."""
    typed = parse_number(blank.text) is not None
    return blank.quoted if typed else short(blank.number, _EXPRESSION_DIGITS)


def _sum_text(first: str, second: str) -> str:
    """Return a sum of two written numbers, the second with its own sign."""
    return f"{first} − {second[1:]}" if second.startswith(MINUS) else f"{first} + {second}"


def _size(text: str) -> str:
    return text.replace(MINUS, "")
