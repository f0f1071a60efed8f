"""Revealing: the short sentence under each choice of a question, once it is answered.

It has at most 56 characters and no subject: the choice above it is its subject. Where names and
numbers are too long, names are shortened, then the second half is omitted, then all numbers.

>>> from engine import from_expression
>>> from engine.asking.beliefs import belief_numbers
>>> from engine.trace import run
>>> trace = run(from_expression("e = a*b; d = e + a; L = d*f", {"a": 2, "b": -3, "f": -2}))
>>> question = Question("contribution", 3, 0, 6)
>>> right_reveal(question, trace)
'upstream −2 times slope −3. Two minus signs make plus.'
>>> slip, number = next(belief_numbers(question, trace))
>>> belief_reveal(slip, number, question, trace)
'took a itself, 2, as the slope; the slope is b, −3.'
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from engine.asking.answering import first_half, lacks_upstream, rule_name, sentence_fields
from engine.asking.beliefs import Belief, wrong_behind
from engine.asking.hand_run import click_slip, fired_before, waits_for
from engine.asking.kinds import KINDS, answer
from engine.asking.paths import path_count
from engine.asking.question import Question, changed_value, facts, final_gradient, near, receiver
from engine.errors import sentence
from engine.graph import Constant
from engine.numbers import DIGITS_SHOWN, Digits, short, signed
from engine.problems import short_name_with_op
from engine.rules import CORRECT
from engine.trace import Trace

SAY_LIMIT: Final = 56
"""Characters of the sentence under a choice in a room."""
UNKNOWN_NUMBER: Final = "no known slip"
"""Under a number that is neither right nor that of a slip."""
_NAME_LENGTHS: Final = (16, 10, 6)
"""Characters of a name, tried in this order."""
_NEEDED: Final = {1.0: "above 0", -1.0: "below 0", 0.0: "of 0"}
"""The gradient at which the root rises, falls or stays."""
_USES: Final = {
    "local": "took {thing}, {wrong}, as the slope",
    "contribution": "added {thing}, {wrong}",
}
"""The use of a wrong intermediate result in the contribution or the sum, by its kind."""


def belief_reveal(
    belief: Belief, number: float, question: Question, trace: Trace, digits: Digits = DIGITS_SHOWN
) -> str:
    """Return the sentence under a slip's number; of a slip in an intermediate result, its use."""
    wrong = wrong_behind(belief, number, question, trace)
    said = belief.said or belief.brief
    is_direct = belief.kind == question.kind or lacks_upstream(belief, number, question, trace)
    if not is_direct and not near(wrong, number):
        said = _with_use(said, belief)
    forms = [said, first_half(said)]
    if belief.name in _TRUE_WITHOUT_MISTAKES and trace.rules is not CORRECT:
        forms = forms[1:]
    texts = _texts(forms, question, trace, digits, wrong=short(wrong, digits))
    return _fitting(texts, f"{belief.brief}.")


def right_reveal(question: Question, trace: Trace, digits: Digits = DIGITS_SHOWN) -> str:
    """Return the sentence under the right answer: its derivation."""
    rule = _right_rule(question, trace)
    *longer, last = _RULE_FORMS.get(rule, KINDS[question.kind].reveals)
    return _fitting(_texts(longer, question, trace, digits), last)


def sign_reveal(
    sign: float, question: Question, trace: Trace, digits: Digits = DIGITS_SHOWN
) -> str:
    """Return the sentence under a sign: the gradient, and the one that this sign requires."""
    is_right = sign == answer(question, trace)
    needed = _NEEDED[sign]
    forms = ["{receiver}.grad is {gradient}, {needed}."]
    if not is_right:
        forms = ["needs a gradient {needed}; {receiver}.grad is {gradient}."]
        forms += ["needs a gradient {needed}; it is {gradient}."]
    gradient = short(final_gradient(question.node, trace), digits)
    needed = "exactly 0" if is_right and not sign else needed
    texts = _texts(forms, question, trace, digits, gradient=gradient, needed=needed)
    return _fitting(texts, "read it off the gradient.")


def next_reveal(node: int, question: Question, trace: Trace) -> str:
    """Return the sentence under a node: the reason why it may or may not fire next."""
    belief = click_slip(trace, question.step, node)
    if belief is None:
        forms = ["got what each wire from it to {root} brings.", "got all that comes to it."]
        return _fitting(_texts(forms, question, trace, DIGITS_SHOWN), forms[-1])
    fired = fired_before(trace, question.step)
    awaited = next((t for t, _slot in waits_for(trace.graph, trace.root, fired, node)), node)
    forms = [belief.said, first_half(belief.said)]
    texts = _texts(forms, question, trace, DIGITS_SHOWN, awaited=awaited)
    return _fitting(texts, f"is {belief.brief}.")


def mistake_reveal(first: int | None, *, right: bool) -> str:
    """Return the sentence under a mistake: the first step that distinguishes it.

    `first` is the first step at which the pass on the screen differs from the correct one or, under
    another mistake, from the pass with that one; None if no step differs.
    """
    if first is None:
        return "shows the same pass here."
    if right:
        return f"goes wrong first at step {first:,}."
    return f"differs from this pass at step {first:,}."


# forms


def _with_use(said: str, belief: Belief) -> str:
    """Return `took a itself, 2, as the slope; …` for the slip `is a itself; …`."""
    if not said.startswith("is "):
        return said
    thing, semicolon, rest = said.removeprefix("is ").removesuffix(".").partition("; ")
    used = _USES[belief.kind].replace("{thing}", thing)  # not format: thing has fields of its own
    return f"{used}; {rest}." if semicolon else f"{used}."


_TRUE_WITHOUT_MISTAKES: Final = ("one path only", "multiplied")
"""Beliefs of whose sentences the second half is a rule that mistakes break."""


_RULE_FORMS: Final[Mapping[str, tuple[str, ...]]] = {
    "own input": ("under this mistake {name} takes {receiver} as slope.", "the slope taken here."),
    "sum replaced": ("replaced the {before} that {receiver} held.", "what came along this wire."),
    "one path": ("the product of the slopes from {receiver} to {root}.", "one product of slopes."),
    "the root": ("the seed of the pass.",),
    "final under a mistake": (
        "what {receiver} holds after this pass, with its mistake.",
        "what it holds after this pass, with its mistake.",
    ),
}
"""What stands under a right answer where a rule of its own holds, as in `QuestionKind.reveals`."""


def _right_rule(question: Question, trace: Trace) -> str:
    """Return the rule by which a right answer is explained; of most it is their kind."""
    if question.kind == "contribution":
        return "contribution"
    if (rule := rule_name(question, trace)) != "final":
        return rule
    if question.node == trace.root:
        return "the root"
    paths = path_count(trace.graph, question.node, trace.root)
    return {1: "one path"}.get(paths, "final")


def _sign_remark(question: Question, trace: Trace) -> str:
    """Return the rule of signs behind a space; "" without a minus sign, for 0 and nan."""
    at = facts(question, trace)
    minuses = (at.upstream < 0) + (at.local < 0)
    if at.upstream == 0 or at.local == 0 or at.contribution != at.contribution:
        return ""
    return ("", " One minus sign makes minus.", " Two minus signs make plus.")[minuses]


def _texts(
    forms: Iterable[str],
    question: Question,
    trace: Trace,
    digits: Digits,
    *,
    awaited: int | None = None,
    **extra: str,
) -> Iterator[str]:
    """Yield each form filled, with names of 16, 10, then 6 characters."""
    for form in forms:
        for longest in _NAME_LENGTHS:
            fields = _fields(question, trace, digits, longest) | extra
            if awaited is not None:
                fields["awaited"] = trace.graph.brief(awaited, longest)
            yield sentence(form, fields)


def _fields(question: Question, trace: Trace, digits: Digits, longest: int) -> dict[str, object]:
    """Return the fields of the forms: those of a sentence, with short names."""
    graph = trace.graph
    fields = sentence_fields(question, trace, digits) | {
        "node": short_name_with_op(graph, question.node, longest),
        "name": graph.brief(question.node, longest),
        "receiver": graph.brief(receiver(question, trace), longest),
        "root": graph.brief(trace.root, longest),
    }
    if question.kind in ("final", "paths"):
        fields["paths"] = f"{path_count(graph, question.node, trace.root):,}"
    if question.kind == "change":
        fields["leaf"] = graph.brief(question.leaf, longest)
        fields["change"] = signed(answer(question, trace), digits)
        fields["new"] = short(changed_value(question, trace), digits)
    if question.wire is not None:
        at = facts(question, trace)
        fields["sent"] = signed(at.contribution, digits)
        fields["product"] = sentence("upstream {upstream} times slope {local}.", fields)
        fields["remark"] = _sign_remark(question, trace)
        fields["factor"] = _factor(question, trace, str(fields["local"]), longest)
    return fields


def _factor(question: Question, trace: Trace, local: str, longest: int) -> str:
    """Return the other factor of a product with its number: `b, −3`, of a constant `3`.

    Of another operation it is the slope.
    """
    graph = trace.graph
    if graph.op(question.node).name != "mul":
        return local
    inputs = graph.inputs(question.node)
    other = inputs[1 - question.slot] if len(inputs) == 2 else None
    if other is None or (isinstance(graph.nodes[other], Constant) and not graph.label(other)):
        return local
    return f"{graph.brief(other, longest)}, {local}"


def _fitting(texts: Iterable[str], otherwise: str) -> str:
    """Return the first text of at most SAY_LIMIT characters, else `otherwise`."""
    return next((text for text in texts if len(text) <= SAY_LIMIT), otherwise)
