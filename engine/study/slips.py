"""SLIPS: what a wrong answer gives away, as numbers that wrong beliefs produce.

Each slip computes its numbers from the facts of a question. One that belongs to an earlier part of
the work is carried on: a wrong local derivative times the upstream gradient is a wrong
contribution, and that added to what was held is a wrong sum. A slip whose number is the right
answer can't be seen there and has no number.

>>> from engine import from_expression
>>> from engine.study.question import Question
>>> from engine.trace import run
>>> trace = run(from_expression("y = a*b", {"a": 2, "b": 3}))
>>> [(slip.name, number) for slip, number in slip_numbers(Question("local", 3, 0, 2), trace)][::2]
[('own value', 2.0), ('value for slope', 6.0)]
"""

from collections.abc import Iterator
from itertools import chain

from msgspec import Struct

from engine.rules import MISTAKES, Rules
from engine.study import beliefs
from engine.study.beliefs import Numbers
from engine.study.facts import StepFacts
from engine.study.question import Kind, Question, answer, facts, near, size
from engine.trace import Trace


class Slip(Struct, frozen=True):
    """One wrong belief: its name, sentences to the learner, and the numbers it produces.

    `kind` is the question it is about; `numbers` is () where it does not apply. `sentence` says it
    all; `first` is said of a first try and holds no number that is asked for; `brief` has at most
    56 characters. The fields of the two sentences are those of `engine.study.grading`.
    """

    name: str
    kind: Kind
    sentence: str
    numbers: Numbers
    first: str
    brief: str


_SIGNS = "The size is right; look at the signs."
_PART = "{wrong} is a part of the slope; something is missing."
_UNDER = "{wrong} comes out under “{mistake}”."

SLIPS: tuple[Slip, ...] = (
    Slip(
        "own value",
        "local",
        "{wrong} is {receiver} itself; the slope of {node} along {receiver} is the other factor,"
        " {local}.",
        beliefs.own_value,
        "{wrong} is {receiver}'s own value. If {receiver} grows by 1 and {other} stays, how"
        " much does {formula} grow?",
        "the own value taken for the slope of a product",
    ),
    Slip(
        "minus lost in the slope",
        "local",
        "A minus was lost: the slope of {node} along {receiver} is {slope}.",
        beliefs.lost_minus,
        _SIGNS,
        "a minus lost in the slope",
    ),
    Slip(
        "upstream forgotten",
        "contribution",
        "{wrong} is the local derivative alone; {node} got {upstream}, so {upstream} × {local} goes"
        " to {receiver}.",
        beliefs.upstream_forgotten,
        "{wrong} is the slope alone. What did {node} get?",
        "the slope alone, without what the node got",
    ),
    Slip(
        "local derivative forgotten",
        "contribution",
        "{wrong} is what {node} got; times its slope along {receiver}, {local}, it goes on.",
        beliefs.local_forgotten,
        "{wrong} is what {node} got. If {receiver} grows by 1, how much does {node} grow?",
        "what the node got, without its slope",
    ),
    Slip(
        "replaced",
        "sum",
        "{receiver} held {before} already, and a contribution is added to it:"
        " {before} + {contribution}.",
        beliefs.replaced,
        "{wrong} came now; {receiver} held something already.",
        "what came now, without what was held",
    ),
    Slip(
        "not added",
        "sum",
        "{wrong} is what {receiver} held before; now {contribution} is added.",
        beliefs.not_added,
        "{wrong} was there before; something came now.",
        "what was held, without what came now",
    ),
    Slip(
        "minus lost",
        "contribution",
        "A minus was lost: {upstream} × {local} = {contribution}.",
        beliefs.sign_lost,
        _SIGNS,
        "a minus lost in the product",
    ),
    Slip(
        "other input's slope",
        "contribution",
        "{wrong} goes to the other input of {node}; its slope along {receiver} is {local}.",
        beliefs.other_slot,
        "{wrong} goes to the other input of {node}.",
        "what goes to the other input",
    ),
    Slip(
        "slope at the output",
        "local",
        "{wrong} is the slope at the value of {node}; take it at its input, {receiver} = {input}:"
        " {local}.",
        beliefs.slope_at_output,
        "{wrong} is the slope at the value of {node}. Use its input instead.",
        "the slope at the value instead of the input",
    ),
    Slip(
        "exponent not in front",
        "local",
        "The exponent comes down as a factor too: {slope}.",
        beliefs.exponent_not_in_front,
        _PART,
        "the exponent not put in front",
    ),
    Slip(
        "exponent not lowered",
        "local",
        "The exponent comes down in front and is then lowered by 1: {slope}.",
        beliefs.exponent_kept,
        "{wrong} has the exponent in front. Is it lowered as well?",
        "the exponent not lowered by 1",
    ),
    Slip(
        "factor forgotten",
        "local",
        "{wrong} is only a part of the slope of {node}: it is {slope}.",
        beliefs.factor_forgotten,
        _PART,
        "a factor of the slope forgotten",
    ),
    Slip(
        "value for slope",
        "local",
        "{wrong} is the value of {node}; its slope along {receiver} is {slope}.",
        beliefs.value_for_slope,
        "{wrong} is the value of {node}, not its slope.",
        "the value taken for the slope",
    ),
    Slip(
        "value for upstream",
        "contribution",
        "{wrong} is the value of {node} times {local}; what counts is its gradient, {upstream}.",
        beliefs.value_upstream,
        "{wrong} uses the value of {node}, not its gradient.",
        "the value taken for the gradient",
    ),
    Slip(
        "factors added",
        "contribution",
        "The chain rule multiplies: {upstream} × {local}, not {upstream} + {local}.",
        beliefs.factors_added,
        "{wrong} is a sum; the chain rule multiplies.",
        "upstream and slope added, not multiplied",
    ),
    Slip(
        "counted twice",
        "sum",
        "{contribution} comes along this wire once, not twice: {before} + {contribution}.",
        beliefs.counted_twice,
        "{wrong} counts this wire twice.",
        "this wire counted twice",
    ),
    Slip(
        "multiplied",
        "sum",
        "Contributions are added, not multiplied: {before} + {contribution}.",
        beliefs.sum_multiplied,
        "{wrong} is a product; contributions add.",
        "contributions multiplied, not added",
    ),
    Slip(
        "product as sum",
        "local",
        "1 would be the slope of a sum; {node} is a product, and its slope along {receiver} is the"
        " other factor, {local}.",
        beliefs.product_as_sum,
        "{wrong} is the slope of a sum; {node} is a product.",
        "a product treated as a sum",
    ),
    Slip(
        "sum as product",
        "local",
        "{wrong} would be the slope of a product; {node} is a sum, and its slope along each input"
        " is 1.",
        beliefs.sum_as_product,
        "{wrong} is the slope of a product; {node} is a sum.",
        "a sum treated as a product",
    ),
    Slip(
        "one path only",
        "final",
        "{wrong} is the share of one path; all paths from {receiver} to {root} add up.",
        beliefs.one_path,
        "{wrong} is one path. How many lead from {receiver} to {root}?",
        "one path of several",
    ),
    Slip(
        "value for gradient",
        "final",
        "{wrong} is the value of {receiver}; its gradient says how fast {root} changes with it.",
        beliefs.value_for_gradient,
        "{wrong} is the value of {node}, not its gradient.",
        "the value taken for the gradient",
    ),
    *(
        Slip(
            rules.name,
            "final",
            rules.sentence,
            beliefs.under(rules),
            _UNDER.replace("{mistake}", rules.title),
            rules.title,
        )
        for rules in MISTAKES
    ),
    Slip(
        "new value",
        "change",
        "{wrong} is the new value of {node}; it was {before}, so it changed by {answer}.",
        beliefs.new_value,
        "{wrong} is the new value of {node}. By how much did it change?",
        "the new value taken for the change",
    ),
    Slip(
        "leaf's own change",
        "change",
        "{wrong} is the change of {leaf}; that of {node} is {answer}.",
        beliefs.leafs_own_change,
        "{wrong} is the change of {leaf}.",
        "the change of the leaf itself",
    ),
    Slip(
        "slope alone",
        "change",
        "{wrong} is the change for 1 more of {leaf}; here {node} changes by {answer}.",
        beliefs.slope_alone,
        "{wrong} is the change for 1 more of {leaf}.",
        "the change for 1 more of the leaf",
    ),
    Slip(
        "other way round",
        "change",
        "{wrong} is the old value minus the new one; the change is {answer}.",
        beliefs.other_way_round,
        "The size is right; look at the sign.",
        "the old value minus the new one",
    ),
)
"""In the order of likelihood: of several that give the same number the first is told."""

_GIVEN_BARE = ("own value", "value for slope")
"""Slips of the slope whose number is also given for the whole contribution."""

BY_NAME: dict[str, Slip] = {slip.name: slip for slip in SLIPS}


def slip_numbers(question: Question, trace: Trace) -> Iterator[tuple[Slip, float]]:
    """Yield each slip that can be seen in an answer, with its number; one may have several."""
    right, scale = answer(question, trace), size(question, trace)
    for results in (carried, _bare):
        for slip in SLIPS:
            for _wrong, number in results(slip, question, trace):
                if not near(number, right, scale):
                    yield slip, number


def wrong_and_result(slip: Slip, question: Question, trace: Trace) -> Iterator[tuple[float, float]]:
    """Yield each number of a slip, and what it leads to in the answer asked for."""
    return chain(carried(slip, question, trace), _bare(slip, question, trace))


def carried(slip: Slip, question: Question, trace: Trace) -> Iterator[tuple[float, float]]:
    """Yield each number of a slip, and that carried on through the later parts of the work."""
    parts = _PARTS.get(question.kind, ())
    if slip.kind not in parts:
        return
    later = parts[parts.index(slip.kind) + 1 :]
    for wrong in dict.fromkeys(slip.numbers(question, trace)):
        result = wrong
        for kind in later:
            result = _carried_on(result, kind, facts(question, trace), trace.rules)
        yield wrong, result


def _bare(slip: Slip, question: Question, trace: Trace) -> Iterator[tuple[float, float]]:
    """Yield a value that is given for a contribution as it is, without the upstream gradient."""
    if question.kind == "contribution" and slip.name in _GIVEN_BARE:
        yield from ((wrong, wrong) for wrong in slip.numbers(question, trace))


def _carried_on(number: float, kind: Kind, at: StepFacts, rules: Rules) -> float:
    """Return what a wrong number of the part before leads to in a contribution or a sum."""
    if kind == "contribution":
        return at.upstream * number
    return at.before + number if rules.accumulate else number


_PARTS: dict[Kind, tuple[Kind, ...]] = {
    "local": ("local",),
    "contribution": ("local", "contribution"),
    "sum": ("local", "contribution", "sum"),
    "final": ("final",),
    "change": ("change",),
}
"""For each kind of question the parts of the work that lead to its answer, in their order."""
