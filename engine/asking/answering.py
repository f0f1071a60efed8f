"""Grading: the feedback sentences about a judged answer.

`grade` may name the right number. `first_try_feedback` is the feedback on a first try: it names no
number that is still asked for. `engine.asking.judging` finds the verdict.

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
...     print(first_try_feedback(judged, trace, questions))
2 is a's own value: where a stands. If a grows by 1 and b stays, how much does a × b grow?
−4 follows from your 2.
−6 follows from your −4.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from engine.asking.beliefs import LOST_MINUS, Belief, wrong_behind
from engine.asking.inference import ideas_of
from engine.asking.judging import (
    Blank,
    Judgement,
    VerdictKind,
    judge,
    number_from_causes,
    read_answer,
)
from engine.asking.kinds import KINDS, answer
from engine.asking.number_fields import FieldTrace
from engine.asking.question import Question, facts, near, receiver
from engine.asking.reasons import because, first_reason, question_alone
from engine.errors import sentence
from engine.graph import OpNode
from engine.numbers import DIGITS_SHOWN, MINUS, Digits, are_apart, parse_number, short, signed
from engine.problems import formula, name_with_op, slope_with_numbers
from engine.rules import BY_NAME, CORRECT
from engine.trace import Trace

RIGHT_ROUNDED: Final = "Right, rounded."
_FULL_DIGITS = 8
"""Significant digits that tell an exact answer from the rounded one that the learner read."""


class Verdict(Struct, frozen=True):
    """The verdict on an answer: its kind, the number read, the slips behind it, and a sentence."""

    kind: VerdictKind
    number: float | None
    sentence: str
    slips: tuple[Belief, ...] = ()

    @property
    def right(self) -> bool:
        """Whether the answer counts as right: exact or rounded."""
        return self.kind in ("right", "rounded")


def grade(question: Question, trace: Trace, text: str, digits: Digits = DIGITS_SHOWN) -> Verdict:
    """Judge an answer's text; `digits` is the precision of numbers in the sentence."""
    reading = read_answer(text)
    if reading.number is None:
        return Verdict("unread", None, reading.advice)
    (judged,) = judge(trace, [(question, text)], digits)
    if judged.right:
        return Verdict(judged.verdict, reading.number, right_sentence(judged))
    if judged.slip is None:
        told = because(question, trace, digits)
        worked = rule_sentence(question, trace, digits) if told is None else told.text
        return Verdict(judged.verdict, reading.number, worked)
    explanation = belief_sentence(judged.slip, judged.slip_number, question, trace, digits)
    ideas = ideas_of((judged.slip.name,))
    others = [x for x in judged.slips[1:] if not ideas or ideas_of((x.name,)) != ideas]
    # a mistake is called as in the menus
    names = [f"“{x.brief}”" if x.name in BY_NAME else x.brief for x in others]
    explanation = f"{explanation} Or is it {' or '.join(names)}?" if names else explanation
    return Verdict(judged.verdict, reading.number, explanation, judged.slips)


def right_sentence(judged: Judgement) -> str:
    """Return the comment on a right but rounded number; "" if it is exact."""
    if judged.kind == "right_from_digits":
        full = short(judged.answer, _FULL_DIGITS)
        return f"Right from the digits shown; with all digits it is {full}."
    return RIGHT_ROUNDED if judged.kind == "right_rounded" else ""


def sentence_fields(
    question: Question, trace: Trace, digits: Digits = DIGITS_SHOWN
) -> dict[str, object]:
    """Return the fields of the sentence templates for a question; all numbers are texts."""
    if isinstance(trace, FieldTrace):
        key = sentence_fields, question, digits
        return trace.once(key, lambda: _sentence_fields(question, trace, digits))
    return _sentence_fields(question, trace, digits)


def _sentence_fields(question: Question, trace: Trace, digits: Digits) -> dict[str, object]:
    graph = trace.graph
    fields: dict[str, object] = {
        "node": name_with_op(graph, question.node, brief=True),
        "receiver": graph.brief(receiver(question, trace)),
        "root": graph.brief(trace.root),
        "answer": short(answer(question, trace), digits),
    }
    if isinstance(graph.nodes[question.node], OpNode):
        fields["formula"] = formula(graph, question.node, digits)
    if question.kind == "change":
        fields["leaf"] = graph.brief(question.leaf)
        fields["before"] = short(trace.values[question.node], digits)
    if question.wire is None:
        return fields
    at = facts(question, trace)
    names = ("value", "upstream", "local", "contribution", "before", "after")
    texts = {name: short(getattr(at, name), digits) for name in names}
    texts["input"] = short(at.inputs[at.slot], digits)
    return fields | texts


def _slope_fields(question: Question, trace: Trace, digits: Digits) -> dict[str, object]:
    at = facts(question, trace)
    slope_slot, local = trace.rules.slope_slot(at.op, at.slot), short(at.local, digits)
    slope = slope_with_numbers(trace.graph, question.node, slope_slot, trace.values)
    worked = f"{slope} = {local}" if are_apart((slope,), (local,)) else slope
    factor = f"the other factor, {local}" if at.op.name == "mul" else worked
    return {"slope": worked, "factor_or_slope": factor}


def rule_sentence(question: Question, trace: Trace, digits: Digits = DIGITS_SHOWN) -> str:
    """Return the question that leads to the answer, or the rule that gives it, without a number."""
    if asked := question_alone(question, trace, digits):
        return asked
    fields = sentence_fields(question, trace, digits)
    rule = _UNDER_A_MISTAKE.get(rule_name(question, trace), KINDS[question.kind].rule)
    return sentence(rule, fields)


def rule_name(question: Question, trace: Trace) -> str:
    """Return the kind of a question, or the rule in its place of the mistake in its pass."""
    rules, kind = trace.rules, question.kind
    if kind == "sum" and not rules.accumulate:
        return "sum replaced"
    if kind == "final" and rules is not CORRECT:
        return "final under a mistake"
    if kind in ("local", "contribution"):
        at = facts(question, trace)
        return "own input" if rules.slope_slot(at.op, at.slot) != at.slot else kind
    return kind


_UNDER_A_MISTAKE: Final[Mapping[str, str]] = {
    "own input": "Under this mistake {node} takes {receiver} itself as its slope along {receiver}.",
    "sum replaced": "Under this mistake what comes along the wire replaces what {receiver} holds.",
    "final under a mistake": "Go through the pass with its mistake, and note what {receiver} gets.",
}


def belief_sentence(
    belief: Belief, number: float, question: Question, trace: Trace, digits: Digits
) -> str:
    """Return the sentence of a slip, after the use of its number in a later part of the work."""
    wrong = short(wrong_behind(belief, number, question, trace), digits)
    fields = {**sentence_fields(question, trace, digits), "wrong": wrong}
    if "slope}" in belief.sentence:
        fields |= _slope_fields(question, trace, digits)
    used = _USES.get(belief.kind, "") if belief.kind != question.kind else ""
    return sentence(f"{used}{belief.sentence}", fields)


_USES: Final = {"local": "You took {wrong} as the slope. ", "contribution": "You added {wrong}. "}
"""The use of a wrong number in a later part of the work, by its kind."""


_EXPRESSION_DIGITS = 12
"""Significant digits of a typed expression's result: more than those of the right answer shown, so
that a wrong result close to it is not displayed like it."""


def first_try_feedback(
    judged: Judgement, trace: Trace, asked: Sequence[Question] = (), digits: Digits = DIGITS_SHOWN
) -> str:
    """Return the feedback on a blank at the first try, a sentence; "" if it is exact.

    `asked` are the questions of the sentence: none of their answers is revealed.
    """
    blank = judged.blank
    if judged.right:
        return _lucky_sentence(judged, trace, digits) or right_sentence(judged)
    if judged.kind == "follows":
        typed = " and ".join(cause.quoted for cause in judged.causes)
        return f"{blank.quoted} follows from your {typed}."
    unknown = f"{blank.quoted} is not it. {rule_sentence(blank.question, trace, digits)}"
    if judged.slip is None:
        return unknown
    if (text := _reason_text(judged, trace, asked, digits)) is not None:
        return text
    return belief_text(judged.slip, judged, trace, asked, digits) or unknown


def belief_text(
    belief: Belief, judged: Judgement, trace: Trace, asked: Sequence[Question], digits: Digits
) -> str:
    """Return the first sentence of a belief without a reason here; "" if it would tell too much.

    That of a wrong slope is preceded by its product with the upstream gradient.
    """
    question, number, typed = judged.blank.question, judged.slip_number, _typed_number(judged.blank)
    fields = {**sentence_fields(question, trace, digits), "wrong": typed}
    asks = "" if belief.first else f" {rule_sentence(question, trace, digits)}"
    if belief.kind == question.kind or lacks_upstream(belief, number, question, trace):
        return f"{_fact(belief, fields)}{asks}"
    if question.kind != "contribution":
        return ""
    if belief.name in LOST_MINUS:
        return _fact(belief, fields)
    wrong = short(wrong_behind(belief, number, question, trace), digits)
    sizes = [short(answer(q, trace), digits) for q in (question, *asked)]
    if not are_apart(sizes, (str(fields["upstream"]), wrong)):
        return ""
    told = _fact(belief, {**fields, "wrong": wrong})
    return f"{typed} is {fields['upstream']} × {wrong}, and {told}{asks}"


def _fact(belief: Belief, fields: Mapping[str, object]) -> str:
    """Return what is said of a belief's number at the first try."""
    if belief.first:
        return sentence(belief.first, fields)
    return sentence("{wrong} {said}", {**fields, "said": sentence(first_half(belief.said), fields)})


def first_half(said: str) -> str:
    """Return what is said of a slip up to a semicolon."""
    first, semicolon, _rest = said.partition("; ")
    return f"{first}." if semicolon else said


def _reason_text(
    judged: Judgement, trace: Trace, asked: Sequence[Question], digits: Digits
) -> str | None:
    """Return the first sentence of a belief's reason; None where it has none that may be said.

    It holds no answer that is still asked for, but for the number that was typed. A number that
    only rounds to that of the belief is called about it.
    """
    number, blank = judged.slip_number, judged.blank
    question = blank.question
    reason = first_reason(judged.slips, number, question, trace, digits)
    if reason is None:
        return None
    shown, typed = short(number, digits), _typed_number(blank)
    numbers = {_without_sign(text) for text in reason.first.texts}
    others = {_without_sign(short(answer(q, trace), digits)) for q in asked if q != question}
    own = _without_sign(short(answer(question, trace), digits))
    if not numbers.isdisjoint(others) or own in numbers - {_without_sign(shown)}:
        return None
    text = reason.first.text
    if near(blank.number, number) or short(blank.number, digits) == shown:
        return text.replace(shown, typed, 1)
    about = text.removeprefix(f"{shown} is ")
    return None if about == text else f"{typed} is about {about}"


def lacks_upstream(belief: Belief, number: float, question: Question, trace: Trace) -> bool:
    """Return whether a slip's wrong slope was given for the contribution, without upstream."""
    if question.kind != "contribution":
        return False
    return any(near(number, slope) for slope in belief.numbers(question, trace))


def _lucky_sentence(judged: Judgement, trace: Trace, digits: Digits) -> str:
    """Return the remark that a right number does not follow from wrong ones before it, or ""."""
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
    """Return the number in a blank as it was typed, or the result of a typed expression."""
    typed = parse_number(blank.text) is not None
    return blank.quoted if typed else short(blank.number, _EXPRESSION_DIGITS)


def _sum_text(first: str, second: str) -> str:
    """Return `first + second` in text; a negative second number becomes a difference."""
    return f"{first} − {second[1:]}" if second.startswith(MINUS) else f"{first} + {second}"


def _without_sign(text: str) -> str:
    return text.replace(MINUS, "")
