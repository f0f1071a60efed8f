"""Beliefs: wrong ideas, and the numbers that they produce as answers.

A `Belief` is one form of an idea, with its sentences: data is taken for a slope, or for a sum. Its
numbers are formulas, in the language of the operations. An answer with such a number is a slip.

>>> from engine import from_expression
>>> from engine.asking.question import Question
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

import ast
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from typing import Final, TypeAlias

from msgspec import Struct

from engine.asking.facts import StepFacts
from engine.asking.kinds import KINDS, answer, error_scale
from engine.asking.number_fields import FieldTrace
from engine.asking.paths import paths_in
from engine.asking.question import (
    Kind,
    Question,
    changed_value,
    facts,
    final_gradient,
    near,
    printed_kinds,
    receiver,
)
from engine.numbers import FieldNumber
from engine.problems import local_derivative
from engine.rules import MISTAKES, Rules
from engine.trace import Trace, kept_for_pass
from engine.writers import FLOATS, parse_formula

Numbers: TypeAlias = Callable[[Question, Trace], tuple[float, ...]]
Formulas: TypeAlias = str | Mapping[str, str] | Numbers
"""Formulas with a semicolon between them, in the language of `engine.writers`; by operation, as
`pow 0` for its first slot, `sub` for all slots, "" for all others. A function where the number
takes another pass, or all paths."""

STEPS_LIMIT_FACTOR, STEPS_LIMIT_FLOOR = 3, 500
"""A wrong pass may take this multiple of the steps of the right one, or a few in any case: a longer
one yields no belief, since nobody would take it by hand."""
PATH_LIMIT = 50
"""Paths whose products are recognized as the slip "one path only"."""


# Numbers


@kept_for_pass
def letters(question: Question, trace: Trace) -> dict[str, float | None]:
    """Return the numbers that formulas may use at a question; None for one that is missing here.

    At a wire `x` is the input along it and `other` the only other one, `slope0` … are the slopes
    along the other slots, and `slope_at_value` is the slope at the node's value instead of at its
    input. A change goes from `old` to `new`, and its leaf from `start` to `to`.
    """
    if question.kind == "change":
        old, start = trace.values[question.node], trace.values[question.leaf]
        new = changed_value(question, trace)
        return _LETTERS | {"old": old, "new": new, "start": start, "to": question.to}
    if question.wire is None:
        return _LETTERS | {"value": trace.values[question.node]}
    f = facts(question, trace)
    if isinstance(trace, FieldTrace):
        return _LETTERS | _letters_of_fields(f, trace)
    found: dict[str, float | None] = {name: getattr(f, name) for name in _OF_FACTS}
    slopes = [partial(*f.inputs, f.value) for partial in f.op.partials]
    found |= {f"slope{k}": slope for k, slope in enumerate(slopes[:3]) if k != f.slot}
    if len(f.inputs) == 1:
        found["slope_at_value"] = f.op.partials[0](f.value, f.op.forward(f.value))
    elif len(f.inputs) == 2:
        found["other"] = f.inputs[1 - f.slot]
    return _LETTERS | found | {"x": f.inputs[f.slot]}


def _letters_of_fields(f: StepFacts, trace: FieldTrace) -> dict[str, float | None]:
    found = [*trace.letters, *(f"slope{k}" for k in range(len(f.inputs[:3])) if k != f.slot)]
    found += ["slope_at_value"] if len(f.inputs) == 1 else []
    return {name: trace.letter(name) for name in found}


_OF_FACTS = ("value", "upstream", "local", "contribution", "before", "after")
_OTHERS = "x other slope0 slope1 slope2 slope_at_value old new start to none"
_LETTERS: dict[str, float | None] = dict.fromkeys((*_OF_FACTS, *_OTHERS.split()))


@cache
def _compiled(formulas: str) -> tuple[tuple[Callable[..., float | None], frozenset[str]], ...]:
    """Return each formula as a function of all letters, and the letters without which it has none.

    `none`, which is no number, may be the value of a case.
    """
    texts = _texts(formulas)
    used = [{n.id for n in ast.walk(parse_formula(x)) if isinstance(n, ast.Name)} for x in texts]
    functions = [FLOATS.function(tuple(_LETTERS), text) for text in texts]
    needed = [frozenset((names & _LETTERS.keys()) - {"none"}) for names in used]
    return tuple(zip(functions, needed, strict=True))


def _texts(formulas: str) -> list[str]:
    return [text.strip() for text in formulas.split(";")]


def _computed(formulas: Formulas, question: Question, trace: Trace) -> tuple[float, ...]:
    if callable(formulas):
        return formulas(question, trace)
    if not isinstance(formulas, str):  # by operation
        op = trace.graph.op(question.node).name
        keys = (f"{op} {question.slot}", op, "")
        formulas = next((formulas[key] for key in keys if key in formulas), "")
    if not formulas:
        return ()
    at = letters(question, trace)
    if isinstance(trace, FieldTrace):
        return tuple(
            FieldNumber(1.5, text if text.isidentifier() else f"({text})")
            for text, (_function, needed) in zip(_texts(formulas), _compiled(formulas), strict=True)
            if not any(at[name] is None for name in needed)
        )
    found = [
        function(*at.values())
        for function, needed in _compiled(formulas)
        if not any(at[name] is None for name in needed)
    ]
    return tuple(number for number in found if number is not None)


def has_minus(question: Question, trace: Trace) -> bool:
    """Return whether the formula of the derivative has a minus, which can be lost."""
    return bool(_computed(_WITH_MINUS, question, trace))


def gradient_under(rules: Rules) -> Numbers:
    """Return the function of a node's final gradient under a mistake."""

    def numbers(question: Question, trace: Trace) -> tuple[float, ...]:
        from engine.asking.diagnose import final_gradients  # not needed for the first picture

        step_limit = max(STEPS_LIMIT_FACTOR * len(trace), STEPS_LIMIT_FLOOR)
        grads = final_gradients(trace, rules, trace.root, step_limit)
        return () if grads is None else (grads.get(question.node, 0.0),)

    return numbers


def one_path(question: Question, trace: Trace) -> tuple[float, ...]:
    """Give the product along one of several paths as the gradient."""
    products = [path.product for path in paths_in(trace, question.node, PATH_LIMIT)]
    return tuple(dict.fromkeys(products)) if len(products) > 1 else ()


def first_slope(question: Question, trace: Trace) -> tuple[float, ...]:
    """Give the local derivative along a node's only wire as its gradient."""
    wires = [event.wire for event in trace.events if event.wire and event.node == question.node]
    if len(wires) != 1:
        return ()
    return (local_derivative(trace.graph, wires[0], trace.values),)


def of_all_wires(question: Question, trace: Trace) -> tuple[float, ...]:
    """Give the final gradient of the receiver, if several wires bring it."""
    node = receiver(question, trace)
    several = len(trace.schedule.arrivals.get(node, ())) > 1
    return (final_gradient(node, trace),) if several else ()


def slope_alone(question: Question, trace: Trace) -> tuple[float, ...]:
    """Give the slope along the leaf, without the factor of the leaf's change."""
    from engine.asking.diagnose import final_gradients

    grads = final_gradients(trace, root=question.node) or {}
    return (grads.get(question.leaf, 0.0),)


# The table of beliefs


class Belief(Struct, frozen=True, eq=False):
    """One wrong belief: its name, sentences to the learner, and the numbers it produces.

    `kind` is the question it is about; `formulas` give its numbers, and `carried` those that are
    carried on to later parts of the work, if they are fewer. `sentence` is the full explanation;
    `brief` has at most 56 characters. `said` is what stands under the number at a reveal: a
    sentence without its subject, of which what follows a semicolon may be left out; "" where
    `brief` says it all. `first` is the fact on a first try that holds no number that is asked for,
    "" where the first half of `said` is that. The fields are {wrong}, the number of the belief, and
    those of `engine.asking.answering.sentence_fields`; in `said` also those of
    `engine.asking.revealing`, such as {sent}: the contribution with its sign.
    `engine.asking.inference` says which beliefs are forms of one idea.
    """

    name: str
    kind: Kind
    sentence: str
    formulas: Formulas
    brief: str
    said: str = ""
    first: str = ""
    carried: Formulas | None = None

    def numbers(self, question: Question, trace: Trace) -> tuple[float, ...]:
        """Return its numbers at a question; () where it does not apply."""
        carried = None if self.kind == question.kind else self.carried
        return _computed(self.formulas if carried is None else carried, question, trace)


_CHECK_SIGNS = "The size is right; look at the signs."
_WITH_MINUS: Final = {
    **dict.fromkeys(("neg", "cos", "acos", "sub 1", "div 1"), "-local"),
    "pow 0": "-local if other < 0 else none",
}
"""The slope without its minus, where its formula has one."""
_ONLY_A_PART = "{wrong} is a part of the slope; something is missing."
_UNDER = "comes out under “{}”."

# each with name, kind, sentence, numbers, brief, said
BELIEFS: tuple[Belief, ...] = (
    Belief(
        "own value",
        "local",
        "{wrong} is {receiver} itself; the slope of {node} along {receiver} is {factor_or_slope}.",
        {"mul": "x", "div": "x"},
        "the own value taken for the slope",
        "is {receiver} itself; the slope is {factor}.",
    ),
    Belief(
        "minus lost in the slope",
        "local",
        "The sign is wrong: the slope of {node} along {receiver} is {slope}.",
        "-local",
        "a wrong sign in the slope",
        "has the wrong sign; the slope is {local}.",
        carried=_WITH_MINUS,
        first=_CHECK_SIGNS,
    ),
    Belief(
        "upstream forgotten",
        "contribution",
        "{wrong} is the local derivative alone; {node} got {upstream}, so {upstream} × {local} goes"
        " to {receiver}.",
        "local",
        "the slope alone, without what the node got",
        "is the slope alone; the {upstream} that {name} got was forgotten.",
    ),
    Belief(
        "local derivative forgotten",
        "contribution",
        "{wrong} is what {node} got; times its slope along {receiver}, {local}, it goes on.",
        "upstream",
        "what the node got, without its slope",
        "is what {node} got; the slope, {local}, was forgotten.",
    ),
    Belief(
        "replaced",
        "sum",
        "{receiver} held {before} already, and a contribution is added to it:"
        " {before} + {contribution}.",
        "contribution",
        "what came now, without what was held",
        "is what came now; the {before} that {receiver} held was forgotten.",
    ),
    Belief(
        "not added",
        "sum",
        "{wrong} is what {receiver} held before; now {contribution} is added.",
        "before",
        "what was held, without what came now",
        "is what {receiver} held; the {sent} that came was forgotten.",
    ),
    Belief(
        "minus lost",
        "contribution",
        "The sign is wrong: {upstream} × {local} = {contribution}.",
        "-contribution",
        "a wrong sign in what is passed on",
        "has the wrong sign; {upstream} × {local} = {sent}.",
        first=_CHECK_SIGNS,
    ),
    Belief(
        "other input's slope",
        "contribution",
        "{wrong} goes to the other input of {node}; its slope along {receiver} is {local}.",
        "upstream * slope0; upstream * slope1; upstream * slope2",
        "what goes to the other input",
        "is what goes to the other input; here the slope is {local}.",
    ),
    Belief(
        "slope at the output",
        "local",
        "{wrong} is the slope at the value of {node}; take it at its input, {receiver} = {input}:"
        " {local}.",
        "slope_at_value",
        "the slope at the value instead of the input",
        "is the slope at the value; take it at {input}.",
    ),
    Belief(
        "exponent not in front",
        "local",
        "The exponent comes down as a factor too: {slope}.",
        {"pow 0": "local / other if other else none", "square": "local / 2", "sqrt": "local / 0.5"},
        "the exponent not put in front",
        "forgot the exponent in front; the slope is {local}.",
        first=_ONLY_A_PART,
    ),
    Belief(
        "exponent not lowered",
        "local",
        "The exponent comes down in front and is then lowered by 1: {slope}.",
        {"pow 0": "other * value", "square": "2 * value", "sqrt": "0.5 * value"},
        "the exponent not lowered by 1",
        "did not lower the exponent; the slope is {local}.",
        first="{wrong} has the exponent in front. Is it lowered as well?",
    ),
    Belief(
        "factor forgotten",
        "local",
        "{wrong} is only a part of the slope of {node}: it is {slope}.",
        {
            "sigmoid": "value; 1 - value",
            "silu": "value / x if x else 0.5; value / x + x - value if x else 0.5",
            "pow 1": "value",
        },
        "a factor of the slope forgotten",
        "forgot a factor of the slope; the slope is {local}.",
        first=_ONLY_A_PART,
    ),
    Belief(
        "value for slope",
        "local",
        "{wrong} is the value of {node}; its slope along {receiver} is {slope}.",
        # the value of exp is its slope: alone as the contribution it is "upstream forgotten"
        {"exp": "", "": "value"},
        "the value taken for the slope",
        "is the value of {node}; its slope is {local}.",
    ),
    Belief(
        "value for upstream",
        "contribution",
        "{wrong} is the value of {node} times {local}; what counts is its gradient, {upstream}.",
        "value * local",
        "the value taken for the gradient",
        "took the value of {node}, {value}, for its grad, {upstream}.",
        first="{wrong} uses the value of {node}, not its gradient.",
    ),
    Belief(
        "factors added",
        "contribution",
        "The chain rule multiplies: {upstream} × {local}, not {upstream} + {local}.",
        "upstream + local",
        "upstream and slope added, not multiplied",
        "added {upstream} and {local}; the chain rule multiplies.",
        first="{wrong} is a sum; the chain rule multiplies.",
    ),
    Belief(
        "counted twice",
        "sum",
        "{contribution} comes along this wire once, not twice: {before} + {contribution}.",
        "after + contribution",
        "this wire counted twice",
        "added {sent} twice; it comes along this wire once.",
        first="{wrong} counts this wire twice.",
    ),
    Belief(
        "multiplied",
        "sum",
        "Contributions are added, not multiplied: {before} + {contribution}.",
        "before * contribution",
        "contributions multiplied, not added",
        "multiplied {before} by {contribution}; contributions add.",
        first="{wrong} is a product; contributions add.",
    ),
    Belief(
        "product as sum",
        "local",
        "1 would be the slope of a sum; {node} is a product, and its slope along {receiver} is the"
        " other factor, {local}.",
        {"mul": "1"},
        "a product treated as a sum",
        "is the slope of a sum; that of the product is {local}.",
    ),
    Belief(
        "sum as product",
        "local",
        "{wrong} would be the slope of a product; {node} is a sum, and its slope along each input"
        " is 1.",
        {"add": "other"},
        "a sum treated as a product",
        "is the slope of a product; that of a sum is {local}.",
    ),
    Belief(
        "data for contribution",
        "contribution",
        "{wrong} is the value of {receiver}; along this wire comes {contribution}.",
        {"add": "x", "sub": "x"},
        "the value taken for the contribution",
        "is the value of {receiver}, not what is passed to it.",
    ),
    Belief(
        "gradient for contribution",
        "contribution",
        "{wrong} is the gradient of {receiver}, over all its wires; along this one comes"
        " {contribution}.",
        of_all_wires,
        "the gradient over all wires taken for one share",
        "is the gradient over all wires, not what this one brings.",
        first="{wrong} is the gradient of {receiver}, over all its wires. How much comes over this"
        " one?",
        carried="",
    ),
    Belief(
        "value read for gradient",
        "upstream",
        "{wrong} is the value of {node}; its gradient is {upstream}.",
        "value",
        "the value read where the gradient is asked",
        "is where {node} stands; its gradient is {upstream}.",
        first="{wrong} is the value of {node}: where it stands. How far does {root} move when it"
        " moves?",
    ),
    Belief(
        "data for sum",
        "sum",
        "{wrong} is the value of {receiver}; its gradient is {before} + {contribution}.",
        "x",
        "the value taken for the gradient",
        "is the value of {receiver}, not its gradient.",
    ),
    Belief(
        "minus lost in the sum",
        "sum",
        "The sign is wrong: {before} + {contribution} = {answer}.",
        "-after if before < 0 or contribution < 0 else none",
        "a wrong sign in the sum",
        "has the wrong sign; contributions add with their signs.",
        first=_CHECK_SIGNS,
    ),
    Belief(
        "sizes added",
        "sum",
        "Contributions add up with their signs: {before} + {contribution} = {answer}.",
        "abs(before) + abs(contribution) if before * contribution < 0 else none",
        "the sizes added, without their signs",
        "added the sizes; contributions add with their signs.",
    ),
    Belief(
        "slope given for gradient",
        "final",
        "{wrong} is the slope of one step; the gradient of {receiver} goes on to {root}: {answer}.",
        first_slope,
        "the slope of one step, not followed to the root",
        "is the slope of one step; the gradient goes on to {root}.",
    ),
    Belief(
        "own sign",
        "sign",
        "That is the sign of {receiver}; asked is which way {root} goes when {receiver} rises.",
        "sign(value)",
        "the sign of the number itself",
        "goes by the sign of {receiver}, not by the gradient.",
    ),
    Belief(
        "one path only",
        "final",
        "{wrong} is the share of one path; all paths from {receiver} to {root} add up.",
        one_path,
        "one path of several",
        "is the share of one path; all paths to {root} add up.",
    ),
    Belief(
        "value for gradient",
        "final",
        "{wrong} is the value of {receiver}; its gradient says how fast {root} changes with it.",
        "value",
        "the value taken for the gradient",
        "is the value of {receiver}; its gradient is {answer}.",
    ),
    *(
        Belief(x.name, "final", x.sentence, gradient_under(x), x.title, _UNDER.format(x.title))
        for x in MISTAKES
    ),
    Belief(
        "new value",
        "change",
        "{wrong} is the new value of {node}; it was {before}, so it changed by {answer}.",
        "new",
        "the new value taken for the change",
        "is the new value; the change from {before} is {change}.",
        first="{wrong} is the new value of {node}. By how much did it change?",
    ),
    Belief(
        "leaf's own change",
        "change",
        "{wrong} is the change of {leaf}; that of {node} is {answer}.",
        "to - start",
        "the change of the leaf itself",
        "is the change of {leaf}; that of {node} is {change}.",
    ),
    Belief(
        "slope alone",
        "change",
        "{wrong} is the change for 1 more of {leaf}; here {node} changes by {answer}.",
        slope_alone,
        "the change for 1 more of the leaf",
        "is the change for 1 more of {leaf}; here it is {change}.",
    ),
    Belief(
        "other way round",
        "change",
        "{wrong} is the old value minus the new one; the change is {answer}.",
        "old - new",
        "the old value minus the new one",
        "is the old value minus the new; the change is {change}.",
        first="The size is right; look at the sign.",
    ),
)
"""In the order of likelihood: of several that give the same number the first is reported."""

_GIVEN_WITHOUT_UPSTREAM = ("own value", "value for slope")
"""Slips of the slope whose number is also given for the whole contribution."""

LOST_MINUS: Final = ("minus lost in the slope", "minus lost")
"""The beliefs whose number is the right one with the other sign."""
BY_NAME: dict[str, Belief] = {belief.name: belief for belief in BELIEFS}


@cache
def beliefs_behind(kind: Kind) -> tuple[Belief, ...]:
    """Return the beliefs about a part of the work from which such an answer is computed."""
    return tuple(belief for belief in BELIEFS if belief.kind in _work_to(kind))


def belief_numbers(
    question: Question, trace: Trace, known: Collection[Kind] | None = None
) -> Iterator[tuple[Belief, float]]:
    """Yield each slip that an answer can give away, with its number; one may have several.

    In the `known` parts of the work, which the learner has right or reads, there is none. By
    default they are what is printed where the question is asked alone.
    """
    known = printed_kinds((question.kind,), ()) if known is None else known
    right, scale = answer(question, trace), error_scale(question, trace)
    for belief, _wrong, number in wrong_numbers(question, trace, known):
        if not near(number, right, scale):
            yield belief, number


def wrong_numbers(
    question: Question, trace: Trace, known: Collection[Kind]
) -> Iterator[tuple[Belief, float, float]]:
    """Yield each belief with its own number and the answer that follows, also the right one."""
    for results in (wrong_and_computed_answer, without_upstream):
        for belief in beliefs_behind(question.kind):
            if belief.kind not in known:
                for wrong, number in results(belief, question, trace):
                    yield belief, wrong, number


def wrong_and_answer(
    belief: Belief, question: Question, trace: Trace
) -> Iterator[tuple[float, float]]:
    """Yield each number of a belief, and the answer that is given because of it."""
    yield from wrong_and_computed_answer(belief, question, trace)
    yield from without_upstream(belief, question, trace)


def wrong_behind(belief: Belief, number: float, question: Question, trace: Trace) -> float:
    """Return the number of a belief because of which an answer is given."""
    found = wrong_and_answer(belief, question, trace)
    return next(wrong for wrong, result in found if near(number, result))


def wrong_and_computed_answer(
    belief: Belief, question: Question, trace: Trace
) -> Iterator[tuple[float, float]]:
    """Yield each number of a slip, and the answer computed from it.

    A wrong slope, for example, is multiplied by the upstream gradient for the contribution.
    """
    parts = _work_to(question.kind)
    if belief.kind not in parts:
        return
    for wrong in dict.fromkeys(belief.numbers(question, trace)):
        result = wrong
        for kind in parts[parts.index(belief.kind) + 1 :]:
            result = KINDS[kind].carry(result, facts(question, trace))
        yield wrong, result


def without_upstream(
    belief: Belief, question: Question, trace: Trace
) -> Iterator[tuple[float, float]]:
    """Yield a wrong slope that is given as the contribution, without the upstream gradient."""
    if question.kind == "contribution" and belief.name in _GIVEN_WITHOUT_UPSTREAM:
        yield from ((wrong, wrong) for wrong in belief.numbers(question, trace))


@cache
def _work_to(kind: Kind) -> tuple[Kind, ...]:
    """Return the parts of the calculation of an answer, each computed from the one before it."""
    first = KINDS[kind].computed_from[:1]
    return (*(_work_to(first[0]) if first else ()), kind)
