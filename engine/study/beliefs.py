"""Beliefs: the numbers that wrong beliefs about one part of the work produce.

Each returns the numbers of one belief, () where it does not apply. Those decorated with `of_wire`
need nothing but the facts around one wire.

>>> from engine import from_expression
>>> from engine.trace import run
>>> trace = run(from_expression("y = a*b", {"a": 2, "b": 3}))
>>> own_value(Question("local", 3, 0, 2), trace)  # ∂y/∂a taken as a
(2.0,)
"""

from collections.abc import Callable
from typing import TypeAlias

from engine.rules import Rules
from engine.study.diagnose import final_gradients
from engine.study.facts import StepFacts
from engine.study.paths import paths_in
from engine.study.question import Question, changed_value, facts
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
