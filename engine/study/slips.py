"""SLIPS: what a wrong answer gives away, as numbers that wrong beliefs produce.

Each slip computes its numbers from the facts of a question. One that belongs to an earlier part of
the work is carried on: a wrong local derivative times the upstream gradient is a wrong
contribution, and that added to what was held is a wrong sum. A slip whose number is the right
answer can't be seen there and has no number.

>>> from engine import from_expression
>>> from engine.study.question import Question
>>> from engine.trace import run
>>> trace = run(from_expression("y = a*b", {"a": 2, "b": 3}))
>>> [(slip.name, number) for slip, number in slip_numbers(Question("local", 3, 0, 2), trace)]
[('own value', 2.0), ('value for slope', 6.0), ('product as sum', 1.0)]
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from engine.errors import EngineError
from engine.rules import MISTAKES, Rules
from engine.study.paths import paths
from engine.study.question import (
    Facts,
    Kind,
    Question,
    answer,
    facts,
    final_gradient,
    near,
    size,
)
from engine.trace import Trace, run

Numbers: TypeAlias = Callable[[Question, Trace], tuple[float, ...]]

MOST_PATHS = 50
"""Paths whose products are known as the gradient of one path only."""


@dataclass(frozen=True, slots=True)
class Slip:
    """One wrong belief: its name, a sentence to the learner, and the numbers it produces.

    `kind` is the question it is about; `numbers` is () where it does not apply. The fields of
    `sentence` are those of `engine.study.grading`.
    """

    name: str
    kind: Kind
    sentence: str
    numbers: Numbers


def _of_wire(numbers: Callable[[Facts], tuple[float, ...]]) -> Numbers:
    """Return the numbers of a slip that needs nothing but the facts around one wire."""
    return lambda question, trace: numbers(facts(question, trace))


@_of_wire
def _own_value(f: Facts) -> tuple[float, ...]:
    return (f.inputs[f.slot],) if f.op.name == "mul" else ()


@_of_wire
def _value_for_slope(f: Facts) -> tuple[float, ...]:
    return () if f.op.name == "exp" else (f.value,)


@_of_wire
def _slope_at_output(f: Facts) -> tuple[float, ...]:
    if len(f.inputs) != 1:
        return ()
    return (f.op.partials[0](f.value, f.op.forward(f.value)),)


def _exponent(f: Facts) -> tuple[float, float] | None:
    """Return base and exponent of a power, if the slope is the one along its base."""
    if f.op.name == "pow":
        return (f.inputs[0], f.inputs[1]) if f.slot == 0 else None
    exponents = {"square": 2.0, "sqrt": 0.5}
    return (f.inputs[0], exponents[f.op.name]) if f.op.name in exponents else None


@_of_wire
def _exponent_kept(f: Facts) -> tuple[float, ...]:
    found = _exponent(f)
    return () if found is None else (found[1] * f.value,)


@_of_wire
def _exponent_not_in_front(f: Facts) -> tuple[float, ...]:
    found = _exponent(f)
    return () if found is None or found[1] == 0 else (f.local / found[1],)


@_of_wire
def _lost_minus(f: Facts) -> tuple[float, ...]:
    has_one = (
        f.op.name in ("neg", "cos", "acos")
        or (f.op.name in ("sub", "div") and f.slot == 1)
        or (f.op.name == "pow" and f.slot == 0 and f.inputs[1] < 0)
    )
    return (-f.local,) if has_one else ()


@_of_wire
def _product_as_sum(f: Facts) -> tuple[float, ...]:
    return (1.0,) if f.op.name == "mul" else ()


@_of_wire
def _sum_as_product(f: Facts) -> tuple[float, ...]:
    return (f.inputs[1 - f.slot],) if f.op.name == "add" else ()


@_of_wire
def _factor_forgotten(f: Facts) -> tuple[float, ...]:
    if f.op.name == "sigmoid":
        return (f.value, 1.0 - f.value)
    if f.op.name == "silu":
        s = f.value / f.inputs[0] if f.inputs[0] else 0.5
        return (s, s + f.inputs[0] * (1.0 - s))
    return (f.value,) if f.op.name == "pow" and f.slot == 1 else ()


@_of_wire
def _upstream_forgotten(f: Facts) -> tuple[float, ...]:
    return (f.local,)


@_of_wire
def _local_forgotten(f: Facts) -> tuple[float, ...]:
    return (f.upstream,)


@_of_wire
def _factors_added(f: Facts) -> tuple[float, ...]:
    return (f.upstream + f.local,)


@_of_wire
def _other_slot(f: Facts) -> tuple[float, ...]:
    others = (slot for slot in range(len(f.inputs)) if slot != f.slot)
    return tuple(f.upstream * f.op.partials[slot](*f.inputs, f.value) for slot in others)


@_of_wire
def _value_upstream(f: Facts) -> tuple[float, ...]:
    return (f.value * f.local,)


@_of_wire
def _sign_lost(f: Facts) -> tuple[float, ...]:
    return (-f.contribution,) if f.upstream < 0 or f.local < 0 else ()


@_of_wire
def _replaced(f: Facts) -> tuple[float, ...]:
    return (f.contribution,)


@_of_wire
def _not_added(f: Facts) -> tuple[float, ...]:
    return (f.before,)


@_of_wire
def _sum_multiplied(f: Facts) -> tuple[float, ...]:
    return (f.before * f.contribution,)


@_of_wire
def _counted_twice(f: Facts) -> tuple[float, ...]:
    return (f.after + f.contribution,)


def _under(rules: Rules) -> Numbers:
    """Return what a node's gradient is at the end of the pass under a mistake."""

    def numbers(question: Question, trace: Trace) -> tuple[float, ...]:
        try:
            wrong = run(trace.graph, trace.root, rules)
        except EngineError:
            return ()  # it would take too many steps
        return (final_gradient(question.node, wrong),)

    return numbers


def _one_path(question: Question, trace: Trace) -> tuple[float, ...]:
    found = paths(trace.graph, question.node, trace.root, limit=MOST_PATHS)
    products = [path.product for path in found]
    return tuple(dict.fromkeys(products)) if len(products) > 1 else ()


def _value_for_gradient(question: Question, trace: Trace) -> tuple[float, ...]:
    return (trace.values[question.node],)


SLIPS: tuple[Slip, ...] = (
    Slip(
        "own value",
        "local",
        "{wrong} is {receiver} itself; the slope of {node} along {receiver} is the other factor,"
        " {local}.",
        _own_value,
    ),
    Slip(
        "minus lost in the slope",
        "local",
        "A minus was lost: the slope of {node} along {receiver} is {slope}.",
        _lost_minus,
    ),
    Slip(
        "upstream forgotten",
        "contribution",
        "{wrong} is the local derivative alone; {node} got {upstream}, so {upstream} × {local} goes"
        " to {receiver}.",
        _upstream_forgotten,
    ),
    Slip(
        "local derivative forgotten",
        "contribution",
        "{wrong} is what {node} got; times its slope along {receiver}, {local}, it goes on.",
        _local_forgotten,
    ),
    Slip(
        "replaced",
        "sum",
        "{receiver} held {before} already, and a contribution is added to it:"
        " {before} + {contribution}.",
        _replaced,
    ),
    Slip(
        "not added",
        "sum",
        "{wrong} is what {receiver} held before; now {contribution} is added.",
        _not_added,
    ),
    Slip(
        "minus lost",
        "contribution",
        "A minus was lost: {upstream} × {local} = {contribution}.",
        _sign_lost,
    ),
    Slip(
        "other input's slope",
        "contribution",
        "{wrong} goes to the other input of {node}; its slope along {receiver} is {local}.",
        _other_slot,
    ),
    Slip(
        "slope at the output",
        "local",
        "{wrong} is the slope at the value of {node}; take it at its input, {receiver} = {input}:"
        " {local}.",
        _slope_at_output,
    ),
    Slip(
        "exponent not in front",
        "local",
        "The exponent comes down as a factor too: {slope}.",
        _exponent_not_in_front,
    ),
    Slip(
        "exponent not lowered",
        "local",
        "The exponent comes down in front and is then lowered by 1: {slope}.",
        _exponent_kept,
    ),
    Slip(
        "factor forgotten",
        "local",
        "{wrong} is only a part of the slope of {node}: it is {slope}.",
        _factor_forgotten,
    ),
    Slip(
        "value for slope",
        "local",
        "{wrong} is the value of {node}; its slope along {receiver} is {slope}.",
        _value_for_slope,
    ),
    Slip(
        "value for upstream",
        "contribution",
        "{wrong} is the value of {node} times {local}; what counts is its gradient, {upstream}.",
        _value_upstream,
    ),
    Slip(
        "factors added",
        "contribution",
        "The chain rule multiplies: {upstream} × {local}, not {upstream} + {local}.",
        _factors_added,
    ),
    Slip(
        "counted twice",
        "sum",
        "{contribution} comes along this wire once, not twice: {before} + {contribution}.",
        _counted_twice,
    ),
    Slip(
        "multiplied",
        "sum",
        "Contributions are added, not multiplied: {before} + {contribution}.",
        _sum_multiplied,
    ),
    Slip(
        "product as sum",
        "local",
        "1 would be the slope of a sum; {node} is a product, and its slope along {receiver} is the"
        " other factor, {local}.",
        _product_as_sum,
    ),
    Slip(
        "sum as product",
        "local",
        "{wrong} would be the slope of a product; {node} is a sum, and its slope along each input"
        " is 1.",
        _sum_as_product,
    ),
    *(Slip(rules.name, "final", rules.sentence, _under(rules)) for rules in MISTAKES),
    Slip(
        "one path only",
        "final",
        "{wrong} is the share of one path; all paths from {receiver} to {root} add up.",
        _one_path,
    ),
    Slip(
        "value for gradient",
        "final",
        "{wrong} is the value of {receiver}; its gradient says how fast {root} changes with it.",
        _value_for_gradient,
    ),
)
"""In the order of likelihood: of several that give the same number the first is told."""

BY_NAME: dict[str, Slip] = {slip.name: slip for slip in SLIPS}


def slip_numbers(question: Question, trace: Trace) -> Iterator[tuple[Slip, float]]:
    """Yield each slip that can be seen in an answer, with its number; one may have several."""
    right, scale = answer(question, trace), size(question, trace)
    for slip in SLIPS:
        for number in all_numbers(slip, question, trace):
            if not near(number, right, scale):
                yield slip, number


def all_numbers(slip: Slip, question: Question, trace: Trace) -> tuple[float, ...]:
    """Return the numbers of a slip, carried on to what is asked, the right answer included."""
    return tuple(number for _own, number in wrong_and_result(slip, question, trace))


def wrong_and_result(slip: Slip, question: Question, trace: Trace) -> Iterator[tuple[float, float]]:
    """Yield each number of a slip, and what it leads to in the answer asked for."""
    parts = _PARTS.get(question.kind, ())
    if slip.kind not in parts:
        return
    later = parts[parts.index(slip.kind) + 1 :]
    for wrong in dict.fromkeys(slip.numbers(question, trace)):
        result = wrong
        for kind in later:
            result = _carried_on(result, kind, facts(question, trace), trace.rules)
        yield wrong, result


def _carried_on(number: float, kind: Kind, at: Facts, rules: Rules) -> float:
    """Return what a wrong number of the part before leads to in a contribution or a sum."""
    if kind == "contribution":
        return at.upstream * number
    return at.before + number if rules.accumulate else number


_PARTS: dict[Kind, tuple[Kind, ...]] = {
    "local": ("local",),
    "contribution": ("local", "contribution"),
    "sum": ("local", "contribution", "sum"),
    "final": ("final",),
}
"""For each kind of question the parts of the work that lead to its answer, in their order."""
