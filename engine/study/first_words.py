"""First words: what is said of the blanks of a try, without any number that is asked for.

The sentences about a right number, a slip, a number that follows from another one, and any other.
What may name the right number, for the worked line, is in `engine.study.grading`.

>>> from engine import from_expression
>>> from engine.study.judging import judge
>>> from engine.trace import run
>>> trace = run(from_expression("e = a*b; d = e + a; L = d*f", {"a": 2, "b": -3, "f": -2}))
>>> kinds = ("local", "contribution", "sum")
>>> questions = [Question(kind, 3, 0, 6) for kind in kinds]
>>> for judged in judge(trace, list(zip(questions, (2, -4, -6)))):
...     print(said(judged, trace, questions))
2 is a's own value. If a grows by 1 and b stays, how much does a × b grow?
−4 follows from your 2.
−6 follows from your −4.
"""

from collections.abc import Sequence

from engine.errors import sentence
from engine.graph import Constant
from engine.numbers import DIGITS_SHOWN, MINUS, Digits, parse_number, short, signed
from engine.study.grading import fields, right_said, rule
from engine.study.judging import MINUS_LOST, Blank, Judgement, led_to
from engine.study.question import Question, answer, facts, near
from engine.study.slips import Slip, wrong_and_result
from engine.trace import Trace

_BESIDE_A_CONSTANT = (
    "{wrong} is {receiver}'s own value. If {receiver} grows by 1, how much does {node} grow?"
)
_MANY_DIGITS = 12
"""Significant digits of what an expression gives, so that it differs from what is asked for."""
_SIGNS = "the size is right; look at the signs."


def said(
    judged: Judgement, trace: Trace, asked: Sequence[Question] = (), digits: Digits = DIGITS_SHOWN
) -> str:
    """Return what is said of a blank on a first try; "" of the very answer.

    `asked` are all questions of the sentence: none of their answers is named.
    """
    blank = judged.blank
    if judged.right:
        return _but(judged, trace, digits) or right_said(judged)
    if judged.kind == "follows":
        typed = " and ".join(cause.quoted for cause in judged.causes)
        return f"{blank.quoted} follows from your {typed}."
    if judged.slip is None:
        return f"{blank.quoted} is not it. {rule(blank.question, trace, digits)}"
    return slip_said(judged.slip, judged.slip_number, blank, trace, asked, digits)


def slip_said(
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
    told = fields(question, trace, digits)
    first = slip.first
    if slip.name == "own value":
        told["other"], fixed = _other_factor(question, trace)
        first = _BESIDE_A_CONSTANT if fixed else first
    if slip.kind == question.kind or _is_bare(slip, number, question, trace):
        return sentence(first, {**told, "wrong": _number(blank)})
    lost = slip.name in MINUS_LOST
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
        lead = f"{_number(blank)} is {_added(str(told['before']), wrong)}"
    else:
        lead = f"{_number(blank)} is {told['upstream']} × {wrong}"
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


def _but(judged: Judgement, trace: Trace, digits: Digits) -> str:
    """Return that a right number does not come from the wrong one before it; "" if it has none."""
    causes, question = judged.causes, judged.blank.question
    if not causes or near(led_to(causes, question, trace), judged.answer):
        return ""
    at, right = facts(question, trace), short(judged.answer, digits)
    numbers = {cause.question.kind: _number(cause) for cause in causes}
    typed = numbers.get("contribution")
    if typed is None:
        upstream = numbers.get("upstream", short(at.upstream, digits))
        typed = f"{upstream} × {numbers.get('local', short(at.local, digits))}"
    if question.kind == "contribution":
        answered = signed(judged.answer, digits)
    elif trace.rules.accumulate:
        answered, typed = right, _added(short(at.before, digits), typed)
    else:
        return ""
    return f"{answered} is right, but {typed} is not {right}."


def _number(blank: Blank) -> str:
    """Return the number in a blank as it was typed; what an expression gives."""
    typed = parse_number(blank.text) is not None
    return blank.quoted if typed else short(blank.number, _MANY_DIGITS)


def _added(first: str, second: str) -> str:
    """Return a sum of two written numbers, the second with its own sign."""
    return f"{first} − {second[1:]}" if second.startswith(MINUS) else f"{first} + {second}"


def _size(text: str) -> str:
    return text.replace(MINUS, "")
