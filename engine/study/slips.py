"""Slips: wrong beliefs, and the numbers that they produce as answers.

Each belief is a function that returns its numbers, () where it does not apply; `of_wire` decorates
those that need nothing but the facts around one wire. A `Slip` is a belief with its sentences.

>>> from engine import from_expression
>>> from engine.study.question import Question
>>> from engine.trace import run
>>> trace = run(from_expression("y = a*b", {"a": 2, "b": 3}))
>>> own_value(Question("local", 3, 0, 2), trace)  # ∂y/∂a taken as a
(2.0,)
>>> [(slip.name, number) for slip, number in slip_numbers(Question("local", 3, 0, 2), trace)][::2]
[('own value', 2.0), ('value for slope', 6.0)]

A slip in an earlier part of the work is carried on: a wrong local derivative times the upstream
gradient is a wrong contribution, and that added to the gradient before is a wrong sum. A slip whose
number is the right answer can't be seen and yields no number.
"""

from collections.abc import Callable, Iterator
from itertools import chain
from typing import TypeAlias

from msgspec import Struct

from engine.rules import MISTAKES, Rules
from engine.study.diagnose import final_gradients
from engine.study.facts import StepFacts
from engine.study.paths import paths_in
from engine.study.question import Kind, Question, answer, changed_value, error_scale, facts, near
from engine.trace import Trace

Numbers: TypeAlias = Callable[[Question, Trace], tuple[float, ...]]

MOST_STEPS_AGAIN, FEW_STEPS = 3, 500
"""Steps of a wrong pass that could be taken by hand: a multiple of those of the right one."""
MOST_PATHS = 50
"""Paths whose products are known as the gradient of one path only."""


def of_wire(numbers: Callable[[StepFacts], tuple[float, ...]]) -> Numbers:
    """Return the numbers of a slip that needs nothing but the facts around one wire."""
    return lambda question, trace: numbers(facts(question, trace))


@of_wire
def own_value(f: StepFacts) -> tuple[float, ...]:
    """Take a factor's own value for its slope, in a product."""
    return (f.inputs[f.slot],) if f.op.name == "mul" else ()


@of_wire
def value_for_slope(f: StepFacts) -> tuple[float, ...]:
    """Take the value of the node for its slope; for exp that is right."""
    return () if f.op.name == "exp" else (f.value,)


@of_wire
def slope_at_output(f: StepFacts) -> tuple[float, ...]:
    """Take the slope at the node's value instead of at its input."""
    if len(f.inputs) != 1:
        return ()
    return (f.op.partials[0](f.value, f.op.forward(f.value)),)


def _exponent(f: StepFacts) -> tuple[float, float] | None:
    """Return base and exponent of a power, if the slope is the one along its base."""
    if f.op.name == "pow":
        return (f.inputs[0], f.inputs[1]) if f.slot == 0 else None
    exponents = {"square": 2.0, "sqrt": 0.5}
    return (f.inputs[0], exponents[f.op.name]) if f.op.name in exponents else None


@of_wire
def exponent_kept(f: StepFacts) -> tuple[float, ...]:
    """Bring the exponent down and leave it as it was."""
    found = _exponent(f)
    return () if found is None else (found[1] * f.value,)


@of_wire
def exponent_not_in_front(f: StepFacts) -> tuple[float, ...]:
    """Lower the exponent and not bring it down as a factor."""
    found = _exponent(f)
    return () if found is None or found[1] == 0 else (f.local / found[1],)


def lost_minus(question: Question, trace: Trace) -> tuple[float, ...]:
    """Give a local derivative with the other sign; in a contribution lose one that it has."""
    f = facts(question, trace)
    return (-f.local,) if question.kind == "local" or has_minus(f) else ()


def has_minus(f: StepFacts) -> bool:
    """Return whether the derivative is written with a minus that can be lost."""
    return (
        f.op.name in ("neg", "cos", "acos")
        or (f.op.name in ("sub", "div") and f.slot == 1)
        or (f.op.name == "pow" and f.slot == 0 and f.inputs[1] < 0)
    )


@of_wire
def product_as_sum(f: StepFacts) -> tuple[float, ...]:
    """Take a product for a sum."""
    return (1.0,) if f.op.name == "mul" else ()


@of_wire
def sum_as_product(f: StepFacts) -> tuple[float, ...]:
    """Take a sum for a product."""
    return (f.inputs[1 - f.slot],) if f.op.name == "add" else ()


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
def upstream_forgotten(f: StepFacts) -> tuple[float, ...]:
    """Pass the local derivative on alone."""
    return (f.local,)


@of_wire
def local_forgotten(f: StepFacts) -> tuple[float, ...]:
    """Pass on what arrived."""
    return (f.upstream,)


@of_wire
def factors_added(f: StepFacts) -> tuple[float, ...]:
    """Add the two factors."""
    return (f.upstream + f.local,)


@of_wire
def other_slot(f: StepFacts) -> tuple[float, ...]:
    """Pass on what goes to another input."""
    others = (slot for slot in range(len(f.inputs)) if slot != f.slot)
    return tuple(f.upstream * f.op.partials[slot](*f.inputs, f.value) for slot in others)


@of_wire
def value_upstream(f: StepFacts) -> tuple[float, ...]:
    """Multiply by the value of the node instead of its gradient."""
    return (f.value * f.local,)


@of_wire
def sign_lost(f: StepFacts) -> tuple[float, ...]:
    """Give the product with the other sign."""
    return (-f.contribution,)


@of_wire
def replaced(f: StepFacts) -> tuple[float, ...]:
    """Let the contribution replace what was held."""
    return (f.contribution,)


@of_wire
def not_added(f: StepFacts) -> tuple[float, ...]:
    """Leave the sum as it was."""
    return (f.before,)


@of_wire
def sum_multiplied(f: StepFacts) -> tuple[float, ...]:
    """Multiply what was held by the contribution."""
    return (f.before * f.contribution,)


@of_wire
def counted_twice(f: StepFacts) -> tuple[float, ...]:
    """Add the contribution twice."""
    return (f.after + f.contribution,)


def under(rules: Rules) -> Numbers:
    """Return what a node's gradient is at the end of the pass under a mistake."""

    def numbers(question: Question, trace: Trace) -> tuple[float, ...]:
        most = max(MOST_STEPS_AGAIN * len(trace), FEW_STEPS)
        grads = final_gradients(trace, rules, trace.root, most)
        return () if grads is None else (grads.get(question.node, 0.0),)

    return numbers


def one_path(question: Question, trace: Trace) -> tuple[float, ...]:
    """Take the product along one of several paths for the gradient."""
    products = [path.product for path in paths_in(trace, question.node, MOST_PATHS)]
    return tuple(dict.fromkeys(products)) if len(products) > 1 else ()


def value_for_gradient(question: Question, trace: Trace) -> tuple[float, ...]:
    """Take the value of a node for its gradient."""
    return (trace.values[question.node],)


def no_number(_question: Question, _trace: Trace) -> tuple[float, ...]:
    """Stand for a belief about nodes, not about numbers."""
    return ()


def new_value(question: Question, trace: Trace) -> tuple[float, ...]:
    """Take the new value for the change."""
    return (changed_value(question, trace),)


def leafs_own_change(question: Question, trace: Trace) -> tuple[float, ...]:
    """Take the change of the leaf."""
    return (question.to - trace.values[question.leaf],)


def slope_alone(question: Question, trace: Trace) -> tuple[float, ...]:
    """Take the slope along the leaf, without how far it went."""
    grads = final_gradients(trace, root=question.node) or {}
    return (grads.get(question.leaf, 0.0),)


def other_way_round(question: Question, trace: Trace) -> tuple[float, ...]:
    """Take the old value minus the new one."""
    return (trace.values[question.node] - changed_value(question, trace),)


# The table of slips


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
        own_value,
        "{wrong} is {receiver}'s own value. If {receiver} grows by 1 and {other} stays, how"
        " much does {formula} grow?",
        "the own value taken for the slope of a product",
    ),
    Slip(
        "minus lost in the slope",
        "local",
        "A minus was lost: the slope of {node} along {receiver} is {slope}.",
        lost_minus,
        _SIGNS,
        "a minus lost in the slope",
    ),
    Slip(
        "upstream forgotten",
        "contribution",
        "{wrong} is the local derivative alone; {node} got {upstream}, so {upstream} × {local} goes"
        " to {receiver}.",
        upstream_forgotten,
        "{wrong} is the slope alone. What did {node} get?",
        "the slope alone, without what the node got",
    ),
    Slip(
        "local derivative forgotten",
        "contribution",
        "{wrong} is what {node} got; times its slope along {receiver}, {local}, it goes on.",
        local_forgotten,
        "{wrong} is what {node} got. If {receiver} grows by 1, how much does {node} grow?",
        "what the node got, without its slope",
    ),
    Slip(
        "replaced",
        "sum",
        "{receiver} held {before} already, and a contribution is added to it:"
        " {before} + {contribution}.",
        replaced,
        "{wrong} came now; {receiver} held something already.",
        "what came now, without what was held",
    ),
    Slip(
        "not added",
        "sum",
        "{wrong} is what {receiver} held before; now {contribution} is added.",
        not_added,
        "{wrong} was there before; something came now.",
        "what was held, without what came now",
    ),
    Slip(
        "minus lost",
        "contribution",
        "A minus was lost: {upstream} × {local} = {contribution}.",
        sign_lost,
        _SIGNS,
        "a minus lost in the product",
    ),
    Slip(
        "other input's slope",
        "contribution",
        "{wrong} goes to the other input of {node}; its slope along {receiver} is {local}.",
        other_slot,
        "{wrong} goes to the other input of {node}.",
        "what goes to the other input",
    ),
    Slip(
        "slope at the output",
        "local",
        "{wrong} is the slope at the value of {node}; take it at its input, {receiver} = {input}:"
        " {local}.",
        slope_at_output,
        "{wrong} is the slope at the value of {node}. Use its input instead.",
        "the slope at the value instead of the input",
    ),
    Slip(
        "exponent not in front",
        "local",
        "The exponent comes down as a factor too: {slope}.",
        exponent_not_in_front,
        _PART,
        "the exponent not put in front",
    ),
    Slip(
        "exponent not lowered",
        "local",
        "The exponent comes down in front and is then lowered by 1: {slope}.",
        exponent_kept,
        "{wrong} has the exponent in front. Is it lowered as well?",
        "the exponent not lowered by 1",
    ),
    Slip(
        "factor forgotten",
        "local",
        "{wrong} is only a part of the slope of {node}: it is {slope}.",
        factor_forgotten,
        _PART,
        "a factor of the slope forgotten",
    ),
    Slip(
        "value for slope",
        "local",
        "{wrong} is the value of {node}; its slope along {receiver} is {slope}.",
        value_for_slope,
        "{wrong} is the value of {node}, not its slope.",
        "the value taken for the slope",
    ),
    Slip(
        "value for upstream",
        "contribution",
        "{wrong} is the value of {node} times {local}; what counts is its gradient, {upstream}.",
        value_upstream,
        "{wrong} uses the value of {node}, not its gradient.",
        "the value taken for the gradient",
    ),
    Slip(
        "factors added",
        "contribution",
        "The chain rule multiplies: {upstream} × {local}, not {upstream} + {local}.",
        factors_added,
        "{wrong} is a sum; the chain rule multiplies.",
        "upstream and slope added, not multiplied",
    ),
    Slip(
        "counted twice",
        "sum",
        "{contribution} comes along this wire once, not twice: {before} + {contribution}.",
        counted_twice,
        "{wrong} counts this wire twice.",
        "this wire counted twice",
    ),
    Slip(
        "multiplied",
        "sum",
        "Contributions are added, not multiplied: {before} + {contribution}.",
        sum_multiplied,
        "{wrong} is a product; contributions add.",
        "contributions multiplied, not added",
    ),
    Slip(
        "product as sum",
        "local",
        "1 would be the slope of a sum; {node} is a product, and its slope along {receiver} is the"
        " other factor, {local}.",
        product_as_sum,
        "{wrong} is the slope of a sum; {node} is a product.",
        "a product treated as a sum",
    ),
    Slip(
        "sum as product",
        "local",
        "{wrong} would be the slope of a product; {node} is a sum, and its slope along each input"
        " is 1.",
        sum_as_product,
        "{wrong} is the slope of a product; {node} is a sum.",
        "a sum treated as a product",
    ),
    Slip(
        "one path only",
        "final",
        "{wrong} is the share of one path; all paths from {receiver} to {root} add up.",
        one_path,
        "{wrong} is one path. How many lead from {receiver} to {root}?",
        "one path of several",
    ),
    Slip(
        "value for gradient",
        "final",
        "{wrong} is the value of {receiver}; its gradient says how fast {root} changes with it.",
        value_for_gradient,
        "{wrong} is the value of {node}, not its gradient.",
        "the value taken for the gradient",
    ),
    *(
        Slip(
            rules.name,
            "final",
            rules.sentence,
            under(rules),
            _UNDER.replace("{mistake}", rules.title),
            rules.title,
        )
        for rules in MISTAKES
    ),
    Slip(
        "new value",
        "change",
        "{wrong} is the new value of {node}; it was {before}, so it changed by {answer}.",
        new_value,
        "{wrong} is the new value of {node}. By how much did it change?",
        "the new value taken for the change",
    ),
    Slip(
        "leaf's own change",
        "change",
        "{wrong} is the change of {leaf}; that of {node} is {answer}.",
        leafs_own_change,
        "{wrong} is the change of {leaf}.",
        "the change of the leaf itself",
    ),
    Slip(
        "slope alone",
        "change",
        "{wrong} is the change for 1 more of {leaf}; here {node} changes by {answer}.",
        slope_alone,
        "{wrong} is the change for 1 more of {leaf}.",
        "the change for 1 more of the leaf",
    ),
    Slip(
        "other way round",
        "change",
        "{wrong} is the old value minus the new one; the change is {answer}.",
        other_way_round,
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
    right, scale = answer(question, trace), error_scale(question, trace)
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
