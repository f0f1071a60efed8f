"""Beliefs: wrong ideas, and the numbers that they produce as answers.

A `Belief` is one form of an idea, with its sentences: data is taken for a slope, or for a sum. Its
`numbers` are a function, () where it does not apply; `of_wire` decorates those that need nothing
but the facts around one wire. An answer with such a number is a slip.

>>> from engine import from_expression
>>> from engine.study.question import Question
>>> from engine.trace import run
>>> trace = run(from_expression("y = a*b", {"a": 2, "b": 3}))
>>> BY_NAME["own value"].numbers(Question("local", 3, 0, 2), trace)  # ∂y/∂a taken as a
(2.0,)
>>> [(slip.name, number) for slip, number in belief_numbers(Question("local", 3, 0, 2), trace)][::2]
[('own value', 2.0), ('value for slope', 6.0)]

A slip in an earlier part of the work is carried on: a wrong local derivative times the upstream
gradient is a wrong contribution, and that added to the gradient before is a wrong sum. A belief
whose number is the right answer can't be seen and yields no number.
"""

from collections.abc import Callable, Collection, Iterator
from typing import TypeAlias

from msgspec import Struct

from engine.rules import MISTAKES, Rules
from engine.study.facts import StepFacts
from engine.study.paths import paths_in
from engine.study.question import (
    Kind,
    Question,
    answer,
    changed_value,
    error_scale,
    facts,
    near,
    printed_kinds,
)
from engine.trace import Trace

Numbers: TypeAlias = Callable[[Question, Trace], tuple[float, ...]]

STEPS_LIMIT_FACTOR, STEPS_LIMIT_FLOOR = 3, 500
"""A wrong pass may take this multiple of the steps of the right one, or a few in any case: a longer
one yields no belief, since nobody would take it by hand."""
PATH_LIMIT = 50
"""Paths whose products are recognized as the slip "one path only"."""


def of_wire(numbers: Callable[[StepFacts], tuple[float, ...]]) -> Numbers:
    """Return the numbers of a slip that needs nothing but the facts around one wire."""
    return lambda question, trace: numbers(facts(question, trace))


@of_wire
def slope_at_output(f: StepFacts) -> tuple[float, ...]:
    """Take the slope at the node's value instead of at its input."""
    if len(f.inputs) != 1:
        return ()
    return (f.op.partials[0](f.value, f.op.forward(f.value)),)


def _exponent(f: StepFacts) -> float | None:
    """Return the exponent of a power, if the slope is the one along its base."""
    if f.op.name == "pow":
        return f.inputs[1] if f.slot == 0 else None
    return {"square": 2.0, "sqrt": 0.5}.get(f.op.name)


@of_wire
def exponent_not_lowered(f: StepFacts) -> tuple[float, ...]:
    """Bring the exponent down in front without lowering it: n · xⁿ."""
    exponent = _exponent(f)
    return () if exponent is None else (exponent * f.value,)


@of_wire
def exponent_not_in_front(f: StepFacts) -> tuple[float, ...]:
    """Lower the exponent without bringing it down in front: xⁿ⁻¹."""
    exponent = _exponent(f)
    return () if exponent is None or exponent == 0 else (f.local / exponent,)


def lost_minus(question: Question, trace: Trace) -> tuple[float, ...]:
    """Lose the sign of a local derivative; in a contribution only a minus that its formula has."""
    f = facts(question, trace)
    return (-f.local,) if question.kind == "local" or has_minus(f) else ()


def has_minus(f: StepFacts) -> bool:
    """Return whether the formula of the derivative has a minus, which can be lost."""
    return (
        f.op.name in ("neg", "cos", "acos")
        or (f.op.name in ("sub", "div") and f.slot == 1)
        or (f.op.name == "pow" and f.slot == 0 and f.inputs[1] < 0)
    )


@of_wire
def factor_forgotten(f: StepFacts) -> tuple[float, ...]:
    """Forget a factor of a derivative that is a product."""
    if f.op.name == "sigmoid":
        return (f.value, 1.0 - f.value)
    if f.op.name == "silu":
        s = f.value / f.inputs[0] if f.inputs[0] else 0.5
        return (s, s + f.inputs[0] * (1.0 - s))
    return (f.value,) if f.op.name == "pow" and f.slot == 1 else ()


@of_wire
def other_slot(f: StepFacts) -> tuple[float, ...]:
    """Give the contribution to another input."""
    others = (slot for slot in range(len(f.inputs)) if slot != f.slot)
    return tuple(f.upstream * f.op.partials[slot](*f.inputs, f.value) for slot in others)


def gradient_under(rules: Rules) -> Numbers:
    """Return the function of a node's final gradient under a mistake."""

    def numbers(question: Question, trace: Trace) -> tuple[float, ...]:
        from engine.study.diagnose import final_gradients  # not needed for the first picture

        step_limit = max(STEPS_LIMIT_FACTOR * len(trace), STEPS_LIMIT_FLOOR)
        grads = final_gradients(trace, rules, trace.root, step_limit)
        return () if grads is None else (grads.get(question.node, 0.0),)

    return numbers


def one_path(question: Question, trace: Trace) -> tuple[float, ...]:
    """Give the product along one of several paths as the gradient."""
    products = [path.product for path in paths_in(trace, question.node, PATH_LIMIT)]
    return tuple(dict.fromkeys(products)) if len(products) > 1 else ()


def no_number(_question: Question, _trace: Trace) -> tuple[float, ...]:
    """Return (), for a belief about nodes instead of numbers."""
    return ()


def slope_alone(question: Question, trace: Trace) -> tuple[float, ...]:
    """Give the slope along the leaf, without the factor of the leaf's change."""
    from engine.study.diagnose import final_gradients

    grads = final_gradients(trace, root=question.node) or {}
    return (grads.get(question.leaf, 0.0),)


# The table of beliefs


class Belief(Struct, frozen=True):
    """One wrong belief: its name, sentences to the learner, and the numbers it produces.

    `kind` is the question it is about; `numbers` is () where it does not apply. `sentence` is the
    full explanation; `first` is the feedback on a first try and holds no number that is asked
    for; `brief` has at most 56 characters. `said` is what stands under the number at a reveal: a
    sentence without its subject, of which what follows a semicolon may be left out; "" where
    `brief` says it all. The fields are {wrong}, the number of the belief, and those of
    `engine.study.answering.sentence_fields`; in `said` also those of `engine.study.revealing`, such
    as {sent}: the contribution with its sign. `idea` is what its holder thinks in all kinds of
    questions, if other beliefs share it; "" for the name.
    """

    name: str
    kind: Kind
    sentence: str
    numbers: Numbers
    first: str
    brief: str
    said: str = ""
    idea: str = ""

    @property
    def held(self) -> str:
        """The idea behind it, the same for all its forms: `the slope alone`."""
        return self.idea or self.name


_CHECK_SIGNS = "The size is right; look at the signs."
_VALUE_NOT_MOVE = (
    "{wrong} is the value of {receiver}. How far does {root} move when {receiver} moves?"
)
_ONLY_A_PART = "{wrong} is a part of the slope; something is missing."
_UNDER_MISTAKE = "comes out under “{mistake}”."
_GRADIENT_UNDER_MISTAKE = "{wrong} comes out under “{mistake}”."

# each with name, kind, sentence, numbers, first, brief, said
BELIEFS: tuple[Belief, ...] = (
    Belief(
        "own value",
        "local",
        "{wrong} is {receiver} itself; the slope of {node} along {receiver} is the other factor,"
        " {local}.",
        of_wire(lambda f: (f.inputs[f.slot],) if f.op.name == "mul" else ()),
        "{wrong} is {receiver}'s own value. If {receiver} grows by 1 and {other} stays, how"
        " much does {formula} grow?",
        "the own value taken for the slope of a product",
        "is {receiver} itself; the slope is {factor}.",
    ),
    Belief(
        "minus lost in the slope",
        "local",
        "A minus was lost: the slope of {node} along {receiver} is {slope}.",
        lost_minus,
        _CHECK_SIGNS,
        "a minus lost in the slope",
        "lost a minus; the slope is {local}.",
        idea="a turned sign",
    ),
    Belief(
        "upstream forgotten",
        "contribution",
        "{wrong} is the local derivative alone; {node} got {upstream}, so {upstream} × {local} goes"
        " to {receiver}.",
        of_wire(lambda f: (f.local,)),
        "{wrong} is the slope alone. What did {node} get?",
        "the slope alone, without what the node got",
        "is the slope alone; the {upstream} that {name} got was forgotten.",
        idea="the slope alone",
    ),
    Belief(
        "local derivative forgotten",
        "contribution",
        "{wrong} is what {node} got; times its slope along {receiver}, {local}, it goes on.",
        of_wire(lambda f: (f.upstream,)),
        "{wrong} is what {node} got. If {receiver} grows by 1, how much does {node} grow?",
        "what the node got, without its slope",
        "is what {node} got; the slope, {local}, was forgotten.",
        idea="handed on without its slope",
    ),
    Belief(
        "replaced",
        "sum",
        "{receiver} held {before} already, and a contribution is added to it:"
        " {before} + {contribution}.",
        of_wire(lambda f: (f.contribution,)),
        "{wrong} came now; {receiver} held something already.",
        "what came now, without what was held",
        "is what came now; the {before} that {receiver} held was forgotten.",
        idea="the last wire alone",
    ),
    Belief(
        "not added",
        "sum",
        "{wrong} is what {receiver} held before; now {contribution} is added.",
        of_wire(lambda f: (f.before,)),
        "{wrong} was there before; something came now.",
        "what was held, without what came now",
        "is what {receiver} held; the {sent} that came was forgotten.",
        idea="the first wire alone",
    ),
    Belief(
        "minus lost",
        "contribution",
        "A minus was lost: {upstream} × {local} = {contribution}.",
        of_wire(lambda f: (-f.contribution,)),
        _CHECK_SIGNS,
        "a minus lost in the product",
        "lost a minus; {upstream} × {local} = {sent}.",
        idea="a turned sign",
    ),
    Belief(
        "other input's slope",
        "contribution",
        "{wrong} goes to the other input of {node}; its slope along {receiver} is {local}.",
        other_slot,
        "{wrong} goes to the other input of {node}.",
        "what goes to the other input",
        "is what goes to the other input; here the slope is {local}.",
        idea="the other input's slope",
    ),
    Belief(
        "slope at the output",
        "local",
        "{wrong} is the slope at the value of {node}; take it at its input, {receiver} = {input}:"
        " {local}.",
        slope_at_output,
        "{wrong} is the slope at the value of {node}. Use its input instead.",
        "the slope at the value instead of the input",
        "is the slope at the value; take it at {input}.",
        idea="the wrong place",
    ),
    Belief(
        "exponent not in front",
        "local",
        "The exponent comes down as a factor too: {slope}.",
        exponent_not_in_front,
        _ONLY_A_PART,
        "the exponent not put in front",
        "forgot the exponent in front; the slope is {local}.",
        idea="the power rule",
    ),
    Belief(
        "exponent not lowered",
        "local",
        "The exponent comes down in front and is then lowered by 1: {slope}.",
        exponent_not_lowered,
        "{wrong} has the exponent in front. Is it lowered as well?",
        "the exponent not lowered by 1",
        "did not lower the exponent; the slope is {local}.",
        idea="the power rule",
    ),
    Belief(
        "factor forgotten",
        "local",
        "{wrong} is only a part of the slope of {node}: it is {slope}.",
        factor_forgotten,
        _ONLY_A_PART,
        "a factor of the slope forgotten",
        "forgot a factor of the slope; the slope is {local}.",
    ),
    Belief(
        "value for slope",
        "local",
        "{wrong} is the value of {node}; its slope along {receiver} is {slope}.",
        # the value of exp is its slope: alone as the contribution it is "upstream forgotten"
        of_wire(lambda f: () if f.op.name == "exp" else (f.value,)),
        "{wrong} is the value of {node}, not its slope.",
        "the value taken for the slope",
        "is the value of {node}; its slope is {local}.",
        idea="data for gradient",
    ),
    Belief(
        "value for upstream",
        "contribution",
        "{wrong} is the value of {node} times {local}; what counts is its gradient, {upstream}.",
        of_wire(lambda f: (f.value * f.local,)),
        "{wrong} uses the value of {node}, not its gradient.",
        "the value taken for the gradient",
        "took the value of {node}, {value}, for its grad, {upstream}.",
        idea="data for gradient",
    ),
    Belief(
        "factors added",
        "contribution",
        "The chain rule multiplies: {upstream} × {local}, not {upstream} + {local}.",
        of_wire(lambda f: (f.upstream + f.local,)),
        "{wrong} is a sum; the chain rule multiplies.",
        "upstream and slope added, not multiplied",
        "added {upstream} and {local}; the chain rule multiplies.",
        idea="times and plus swapped",
    ),
    Belief(
        "counted twice",
        "sum",
        "{contribution} comes along this wire once, not twice: {before} + {contribution}.",
        of_wire(lambda f: (f.after + f.contribution,)),
        "{wrong} counts this wire twice.",
        "this wire counted twice",
        "added {sent} twice; it comes along this wire once.",
        idea="a wire counted twice",
    ),
    Belief(
        "multiplied",
        "sum",
        "Contributions are added, not multiplied: {before} + {contribution}.",
        of_wire(lambda f: (f.before * f.contribution,)),
        "{wrong} is a product; contributions add.",
        "contributions multiplied, not added",
        "multiplied {before} by {contribution}; contributions add.",
        idea="times and plus swapped",
    ),
    Belief(
        "product as sum",
        "local",
        "1 would be the slope of a sum; {node} is a product, and its slope along {receiver} is the"
        " other factor, {local}.",
        of_wire(lambda f: (1.0,) if f.op.name == "mul" else ()),
        "{wrong} is the slope of a sum; {node} is a product.",
        "a product treated as a sum",
        "is the slope of a sum; that of the product is {local}.",
        idea="the other operation's rule",
    ),
    Belief(
        "sum as product",
        "local",
        "{wrong} would be the slope of a product; {node} is a sum, and its slope along each input"
        " is 1.",
        of_wire(lambda f: (f.inputs[1 - f.slot],) if f.op.name == "add" else ()),
        "{wrong} is the slope of a product; {node} is a sum.",
        "a sum treated as a product",
        "is the slope of a product; that of a sum is {local}.",
        idea="the other operation's rule",
    ),
    Belief(
        "data for contribution",
        "contribution",
        "{wrong} is the value of {receiver}; along this wire comes {contribution}.",
        of_wire(lambda f: (f.inputs[f.slot],) if f.op.name in ("add", "sub") else ()),
        _VALUE_NOT_MOVE,
        "the value taken for the contribution",
        "is the value of {receiver}, not what is passed to it.",
        idea="data for gradient",
    ),
    Belief(
        "data for sum",
        "sum",
        "{wrong} is the value of {receiver}; its gradient is {before} + {contribution}.",
        of_wire(lambda f: (f.inputs[f.slot],)),
        _VALUE_NOT_MOVE,
        "the value taken for the gradient",
        "is the value of {receiver}, not its gradient.",
        idea="data for gradient",
    ),
    Belief(
        "minus lost in the sum",
        "sum",
        "A minus was lost: {before} + {contribution} = {answer}.",
        of_wire(lambda f: (-f.after,) if min(f.before, f.contribution) < 0 else ()),
        _CHECK_SIGNS,
        "a minus lost in the sum",
        "lost a minus; contributions add with their signs.",
        idea="a turned sign",
    ),
    Belief(
        "one path only",
        "final",
        "{wrong} is the share of one path; all paths from {receiver} to {root} add up.",
        one_path,
        "{wrong} is one path. How many lead from {receiver} to {root}?",
        "one path of several",
        "is the share of one path; all paths to {root} add up.",
        idea="one path alone",
    ),
    Belief(
        "value for gradient",
        "final",
        "{wrong} is the value of {receiver}; its gradient says how fast {root} changes with it.",
        lambda question, trace: (trace.values[question.node],),
        "{wrong} is the value of {node}, not its gradient.",
        "the value taken for the gradient",
        "is the value of {receiver}; its gradient is {answer}.",
        idea="data for gradient",
    ),
    *(
        Belief(
            rules.name,
            "final",
            rules.sentence,
            gradient_under(rules),
            _GRADIENT_UNDER_MISTAKE.replace("{mistake}", rules.title),
            rules.title,
            _UNDER_MISTAKE.replace("{mistake}", rules.title),
        )
        for rules in MISTAKES
    ),
    Belief(
        "new value",
        "change",
        "{wrong} is the new value of {node}; it was {before}, so it changed by {answer}.",
        lambda question, trace: (changed_value(question, trace),),
        "{wrong} is the new value of {node}. By how much did it change?",
        "the new value taken for the change",
        "is the new value; the change from {before} is {change}.",
    ),
    Belief(
        "leaf's own change",
        "change",
        "{wrong} is the change of {leaf}; that of {node} is {answer}.",
        lambda question, trace: (question.to - trace.values[question.leaf],),
        "{wrong} is the change of {leaf}.",
        "the change of the leaf itself",
        "is the change of {leaf}; that of {node} is {change}.",
    ),
    Belief(
        "slope alone",
        "change",
        "{wrong} is the change for 1 more of {leaf}; here {node} changes by {answer}.",
        slope_alone,
        "{wrong} is the change for 1 more of {leaf}.",
        "the change for 1 more of the leaf",
        "is the change for 1 more of {leaf}; here it is {change}.",
    ),
    Belief(
        "other way round",
        "change",
        "{wrong} is the old value minus the new one; the change is {answer}.",
        lambda question, trace: (trace.values[question.node] - changed_value(question, trace),),
        "The size is right; look at the sign.",
        "the old value minus the new one",
        "is the old value minus the new; the change is {change}.",
    ),
)
"""In the order of likelihood: of several that give the same number the first is reported."""

_GIVEN_WITHOUT_UPSTREAM = ("own value", "value for slope")
"""Slips of the slope whose number is also given for the whole contribution."""

BY_NAME: dict[str, Belief] = {belief.name: belief for belief in BELIEFS}


def belief_numbers(
    question: Question, trace: Trace, known: Collection[Kind] | None = None
) -> Iterator[tuple[Belief, float]]:
    """Yield each slip that an answer can give away, with its number; one may have several.

    In the `known` parts of the work, which the learner has right or reads, there is none. By
    default they are what is printed where the question is asked alone.
    """
    known = printed_kinds((question.kind,), ()) if known is None else known
    right, scale = answer(question, trace), error_scale(question, trace)
    for results in (wrong_and_computed_answer, _without_upstream):
        for belief in BELIEFS:
            if belief.kind in known:
                continue
            for _wrong, number in results(belief, question, trace):
                if not near(number, right, scale):
                    yield belief, number


def wrong_and_answer(
    belief: Belief, question: Question, trace: Trace
) -> Iterator[tuple[float, float]]:
    """Yield each number of a belief, and the answer that is given because of it."""
    yield from wrong_and_computed_answer(belief, question, trace)
    yield from _without_upstream(belief, question, trace)


def wrong_and_computed_answer(
    belief: Belief, question: Question, trace: Trace
) -> Iterator[tuple[float, float]]:
    """Yield each number of a slip, and the answer computed from it.

    A wrong slope, for example, is multiplied by the upstream gradient for the contribution.
    """
    parts = _WORK_PARTS.get(question.kind, ())
    if belief.kind not in parts:
        return
    later = parts[parts.index(belief.kind) + 1 :]
    for wrong in dict.fromkeys(belief.numbers(question, trace)):
        result = wrong
        for kind in later:
            result = _next_result(result, kind, facts(question, trace), trace.rules)
        yield wrong, result


def _without_upstream(
    belief: Belief, question: Question, trace: Trace
) -> Iterator[tuple[float, float]]:
    """Yield a wrong slope that is given as the contribution, without the upstream gradient."""
    if question.kind == "contribution" and belief.name in _GIVEN_WITHOUT_UPSTREAM:
        yield from ((wrong, wrong) for wrong in belief.numbers(question, trace))


def _next_result(number: float, kind: Kind, at: StepFacts, rules: Rules) -> float:
    """Return the contribution or sum computed with a wrong number from the part before it."""
    if kind == "contribution":
        return at.upstream * number
    return at.before + number if rules.accumulate else number


_WORK_PARTS: dict[Kind, tuple[Kind, ...]] = {
    "local": ("local",),
    "contribution": ("local", "contribution"),
    "sum": ("local", "contribution", "sum"),
    "final": ("final",),
    "change": ("change",),
}
"""For each kind of question the parts of its calculation, in order."""
